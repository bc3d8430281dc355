"""Users of the desk: who is let in, what each may do, and what somebody learns who is not signed in."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from html import unescape
from typing import ClassVar

import pytest
from argon2 import PasswordHasher
from desk_toys import HOME, LIST, PORT, PREMISES, copied, desk_at, fill_town, sit_down, token_of, words_of
from starlette.testclient import TestClient

from geonotice.config.read_town import read_town_file
from geonotice.register.permits import log_entries
from geonotice.register.session import open_register_of
from geonotice.register.verify_log import verify_log
from geonotice.web.roles_and_sessions import IDLE_SECONDS, LONGEST_SECONDS, Attempts, Sessions, may, needed_role
from geonotice.workflow import users
from geonotice.workflow.users import change, create, list_users

PASSWORD = "four words in a row"  # noqa: S105  # of the toys
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
OWNER = "Dandridge"


@pytest.fixture(scope="module", autouse=True)
def quick_hashes():
    """Hash in no time: how long a hash takes is not what these tests are about."""
    whole, cheap = users._hasher, PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
    users._hasher = lambda: cheap
    users._nobodys_hash.cache_clear()
    yield whole
    users._hasher = whole
    users._nobodys_hash.cache_clear()


def another_browser(client):
    return TestClient(client.app, base_url=HOME, follow_redirects=False)


@pytest.fixture(scope="module")
def staffed(southampton, tmp_path_factory):
    """Copy a town whose desk has an administrator, a clerk, a viewer, and one who was disabled."""
    place = copied(southampton, tmp_path_factory.mktemp("staffed") / "southampton")
    town = read_town_file(place)
    for name, role in (("ann", "administrator"), ("cleo", "clerk"), ("vic", "viewer"), ("gone", "clerk")):
        create(town, name=name, log_name=f"{name.title()} Roe", role=role, password=PASSWORD, now=NOW, by="setup")
    change(place, "gone", disabled=True, now=NOW, by="setup")
    return place


@pytest.fixture
def desk(staffed):
    with desk_at(staffed) as client:
        yield client


def signed_in(client, name, password=PASSWORD):
    page = client.get("/sign-in")
    return client.post("/sign-in", data={"token": token_of(page.text), "name": name, "password": password, "next": "/permits"})


def sent(client, path, **fields):
    """Send a form with the token that the session's pages have."""
    return client.post(path, data={"token": token_of(client.get("/who").text), **fields})


class TestNobody:
    @pytest.mark.parametrize(
        "path",
        ["/", LIST, f"/property?parcel={PREMISES}", f"/property/card?parcel={PREMISES}", "/search?q=dandridge", "/permits", "/log", "/users",
         "/backup", "/calendar.ics", "/packets", "/jobs/x", "/nope", "/api/search?q=dandridge", f"/api/property?parcel={PREMISES}",
         "/api/openapi.json", "/map/view?box=0,0,1,1"],
    )  # fmt: skip
    def test_sees_no_page_and_no_owner(self, desk, path):
        answer = desk.get(path)
        assert answer.status_code in {303, 401}
        assert OWNER not in answer.text
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/sign-in?next=")

    def test_is_told_nothing_of_the_town_on_the_page_that_asks(self, desk):
        page = desk.get("/sign-in").text
        assert "Sign in" in page
        for told in (OWNER, "Search", "/permits", "Southampton"):
            assert told not in page

    def test_writes_nothing_and_is_told_so(self, desk):
        answer = desk.post("/permit/change", data={"number": "2026-0001"}, headers={"referer": f"{HOME}/permit?number=2026-0001"})
        assert answer.status_code == 303
        assert answer.headers["location"] == "/sign-in?next=%2Fpermit%3Fnumber%3D2026-0001&lost=yes"
        assert "Nothing was done" in words_of(desk.get(answer.headers["location"]).text)

    def test_a_part_of_a_page_sends_the_whole_page_to_the_sign_in(self, desk):
        answer = desk.get("/search?q=a", headers={"hx-request": "true"})
        assert answer.status_code == 401
        assert answer.headers["hx-redirect"].startswith("/sign-in")

    def test_needs_the_token_of_the_page_to_sign_in(self, desk):
        assert desk.post("/sign-in", data={"name": "ann", "password": PASSWORD}).status_code == 403


