"""What every request passes before a page sees it."""

from typing import ClassVar

import pytest
from desk_toys import HOME, LIST, PORT, PREMISES, desk_at, sit_down, token_of

from geonotice.web.guard import GuardRules


@pytest.fixture(scope="module")
def desk(southampton):
    with desk_at(southampton) as client:
        yield client


class TestHost:
    @pytest.mark.parametrize("host", ["127.0.0.1:8742", "localhost:8742", "LOCALHOST:8742", "[::1]:8742"])
    def test_its_own_names_are_known(self, host):
        assert GuardRules(port=8742).allows_host(host)

    @pytest.mark.parametrize(
        "host",
        ["", "evil.example", "evil.example:8742", "127.0.0.1", "127.0.0.1:80", "localhost:8743", "localhost.evil.example:8742", "127.0.0.1:8742@evil", "[::1]"],
    )  # fmt: skip
    def test_no_other_is(self, host):
        assert not GuardRules(port=8742).allows_host(host)

    def test_behind_a_sign_in_only_the_public_name(self):
        rules = GuardRules(port=8742, public_name="desk.town.example", trusted_header="X-Remote-User")
        assert rules.allows_host("desk.town.example")
        assert rules.allows_host("desk.town.example:443")
        assert not rules.allows_host("127.0.0.1:8742")
        assert not rules.allows_host("evil.desk.town.example")

    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", ""])
    def test_a_wrong_host_is_refused_with_400(self, desk, host):
        for path in ("/", LIST, "/static/desk/desk.css", "/api/search?q=a"):
            answer = desk.get(path, headers={"host": host})
            assert answer.status_code == 400
            assert "Montauk" not in answer.text


class TestHeaders:
    @pytest.mark.parametrize(
        "path", ["/", "/notice", "/who", "/nope", "/property?parcel=zzz", "/static/desk/desk.js", "/api/search?q=a"]
    )
    def test_every_answer_has_a_strict_policy(self, desk, path):
        answer = desk.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"

    def test_a_refusal_has_it_too(self, desk):
        for answer in (desk.get("/", headers={"host": "evil.example"}), desk.post("/who")):
            assert "default-src 'none'" in answer.headers["content-security-policy"]

    def test_an_error_that_nobody_foresaw_has_it_too(self, desk, monkeypatch):
        monkeypatch.setattr("geonotice.web.map_and_property.property_sheet", lambda *_, **__: 1 / 0)
        answer = desk.get(f"/property?parcel={PREMISES}")
        assert answer.status_code == 500
        assert "does not know" in answer.text
        assert "Traceback" not in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]

    def test_pages_hold_no_script_of_their_own_and_ask_nobody_else(self, desk):
        for path in ("/", "/notice", LIST, "/who", "/permits?year=2026", f"/property?parcel={PREMISES}"):
            page = desk.get(path).text
            assert "<script>" not in page
            assert " onclick" not in page
            assert " style=" not in page
            assert "http://" not in page.replace(HOME, "")
            assert "https://" not in page

    def test_pages_are_kept_by_no_cache(self, desk):
        assert desk.get("/").headers["cache-control"] == "no-store"


class TestSession:
    def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(self, southampton):
        with desk_at(southampton) as client:
            cookie = client.get("/").headers["set-cookie"]
            assert f"geonotice_desk_{PORT}=" in cookie
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert "set-cookie" not in client.get("/").headers

    def test_a_made_up_cookie_gets_a_session_of_its_own(self, southampton):
        with desk_at(southampton) as client:
            client.cookies.set(f"geonotice_desk_{PORT}", "chosen-by-somebody-else")
            assert "chosen-by-somebody-else" not in client.get("/").headers["set-cookie"]


