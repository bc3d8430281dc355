"""The form of an application: it asks what the law needs and no more, states what an event file states, and is checked and filed as one."""

import json
import re
import tomllib

import pytest
from browsing import PAYLOADS
from desk_toys import TODAY, copied, desk_at, sit_down, token_of
from program import run

from geonotice.config.read_application import event_from_data
from geonotice.decide.event_form import asked_of_applicant, keys_needed
from geonotice.ordinance.load import load_profile
from geonotice.register.applications import show_application
from geonotice.register.session import open_register_of
from geonotice.web.application_answers import answers_of, fields_of_answers, put_over

LOT = "0900-127.00-01.00-009.000"
DRAFT = "a-draft-of-mine"
STAGE = [[1435350.0, 262040.0], [1435400.0, 262040.0], [1435400.0, 262060.0], [1435350.0, 262060.0]]
FILLED = {
    "event.title": "Harvest fair", "event.kind": "festival", "event.starts": "2027-06-19", "event.starts.time": "14:00", "event.ends": "2027-06-19",
    "event.ends.time": "22:00", "event.night": "yes", "event.persons_at_once": "1,200", "premises.parcels": LOT, "applicant.name": "Bay Keepers Trust",
}  # fmt: skip


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    return copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")


@pytest.fixture
def desk(town):
    with desk_at(town) as client:
        sit_down(client)
        yield client


def send(desk, path, **fields):
    return desk.post(path, data={"token": token_of(desk.get("/who").text), "draft": DRAFT, **fields})


def data_of(file):
    """Return what an event file states, its days as text."""
    return json.loads(json.dumps(tomllib.loads(file.read_text(encoding="utf-8")), default=lambda value: value.isoformat()))


class TestQuestions:
    @pytest.mark.parametrize("name", ["southampton", "italy"])
    def test_it_asks_what_the_rules_look_at_and_nothing_of_the_office(self, name):
        profile = load_profile(name)
        asked = {one.key for one in asked_of_applicant(profile)}
        assert asked - {"event.days"} <= set(keys_needed(profile))
        assert not {key for key in asked if key.partition(".")[0] in {"amendment", "denial", "notice_given"}}
        assert not asked & {"event.filed", "event.complete"}

    def test_a_page_has_a_field_for_each_question_of_its_law(self, desk, italy):
        page = desk.get("/applications/form", params={"draft": DRAFT}).text
        assert 'name="benefit.charity"' in page
        assert 'name="site.camping"' not in page
        with desk_at(copied_for_reading(italy)) as other:
            sit_down(other)
            page = other.get("/applications/form", params={"draft": DRAFT}).text
        assert 'name="site.camping"' in page
        assert 'name="benefit.charity"' not in page

    def test_every_field_has_a_label_of_its_own(self, desk):
        page = desk.get("/applications/form", params={"draft": DRAFT, "parcel": LOT}).text
        ids = re.findall(r'<(?:input|select|textarea)[^>]* id="([^"]+)"', page)
        labels = set(re.findall(r'<label[^>]* for="([^"]+)"', page))
        hidden = set(re.findall(r'<input type="hidden"[^>]* id="([^"]+)"', page))
        assert [one for one in ids if one not in labels and one not in hidden] == []
        assert len(set(ids)) == len(ids)


def copied_for_reading(town):
    return town


class TestAnswers:
    @pytest.mark.parametrize("name", ["allowed", "refused", "undecided", "exempt"])
    def test_what_a_file_states_goes_through_the_form_unchanged(self, root, name):
        data = data_of(root / "data" / "southampton" / "events" / f"{name}.toml")
        asked = asked_of_applicant(load_profile("southampton"))
        stated = put_over(data, asked, answers_of(asked, fields_of_answers(asked, data)))
        assert event_from_data(stated, file="") == event_from_data(data, file="")

    @pytest.mark.parametrize(
        ("fields", "stated"),
        [
            ({"event.night": ["no"]}, {"event": {"night": False}}),
            ({"event.night": [""]}, {}),
            ({"event.persons_at_once": ["0"]}, {"event": {"persons_at_once": 0}}),
            ({"event.persons_at_once": ["many"]}, {"event": {"persons_at_once": "many"}}),
            ({"event.starts": ["2027-06-19"]}, {"event": {"starts": "2027-06-19"}}),
            ({"event.starts.time": ["14:00"]}, {"event": {"starts": "T14:00"}}),
            ({"site.lights": ["none"]}, {"site": {"lights": []}}),
            ({"site.lights": ["ordinary", "laser"]}, {"site": {"lights": ["ordinary", "laser"]}}),
            ({"site.tents": ["none"]}, {"site": {"tents": []}}),
            ({"site.tents.up": ["2027-06-14", ""], "site.tents.down": ["2027-06-22", ""]}, {"site": {"tents": [{"up": "2027-06-14", "down": "2027-06-22"}]}}),
            ({"yard_sale.days": ["2027-06-05\r\n2027-06-06"]}, {"yard_sale": {"days": ["2027-06-05", "2027-06-06"]}}),
            ({"premises.parcels": ["", LOT, LOT]}, {"premises": {"parcels": [LOT]}}),
        ],
    )  # fmt: skip
    def test_no_none_and_nothing_are_three_answers(self, fields, stated):
        assert answers_of(asked_of_applicant(load_profile("southampton")), fields) == stated


