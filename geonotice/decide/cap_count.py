"""Count a property's permits in one calendar year, as each of the districts it may be in; the answer that this gives."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from geonotice.decide.cap_values import (
    UNCOUNTED_KINDS,
    CapRequest,
    CapRules,
    CapStatus,
    PastPermit,
    PropertyHistory,
    YearOf,
    Zone,
)

__all__ = ["ORDER", "Count", "count_property", "room", "years_asked"]

ORDER: dict[CapStatus, int] = {"not_met": 0, "decide": 1, "met": 2}
"""The worst answer first."""


@dataclass(frozen=True, slots=True)
class Count:
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
    """Give how many more there may be; infinite where there is no cap."""
    return float("inf") if most is None else most - used


def _agreed(statuses: Iterable[CapStatus]) -> CapStatus:
    """Give the one answer that all cases share, else ``decide``."""
    found = set(statuses)
    return found.pop() if len(found) == 1 else "decide"


def _year_of(zone: Zone, rules: CapRules) -> YearOf:
    return rules.residential_year if zone == "residential" else rules.other_year


def years_asked(zone: Zone, item: PropertyHistory, request: CapRequest, rules: CapRules) -> tuple[int | None, ...]:
    """Give the calendar years in which this request may count: one, or each that matters while the event has no date."""
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
    """Say whether a permit whose day of issue, or of the event, is not known may count in a year."""
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
