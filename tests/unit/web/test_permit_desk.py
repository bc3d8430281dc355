"""The permit desk: from an application to its permit and back, what is looked at before it is written, and what is refused in words."""

import json
import re
import sqlite3
from datetime import UTC, date, datetime
from html import unescape

import pytest
from browsing import PAYLOADS
from desk_toys import TODAY, copied, desk_at, sit_down, token_of
from program import run

from geonotice.register.applications import show_application, state_of_application
from geonotice.register.json_values import entry_json, permit_json
from geonotice.register.permits import show
from geonotice.register.session import open_register_of, open_town_register
from geonotice.register.verify_log import verify_log
from geonotice.workflow.application import Options
from geonotice.workflow.permit_request import Issuing, PermitRequestOptions, read_request
from geonotice.workflow.permits import issue_permit

ALLOWED, REFUSED = "A2026-0001", "A2026-0002"


@pytest.fixture(scope="module")
def filed(southampton, root, tmp_path_factory):
    """Return the demonstration town with two applications: one that meets every rule, one that meets few."""
    town = copied(southampton, tmp_path_factory.mktemp("desk") / "southampton")
    for name in ("allowed", "refused"):
        event = root / "data" / "southampton" / "events" / f"{name}.toml"
        run("application", "add", town, event, "--by", "Town Clerk", "--on", TODAY)
    return town


@pytest.fixture
def desk(filed, tmp_path):
    with desk_at(copied(filed, tmp_path / "southampton")) as client:
        sit_down(client)
        yield client


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def send(desk, path, number, *, files=None, **fields):
    token = token_of(desk.get("/who").text)
    return desk.post(path, data={"token": token, "number": number, **fields}, files=files)


def permit_of(desk, number):
    """Return a permit as the register has it, with its rows of the log."""
    with open_register_of(desk.desk.place) as register:
        permit, log = show(register, number)
    return {**permit_json(permit), "log": [entry_json(entry) for entry in log]}


def application_of(desk, number):
    with open_register_of(desk.desk.place) as register:
        found, log = show_application(register, number)
    return {**json.loads(state_of_application(found)), "log": [entry_json(entry) for entry in log]}


def log_is_sound(desk):
    with open_register_of(desk.desk.place, examined=False) as register:
        return verify_log(register).sound


def sign_all(desk, number=ALLOWED):
    page = desk.get("/application", params={"number": number}).text
    for official in re.findall(r"<option value=\"([^\"]+)\"", page.partition('id="official"')[2].partition("</select>")[0]):
        assert (
            send(desk, "/application/sign-off", number, official=official, word="approves", signed_by="Lt. Hale").status_code
            == 303
        )


def seen_of(page):
    """Return what a page that was looked at hands on, so that nothing else is written than what it showed."""
    found = re.search(r'name="seen" value="([^"]*)"', page)
    return found[1] if found else ""


def confirm(desk, number, **fields):
    """Look at a permit before it is issued, and issue it."""
    looked = send(desk, "/application/issue", number, **fields).text
    return send(desk, "/application/issue", number, confirmed="yes", seen=seen_of(looked), **fields)


def issue(desk, number=ALLOWED, **more):
    sign_all(desk, number)
    return confirm(desk, number, maximum_attendance="240", **more)


