"""What a notice at the desk is made from besides parcels: the event, from the register, a file or typed; interested persons; a second place."""

import json
import re
from typing import ClassVar

import pytest
from browsing import PAYLOADS
from desk_toys import HOME, PREMISES, TODAY, copied, desk_at, packet_form, packet_made, sit_down, token_of, words_of
from profile_toys import PERMIT, rule, text_of, town_of
from program import run, run_here

EVENT = f"""
[event]
title = "Harvest concert"
kind = "music_festival"
starts = 2027-02-13T14:00:00
ends = 2027-02-13T22:30:00
persons_at_once = 800
contact = "A. Roe, 555 0100"

[premises]
parcels = ["{PREMISES}"]

[applicant]
name = "Bay Concerts Inc"

[denial]
hearing = 2027-01-12
"""
TYPED = {
    "event": "2027-02-13", "event_title": "Harvest concert", "event_kind": "music_festival", "event_from": "14:00", "event_until": "22:30",
    "event_persons": "800", "event_applicant": "Bay Concerts Inc", "event_contact": "A. Roe, 555 0100",
}  # fmt: skip
ASKED = {"parcel": PREMISES, "for": "appeal", "hearing": "2027-01-12"}
PERSONS = "name,address,city,state,zip,why\nAnn Roe,2 Elm St,Sandmere,NY,11899,wrote on May 3\n"


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    return copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")


@pytest.fixture
def desk(town):
    with desk_at(town) as client:
        sit_down(client)
        yield client


def hand_in(desk, given, **files):
    token = token_of(desk.get("/who").text)
    return desk.post("/notice/file", data={**given, "token": token}, files=files)


