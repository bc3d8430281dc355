"""Whether a rule is meant for an event of this size: laws ask more of large events than of small ones."""

from datetime import datetime

from geonotice.decide.facts import Case, all_of, any_of, attendance_over
from geonotice.ordinance.profile import Rule, Size

__all__ = ["size_within"]

_DAY_HOURS = 24.0


def size_within(rule: Rule, case: Case) -> tuple[bool | None, str, tuple[str, ...]]:
    """Say whether the size of an event leaves it within a rule, why not (or an opening such as *If …*), and which answers are missing.

    A rule with ``only_for`` is meant for events of one of its sizes, one with ``not_for`` for those of none of its.
    """
    for sizes, wanted in ((rule.only_for, True), (rule.not_for, False)):
        if not sizes:
            continue
        found = [_is_of(size, case) for size in sizes]
        of_one = any_of(value for value, _ in found)
        words = ", or ".join(size.words for size in sizes)
        if of_one is None:
            missing = tuple(dict.fromkeys(key for value, keys in found if value is None for key in keys))
            return None, f"If it is {'' if wanted else 'not '}for {words}", missing
        if of_one is not wanted:
            return False, f"it is {'not ' if wanted else ''}for {words}", ()
    return True, "", ()


def _is_of(size: Size, case: Case) -> tuple[bool | None, tuple[str, ...]]:
    more, missing = attendance_over(case, size.more_than_persons, at_once=size.at_once)
    if size.more_than_hours is None:
        return more, missing
    longer, asked = _longer_than(size.more_than_hours, case)
    return all_of((more, longer)), (*missing, *asked)


def _longer_than(hours: float, case: Case) -> tuple[bool | None, tuple[str, ...]]:
    about = case.event.event
    timed = [(one, other) for one, other in about.sessions if isinstance(one, datetime) and isinstance(other, datetime)]
    if about.days and len(timed) == len(about.days):
        # Days that are stated by themselves are not held through the nights between them: the longest counts.
        return max((other - one).total_seconds() for one, other in timed) / 3600 > hours, ()
    if about.days:
        return None, ("event.days",)
    missing = tuple(
        f"event.{name}" for name, when in (("starts", about.starts), ("ends", about.ends)) if not isinstance(when, datetime)
    )
    if not isinstance(about.starts, datetime) or not isinstance(about.ends, datetime):
        return None, missing
    lasts = (about.ends - about.starts).total_seconds() / 3600
    # An event of several days may stop for the night: whether it goes on so long without a break is not in the event file.
    return (None if lasts > max(hours, _DAY_HOURS) else lasts > hours), ()
