"""An application that is filled in on a page: checked as it stands, with what is drawn on the map, and filed as an event file with its drawing beside it."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.errors import EventFileError, Fault, GeonoticeError, UsageError
from geonotice.io.output_files import write_file, write_folder
from geonotice.workflow.applications import Filing, event_of_data, file_application, receive
from geonotice.workflow.permit_request import FiledEvent, PermitRequestOptions, read_request

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.config.application import Event
    from geonotice.model import ResultWarning
    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication, Writer
    from geonotice.register.session import Register
    from geonotice.register.values import PermitCheck
    from geonotice.workflow.check_event import Checked

__all__ = [
    "DraftCheck",
    "Sketch",
    "check_draft",
    "event_toml",
    "file_draft",
    "last_stated",
    "read_sketch",
    "sketch_of_file",
    "write_amended",
]

LAYOUT, ROUTE = "layout.gpkg", "route.gpkg"
"""What the drawings of an application are called beside its event file."""
FOLDER = "applications"
"""The folder beside the town file in which the desk keeps what was filed there: a folder for each, with its event file and its drawings."""
_MOST_SHAPES = 200
_MOST_POINTS = 5_000
_LEAST_POINTS = 3

Sketch = tuple[tuple[str, "BaseGeometry"], ...]
"""What is drawn: what each thing is, and its shape in the town's CRS."""


class DraftCheck(Struct, frozen=True, eq=False):
    """What is known of an application that is being filled in.

    ``faults`` are values that cannot be; ``checked`` is the check of the event, None while no parcel and no route is named; ``permit`` adds the caps,
    None while the first day is not given.
    """

    faults: tuple[Fault, ...] = ()
    checked: "Checked | None" = None
    permit: "PermitCheck | None" = None


def read_sketch(text: str, *, lines: bool = False) -> Sketch:
    """Read what a page's map has drawn: a list of ``{"what": …, "points": [[x, y], …]}`` in the town's CRS, in feet; empty text is nothing drawn.

    Parameters
    ----------
    text
        JSON.
    lines
        Whether ways are drawn and not areas.

    Raises
    ------
    UsageError
        It is none, or more than anybody draws.
    """
    import shapely

    if not text.strip():
        return ()
    try:
        listed = json.loads(text)
        things = [(str(one["what"]).strip()[:100], [(float(x), float(y)) for x, y in one["points"]]) for one in listed]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(Fault(what="the drawing cannot be read", remedy="load the page again, and draw it once more")) from error
    points = [one for _, found in things for one in found]
    if len(things) > _MOST_SHAPES or len(points) > _MOST_POINTS:
        what = f"the drawing has {len(things):,} shapes and {len(points):,} corners"
        raise UsageError(Fault(what=what, remedy=f"draw {_MOST_SHAPES} shapes with {_MOST_POINTS:,} corners at most"))
    short = 2 if lines else _LEAST_POINTS
    if not all(isfinite(value) for one in points for value in one) or any(len(found) < short for _, found in things):
        raise UsageError(Fault(what="the drawing has a shape without corners", remedy="take it out, and draw it once more"))
    make = shapely.LineString if lines else shapely.Polygon
    return tuple((what or "structure", make(found)) for what, found in things)


def sketch_of_file(opened: "Opened", event: "Event", folder: Path) -> tuple[str, str]:
    """Return the drawing and the route of an event as a page's map takes them, for :func:`read_sketch`; empty where there is none.

    Raises
    ------
    EventFileError
        They cannot be read.
    """
    from geonotice.facts.premises import gather_event

    if not (event.premises.layout or event.parade.route) or not (event.premises.parcels or event.parade.route):
        return "", ""
    gathered = gather_event(opened, event, folder=folder, sunset_too=False)
    route = [("route", part) for part in _parts(gathered.route.line)] if gathered.route else []
    return _sketch_text([(what, part) for what, shape in gathered.layout for part in _parts(shape)]), _sketch_text(route)


def _parts(shape: "BaseGeometry") -> "list[BaseGeometry]":
    import shapely

    return list(shapely.get_parts(shape))