class TestEvent:
    def test_a_file_and_a_table_make_the_packet_that_the_command_makes(self, desk, town, tmp_path):
        (tmp_path / "event.toml").write_text(EVENT, encoding="utf-8")
        (tmp_path / "persons.csv").write_text(PERSONS, encoding="utf-8")
        files = {"event_file": ("event.toml", EVENT.encode()), "also": ("persons.csv", PERSONS.encode())}
        link = hand_in(desk, {"for": "appeal"}, **files).headers["location"]
        page = words_of(desk.get(link).text)
        assert "Harvest concert, music festival" in page
        assert "As the event file names it." in page
        more = {
            "hearing_time": ["6:30 p.m."],
            "envelopes": ["yes"],
            "sort": ["zip"],
            "sheet": ["5161"],
            "start_at": ["3"],
            "nudge_x": ["0.05"],
            "nudge_y": ["-.1"],
        }
        _, done = packet_made(desk, packet_form(desk, link) | more)
        assert "The packet is made" in done
        out = tmp_path / "packet"
        run(
            "notice", town, "--for", "appeal", "--event", tmp_path / "event.toml", "--also", tmp_path / "persons.csv", "--on", TODAY, "--out", out,
            "--hearing-time", "6:30 p.m.", "--envelopes", "--sort", "zip", "--sheet", "5161", "--start-at", "3", "--nudge-x", "0.05",
            "--nudge-y", "-0.1", "--by", "R. Clerk",
        )  # fmt: skip
        made = town / "packets" / f"2026-11-30-appeal-{PREMISES}"
        names = sorted(file.name for file in out.iterdir())
        assert sorted(file.name for file in made.iterdir()) == names
        assert "envelopes.pdf" in names
        for name in ("record.json", "notice-text.txt", "labels.pdf", "letters.pdf", "envelopes.pdf"):
            assert (made / name).read_bytes() == (out / name).read_bytes(), name
        text = (made / "notice-text.txt").read_text(encoding="utf-8")
        assert "Harvest concert" in text
        assert "6:30 p.m." in text

    def test_what_is_typed_is_the_event_of_a_file_that_says_the_same(self, desk):
        of_file = hand_in(desk, {"for": "appeal"}, event_file=("event.toml", EVENT.encode())).headers["location"]
        typed = packet_form(desk, str(desk.build_request("GET", "/notice", params=ASKED | TYPED).url).removeprefix(HOME))
        assert typed["seen"] == packet_form(desk, of_file)["seen"]

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"event_from": "14:00"}, "event"),
            ({"event": "2027-02-13", "event_last": "2027-02-12"}, "event_last"),
            ({"event": "2027-02-13", "event_from": "14:00", "event_until": "12:00"}, "event_last"),
            ({"event": "2027-02-13", "event_from": "noon"}, "event"),
            ({"event": "2027-02-13", "event_persons": "many"}, "event_persons"),
            ({"event": "2027-02-13", "event_kind": "ball"}, "event_kind"),
            ({"event": "2027-02-13", "event_last": "tomorrow"}, "event_last"),
        ],
    )
    def test_what_cannot_be_meant_is_told_with_a_link_to_its_field(self, desk, given, field):
        answer = desk.get("/notice", params=ASKED | given)
        assert answer.status_code == 400
        assert f'<a href="#{field}">' in answer.text
        assert f'id="{field}"' in answer.text

    def test_the_day_of_filing_may_be_typed_and_an_application_has_it(self, desk, town, tmp_path):
        """283-2B: 90 days before February 13, 2027 is Sunday, November 15, 2026."""
        asked = ASKED | {"event": "2027-02-13"}
        assert "file the complete application" in words_of(desk.get("/notice", params=asked).text)
        assert "(past)" in desk.get("/notice", params=asked).text
        typed = words_of(desk.get("/notice", params=asked | {"event_filed": "2026-11-02"}).text)
        assert "(met)" in typed
        assert "filed on Monday, November 2, 2026, in time, 13 days before the last day" in typed
        assert "16 days late" not in typed
        wrong = desk.get("/notice", params=asked | {"event_filed": "soon"})
        assert (wrong.status_code, '<a href="#event_filed">' in wrong.text) == (400, True)
        (tmp_path / "event.toml").write_text(EVENT.replace("contact", "filed = 2026-11-16\ncontact"), encoding="utf-8")
        made = run_here("application", "add", town, tmp_path / "event.toml", "--by", "A", "--on", TODAY, "--json").stdout
        number = json.loads(made)["number"]
        page = words_of(desk.get("/notice", params={"for": "appeal", "application": number}).text)
        assert "(late)" in page
        assert "filed on Monday, November 16, 2026, 1 day late" in page
        twice = desk.get("/notice", params={"for": "appeal", "application": number, "event_filed": "2026-11-01"})
        assert '<a href="#event_filed">' in twice.text

    def test_an_application_of_the_register_names_premises_and_days(self, desk, town, tmp_path):
        (tmp_path / "event.toml").write_text(EVENT, encoding="utf-8")
        number = json.loads(run_here("application", "add", town, tmp_path / "event.toml", "--by", "A", "--json").stdout)["number"]
        assert f'value="{number}"' in desk.get("/notice").text
        asked = {"for": "appeal", "application": number, "event_was": "", "event": "2027-05-05", "event_title": "another"}
        link = desk.get("/notice", params=asked).headers.get("location") or pytest.fail("the application is not taken")
        page = words_of(desk.get(link).text)
        assert "January 12, 2027" in page, "the day of the hearing is the application's"
        assert "As the application names it." in page
        assert "Bay Concerts Inc" in page
        other = desk.get("/notice", params={"for": "appeal", "application": number, "parcel": "0900-123.00-01.00-001.000"})
        assert other.status_code == 400
        assert "the event file names" in words_of(other.text)
        day = desk.get("/notice", params={"for": "appeal", "application": number, "hearing": "2027-01-13"})
        assert '<a href="#hearing">' in day.text
        assert "by this form" in words_of(day.text)
        assert desk.get("/notice", params={"for": "appeal", "application": "A1999-0001"}).status_code == 400

    @pytest.mark.parametrize("content", [b"", b"[event", b"\xff\xfe\x00", b'[event]\nkind = "ball"\n', b"x" * 100_000])
    def test_a_file_that_is_none_is_refused_in_words_and_nothing_is_lost(self, desk, content):
        answer = hand_in(desk, ASKED, event_file=("event.toml", content))
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert PREMISES in answer.text

    def test_markup_in_a_file_and_its_name_stays_words(self, desk):
        title = json.dumps(PAYLOADS[0])
        event = f"[event]\ntitle = {title}\nstarts = 2027-02-13\n".encode()
        link = hand_in(desk, ASKED, event_file=("<img src=x onerror=alert(1)>.toml", event)).headers["location"]
        page = desk.get(link).text
        assert PAYLOADS[0] not in page
        assert "<img" not in page

    def test_a_file_that_is_gone_is_told(self, desk):
        answer = desk.get("/notice", params={"for": "appeal", "event_file": "0" * 32})
        assert "not there any more" in words_of(answer.text)

    @pytest.mark.parametrize(
        "choice",
        [
            {"sheet": "9999"},
            {"sort": "mood"},
            {"exhibit": "a3"},
            {"start_at": "-1"},
            {"start_at": "x"},
            {"nudge_x": "far"},
            {"nudge_y": "nan"},
            {"nudge_x": "1e9"},
            {"nudge_y": "9"},
            {"nudge_x": "0.5"},
            {"start_at": "31"},
            {"start_at": "0"},
            {"start_at": "21", "sheet": "5161"},
        ],
    )
    def test_a_way_of_printing_that_is_not_offered_makes_nothing(self, desk, choice):
        answer = desk.post("/notice/packet", data=packet_form(desk) | choice)
        assert answer.status_code == 400
        field = next(iter(choice))
        assert f'<a href="#{field if field not in {"sort", "exhibit"} else "printing"}">' in answer.text
        assert '<details class="screen" id="printing" open>' in answer.text

    def test_all_that_is_wrong_with_the_printing_is_told_at_once_and_stays_typed(self, desk):
        choice = {"sheet": "5163", "start_at": "11", "nudge_x": "0.5", "nudge_y": "-0.3", "sort": "zip", "envelopes": "yes"}
        answer = desk.post("/notice/packet", data=packet_form(desk) | choice | {"seen": "another"})
        page = words_of(answer.text)
        assert "there is no label 11 on a sheet of 5163" in page
        assert "to move labels right by 0.5 in takes the text off its label" in page
        assert "to move labels down by -0.3 in takes the text off its label" in page
        for field in ("start_at", "nudge_x", "nudge_y"):
            assert f'<a href="#{field}">' in answer.text
            assert re.search(rf'id="{field}" name="{field}" value="{re.escape(choice[field])}"', answer.text)
        for kept in ('value="5163" selected', 'value="zip" selected', 'name="envelopes" value="yes" checked'):
            assert kept in answer.text
        assert "the list is not the one that you looked at" in page
        assert "--" not in words_of(answer.text.partition('id="faults"')[2].partition("</section>")[0])  # no option is named


