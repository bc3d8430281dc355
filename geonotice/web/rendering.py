"""Pages from templates: everything escaped, nothing left undefined; and the page that tells an error."""

import json
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse

from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.errors import GeonoticeError
from geonotice.io.palette import HATCHES, PAINTS
from geonotice.packet.sentences import count
from geonotice.web.desk import desk_of, session_of
from geonotice.web.forms_and_uploads import plain
from geonotice.web.roles_and_sessions import may, who_may

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from jinja2 import Environment
    from starlette.requests import Request
    from starlette.responses import Response

    from geonotice.errors import Fault

__all__ = ["correction_link", "error_page", "for_htmx", "fragment", "local_path", "page", "property_link", "see_other"]

_PAINTED = (
    "premises", "abutting", "corner", "opposite", "within", "common_land", "near_miss", "lots", "right_of_way", "railroad", "water_parcel",
    "streets", "railroads", "water", "municipalities", "zoning", "radius",
    "one_left", "setback_line", "drawn", "parking", "parades", "chosen",
)  # fmt: skip


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("geonotice.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {
        "calendar_day": _calendar_day,
        "moment": _moment,
        "in_words": in_words,
        "data": _data,
        "told": lambda fault: str(plain(fault)),
    }
    made.globals |= {
        "count": count,
        "correction_link": correction_link,
        "property_link": property_link,
        "paints": _paints(),
        "who_may": who_may,
    }
    return made


def _calendar_day(day: "date | None") -> str:
    return calendar_day(day) if day else ""


def _moment(value: "date") -> str:
    """Return a day, with its hour where that is known, as New York writes both."""
    if not isinstance(value, datetime):
        return calendar_day(value)
    return f"{calendar_day(value.date())}, {value.hour % 12 or 12}:{value.minute:02d} {'a.m.' if value.hour < 12 else 'p.m.'}"  # noqa: PLR2004  # noon


def _data(value: Any) -> Markup:  # noqa: ANN401  # any JSON value
    """Return JSON that can stand inside a script element that is data: no sign in it can end the element."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704  # nothing in it is markup any more


def _paints() -> dict[str, dict[str, Any]]:
    """Return the palette as a canvas takes it: a hatch by its ground, since a canvas has none."""
    return {
        name: {
            "color": paint.stroke,
            "weight": paint.weight,
            "fill": HATCHES[paint.hatch].ground if paint.hatch else paint.fill,
            "opacity": paint.opacity,
            "dash": paint.dash,
        }
        for name in _PAINTED
        for paint in (PAINTS[name],)
    }


def property_link(number: str) -> str:
    """Return where the page of a property is."""
    return "/property?" + urlencode({"parcel": number})


def correction_link(number: str, back: str) -> str:
    """Return where a parcel is put right; ``back`` is where to go on from there."""
    return "/correct?" + urlencode({"parcel": number, "back": back})


def for_htmx(request: "Request") -> bool:
    """Return whether a part of a page is asked for, and not a page."""
    return request.headers.get("hx-request") == "true"


def page(request: "Request", template: str, *, status: int = 200, town: str = "", **values: Any) -> "Response":  # noqa: ANN401  # whatever the template takes
    """Return a page; ``town`` is the town's name in its head."""
    session = session_of(request)
    shown = {
        "town": town or "geonotice",
        "session": session,
        "path": request.url.path,
        "here": _here(request),
        "said": session.told(),
        "may": lambda place, method="POST": may(session.role, method, place),
    }
    return HTMLResponse(_environment().get_template(template).render(**shown, **values), status_code=status)


def fragment(template: str, **values: Any) -> "Response":  # noqa: ANN401  # whatever the template takes
    """Return a part of a page."""
    return HTMLResponse(_environment().get_template(template).render(**values))


def _here(request: "Request") -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "") if request.method == "GET" else "/"


def see_other(place: str) -> "Response":
    """Send the browser to another page of the desk, to be asked for anew."""
    return RedirectResponse(place, status_code=303)


def local_path(given: str) -> str:
    r"""Return where to go next, where that is a page of the desk; its first page for anything else.

    Examples
    --------
    >>> local_path("/notice?parcel=1"), local_path("//elsewhere.example"), local_path("/\\elsewhere.example"), local_path("https://x")
    ('/notice?parcel=1', '/', '/', '/')
    """
    try:
        parts = urlsplit(given)
    except ValueError:
        return "/"
    plain = given.isascii() and given.isprintable() and "\\" not in given
    return (
        given if plain and given.startswith("/") and not given.startswith("//") and not parts.scheme and not parts.netloc else "/"
    )


def error_page(request: "Request", faults: "Sequence[Fault]", *, status: int) -> "Response":
    """Return a page that tells what is wrong; as JSON where a script asked, as a part where a page asked for one."""
    faults = [plain(fault) for fault in faults]
    if request.url.path.startswith("/api/"):
        return JSONResponse({"faults": [str(fault) for fault in faults]}, status_code=status)
    if for_htmx(request):
        return fragment("faults.html", faults=faults, links={})
    town = ""
    try:
        with desk_of(request).open() as opened:
            town = opened.town.name
    except GeonoticeError:  # the town itself may be what is wrong
        pass
    return page(request, "error.html", status=status, town=town, faults=faults)