class TestCheck:
    def test_its_findings_are_the_commands(self, desk, town, root):
        event = root / "data" / "southampton" / "events" / "allowed.toml"
        asked = asked_of_applicant(load_profile("southampton"))
        found = send(desk, "/applications/check", **fields_of_answers(asked, data_of(event))).text
        said = json.loads(run("check", town, event, "--on", TODAY, "--json").stdout)
        shown = re.findall(r'<span class="tag (met|not_met|decide|remind)">[^<]*</span> <strong>', found)
        assert sorted(shown) == sorted(one["status"] for one in said["findings"])
        assert "0 of 3 permits issued in 2026" in found

    def test_values_that_cannot_be_are_named_at_their_fields(self, desk):
        found = send(
            desk,
            "/applications/check",
            **{**FILLED, "event.persons_at_once": "many", "event.ends": "2027-06-01", "site.tents.up": "2027-13-01"},
        ).text
        for field in ("event.persons_at_once", "site.tents.up-0"):
            assert f'<a href="#{field}">' in found
        found = send(desk, "/applications/check", **{**FILLED, "event.ends": "2027-06-01"}).text
        assert '<a href="#event.starts">' in found

    def test_half_a_form_is_no_mistake(self, desk):
        for fields in ({}, {"event.title": "x"}, {"event.starts": "2027-06-19"}, {"event.kind": "parade"}):
            answer = send(desk, "/applications/check", **fields)
            assert answer.status_code == 200
            assert "faults" not in answer.text

    def test_what_is_drawn_is_measured_against_the_setbacks(self, desk):
        drawn = json.dumps([{"what": "stage", "points": STAGE}, {"what": "parking", "points": [[x - 60, y] for x, y in STAGE]}])
        found = send(desk, "/applications/check", **FILLED, **{"premises.layout": drawn}).text
        assert re.search(r"<li>stage: .*ft", found)
        assert re.search(r"<li>parking: .*sq ft", found)

    @pytest.mark.parametrize("drawn", ["{", "[1]", '[{"what": "x"}]', '[{"what": "x", "points": [[1, 2]]}]', '[{"what": "x", "points": [[1, 2], [3, 4], ["a", 5]]}]',
                                       '[{"what": "x", "points": [[NaN, 2], [3, 4], [5, 6]]}]', "[" * 2_000, json.dumps([{"what": "x", "points": STAGE}] * 201)])  # fmt: skip
    def test_a_drawing_that_is_none_is_refused_in_words(self, desk, drawn):
        answer = send(desk, "/applications/check", **FILLED, **{"premises.layout": drawn})
        assert answer.status_code == 400
        assert "drawing" in answer.text
        filed = send(desk, "/applications/file", **FILLED, **{"premises.layout": drawn})
        assert filed.status_code == 400
        assert "Harvest fair" in filed.text, "what was typed is still there"


