"""A year of permits as plain values, for the event map and its lists."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct, structs

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, CapRequest, PastPermit, PropertyHistory, Zone
from geonotice.decide.caps import cap_premises, exempt_owner, rescinded_words
from geonotice.decide.yard_sales_parades_nearby_events import Conflict, Nearness
from geonotice.errors import UsageError
from geonotice.model import ResultWarning
from geonotice.register.conflicts import DEFAULT_NEARNESS, conflicts_between
from geonotice.register.land_history import Slivers, histories_of
from geonotice.register.parcel_changes import parcels_today
from geonotice.register.permit_check import DEFAULT_SLIVERS
from geonotice.register.permits import list_permits
from geonotice.register.rows import load
from geonotice.register.tables_and_columns import PERMITS, fetch
from geonotice.register.values import Land, Permit

if TYPE_CHECKING:
    from geonotice.decide.cap_count import CapFinding, CapRules, YearOf
    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.store import ParcelBlock, Store

__all__ = [
    "YEAR_WAYS",
    "EventYear",
    "Left",
    "ListOfYear",
    "YearParcel",
    "YearPermit",
    "YearWay",
    "event_year",
    "list_of_year",
    "year_words",
]

YearWay = Literal["cap", "issued", "event", "either"]
"""By what a permit is of a year: as the caps of the law count it, by its day of issue, by the days of its event, or by either of these."""

YEAR_WAYS: dict[YearWay, str] = {
    "cap": "as the caps count them",
    "issued": "issued in the year",
    "event": "with an event in the year",
    "either": "issued, or with an event, in the year",
}
"""The ways in words; the first is what a list takes by itself, so that it holds what ``permit check`` counts."""


class Left(Struct, frozen=True, kw_only=True):
    """What is used of a year's permits, and what is left, for an ordinary event of anybody.

    Parameters
    ----------
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
    why, why_in_public
        The answer in a sentence; in public, without permits that were rescinded.
    next_date
        Where none is left: the first day on which a permit could be issued, or an event held.
    recorded_as
        Earlier numbers of the land that permits were issued on.
    """

    used: int = 0
    cap: int | None = None
    left: int | None = None
    night_left: int | None = None
    charity_left: bool = False
    exempt: bool = False
    decide: bool = False
    why: str = ""
    why_in_public: str = ""
    citation: str = ""
    next_date: date | None = None
    recorded_as: tuple[str, ...] = ()


class YearParcel(Left, frozen=True, kw_only=True):
    """A parcel of today whose permits bear on the year.

    Parameters
    ----------
    parcel, land
        The parcel as the store has it, and its zone and shape.
    codes
        Of its districts, the largest first.
    permits
        Numbers of the year's permits on its land, those that do not count included; none where only a permit without a day, which may be
        of this year, makes it differ from a lot without permits.
    """

    parcel: "Parcel"
    land: Land
    codes: tuple[str, ...]
    permits: tuple[str, ...]


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
        The parcels of today that have their land, and those on which a permit without a day may count in the year.
    untouched
        By class of zone, what is left on a parcel that no permit bears on.
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
    untouched: dict[Zone, Left]
    this_week: tuple[str, ...]
    at_the_cap: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    warnings: tuple[ResultWarning, ...]


class ListOfYear(Struct, frozen=True, kw_only=True):
    """The permits that are of a year in one way, and which permits the way could not place: ``warnings``."""

    permits: tuple[Permit, ...]
    warnings: tuple[ResultWarning, ...] = ()


def year_words(year: int, way: YearWay, caps: "CapRules | None") -> str:
    """Return which permits a list of a year holds, as its heading states it after "permits".

    Examples
    --------
    >>> year_words(2026, "issued", None)
    'issued in 2026'
    """
    if way == "issued":
        return f"issued in {year}"
    if way == "event":
        return f"with an event in {year}"
    if way == "either":
        return f"issued in {year}, or with an event in it"
    if caps is None:
        return f"of {year} by the first day of the event (the law has no annual cap)"
    first, second = (_DAYS[caps.residential_year], _DAYS[caps.other_year])
    if caps.residential is None or first == second:
        return f"of {year} as the caps count them: by {second}"
    return f"of {year} as the caps count them: in a residential district by {first}, elsewhere by {second}"


_DAYS: "dict[YearOf, str]" = {"issued": "the day of issue", "starts": "the first day of the event"}


def list_of_year(
    register: "Register", listed: Sequence[Permit], year: int, *, way: YearWay, caps: "CapRules | None"
) -> ListOfYear:
    """Return the permits of a list that are of a year.

    A permit whose day is not known is placed by its other day, and one without any day is in no year; both are said.

    Parameters
    ----------
    register
        An open register, asked for permits without a day.
    listed
        What :func:`geonotice.register.permits.list_permits` has of the year: every permit with either day in it.
    way
        By what a permit is of a year.
    caps
        The caps of the ordinance; None where it sets none.
    """
    found, other_day = [], []
    for permit in listed:
        days = [permit.issued if of == "issued" else permit.starts for of in _ways_of(permit, way, caps)]
        if None in days:
            other_day.append(permit.number)
            days = [permit.issued or permit.starts]
        # An event over New Year is in both years, but counts in the one in which it begins.
        last = permit.ends if way in ("event", "either") else None
        if any(day and (day.year == year or (last and day == permit.starts and day.year < year <= last.year)) for day in days):
            found.append(permit)
    dateless = [permit.number for permit in _undated(register, listed) if permit.issued is None and permit.starts is None]
    said = []
    if other_day := [number for number in other_day if number in {permit.number for permit in found}]:
        text = "placed by the one day that is known of them, not by the one that the list goes by"
        said.append(ResultWarning("year_by_other_day", f"{_numbers(other_day)}: {text}"))
    if dateless:
        text = "in no year's list, since neither the day of issue nor that of the event is known"
        said.append(ResultWarning("in_no_year", f"{_numbers(dateless)}: {text}"))
    return ListOfYear(permits=tuple(found), warnings=tuple(said))


def _ways_of(permit: Permit, way: YearWay, caps: "CapRules | None") -> "set[YearOf]":
    """Return which days of a permit say its year."""
    if way == "issued":
        return {"issued"}
    if way == "either":
        return {day for day, known in (("issued", permit.issued), ("starts", permit.starts)) if known}  # type: ignore[misc]  # two of its words
    if way == "event" or caps is None or permit.kind in UNCOUNTED_KINDS:
        return {"starts"}
    # LAW: 283-6B: residential land counts permits issued, all other and split-zoned land events; land whose district is not known may be either.
    zones = {item.zone for item in permit.land} or {"undetermined"}
    found: set[YearOf] = set()
    if caps.residential is not None and zones & {"residential", "undetermined"}:
        found.add(caps.residential_year)
    if caps.residential is None or zones - {"residential"}:
        found.add(caps.other_year)
    return found


def _numbers(numbers: Sequence[str]) -> str:
    """Return the first of some numbers, and how many there are besides."""
    more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
    return f"{'permit' if len(numbers) == 1 else 'permits'} {', '.join(numbers[:_NAMED])}{more}"


_NAMED = 5
"""Most permits named in a sentence."""


def event_year(
    register: "Register",
    store: "Store",
    *,
    year: int,
    on: date,
    rules: PermitRules,
    lands_of: "Callable[[ParcelBlock], Sequence[tuple[Land, tuple[str, ...]]]]",
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
    lands_of
        Returns zone and shape of parcels, as ``permit issue`` takes them, each with the codes of its districts.
    slivers, nearness
        What overlap is too little; what is near.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    found = list_permits(register, year=year)
    undated = _undated(register, found)
    draft = _Year(store, rules, slivers, [*found, *undated])
    placed = [YearPermit(permit=permit, fids=draft.place(permit)) for permit in found]
    of_year = set(draft.today)
    for permit in undated:
        draft.place(permit)
    request = _ordinary(year, on)
    untouched = {zone: draft.left(zone, (), request, recorded=register.there) for zone in get_args(Zone)}
    lands = lands_of(_in_order(store.parcels([*draft.today]), draft.today))
    with register.reading() as connection:
        histories = histories_of(connection, [land for land, _ in lands], slivers)
    on_parcel: dict[int, list[Permit]] = {}
    for item in placed:
        for fid in item.fids:
            on_parcel.setdefault(fid, []).append(item.permit)
    parcels = []
    for (fid, parcel), (land, codes), history in zip(draft.today.items(), lands, histories, strict=True):
        draft.warnings += history.warnings
        mine = on_parcel.get(fid, [])
        left = draft.left(land.zone, history.permits, request, mine=mine, recorded=register.there)
        if fid in of_year or left != untouched[land.zone]:
            numbers = tuple(permit.number for permit in mine)
            parcels.append(YearParcel(parcel=parcel, land=land, codes=codes, permits=numbers, **structs.asdict(left)))
    parcels.sort(key=lambda item: item.parcel.id)
    monday = on - timedelta(days=on.weekday())
    return EventYear(
        year=year,
        on=on,
        permits=tuple(placed),
        parcels=tuple(parcels),
        untouched=untouched,
        this_week=tuple(permit.number for permit in _held(found, monday, monday + timedelta(days=6))),
        at_the_cap=tuple(item.parcel.id for item in parcels if item.left == 0 and not item.exempt),
        conflicts=conflicts_between(register, first=date(year, 1, 1), last=date(year, 12, 31), nearness=nearness),
        warnings=tuple(dict.fromkeys([*register.warnings, *draft.warnings])),
    )


def _in_order(block: "ParcelBlock", fids: Iterable[int]) -> "ParcelBlock":
    """Return parcels in the order of these fids, as the permits named them: warnings come in that order."""
    place = {parcel.fid: n for n, parcel in enumerate(block.parcels)}
    order = [place[fid] for fid in fids]
    return structs.replace(block, parcels=tuple(block.parcels[n] for n in order), geometries=block.geometries[order])


def _held(permits: Iterable[Permit], first: date, last: date) -> list[Permit]:
    """Return the permits with an event between two days; a rescinded or void one has none."""
    return [permit for permit in permits if permit.status == "issued" and _on_between(permit, first, last)]


def _on_between(permit: Permit, first: date, last: date) -> bool:
    if permit.yard_sale_days:  # three Saturdays are no range
        return any(first <= day <= last for day in permit.yard_sale_days)
    return permit.starts is not None and permit.starts <= last and (permit.ends or permit.starts) >= first


def _undated(register: "Register", listed: Iterable[Permit]) -> list[Permit]:
    """Return the permits not of the year's list that may count in the year all the same: their day of issue or of the event is not known."""
    known = {permit.number for permit in listed}
    asked = "SELECT id, number FROM permits WHERE status <> 'void' AND (issued IS NULL OR starts IS NULL) ORDER BY id"
    with register.reading() as connection:
        ids = [row.id for row in fetch(connection, asked, PERMITS) if row.number not in known]
        return load(connection, ids)