class TestSignIn:
    def test_the_right_password_lets_in_under_another_session(self, desk):
        desk.get("/sign-in")
        before = desk.cookies[f"geonotice_desk_{PORT}"]
        answer = signed_in(desk, "Cleo")
        assert (answer.status_code, answer.headers["location"]) == (303, "/permits")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert desk.cookies[f"geonotice_desk_{PORT}"] != before
        page = desk.get("/").text
        assert "Cleo Roe" in page
        assert "Sign out" in page
        desk.cookies.set(f"geonotice_desk_{PORT}", before, domain="127.0.0.1", path="/")
        assert desk.get("/permits", headers={"cookie": f"geonotice_desk_{PORT}={before}"}).status_code == 303

    @pytest.mark.parametrize(
        ("name", "password"),
        [("cleo", "wrong words in a row"), ("nobody", PASSWORD), ("gone", PASSWORD), ("cleo", ""), ("", ""), ("' OR 1=1 --", "x"), ("cleo", "x" * 9999)],
    )  # fmt: skip
    def test_whatever_is_wrong_the_answer_is_the_same(self, desk, name, password):
        answer = signed_in(desk, name, password)
        assert answer.status_code == 403
        assert "name and password do not belong together" in answer.text
        assert desk.get("/").status_code == 303

    def test_a_name_that_nobody_has_is_hashed_against_all_the_same(self, desk, monkeypatch, quick_hashes):
        hashed = []

        class Counted:
            def verify(self, hash_, password):
                hashed.append(hash_.split("$")[1:4])
                return False

        users._nobodys_hash()
        monkeypatch.setattr(users, "_hasher", Counted)
        for name in ("nobody", "gone", "cleo"):
            assert users.let_in(list_users(desk.desk.place), name, "x") is None
        assert len(hashed) == 3
        assert hashed[0] == hashed[1] == hashed[2]
        assert quick_hashes().memory_cost >= 19_456  # the least that OWASP asks for

    def test_signing_out_ends_the_session(self, desk):
        signed_in(desk, "cleo")
        kept = desk.cookies[f"geonotice_desk_{PORT}"]
        assert sent(desk, "/sign-out").headers["location"] == "/sign-in"
        assert desk.get("/", headers={"cookie": f"geonotice_desk_{PORT}={kept}"}).status_code == 303

    def test_a_sign_in_leads_to_no_other_site(self, desk):
        page = desk.get("/sign-in", params={"next": "//evil.example/"}).text
        answer = desk.post(
            "/sign-in", data={"token": token_of(page), "name": "ann", "password": PASSWORD, "next": "https://evil.example/"}
        )
        assert answer.headers["location"] == "/"

    def test_after_five_wrong_passwords_the_right_one_waits_too_for_this_name_alone(self, desk):
        for _ in range(5):
            assert signed_in(desk, "vic", "wrong").status_code == 403
        answer = signed_in(desk, "vic")
        assert answer.status_code == 429
        assert "Wait 15 minutes" in answer.text
        assert signed_in(desk, "cleo").status_code == 303


class TestRoles:
    @pytest.mark.parametrize(
        ("method", "path", "role"),
        [("GET", "/", "viewer"), ("GET", "/permits", "viewer"), ("POST", "/drafts", "viewer"), ("POST", "/permit/change", "clerk"),
         ("POST", "/notice/packet", "clerk"), ("DELETE", "/anything", "clerk"), ("POST", "/backup", "administrator"), ("GET", "/users", "administrator"),
         ("GET", "/permits/import", "administrator"), ("POST", "/permits/import/write", "administrator"), ("POST", "/usersish", "clerk"),
         ("GET", "/sign-in", None), ("POST", "/sign-in", None), ("GET", "/static/desk/desk.css", None), ("GET", "/sign-in/x", "viewer"),
         ("GET", "/staticx", "viewer")],
    )  # fmt: skip
    def test_each_route_needs_one(self, method, path, role):
        assert needed_role(method, path) == role

    def test_a_viewer_looks_and_writes_nothing(self, desk):
        signed_in(desk, "vic")
        assert OWNER in desk.get(f"/property?parcel={PREMISES}").text
        for path in ("/permit/change", "/notice/packet", "/application/sign-off", "/correct", "/packet/mail/sent", "/nope"):
            answer = sent(desk, path, number="2026-0001")
            assert answer.status_code == 403
            assert "this is for a clerk, and you are signed in as a viewer" in answer.text
        assert desk.get("/users").status_code == 403
        assert desk.get("/backup").status_code == 403

    def test_a_clerk_writes_and_keeps_no_users_and_takes_no_backup(self, desk):
        signed_in(desk, "cleo")
        assert sent(desk, "/permit/change", number="none").status_code in {400, 404, 503}
        for path in ("/users", "/backup", "/permits/import"):
            assert "for an administrator" in desk.get(path).text
        assert sent(desk, "/users", name="x", role="administrator", password=PASSWORD).status_code == 403

    def test_a_form_without_its_token_is_refused_for_everybody(self, desk):
        signed_in(desk, "ann")
        assert desk.post("/users/change", data={"name": "cleo", "do": "disable"}).status_code == 403


