"""The pages of the desk: what they show, what they refuse in words, and how a list becomes a packet."""

import io
import json
import re
import zipfile

import pytest
from browsing import PAYLOADS
from desk_toys import LIST, PREMISES, TODAY, copied, desk_at, packet_form, packet_made, sit_down, words_of
from program import run

from geonotice.decide.deadlines import CAREFUL

NEIGHBOR = "0900-123.00-01.00-001.000"


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    return copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")


@pytest.fixture
def desk(town):
    with desk_at(town) as client:
        yield client


class TestMap:
    def test_a_box_has_its_parcels_and_layers(self, desk):
        found = desk.get("/map/view", params={"box": "1430000,262000,1434000,264000", "pixel_ft": "4"}).json()
        assert found["count"] == len(found["parcels"]) > 50
        assert {"zoning", "streets"} <= set(found["layers"])
        number, role, shape = found["parcels"][0]
        assert number.startswith("0")
        assert role in {"lot", "right_of_way", "railroad", "water"}
        x, y = (value * found["unit"] for value in shape[0][0][:2])
        assert 1_425_000 < x < 1_440_000
        assert 258_000 < y < 269_000

    def test_the_points_are_those_of_the_store(self, desk, town):
        import geopandas
        import shapely

        found = desk.get("/map/view", params={"box": "1430000,262000,1431000,263000", "pixel_ft": "0.1"}).json()
        layer = geopandas.read_file(town / "store.gpkg", layer="parcels").set_index("id")
        for number, _, shape in found["parcels"]:
            steps = shape[0][0]
            x = y = 0
            points = []
            for east, north in zip(steps[::2], steps[1::2], strict=True):
                x, y = x + east, y + north
                points.append((x * found["unit"], y * found["unit"]))
            stored = layer.geometry[number]
            assert shapely.hausdorff_distance(shapely.Polygon(points), shapely.get_geometry(stored, 0)) < 0.2

    def test_the_lots_with_a_permit_of_the_year_are_drawn(self, desk):
        found = desk.get("/map/permits").json()
        assert found["shapes"], "the demonstration has permits of this year"
        for parcel, numbers, shape in found["shapes"]:
            assert parcel.startswith("0900")
            assert numbers
            assert shape[0][0]

    def test_too_many_lots_are_counted_and_not_drawn(self, desk, monkeypatch):
        monkeypatch.setattr("geonotice.workflow.town_view.MOST_PARCELS", 100)
        found = desk.get("/map/view", params={"box": "1426000,259000,1438000,268000", "pixel_ft": "20"}).json()
        assert found["parcels"] == []
        assert found["count"] > 800

    @pytest.mark.parametrize(
        "query",
        [
            "",
            "box=1,2,3&pixel_ft=1",
            "box=a,b,c,d&pixel_ft=1",
            "box=0,0,1,1&pixel_ft=0",
            "box=1,1,0,0&pixel_ft=1",
            "box=nan,0,1,1&pixel_ft=1",
            "box=0,0,1,1&pixel_ft=inf",
        ],
    )
    def test_what_is_no_box_is_refused(self, desk, query):
        assert desk.get(f"/map/view?{query}").status_code == 400


class TestSearch:
    @pytest.mark.parametrize("text", ["900-123-1-2", PREMISES, "75 Meadow Street", "75 MEADOW ST", "dandridge daniel"])
    def test_a_parcel_is_found_in_any_spelling(self, desk, text):
        assert PREMISES in desk.get("/search", params={"q": text}).text

    def test_a_permit_and_its_applicant_are_found(self, desk, town):
        permit = json.loads(run("permit", "list", town, "--json").stdout)["permits"][0]
        assert f"Permit {permit['number']}" in desk.get("/search", params={"q": permit["number"]}).text
        assert f"Permit {permit['number']}" in desk.get("/search", params={"q": permit["applicant"]}).text

    def test_while_typing_the_answers_come_without_a_page(self, desk):
        answer = desk.get("/search", params={"q": "meadow"}, headers={"hx-request": "true"}).text
        assert "<html" not in answer
        assert "Meadow St" in answer

    def test_what_is_not_found_is_said_and_escaped(self, desk):
        for text in PAYLOADS:
            answer = desk.get("/search", params={"q": text}).text
            assert text not in answer or not re.search(r"[<>]", text)
        assert "Nothing is found" in desk.get("/search", params={"q": "zzzzqq"}).text