class TestLists:
    def test_applications_come_by_their_next_day(self, desk):
        page = desk.get("/applications").text
        # The one that nobody found complete is due a week after it was filed; the other must be decided in January.
        assert re.findall(r"number=(A2026-\d+)", page) == [REFUSED, ALLOWED]
        assert "in 0 days" not in page

    def test_permits_are_filtered_as_the_command_filters_them(self, desk):
        place = desk.desk.place
        for asked, options in (
            ({"from": "2026-07-01", "to": "2026-08-31"}, ("--from", "2026-07-01", "--to", "2026-08-31")),
            (
                {"year": "2026", "district": "R-40", "status": "issued"},
                ("--year", "2026", "--district", "R-40", "--status", "issued"),
            ),
            ({"year": "2026", "year_by": "event"}, ("--year", "2026", "--year-by", "event")),
        ):
            listed = json.loads(run("permit", "list", place, *options, "--json").stdout)["permits"]
            page = desk.get("/permits", params=asked).text
            assert re.findall(r'<th scope="row"><a href="/permit\?number=([^"]+)"', page) == [one["number"] for one in listed]

    def test_a_year_says_by_which_day_and_each_permit_its_day_of_issue(self, desk):
        page = desk.get("/permits", params={"year": "2026"}).text
        assert "Permits of 2026 as the caps count them: in a residential district by the day of issue" in page
        assert "SE-2025-044" not in page
        assert ">Issued</th>" in page
        page = desk.get("/permits", params={"year": "2026", "year_by": "event"}).text
        assert "Permits with an event in 2026." in page
        assert "December 18, 2025" in page.partition("SE-2025-044</a>")[2].partition("</tr>")[0]
        assert desk.get("/permits", params={"year": "2026", "year_by": "moon"}).status_code == 400

    def test_a_way_of_counting_years_without_a_year_is_refused(self, desk):
        period = {"year": "", "from": "2026-07-01"}
        answer = desk.get("/permits", params=period | {"year_by": "event"})
        assert answer.status_code == 400
        assert '<a href="#year_by">“with an event in the year” says by which day' in answer.text
        assert desk.get("/permits/file", params=period | {"year_by": "event", "format": "csv"}).status_code == 400
        # What the form sends where nobody has touched it, and the year that is meant where nothing is asked.
        assert desk.get("/permits", params=period | {"year_by": "cap"}).status_code == 200
        assert "Permits with an event in 2026." in desk.get("/permits", params={"year": "", "year_by": "event"}).text

    def test_a_day_that_is_none_is_told_at_its_field(self, desk):
        answer = desk.get("/permits", params={"from": "soon", "year": "1"})
        assert answer.status_code == 400
        assert '<a href="#from">' in answer.text

    def test_a_list_is_taken_along_as_a_file(self, desk):
        answer = desk.get("/permits/file", params={"year": "2026", "format": "csv"})
        assert answer.headers["content-disposition"] == 'attachment; filename="permits.csv"'
        assert answer.content.startswith(b"\xef\xbb\xbfnumber,")
        assert desk.get("/permits/file", params={"format": "../x"}).status_code == 400

    def test_the_public_calendar_names_nobody(self, desk):
        applicants = {one["applicant"] for one in json.loads(run("permit", "list", desk.desk.place, "--json").stdout)["permits"]}
        staff, public = (desk.get("/calendar.ics", params={"public": asked}).text for asked in ("", "yes"))
        named = [name for name in applicants if name and name.partition(" ")[0] in staff]
        assert named
        assert not [name for name in named if name in public]

    def test_a_month_has_every_event_that_is_on(self, desk):
        listed = json.loads(
            run(
                "permit", "list", desk.desk.place, "--from", "2026-07-01", "--to", "2026-07-31", "--status", "issued", "--json"
            ).stdout
        )
        page = desk.get("/calendar", params={"month": "2026-07"}).text
        assert {one["number"] for one in listed["permits"]} == set(re.findall(r"/permit\?number=([^\"]+)", page))
        assert desk.get("/calendar", params={"month": "2026-13"}).status_code == 400
        assert desk.get("/calendar", params={"week": "2026-07-04"}).status_code == 200

    def test_the_lots_at_the_cap_are_the_commands(self, desk):
        found = json.loads(run("permit", "list", desk.desk.place, "--at-cap", "--year", "2026", "--on", TODAY, "--json").stdout)
        page = desk.get("/at-cap", params={"year": "2026"}).text
        assert re.findall(r'<th scope="row"><a href="/property\?parcel=([^"]+)"', page) == [
            one["parcel"] for one in found["lots"]
        ]

    def test_the_log_is_verified_and_tells_of_tampering(self, desk):
        assert "without a gap" in desk.get("/log", params={"verify": "yes"}).text
        file = desk.desk.place.parent / "permits.sqlite"
        with sqlite3.connect(file) as register:
            register.execute("UPDATE permits SET persons = 7 WHERE id = 1")
        register.close()
        assert "Something is wrong" in desk.get("/log", params={"verify": "yes"}).text

    def test_a_backup_is_the_register_and_asks_for_a_name(self, desk, tmp_path):
        answer = send(desk, "/backup", "")
        copy = tmp_path / "copy" / "permits.sqlite"
        copy.parent.mkdir()
        copy.write_bytes(answer.content)
        with sqlite3.connect(copy) as register:
            assert register.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert register.execute("SELECT count(*) FROM applications").fetchone() == (2,)
        register.close()


