"""Events in each other's way: near in place and time, or parades along one street. Pure: distances are given.

LAW: Southampton 283-4 has the official consider "possible conflicts with other events and seasonal demands"; how near is too near, the
text does not say. So these are facts for the official, never a refusal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from geonotice.decide.days import in_words
from geonotice.decide.season import Span, days_between
from geonotice.postal import normal_line

__all__ = ["BESIDE_FT", "Conflict", "Happening", "Nearness", "conflict_of", "shared_streets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """How near is near: distance in US survey feet and calendar days, both included. Half a mile and the same day, unless a town says else."""

    within_ft: float = 2640.0
    within_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two events in each other's way. ``distance_ft`` is None where it is not known."""

    numbers: tuple[str, str]
    days_apart: int
    distance_ft: float | None
    streets: tuple[str, ...]
    text: str


def shared_streets(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """Give the streets of the first list that are in the second, however they are abbreviated.

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
    """Say whether two events are in each other's way; None where they are not.

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
