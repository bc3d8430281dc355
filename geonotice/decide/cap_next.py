"""When the next permit could be issued: the date that goes with every refusal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from geonotice.decide.cap_count import count_property
from geonotice.decide.cap_values import CapRequest, CapRules, NextDate, PropertyHistory

__all__ = ["next_date"]

YEARS_AHEAD = 20
"""How far the next possible date is looked for; only records dated into the future can make it later than next January."""


def next_date(properties: Sequence[PropertyHistory], request: CapRequest, rules: CapRules) -> NextDate | None:
    """Find when a refused request could be granted: the earliest event, and for it the earliest day of issue.

    A permit issued in a later year, an event held in a later year, or both: what the clause that refuses counts decides which of them
    helps. Where a permit issued later does for the event as it was asked for, the event is not moved.

    Returns
    -------
    NextDate or None
        None where no later year would do either, as for more distinct events than a year can hold.
    """
    first = (request.starts or request.on).year
    for year in range(first, first + YEARS_AHEAD + 1):
        open_ = None
        for asked in _moved(request, year):
            answers = {count_property(item, asked, rules)[1] for item in properties}
            found = NextDate(issued=asked.on, starts=asked.starts or asked.on, later_permit=asked.on > request.on)
            if answers == {"met"}:
                return found
            if "not_met" not in answers and open_ is None:
                open_ = found
        if open_:
            return open_
    return None


def _moved(request: CapRequest, year: int) -> Iterator[CapRequest]:
    """Give the request for an event of that year, with the permit issued on the day asked or at the start of a later year."""
    wanted = request.starts or request.on
    start = wanted if wanted.year == year else date(year, 1, 1)
    for on in (request.on, *(date(later, 1, 1) for later in range(request.on.year + 1, year + 1))):
        # An event comes after its permit.
        starts = max(start, on)
        if starts.year == year:
            yield replace(request, on=on, starts=starts, ends=None)