class TestApplication:
    def test_it_is_signed_off_issued_and_stands_in_the_log(self, desk):
        assert "not signed off by" in words_of(desk.get("/application", params={"number": ALLOWED}).text)
        looked = send(desk, "/application/issue", ALLOWED, maximum_attendance="240")
        assert "It may not be issued" in looked.text
        sign_all(desk)
        looked = send(desk, "/application/issue", ALLOWED, maximum_attendance="240", conditions="No amplified sound after 9 p.m.")
        assert "Check this before the permit is issued" in looked.text
        assert "No amplified sound" in looked.text
        answer = confirm(
            desk,
            ALLOWED,
            maximum_attendance="240",
            conditions="No amplified sound after 9 p.m.",
        )
        assert answer.headers["location"] == "/permit?number=SE-2026-023&done=issued"
        done = desk.get(answer.headers["location"]).text
        assert "Permit SE-2026-023 is issued" in words_of(done)
        stored = permit_of(desk, "SE-2026-023")
        assert stored["conditions"] == "No amplified sound after 9 p.m."
        assert stored["log"][-1]["by"] == "R. Clerk"
        application = application_of(desk, ALLOWED)
        assert application["status"] == "approved"
        assert {one["by"] for one in application["sign_offs"]} == {"Lt. Hale"}
        assert log_is_sound(desk)

    def test_a_form_that_is_sent_twice_issues_once(self, desk):
        assert issue(desk).status_code == 303
        again = confirm(desk, ALLOWED)
        assert again.headers["location"].startswith("/application?")
        assert desk.get("/permit", params={"number": "SE-2026-024"}).status_code == 400

    def test_an_official_who_does_not_approve_says_why_and_stands_against_it(self, desk):
        answer = send(desk, "/application/sign-off", ALLOWED, official="Chief of Police", word="refuses")
        assert answer.status_code == 400
        assert '<a href="#note">' in answer.text
        assert (
            send(
                desk, "/application/sign-off", ALLOWED, official="Chief of Police", word="refuses", note="no officers that day"
            ).status_code
            == 303
        )
        page = desk.get("/application", params={"number": ALLOWED}).text
        assert "not approved by: Chief of Police (no officers that day)" in words_of(page)
        assert confirm(desk, ALLOWED).status_code == 400
        assert (
            send(
                desk, "/application/sign-off", ALLOWED, official="Chief of Police", word="withdrawn", note="another day was meant"
            ).status_code
            == 303
        )
        stored = application_of(desk, ALLOWED)
        assert stored["sign_offs"] == []
        assert [one["action"] for one in stored["log"]][-2:] == ["application_not_signed_off", "application_sign_off_withdrawn"]

    def test_an_officials_reason_passes_over_what_stands_against_it(self, desk):
        answer = confirm(desk, REFUSED, override="Resolution 2026-118")
        page = desk.get(answer.headers["location"]).text
        assert "Resolution 2026-118" in page
        assert "Passed over" in page

    def test_what_was_changed_since_it_was_looked_at_is_not_issued(self, desk):
        sign_all(desk)
        looked = send(desk, "/application/issue", ALLOWED, maximum_attendance="240").text
        assert send(desk, "/application/receive", ALLOWED, contact="another person").status_code == 303
        answer = send(desk, "/application/issue", ALLOWED, confirmed="yes", seen=seen_of(looked), maximum_attendance="240")
        assert answer.status_code == 400
        assert "was changed since you looked at it" in answer.text
        assert application_of(desk, ALLOWED)["status"] == "open"

    def test_it_is_denied_with_reasons_printed_and_opened_again(self, desk):
        assert send(desk, "/application/decide", REFUSED, to="denied", reasons="").status_code == 400
        assert (
            send(desk, "/application/decide", REFUSED, to="denied", reasons="No insurance\nToo many persons").status_code == 303
        )
        page = words_of(desk.get("/application", params={"number": REFUSED}).text)
        assert "No insurance Too many persons" in page
        paper = desk.get("/application/paper", params={"number": REFUSED, "paper": "denial"})
        assert paper.content.startswith(b"%PDF")
        assert (
            send(desk, "/application/decide", REFUSED, to="reopen", reasons="the policy was filed after all").status_code == 303
        )
        stored = application_of(desk, REFUSED)
        assert (stored["status"], stored["reasons"]) == ("open", [])
        assert [one["action"] for one in stored["log"]][-2:] == ["application_deny", "application_reopen"]
        assert log_is_sound(desk)

    def test_what_came_in_is_noted(self, desk):
        assert send(desk, "/application/receive", REFUSED, complete="2026-11-27", fee="$150").status_code == 303
        stored = application_of(desk, REFUSED)
        assert (stored["complete"], stored["fee"]) == ("2026-11-27", "150.00")
        assert send(desk, "/application/receive", REFUSED).status_code == 400
        assert "is no amount" in send(desk, "/application/receive", REFUSED, fee="much").text


