"""What the event map is drawn from: a year's permits, the parcels they are on, and a line for every parcel."""

import base64
import zlib
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.layers import Projector
    from geonotice.maps.notice_map_data import MapFeature
    from geonotice.model import ResultWarning


__all__ = [
    "COLUMN",
    "LINE",
    "CapState",
    "EventConflict",
    "EventParade",
    "EventParcel",
    "EventPermit",
    "MapYear",
    "SearchRow",
    "encode_index",
]


COLUMN = "\x1d"
LINE = "\x1e"
_OWNER = "\x1f"
STEPS_PER_DEGREE = 100_000
"""Of the places: a step is about 3.6 ft, enough to point at a parcel."""


def encode_index(rows: "Sequence[SearchRow]", projector: "Projector", *, public: bool, drawn: "dict[int, int]") -> str:
    """Return the rows as base64 text.

    Parameters
    ----------
    rows
        The parcels, in any order.
    projector
        From the town's CRS.
    public
        Leave the owners out.
    drawn
        Number on the map of the parcels that have a shape there, by ``fid``: such a row leads to its shape.

    Returns
    -------
        Columns parted by :data:`COLUMN`: numbers, addresses, owners, latitudes, longitudes (whole steps, each from the one before),
        numbers on the map (empty where there is none), other numbers of the parcel; lines in a column are parted by :data:`LINE`.
    """
    ordered = sorted(rows, key=lambda row: (row.id, row.fid))
    if not ordered:
        return ""
    places = projector.places(np.array([(row.x, row.y) for row in ordered], dtype=float))
    steps = np.rint(places * STEPS_PER_DEGREE).astype(np.int64)
    change = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    columns = (
        (_word(row.id) for row in ordered),
        (_word(row.situs) for row in ordered),
        ("" if public else _OWNER.join(_word(name) for name in row.owners) for row in ordered),
        (str(value) for value in change[:, 1].tolist()),
        (str(value) for value in change[:, 0].tolist()),
        (str(drawn[row.fid]) if row.fid in drawn else "" for row in ordered),
        (_OWNER.join(_word(number) for number in row.also) for row in ordered),
    )
    text = COLUMN.join(LINE.join(column) for column in columns)
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 6)).decode("ascii")


_PARTING = {ord(sign): " " for sign in (COLUMN, LINE, _OWNER)}


def _word(text: str) -> str:
    """Keep the signs that part lines and columns out of the words."""
    return text if text.isprintable() else text.translate(_PARTING)


CapState = Literal["full", "charity", "last", "open", "decide", "exempt"]


class EventPermit(Struct, frozen=True, kw_only=True):
    """A permit of the year.

    Parameters
    ----------
    number
        The permit's number.
    kind
        What for, as the event file words it (``music_festival``).
    parcels
        ``fid`` of each parcel it is on.
    starts, ends
        First and last day; None is unknown, and without ``ends`` it lasts one day.
    title
        What the event is called.
    applicant
        Who asked for it; on the staff's map only.
    status
        ``issued``, ``rescinded`` or ``void``.
    night, charitable
        None is unknown.
    persons, distinct_events, issued
        As the register has them.
    override
        The official's reason for issuing it past the cap: in red ever after. The public's map says only that it was.
    note
        What else to say, such as the old number that it was recorded on; on the staff's map only.
    """

    number: str
    kind: str
    parcels: tuple[int, ...]
    starts: date | None
    ends: date | None = None
    title: str = ""
    applicant: str = ""
    status: Literal["issued", "rescinded", "void"] = "issued"
    night: bool | None = None
    charitable: bool | None = None
    persons: int | None = None
    distinct_events: int = 1
    issued: date | None = None
    override: str = ""
    note: str = ""


class EventParcel(Struct, frozen=True, kw_only=True):
    """A parcel with permits in the year.

    Parameters
    ----------
    fid
        Its key in the store.
    id
        Its tax map number.
    geometry
        Its outline in the town's CRS.
    situs
        Its own address.
    owners
        Names of the owners of record; on the staff's map only.
    zone
        Its districts and their class, in words: ``R-40, residential``.
    used
        How many count in the year.
    cap
        How many there may be; None where no cap applies.
    left
        How many more there could be for any applicant; None where no cap applies or it is not known.
    why
        The answer in a sentence, with its citation.
    night_left
        How many more at night; None where nights are not counted apart.
    charity_left
        Whether none is left but one for a charity that the event primarily benefits.
    exempt
        Whether its owner is exempt from the caps.
    uncapped
        Whether the ordinance sets no cap at all.
    decide
        Whether a person must answer something before it can be said.
    next_date
        Where none is left, the first day on which a permit could be issued or an event be held.
    """

    fid: int
    id: str
    geometry: "BaseGeometry"
    situs: str = ""
    owners: tuple[str, ...] = ()
    zone: str = ""
    used: int = 0
    cap: int | None = None
    left: int | None = None
    why: str = ""
    night_left: int | None = None
    charity_left: bool = False
    exempt: bool = False
    uncapped: bool = False
    decide: bool = False
    next_date: date | None = None

    @property
    def state(self) -> CapState:
        """What the map's colours, hatches and badges tell: what is left."""
        if self.decide:
            return "decide"
        if self.exempt or self.uncapped:
            return "exempt"
        if self.left is None:
            return "decide"
        if self.left == 0:
            return "charity" if self.charity_left else "full"
        return "last" if self.left == 1 else "open"


class EventParade(Struct, frozen=True, kw_only=True):
    """A parade: its route as a line in the town's CRS, and its days."""

    number: str
    title: str
    geometry: "BaseGeometry"
    starts: date | None
    ends: date | None = None
    detail: str = ""


class EventConflict(Struct, frozen=True, kw_only=True):
    """Permits whose events are near each other in place and time, and how near, in words; on the staff's map only."""

    permits: tuple[str, ...]
    text: str


class SearchRow(NamedTuple):
    """A parcel to be found by number, address or owner; ``x`` and ``y`` lie on it, in the town's CRS; ``also`` are its other numbers."""

    fid: int
    id: str
    situs: str
    owners: tuple[str, ...]
    x: float
    y: float
    also: tuple[str, ...] = ()


class MapYear(Struct, frozen=True, kw_only=True):
    """A year of events, as its map shows it.

    Parameters
    ----------
    town
        The town's name.
    year
        The calendar year.
    on
        Today: what is left is as of then, and the map opens on its week; in another year on the first week with something on.
    crs
        The CRS of all geometries, in feet.
    parcels
        Those with permits in the year.
    permits
        The year's permits.
    rows
        Every parcel of the town, for the search.
    parades, conflicts
        As the register has them.
    lots
        Outlines of all lots for orientation, in a small town; with more corners than
        :data:`geonotice.maps.event_map.MOST_LOT_POINTS` they are left out, and the map says so.
    neighbours
        The other municipalities, villages inside the town included: the line at ``boundary_ft`` from them is drawn.
    boundary_ft
        The distance from other municipalities within which the law asks for notice to their clerks; None where it asks for none.
    warnings, sources, subtitle
        As on the notice map.
    """

    town: str
    year: int
    on: date
    crs: str
    parcels: tuple[EventParcel, ...] = ()
    permits: tuple[EventPermit, ...] = ()
    rows: tuple[SearchRow, ...] = ()
    parades: tuple[EventParade, ...] = ()
    conflicts: tuple[EventConflict, ...] = ()
    lots: "tuple[BaseGeometry, ...]" = ()
    neighbours: "tuple[MapFeature, ...]" = ()
    boundary_ft: float | None = None
    warnings: "tuple[ResultWarning, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()