def linked(page):
    """Return every link of a page, and every form with its method: all that somebody could press."""
    found = [("GET", unescape(link)) for link in re.findall(r'<a [^>]*href="(/[^"]*)"', page)]
    for form in re.findall(r"<form ([^>]*)>", page):
        action = re.search(r'action="([^"]*)"', form)
        found.append(("POST" if 'method="post"' in form else "GET", action[1]))
    return found


@pytest.fixture(scope="module")
def filed(staffed, root, tmp_path_factory):
    """Return the staffed town with an open and a denied application, and with a packet."""
    town = copied(staffed, tmp_path_factory.mktemp("filed") / "southampton")
    fill_town(town, root)
    return town


class TestWhatIsShown:
    @pytest.mark.parametrize("role", ["viewer", "clerk"])
    def test_nobody_is_shown_what_answers_that_they_may_not(self, filed, role):
        begin = [
            "/", LIST, f"/property?parcel={PREMISES}", "/applications/form?draft=abcdefgh", "/application?number=A2026-0001",
            "/application?number=A2026-0002", "/packet?name=packets/one", "/packet/compare?name=packets/one", "/packet/mail?name=packets/one", "/calendar", "/at-cap",
        ]  # fmt: skip
        with desk_at(filed) as client:
            signed_in(client, "vic" if role == "viewer" else "cleo")
            waiting, met, seen = [("", one) for one in begin], [], set()
            while waiting:
                came_from, place = waiting.pop()
                path = place.partition("?")[0]
                # One page of each kind is enough: a register has hundreds.
                if place in seen or (path in seen and place not in begin):
                    continue
                seen |= {path, place}
                answer = client.get(place)
                assert answer.status_code < 500, place
                if answer.status_code == 403:
                    met.append((came_from, place))
                if not answer.headers.get("content-type", "").startswith("text/html"):
                    continue
                for method, there in linked(answer.text):
                    if method == "POST" and not may(role, "POST", there):
                        met.append((place, there))
                    elif method == "GET" and not there.startswith(("/static", "/screen")) and "format=" not in there:
                        waiting.append((place, there))
        assert not met
        assert {"/permit", "/application", "/packet/mail", "/notice", "/property"} <= seen

    def test_a_viewer_changes_no_form_of_somebody_else(self, filed):
        form = {"draft_kind": "notice", "draft_id": "abcdefgh", "draft_title": "T", "parcel": "1"}
        with desk_at(filed) as client:
            signed_in(client, "cleo")
            seen = sent(client, "/drafts", **form).json()["seen"]
            other = another_browser(client)
            signed_in(other, "vic")
            assert not sent(other, "/drafts", **form, draft_seen=seen).json()["saved"]
            assert sent(other, "/drafts/discard", **form).status_code == 400
            assert 'action="/drafts/discard"' not in other.get("/notice").text
            assert sent(other, "/drafts", **form | {"draft_id": "of-mine1"}).json()["saved"]
            assert sent(other, "/drafts/discard", **form | {"draft_id": "of-mine1"}).status_code == 303

    def test_a_viewer_is_told_who_may(self, filed):
        with desk_at(filed) as client:
            signed_in(client, "vic")
            for place in ("/application?number=A2026-0001", "/permit?number=SE-2026-003", "/packet/mail?name=packets/one", LIST):
                assert "A clerk or an administrator of the desk may do this." in (page := words_of(client.get(place).text)), (
                    place,
                    page,
                )


