"""Where the desk listens, and who may reach it there."""

import sys

import pytest
from program import exit_code, imported_by, run

from geonotice.errors import UsageError
from geonotice.web.server import require_extra, require_sign_in


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "town-pc"])  # noqa: S104  # refused
def test_elsewhere_it_refuses_to_listen_without_a_sign_in(host):
    with pytest.raises(UsageError, match="without users, or a sign-in in front"):
        require_sign_in(host, trusted_header="", public_name="")
    require_sign_in(host, trusted_header="X-Remote-User", public_name="desk.town.example")
    require_sign_in(host, trusted_header="", public_name="desk.town.example", users=True)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "fd00::5"])  # noqa: S104  # refused
def test_with_users_it_must_know_by_which_name_browsers_reach_it(host):
    with pytest.raises(UsageError, match="--public-name desk"):
        require_sign_in(host, trusted_header="", public_name="", users=True)
    require_sign_in("192.168.1.5", trusted_header="", public_name="", users=True)
    with pytest.raises(UsageError, match="--behind-tls needs --public-name"):
        require_sign_in("127.0.0.1", trusted_header="", public_name="", users=True, behind_tls=True)


@pytest.mark.parametrize(
    ("header", "name", "said"),
    [("X-Remote-User", "", "belong together"), ("", "desk.example", "belong together"), ("Host", "desk.example", "no header that names"),
     ("X User", "desk.example", "no header that names"), ("X-User", "https://desk.example", "no host name")],
)  # fmt: skip
def test_options_that_cannot_be_meant_are_refused(header, name, said):
    with pytest.raises(UsageError, match=said):
        require_sign_in("127.0.0.1", trusted_header=header, public_name=name)


def test_the_command_refuses_before_it_listens(southampton, capsys):
    assert exit_code("serve", southampton, "--host", "0.0.0.0") == 2  # noqa: S104  # refused
    said = capsys.readouterr().err
    assert "will not listen" in said
    assert "geonotice user add" in said
    assert exit_code("serve", southampton, "--port", "99999") == 2


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match=r"pip install 'geonotice\[web\]'"):
        require_extra()


def test_a_port_that_is_taken_is_named(southampton):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in run("serve", southampton, "--port", port, expect=2).stderr


def test_a_town_that_is_not_imported_is_refused_at_once(root):
    assert "imported" in run("serve", root / "data" / "italy", expect=3).stderr


def test_help_stays_light():
    assert imported_by("serve", "--help", among=("fastapi", "uvicorn", "starlette", "pydantic")) == set()
