"""The days of an event as a clerk writes them in one cell: a day, a range, several separate days, with hours and weekdays or without."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from geonotice.io.csv_tables import NoResult
from geonotice.register.cells import UNKNOWN, CellError, read_text

__all__ = ["DateOrder", "Habits", "WrittenDays", "date_orders", "read_day", "read_days", "read_hour_ranges"]

DateOrder = Literal["month-first", "day-first"]

_SAME = "month-first"
_MOST_DAYS = 366
_MONTHS = {
    name: n
    for n, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sept sep",
         "october oct", "november nov", "december dec"), start=1)
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?,?", re.IGNORECASE)
_RAIN = re.compile(r"[(;,]?\s*\brain[ -]?(?:date|day)s?\b.*", re.IGNORECASE | re.DOTALL)
_CLOCK = r"(?:\d{1,2}(?::\d{2}){0,2}\s*(?:[ap]\.?\s?m\b\.?)?|noon|midnight)"
_TIMES = re.compile(
    rf"(?<![\d/.:-])(?:from\s+|@\s*|at\s+)?(?P<one>{_CLOCK})(?:\s*(?:-|to|until|till)\s*(?P<two>{_CLOCK}))?(?![\d/])",
    re.IGNORECASE,
)
_ZONED = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})[T ](\d{2}:\d{2})(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?$")
_SERIAL = re.compile(r"([2-7]\d{4})(?:\.\d+)?")
"""A day as a spreadsheet counts it, from 1954 to 2119; which of its two calendars it counts by is not in the number."""
_FIRST_SERIAL, _LAST_SERIAL = 20_000, 79_999
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)")
_TOKEN = re.compile(
    r"(?P<iso>\d{4}(?P<s1>[-/.])\d{1,2}(?P=s1)\d{1,2}(?!\d))"
    r"|(?P<short>\d{1,2}-[a-z]{3,9}-(?:\d{4}|\d{2})(?!\d))"
    r"|(?P<three>\d{1,2}(?P<s2>[/.-])\d{1,2}(?P=s2)(?:\d{4}|\d{2})(?!\d))"
    r"|(?P<two>\d{1,2}/\d{1,2}(?![\d/]))"
    r"|(?P<year>(?:/\s*)?\d{4}(?!\d)|['\u2019]\d{2}(?!\d))"
    r"|(?P<day>\d{1,2}(?:st|nd|rd|th)?(?![\w]))"
    r"|(?P<range>-|to\b|thru\b|through\b|until\b)"
    r"|(?P<list>[&;,+\n]|and\b)"
    r"|(?P<word>[a-z]+)\.?"
    r"|(?P<blank>[ \t\r]+|\(|\))"
    r"|(?P<other>.)",
    re.IGNORECASE,
)
_TWELVE = 12


class Habits(Struct, frozen=True, kw_only=True):
    """How the dates of a file are written.

    Parameters
    ----------
    year
        The year it is read in: of two digits, a year up to ten after it is meant, else one of the century before.
    order
        Which of two small numbers is the month; None where it is not known, so that 7/4/2026 is a question.
    epoch
        The day from which a workbook counts days; None where numbers are no days.
    """

    year: int
    order: DateOrder | None = "month-first"
    epoch: date | None = None


class WrittenDays(Struct, frozen=True, kw_only=True):
    """What a cell says: first and last day, the single days where it lists several, the hours, and what was made of it."""

    starts: date | None = None
    ends: date | None = None
    days: tuple[date, ...] = ()
    hours: tuple[tuple[time, time], ...] = ()
    remarks: tuple[str, ...] = ()
    month_first: bool = False
    two_digits: bool = False


class _Day(Struct):
    """A day as far as it is written."""

    month: int | None
    day: int
    year: int | None = None
    bound: bool = False  # its month stands right before it
    written: bool = False  # its year stands with it
    joined: str = ""  # what stands between it and the day before


def read_days(value: object, habits: Habits) -> WrittenDays:
    """Read the days of an event.

    Raises
    ------
    CellError
        They are not clear; its text says why, and what they may be.

    Examples
    --------
    >>> found = read_days("10/11-10/12/2025", Habits(year=2026))
    >>> found.starts.isoformat(), found.ends.isoformat(), found.days
    ('2025-10-11', '2025-10-12', ())
    >>> [day.isoformat() for day in read_days("July 4, 11 and 18, 2026", Habits(year=2026)).days]
    ['2026-07-04', '2026-07-11', '2026-07-18']
    """
    if isinstance(value, datetime):
        return WrittenDays(starts=value.date(), hours=_hour_of(value.time()))
    if isinstance(value, date):
        return WrittenDays(starts=value)
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and habits.epoch
        and _FIRST_SERIAL <= value <= _LAST_SERIAL
    ):
        day = habits.epoch + timedelta(days=int(value))
        return WrittenDays(
            starts=day, remarks=(f"the number {value:g} was read as the spreadsheet counts days: {day.isoformat()}",)
        )
    text = read_text(value)
    if text.casefold() in UNKNOWN:
        return WrittenDays()
    if found := _ZONED.fullmatch(text):
        day = _made(text, *map(int, found[1].split("-")))
        return WrittenDays(starts=day, hours=_hour_of(time.fromisoformat(found[2])))
    if found := _SERIAL.fullmatch(text):
        day = date(1899, 12, 30) + timedelta(days=int(found[1]))
        raise CellError(
            f"{text!r} is not a date; if it is how a spreadsheet counts days, it may be {day.isoformat()}: give the column the format "
            "of dates, or write it as 2026-07-04"
        )
    return _Cell(text, habits).read()


def read_day(value: object, habits: Habits) -> WrittenDays:
    """Read a cell that holds one day.

    Raises
    ------
    CellError
        It holds none, or several.
    """
    found = read_days(value, habits)
    if found.days or found.ends:
        raise CellError(f"{read_text(value)!r} is more than one day; write one, as 2026-07-04")
    return found


def read_hour_ranges(text: str) -> tuple[str, tuple[tuple[time, time | None], ...]]:
    """Read hours such as ``6pm-11pm``; return what is left of the text, and each opening with its closing, which is None where only one hour stands.

    Examples
    --------
    >>> read_hour_ranges("6-11 pm")
    ('', ((datetime.time(18, 0), datetime.time(23, 0)),))
    """
    rest, found = _hours(_dashes(text))
    return rest, tuple((opens, None if closes == opens else closes) for opens, closes in found)


def _dashes(text: str) -> str:
    return re.sub("[\u2010-\u2015\u2212]", "-", text)


class _Cell:
    """One cell, read from left to right."""

    def __init__(self, text: str, habits: Habits) -> None:
        self._text = text
        self._habits = habits
        self._found: list[_Day] = []
        self._month_first = self._two_digits = False

    def _wrong(self, why: str = "") -> CellError:
        return CellError(f"{self._text!r} is not a date{f': {why}' if why else ''}; write it as 2026-07-04")

    def read(self) -> WrittenDays:
        said: list[str] = []
        rest = _dashes(self._text)
        if rain := _RAIN.search(rest):
            said.append(f"the rain date was not kept: {rain[0].strip(' (),;')}")
            rest = rest[: rain.start()]
        names = [found[1][:3].casefold() for found in _WEEKDAY.finditer(rest)]
        rest, hours = _hours(_WEEKDAY.sub(" ", rest))
        self._scan(rest)
        days = self._dated()
        if len(days) == 1 and len(names) == 1 and _WEEKDAYS[days[0].weekday()][:3] != names[0]:
            raise CellError(
                f"{self._text!r} names another day of the week: {days[0].isoformat()} is a {_WEEKDAYS[days[0].weekday()].capitalize()}; "
                "write it as 2026-07-04"
            )
        return self._gathered(days, tuple(hours), said)

    def _gathered(self, days: list[date], hours: tuple[tuple[time, time], ...], said: list[str]) -> WrittenDays:
        made = WrittenDays(
            starts=days[0], hours=hours, remarks=tuple(said), month_first=self._month_first, two_digits=self._two_digits
        )
        joined = [one.joined for one in self._found[1:]]
        if not joined:
            return made
        if joined == ["range"]:
            if days[1] < days[0]:
                raise self._wrong(f"the last day, {days[1].isoformat()}, is before the first, {days[0].isoformat()}")
            return replace(made, ends=days[1])
        held: set[date] = {days[0]}
        for before, day, how in zip(days, days[1:], joined, strict=False):
            if how == "range" and not timedelta() <= day - before <= timedelta(days=_MOST_DAYS):
                raise self._wrong(f"from {before.isoformat()} to {day.isoformat()} is no range of days")
            held |= {before + timedelta(days=n) for n in range((day - before).days + 1)} if how == "range" else {day}
        several = tuple(sorted(held))
        if len(several) == 1:
            return made
        words = f"it was read as {len(several)} days: {', '.join(day.isoformat() for day in several)}"
        return replace(made, starts=several[0], ends=several[-1], days=several, remarks=(*said, words))

    def _scan(self, text: str) -> None:
        """Go through the words and numbers of a cell; each day found is joined to the one before it by what stands between."""
        month: int | None = None
        joined = last = ""
        for token in _TOKEN.finditer(text):
            kind, word = str(token.lastgroup), token[0].casefold()
            if kind == "blank":
                continue
            if kind in {"range", "list"}:
                joined = "range" if kind == "range" else joined or "list"
            elif kind == "year":
                self._take_year(word)
                joined = ""
            elif kind in {"iso", "short", "three", "two", "day"}:
                if self._found and not joined:
                    raise self._wrong("what stands between two numbers is not understood")
                one = self._day(kind, word, month, bound=last == "word")
                one.joined, joined = joined, ""
                self._found.append(one)
            else:
                month = self._month(token[0], after_day=last == "day" and not joined)
            last = kind
        if not self._found or joined == "range":
            raise self._wrong()

    def _take_year(self, word: str) -> None:
        """Put a year to the days before it that have none."""
        if not self._found:
            raise self._wrong()
        for one in self._found:
            one.year = one.year or self._year(word.strip(" /'\u2019"))

    def _month(self, word: str, *, after_day: bool) -> int:
        """Return the month of a name; behind a day, as in 9 August, it is that day's, and that of days before it that have none."""
        number = _MONTHS.get(word.casefold().strip("."))
        if number is None:
            raise self._wrong(f"{word!r} is not understood")
        if after_day and not self._found[-1].bound:
            self._found[-1].month = number
            for one in self._found[-2::-1]:
                if one.bound or one.month is not None:
                    break
                one.month = number
        return number

    def _day(self, kind: str, word: str, month: int | None, *, bound: bool) -> _Day:
        if kind == "day":
            return _Day(month, int(re.sub(r"\D", "", word)), bound=bound)
        if kind == "iso":
            year, first, second = (int(part) for part in re.split(r"[-/.]", word))
            return _Day(first, second, year, bound=True, written=True)
        if kind == "short":
            day, name, year_ = word.split("-")
            if name not in _MONTHS:
                raise self._wrong()
            return _Day(_MONTHS[name], int(day), self._year(year_), bound=True, written=True)
        parts = re.split(r"[-/.]", word)
        number, day_ = self._ordered(int(parts[0]), int(parts[1]), word)
        return _Day(number, day_, self._year(parts[2]) if kind == "three" else None, bound=True, written=kind == "three")

    def _ordered(self, first: int, second: int, word: str) -> tuple[int, int]:
        """Return month and day, in the order of the file."""
        order = self._habits.order
        if first > _TWELVE >= second and order != "day-first":
            raise self._wrong(f"{word} is no date with the month first; with the day first it is the {first} of month {second}")
        if second > _TWELVE >= first and order == "day-first":
            raise self._wrong(f"{word} is no date with the day first; with the month first it is the {second} of month {first}")
        if order is None and first != second:
            raise self._wrong(f"{word} may be month {first}, day {second}, or month {second}, day {first}")
        self._month_first = self._month_first or order != "day-first"
        return (second, first) if order == "day-first" else (first, second)

    def _year(self, digits: str) -> int:
        if len(digits) == 4:  # noqa: PLR2004  # written out
            return int(digits)
        self._two_digits = True
        year = self._habits.year // 100 * 100 + int(digits)
        return year if year <= self._habits.year + 10 else year - 100

    def _dated(self) -> list[date]:
        if not any(one.year for one in self._found):
            raise self._wrong("its year is not written")
        for before, one in reversed(list(zip(self._found, self._found[1:], strict=False))):
            before.year = before.year or one.year
        for before, one in zip(self._found, self._found[1:], strict=False):
            one.year = one.year or before.year
            one.month = one.month or before.month
        made: list[date] = []
        for one in self._found:
            if one.month is None or one.year is None:
                raise self._wrong()
            made.append(_made(self._text, one.year, one.month, one.day))
        first, *others = self._found
        if not first.written and others and others[0].joined == "range" and made[0] > made[1]:
            made[0] = _made(self._text, made[0].year - 1, made[0].month, made[0].day)  # 12/31-1/1/27
        return made


