"""A year of permits as plain values, for the event map and its lists."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, CapRequest
from geonotice.decide.caps import cap, exempt_owner
from geonotice.decide.season import Conflict, Nearness
from geonotice.errors import UsageError
from geonotice.model import ResultWarning
from geonotice.register.conflicts import DEFAULT_NEARNESS, conflicts_between
from geonotice.register.counting import DEFAULT_SLIVERS
from geonotice.register.land_history import Slivers, history_of
from geonotice.register.parcel_changes import parcels_today
from geonotice.register.permits import list_permits
from geonotice.register.values import Land, Permit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.store import Store

__all__ = ["EventYear", "YearParcel", "YearPermit", "event_year"]


class YearParcel(Struct, frozen=True, kw_only=True):
    """A parcel of today with permits in the year.

    Parameters
    ----------
    parcel, land
        The parcel as the store has it, and its zone and shape.
    permits
        Numbers of the year's permits on its land, those that do not count included.
    used, cap
        How many count in the year, and how many there may be for any applicant; None where no cap applies.
    left
        How many more there could be for any applicant; None where no cap applies, or where it is not known.
    night_left
        How many more at night; None where nights are not counted apart.
    charity_left
        Whether none is left but one for a charity that the event primarily benefits.
    exempt
        Whether the last permit that names the owner names one that is exempt.
    decide
        Whether a person must answer something before it can be said: the zone, a date of the record.
    why
        The answer in a sentence.
    next_date
        Where none is left: the first day on which a permit could be issued, or an event held.
    recorded_as
        Earlier numbers of the land that permits were issued on.
    """

    parcel: "Parcel"
    land: Land
    permits: tuple[str, ...]
    used: int = 0
    cap: int | None = None
    left: int | None = None
    night_left: int | None = None
    charity_left: bool = False
    exempt: bool = False
    decide: bool = False
    why: str = ""
    citation: str = ""
    next_date: date | None = None
    recorded_as: tuple[str, ...] = ()


class YearPermit(Struct, frozen=True, kw_only=True):
    """A permit of the year, and the ``fid`` of the parcels of today that have its land."""

    permit: Permit
    fids: tuple[int, ...]


class EventYear(Struct, frozen=True, kw_only=True):
    """A year of permits.

    Parameters
    ----------
    permits
        Issued in the year or with an event in it, by the first day of the event.
    parcels
        The parcels of today that have their land.
    this_week
        Numbers of the permits with an event in the week (Monday to Sunday) of the day given; rescinded and void ones left out.
    at_the_cap
        Ids of the parcels on which nobody, or nobody but a charity, may have a further one this year.
    conflicts
        Events of the year that are in each other's way.
    warnings
        Permits that are on no parcel of today, numbers that stand for other land now.
    """

    year: int
    on: date
    permits: tuple[YearPermit, ...]
    parcels: tuple[YearParcel, ...]
    this_week: tuple[str, ...]
    at_the_cap: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    warnings: tuple[ResultWarning, ...]


def event_year(
    register: "Register",
    store: "Store",
    *,
    year: int,
    on: date,
    rules: PermitRules,
    land_of: "Callable[[Parcel, Any], Land]",
    slivers: Slivers = DEFAULT_SLIVERS,
    nearness: Nearness = DEFAULT_NEARNESS,
) -> EventYear:
    """Put a year of permits together: per parcel what is used and what is left, and the lists beside the map.

    Parameters
    ----------
    register, store
        Open both.
    year
        The calendar year.
    on
        Today: what is left is as of then, and ``this_week`` is its week.
    rules
        The ordinance's.
    land_of
        Gives a parcel's zone and snapshot, from the parcel and its shape: the same that ``permit issue`` takes.
    slivers, nearness
        What overlap is too little; what is near.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    found = list_permits(register, year=year)
    draft = _Year(store, rules, land_of, slivers, found)
    placed = [YearPermit(permit=permit, fids=draft.place(permit)) for permit in found]
    request = _ordinary(year, on)
    with register.reading() as connection:
        parcels = sorted((draft.parcel(connection, fid, placed, request) for fid in draft.today), key=lambda item: item.parcel.id)
    monday = on - timedelta(days=on.weekday())
    return EventYear(
        year=year,
        on=on,
        permits=tuple(placed),
        parcels=tuple(parcels),
        this_week=tuple(permit.number for permit in _held(found, monday, monday + timedelta(days=6))),
        at_the_cap=tuple(item.parcel.id for item in parcels if item.left == 0 and not item.exempt),
        conflicts=conflicts_between(register, first=date(year, 1, 1), last=date(year, 12, 31), nearness=nearness),
        warnings=tuple(dict.fromkeys([*register.warnings, *draft.warnings])),
    )