class TestDocuments:
    def test_a_document_is_kept_as_it_came_with_its_hash_and_expiry(self, desk):
        content = b"%PDF-1.4\r\n\x00\xff\r\n--not-a-boundary\r\nbinary"
        answer = send(
            desk,
            "/application/document",
            ALLOWED,
            files={"file": ("COI 2027.pdf", content)},
            what="insurance",
            expires="2027-01-31",
        )
        assert answer.status_code == 303
        page = words_of(desk.get("/application", params={"number": ALLOWED}).text)
        assert "before the event ends" in page
        got = desk.get("/application/document", params={"number": ALLOWED, "name": "COI 2027.pdf"})
        assert got.content == content
        assert got.headers["content-disposition"].startswith("attachment")
        assert got.headers["content-type"] == "application/octet-stream"
        (kept,) = (desk.desk.place.parent / "documents" / ALLOWED).iterdir()
        kept.write_bytes(b"another")
        assert "was changed since" in desk.get("/application/document", params={"number": ALLOWED, "name": "COI 2027.pdf"}).text

    @pytest.mark.parametrize(
        "name",
        [
            "../../../town.toml.pdf",
            "..\\..\\x.pdf",
            "/etc/cron.d/x.pdf",
            "a\x00b.pdf",
            "<img src=x onerror=alert(1)>.pdf",
            "…/….pdf",
        ],
    )
    def test_a_name_is_no_path_and_no_markup(self, desk, name):
        before = (desk.desk.place.parent / "town.toml").read_bytes()
        answer = send(desk, "/application/document", ALLOWED, files={"file": (name, b"%PDF")}, what="plan")
        assert answer.status_code == 303
        folder = desk.desk.place.parent
        assert (folder / "town.toml").read_bytes() == before
        (kept,) = (folder / "documents" / ALLOWED).iterdir()
        assert kept.resolve().parent == (folder / "documents" / ALLOWED).resolve()
        assert "<img" not in desk.get("/application", params={"number": ALLOWED}).text

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("run.exe", "is no paper or picture"),
            ("page.html", "is no paper or picture"),
            ("x.svg", "is no paper or picture"),
            ("x.pdf.js", "is no paper or picture"),
        ],
    )
    def test_what_could_run_is_refused(self, desk, name, said):
        answer = send(desk, "/application/document", ALLOWED, files={"file": (name, b"x")}, what="plan")
        assert answer.status_code == 400
        assert said in answer.text
        assert not (desk.desk.place.parent / "documents").exists()

    def test_without_a_file_or_a_word_nothing_is_kept(self, desk):
        answer = send(desk, "/application/document", ALLOWED, files={"file": ("", b"")})
        assert '<a href="#file">' in answer.text
        assert '<a href="#what">' in answer.text
        assert (
            "is an empty file" in send(desk, "/application/document", ALLOWED, files={"file": ("x.pdf", b"")}, what="plan").text
        )

    def test_too_large_is_refused_before_it_is_read(self, desk):
        token = token_of(desk.get("/who").text)
        answer = desk.post(
            "/application/document",
            data={"token": token, "number": ALLOWED},
            files={"file": ("x.pdf", b"0" * (25 * 1024 * 1024))},
        )
        assert answer.status_code == 413

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"--x",
            b"--x\r\n\r\nno name\r\n--x--\r\n",
            b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\ncut off',
            b"\xff" * 100,
            b'--x\r\ncontent-disposition: form-data; name="\xff"\r\n\r\n1\r\n--x--\r\n',
            b"--x\r\n" + b"a: b\r\n" * 5000,
        ],
    )
    def test_a_malformed_body_is_told(self, desk, body):
        answer = desk.post("/application/document", content=body, headers={"content-type": "multipart/form-data; boundary=x"})
        assert answer.status_code in {400, 403}
        assert "Traceback" not in answer.text

    def test_no_file_comes_in_without_the_token_of_its_form(self, desk, filed):
        for client, token in ((desk, "guess"), (desk, "")):
            files = {"file": ("x.pdf", b"x")}
            assert client.post("/application/document", data={"token": token}, files=files).status_code == 403
        with desk_at(filed) as stranger:
            files = {"file": ("x.pdf", b"x")}
            assert stranger.post("/application/document", data={"token": "x"}, files=files).status_code == 403


