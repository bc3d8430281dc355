"""Put right at the desk what a warning asks for: the corrections file is written whole or not at all, and the list is made anew with it."""

import threading

import pytest
from desk_toys import PREMISES, copied, desk_at, sit_down, token_of, words_of
from msgspec.structs import replace

from geonotice.config.corrections import read_corrections
from geonotice.errors import CorrectionsError, UsageError
from geonotice.opened_town import open_store
from geonotice.workflow.corrections import begin_corrections, correct, corrections_of

NEIGHBOR = "0900-123.00-01.00-001.000"
BACK = f"/notice?parcel={PREMISES}&for=appeal&hearing=2027-01-12"


@pytest.fixture(scope="module")
def with_file(southampton, tmp_path_factory):
    """A town whose file names a corrections file."""
    town = copied(southampton, tmp_path_factory.mktemp("corrected") / "southampton")
    begin_corrections(town)
    return town


@pytest.fixture
def town(with_file, tmp_path):
    return copied(with_file, tmp_path / "southampton")


@pytest.fixture
def desk(town):
    with desk_at(town) as client:
        sit_down(client)
        client.token = token_of(client.get("/who").text)
        yield client


def write(desk, **given):
    return desk.post("/correct", data={"token": desk.token, "parcel": NEIGHBOR, "back": BACK, "why": "telephone call", **given})


def rows(town):
    return read_corrections(town / "corrections.csv")


def test_a_town_that_has_none_begins_one_without_another_import(southampton, tmp_path):
    town = copied(southampton, tmp_path / "southampton")
    with desk_at(town) as desk:
        sit_down(desk)
        page = desk.get("/correct", params={"parcel": NEIGHBOR, "back": BACK})
        assert "has no corrections file yet" in page.text
        given = {"token": token_of(page.text), "parcel": NEIGHBOR, "back": BACK}
        assert write_refused(desk, given)
        link = desk.post("/correct/begin", data=given).headers["location"]
        assert "names corrections.csv now" in words_of(desk.get(link).text)
        assert 'name="address"' in desk.get("/correct", params={"parcel": NEIGHBOR}).text
    assert rows(town) == ()
    assert (town / "town.toml").read_text(encoding="utf-8").endswith('[corrections]\npath = "corrections.csv"\n')
    with pytest.raises(UsageError, match="names a corrections file already"):
        begin_corrections(town)


def write_refused(desk, given):
    answer = desk.post("/correct", data=given | {"why": "x", "city": "Oak"})
    return answer.status_code == 400


def test_a_layer_that_cannot_be_read_leaves_the_town_file_as_it_was(southampton, tmp_path):
    town = copied(southampton, tmp_path / "southampton")
    (town / "parcels.gpkg").unlink()
    before = (town / "town.toml").read_bytes()
    with pytest.raises(Exception, match="parcels"):
        begin_corrections(town)
    assert (town / "town.toml").read_bytes() == before