def _held(permits: Iterable[Permit], first: date, last: date) -> list[Permit]:
    """Return the permits with an event between two days; a rescinded or void one has none."""
    return [
        permit
        for permit in permits
        if permit.status == "issued" and permit.starts and permit.starts <= last and (permit.ends or permit.starts) >= first
    ]


def _ordinary(year: int, on: date) -> CapRequest:
    """Ask for an ordinary event in the year: by day, of somebody who is no charity."""
    day = min(max(on, date(year, 1, 1)), date(year, 12, 31))
    return CapRequest(on=day, starts=day, night=False, charitable_applicant=False, primarily_benefits_applicant=False)


class _Year:
    """The year while it is put together: which parcels of today have permits on their land, and what was noticed."""

    def __init__(
        self,
        store: "Store",
        rules: PermitRules,
        land_of: "Callable[[Parcel, Any], Land]",
        slivers: Slivers,
        permits: tuple[Permit, ...],
    ) -> None:
        self._store = store
        self._crs = store.meta["crs"]
        self._rules = rules
        self._land_of = land_of
        self._slivers = slivers
        self._permits = permits
        self.today: dict[int, tuple[Parcel, Land]] = {}
        self.warnings: list[ResultWarning] = []

    def place(self, permit: Permit) -> tuple[int, ...]:
        """Find the parcels of today that have a permit's land."""
        fids: dict[int, None] = {}
        for land in permit.land:
            pairs = self._parcels_of(land)
            if not pairs:
                text = f"permit {permit.number} was issued on {land.parcel}, which no parcel of today has"
                self.warnings.append(ResultWarning("off_the_map", text, (land.parcel,)))
            for parcel, shape in pairs:
                fids[parcel.fid] = None
                if parcel.fid not in self.today:
                    self.today[parcel.fid] = (parcel, self._land_of(parcel, shape))
        return tuple(fids)

    def _parcels_of(self, land: Land) -> "list[tuple[Parcel, Any]]":
        if land.geometry is not None and land.crs == self._crs:
            return parcels_today(self._store, land.geometry, self._slivers)
        try:
            parcel = self._store.find(land.parcel)
        except UsageError:
            return []
        return [(parcel, self._store.geometries([parcel.fid])[0])]

    def parcel(self, connection: "Connection", fid: int, placed: Iterable[YearPermit], request: CapRequest) -> YearParcel:
        """Return what is used on a parcel, and what is left."""
        parcel, land = self.today[fid]
        history = history_of(connection, land, self._slivers)
        self.warnings += history.warnings
        mine = [item.permit for item in placed if fid in item.fids]
        blank = YearParcel(parcel=parcel, land=land, permits=tuple(permit.number for permit in mine))
        caps = self._rules.caps
        if caps is None:
            counted = sum(
                permit.distinct_events for permit in mine if permit.status != "void" and permit.kind not in UNCOUNTED_KINDS
            )
            return replace(blank, used=counted, why="the ordinance sets no annual cap")
        owner = _owner(mine)
        exempt = owner is not None and exempt_owner(owner, rules=caps) is True
        finding = cap(land.zone, history.permits, request, rules=caps, exempt_owner=exempt, parcel=parcel.id)
        charity = replace(request, charitable_applicant=True, primarily_benefits_applicant=True)
        counted_as = finding.parcels[0]
        decide = not exempt and (finding.status == "decide" or land.zone == "undetermined")
        left = None if decide else counted_as.left
        nights = None if counted_as.night_cap is None else max(0, counted_as.night_cap - (counted_as.night_used or 0))
        return replace(
            blank,
            used=counted_as.used,
            cap=counted_as.cap,
            left=left,
            night_left=None if nights is None or left is None else min(nights, left),
            charity_left=left == 0 and cap(land.zone, history.permits, charity, rules=caps).status == "met",
            exempt=exempt,
            decide=decide,
            why=f"{counted_as.why}{_OPEN_ZONE if decide and finding.status != 'decide' else ''}",
            citation=counted_as.citation,
            next_date=finding.next_date,
            recorded_as=counted_as.recorded_as,
        )


_OPEN_ZONE = "; what is left turns on the zoning district, which is not known"
"""Said where one more permit is within every cap, and only how many more are left is open."""


def _owner(permits: Iterable[Permit]) -> str | None:
    """Return the kind of owner that the last permit of the year on a parcel names."""
    named = [permit for permit in permits if permit.owned_by and permit.status != "void"]
    return max(named, key=lambda permit: (permit.issued or date.min, permit.number)).owned_by if named else None
