"""A permit without an application: as the command line issues it, looked at first, written once, and refused in words."""

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from desk_toys import PREMISES, TODAY, copied, desk_at, sit_down, token_of, words_of
from program import run

from geonotice.register.json_values import permit_json
from geonotice.register.permits import list_permits
from geonotice.register.session import open_register_of

FREE = "0900-123.00-02.00-009.000"
"""A lot of the demonstration town without a permit."""


@pytest.fixture
def desk(southampton, tmp_path):
    with desk_at(copied(southampton, tmp_path / "southampton")) as client:
        sit_down(client)
        yield client


def begun(desk):
    """Return the name of a form that is begun."""
    there = desk.get("/permits/issue").headers["location"]
    return parse_qs(urlsplit(there).query)["draft"][0]


def send(desk, draft, *, files=None, **fields):
    given = {"token": token_of(desk.get("/who").text), **fields, "draft": draft}
    return desk.post("/permits/issue", data=given, files=files)


def confirmed(page):
    """Return the fields of the form that issues what was looked at."""
    part = page.partition('name="confirmed"')[2].partition("</form>")[0]
    found = re.findall(r'name="([^"]+)" value="([^"]*)"', part)
    return {name: unescape(value) for name, value in found if name != "draft"}


def permits_of(place):
    with open_register_of(place) as register:
        return list_permits(register)


def lot_of(place):
    """Return a lot of the town on which no permit was ever issued."""
    taken = {number for one in permits_of(place) for number in one.parcels}
    return next(number for number in (PREMISES, FREE) if number not in taken)


