"""The dates of the rules that apply to one event, and what must happen next."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.config.application import Event
from geonotice.decide.deadlines import NAMES, Deadline, deadlines
from geonotice.decide.facts import hearing_day
from geonotice.ordinance.profile import Profile

if TYPE_CHECKING:
    from geonotice.decide.check import CheckResult

__all__ = ["Undated", "dates_of", "is_past", "next_steps", "undated_of"]


class Undated(Struct, frozen=True):
    """What cannot be dated yet: the rule, what must be done, and the day that it is counted from, in words."""

    rule: str
    what: str
    counted_from: str


def dates_of(profile: Profile, event: Event, aside: Collection[str]) -> tuple[Deadline, ...]:
    """Compute the dates of a law for an event, but for the rules set ``aside``: those that do not apply to it."""
    if any(rule.id in aside for rule in profile.rules if rule.check == "expressive_notice"):
        # LAW: 283-2A(3)(g): of the exempt events only expressive activity has a date, that of its notice.
        aside = {*aside, *(rule.id for rule in profile.rules if rule.check == "exempt_events")}
    given = _given(profile, event)
    found = deadlines(
        profile,
        event=given["event"],
        event_ends=event.event.last_day,
        filed=given["filed"],
        complete=given["complete"],
        denial_received=given["denial_received"],
        hearing=given["hearing"],
    )
    return tuple(one for one in found if one.rule not in aside)


def _given(profile: Profile, event: Event) -> dict[str, date | None]:
    """Return the days that dates are counted from, by name; the event's last day is its own argument, for it may be assumed."""
    about = event.event
    return {
        "event": about.first_day,
        "filed": about.filed,
        "complete": about.complete,
        "denial_received": event.denial.received,
        "hearing": hearing_day(profile, event),
    }


def undated_of(profile: Profile, event: Event, applied: Collection[str]) -> tuple[Undated, ...]:
    """Return what the rules that apply ask for and cannot be dated yet; what only a denial brings is not awaited."""
    given = _given(profile, event)
    given["event_ends"] = event.event.last_day or given["event"]
    missing = {name for name, day in given.items() if day is None} - {"denial_received"}
    return tuple(
        Undated(rule.id, period.what, NAMES[period.reckoned_from])
        for rule in profile.rules
        if rule.id in applied
        for period in rule.periods
        if period.reckoned_from in missing
    )


def is_past(one: Deadline, on: date | None) -> bool:
    """Return whether the last lawful day of something is over; a day that something may not come before is never past."""
    return on is not None and one.bound == "latest" and one.last_lawful_day < on


def next_steps(result: "CheckResult") -> Sequence[Deadline]:
    """Return what must happen next, in the order of the days to aim for; what a finding already judges is not among it."""
    open_ = {one.rule for one in result.findings if one.status in ("decide", "remind")}
    return sorted((one for one in result.dates if one.rule in open_), key=lambda one: one.suggested)
