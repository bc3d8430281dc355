"""New York days: the General Construction Law's way of counting them, public holidays, business days, and post-office closings.

* Section 20: a number of days is that many calendar days, leaving out the day from which the computation is made. From a period of two
  days a Saturday, Sunday or public holiday that comes between is left out as well.
* Section 24: the public holidays of the State. One that falls on a Sunday is kept on the Monday (not Flag Day); one that falls on a
  Saturday stays there.
* Section 25-a: a period within which something must be done, ending on a Saturday, a Sunday or a public holiday, runs to the next
  business day. It is never used here to shorten a notice.

Pure: the days that the President or the Governor appoints are given as ``appointed``.
"""

from collections.abc import Collection
from datetime import date, timedelta
from functools import lru_cache

__all__ = [
    "add_business_days",
    "add_days",
    "business_days_between",
    "calendar_day",
    "closed_because",
    "days_ahead",
    "in_words",
    "is_business_day",
    "labor_day",
    "memorial_day",
    "next_business_day",
    "post_office_closed",
    "previous_business_day",
    "public_holidays",
]

MONDAY, THURSDAY, SATURDAY, SUNDAY = 0, 3, 5, 6
SHORT_PERIOD = 2
"""Days of the period that section 20 counts otherwise."""

JUNETEENTH_SINCE = 2021
"""Section 24 has had Juneteenth since October 2020."""

NOT_POSTAL = ("Lincoln's Birthday", "Flag Day", "Election Day")
"""Public holidays of the State on which post offices are open (Flag Day is a Sunday, when they are closed anyway)."""


def memorial_day(year: int) -> date:
    """Return the last Monday of May."""
    return date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())


def labor_day(year: int) -> date:
    """Return the first Monday of September."""
    return _nth(year, 9, MONDAY, 1)


@lru_cache(maxsize=64)
def public_holidays(year: int) -> dict[date, str]:
    """Return the public holidays of a calendar year under General Construction Law section 24, by day.

    A day kept on a Monday because it fell on a Sunday is there on both days.
    """
    days = [
        (date(year, 1, 1), "New Year's Day"),
        (_nth(year, 1, MONDAY, 3), "Dr. Martin Luther King, Jr. Day"),
        (date(year, 2, 12), "Lincoln's Birthday"),
        (_nth(year, 2, MONDAY, 3), "Washington's Birthday"),
        (memorial_day(year), "Memorial Day"),
        (_nth(year, 6, SUNDAY, 2), "Flag Day"),
        (date(year, 7, 4), "Independence Day"),
        (labor_day(year), "Labor Day"),
        (_nth(year, 10, MONDAY, 2), "Columbus Day"),
        (_nth(year, 11, MONDAY, 1) + timedelta(days=1), "Election Day"),
        (date(year, 11, 11), "Veterans' Day"),
        (_nth(year, 11, THURSDAY, 4), "Thanksgiving Day"),
        (date(year, 12, 25), "Christmas Day"),
    ]
    if year >= JUNETEENTH_SINCE:
        days.append((date(year, 6, 19), "Juneteenth"))
    found = dict(sorted(days))
    # LAW: General Construction Law 24: a holiday on a Sunday is kept on the next day. Flag Day is a Sunday by definition and moves nothing.
    for day, name in days:
        if day.weekday() == SUNDAY and name != "Flag Day":
            found.setdefault(day + timedelta(days=1), f"{name} (kept on the Monday)")
    return dict(sorted(found.items()))


def closed_because(day: date, *, appointed: Collection[date] = ()) -> str:
    """Return why a day is no business day: ``Saturday``, ``Sunday`` or the holiday; empty where it is one."""
    if day in appointed:
        return "a day appointed as a holiday"
    if name := public_holidays(day.year).get(day):
        return name
    return {SATURDAY: "Saturday", SUNDAY: "Sunday"}.get(day.weekday(), "")


def is_business_day(day: date, *, appointed: Collection[date] = ()) -> bool:
    """Return whether a day is neither Saturday, Sunday nor public holiday."""
    return not closed_because(day, appointed=appointed)


def next_business_day(day: date, *, appointed: Collection[date] = ()) -> date:
    """Return this day if it is a business day, else the next that is (section 25-a)."""
    while not is_business_day(day, appointed=appointed):
        day += timedelta(days=1)
    return day


def previous_business_day(day: date, *, appointed: Collection[date] = ()) -> date:
    """Return this day if it is a business day, else the last one before it."""
    while not is_business_day(day, appointed=appointed):
        day -= timedelta(days=1)
    return day


def add_business_days(day: date, count: int, *, appointed: Collection[date] = ()) -> date:
    """Count business days forward (``count`` > 0) or back, leaving out the day from which the computation is made."""
    step = timedelta(days=1 if count > 0 else -1)
    for _ in range(abs(count)):
        day += step
        while not is_business_day(day, appointed=appointed):
            day += step
    return day


def add_days(day: date, count: int, *, appointed: Collection[date] = ()) -> date:
    """Count calendar days forward (``count`` > 0) or back, leaving out the day from which the computation is made.

    LAW: General Construction Law 20: from a period of two days, and only from that, a Saturday, Sunday or public holiday is left out where
    it comes between the day from which the computation is made and the last day.
    """
    if abs(count) != SHORT_PERIOD:
        return day + timedelta(days=count)
    # Only days that come between are left out. A last day that falls on a closed day is a matter of section 25-a, and of the caller.
    step = count // SHORT_PERIOD
    return add_business_days(day, step, appointed=appointed) + timedelta(days=step)


def business_days_between(first: date, last: date, *, appointed: Collection[date] = ()) -> tuple[tuple[date, str], ...]:
    """Return the public holidays that a count of business days from ``first`` to ``last`` passed over, weekends left out."""
    days = (first + timedelta(days=n) for n in range(1, (last - first).days + 1))
    named = ((day, closed_because(day, appointed=appointed)) for day in days if day.weekday() < SATURDAY)
    return tuple((day, why) for day, why in named if why)


def post_office_closed(day: date) -> str:
    """Return why post offices are closed on a day: Sunday or the holiday; empty where they are open (many are on a Saturday).

    Postal holidays are fewer than the State's: mail is accepted on Lincoln's Birthday and on Election Day.
    """
    if day.weekday() == SUNDAY:
        return "Sunday"
    # This never moves a last day. It tells a mailer that the postmark of that day cannot be had over the counter.
    name = public_holidays(day.year).get(day, "")
    return "" if name.startswith(NOT_POSTAL) else name


def days_ahead(days: int, event: str) -> str:
    """Return how many days before something an act is done, or after it where the number is negative: ``2 days before the event begins``."""
    count = f"{abs(days)} day{'' if abs(days) == 1 else 's'}"
    return f"{count} {'after' if days < 0 else 'before'} {event}" if days else f"on the day {event}"


def in_words(day: date) -> str:
    """Return a day as ``Sunday, April 5, 2026``."""
    return f"{day:%A}, {calendar_day(day)}"


def calendar_day(day: date) -> str:
    """Write a day as letters do.

    Examples
    --------
    >>> calendar_day(date(2026, 10, 20))
    'October 20, 2026'
    """
    return f"{day:%B} {day.day}, {day.year}"


def _nth(year: int, month: int, weekday: int, n: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