class TestAdministrator:
    def test_adds_users_and_the_log_says_who_did(self, desk, staffed):
        signed_in(desk, "ann")
        answer = sent(desk, "/users", name="New.One", log_name="N. One", role="viewer", password=PASSWORD)
        assert answer.status_code == 303
        assert "User new.one is added as viewer" in words_of(desk.get("/users").text)
        with open_register_of(staffed) as register:
            last = log_entries(register)[-1]
            assert (last.by, last.action, last.permit) == ("Ann Roe", "user_add", "user:new.one")
            assert verify_log(register).sound
        assert "user:new.one" in desk.get("/log").text

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [("name", "cleo", "already"), ("name", "no blanks", "no name to sign in with"), ("log_name", "CLEO ROE", "stands in the log as"),
         ("password", "short", "12 to 200"), ("password", "aaaaaaaaaaaaaaaa", "easily guessed")],
    )  # fmt: skip
    def test_is_told_what_cannot_be(self, desk, field, value, said):
        signed_in(desk, "ann")
        fields = {"name": "other", "log_name": "O. Ther", "role": "clerk", "password": PASSWORD, field: value}
        answer = sent(desk, "/users", **fields)
        assert answer.status_code == 400
        assert said in words_of(answer.text)
        assert "other" not in list_users(desk.desk.place)

    def test_disables_a_user_who_is_out_at_once(self, staffed):
        create(read_town_file(staffed), name="tmp", log_name="T. Emp", role="clerk", password=PASSWORD, now=NOW, by="x")
        with desk_at(staffed) as mine:
            theirs = another_browser(mine)
            signed_in(mine, "ann")
            signed_in(theirs, "tmp")
            assert theirs.get("/permits").status_code == 200
            sent(mine, "/users/change", name="tmp", do="disable", role="clerk")
            assert theirs.get("/permits").status_code == 303
            sent(mine, "/users/change", name="tmp", do="enable", role="clerk")
            assert theirs.get("/permits").status_code == 303  # the old session stays ended
            assert signed_in(theirs, "tmp").status_code == 303

    def test_cannot_leave_the_desk_without_an_administrator(self, desk):
        signed_in(desk, "ann")
        for fields in ({"do": "disable", "role": "administrator"}, {"do": "role", "role": "clerk"}):
            answer = sent(desk, "/users/change", name="ann", **fields)
            assert answer.status_code == 400
            assert "last administrator" in answer.text


class TestOwnPassword:
    def test_is_changed_with_the_old_one_and_ends_other_sessions(self, staffed):
        create(read_town_file(staffed), name="pw", log_name="P. W", role="viewer", password=PASSWORD, now=NOW, by="x")
        with desk_at(staffed) as client:
            other = another_browser(client)
            signed_in(client, "pw")
            signed_in(other, "pw")
            fields = {"password": PASSWORD, "new": "another row of words", "again": "another row of words"}
            assert "not the password you have" in sent(client, "/password", **fields | {"password": "wrong"}).text
            assert "differ" in sent(client, "/password", **fields | {"again": "x"}).text
            assert sent(client, "/password", **fields).status_code == 303
            assert "Your password is changed" in client.get("/who").text
            assert other.get("/").status_code == 303
            sent(client, "/sign-out")
            assert signed_in(client, "pw").status_code == 403
            assert signed_in(client, "pw", "another row of words").status_code == 303


class TestWithoutUsers:
    def test_on_this_computer_a_name_is_enough_until_the_first_user_is_added(self, southampton, tmp_path):
        place = copied(southampton, tmp_path / "southampton")
        with desk_at(place) as client:
            sit_down(client)
            assert OWNER in client.get(f"/property?parcel={PREMISES}").text
            fields = {"name": "cleo", "log_name": "C. Roe", "role": "clerk", "password": PASSWORD}
            assert "first user cannot be a clerk" in sent(client, "/users", **fields).text
            assert sent(client, "/users", **fields | {"role": "administrator"}).status_code == 303
            assert client.get("/").status_code == 303
            assert signed_in(client, "cleo").status_code == 303
            assert client.get("/").status_code == 200

    def test_reached_from_elsewhere_nobody_comes_in(self, southampton):
        with desk_at(southampton, base="http://desk.town.example", public_name="desk.town.example", sign_in=True) as client:
            assert client.get("/").status_code == 303
            assert signed_in(client, "x").status_code == 403

    def test_a_register_that_is_taken_away_opens_the_desk_to_nobody(self, staffed, tmp_path):
        place = copied(staffed, tmp_path / "southampton")
        with desk_at(place) as client:
            assert client.get("/").status_code == 303
            for file in place.glob("permits.sqlite*"):
                file.unlink()
            client.desk.door.forget()
            assert client.get("/").status_code == 303
            (place / "permits.sqlite").write_bytes(b"no register at all" * 99)
            client.desk.door.forget()
            answer = client.get("/")
            assert answer.status_code == 503
            assert str(place) not in answer.text


