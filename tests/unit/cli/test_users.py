"""``geonotice user``: who may sign in at the desk, from the command line."""

import io
import json
import sys

import pytest
from desk_toys import copied
from program import exit_code

from geonotice.register.permits import log_entries
from geonotice.register.session import open_register_of
from geonotice.register.verify_log import verify_log
from geonotice.workflow.users import let_in, list_users

PASSWORD = "four words in a row"  # noqa: S105  # of the toys


@pytest.fixture
def town(southampton, tmp_path):
    return copied(southampton, tmp_path / "southampton")


@pytest.fixture
def user(town, monkeypatch, capsys):
    """Run a command of ``user`` with a line on standard input; give its exit code and what it printed."""

    def run(command, *args, typed=PASSWORD):
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
        code = exit_code("user", command, town, *args)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_the_first_user_is_an_administrator_and_each_change_stands_in_the_log(user, town):
    code, _, err = user("add", "cleo", "--role", "clerk", "--by", "IT")
    assert code == 2
    assert "first user cannot be a clerk" in err
    assert user("add", "Ann", "--role", "administrator", "--log-name", "Ann Roe", "--by", "IT")[0] == 0
    assert user("add", "cleo", "--role", "clerk", "--by", "IT")[0] == 0
    assert user("role", "cleo", "viewer", "--by", "IT")[0] == 0
    assert user("password", "cleo", "--by", "IT", typed="another row of words")[0] == 0
    assert user("disable", "cleo", "--by", "IT")[0] == 0
    found = list_users(town)
    assert (found["cleo"].role, found["cleo"].disabled, found["ann"].log_name) == ("viewer", True, "Ann Roe")
    assert let_in(found, "ann", PASSWORD) == found["ann"]
    assert PASSWORD not in (town / "permits.sqlite").read_bytes().decode("latin-1")
    with open_register_of(town) as register:
        assert verify_log(register).sound
        said = [(one.by, one.action, one.why) for one in log_entries(register) if one.permit == "user:cleo"]
    assert said == [
        ("IT", "user_add", "clerk"),
        ("IT", "user_change", "role viewer"),
        ("IT", "user_change", "another password"),
        ("IT", "user_change", "disabled"),
    ]


def test_they_are_listed_without_their_hashes(user):
    assert "no users" in user("list")[1]
    user("add", "ann", "--role", "administrator", "--by", "IT")
    user("add", "proxy", "--role", "viewer", "--no-password", "--by", "IT")
    code, out, _ = user("list", "--json")
    assert code == 0
    assert [(one["name"], one["password"]) for one in json.loads(out)["users"]] == [("ann", True), ("proxy", False)]
    assert "argon2" not in out
    assert "no password" in user("list")[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [(("disable", "ann"), "last administrator"), (("role", "ann", "clerk"), "last administrator"), (("disable", "nobody"), "no user 'nobody'"),
     (("add", "ann", "--role", "clerk"), "already")],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_words(user, args, said):
    user("add", "ann", "--role", "administrator", "--by", "IT")
    code, _, err = user(*args, "--by", "IT")
    assert code == 2
    assert said in err


def test_a_short_password_is_refused(user, town):
    code, _, err = user("add", "ann", "--role", "administrator", "--by", "IT", typed="short")
    assert code == 2
    assert "12 to 200" in err
    assert not (town / "permits.sqlite").exists() or list_users(town) == {}