def _made(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise CellError(f"{text!r} is not a date: there is no such day; write it as 2026-07-04") from error


def _hour_of(clock: time) -> tuple[tuple[time, time], ...]:
    """Return the hour of a moment; midnight is what a program writes for none."""
    return ((clock, clock),) if clock != time.min else ()


def _hours(text: str) -> tuple[str, list[tuple[time, time]]]:
    """Take the hours out of a text; return what is left of it, and each opening with its closing, the same twice where only one hour stands."""
    found: list[tuple[time, time]] = []

    def taken(match: re.Match[str]) -> str:
        one, two = match["one"], match["two"]
        sure = [part for part in (one, two) if part and re.search(r":|m\b|m\.|noon|midnight", part, re.IGNORECASE)]
        if not sure or (two and not re.search(r"m\b|m\.|noon|midnight|:", two, re.IGNORECASE)):
            return match[0]
        half = re.search(r"[ap](?=\.?\s?m)", two or "", re.IGNORECASE)
        last = _clock(two, "") if two else None
        first = _clock(one, half[0] if half else "")
        if (
            first is not None
            and last is not None
            and half
            and half[0].casefold() == "p"
            and first > last
            and first.hour >= _TWELVE
        ):
            first = _clock(one, "a")  # 11-3pm
        if first is None or (two and last is None):
            return match[0]
        found.append((first, last if last is not None else first))
        return " "

    rest = _TIMES.sub(taken, text)
    if not found:
        return text, found
    return re.sub(r"\s+[-,@]\s*$", "", rest.rstrip(" ,-@")), found


def _clock(text: str, half: str) -> time | None:
    plain = text.casefold().strip()
    if plain in {"noon", "midnight"}:
        return time(12) if plain == "noon" else time(0)
    numbers = [int(part) for part in re.findall(r"\d+", plain)]
    own = re.search(r"[ap](?=\.?\s?m)", plain)
    half = (own[0] if own else half).casefold()
    hour = numbers[0]
    if half:
        if not 1 <= hour <= _TWELVE:
            return None
        hour = hour % _TWELVE + (_TWELVE if half == "p" else 0)
    try:
        return time(hour, numbers[1] if len(numbers) > 1 else 0)
    except ValueError:
        return None


class _Evidence(NamedTuple):
    """How many dates can only be month first, only day first, either, and how many are parted by dots."""

    month: int
    day: int
    either: int
    dotted: int


def _evidence(cells: Iterable[object]) -> _Evidence:
    counted: Counter[str] = Counter()
    for cell in cells:
        if not isinstance(cell, str) or isinstance(cell, NoResult):
            continue
        for first, mark, second, year in _NUMERIC.findall(_dashes(cell)):
            if not year and mark != "/":
                continue
            one, two = int(first), int(second)
            if not (1 <= one <= 31 and 1 <= two <= 31):  # noqa: PLR2004  # the days of a month
                continue
            counted["month" if two > _TWELVE >= one else "day" if one > _TWELVE >= two else "either" if one != two else ""] += 1
            counted["dotted"] += mark == "."
    return _Evidence(counted["month"], counted["day"], counted["either"], counted["dotted"])


def date_orders(cells: Iterable[object]) -> tuple[DateOrder | None, str]:
    """Return in which order the dates of a file are written, by those that can be read in one only; and a question where that does not tell.

    American dates are month first. Where some can only be day first, or dots part them as in Europe, the others are asked about.

    Examples
    --------
    >>> date_orders(["7/4/2026", "7/25/2026"])
    ('month-first', '')
    >>> date_orders(["25/7/2026", "4/7/2026"])[0] is None
    True
    """
    found = _evidence(cells)
    mostly = found.month >= 4 * found.day  # one slip of the pen among several
    if mostly and not found.dotted:
        return "month-first", ""
    if not found.either:
        return ("day-first" if found.day > found.month else "month-first"), ""
    dots = f"; {found.dotted} are written with dots" if found.dotted else ""
    why = f"{found.day} can only be day first, {found.month} only month first{dots}"
    return None, f"{found.either} date{'s' if found.either != 1 else ''} such as 7/4/2026 can be read in two ways ({why})"