def _sketch_text(things: "Iterable[tuple[str, BaseGeometry]]") -> str:
    """Write shapes as a page's map takes them: areas without holes and lines; a point is no drawing to go on with."""
    made = []
    for what, shape in things:
        ring = list(_outline(shape))
        if len(ring) > 1:
            made.append({"what": what, "points": [[round(x, 2), round(y, 2)] for x, y, *_ in ring]})
    return json.dumps(made) if made else ""


def _outline(shape: "BaseGeometry") -> Iterable[tuple[float, ...]]:
    import shapely

    if isinstance(shape, shapely.Polygon):
        return shape.exterior.coords[:-1]
    return shape.coords if isinstance(shape, shapely.LineString) else ()


def _drawings(opened: "Opened", layout: Sketch, route: Sketch, *, on: date) -> dict[str, bytes]:
    """Return the files of what is drawn, by name."""
    files: dict[str, bytes] = {}
    for name, table, things in ((LAYOUT, "layout", layout), (ROUTE, "route", route)):
        if things:
            files[name] = _gpkg(opened, table, things, on=on)
    return files


def _gpkg(opened: "Opened", table: str, things: Sketch, *, on: date) -> bytes:
    import shapely

    from geonotice.io.gpkg import srs_of, write_gpkg

    with TemporaryDirectory() as folder:
        file = Path(folder) / "drawn.gpkg"
        write_gpkg(
            file,
            {table: (("what",), [((what,), shapely.to_wkb(shape)) for what, shape in things])},
            srs=srs_of(opened.crs, opened.store.path, table="parcels"),
            changed=f"{on.isoformat()}T00:00:00.000Z",
            bounds=lambda wkb: shapely.from_wkb(wkb).bounds,
        )
        return file.read_bytes()


def _with_drawings(data: Mapping[str, Any], layout: Sketch, route: Sketch) -> dict[str, Any]:
    """Return what is stated, with the names of its drawings put in."""
    made = {name: dict(table) for name, table in data.items()}
    for table, key, file, drawn in (("premises", "layout", LAYOUT, layout), ("parade", "route", ROUTE, route)):
        if drawn:
            made.setdefault(table, {})[key] = file
    return made


def check_draft(
    opened: "Opened", register: "Register", data: Mapping[str, Any], *, layout: Sketch = (), route: Sketch = (), on: date
) -> DraftCheck:
    """Check an application as far as it is filled in: as ``check`` does, and as ``permit check`` does once its first day is known.

    Parameters
    ----------
    data
        What it states, in the form of an event file.
    layout, route
        What is drawn.
    on
        The date that is taken as today, and the day on which it would be filed.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    from geonotice.workflow.check_event import check_measured
    from geonotice.workflow.permits import check_permit

    stated = _with_drawings(data, layout, route)
    stated.setdefault("event", {}).setdefault("filed", on.isoformat())
    try:
        event = event_of_data(stated, "")
    except EventFileError as error:
        return DraftCheck(tuple(error.faults))
    if not event.premises.parcels and event.event.kind != "parade":
        return DraftCheck()
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, content in _drawings(opened, layout, route, on=on).items():
            write_file(folder / name, content)
        checked = permit = None
        try:
            checked = check_measured(opened, event, on=on, file="this form", folder=folder)
            if event.event.first_day is not None:
                asked = read_request(opened, PermitRequestOptions(filed=FiledEvent(event, "this form", folder)))
                permit = check_permit(opened, register, asked, on=on)
        except (EventFileError, UsageError) as error:
            return DraftCheck(tuple(error.faults), checked)
    return DraftCheck((), checked, permit)


def file_draft(
    opened: "Opened",
    register: "Register",
    data: Mapping[str, Any],
    *,
    layout: Sketch = (),
    route: Sketch = (),
    number: str = "",
    on: date,
    writer: "Writer",
) -> "tuple[FiledApplication, tuple[ResultWarning, ...]]":
    """File an application that was filled in, or with ``number`` put it in the place of what that application states; result as for :func:`file_application`.

    Its event file and its drawings are written into a folder of their own beside the town file, as an applicant would have handed them in.

    Raises
    ------
    EventFileError
        It has faults; all of them at once. Nothing was filed.
    UsageError
        A parcel is not found, or the application was decided by now.
    OutputError
        The folder cannot be written.
    RegisterError
        The database refuses; nothing was written.
    """
    stated = _with_drawings(data, layout, route)
    event_of_data(stated, "")
    title = str(stated.get("event", {}).get("title") or "An application")
    files = {"event.toml": event_toml(stated, title=title).encode(), **_drawings(opened, layout, route, on=on)}
    folder = opened.town.folder / FOLDER / f"{on.isoformat()}-{secrets.token_hex(4)}"
    folder.parent.mkdir(exist_ok=True)
    write_folder(files, folder)
    filing = Filing(event=folder / "event.toml")
    try:
        if number:
            return receive(opened, register, number, filing, on=on, writer=writer)
        return file_application(opened, register, filing, on=on, writer=writer)
    except GeonoticeError:
        # Nothing was filed: what was written for it is nobody's.
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        raise


_AMENDED = "amendment"
"""What the folder of an amendment that was drawn begins with, among those of the applications."""


def _amended_folder(number: str) -> str:
    """Return how the folders of a permit's amendments begin; the hash keeps apart numbers that differ in signs which no folder takes."""
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in number)[:40]
    return f"{_AMENDED}-{plain}-{hashlib.sha256(number.encode()).hexdigest()[:8]}-"


