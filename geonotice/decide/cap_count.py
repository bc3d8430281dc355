"""Annual caps: their values, and the count of a property's permits in one calendar year."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

__all__ = [
    "EXEMPT_OWNERS",
    "KNOWN_OWNERS",
    "ORDER",
    "UNCOUNTED_KINDS",
    "CapFinding",
    "CapRequest",
    "CapRules",
    "CapStatus",
    "Count",
    "NextDate",
    "OtherReading",
    "ParcelCap",
    "PastPermit",
    "PermitStatus",
    "PropertyHistory",
    "YearOf",
    "Zone",
    "count_property",
    "room",
    "years_asked",
]


Zone = Literal["residential", "other", "split", "undetermined"]
CapStatus = Literal["met", "not_met", "decide"]
PermitStatus = Literal["issued", "rescinded", "void"]
YearOf = Literal["issued", "starts"]

EXEMPT_OWNERS = frozenset({"educational", "museum", "emergency_medical", "fire", "nonprofit_civic_or_similar"})
"""Owners that 283-6 (end) names. Municipal, religious and other charitable owners are not among them."""

KNOWN_OWNERS = EXEMPT_OWNERS | {"private", "municipality"}

UNCOUNTED_KINDS = frozenset({"parade", "yard_sale"})
"""Kinds of record that are no special event permit: a parade has a permit of its own (283-2A(2)), a yard sale needs none (283-2A(3)(h))."""


class CapRules(Struct, frozen=True, kw_only=True):
    """The numbers and the readings of one ordinance's caps; without a profile, two and a third for a charity, or three and one at night.

    Parameters
    ----------
    residential, residential_charity
        Permits a year in a residential district, and how many more a charity may have that the event primarily benefits; None where
        the ordinance has no clause of its own for these districts.
    other, other_night
        Events a year elsewhere and on split-zoned parcels, and how many of them at night; None where there is no such limit.
    residential_year, other_year
        Which date of a permit says the year it counts in. The text leaves it open: B(1) counts permits issued, B(2) events.
    exempt_owners
        Kinds of owner whose property has no cap.
    residential_rule, other_rule, exempt_rule
        Ids of the rules in the profile.
    residential_citation, charity_citation, other_citation, exempt_citation
        Where they stand in the code.
    """

    residential: int | None = 2
    residential_charity: int = 1
    other: int | None = 3
    other_night: int | None = 1
    residential_year: YearOf = "issued"
    other_year: YearOf = "starts"
    exempt_owners: frozenset[str] = EXEMPT_OWNERS
    residential_rule: str = "cap_residential"
    other_rule: str = "cap_other"
    exempt_rule: str = "cap_exempt"
    residential_citation: str = ""
    charity_citation: str = ""
    other_citation: str = ""
    exempt_citation: str = ""


class PastPermit(Struct, frozen=True, kw_only=True):
    """One permit of the history, as far as it bears on a cap.

    Parameters
    ----------
    issued, starts, ends
        The day it was issued, and the first and last day of the event. None is *unknown*; without ``ends`` the event lasts one day.
    night
        Whether it was at night; None is unknown.
    status
        ``issued``, ``rescinded`` (was a permit, counts) or ``void`` (never was one, does not count).
    distinct_events
        How many distinct events went on under it: each counts.
    charitable
        Whether the applicant was a charitable organization.
    number
        The permit's number, for the reader.
    kind
        What it was for; :data:`UNCOUNTED_KINDS` do not count.
    recorded_as
        The tax map number it was issued on, where the land has another number now.
    override
        The reason it was issued past the cap, empty where it was not.
    days
        The days on which it was held, where they are not all from ``starts`` to ``ends``.
    streets
        The streets that a parade follows.
    """

    issued: date | None
    starts: date | None
    ends: date | None = None
    night: bool | None = None
    status: PermitStatus = "issued"
    distinct_events: int = 1
    charitable: bool | None = None
    number: str = ""
    kind: str = ""
    recorded_as: str = ""
    override: str = ""
    days: tuple[date, ...] = ()
    streets: tuple[str, ...] = ()

    @property
    def held_on(self) -> tuple[date, ...]:
        """The days on which it was held; none where they are not known."""
        if self.days or not self.starts:
            return self.days
        length = ((self.ends or self.starts) - self.starts).days
        return tuple(self.starts + timedelta(days=n) for n in range(length + 1))


class CapRequest(Struct, frozen=True, kw_only=True):
    """The event for which a permit is asked.

    Parameters
    ----------
    on
        The day the permit would be issued.
    starts, ends
        First and last day of the event; None is unknown.
    night, charitable_applicant, primarily_benefits_applicant
        The application's answers; None is unanswered.
    distinct_events
        Distinct events that would go on under it, at least one.
    """

    on: date
    starts: date | None
    ends: date | None = None
    night: bool | None = None
    charitable_applicant: bool | None = None
    primarily_benefits_applicant: bool | None = None
    distinct_events: int = 1


class PropertyHistory(Struct, frozen=True, kw_only=True):
    """One parcel of the premises with its zone, its permits and whether its owner is exempt (None: not answered).

    ``recorded`` False says that there is no record its permits could stand in: none is counted, and that is said.
    """

    parcel: str = ""
    zone: Zone
    permits: tuple[PastPermit, ...] = ()
    exempt_owner: bool | None = False
    recorded: bool = True


class OtherReading(Struct, frozen=True, kw_only=True):
    """What the other reading of "calendar year" gives, shown where it would change the answer."""

    year_of: YearOf
    year: int | None
    status: CapStatus
    used: int
    text: str


class ParcelCap(Struct, frozen=True, kw_only=True):
    """The cap on one parcel.

    Parameters
    ----------
    used, used_at_most
        Events that count in ``year``; the two differ only where a record lacks a date.
    cap
        How many there may be with this request's applicant; None where no cap applies.
    night_used, night_cap
        The same for events at night; None where the district has no night rule.
    year, year_of
        The calendar year counted, and which date of a permit says its year; ``year`` is None where the event has no date yet.
    counted
        The permits counted, in order of their dates.
    missing
        Keys of the event file whose answer would decide.
    recorded
        Whether there is a record to count from.
    why
        The answer in one sentence.
    """

    parcel: str
    zone: Zone
    status: CapStatus
    rule: str
    citation: str
    used: int
    used_at_most: int
    cap: int | None
    night_used: int | None = None
    night_cap: int | None = None
    year: int | None
    year_of: YearOf
    counted: tuple[PastPermit, ...] = ()
    review: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other_reading: OtherReading | None = None
    recorded: bool = True
    why: str = ""

    @property
    def left(self) -> int | None:
        """How many more there could be this year, before this request; None where no cap applies."""
        return None if self.cap is None else max(0, self.cap - self.used)

    @property
    def recorded_as(self) -> tuple[str, ...]:
        """Old tax map numbers that counted permits were issued on."""
        return tuple(dict.fromkeys(permit.recorded_as for permit in self.counted if permit.recorded_as))


class NextDate(Struct, frozen=True, kw_only=True):
    """When a refused request could be granted.

    Parameters
    ----------
    issued, starts
        A day on which a permit could be issued, and the first day of an event that it could be for.
    later_permit
        Whether the permit must wait; where it need not, it is the event that must.
    """

    issued: date
    starts: date
    later_permit: bool

    @property
    def of(self) -> Literal["issue", "event"]:
        """What must wait."""
        return "issue" if self.later_permit else "event"

    @property
    def day(self) -> date:
        """Until when it must wait."""
        return self.issued if self.later_permit else self.starts


class CapFinding(Struct, frozen=True, kw_only=True):
    """The cap on the premises: that of its fullest parcel.

    ``next_date`` is given with every refusal: the first day on which a permit could be issued (``next_date_of`` is ``issue``) or
    the event be held (``event``); None where no later year would do either.
    """

    status: CapStatus
    rule: str
    citation: str
    zone: Zone
    used: int
    cap: int | None
    next_date: date | None
    next_date_of: Literal["issue", "event"] | None
    review: tuple[str, ...]
    missing: tuple[str, ...]
    parcels: tuple[ParcelCap, ...]
    text: str


ORDER: dict[CapStatus, int] = {"not_met": 0, "decide": 1, "met": 2}
"""The worst answer first."""


class Count(Struct, frozen=True):
    """One district class counted in one year under one reading: between ``used`` and ``used_at_most``, nights alike."""

    zone: Zone
    status: CapStatus
    year: int | None
    year_of: YearOf
    used: int
    used_at_most: int
    cap: int | None
    night_used: int | None
    night_cap: int | None
    counted: tuple[PastPermit, ...]


def count_property(item: PropertyHistory, request: CapRequest, rules: CapRules, *, span: bool = False) -> tuple[Count, CapStatus]:
    """Count the property as each of the zones it may be in; give the count that is nearest to a refusal, and the answer."""
    # LAW: 283-6B: a split-zoned parcel follows B(2); a district that is not known may be either.
    zones: tuple[Zone, ...] = ("residential", "other") if item.zone == "undetermined" else (item.zone,)
    if rules.residential is None:
        zones = ("other",)
    counts = [
        _count(zone, item.permits, request, rules, year, span=span)
        for zone in zones
        for year in years_asked(zone, item, request, rules)
    ]
    worst = min(counts, key=lambda count: (ORDER[count.status], room(count.cap, count.used)))
    if item.exempt_owner is True:
        return worst, "met"
    status = _agreed(count.status for count in counts)
    if item.exempt_owner is None and status != "met":
        status = "decide"
    return worst, status


def room(most: int | None, used: int) -> float:
    """Return how many more there may be; infinite where there is no cap."""
    return float("inf") if most is None else most - used


def _agreed(statuses: Iterable[CapStatus]) -> CapStatus:
    """Return the one answer that all cases share, else ``decide``."""
    found = set(statuses)
    return found.pop() if len(found) == 1 else "decide"


def _year_of(zone: Zone, rules: CapRules) -> YearOf:
    return rules.residential_year if zone == "residential" else rules.other_year


def years_asked(zone: Zone, item: PropertyHistory, request: CapRequest, rules: CapRules) -> tuple[int | None, ...]:
    """Return the calendar years in which this request may count: one, or each that matters while the event has no date."""
    if _year_of(zone, rules) == "issued":
        return (request.on.year,)
    if request.starts:
        return (request.starts.year,)
    # An event whose day is not known may be held in any year from that of its permit on.
    days = (permit.starts or permit.issued for permit in item.permits if _counts(permit))
    booked = {day.year for day in days if day and day.year >= request.on.year}
    return tuple(sorted(booked | {request.on.year, max(booked, default=request.on.year) + 1}))


def _count(
    zone: Zone, permits: Iterable[PastPermit], request: CapRequest, rules: CapRules, year: int | None, *, span: bool
) -> Count:
    """Count one district class in one year; with ``span``, an event over New Year in both."""
    year_of = _year_of(zone, rules)
    counting: list[tuple[PastPermit, date | None]] = []
    for permit in permits:
        if not _counts(permit):
            continue
        day = permit.issued if year_of == "issued" else permit.starts
        if day is None:
            counts = year is None or _may_be_of(permit, year_of, year)
        else:
            last = permit.ends if span and year_of == "starts" and permit.ends else day
            counts = year is None or day.year <= year <= last.year
        if counts:
            counting.append((permit, day))
    counting.sort(key=lambda pair: (pair[1] or date.max, pair[0].number))
    used = sum(permit.distinct_events for permit, day in counting if day)
    used_at_most = sum(permit.distinct_events for permit, _ in counting)
    counted = tuple(permit for permit, _ in counting)
    if zone == "residential" and rules.residential is not None:
        charity = _both(request.charitable_applicant, request.primarily_benefits_applicant)
        least, most = rules.residential, rules.residential + rules.residential_charity
        status = _agreed(_residential(n + request.distinct_events, (least, most), charity=charity) for n in (used, used_at_most))
        most = most if charity else least
        return Count(zone, status, year, year_of, used, used_at_most, most, None, None, counted)
    nights = sum(permit.distinct_events for permit, day in counting if day and permit.night)
    nights_at_most = sum(permit.distinct_events for permit, _ in counting if permit.night is not False)
    wanted = request.distinct_events
    status = _agreed(
        (
            _other(used + wanted, nights, wanted if request.night else 0, rules),
            _other(used_at_most + wanted, nights_at_most, 0 if request.night is False else wanted, rules),
        )
    )
    return Count(zone, status, year, year_of, used, used_at_most, rules.other, nights, rules.other_night, counted)


def _counts(permit: PastPermit) -> bool:
    # LAW: a void entry was never a permit; a rescinded one was issued, and the text counts permits issued.
    return permit.status != "void" and permit.kind not in UNCOUNTED_KINDS


def _may_be_of(permit: PastPermit, year_of: YearOf, year: int) -> bool:
    """Return whether a permit whose day of issue, or of the event, is not known may count in a year."""
    # LAW: 283-2A(1): no event unless a permit has been issued: an unknown day of issue is no later than the event, and an unknown event
    # no earlier than its permit.
    if year_of == "issued":
        event = permit.starts or permit.ends
        return event is None or year <= event.year
    return (permit.issued is None or permit.issued.year <= year) and (permit.ends is None or year <= permit.ends.year)


def _residential(total: int, allowed: tuple[int, int], *, charity: bool | None) -> CapStatus:
    # LAW: 283-6B(1): two; a third only for a charity that it primarily benefits; under no circumstances more than three.
    if total <= allowed[0]:
        return "met"
    if total > allowed[1] or charity is False:
        return "not_met"
    return "met" if charity else "decide"


def _other(total: int, nights: int, wanted_nights: int, rules: CapRules) -> CapStatus:
    # LAW: 283-6B(2): three, only one at night. A day event beside two night ones (an override) breaks nothing more.
    too_many = rules.other is not None and total > rules.other
    too_dark = rules.other_night is not None and wanted_nights > 0 and nights + wanted_nights > rules.other_night
    return "not_met" if too_many or too_dark else "met"


def _both(first: bool | None, second: bool | None) -> bool | None:  # noqa: FBT001  # three-valued "and"
    if first is False or second is False:
        return False
    return None if first is None or second is None else True