class TestProperty:
    def test_it_names_owner_district_street_and_caps(self, desk):
        said = words_of(desk.get(f"/property?parcel={PREMISES}").text)
        for words in (
            "75 Meadow St",
            "Dandridge Daniel P",
            "R-40",
            "Meadow Street",
            "0 of 2",
            "No other municipality is within 500 ft",
        ):
            assert words in said

    def test_an_unknown_number_is_told_with_those_like_it(self, desk):
        answer = desk.get("/property?parcel=0900-123.00-01.00-002.999")
        assert answer.status_code == 404
        assert 'role="alert"' in answer.text

    def test_a_town_without_zoning_and_register_has_a_page_too(self, italy):
        with desk_at(italy) as client:
            said = words_of(client.get("/property?parcel=51.00-1-1").text)
        assert "no register of permits yet" in said
        assert "No district is known here" in said


class TestNotice:
    def test_half_a_form_is_no_mistake(self, desk):
        for link in ("/notice", f"/notice?parcel={PREMISES}"):
            answer = desk.get(link)
            assert answer.status_code == 200
            assert 'id="faults"' not in answer.text

    def test_the_list_is_the_commands(self, desk, town):
        said = json.loads(
            run("notice", town, PREMISES, "--for", "appeal", "--hearing", "2027-01-12", "--on", TODAY, "--json").stdout
        )
        page = desk.get(LIST).text
        assert re.findall(r'<tr id="row-\d+" data-parcel="([^"]+)"', page) == [one["id"] for one in said["parcels"]]
        assert desk.get("/api/notice", params={"parcel": PREMISES, "for": "appeal", "hearing": "2027-01-12"}).json() == said
        dated = {"parcel": PREMISES, "for": "appeal", "hearing": "2027-01-12", "filed": "2026-11-02"}
        found = desk.get("/api/notice", params=dated).json()
        assert found["settings"].pop("filed") == "2026-11-02"
        assert found == said

    def test_a_day_that_the_law_carries_says_which_reading_is_careful(self, desk):
        said = words_of(desk.get(LIST.replace("2027-01-12", "2027-01-20")).text)
        assert f"carries it past the weekend or holiday to Monday, February 1, 2027. {CAREFUL}" in said

    def test_a_parcel_is_picked_and_removed_by_buttons(self, desk):
        assert desk.get(f"{LIST}&pick={NEIGHBOR}").headers["location"].count("parcel=") == 2
        assert "parcel=" not in desk.get(f"{LIST}&without={PREMISES}").headers["location"]
        assert PREMISES in desk.get("/notice", params={"q": "75 meadow street"}).headers["location"]
        assert "is found in" in desk.get("/notice", params={"q": "meadow"}).text

    def test_the_faults_stand_at_the_top_with_links_to_their_fields(self, desk):
        answer = desk.get(f"/notice?parcel={PREMISES}&hearing=20&event=1500-01-01")
        assert answer.status_code == 400
        for field in ("occasion", "hearing", "event"):
            assert f'<a href="#{field}">' in answer.text
            assert f'id="{field}"' in answer.text

    def test_a_change_by_hand_asks_for_a_name_and_a_reason(self, desk):
        answer = desk.get(f"{LIST}&change=drop&change_parcel={NEIGHBOR}&change_why=")
        assert '<a href="#change_why">' in answer.text
        asked = desk.get(f"{LIST}&change=drop&change_parcel={NEIGHBOR}&change_why=waived")
        assert asked.headers["location"].startswith("/who?next=")
        sit_down(desk)
        link = desk.get(f"{LIST}&change=drop&change_parcel={NEIGHBOR}&change_why=waived").headers["location"]
        page = desk.get(link).text
        assert "by R. Clerk" in page
        assert f'data-parcel="{NEIGHBOR}"' not in page
        assert f'data-parcel="{NEIGHBOR}"' in desk.get(desk.get(f"{link}&undo=drop:{NEIGHBOR}").headers["location"]).text

    def test_markup_stays_words(self, desk):
        sit_down(desk)
        for text in PAYLOADS:
            link = desk.get(
                "/notice",
                params={"parcel": PREMISES, "for": "appeal", "change": "drop", "change_parcel": NEIGHBOR, "change_why": text},
            ).headers["location"]
            page = desk.get(link).text
            assert "<img" not in page
            assert "<svg" not in page
            assert "window.pwned=1</script>" not in page

    @pytest.mark.parametrize(
        "query",
        [
            "for=<script>",
            "parcel=" + "9" * 5000,
            "&".join("parcel=1" + "0" * n for n in range(1, 40)),
            "hearing=2027-01-12",
            "add=1",
            "drop=%00",
            "parcel=%F0%9F%8E%AA&for=appeal",
        ],
    )
    def test_whatever_an_address_holds_is_answered_in_words(self, desk, query):
        answer = desk.get(f"/notice?{query}")
        assert answer.status_code in {200, 303, 400, 404}


