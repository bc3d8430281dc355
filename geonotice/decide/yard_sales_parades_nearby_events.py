"""Days in season, and events in conflict: yard sales, parades, and what is near in place and time."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta

from msgspec import Struct

from geonotice.address_spelling import normal_line
from geonotice.decide.business_days_and_holidays import in_words, labor_day, memorial_day

__all__ = [
    "BESIDE_FT",
    "Conflict",
    "Happening",
    "Nearness",
    "ParadeRule",
    "Span",
    "YardSaleDays",
    "YardSaleRule",
    "conflict_of",
    "days_between",
    "parades_within",
    "shared_streets",
    "summer",
    "yard_sale_days",
]


Span = tuple[date, date]
"""First and last day of an event."""


class YardSaleRule(Struct, frozen=True, kw_only=True):
    """How long and how often a yard sale may be held on one property and still need no permit (Southampton 283-2A(3)(h))."""

    rule: str
    citation: str
    consecutive_days: int
    days_a_year: int
    summer_days: int
    holidays_included: bool = True


class ParadeRule(Struct, frozen=True, kw_only=True):
    """Within how many calendar days another parade in summer is considered (Southampton 283-4)."""

    rule: str
    citation: str
    days: int
    holidays_included: bool = True


class YardSaleDays(Struct, frozen=True, kw_only=True):
    """The days of a yard sale, with those in the record: the longest run, days and summer days by year, and the limits broken."""

    days: tuple[date, ...]
    longest_run: int
    by_year: dict[int, int]
    summer_by_year: dict[int, int]
    broken: tuple[str, ...]


def summer(year: int, *, inclusive: bool) -> Span:
    """Return the first and last day between Memorial Day and Labor Day; ``inclusive`` counts the two holidays themselves."""
    first, last = memorial_day(year), labor_day(year)
    return (first, last) if inclusive else (first + timedelta(days=1), last - timedelta(days=1))


def yard_sale_days(stated: Collection[date], record: Collection[date], rule: YardSaleRule) -> YardSaleDays:
    """Hold the days of a yard sale, with those of earlier sales on the property, against the limits.

    Parameters
    ----------
    stated
        The days asked for.
    record
        The days of yard sales on the property that the record has, of any year.
    rule
        The limits.
    """
    days = sorted({*stated, *record})
    # A run counts where a day asked for is in it: an old sale that was too long is not this one's fault.
    longest = max((len(run) for run in _runs(days) if not run.isdisjoint(stated)), default=0)
    broken = [f"{longest} days in a row are more than {rule.consecutive_days}"] if longest > rule.consecutive_days else []
    by_year: dict[int, int] = {}
    warm_by_year: dict[int, int] = {}
    for year in sorted({day.year for day in stated}):
        of_year = [day for day in days if day.year == year]
        first, last = summer(year, inclusive=rule.holidays_included)
        by_year[year], warm_by_year[year] = len(of_year), sum(first <= day <= last for day in of_year)
        if by_year[year] > rule.days_a_year:
            broken.append(f"{by_year[year]} days in {year} are more than {rule.days_a_year}")
        asked_in_summer = any(first <= day <= last for day in stated)
        if warm_by_year[year] > rule.summer_days and asked_in_summer:
            broken.append(
                f"{warm_by_year[year]} days from {in_words(first)} to {in_words(last)} are more than {rule.summer_days}"
            )
    return YardSaleDays(days=tuple(days), longest_run=longest, by_year=by_year, summer_by_year=warm_by_year, broken=tuple(broken))


def _runs(days: Iterable[date]) -> list[set[date]]:
    runs: list[set[date]] = []
    for day in days:
        if runs and day - timedelta(days=1) in runs[-1]:
            runs[-1].add(day)
        else:
            runs.append({day})
    return runs


def days_between(one: Span, other: Span) -> int:
    """Count the calendar days from one event to the other; 0 where they share a day."""
    return max(0, (max(one[0], other[0]) - min(one[1], other[1])).days)


def parades_within(asked: Span, others: Iterable[Span], rule: ParadeRule) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Find the parades within the days of this one.

    Returns
    -------
    tuple
        Those that count, both parades being in summer; and those near in time where only one of the two is in summer.

    Notes
    -----
    LAW: 283-4: "if the parade occurs within 30 calendar days of another parade during the period of Memorial Day to Labor Day": read as
    both in the period. Where only one is, the other reading is named.
    """
    near = sorted(other for other in others if days_between(asked, other) <= rule.days)
    warm = _in_summer(asked, rule)
    both = tuple(other for other in near if warm and _in_summer(other, rule))
    return both, tuple(other for other in near if other not in both and (warm or _in_summer(other, rule)))