class TestOthers:
    def test_a_person_is_added_to_those_that_are_there(self, desk):
        link = hand_in(desk, ASKED, also=("persons.csv", PERSONS.encode())).headers["location"]
        fields = packet_form(desk, link) | {
            "person_name": "Bob Poe", "person_address": "3 Oak St", "person_city": "Sandmere", "person_state": "NY", "person_zip": "11899",
            "person_why": "asked", "person_mail": "certified",
        }  # fmt: skip
        link = desk.post("/notice/person", data=fields).headers["location"]
        page = words_of(desk.get(link).text)
        assert "Ann Roe, 2 Elm St" in page
        assert "Bob Poe, 3 Oak St" in page

    @pytest.mark.parametrize(
        ("name", "zip_", "said"),
        [("", "11899", "name is empty"), ("Bob", "1189", "not a ZIP code"), ("=1+1", "11899", "formula")],
    )
    def test_a_person_to_whom_no_letter_could_go_is_refused_and_stays_typed(self, desk, name, zip_, said):
        given = {
            "person_name": name,
            "person_address": "3 Oak St",
            "person_city": "Sandmere",
            "person_state": "NY",
            "person_zip": zip_,
        }
        answer = desk.post("/notice/person", data=packet_form(desk) | given)
        assert answer.status_code == 400
        assert said in words_of(answer.text)
        assert 'value="3 Oak St"' in answer.text