class TestForms:
    def test_without_its_token_a_form_is_refused(self, desk):
        desk.get("/")
        for path in ("/who", "/notice/packet", "/nowhere"):
            assert desk.post(path, data={"name": "X"}).status_code == 403
            assert desk.post(path, data={"name": "X", "token": "guess"}).status_code == 403

    def test_the_token_of_another_browser_is_refused(self, desk, southampton):
        with desk_at(southampton) as other:
            token = token_of(other.get("/who").text)
        assert desk.post("/who", data={"name": "X", "token": token}).status_code == 403

    @pytest.mark.parametrize(
        "headers",
        [{"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:1"}, {"origin": "http://localhost:8742"},
         {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
    )  # fmt: skip
    def test_a_form_of_another_site_is_refused_even_with_the_token(self, desk, headers):
        token = token_of(desk.get("/who").text)
        assert desk.post("/who", data={"name": "X", "token": token}, headers=headers).status_code == 403

    def test_its_own_form_is_taken(self, desk):
        token = token_of(desk.get("/who").text)
        headers = {"origin": HOME, "sec-fetch-site": "same-origin"}
        assert desk.post("/who", data={"name": "R. Clerk", "token": token}, headers=headers).status_code == 303

    def test_what_is_too_large_or_no_form_is_refused(self, desk):
        token = token_of(desk.get("/who").text)
        assert desk.post("/who", data={"name": "x" * 300_000, "token": token}).status_code == 413
        huge = {"file": ("a.csv", b"x" * (25 * 1024 * 1024))}
        assert desk.post("/who", files=huge, data={"token": token}).status_code == 413
        assert desk.post("/who", files={"file": ("a.csv", b"x")}, data={"name": "A. Clerk"}).status_code == 403
        assert desk.post("/who", json={"token": token}).status_code == 415
        assert desk.post(
            "/who", content=b"name=%ff&token=x", headers={"content-type": "application/x-www-form-urlencoded"}
        ).status_code in {400, 403}

    @pytest.mark.parametrize(
        "body",
        [b"", b"--x", b"--x\r\n\r\n", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n", b"no boundary at all", b"\xff\x00" * 50,
         b'--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n\xff\r\n--x--\r\n', b"--x\r\n" * 6000],
    )  # fmt: skip
    @pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "multipart/form-data"])
    def test_a_form_with_files_that_is_damaged_is_refused(self, desk, body, kind):
        assert desk.post("/who", content=body, headers={"content-type": kind}).status_code in {400, 403}

    @pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
    def test_no_other_way_of_writing_passes(self, desk, method):
        assert desk.request(method, "/who").status_code == 403


class TestSignInInFront:
    RULES: ClassVar = {"base": "https://desk.town.example", "public_name": "desk.town.example", "trusted_header": "X-Remote-User"}

    def test_nobody_named_is_nobody_served(self, southampton):
        with desk_at(southampton, **self.RULES) as client:
            assert client.get("/").status_code == 401
            assert client.get("/", headers={"x-remote-user": " "}).status_code == 401
            assert client.get("/", headers=[("x-remote-user", "a"), ("x-remote-user", "b")]).status_code == 401

    def test_the_user_is_the_name_for_the_log(self, southampton):
        with desk_at(southampton, **self.RULES) as client:
            answer = client.get("/who", headers={"x-remote-user": "j.doe"})
            assert "You are signed in as <strong>j.doe</strong>" in answer.text
            assert "Secure" in answer.headers["set-cookie"]

    def test_a_session_does_not_pass_to_another_user(self, southampton):
        with desk_at(southampton, **self.RULES) as client:
            first = client.get("/", headers={"x-remote-user": "j.doe"}).headers["set-cookie"]
            second = client.get("/", headers={"x-remote-user": "r.roe"}).headers["set-cookie"]
            assert first != second


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        ["/static/desk/../../../../etc/passwd", "/static/desk/..%2f..%2fdesk.py", "/static/desk/%2e%2e/desk.py", "/static/leaflet//etc/passwd",
         "/jobs/..%2f..%2ftown.toml/packet.zip", "/jobs/../../town.toml", "/packets/x", "/town.toml", "/store.gpkg", "/permits.sqlite"],
    )  # fmt: skip
    def test_no_file_is_reached_but_those_of_the_package(self, desk, path):
        answer = desk.get(path)
        assert answer.status_code in {400, 404}
        assert "root:" not in answer.text
        assert "ordinance =" not in answer.text

    @pytest.mark.parametrize(
        "place", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "http:evil.example"]
    )
    def test_a_link_leads_to_no_other_site(self, southampton, place):
        with desk_at(southampton) as client:
            page = client.get("/who", params={"next": place}).text
            assert "evil" not in page.partition("<main")[2]
            answer = client.post("/who", data={"token": token_of(page), "name": "R. Clerk", "next": place})
            assert answer.headers["location"] == "/"


def test_a_name_is_needed_and_escaped(southampton):
    with desk_at(southampton) as client:
        token = token_of(client.get("/who").text)
        for wrong in ("", "   ", "x" * 101, "a\x00b"):
            answer = client.post("/who", data={"token": token, "name": wrong})
            assert answer.status_code == 400
            assert 'role="alert"' in answer.text
        sit_down(client, "<b>Ann</b>")
        assert "&lt;b&gt;Ann&lt;/b&gt;" in client.get("/").text