class TestSignInInFront:
    RULES: ClassVar = {"base": "https://desk.town.example", "public_name": "desk.town.example", "trusted_header": "X-Remote-User"}

    def test_the_register_says_what_each_may_do(self, staffed):
        with desk_at(staffed, **self.RULES) as client:
            assert "Cleo Roe" in client.get("/who", headers={"x-remote-user": "CLEO"}).text
            assert client.get("/users", headers={"x-remote-user": "cleo"}).status_code == 403
            assert client.get("/users", headers={"x-remote-user": "ann"}).status_code == 200
            for name in ("nobody", "gone"):
                assert client.get("/", headers={"x-remote-user": name}).status_code == 403

    def test_behind_tls_the_cookie_is_for_tls_alone_and_each_address_is_counted_by_itself(self, staffed):
        rules = {"base": "https://desk.town.example", "public_name": "desk.town.example", "behind_tls": True, "sign_in": True}
        with desk_at(staffed, **rules) as client:
            assert "Secure" in client.get("/sign-in").headers["set-cookie"]
            client.headers["x-forwarded-for"] = "9.9.9.9, 10.0.0.1"
            for _ in range(5):
                signed_in(client, "cleo", "wrong")
            assert signed_in(client, "cleo").status_code == 429
            client.headers["x-forwarded-for"] = "10.0.0.1, 10.0.0.2"
            assert signed_in(client, "cleo").status_code == 303


class Clock:
    """A clock that stands until it is moved."""

    now = 1000.0

    def __call__(self):
        return self.now


class TestTimes:
    def test_a_sign_in_ends_when_nothing_is_asked_and_after_a_day_s_work(self, staffed):
        clock, user = Clock(), list_users(staffed)["cleo"]
        sessions = Sessions(clock)
        session = sessions.begin()
        sessions.sign_in(session, user)
        clock.now += IDLE_SECONDS - 1
        assert sessions.find(session.key) is session
        clock.now += IDLE_SECONDS + 1
        assert sessions.find(session.key) is None
        sessions.sign_in(session, user)
        for _ in range(int(LONGEST_SECONDS / 3000) + 1):
            clock.now += 3000
            found = sessions.find(session.key)
        assert found is None

    def test_visits_push_nobody_out_who_is_signed_in(self, staffed):
        sessions = Sessions()
        session = sessions.begin()
        sessions.sign_in(session, list_users(staffed)["cleo"])
        for _ in range(2000):
            sessions.begin()
        assert sessions.find(session.key) is session

    def test_attempts_are_forgotten_in_time_and_take_no_more_room_than_they_may(self):
        clock = Clock()
        attempts = Attempts(clock)
        for n in range(20):
            attempts.wrong(f"name{n}", "10.0.0.1")
        assert attempts.wait_seconds("other", "10.0.0.1") == 900
        assert attempts.wait_seconds("name1", "10.0.0.2") == 0
        clock.now += 901
        assert attempts.wait_seconds("other", "10.0.0.1") == 0
        for n in range(20_000):
            attempts.wrong("x" * 1000, str(n))
        assert len(attempts._tried) <= 10_000
        assert attempts.wait_seconds("x" * 1000, "elsewhere") > 0  # a hundred from anywhere


def test_a_user_who_is_added_or_raised_behind_the_log_is_found(staffed, tmp_path):
    for n, change_ in enumerate(("UPDATE users SET role = 'administrator' WHERE name = 'vic'", "DELETE FROM users WHERE name = 'vic'",
                    "UPDATE users SET hash = 'x' WHERE name = 'ann'",
                    "INSERT INTO users (name, log_name, role, hash, disabled, created) SELECT 'evil', 'E', role, hash, 0, created FROM users LIMIT 1")):  # fmt: skip
        place = copied(staffed, tmp_path / f"town{n}")
        with closing(sqlite3.connect(place / "permits.sqlite")) as database, database:
            database.execute(change_)
        with open_register_of(place) as register:
            assert {one.code for one in verify_log(register).faults} <= {"user_changed", "user_gone", "unlogged"}
            assert not verify_log(register).sound, change_