class TestFile:
    @pytest.fixture
    def desk(self, town, tmp_path):
        with desk_at(copied(town, tmp_path / "southampton")) as client:
            sit_down(client)
            yield client

    def filed(self, desk, number):
        with open_register_of(desk.desk.place) as register:
            return show_application(register, number)[0]

    def test_it_becomes_an_application_with_its_drawing_and_its_draft_is_gone(self, desk):
        drawn = json.dumps([{"what": "stage", "points": STAGE}])
        send(desk, "/applications/look", **FILLED)
        assert "Harvest fair" in desk.get("/applications/new").text
        answer = send(desk, "/applications/file", **FILLED, **{"premises.layout": drawn})
        assert answer.headers["location"] == "/application?number=A2026-0001&done=filed"
        assert "Harvest fair" not in desk.get("/applications/new").text.partition("Again, from")[0]
        filed = self.filed(desk, "A2026-0001")
        assert filed.event["event"]["persons_at_once"] == 1200
        assert filed.event["event"]["starts"] == "2027-06-19T14:00:00"
        said = json.loads(run("check", desk.desk.place, f"{filed.folder}/event.toml", "--on", TODAY, "--json").stdout)
        assert not [one for one in said["warnings"] if one["code"].startswith("layout")]
        again = desk.get("/applications/form", params={"number": "A2026-0001", "draft": "another-draft"}).text
        assert "&#34;what&#34;: &#34;stage&#34;" in again
        assert "1435350.0" in again

    def test_what_is_missing_is_told_and_nothing_typed_is_lost(self, desk):
        answer = send(desk, "/applications/file", **{"event.contact": "J. Moore"})
        assert answer.status_code == 400
        for field in ("event.title", "event.starts", "applicant.name", "premises.parcels"):
            assert f'<a href="#{field}">' in answer.text
        assert "J. Moore" in answer.text
        assert not (desk.desk.place.parent / "applications").exists()

    def test_a_lot_may_be_typed_by_its_number(self, desk):
        fields = {name: value for name, value in FILLED.items() if name != "premises.parcels"}
        answer = send(desk, "/applications/file", **fields, q="127-1-9")
        assert answer.status_code == 303
        assert self.filed(desk, "A2026-0001").event["premises"]["parcels"] == [LOT]
        assert "is found in" in send(desk, "/applications/file", **fields, q="great neck").text

    def test_a_parades_route_is_filed_and_its_streets_are_known(self, desk):
        route = json.dumps([{"what": "route", "points": [[1431500.0, 262800.0], [1433500.0, 262800.0]]}])
        fields = {**FILLED, "event.kind": "parade", "premises.parcels": "", "parade.route": route}
        assert send(desk, "/applications/file", **fields).status_code == 303
        filed = self.filed(desk, "A2026-0001")
        assert filed.event["parade"] == {"route": "route.gpkg"}
        assert desk.get("/application", params={"number": "A2026-0001"}).status_code == 200

    def test_what_was_filed_is_put_right_and_keeps_what_the_form_does_not_ask(self, desk, root):
        run(
            "application",
            "add",
            desk.desk.place,
            root / "data" / "southampton" / "events" / "allowed.toml",
            "--by",
            "Clerk",
            "--on",
            TODAY,
        )
        before = self.filed(desk, "A2026-0001")
        asked = asked_of_applicant(load_profile("southampton"))
        fields = {**fields_of_answers(asked, before.event), "event.persons_at_once": ["300"]}
        seen = re.search(r'name="seen" value="([^"]*)"', desk.get("/applications/form?number=A2026-0001&draft=put-right").text)[1]
        sent = {"number": "A2026-0001", "seen": seen, **fields}
        assert send(desk, "/applications/file", **sent).headers["location"].endswith("done=receive")
        assert "was changed since this form was begun" in send(desk, "/applications/file", **sent).text
        after = self.filed(desk, "A2026-0001")
        assert after.event["event"]["persons_at_once"] == 300
        assert after.event["site"]["parking_spaces"] == 110
        assert (after.received, after.complete) == (before.received, before.complete)

    def test_markup_stays_words(self, desk):
        for text in PAYLOADS:
            fields = {**FILLED, "event.title": text, "applicant.name": text, "event.contact": text}
            place = send(
                desk, "/applications/file", **fields, **{"premises.layout": json.dumps([{"what": text, "points": STAGE}])}
            ).headers["location"]
            number = re.search(r"A2026-\d+", place)[0]
            for path in (place, "/applications", "/applications/new", f"/applications/form?number={number}&draft=draft-{number}"):
                page = desk.get(path).text
                assert "<img" not in page
                assert "<svg" not in page
                assert "window.pwned=1</script>" not in page

    @pytest.mark.parametrize("path", ["/applications/check", "/applications/file", "/applications/look"])
    def test_without_its_token_it_is_refused(self, desk, path):
        assert desk.post(path, data=FILLED).status_code == 403

    @pytest.mark.parametrize("draft", ["../../town", "x", "a" * 50, "%00"])
    def test_a_drafts_name_is_no_path(self, desk, draft):
        assert desk.get("/applications/form", params={"draft": draft}).status_code == 400