class TestPermit:
    @pytest.fixture
    def issued(self, desk):
        issue(desk)
        return "SE-2026-023"

    def change(self, desk, number, how, **fields):
        seen = seen_of(desk.get("/permit/change", params={"number": number, "how": how}).text)
        return send(desk, "/permit/change", number, how=how, **({"seen": seen} | fields))

    def test_an_amendment_is_looked_at_then_written_and_printed(self, desk, issued):
        asked = {"persons": "200", "reason": "fewer come", "filed": TODAY.isoformat()}
        looked = self.change(desk, issued, "amend", **asked)
        assert "persons: was 240, is 200" in looked.text
        said = words_of(looked.text)
        assert "Nothing stands against it in what was checked: Whether the change was filed in time (283-8)." in said
        assert (
            "What was not checked The rest of the ordinance, such as insurance, parking, security and what it prohibits" in said
        )
        assert "The caps of the year: nothing that they count changes. The parcels: they stay as they were" in said
        assert permit_of(desk, issued)["persons"] == 240
        answer = self.change(desk, issued, "amend", confirmed="yes", **asked)
        assert answer.headers["location"].endswith("done=amend")
        page = desk.get(answer.headers["location"]).text
        assert f"Permit {issued} is amended" in words_of(page)
        assert "persons: was 240, is 200" in page
        assert desk.get("/permit/paper", params={"number": issued, "paper": "amendment"}).content.startswith(b"%PDF")
        word = desk.get("/permit/paper", params={"number": issued, "format": "docx"})
        assert word.headers["content-disposition"].startswith("attachment")

    def test_an_amendment_that_could_not_be_issued_says_so_before_it_is_written(self, desk, issued):
        asked = {"starts": "2026-12-05", "ends": "2026-12-05", "reason": "rain", "filed": TODAY.isoformat()}
        looked = self.change(desk, issued, "amend", **asked)
        said = words_of(looked.text)
        assert "This stands against it" in said
        assert "Nothing stands against it" not in said
        assert "What was checked What the register counts, as it is at this moment:" in said
        assert "Which other events are near on those days" in said
        assert "The caps of the year: nothing that they count changes." not in said
        assert "Amend the permit" not in looked.text
        assert self.change(desk, issued, "amend", confirmed="yes", **asked).status_code == 400
        passed = self.change(desk, issued, "amend", confirmed="yes", override="the Marshal agrees", **asked)
        assert passed.status_code == 303

    def test_faults_of_a_change_stand_at_their_fields(self, desk, issued):
        answer = self.change(desk, issued, "amend", persons="many", starts="x")
        for field in ("persons", "starts", "reason"):
            assert f'<a href="#{field}">' in answer.text
        assert "nothing is changed" in self.change(desk, issued, "correct", reason="x").text

    def test_a_correction_that_nothing_is_checked_of_says_so(self, desk, issued):
        said = words_of(self.change(desk, issued, "correct", contact="555 0100", reason="missing").text)
        assert "in what was checked: Nothing: what changes here is not counted, and no rule asks about it." in said
        assert "The caps of the year: nothing that they count changes." in said
        assert "in time" not in said

    def test_what_was_typed_wrong_is_corrected(self, desk, issued):
        assert (
            self.change(
                desk, issued, "correct", applicant="Bay Keepers Trust, Inc.", reason="in full", confirmed="yes"
            ).status_code
            == 303
        )
        assert "Bay Keepers Trust, Inc." in desk.get("/permit", params={"number": issued}).text

    def test_it_is_rescinded_and_brought_back_and_nothing_is_deleted(self, desk, issued):
        assert send(desk, "/permit/status", issued, to="rescind", reason="").status_code == 400
        assert (
            send(desk, "/permit/status", issued, to="rescind", reason="false statements")
            .headers["location"]
            .endswith("done=rescind")
        )
        assert desk.get("/permit/paper", params={"number": issued, "paper": "rescission"}).content.startswith(b"%PDF")
        assert send(desk, "/permit/status", issued, to="reinstate", reason="they were true").status_code == 303
        stored = permit_of(desk, issued)
        assert stored["status"] == "issued"
        assert [one["action"] for one in stored["log"]] == ["issue", "rescind", "reinstate"]
        assert log_is_sound(desk)

    def test_a_void_entry_comes_back_only_where_there_is_room(self, desk):
        numbers = [self.entered(desk), self.entered(desk)]
        assert send(desk, "/permit/status", numbers[0], to="void", reason="wrong lot").status_code == 303
        self.entered(desk)
        refused = send(desk, "/permit/status", numbers[0], to="reinstate", reason="it was the right lot")
        assert refused.status_code == 400
        assert 'id="override"' in refused.text
        asked = {"to": "reinstate", "reason": "right lot", "override": "Resolution 9"}
        assert send(desk, "/permit/status", numbers[0], **asked).status_code == 303
        assert "Resolution 9" in desk.get("/permit", params={"number": numbers[0]}).text
        assert log_is_sound(desk)

    def entered(self, desk):
        """Issue an ordinary permit on one residential lot, which has room for two a year."""
        given = Options(starts=date(2026, 12, 12), night=False)
        with desk.desk.open() as opened, open_town_register(opened.town) as register:
            asked = read_request(opened, PermitRequestOptions(parcels=("0900-123.00-01.00-002.000",), given=given))
            issuing = Issuing(now=datetime(2026, 11, 30, 9, tzinfo=UTC), by="Marshal", issued=TODAY)
            return issue_permit(opened, register, asked, issuing).permit.number

    def test_hours_and_a_title_kept_off_the_map_are_changed_too(self, desk, issued):
        asked = {"hours": "15:00-21:00", "private_title": "yes", "reason": "earlier", "filed": TODAY.isoformat()}
        assert self.change(desk, issued, "amend", confirmed="yes", **asked).status_code == 303
        found = permit_of(desk, issued)
        assert found["hours"] == [{"starts": "2027-06-19T15:00", "ends": "2027-06-19T21:00"}]
        assert found["private_title"] is True
        assert "3:00 p.m." in desk.get("/permit", params={"number": issued}).text
        assert "Garden Party" not in desk.get("/calendar.ics", params={"public": "yes"}).text

    def test_of_two_who_change_it_the_second_is_told_and_takes_nothing_back(self, desk, issued):
        seen = seen_of(desk.get("/permit/change", params={"number": issued, "how": "correct"}).text)
        assert self.change(desk, issued, "correct", persons="200", reason="counted again", confirmed="yes").status_code == 303
        late = self.change(
            desk, issued, "correct", seen=seen, persons="240", applicant="Bay Keepers", reason="in full", confirmed="yes"
        )
        assert late.status_code == 409
        assert "was changed since" in late.text
        assert 'value="200"' in late.text
        assert permit_of(desk, issued)["persons"] == 200

    @pytest.mark.parametrize(
        "path",
        [
            "/permit",
            "/permit/paper",
            "/permit/change",
            "/permit/status",
            "/application",
            "/application/issue",
            "/application/paper",
            "/application/document",
        ],
    )
    @pytest.mark.parametrize("number", ["", "A2026-9999", "../../town.toml", "'; DROP TABLE permits; --", "\x00"])
    def test_what_is_not_there_is_said(self, desk, path, number):
        answer = desk.get(path, params={"number": number, "to": "void"})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text

    def test_markup_stays_words(self, desk, issued):
        for text in PAYLOADS:
            assert (
                self.change(
                    desk, issued, "correct", applicant=text, title=text, conditions=text, reason=text, confirmed="yes"
                ).status_code
                == 303
            )
            for path in (
                f"/permit?number={issued}",
                "/permits?year=2027",
                "/log",
                "/calendar?month=2027-06",
                f"/permit/change?number={issued}&how=correct",
            ):
                page = desk.get(path).text
                assert "<img" not in page
                assert "<svg" not in page
                assert "window.pwned=1</script>" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/application/sign-off",
        "/application/receive",
        "/application/decide",
        "/application/issue",
        "/permit/change",
        "/permit/status",
        "/backup",
    ],
)
def test_every_form_needs_its_token_and_a_name(filed, path):
    with desk_at(filed) as client:
        client.get("/")
        assert client.post(path, data={"number": ALLOWED}).status_code == 403
        token = token_of(client.get("/who").text)
        asked = client.post(
            path, data={"number": ALLOWED, "token": token, "how": "amend", "to": "void" if path == "/permit/status" else "denied"}
        )
        assert asked.headers["location"].startswith("/who?next=")


