"""The hours of a permit: sessions on the days of its event, read from a cell or an option, moved with the days, written and read again."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from msgspec import Struct

from geonotice.register.cells import CellError, parts, read_text

__all__ = [
    "GivenHours",
    "Session",
    "day_of_session",
    "each_session",
    "held_days",
    "moved_hours",
    "read_given_hours",
    "sessions_json",
    "sessions_of",
    "sessions_on_days",
    "sessions_text",
    "with_hours",
]

Session = tuple[datetime | date, datetime | date]
"""When something begins and ends: with an hour where it is stated, else a plain day."""

_ISO = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2})?"
_LONG = re.compile(rf"({_ISO})\s+to\s+({_ISO})")
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ,:]\s*|$)(.*)", re.DOTALL)
_FOUR_DIGITS = re.compile(r"(?<![\d:.])([01]\d|2[0-3])(00|15|30|45)(?![\d:.])(?:\s*(?:hours|hrs|h)\b\.?)?", re.IGNORECASE)
"""An hour as fire and police departments write it: 1800, 0930 hrs. By quarters alone, so that a year such as 2026 is none."""

_UNTIL = re.compile(r"(?:until|till|to|ends(?: at)?)\s+(.*)", re.IGNORECASE | re.DOTALL)
_DAY = timedelta(days=1)
_MOST_SESSIONS = 1_000
_AS_WRITTEN = "write 14:00-22:00 or 2pm-10pm, or 2026-07-18 14:00-22:00 for one day"


class GivenHours(Struct, frozen=True, kw_only=True):
    """Hours as a person states them: of one day or of each day of the event; ``session`` is one that is stated with both its ends."""

    on: date | None = None
    opens: time | None = None
    closes: time | None = None
    session: Session | None = None


def with_hours(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """Return the sessions of which an hour is stated."""
    return tuple(one for one in sessions if any(isinstance(end, datetime) for end in one))


def day_of_session(session: Session) -> date:
    """Return the day on which a session begins."""
    starts = session[0]
    return starts.date() if isinstance(starts, datetime) else starts


def held_days(starts: date | None, ends: date | None, days: Sequence[date]) -> tuple[date, ...]:
    """Return the days of an event: those that are listed, or all from the first to the last; none where they are not known."""
    if days or starts is None:
        return tuple(sorted(days))
    return tuple(starts + timedelta(days=n) for n in range(((ends or starts) - starts).days + 1))


def each_session(hours: Sequence[Session], days: Sequence[date]) -> tuple[Session, ...]:
    """Return the sessions of an event in order, with each of its days on which no hours are stated as a plain day."""
    covered = {
        day_of_session(one) + timedelta(days=n)
        for one in hours
        for n in range((_as_moment(one[1]).date() - day_of_session(one)).days + 1)
    }
    made = [*hours, *((day, day) for day in days if day not in covered)]
    return tuple(sorted(made, key=lambda session: _as_moment(session[0])))


def sessions_text(sessions: Iterable[Session]) -> str:
    """Write hours for a cell, as :func:`read_given_hours` reads them.

    Examples
    --------
    >>> sessions_text([(datetime(2026, 7, 18, 9), datetime(2026, 7, 18, 17)), (datetime(2026, 7, 25, 19), date(2026, 7, 25))])
    '2026-07-18 09:00-17:00; 2026-07-25 19:00'
    """
    return "; ".join(_written(one) for one in sessions)


def _written(session: Session) -> str:
    starts, ends = session
    day = day_of_session(session)
    if isinstance(starts, datetime) and isinstance(ends, datetime):
        if timedelta() < ends - starts < _DAY:
            return f"{day} {starts:%H:%M}-{ends:%H:%M}"
    elif isinstance(starts, datetime) and ends == day:
        return f"{day} {starts:%H:%M}"
    elif isinstance(ends, datetime) and ends.date() == day:
        return f"{day} until {ends:%H:%M}"
    return f"{_moment(starts)} to {_moment(ends)}"


def _moment(when: datetime | date) -> str:
    return f"{when:%Y-%m-%d %H:%M}" if isinstance(when, datetime) else when.isoformat()


def sessions_json(sessions: Iterable[Session]) -> list[list[str]]:
    """Return hours as JSON has them: beginning and end of each session."""
    return [[_iso(starts), _iso(ends)] for starts, ends in sessions]


def _iso(when: datetime | date) -> str:
    return when.isoformat(timespec="minutes") if isinstance(when, datetime) else when.isoformat()


def sessions_of(cell: str) -> tuple[Session, ...]:
    """Read hours from the cell that the register keeps.

    Raises
    ------
    ValueError
        It holds none.

    Examples
    --------
    >>> sessions_of('[["2026-07-18T09:00", "2026-07-18"]]')
    ((datetime.datetime(2026, 7, 18, 9, 0), datetime.date(2026, 7, 18)),)
    """
    found = json.loads(cell)
    if not (isinstance(found, list) and len(found) <= _MOST_SESSIONS and all(_is_pair(one) for one in found)):
        raise ValueError(f"{cell[:40]!r} is not a list of hours")
    return tuple((_when(starts), _when(ends)) for starts, ends in found)


def _is_pair(one: Any) -> bool:  # noqa: ANN401  # whatever JSON holds
    return isinstance(one, list) and len(one) == len(("starts", "ends")) and all(isinstance(end, str) for end in one)


def _when(text: str) -> datetime | date:
    if not re.fullmatch(_ISO, text):
        raise ValueError(f"{text[:40]!r} is neither a day nor an hour of one")
    return date.fromisoformat(text) if len(text) == len("2026-07-18") else datetime.fromisoformat(text)


def read_given_hours(value: object) -> tuple[GivenHours, ...]:
    """Read hours as a clerk writes them: ``2pm-10pm`` for each day, ``2026-07-18 14:00-22:00`` for one; several with semicolons between.

    Raises
    ------
    CellError
        They are none; its text says how to write them.

    Examples
    --------
    >>> [one] = read_given_hours("6pm-1am")
    >>> one.on, one.opens, one.closes
    (None, datetime.time(18, 0), datetime.time(1, 0))
    >>> [one] = read_given_hours("1800-2330 hrs")
    >>> one.opens, one.closes
    (datetime.time(18, 0), datetime.time(23, 30))
    """
    return tuple(given for part in parts(read_text(value)) for given in _given(part))


def _given(part: str) -> tuple[GivenHours, ...]:
    from geonotice.register.written_days import (
        read_hour_ranges,  # it knows all the ways a day is written; most commands read none
    )

    if found := _LONG.fullmatch(part):
        starts, ends = _day_or_hour(found[1], part), _day_or_hour(found[2], part)
        if _as_moment(ends) < _as_moment(starts) and ends != day_of_session((starts, ends)):
            raise CellError(f"{part!r} ends before it begins")
        return (GivenHours(on=day_of_session((starts, ends)), session=(starts, ends)),)
    dated = _DATED.fullmatch(part)
    on = day_of_session((_day_or_hour(dated[1], part),) * 2) if dated else None
    text = dated[2] if dated else part
    text = _FOUR_DIGITS.sub(r"\1:\2", text)
    until = _UNTIL.fullmatch(text)
    rest, ranges = read_hour_ranges(until[1] if until else text)
    if not ranges or rest.strip(" ,.()&-") or (until and (len(ranges) > 1 or ranges[0][1] is not None)):
        raise CellError(f"{part!r} is not understood as hours; {_AS_WRITTEN}")
    if until:
        return (GivenHours(on=on, closes=ranges[0][0]),)
    return tuple(GivenHours(on=on, opens=opens, closes=closes) for opens, closes in ranges)


def _day_or_hour(text: str, part: str) -> datetime | date:
    try:
        return _when(text.replace(" ", "T"))
    except ValueError as error:
        raise CellError(f"{part!r} holds no such day or hour: {error}") from error


def _as_moment(when: datetime | date) -> datetime:
    return when if isinstance(when, datetime) else datetime.combine(when, time.min)


def sessions_on_days(given: Sequence[GivenHours], days: Sequence[date]) -> tuple[Session, ...]:
    """Return the sessions that stated hours make on the days of an event; those of one day come before those of each day.

    A closing that is not later than the opening is in the night that follows; midnight closes the day itself.

    Raises
    ------
    CellError
        Hours are stated for a day that is none of the event, the days are not known, or two sessions overlap.
    """
    if given and not days:
        raise CellError("hours are stated, and the days of the event are not known: state the first day, too")
    if strange := sorted({one.on for one in given if one.on is not None} - set(days)):
        listed = ", ".join(day.isoformat() for day in strange)
        raise CellError(f"hours are stated for {listed}, on which the event is not held")
    own = {one.on for one in given if one.on is not None}
    made = [
        one.session or (_combined(day, one.opens), _closing(day, one))
        for day in sorted(days)
        for one in given
        if one.on == day or (one.on is None and day not in own)
    ]
    made.sort(key=lambda session: _as_moment(session[0]))
    for (_, ends), (starts, _) in pairwise(made):
        if isinstance(ends, datetime) and isinstance(starts, datetime) and ends > starts:
            raise CellError(f"two of the hours overlap: until {_moment(ends)}, and from {_moment(starts)}")
    return tuple(made)


def _combined(day: date, clock: time | None) -> datetime | date:
    return day if clock is None else datetime.combine(day, clock)


def _closing(day: date, one: GivenHours) -> datetime | date:
    if one.closes is None:
        return day
    after = one.closes == time.min or (one.opens is not None and one.closes <= one.opens)
    return datetime.combine(day + _DAY if after else day, one.closes)


def moved_hours(sessions: Sequence[Session], before: Sequence[date], after: Sequence[date]) -> tuple[Session, ...] | None:
    """Return the hours of an event on its new days; None where it is not clear which hold on which.

    They are clear where each day has the same, where there are as many days as before, and where one session goes from the first day to the last.
    """
    if not sessions or before == after:
        return tuple(sessions)
    if not after or any(day_of_session(one) not in before for one in sessions):
        return None
    if len(before) == len(after):
        by_day = {was: becomes - was for was, becomes in zip(before, after, strict=True)}
        return tuple(_shifted(one, by_day[day_of_session(one)]) for one in sessions)
    patterns = {tuple(_shifted(one, _COMMON_DAY - day) for one in sessions if day_of_session(one) == day) for day in before}
    if len(patterns) == 1:
        return tuple(_shifted(one, day - _COMMON_DAY) for day in after for one in next(iter(patterns)))
    starts, ends = sessions[0]
    last = ends.date() if isinstance(ends, datetime) else ends
    if len(sessions) == 1 and day_of_session(sessions[0]) == before[0] and last >= before[-1]:
        return ((starts + (after[0] - before[0]), ends + (after[-1] - before[-1])),)
    return None


_COMMON_DAY = date(2000, 1, 1)
"""A day to which the hours of others are moved, to compare them."""


def _shifted(session: Session, by: timedelta) -> Session:
    starts, ends = session
    return starts + by, ends + by