def write_amended(
    opened: "Opened",
    data: Mapping[str, Any],
    layout: Sketch,
    route: Sketch,
    *,
    number: str,
    now: datetime,
    folder: Path | None = None,
) -> Path:
    """Write the event of a permit as it is to be, with its drawings, and return the event file: in a folder beside the applications, or in ``folder``.

    Raises
    ------
    EventFileError
        It has faults; all of them at once. Nothing was written.
    OutputError
        It cannot be written.
    """
    stated = _with_drawings(data, layout, route)
    event_of_data(stated, "")
    title = str(stated.get("event", {}).get("title") or "An amendment")
    files = {"event.toml": event_toml(stated, title=title).encode(), **_drawings(opened, layout, route, on=now.date())}
    if folder is None:
        folder = opened.town.folder / FOLDER / f"{_amended_folder(number)}{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    folder.parent.mkdir(exist_ok=True)
    write_folder(files, folder)
    return folder / "event.toml"


def last_stated(
    opened: "Opened", filed: "FiledApplication", number: str, *, without: Path | None = None
) -> "tuple[Mapping[str, Any], Event, Path]":
    """Return what was stated last of a permit's event: by its last amendment that was drawn, else by its application; with the folder of its drawings.

    ``without`` is an event file that does not count: that of an amendment which is not made yet.

    Raises
    ------
    EventFileError
        It cannot be read.
    """
    from geonotice.workflow.applications import event_of, read_event_data

    files = sorted((opened.town.folder / FOLDER).glob(f"{_amended_folder(number)}*/event.toml"))
    drawn = [file for file in files if without is None or file.resolve() != without.resolve()]
    if not drawn:
        event = event_of(filed)
        return filed.event, event.event, event.folder
    data = read_event_data(drawn[-1])
    return data, event_of_data(data, str(drawn[-1])), drawn[-1].parent


def event_toml(data: Mapping[str, Any], *, title: str) -> str:
    r"""Write what an application states as an event file; days and hours as text, which an event file may have.

    Examples
    --------
    >>> print(event_toml({"event": {"title": 'A "fair"', "night": False}, "site": {"tents": [{"up": "2027-06-14"}]}}, title="A fair"))
    # A fair. Filled in at the desk.
    <BLANKLINE>
    [event]
    title = "A \"fair\""
    night = false
    <BLANKLINE>
    [site]
    tents = [{ up = "2027-06-14" }]
    <BLANKLINE>
    """
    lines = [f"# {' '.join(title.split())}. Filled in at the desk."]
    for table, answers in data.items():
        if answers:
            lines += ["", f"[{table}]", *(f"{key} = {_toml(value)}" for key, value in answers.items())]
    return "\n".join([*lines, ""])


def _toml(value: Any) -> str:  # noqa: ANN401  # any value of an event file
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(item)}' for key, item in value.items())} }}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(_toml(item) for item in value)}]"
    # A text of JSON is one of TOML, but for the sign that TOML alone wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
