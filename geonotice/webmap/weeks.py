"""The weeks of a year, Monday to Sunday, and what is on in each."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["days_in_words", "week_of", "weeks_of"]

_DAYS = 7


def weeks_of(year: int) -> list[date]:
    """Give the Mondays of all weeks that have a day in the year.

    >>> weeks = weeks_of(2026)
    >>> weeks[0], weeks[-1], len(weeks)
    (datetime.date(2025, 12, 29), datetime.date(2026, 12, 28), 53)
    """
    first = date(year, 1, 1)
    monday = first - timedelta(days=first.weekday())
    mondays = []
    while monday <= date(year, 12, 31):
        mondays.append(monday)
        monday += timedelta(days=_DAYS)
    return mondays


def week_of(day: date, mondays: "Sequence[date]") -> int:
    """Give the place of the day's week in the list; the first or the last where the day lies outside."""
    return min(max((day - mondays[0]).days // _DAYS, 0), len(mondays) - 1)


def days_in_words(starts: date | None, ends: date | None = None) -> str:
    """Give the days of an event as a clerk writes them.

    >>> days_in_words(date(2026, 7, 4)), days_in_words(date(2026, 7, 30), date(2026, 8, 2))
    ('Sat, July 4, 2026', 'Thu, July 30 to Sun, August 2, 2026')
    """
    if starts is None:
        return "no date yet"
    if ends is None or ends <= starts:
        return f"{starts:%a}, {starts:%B} {starts.day}, {starts.year}"
    year = "" if starts.year == ends.year else f", {starts.year}"
    return f"{starts:%a}, {starts:%B} {starts.day}{year} to {ends:%a}, {ends:%B} {ends.day}, {ends.year}"