class TestSecondPlace:
    ROW: ClassVar = {f"1-{n}": (n * 100, 0, n * 100 + 100, 100) for n in range(12)}
    PLACE = b'{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:2263"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1240950,250050]}}]}'

    def test_it_is_measured_from_where_the_law_says_so(self, tmp_path):
        table = '[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\ndistance_ft = 150.0\naround = true\n'
        town = town_of(tmp_path, text_of(PERMIT, rule("near", "distance_notice", tables=table)), self.ROW)
        with desk_at(town) as desk:
            asked = {"parcel": "1-0", "for": "hearing", "hearing": "2027-01-12"}
            assert 'id="around-file"' in desk.get("/notice", params=asked).text
            assert 'data-parcel="1-9"' not in desk.get("/notice", params=asked).text
            link = hand_in(desk, asked, around=("parking.geojson", self.PLACE)).headers["location"]
            assert 'data-parcel="1-9"' in desk.get(link).text
            assert hand_in(desk, asked, around=("parking.geojson", b"{}")).status_code == 400

    def test_elsewhere_it_is_not_asked_for(self, desk):
        assert 'id="around-file"' not in desk.get("/notice").text


def test_a_form_that_is_not_finished_is_offered_and_forgotten_with_its_packet(desk):
    headers = {"x-desk-token": token_of(desk.get("/who").text)}
    sent = {
        "draft_kind": "notice",
        "draft_id": "a-draft-1",
        "draft_title": "Concert <b>",
        "parcel": PREMISES,
        "for": "appeal",
        "hearing": "2027-01-12",
    }
    assert desk.post("/drafts", data=sent, headers=headers).json()["saved"]
    page = desk.get("/notice").text
    assert "Concert &lt;b&gt;" in page
    link = f"/notice?parcel={PREMISES}&for=appeal&hearing=2027-01-12&draft=a-draft-1"
    assert link.replace("&", "&amp;") in page
    packet_made(desk, packet_form(desk, link))
    assert "Concert &lt;b&gt;" not in desk.get("/notice").text


class TestDayOfTheHearing:
    def test_a_list_without_it_says_what_is_missing_above_the_packet(self, desk):
        page = words_of(desk.get("/notice", params={"for": "appeal", "parcel": PREMISES}).text)
        assert "The day of the hearing is not stated" in page
        assert "the letters would have a blank for it" in page

    def test_a_list_with_it_does_not(self, desk):
        page = words_of(desk.get("/notice", params={"for": "appeal", "parcel": PREMISES, "hearing": "2027-01-12"}).text)
        assert "is not stated" not in page


def test_the_answers_are_shown_again_where_what_was_typed_means_several(desk):
    page = desk.get("/notice", params={"q": "Montauk"}).text
    assert "is found in" in page
    assert 'hx-trigger="input changed delay:180ms, load"' in page
    assert "load" not in re.search(r'hx-get="/search\?pick=yes" hx-trigger="([^"]*)"', desk.get("/notice").text)[1]


def test_the_parcels_of_a_warning_can_all_be_opened(italy, tmp_path):
    with desk_at(copied(italy, tmp_path / "italy")) as desk:
        page = desk.get("/notice", params={"for": "hearing", "parcel": "52.11-2-49", "hearing": "2027-01-12"}).text
    many = re.search(r"<details><summary><small>([^<]*) and (\d+) more</small></summary><small class=\"row\">(.*?)</small>", page)
    assert many
    assert many[3].count("/property?") == int(many[2]) + len(many[1].split(", "))
