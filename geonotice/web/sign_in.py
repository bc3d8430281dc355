"""Who writes: on one's own machine the desk asks for a name for the log before the first write, in the page."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.errors import Fault
from geonotice.web.desk import desk_of, fields_of, session_of
from geonotice.web.rendering import local_path, page, see_other

__all__ = ["name_faults", "router", "who_first"]

router = APIRouter()

_LONGEST = 100
"""Characters of a name: it stands in the log, and on papers."""


def who_first(place: str) -> Response:
    """Send the browser to the page that asks for a name, and back to ``place`` from there."""
    from urllib.parse import urlencode

    return see_other("/who?" + urlencode({"next": local_path(place)}))


@router.get("/who")
def ask(request: Request) -> Response:
    """Ask for the name."""
    with desk_of(request).open() as opened:
        town = opened.town.name
    return _page(request, town, place=local_path(request.query_params.get("next", "/")))


@router.post("/who")
def take(request: Request) -> Response:
    """Take the name, and go on."""
    given = fields_of(request)
    place = local_path(given.get("next", ["/"])[0])
    if desk_of(request).rules.trusted_header:  # the name is that of the sign-in in front
        return see_other(place)
    faults = name_faults(request, given.get("name", [""])[0])
    if not faults:
        return see_other(place)
    with desk_of(request).open() as opened:
        town = opened.town.name
    return _page(request, town, place=place, status=400, faults=faults)


def name_faults(request: Request, text: str, *, key: str = "name") -> tuple[Fault, ...]:
    """Take a name for the log into the session, or return what is wrong with it; ``key`` is its field."""
    name = " ".join(text.split())
    if name and len(name) <= _LONGEST and name.isprintable():
        session_of(request).name = name
        return ()
    what = (
        "no name is given"
        if not name
        else f"the name is longer than {_LONGEST} letters, or has signs in it that cannot be printed"
    )
    return (Fault(what=what, remedy="type your name as it should stand in the log", key=key),)


def _page(request: Request, town: str, *, place: str, status: int = 200, faults: tuple[Fault, ...] = ()) -> Response:
    fixed = bool(desk_of(request).rules.trusted_header)
    return page(request, "who.html", status=status, town=town, next=place, faults=faults, fixed=fixed)