class TestIssuing:
    def test_it_is_the_permit_that_the_command_line_issues(self, desk, southampton, tmp_path):
        lot = lot_of(desk.desk.place)
        other = copied(southampton, tmp_path / "other")
        asked = {
            "parcels": lot, "kind": "festival", "title": "A fair", "starts": "2027-06-05", "ends": "2027-06-06", "night": "no",
            "hours": "10:00-16:00", "applicant": "The Grange", "charity": "yes", "persons": "300", "maximum_attendance": "280",
            "conditions": "No drums.",
        }  # fmt: skip
        draft = begun(desk)
        looked = send(desk, draft, **asked)
        assert looked.status_code == 200, words_of(looked.text)
        assert "Check this before the permit is issued" in looked.text
        assert not [one for one in permits_of(desk.desk.place) if one.title == "A fair"]
        answer = send(desk, draft, confirmed="yes", **confirmed(looked.text))
        assert answer.status_code == 303, words_of(answer.text)
        assert "is issued" in words_of(desk.get(answer.headers["location"]).text)
        done = run(
            "permit", "issue", other, lot, "--kind", "festival", "--title", "A fair", "--starts", "2027-06-05", "--ends", "2027-06-06",
            "--night", "no", "--hours", "10:00-16:00", "--applicant", "The Grange", "--charity", "--persons", "300",
            "--maximum-attendance", "280", "--conditions", "No drums.", "--by", "R. Clerk", "--on", TODAY,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        here, there = (
            next(permit_json(one) for one in permits_of(place) if one.title == "A fair") for place in (desk.desk.place, other)
        )
        assert here == there

    def test_what_is_missing_is_named_at_its_fields_all_at_once(self, desk):
        answer = send(desk, begun(desk), parcels="", hours="soon", distinct_events="1")
        assert answer.status_code == 400
        assert set(re.findall(r'<a href="#([a-z_]+)">', answer.text)) >= {"starts", "parcels", "applicant", "hours"}

    def test_sent_twice_it_is_issued_once(self, desk):
        lot, before = lot_of(desk.desk.place), len(permits_of(desk.desk.place))
        draft = begun(desk)
        looked = send(desk, draft, parcels=lot, starts="2027-06-05", applicant="The Grange", night="no", persons="40")
        fields = confirmed(looked.text)
        with ThreadPoolExecutor(2) as pool:
            answers = [one.result() for one in [pool.submit(send, desk, draft, confirmed="yes", **fields) for _ in range(2)]]
        assert [one.status_code for one in answers] == [303, 303]
        assert answers[0].headers["location"] == answers[1].headers["location"]
        assert len(permits_of(desk.desk.place)) == before + 1

    def test_the_next_one_past_the_cap_is_refused_and_passed_over_with_a_reason_alone(self, desk):
        lot = lot_of(desk.desk.place)
        fields = {"parcels": lot, "applicant": "The Grange", "night": "no", "persons": "40"}
        for day in range(5, 15):
            draft = begun(desk)
            looked = send(desk, draft, starts=f"2027-06-{day:02d}", **fields)
            if "It may not be issued" in looked.text:
                break
            assert send(desk, draft, confirmed="yes", **confirmed(looked.text)).status_code == 303
        assert 'name="confirmed"' not in looked.text
        looked = send(desk, draft, starts=f"2027-06-{day:02d}", override="Resolution 12", **fields)
        answer = send(desk, draft, confirmed="yes", **confirmed(looked.text))
        assert answer.status_code == 303, words_of(answer.text)
        assert "Resolution 12" in desk.get(answer.headers["location"]).text

    def test_what_stands_against_it_since_it_was_looked_at_is_shown_and_nothing_is_written(self, desk):
        lot = lot_of(desk.desk.place)
        fields = {"parcels": lot, "applicant": "The Grange", "night": "no", "persons": "40", "starts": "2027-06-05"}
        first = begun(desk)
        looked = send(desk, first, **fields)
        for day in (10, 20):
            run(
                "permit", "issue", desk.desk.place, lot, "--starts", f"2027-07-{day}", "--night", "no", "--persons", "40", "--by", "C.", "--on", TODAY,
            )  # fmt: skip
        before = len(permits_of(desk.desk.place))
        answer = send(desk, first, confirmed="yes", **confirmed(looked.text))
        assert answer.status_code == 400
        assert "is not what you looked at" in words_of(answer.text)
        assert len(permits_of(desk.desk.place)) == before

    def test_an_event_file_states_the_event_and_the_whole_ordinance_is_checked(self, desk, root):
        event = root / "data" / "southampton" / "events" / "allowed.toml"
        draft = begun(desk)
        answer = send(desk, draft, files={"file": ("event.toml", event.read_bytes())}, distinct_events="1")
        assert "The event file event.toml states the event" in words_of(answer.text)
        assert "Would change it" in answer.text or "findings" in answer.text
        wrong = send(desk, draft, files={"file": ("event.toml", b"[event]\nstarts = 7\n")})
        assert wrong.status_code == 400
        assert str(desk.desk.place.parent) not in wrong.text

    @pytest.mark.parametrize("layout", ["/etc/passwd", "../../town.toml", "layout.gpkg"])
    def test_a_drawing_that_an_event_file_names_is_never_opened(self, desk, layout):
        content = f'[event]\nkind = "party"\nstarts = 2027-06-05\n[premises]\nparcels = ["{PREMISES}"]\nlayout = "{layout}"\n'
        answer = send(desk, begun(desk), files={"file": ("event.toml", content.encode())}, applicant="The Grange")
        assert answer.status_code == 400
        assert f"names a drawing that is not handed in with it: {layout}" in words_of(answer.text)

    def test_a_form_under_a_name_that_none_has_issues_nothing(self, desk):
        before = len(permits_of(desk.desk.place))
        fields = {
            "parcels": lot_of(desk.desk.place),
            "starts": "2027-06-05",
            "applicant": "The Grange",
            "night": "no",
            "persons": "40",
        }
        seen = confirmed(send(desk, begun(desk), **fields).text)
        for draft in ("", "../../../etc"):
            assert send(desk, draft, confirmed="yes", **seen).status_code == 400
        assert len(permits_of(desk.desk.place)) == before

    def test_a_parcel_is_added_from_the_answers_of_a_search(self, desk):
        answer = send(desk, begun(desk), parcels="1", applicant="<b>Grange", pick=PREMISES)
        assert f"1\n{PREMISES}</textarea>" in answer.text
        assert "&lt;b&gt;Grange" in answer.text


def test_a_form_that_is_not_finished_is_found_again(desk):
    draft = begun(desk)
    kept = {"draft_kind": "permit", "draft_id": draft, "draft_title": "A fair", "parcels": PREMISES, "title": "A fair"}
    token = token_of(desk.get("/who").text)
    assert desk.post("/drafts", data={"token": token, **kept}).json()["saved"]
    assert 'value="A fair"' in desk.get("/permits/issue", params={"draft": draft}).text
    assert f"draft={draft}" in desk.get("/permits/issue", params={"draft": begun(desk)}).text