class TestWriting:
    def test_the_list_is_made_anew_with_it_and_says_who_and_why(self, desk, town):
        answer = write(desk, address="PO Box 77", city="Oak", zip="11980")
        assert answer.headers["location"] == BACK
        page = words_of(desk.get(BACK).text)
        assert "3 rows written to corrections.csv" in page
        assert [(one.field, one.value, one.by, one.why) for one in rows(town)] == [
            ("address", "PO Box 77", "R. Clerk", "telephone call"),
            ("city", "Oak", "R. Clerk", "telephone call"),
            ("zip", "11980", "R. Clerk", "telephone call"),
        ]
        assert rows(town)[0].was, "whose land it was stands with it: the row ends with the owner"
        with open_store(town) as opened:
            (owner,) = opened.store.owners_of([opened.store.find(NEIGHBOR).fid]).popitem()[1]
        assert (owner.address, owner.city, owner.zip) == (("PO Box 77",), "Oak", "11980")
        assert "telephone call" in words_of(desk.get("/correct", params={"parcel": NEIGHBOR}).text)

    def test_units_are_added_a_line_for_each(self, desk, town):
        write(desk, unit="Apt 1\nApt 2\n")
        assert [(one.field, one.value) for one in rows(town)] == [("unit", "Apt 1"), ("unit", "Apt 2")]

    def test_an_earlier_row_is_replaced_only_when_that_is_said(self, desk, town):
        write(desk, city="Oak")
        refused = write(desk, city="Elm")
        assert refused.status_code == 400
        assert "row 2 of the corrections file states the city" in words_of(refused.text).replace("Row 2", "row 2")
        assert 'name="replace"' in refused.text
        assert [one.value for one in rows(town)] == ["Oak"]
        write(desk, city="Elm", replace="yes")
        assert [one.value for one in rows(town)] == ["Elm"]

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({}, "nothing differs"),
            ({"city": "Oak", "why": " "}, "no reason is given"),
            ({"city": ""}, "would be empty"),
            ({"city": "=1+1"}, "begins as a formula"),
            ({"zip": "1180"}, "not a ZIP code"),
            ({"unit": "x" * 600}, "more than 500 characters"),
            ({"not_mailed": "Somebody Else"}, "no owner of the parcel is called"),
        ],
    )
    def test_what_a_list_could_not_be_made_with_is_not_written(self, desk, town, given, said):
        before = (town / "corrections.csv").read_bytes()
        answer = write(desk, **given)
        assert answer.status_code == 400
        assert said in words_of(answer.text).replace("Nothing", "nothing").replace("No ", "no ")
        assert (town / "corrections.csv").read_bytes() == before
        assert desk.get(BACK).status_code == 200

    def test_markup_stays_words(self, desk):
        write(desk, city="<img src=x onerror=alert(1)>")
        assert "<img" not in desk.get("/correct", params={"parcel": NEIGHBOR}).text
        assert "<img" not in desk.get(BACK).text

    def test_without_a_name_nothing_is_written(self, town):
        with desk_at(town) as client:
            client.token = token_of(client.get("/who").text)
            assert write(client, city="Oak").headers["location"].startswith("/who?next=%2Fcorrect")
        assert rows(town) == ()

    def test_a_link_back_leads_to_no_other_site(self, desk):
        assert write(desk, city="Oak", back="https://evil.example/").headers["location"] == "/"
        assert (
            "evil" not in desk.get("/correct", params={"parcel": NEIGHBOR, "back": "//evil.example"}).text.partition("<main")[2]
        )

    def test_a_warning_leads_to_the_parcel_that_it_is_about(self, italy):
        with desk_at(italy) as client:
            page = client.get("/notice?parcel=51.00-1-1&for=hearing&hearing=2027-01-12").text
            assert "/correct?parcel=" in page


class TestTwoWriters:
    def prepared(self, town, city):
        with open_store(town) as opened:
            parcel = opened.store.find(NEIGHBOR)
            owners = opened.store.owners_of([parcel.fid])[parcel.fid]
            from datetime import date

            return corrections_of(parcel, owners, {"city": city}, by="A", on=date(2026, 11, 30), why="call")

    def test_neither_loses_a_row(self, town):
        (first,) = self.prepared(town, "Oak")

        def one(n):
            with open_store(town) as opened:
                correct(opened, [replace(first, field="unit", value=f"Apt {n}")])

        writers = [threading.Thread(target=one, args=(n,)) for n in range(6)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert sorted(one.value for one in rows(town)) == [f"Apt {n}" for n in range(6)]

    def test_who_writes_from_elsewhere_meanwhile_is_not_written_over(self, town, monkeypatch):
        (row,) = self.prepared(town, "Oak")
        file = town / "corrections.csv"

        def meanwhile(*_args):
            file.write_bytes(file.read_bytes() + b"0900-123.00-01.00-003.000,unit,Apt 9,B,2026-11-30,seen,\r\n")

        monkeypatch.setattr("geonotice.workflow.corrections._require_sound", meanwhile)
        with open_store(town) as opened, pytest.raises(UsageError, match="was changed while you wrote"):
            correct(opened, [row])
        assert [one.value for one in rows(town)] == ["Apt 9"]

    def test_a_file_with_faults_is_left_as_it_is(self, town):
        (row,) = self.prepared(town, "Oak")
        file = town / "corrections.csv"
        with open_store(town) as opened:
            file.write_bytes(b"parcel,field\r\n")
            with pytest.raises(CorrectionsError, match="no column"):
                correct(opened, [row])
        assert file.read_bytes() == b"parcel,field\r\n"