class TestAmendmentOfWhatWasDrawn:
    def drawn(self, desk):
        """Return the fields of the form that amends the permit of an application with a layout."""
        there = desk.get("/permit/draw", params={"number": "SE-2026-023"}).headers["location"]
        page = desk.get(there)
        assert page.status_code == 200
        draft = re.search(r"draft=([\w-]+)", there)[1]
        return draft, desk.desk.kept.draft("application", draft).values()

    def sent(self, desk, draft, fields, **more):
        token = token_of(desk.get("/who").text)
        return desk.post("/permit/draw", data={**fields, "token": token, "draft": draft, **more})

    def confirmed(self, page):
        part = page.partition('name="confirmed"')[2].partition("</form>")[0]
        found = {}
        for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', part):
            found.setdefault(name, []).append(unescape(value))
        return found

    def test_the_site_is_drawn_again_looked_at_written_and_found_by_the_next_one(self, desk):
        issue(desk)
        page = desk.get("/permit/change", params={"number": "SE-2026-023", "how": "amend"}).text
        assert 'href="/permit/draw?number=SE-2026-023"' in page
        draft, fields = self.drawn(desk)
        with desk.desk.open() as opened:
            lot = opened.store.find(fields["premises.parcels"][0])
            (shape,) = opened.store.geometries([lot.fid])
        x, y = (round(value, 2) for value in shape.representative_point().coords[0])
        layout = [{"what": "stage", "points": [[x, y], [x + 12, y], [x + 12, y + 9], [x, y + 9]]}]
        fields |= {"premises.layout": [json.dumps(layout)], "event.title": ["The garden party, moved"]}
        refused = self.sent(desk, draft, fields)
        assert refused.status_code == 400
        assert 'href="#reason"' in refused.text
        looked = self.sent(desk, draft, fields, reason="the stage stands elsewhere", filed="2026-11-30")
        assert "Check this before permit SE-2026-023 is amended" in looked.text
        assert "The whole ordinance, for the event as its form states it now:" in looked.text
        assert "The rest of the ordinance" not in looked.text
        assert permit_of(desk, "SE-2026-023")["title"] != "The garden party, moved"
        fields = self.confirmed(looked.text)
        done = self.sent(desk, draft, fields, confirmed="yes", override="Resolution 7")
        assert done.status_code == 303, words_of(done.text)
        stored = permit_of(desk, "SE-2026-023")
        assert stored["title"] == "The garden party, moved"
        assert stored["log"][-1]["action"] in {"amend", "amend_override"}
        assert log_is_sound(desk)
        _, again = self.drawn(desk)
        assert json.loads(again["premises.layout"][0])[0]["points"][0] == pytest.approx(layout[0]["points"][0], abs=0.02)

    def test_a_drawing_alone_is_an_amendment_and_a_form_sent_as_it_was_is_none(self, desk):
        issue(desk)
        why = {"reason": "the tent moves", "filed": "2026-11-30", "confirmed": "yes", "override": "Resolution 7"}
        draft, fields = self.drawn(desk)
        with desk.desk.open() as opened:
            (shape,) = opened.store.geometries([opened.store.find(fields["premises.parcels"][0]).fid])
        x, y = (round(value, 2) for value in shape.representative_point().coords[0])
        layout = [{"what": "stage", "points": [[x, y], [x + 12, y], [x + 12, y + 9], [x, y + 9]]}]
        self.sent(desk, draft, fields | {"premises.layout": [json.dumps(layout)]}, **why)
        assert permit_of(desk, "SE-2026-023")["log"][-1]["changes"]["drawing"]["before"] is None
        draft, fields = self.drawn(desk)
        same = self.sent(desk, draft, fields, **why)
        assert same.status_code == 400
        assert "says all of this already" in same.text
        layout[0]["points"] = [[x + 3, y] for x, y in layout[0]["points"]]
        done = self.sent(desk, draft, fields | {"premises.layout": [json.dumps(layout)]}, **why)
        assert done.status_code == 303, words_of(done.text)
        last = permit_of(desk, "SE-2026-023")["log"][-1]
        assert set(last["changes"]) <= {"drawing", "override", "override_by", "overridden"}
        assert len(last["changes"]["drawing"]["before"]) == 64
        assert "site drawing: was the one with" in words_of(desk.get("/permit", params={"number": "SE-2026-023"}).text)
        assert log_is_sound(desk)

    def test_a_permit_that_somebody_else_changed_is_not_amended(self, desk):
        issue(desk)
        draft, fields = self.drawn(desk)
        answer = self.sent(desk, draft, fields | {"seen": ["0" * 64]}, reason="x")
        assert answer.status_code == 400
        assert "was changed since this form was begun" in answer.text
        assert not list((desk.desk.place.parent / "applications").glob("amendment-*"))

    def test_without_an_application_nothing_is_drawn(self, desk):
        answer = desk.get("/permit/draw", params={"number": "SE-2026-003"})
        assert answer.status_code == 400
        assert "without an application" in answer.text
