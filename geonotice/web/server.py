"""Start the desk: where it listens, and who may reach it there."""

import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.config.town import find_town_file
from geonotice.errors import Fault, UsageError
from geonotice.opened_town import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    import uvicorn

    from geonotice.register.users import User

__all__ = ["prepare_desk", "require_extra", "require_sign_in", "serve"]

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104  # named to be refused without a name
_NOT_BELIEVED = frozenset({"host", "origin", "cookie", "content-type", "content-length", "sec-fetch-site", "x-desk-token"})
"""Headers that a browser sends by itself: none of them names who signed in."""
_MOST_AT_ONCE = 200


def require_extra() -> None:
    """Refuse where the extra ``web`` is not installed.

    Raises
    ------
    UsageError
        One of its libraries is missing.
    """
    try:
        import argon2  # noqa: F401  # only whether it is there
        import fastapi  # noqa: F401  # only whether it is there
        import python_multipart  # noqa: F401  # only whether it is there
        import uvicorn  # noqa: F401  # only whether it is there
    except ModuleNotFoundError as error:
        raise UsageError(
            Fault(
                what=f"the desk needs libraries that are not installed ({error.name})",
                why="they come with the extra web, which the rest of the program does without",
                remedy="run: pip install 'geonotice[web]' (in the source folder: make setup)",
            )
        ) from error


def require_sign_in(host: str, *, trusted_header: str, public_name: str, users: bool = False, behind_tls: bool = False) -> None:
    """Refuse to listen where others reach the desk and nobody signs in.

    Raises
    ------
    UsageError
        Nobody would sign in, or the options cannot be meant; all of it at once.
    """
    faults = []
    elsewhere = host not in _LOOPBACK
    if elsewhere and not trusted_header and not users:
        faults.append(
            Fault(
                what=f"the desk will not listen on {host} without users, or a sign-in in front of it",
                why="whoever reaches it there would see the names and addresses of owners, and could write under any name",
                remedy="leave out --host; or add users: geonotice user add TOWN NAME --role administrator;"
                " or put the town's sign-in in front and name its header: --trusted-header NAME --public-name HOST",
            )
        )
    if bool(trusted_header) != bool(public_name) and (trusted_header or not users):
        faults.append(
            Fault(
                what="--trusted-header and --public-name belong together: the header in which the sign-in names the user, and the name in the browser's address bar",
                remedy="give both, or neither; where the desk has users of its own, --public-name alone",
            )
        )
    if elsewhere and users and not public_name and (host in _EVERYWHERE or ":" in host):
        faults.append(
            Fault(
                what=f"on {host} the desk cannot tell by which name browsers know it",
                why="a page of another site could pretend to be the desk",
                remedy="give the name in the browser's address bar: --public-name desk.town.example",
            )
        )
    if behind_tls and not public_name:
        faults.append(
            Fault(
                what="--behind-tls needs --public-name: the name that the proxy is reached by",
                remedy="give --public-name desk.town.example, or leave out --behind-tls",
            )
        )
    plain = all(sign.isascii() and (sign.isalnum() or sign == "-") for sign in trusted_header)
    if trusted_header and (not plain or trusted_header.lower() in _NOT_BELIEVED):
        faults.append(
            Fault(what=f"{trusted_header!r} is no header that names a user", remedy="give a name such as X-Remote-User")
        )
    if public_name and not all(sign.isascii() and (sign.isalnum() or sign in "-.:") for sign in public_name):
        faults.append(
            Fault(what=f"{public_name!r} is no host name", remedy="give a name such as desk.town.example, without https://")
        )
    if faults:
        raise UsageError(faults)


def serve(
    place: Path,
    *,
    host: str,
    port: int,
    trusted_header: str = "",
    public_name: str = "",
    behind_tls: bool = False,
    say: "Callable[[str], None]",
) -> None:
    """Open the desk of a town until it is stopped.

    Parameters
    ----------
    place
        The town file, or its folder.
    host, port
        Where to listen; port 0 takes any that is free.
    trusted_header, public_name, behind_tls
        As :class:`geonotice.web.guard.GuardRules`.
    say
        Is told where the desk is.

    Raises
    ------
    UsageError
        The extra is missing, the port is taken, or nobody would sign in.
    StoreError
        The town's layers have not been imported, or have changed since.
    """
    require_extra()
    users = bool(_users(place))
    require_sign_in(host, trusted_header=trusted_header, public_name=public_name, users=users, behind_tls=behind_tls)
    elsewhere = host not in _LOOPBACK
    public_name = public_name or (host if elsewhere else "")
    with open_store(place) as opened:
        name = opened.town.name
    listening = _listen(host, port)
    with listening:
        server = prepare_desk(
            place, listening, trusted_header=trusted_header, public_name=public_name, behind_tls=behind_tls, elsewhere=elsewhere
        )
        bound = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        tls = bool(trusted_header) or behind_tls
        at = public_name if tls else f"{public_name or shown}:{bound}"
        say(f"The desk of {name} is open: {'https' if tls else 'http'}://{at}/")
        where = " on this computer" if not elsewhere and not public_name else ""
        say(f"Open this address in a browser{where}. To close the desk, press Ctrl+C in this window.")
        if elsewhere and not tls:
            say(
                "! Passwords and owners' names cross the network as they are, for others on it to read."
                " Put a proxy that speaks TLS in front, and say so: --behind-tls"
            )
        with suppress(KeyboardInterrupt):  # the server raises it once more when it has closed
            server.run(sockets=[listening])
    say("The desk is closed.")


def _users(place: Path) -> "dict[str, User]":
    from geonotice.workflow.users import list_users

    return list_users(place)


def prepare_desk(
    place: Path,
    listening: socket.socket,
    *,
    trusted_header: str = "",
    public_name: str = "",
    behind_tls: bool = False,
    elsewhere: bool = False,
) -> "uvicorn.Server":
    """Return the server of a desk, ready to run on a socket."""
    import uvicorn

    from geonotice.web.desk import Desk, make_desk
    from geonotice.web.guard import GuardRules

    rules = GuardRules(
        port=listening.getsockname()[1],
        public_name=public_name,
        trusted_header=trusted_header,
        behind_tls=behind_tls,
        sign_in=(elsewhere or bool(public_name)) and not trusted_header,
    )
    app = make_desk(Desk(find_town_file(place).resolve(), rules))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # addresses hold what was searched
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_MOST_AT_ONCE,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)  # a browser that comes before the server runs waits, and is not refused
    except (OSError, OverflowError) as error:
        made.close()
        said = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            Fault(
                what=f"the desk cannot listen on {host}, port {port}: {said}",
                remedy="another desk may be open already; else take another port: --port 8743",
            )
        ) from error
    return made
