"""What the maps are drawn from: plain values and shapely geometries, all in the town's CRS."""

from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.model import Recipient, ResultWarning

__all__ = [
    "CapState",
    "EventConflict",
    "EventLand",
    "EventLot",
    "EventParade",
    "EventParcel",
    "EventPermit",
    "EvidenceLine",
    "MapFeature",
    "MapLayers",
    "MapNotice",
    "MapParcel",
    "MapYear",
    "ParcelStatus",
]


ParcelStatus = Literal["premises", "notified", "near_miss", "context"]


class MapParcel(Struct, frozen=True, kw_only=True):
    """A parcel on a notice map.

    Parameters
    ----------
    fid
        The parcel's key in the store.
    id
        Its tax map number, as lists print it.
    geometry
        Its outline, in the town's CRS.
    situs
        The property's own address.
    owners
        Names of the owners of record, one a line; drawn on the staff's map only.
    relation
        How it stands to the premises: ``abutting``, ``corner``, ``opposite`` or ``within``; empty for the premises and the others.
    distance_ft
        Distance to the premises, in US survey feet.
    reasons
        Why it is on the list: each a rule with the clause's words, or why it is a near miss.
    review
        Codes of what a person should look at.
    status
        What the list makes of it; ``context`` is drawn for orientation only.
    also
        The other relations that hold.
    role
        ``lot``, ``right_of_way``, ``railroad`` or ``water``.
    """

    fid: int
    id: str
    geometry: "BaseGeometry"
    situs: str = ""
    owners: tuple[str, ...] = ()
    relation: str = ""
    distance_ft: float | None = None
    reasons: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    status: ParcelStatus = "context"
    also: tuple[str, ...] = ()
    role: str = "lot"


class MapFeature(Struct, frozen=True, kw_only=True):
    """A feature of a background layer: a street, a district, a municipality; ``detail`` is what its pop-up adds to the label."""

    geometry: "BaseGeometry"
    label: str = ""
    detail: str = ""


class MapLayers(Struct, frozen=True, kw_only=True):
    """The town's other layers, as far as the town has them and the map shows them."""

    streets: tuple[MapFeature, ...] = ()
    railroads: tuple[MapFeature, ...] = ()
    water: tuple[MapFeature, ...] = ()
    municipalities: tuple[MapFeature, ...] = ()
    zoning: tuple[MapFeature, ...] = ()


class EvidenceLine(Struct, frozen=True, kw_only=True):
    """What a finding rests on, drawn: a line, a point or an area.

    ``kind`` is one of ``extension`` (a lot line extended across a right-of-way), ``across`` (straight over it to what is opposite),
    ``straight_across`` (straight over it to what the extended lot lines do not meet), ``shared_run`` (the run of lot line two parcels share), ``corner`` (where they only touch), ``frontage``, ``nearest`` (the two
    nearest points), ``boundary`` (the way to a municipal boundary), ``sign`` (where a sign goes), ``area`` (the part of the premises
    that the event uses). Another kind is drawn plainly, under its own name.
    """

    kind: str
    geometry: "BaseGeometry"
    label: str = ""


class MapNotice(Struct, frozen=True, kw_only=True):
    """One notice list, as its map shows it.

    Parameters
    ----------
    town
        The town's name.
    title
        What the notice is for, in words: ``Hearing on October 20, 2026``.
    premises
        The premises in words: tax map numbers and address.
    crs
        The CRS of all geometries (``EPSG:2261``), in feet.
    parcels
        The premises, the notified, the near misses, and neighbours for orientation.
    radius_ft
        The distance that the law asks for, drawn as a ring; None where it asks for none.
    evidence
        What the findings rest on.
    warnings
        The warnings of the result.
    sources
        One line a source: layer, file, date.
    subtitle
        Further lines of the title box, such as the ordinance and the date of the list.
    recipients
        All recipients of the list: their numbers label the parcels that they are notified for. On the staff's map only.
    """

    town: str
    title: str
    premises: str
    crs: str
    parcels: tuple[MapParcel, ...]
    radius_ft: float | None = None
    evidence: tuple[EvidenceLine, ...] = ()
    warnings: "tuple[ResultWarning, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()
    recipients: "tuple[Recipient, ...]" = ()


# ---- the event map: a year's permits, the parcels they are on, and every lot


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
    days
        The days on which it is held, where these are not all from ``starts`` to ``ends``: three Saturdays.
    title
        What the event is called; a map whose titles are private has none.
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
    days: tuple[date, ...] = ()
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


class EventLand(Struct, frozen=True, kw_only=True):
    """What is left of a year's permits on a lot; many lots without a permit have the same answer.

    Parameters
    ----------
    zone
        Its districts and their class, in words: ``R-40, residential``.
    used
        How many count in the year.
    cap
        How many there may be; None where no cap applies.
    left
        How many more there could be for any applicant; None where no cap applies or it is not known.
    why, why_in_public
        The answer in a sentence, with its citation; ``why_in_public`` where the public is not told all of it.
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
    note
        What else to know of where it lies: in a village, in another town, no lot but a street.
    """

    zone: str = ""
    used: int = 0
    cap: int | None = None
    left: int | None = None
    why: str = ""
    why_in_public: str = ""
    night_left: int | None = None
    charity_left: bool = False
    exempt: bool = False
    uncapped: bool = False
    decide: bool = False
    next_date: date | None = None
    note: str = ""

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


class EventParcel(EventLand, frozen=True, kw_only=True):
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
    """

    fid: int
    id: str
    geometry: "BaseGeometry"
    situs: str = ""
    owners: tuple[str, ...] = ()


class EventParade(Struct, frozen=True, kw_only=True):
    """A parade: its route as a line in the town's CRS, and its days; ``title`` as of a permit."""

    number: str
    title: str
    geometry: "BaseGeometry"
    starts: date | None
    ends: date | None = None
    days: tuple[date, ...] = ()
    detail: str = ""


class EventConflict(Struct, frozen=True, kw_only=True):
    """Permits whose events are near each other in place and time, and how near, in words; on the staff's map only."""

    permits: tuple[str, ...]
    text: str


class EventLot(NamedTuple):
    """A lot of the town, drawn, found and clicked: ``land`` is the place of its answer in :attr:`MapYear.lands`; ``also`` are its other numbers."""

    fid: int
    id: str
    geometry: "BaseGeometry"
    situs: str = ""
    owners: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    land: int = 0


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
    lots, lands
        Every lot of the town, and what is left on those without a permit.
    parades, conflicts
        As the register has them.
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
    lots: tuple[EventLot, ...] = ()
    lands: tuple[EventLand, ...] = ()
    parades: tuple[EventParade, ...] = ()
    conflicts: tuple[EventConflict, ...] = ()
    neighbours: "tuple[MapFeature, ...]" = ()
    boundary_ft: float | None = None
    warnings: "tuple[ResultWarning, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()
