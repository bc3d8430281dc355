"""Whether an event is of the size that a rule is meant for: persons at one time or in all, and hours."""

from datetime import datetime

from geonotice.decide.facts import Case, all_of, any_of, attendance_over
from geonotice.ordinance.profile import Rule, Size

__all__ = ["lasts", "longer_than", "size_within"]

_DAY_HOURS = 24.0


def size_within(rule: Rule, case: Case) -> tuple[bool | None, str, tuple[str, ...]]:
    """Return whether the size of an event leaves it within a rule, why not (or an opening such as *If …*), and which answers are missing.

    A rule with ``only_for`` is meant for events of one of its sizes, one with ``not_for`` for those of none of its.
    """
    unknown: tuple[bool | None, str, tuple[str, ...]] | None = None
    for sizes, wanted in ((rule.only_for, True), (rule.not_for, False)):
        if not sizes:
            continue
        found = [_is_of(size, case) for size in sizes]
        of_one = any_of(value for value, _ in found)
        words = ", or ".join(size.words for size in sizes)
        if of_one is None:
            missing = tuple(dict.fromkeys(key for value, keys in found if value is None for key in keys))
            unknown = unknown or (None, f"If it is {'' if wanted else 'not '}for {words}", missing)
        elif of_one is not wanted:
            return False, f"it is {'not ' if wanted else ''}for {words}", ()
    return unknown or (True, "", ())


def _is_of(size: Size, case: Case) -> tuple[bool | None, tuple[str, ...]]:
    tests = [attendance_over(case, size.more_than_persons, at_once=size.at_once)]
    if size.more_than_hours is not None:
        tests.append(longer_than(size.more_than_hours, case))
    if size.hours_or_more is not None:
        tests.append(longer_than(size.hours_or_more, case, or_more=True))
    missing = tuple(dict.fromkeys(key for value, keys in tests if value is None for key in keys))
    return all_of(value for value, _ in tests), missing


def longer_than(hours: float, case: Case, *, or_more: bool = False) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether an event goes on for longer than so many hours (or for so many ``or_more``), and which answers are missing."""

    def over(length: float) -> bool:
        return length >= hours if or_more else length > hours

    about = case.event.event
    length, missing = lasts(case)
    if length is None:
        return None, missing
    # Days that are stated by themselves are not held through the nights between them: the longest was counted. An event of several days
    # may stop for the night, unless those who attend camp there: whether it goes on so long without a break is not in the event file.
    may_stop = not about.days and length > max(hours, _DAY_HOURS) and not case.event.site.camping
    return (None if may_stop else over(length)), (("event.days", "site.camping") if may_stop else ())


def lasts(case: Case) -> tuple[float | None, tuple[str, ...]]:
    """Return the hours from the beginning to the end of an event, or on the longest of its days; None with the answers that are missing."""
    about = case.event.event
    timed = [(one, other) for one, other in about.sessions if isinstance(one, datetime) and isinstance(other, datetime)]
    if about.days:
        if len(timed) < len(about.days):
            return None, ("event.days",)
        return max((other - one).total_seconds() for one, other in timed) / 3600, ()
    if not isinstance(about.starts, datetime) or not isinstance(about.ends, datetime):
        named = (("starts", about.starts), ("ends", about.ends))
        return None, tuple(f"event.{name}" for name, when in named if not isinstance(when, datetime))
    return (about.ends - about.starts).total_seconds() / 3600, ()