def _in_summer(span: Span, rule: ParadeRule) -> bool:
    years = range(span[0].year, span[1].year + 1)
    return any(days_between(span, summer(year, inclusive=rule.holidays_included)) == 0 for year in years)


class Nearness(Struct, frozen=True, kw_only=True):
    """How near is near: distance in US survey feet and calendar days, both included. Half a mile and the same day, unless a town says else."""

    within_ft: float = 2640.0
    within_days: int = 0


class Happening(Struct, frozen=True, kw_only=True):
    """An event with a permit, or one that is asked for (its number is empty).

    ``days`` are those on which it is held, where they are not all of its ``span``.
    """

    number: str
    kind: str
    title: str
    span: Span
    streets: tuple[str, ...] = ()
    days: tuple[date, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """Each stretch of days on which it is held."""
        return tuple((day, day) for day in self.days) or (self.span,)

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        what = self.title or self.kind.replace("_", " ")
        return f"{self.number} ({what})" if self.number else f"this event ({what})"


class Conflict(Struct, frozen=True, kw_only=True):
    """Two events in each other's way. ``distance_ft`` is None where it is not known."""

    numbers: tuple[str, str]
    days_apart: int
    distance_ft: float | None
    streets: tuple[str, ...]
    text: str


def shared_streets(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """Return the streets of the first list that are in the second, however they are abbreviated.

    Examples
    --------
    >>> shared_streets(["Main Street", "Elm Ave"], ["MAIN ST."])
    ('Main Street',)
    """
    known = {normal_line(street) for street in other}
    return tuple(street for street in one if normal_line(street) in known)


BESIDE_FT = 1.5
"""Land that is this near touches: what digitizing moves a lot line, as for the selection of neighbours."""


def conflict_of(
    one: Happening, other: Happening, *, distance_ft: float | None, shared: bool, nearness: Nearness
) -> Conflict | None:
    """Return whether two events are in each other's way; None where they are not.

    Parameters
    ----------
    one, other
        The events.
    distance_ft
        From one's land or route to the other's, in US survey feet; None where the shape of one is not known.
    shared
        Whether land of one is land of the other, too: lots side by side are no distance apart either.
    nearness
        How near is near.
    """
    days, spans = min(
        ((days_between(mine, theirs), (mine, theirs)) for mine in one.spans for theirs in other.spans), key=lambda found: found[0]
    )
    if days > nearness.within_days:
        return None
    streets = shared_streets(one.streets, other.streets) if {one.kind, other.kind} == {"parade"} else ()
    near = distance_ft is not None and distance_ft <= nearness.within_ft
    if not near and not streets:
        return None
    when = f"both on {_shared_days(one, other) or _when(*spans)}" if days == 0 else f"{days} day{'s' if days > 1 else ''} apart"
    where = []
    if streets:
        where.append(f"along the same street ({', '.join(streets)})")
    if near:
        beside = "side by side" if distance_ft is not None and distance_ft <= BESIDE_FT else f"{distance_ft:,.0f} ft apart"
        where.append("on the same land" if shared else beside)
    return Conflict(
        numbers=(one.number, other.number),
        days_apart=days,
        distance_ft=distance_ft,
        streets=streets,
        text=f"{one.name} and {other.name}: {when}, {' and '.join(where)}",
    )


def _shared_days(one: Happening, other: Happening) -> str:
    """Name the days that both are held on, where one of them is held on days of its own."""
    if not one.days and not other.days:
        return ""
    shared = {max(mine[0], theirs[0]) for mine in one.spans for theirs in other.spans if days_between(mine, theirs) == 0}
    return ", ".join(in_words(day) for day in sorted(shared))


def _when(one: Span, other: Span) -> str:
    first, last = max(one[0], other[0]), min(one[1], other[1])
    return in_words(first) if first == last else f"{in_words(first)} to {in_words(last)}"
