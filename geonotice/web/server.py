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

__all__ = ["prepare_desk", "require_extra", "require_sign_in", "serve"]

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
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


def require_sign_in(host: str, *, trusted_header: str, public_name: str) -> None:
    """Refuse to listen where others reach the desk and nobody signs in.

    Raises
    ------
    UsageError
        Nobody would sign in, or the options cannot be meant; all of it at once.
    """
    faults = []
    if host not in _LOOPBACK and not trusted_header:
        faults.append(
            Fault(
                what=f"the desk will not listen on {host} without a sign-in in front of it",
                why="whoever reaches it there would see the names and addresses of owners, and could write under any name",
                remedy="leave out --host, or put the town's sign-in in front and name its header: --trusted-header NAME --public-name HOST",
            )
        )
    if bool(trusted_header) != bool(public_name):
        faults.append(
            Fault(
                what="--trusted-header and --public-name belong together: the header in which the sign-in names the user, and the name in the browser's address bar",
                remedy="give both, or neither",
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
    place: Path, *, host: str, port: int, trusted_header: str = "", public_name: str = "", say: "Callable[[str], None]"
) -> None:
    """Open the desk of a town until it is stopped.

    Parameters
    ----------
    place
        The town file, or its folder.
    host, port
        Where to listen; port 0 takes any that is free.
    trusted_header, public_name
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
    require_sign_in(host, trusted_header=trusted_header, public_name=public_name)
    require_extra()
    with open_store(place) as opened:
        name = opened.town.name
    listening = _listen(host, port)
    with listening:
        server = prepare_desk(place, listening, trusted_header=trusted_header, public_name=public_name)
        bound = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        say(f"The desk of {name} is open: http://{public_name or f'{shown}:{bound}'}/")
        say("Open this address in a browser on this computer. To close the desk, press Ctrl+C in this window.")
        with suppress(KeyboardInterrupt):  # the server raises it once more when it has closed
            server.run(sockets=[listening])
    say("The desk is closed.")


def prepare_desk(place: Path, listening: socket.socket, *, trusted_header: str = "", public_name: str = "") -> "uvicorn.Server":
    """Return the server of a desk, ready to run on a socket."""
    import uvicorn

    from geonotice.web.desk import Desk, make_desk
    from geonotice.web.guard import GuardRules

    rules = GuardRules(port=listening.getsockname()[1], public_name=public_name, trusted_header=trusted_header)
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
