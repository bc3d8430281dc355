"""``compare``: what has changed since a list was mailed, who must still get a letter, and whether there is time."""

import json
import shutil

import geopandas
import pytest
from dying import files_in, outcomes_when_killed
from profile_toys import PERMIT, rule, text_of, town_of
from program import exit_code, run_here

from geonotice.io.output_files import remove_leftovers
from geonotice.workflow.compare import list_changes

LAND = {f"1-{n}": (n * 100, 0, n * 100 + 100, 100) for n in range(6)}
ASKED = ["1-0", "--for", "hearing", "--hearing", "2026-10-20", "--on", "2026-09-01"]
TABLE = """[rules.notice]
occasion = "hearing"
recipients = ["owners"]
distance_ft = 350.0
mail = "certified"
[[rules.periods]]
what = "mail the notice"
days = 10
direction = "before"
from = "hearing"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    town = town_of(tmp_path_factory.mktemp("compare"), text_of(PERMIT, rule("near", "distance_notice", tables=TABLE)), LAND)
    run_here("notice", town, *ASKED, "--out", town / "packet")
    return town


@pytest.fixture
def town(made, tmp_path):
    shutil.copytree(made, tmp_path / "town")
    return tmp_path / "town"


def sell(town, **owners):
    """Write other owners and addresses into the layer, by lot, and import it again."""
    frame = geopandas.read_file(town / "parcels.gpkg").set_index("PRINT_KEY", drop=False)
    for key, values in owners.items():
        for column, value in values.items():
            frame.loc[f"1-{key.removeprefix('lot')}", column] = value
    frame.reset_index(drop=True).to_file(town / "parcels.gpkg")
    run_here("import", town)


def compared(town, *more, on="2026-10-01", expect=0):
    return json.loads(run_here("compare", town / "packet", town, "--on", on, "--json", *more, expect=expect).stdout)


SOLD = {
    "lot1": {"PRIMARY_OWNER": "NEW OWNER", "MAIL_ADDR": "9 HIGH ST"},
    "lot2": {"MAIL_ADDR": "PO BOX 77"},
    "lot3": {"PRIMARY_OWNER": "OWNER 1-3 TRUST"},
}


class TestWhatChanged:
    def test_nothing(self, town):
        found = compared(town, "--strict")
        assert found["same"]
        assert found["headline"] == "Nobody is new, gone, re-addressed or renamed."

    def test_who_is_new_gone_readdressed_and_renamed_with_the_class_of_mail_and_the_last_day(self, town):
        sell(town, **SOLD)
        found = compared(town)
        assert {
            (one["change"], (one["after"] or one["before"])["parcels"][0], one["must_be_mailed"]) for one in found["changes"]
        } == {
            ("new", "1-1", True),
            ("gone", "1-1", False),
            ("readdressed", "1-2", True),
            ("renamed", "1-3", True),
        }
        assert found["due"] == 3
        assert found["last_day"] == "2026-10-10"  # ten days before Tuesday, October 20
        assert found["time"].startswith("There is time: the last lawful day is Saturday, October 10, 2026")
        assert found["time"].endswith("Mail by Friday, October 9, 2026.")
        new = next(one for one in found["changes"] if one["change"] == "new")
        assert new["after"]["mail"] == "certified"
        assert "before: OWNER 1-1" in new["text"]

    def test_with_strict_a_letter_that_is_due_is_exit_4(self, town):
        sell(town, **SOLD)
        assert compared(town, "--strict", expect=4)["due"] == 3

    def test_after_the_last_day_it_says_that_it_is_too_late(self, town):
        sell(town, **SOLD)
        assert compared(town, on="2026-10-15")["time"].startswith("It is too late: the last lawful day was ")

    def test_another_spelling_of_one_name_is_no_new_owner(self, town):
        sell(town, lot1={"PRIMARY_OWNER": "Owner 1-1."})
        found = compared(town)
        assert [(one["change"], one["must_be_mailed"]) for one in found["changes"]] == [("other", False)]
        assert found["headline"] == "The lists differ, and no further letter is due."

    def test_an_address_that_was_missing_and_is_known_now_is_a_letter_that_is_due(self, town):
        sell(town, lot1={"MAIL_ADDR": None, "MAIL_CITY": None, "MAIL_ZIP": None})
        run_here("notice", town, *ASKED, "--out", town / "packet")
        sell(town, lot1={"MAIL_ADDR": "PO BOX 2", "MAIL_CITY": "OAK", "MAIL_ZIP": "11980"})
        found = compared(town)
        assert [one["must_be_mailed"] for one in found["changes"]] == [True]

    def test_two_packets_are_compared_by_their_records(self, town):
        sell(town, **SOLD)
        run_here("notice", town, *ASKED, "--out", town / "later")
        done = run_here("compare", town / "packet", town / "later", "--on", "2026-10-01")
        assert "3 letters are still due. There is time" in done.stdout
        assert "certified" in done.stdout

    def test_packets_of_different_matters_are_refused(self, town, capsys):
        run_here("notice", town, "1-2", *ASKED[1:], "--out", town / "other")
        assert exit_code("compare", town / "packet", town / "other") == 2
        assert "lists of different matters" in capsys.readouterr().err


class TestTheSupplementaryPacket:
    def test_it_has_those_alone_to_whom_a_letter_is_due_and_its_numbers_go_on(self, town, tmp_path):
        sell(town, **SOLD)
        first = json.loads((town / "packet" / "record.json").read_text(encoding="utf-8"))
        last = max(one["number"] for one in first["recipients"])
        compared(town, "--out", tmp_path / "more")
        record = json.loads((tmp_path / "more" / "record.json").read_text(encoding="utf-8"))
        assert [one["number"] for one in record["recipients"]] == [last + 1, last + 2, last + 3]
        assert {one["parcels"][0] for one in record["recipients"]} == {"1-1", "1-2", "1-3"}
        assert record["supplement"]["to"] == "packet"
        assert record["supplement"]["first_number"] == last + 1
        page = (tmp_path / "more" / "index.html").read_text(encoding="utf-8")
        assert "This is not the whole list." in page
        assert (tmp_path / "more" / "labels.pdf").is_file()
        assert (tmp_path / "more" / "letters.pdf").is_file()

    def test_it_is_not_verified_by_itself(self, town, tmp_path, capsys):
        sell(town, **SOLD)
        compared(town, "--out", tmp_path / "more")
        assert exit_code("verify", tmp_path / "more", "--town", town) == 3
        assert "supplementary packet" in capsys.readouterr().err

    def test_where_nothing_is_due_none_is_written_and_that_is_said(self, town, tmp_path, capsys):
        assert exit_code("compare", town / "packet", town, "--out", tmp_path / "more") == 0
        assert "No further letter is due, so no supplementary packet was written" in capsys.readouterr().err
        assert not (tmp_path / "more").exists()

    def test_it_needs_the_town(self, town, tmp_path):
        assert exit_code("compare", town / "packet", town / "packet", "--out", tmp_path / "more") == 2


def piece(number, name, address="1 ELM ST", *, role="owner", parcels=("1-1",), mail="first_class", code="11980"):
    return {
        "number": number, "role": role, "name": name, "address": [address], "city": "OAK", "state": "NY", "zip": code, "country": "",
        "mail": mail, "mailable": True, "parcels": list(parcels), "reasons": ["oak.near"],
    }  # fmt: skip


class TestListChanges:
    def test_numbers_alone_are_no_difference(self):
        assert list_changes([piece(1, "A"), piece(2, "B")], [piece(1, "B"), piece(2, "A")]) == ()

    def test_a_resident_at_another_address_is_another_resident(self):
        was = [piece(1, "CURRENT RESIDENT", "1 ELM ST APT 1", role="resident")]
        now = [piece(1, "CURRENT RESIDENT", "1 ELM ST APT 3", role="resident")]
        assert [one.kind for one in list_changes(was, now)] == ["new", "gone"]

    def test_of_two_alike_each_counts(self):
        assert [one.kind for one in list_changes([piece(1, "A")], [piece(1, "A"), piece(2, "A")])] == ["new"]

    def test_a_stricter_class_of_mail_is_a_letter_that_is_due_and_a_milder_one_is_not(self):
        up = list_changes([piece(1, "A")], [piece(1, "A", mail="certified")])
        down = list_changes([piece(1, "A", mail="certified")], [piece(1, "A")])
        assert [(one.kind, one.must_be_mailed) for one in (*up, *down)] == [("mail", True), ("mail", False)]


def same_bytes(files):
    """Return the files of a packet without the bytes of those that promise the same content only: they hold when they were made."""
    return {name: b"" if name.endswith((".docx", ".gpkg", ".xlsx")) else content for name, content in files.items()}


def test_killed_at_any_move_the_supplementary_packet_is_the_old_one_or_the_new_one(town):
    sell(town, **SOLD)
    room = town / "out"
    command = ("compare", town / "packet", town, "--out", room / "more", "--on")
    assert exit_code(*command, "2026-10-01") == 0
    before = files_in(room)
    found = outcomes_when_killed(room, lambda: exit_code(*command, "2026-10-02"), lambda: remove_leftovers(room), before=before)
    new = found[-1]
    assert json.loads(new["more/record.json"])["settings"]["on"] == "2026-10-02"
    old, now = same_bytes(before), same_bytes(new)
    assert [sorted(one) for one in map(same_bytes, found) if one not in (old, now)] == []