def _ordinary(year: int, on: date) -> CapRequest:
    """Ask for an ordinary event in the year: by day, of somebody who is no charity."""
    day = min(max(on, date(year, 1, 1)), date(year, 12, 31))
    return CapRequest(on=day, starts=day, night=False, charitable_applicant=False, primarily_benefits_applicant=False)


class _Year:
    """The year while it is put together: which parcels of today have permits on their land, and what was noticed."""

    def __init__(self, store: "Store", rules: PermitRules, slivers: Slivers, permits: Sequence[Permit]) -> None:
        self._store = store
        self._rules = rules
        drawn = [land for permit in permits for land in permit.land if self._is_drawn(land)]
        found = parcels_today(store, [land.geometry for land in drawn if land.geometry is not None], slivers)
        self._drawn = {id(land): [parcel for parcel, _ in today] for land, today in zip(drawn, found, strict=True)}
        self.today: dict[int, Parcel] = {}
        self.warnings: list[ResultWarning] = []

    def _is_drawn(self, land: Land) -> bool:
        return land.geometry is not None and land.crs == self._store.meta["crs"]

    def place(self, permit: Permit) -> tuple[int, ...]:
        """Find the parcels of today that have a permit's land."""
        fids: dict[int, None] = {}
        for land in permit.land:
            parcels = self._drawn[id(land)] if self._is_drawn(land) else self._by_number(land)
            if not parcels:
                text = f"permit {permit.number} was issued on {land.parcel}, which no parcel of today has"
                self.warnings.append(ResultWarning("off_the_map", text, (land.parcel,)))
            for parcel in parcels:
                fids[parcel.fid] = None
                self.today.setdefault(parcel.fid, parcel)
        return tuple(fids)

    def _by_number(self, land: Land) -> "list[Parcel]":
        try:
            return [self._store.find(land.parcel)]
        except UsageError:
            return []

    def left(
        self,
        zone: Zone,
        history: tuple[PastPermit, ...],
        request: CapRequest,
        *,
        mine: "Sequence[Permit]" = (),
        recorded: bool = True,
    ) -> Left:
        """Return what is used on land of a class of zone with this history, and what is left; ``mine`` are the year's permits there."""
        caps = self._rules.caps
        if caps is None:
            counted = sum(
                permit.distinct_events for permit in mine if permit.status != "void" and permit.kind not in UNCOUNTED_KINDS
            )
            return Left(used=counted, why=_NO_CAP, why_in_public=_NO_CAP)
        owner = _owner(mine)
        exempt = owner is not None and exempt_owner(owner, rules=caps) is True

        def asked(request: CapRequest) -> "CapFinding":
            land = PropertyHistory(zone=zone, permits=history, exempt_owner=exempt, recorded=recorded)
            return cap_premises([land], request, rules=caps)

        finding = asked(request)
        counted_as = finding.parcels[0]
        decide = not exempt and (finding.status == "decide" or zone == "undetermined")
        left = None if decide else counted_as.left
        nights = None if counted_as.night_cap is None else max(0, counted_as.night_cap - (counted_as.night_used or 0))
        said = f"{counted_as.why}{_OPEN_ZONE if decide and finding.status != 'decide' else ''}"
        in_public = said
        for permit in counted_as.counted:
            if permit.status == "rescinded":
                in_public = in_public.replace(f"; {rescinded_words(permit.number)}", "")
        charity = structs.replace(request, charitable_applicant=True, primarily_benefits_applicant=True)
        return Left(
            used=counted_as.used,
            cap=counted_as.cap,
            left=left,
            night_left=None if nights is None or left is None else min(nights, left),
            charity_left=left == 0 and asked(charity).status == "met",
            exempt=exempt,
            decide=decide,
            why=said,
            why_in_public=in_public,
            citation=counted_as.citation,
            next_date=finding.next_date,
            recorded_as=counted_as.recorded_as,
        )


_NO_CAP = "the ordinance sets no annual cap"
_OPEN_ZONE = "; what is left turns on the zoning district, which is not known"
"""Said where one more permit is within every cap, and only how many more are left is open."""


def _owner(permits: Iterable[Permit]) -> str | None:
    """Return the kind of owner that the last permit of the year on a parcel names."""
    named = [permit for permit in permits if permit.owned_by and permit.status != "void"]
    return max(named, key=lambda permit: (permit.issued or date.min, permit.number)).owned_by if named else None