class TestPacket:
    def test_somebody_must_be_named_first(self, desk):
        answer = desk.post("/notice/packet", data=packet_form(desk))
        assert answer.headers["location"].startswith("/who?next=%2Fnotice")

    def test_the_name_is_asked_for_beside_the_button_and_nothing_marked_is_lost(self, desk):
        assert 'name="by"' in desk.get(LIST).text
        refused = desk.post("/notice/packet", data=packet_form(desk) | {"by": " "})
        assert (refused.status_code, '<a href="#by">' in refused.text) == (400, True)
        _, page = packet_made(desk, packet_form(desk) | {"by": "R. Clerk"})
        assert "The packet is made" in page
        assert "R. Clerk" in desk.get("/").text

    def test_the_warnings_must_be_read_and_the_list_be_the_one_that_was_seen(self, italy, tmp_path):
        with desk_at(copied(italy, tmp_path / "italy")) as client:
            sit_down(client)
            fields = packet_form(client, "/notice?parcel=51.00-1-1&for=hearing&hearing=2027-01-12")
            assert fields["read"], "the demonstration has warnings"
            for wrong in ({"read": fields["read"][1:]}, {"read": []}, {"seen": ["0" * 64]}):
                answer = client.post("/notice/packet", data=fields | wrong)
                assert answer.status_code == 400
                assert 'id="faults"' in answer.text
            assert not (tmp_path / "italy" / "packets").exists()

    def test_its_record_is_the_commands_and_it_is_downloaded_whole(self, desk, town, tmp_path):
        sit_down(desk)
        link = desk.get(f"{LIST}&change=drop&change_parcel={NEIGHBOR}&change_why=waived").headers["location"]
        job, page = packet_made(desk, packet_form(desk, link))
        assert "The packet is made" in page
        answer = desk.get(f"{job}/packet.zip")
        assert answer.headers["content-type"] == "application/zip"
        folder = f"2026-11-30-appeal-{PREMISES}"
        assert answer.headers["content-disposition"] == f'attachment; filename="{folder}.zip"'
        out = tmp_path / "packet"
        run(
            "notice",
            town,
            PREMISES,
            "--for",
            "appeal",
            "--hearing",
            "2027-01-12",
            "--drop",
            f"{NEIGHBOR}=waived",
            "--by",
            "R. Clerk",
            "--on",
            TODAY,
            "--out",
            out,
        )
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert archive.read(f"{folder}/record.json") == (out / "record.json").read_bytes()
            assert sorted(archive.namelist()) == sorted(f"{folder}/{file.name}" for file in out.iterdir())
        assert (town / "packets" / folder / "index.html").is_file()
        assert "town.toml" in json.loads(run("verify", town / "packets" / folder, "--json").stdout)["town"], (
            "its town is found without being named"
        )
        assert desk.get(f"{job}/packet.zip").content == answer.content

    def test_work_that_fails_says_so_and_leaves_nothing(self, desk, town, monkeypatch):
        sit_down(desk)
        fields = packet_form(desk)
        monkeypatch.setattr("geonotice.workflow.read_packet.write_packet", lambda *_, **__: 1 / 0)
        job, page = packet_made(desk, fields)
        assert "It was not done" in page
        assert "ZeroDivisionError" not in page
        assert desk.get(f"{job}/packet.zip").status_code == 400

    def test_unknown_work_is_refused_in_words(self, desk):
        assert "not known any more" in desk.get("/jobs/guess").text


class TestTownThatCannotBeRead:
    def test_a_town_that_is_not_imported_is_told_what_to_do(self, root, tmp_path):
        place = copied(root / "data" / "italy", tmp_path / "italy")
        with desk_at(place) as client:
            answer = client.get("/")
            assert answer.status_code == 503
            assert "the town&#39;s layers have not been imported yet" in answer.text.lower()
            assert "import the layers" in answer.text.lower()
            assert client.get("/api/search?q=a").json()["faults"]

    def test_a_layer_that_changes_meanwhile_is_seen(self, southampton, tmp_path):
        place = copied(southampton, tmp_path / "southampton")
        with desk_at(place) as client:
            assert client.get("/").status_code == 200
            (place / "streets.geojson").write_bytes((place / "streets.geojson").read_bytes() + b"\n")
            assert "out of date" in client.get("/").text


def test_permits_and_applications_are_listed(desk):
    said = words_of(desk.get("/permits?year=2026").text)
    assert "2026-" in said
    assert desk.get("/permits?year=zzz").status_code == 400
    assert desk.get("/permits?year=9999").status_code == 400


def test_the_document_for_scripts_names_what_there_is(desk):
    paths = desk.get("/api/openapi.json").json()["paths"]
    assert set(paths) == {"/api/search", "/api/property", "/api/notice"}
    assert all(set(methods) == {"get"} for methods in paths.values())


@pytest.fixture(scope="module")
def listed(italy):
    with desk_at(italy) as client:
        return client.get("/notice?parcel=51.00-1-1&for=hearing&hearing=2027-01-12").text


class TestOpenQuestions:
    """What a list leaves open stands on its page, each with what to do and a link to where it is done."""

    def test_every_question_is_named_with_its_parcels(self, listed):
        part = listed.partition('aria-labelledby="open-title"')[2].partition("</section>")[0]
        assert re.findall(r'data-question="([^"]+)"', part) == ["owner_unknown", "unmailable", "borderline"]
        assert "3 questions to answer before the list is settled" in words_of(part)
        assert "Find the owner of record, and put it right." in words_of(part)
        assert '<a href="/correct?parcel=52.11-2-32' in part

    def test_what_import_found_is_a_link_away(self, listed, italy):
        assert "named among what import found in the layers" in words_of(listed)
        (link, *_) = re.findall(r'href="(/layers\?code=unmatched_parcel)#problems">See them</a>', listed)
        with desk_at(italy) as client:
            assert 'value="unmatched_parcel" selected' in client.get(link).text

    def test_a_link_leads_to_the_row_of_its_parcel(self, listed):
        for row, id_ in re.findall(r'<a href="#row-(\d+)">([^<]+)</a>', listed):
            assert f'<tr id="row-{row}" data-parcel="{id_}">' in listed
        assert re.search(r'<a href="#row-\d+">52\.11-1-5</a>', listed)

    def test_a_list_that_is_settled_asks_nothing(self, desk):
        assert "before the list is settled" not in desk.get(LIST).text
