"""Read one row of a town's file of permits: a permit, what must be asked about it, or why it is none."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from math import inf
from typing import Any, cast, get_args

from msgspec import Struct

from geonotice.decide.cap_count import KNOWN_OWNERS, PermitStatus, Zone
from geonotice.io.csv_tables import NoResult, is_blank
from geonotice.model import LIKELY_DAYS
from geonotice.register.assignments import Assignment
from geonotice.register.cells import (
    CHARITY_WORDS,
    NIGHT_WORDS,
    UNKNOWN,
    CellError,
    StatusRead,
    parts,
    read_count,
    read_kind,
    read_number,
    read_status,
    read_text,
    read_yes_no,
)
from geonotice.register.headings import HOURS
from geonotice.register.held_hours import GivenHours, Session, held_days, read_given_hours, sessions_on_days
from geonotice.register.parcel_cells import NamedParcel, ParcelFinder
from geonotice.register.permit_numbers import UNNUMBERED
from geonotice.register.permit_rows import Sheet, SheetRow
from geonotice.register.rows import districts_of
from geonotice.register.values import MOST_CHARACTERS, MOST_EVENTS, MOST_PERSONS, TEXTS, Land, Permit
from geonotice.register.written_days import Habits, WrittenDays, read_day, read_days

__all__ = ["RowRead", "RowReader", "Sunset", "no_permit"]

Sunset = Callable[[Land, date], datetime | None]
"""When the sun sets on a parcel."""

_LIKE_A_PARADE = re.compile(r"(?:^|_|/)(?:parade|run|race|walk|march|marathon|5k|10k|procession|bike_ride|trot)(?:_|/|$)")
"""LAW: 283-1: a parade is "a walk, run, march or similar gathering, including a marathon or bicycle race"."""
_MONTH = r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_SECTION = re.compile(
    rf"(?:(?:{_MONTH})\.?(?:\W*(?:19|20)\d\d)?|(?:year\W*)?(?:19|20)\d\d(?:\W*(?:permits|season|events))?"
    r"|(?:\w+\W+)?quarter|q[1-4]|spring|summer|fall|autumn|winter)(?:\W*\(?cont.*)?",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:sub|grand)?[ -]?totals?\b|sum\b|count\b|(?:monthly|yearly|annual) total", re.IGNORECASE)
_NOTE_CHARACTERS = 20
_COUNT_DIGITS = 3
_PLAIN_ANSWERS = {"yes", "no", "y", "n", "true", "false", "1", "0", "t", "f"}
"""What needs no remark."""


class RowRead(Struct, frozen=True, kw_only=True):
    """What a row says: a permit, or the faults for which it is none.

    ``remarks`` are what is missing or was understood in another way than written; ``values`` what was read of it, ``unread`` the fields that were not;
    ``present`` the fields that the file has; ``none`` is why a row is no permit at all; ``elsewhere`` whether it names parcels and
    the layer has none of them.
    """

    n: int
    number: str
    numbered: bool = True
    permit: Permit | None = None
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    values: Mapping[str, Any] = {}
    parcels: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    none: str = ""
    month_first: bool = False
    two_digits: bool = False
    elsewhere: bool = False


def no_permit(row: SheetRow, columns: tuple[str, ...], numbers: str | None) -> str:
    """Return why a row between the permits is none: a heading, a total, a note; empty where it may be one.

    Parameters
    ----------
    row
        The row.
    columns
        The headings of the file.
    numbers
        The heading under which permit numbers stand.
    """
    cells = {name: cell for name, cell in row.cells.items() if not is_blank([cell])}
    texts = list(dict.fromkeys(read_text(cell) for cell in cells.values()))
    if not texts:
        return "it is blank"
    return _between(row, columns, cells, texts, numbers)


def _between(row: SheetRow, columns: tuple[str, ...], cells: Mapping[str, Any], texts: list[str], numbers: str | None) -> str:
    first = texts[0]
    headings = [name.casefold() for name in columns if name in cells]
    if len(cells) > 1 and [read_text(row.cells.get(name)).casefold() for name in columns if name in cells] == headings:
        return "it repeats the headings"
    if any(isinstance(cell, date) for cell in cells.values()):
        return ""
    if len(cells) <= len(columns) / 2 and any(_TOTAL.match(text) for text in texts[:2]):
        return f"it is a total: {first[:60]}"
    if _SECTION.fullmatch(first) and all(text.isdecimal() and len(text) <= _COUNT_DIGITS for text in texts[1:]):
        return f"it is a heading between the rows: {first[:60]}"
    digits = any(letter.isdigit() for letter in first)
    noted = " " in first and (len(first) > _NOTE_CHARACTERS or not digits)
    note = len(texts) == 1 and (noted or (numbers not in cells and not digits))
    return f"it is a note: {' '.join(first.split())[:60]}" if note else ""


class RowReader:
    """Reads one row, with all its faults at once."""

    def __init__(
        self,
        table: Sheet,
        row: SheetRow,
        *,
        assignment: Assignment,
        finder: ParcelFinder,
        habits: Habits,
        source: str,
        sunset: Sunset | None = None,
        today: date | None = None,
    ) -> None:
        self._today = today
        self._cells: dict[str, Any] = {field: row.cells.get(name) for field, name in assignment.headings.items()}
        self._assignment = assignment
        self._table = table
        self._row = row
        self._finder = finder
        self._habits = habits
        self._source = source
        self._sunset = sunset
        self._faults: list[str] = []
        self._remarks: list[str] = []
        self._unread: set[str] = set()
        self._first = self._last = WrittenDays()
        self._month_first = self._two_digits = False
        self._absent_parcels = 0

    def read(self) -> RowRead:
        """Read the row."""
        none = no_permit(self._row, self._table.columns, self._assignment.headings.get("number"))
        if none:
            return RowRead(n=self._row.n, number="", none=none)
        values = self._values()
        status = self._status(values["issued"])
        numbered = bool(read_text(self._cells.get("number")))
        number = read_text(self._cells.get("number")) or self._made_number(
            values | {"status": status.stands if status else "issued"}
        )
        if status and status.stands == "not_a_permit":
            said = f"{read_text(self._cells.get('status'))!r}: no permit was issued"
            return RowRead(n=self._row.n, number=number, numbered=numbered, none=said, values=values)
        values["status"] = cast("PermitStatus", status.stands if status else "issued")
        land = self._land(number)
        self._parade(values, land)
        self._judge(values, land)
        self._suggest_night(values, land)
        permit = None
        if not self._faults:
            route, crs = self._route(number, values["kind"])
            permit = Permit(**values, number=number, land=land, source=self._source, route=route, route_crs=crs)
        return RowRead(
            n=self._row.n,
            number=number,
            numbered=numbered,
            permit=permit,
            faults=tuple(self._faults),
            remarks=tuple(dict.fromkeys(self._remarks)),
            values=values,
            parcels=tuple(item.parcel for item in land),
            unread=frozenset(self._unread),
            present=self._present(values),
            month_first=self._month_first,
            two_digits=self._two_digits,
            elsewhere=bool(land) and self._absent_parcels == len(land),
        )

    def _present(self, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that the file says something of: an absent column clears nothing that a register has."""
        found = set(self._assignment.headings)
        found |= {"ends"} if values["ends"] else set()
        found |= {"yard_sale_days"} if values["yard_sale_days"] else set()
        found |= {"streets"} if values["streets"] else set()
        found |= {HOURS} if values["hours"] or self._assignment.hours else set()
        found |= {"contact"} if self._assignment.contacts else set()
        return frozenset(found - {"number"})

    def _fault(self, column: str, why: object) -> None:
        self._unread.add(column)
        self._faults.append(f"{column}: {why}")

    def _values(self) -> dict[str, Any]:
        for column, value in self._cells.items():
            if isinstance(value, NoResult):
                self._fault(column, f"the formula {value} was saved without its result; save the file again in Excel")
                self._cells[column] = None
            elif isinstance(value, bytes):
                self._fault(column, "bytes that are no text")
                self._cells[column] = None
        distinct = self._cell("distinct_events", read_number)
        held = self._held()
        listed = self._days("yard_sale_days") or held.days
        orderly = not held.starts or (held.ends or held.starts) >= held.starts
        days = held_days(held.starts, held.ends, listed) if orderly and _is_short(held) else ()
        return {
            "kind": read_kind(self._cells.get("kind")),
            "title": read_text(self._cells.get("title")),
            "applicant": read_text(self._cells.get("applicant")),
            "charitable": self._yes_no("charitable", CHARITY_WORDS),
            "primarily_benefits_applicant": self._yes_no("primarily_benefits_applicant"),
            "owned_by": read_text(self._cells.get("owned_by")) or None,
            "distinct_events": 1 if distinct is None else distinct,
            "issued": self._day("issued").starts,
            "starts": held.starts,
            "ends": held.ends,
            "night": self._yes_no("night", NIGHT_WORDS),
            "persons": self._count("persons"),
            "maximum_attendance": self._count("maximum_attendance"),
            "conditions": read_text(self._cells.get("conditions")),
            "status": "issued",
            "override": read_text(self._cells.get("override")),
            "override_by": read_text(self._cells.get("override_by")),
            "overridden": read_text(self._cells.get("overridden")),
            "streets": tuple(parts(read_text(self._cells.get("streets")))),
            "yard_sale_days": listed,
            "hours": self._hours(days),
            "contact": self._contact(),
            "fee": read_text(self._cells.get("fee")),
            "private_title": bool(self._yes_no("private_title")),
        }

    def _contact(self) -> str:
        """Return how the applicant is reached, from all columns that say so."""
        return "; ".join(
            dict.fromkeys(text for name in self._assignment.contacts if (text := read_text(self._row.cells.get(name))))
        )

    def _cell(self, column: str, read: Callable[[object], Any]) -> Any:  # noqa: ANN401  # what the reader of the cell gives
        try:
            return read(self._cells.get(column))
        except CellError as error:
            self._fault(column, error)
            return None

    def _yes_no(self, column: str, words: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())) -> bool | None:
        found = cast("bool | None", self._cell(column, lambda cell: read_yes_no(cell, yes=words[0], no=words[1])))
        text = read_text(self._cells.get(column))
        if found is not None and text.casefold() not in _PLAIN_ANSWERS:
            self._remarks.append(f"{column}: {text!r} was read as {'yes' if found else 'no'}")
        return found

    def _count(self, column: str) -> int | None:
        count, said = self._cell(column, read_count) or (None, "")
        if said:
            self._remarks.append(f"{column}: {said}")
        return cast("int | None", count)

    def _status(self, issued: date | None) -> StatusRead | None:
        text = read_text(self._cells.get("status"))
        found: StatusRead | None = self._cell(
            "status", lambda cell: read_status(cell, was_issued=issued is not None or "issued" in self._unread)
        )
        if found and found.reworded and found.stands != "not_a_permit":
            counts = {"issued": "", "rescinded": ": it was issued and counts", "void": ": it does not count"}[found.stands]
            self._remarks.append(f"status: {text!r} was read as {found.stands}{counts}")
        return found

    def _day(self, column: str, read: Callable[[object, Habits], WrittenDays] = read_day) -> WrittenDays:
        found: WrittenDays = self._cell(column, lambda cell: read(cell, self._habits)) or WrittenDays()
        self._month_first = self._month_first or found.month_first
        self._two_digits = self._two_digits or found.two_digits
        self._remarks += [f"{column}: {said}" for said in found.remarks]
        for day in (found.starts, found.ends):
            if day is not None and not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
                self._fault(column, f"{day.isoformat()} is no likely year")
        return found

    def _held(self) -> WrittenDays:
        """Return the days of the event, from the column of its first day or days and that of its last."""
        first, last = self._day("starts", read_days), self._day("ends")
        self._first, self._last = first, last
        ends = last.starts
        if first.ends is not None and ends is not None and ends != first.ends:
            self._fault("ends", f"{ends.isoformat()} stands there, and {first.ends.isoformat()} under starts")
        return WrittenDays(starts=first.starts, ends=ends or first.ends, days=first.days)

    def _hours(self, days: tuple[date, ...]) -> tuple[Session, ...]:
        """Return the hours on the days of the event: those beside a day, or those of the columns of hours; what is not understood is said, for nothing is counted by it."""
        opens, closes = self._first.hours, self._last.hours
        texts = [_clock(self._row.cells.get(name)) for name in self._assignment.hours]
        said = "; ".join(text for text in texts if text)
        try:
            if opens and closes and days:
                return _joined(days, opens[0][0], closes[-1][1])
            if not (opens and (opens[0][0] != opens[0][1] or len(opens) > 1)) and said and said.casefold() not in UNKNOWN:
                return sessions_on_days(_stated(texts), days)
            said = "; ".join(f"{a:%H:%M}-{b:%H:%M}" if a != b else f"{a:%H:%M}" for a, b in opens)
            return _beside(days, opens)
        except CellError as error:
            self._unread.add(HOURS)
            self._remarks.append(f"hours: not kept: {said!r}: {error}" if said not in str(error) else f"hours: not kept: {error}")
            return ()

    def _days(self, column: str) -> tuple[date, ...]:
        days = []
        for part in parts(read_text(self._cells.get(column))):
            try:
                found = read_day(part, self._habits)
            except CellError as error:
                self._fault(column, error)
                continue
            if found.starts is not None:
                days.append(found.starts)
        return tuple(days)

    def _suggest_night(self, values: Mapping[str, Any], land: tuple[Land, ...]) -> None:
        """State what the hours suggest; the register keeps what the town says, and nothing where it says nothing.

        LAW: 283-6B(2) does not define night: hours between sunset and sunrise suggest it.
        """
        if not values["hours"] or values["starts"] is None or values["night"] is True:
            return
        starts, ends = values["hours"][0][0], values["hours"][-1][1]
        if not (isinstance(starts, datetime) and isinstance(ends, datetime)):
            return
        opens, closes = starts.time(), ends.time()
        place = next((item for item in land if item.geometry is not None), None)
        sets = self._sunset(place, values["starts"]) if self._sunset and place else None
        if sets is None:
            return
        dark = closes > sets.time() or closes < opens
        how = f"{opens:%H:%M} to {closes:%H:%M}, sunset at {sets:%H:%M}"
        if values["night"] is None:
            self._remarks.append(
                f"night: kept as unknown; the hours suggest {'night' if dark else 'day'} ({how}); write yes or no"
            )
        elif dark:
            self._remarks.append(f"night: kept as no, though the hours suggest night ({how})")

    def _parade(self, values: dict[str, Any], land: tuple[Land, ...]) -> None:
        """Take a run or a race on no parcel for a parade, with the street that the file names."""
        kind = values["kind"]
        if land or not _LIKE_A_PARADE.search(kind) or any(fault.startswith("parcels") for fault in self._faults):
            if land and kind != "parade" and _LIKE_A_PARADE.search(kind):
                self._remarks.append(
                    f"kind: {kind!r} on a parcel counts as any other event; write parade where it is one (283-1), which does not count"
                )
            return
        if kind != "parade":
            self._remarks.append(f"kind: {kind!r} without a parcel was read as parade, which does not count")
            values["kind"] = "parade"
        places = [text for name in self._assignment.places if (text := read_text(self._row.cells.get(name)))]
        if not values["streets"] and places:
            values["streets"] = tuple(parts(places[0]))
            self._remarks.append(f"streets: {places[0]} was taken from {self._assignment.places[0]!r}")

    def _made_number(self, values: Mapping[str, Any]) -> str:
        """Make a number for a row without one, out of what it says: the same row gets the same number again."""
        # Without what is read since version 0006, so that a file which an earlier version took in is known again.
        told = {name: value for name, value in values.items() if name not in {HOURS, "contact", "fee", "private_title"}}
        said = json.dumps({**told, "parcels": sorted(parts(read_text(self._cells.get("parcels"))))}, default=str, sort_keys=True)
        number = f"{UNNUMBERED}{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self._remarks.append(f"it has no number; it is kept as {number}")
        return number

    def _land(self, number: str) -> tuple[Land, ...]:
        text = read_text(self._cells.get("parcels"))
        found = self._finder.read(text, snapshots=lambda name: (number, name) in self._table.snapshots)
        self._faults += found.faults
        self._unread |= {"parcels"} if found.faults else set()
        self._remarks += found.remarks
        made = []
        for one in found.parcels:
            snapshot = self._table.snapshots.get((number, one.name))
            if snapshot is not None:
                try:
                    made.append(_from_snapshot(one.name, snapshot))
                except (ValueError, TypeError, OverflowError) as error:
                    self._fault(
                        "parcels", f"the snapshot of {one.name} cannot be read ({str(error)[:80]}); export the permits again"
                    )
            elif one.land is not None:
                made.append(one.land)
            else:
                made.append(self._absent(one, len(found.parcels)))
        return tuple(made)

    def _absent(self, one: NamedParcel, parcels: int) -> Land:
        """Return a parcel that is not in the layer, by its number: where the file has its shape, or a person said that the layer has it no longer."""
        land = self._unknown_land(one.name, parcels)
        if land.geometry is not None:
            return land
        near = f" (near it: {', '.join(one.near)})" if one.near else ""
        if one.former:
            self._remarks.append(
                f"parcels: {one.name} is not in the layer{near}; the permit is kept under that number, "
                "and counts on no other parcel until its shape is known"
            )
        else:
            self._absent_parcels += 1
            self._fault(
                "parcels",
                f"{one.name} is not in the layer{near}; write the number of today, or 'gone: {one.name}' where the layer has it no longer",
            )
        return land

    def _route(self, number: str, kind: str) -> tuple[bytes | None, str]:
        """Return a parade's route and its CRS: an export's own, or the lines of a town's layer of parades."""
        if number in self._table.routes:
            return self._table.routes[number]
        if kind != "parade" or self._row.geometry is None:
            return None, ""
        import shapely

        lines = shapely.get_dimensions(shapely.from_wkb(self._row.geometry)) == 1
        return (self._row.geometry, self._table.crs) if lines else (None, "")

    def _unknown_land(self, name: str, parcels: int) -> Land:
        """Return a parcel that is no more: with the row's own shape, where the row is of that parcel alone."""
        if parcels == 1 and self._row.geometry is not None:
            import shapely

            area = float(shapely.from_wkb(self._row.geometry).area)
            return Land(parcel=name, geometry=self._row.geometry, crs=self._table.crs, area_sq_ft=area)
        return Land(parcel=name)

    def _judge(self, values: Mapping[str, Any], land: tuple[Land, ...]) -> None:
        """Return what cannot be, and what is missing that the caps turn on."""
        if not land and values["kind"] != "parade" and not any(fault.startswith("parcels") for fault in self._faults):
            self._fault("parcels", "none is named; write a tax map number, or parade as its kind where it is one")
        numbers = [item.parcel for item in land]
        for name in sorted({name for name in numbers if numbers.count(name) > 1}):
            self._fault("parcels", f"{name} is named twice")
        if not 1 <= values["distinct_events"] <= MOST_EVENTS:
            self._fault("distinct_events", f"there is at least one, and {MOST_EVENTS:,} at most")
        for column in ("persons", "maximum_attendance"):
            if (values[column] or 0) > MOST_PERSONS:
                self._fault(column, f"{values[column]:,} are more than can be")
        for column in (*TEXTS, "override", "override_by", "overridden"):
            if len(values[column]) > MOST_CHARACTERS:
                self._fault(column, f"{len(values[column]):,} characters are more than a cell of a workbook holds")
        if values["owned_by"] is not None and values["owned_by"] not in KNOWN_OWNERS:
            self._fault("owned_by", f"{values['owned_by']!r} is none of {', '.join(sorted(KNOWN_OWNERS))}")
        if values["yard_sale_days"] and values["kind"] != "yard_sale" and "distinct_events" not in self._assignment.headings:
            days = len(values["yard_sale_days"])
            self._remarks.append(
                f"starts: {days} separate days under one permit count as one event; write {days} under distinct_events where each is an event"
            )
        self._judge_days(values["starts"], values["ends"], values["issued"])

    def _judge_days(self, starts: date | None, ends: date | None, issued: date | None) -> None:
        if starts is None and issued is None and not self._unread & {"issued", "starts"}:
            self._unread |= {"issued", "starts"}
            self._faults.append("issued, starts: neither is there, so that it can be counted in no year")
        if starts and ends and ends < starts:
            self._fault("ends", f"{ends.isoformat()} is before the start on {starts.isoformat()}")
        if issued is None and starts:
            self._remarks.append(
                "issued: unknown, so that in a residential district it may count in any year up to that of the event"
            )
        if starts is None and issued:
            self._remarks.append("starts: unknown, so that outside residential districts it may count in any year")
        if issued and self._today and issued > self._today:
            self._remarks.append(
                f"issued: {issued.isoformat()} is still to come; look whether the year is right, for it counts in that one"
            )
        if issued and starts and issued > starts:
            self._remarks.append(f"issued: {issued.isoformat()} is after the event began")


_MOST_DAYS = 366
"""A longer event has no hours of each day."""


def _is_short(held: WrittenDays) -> bool:
    return held.starts is None or ((held.ends or held.starts) - held.starts).days <= _MOST_DAYS


def _joined(days: tuple[date, ...], opens: time, closes: time) -> tuple[Session, ...]:
    """Return the hours of a beginning and an end that stand in columns of their own: one session from the first day to the last."""
    starts, ends = datetime.combine(days[0], opens), datetime.combine(days[-1], closes)
    return ((starts, ends if ends > starts else ends + timedelta(days=1)),)


def _beside(days: tuple[date, ...], stated: tuple[tuple[time, time], ...]) -> tuple[Session, ...]:
    """Return the hours that stand beside the days in a cell: one range for each day, or as many as there are days."""
    if not stated or not days:
        return ()
    single = [opens == closes for opens, closes in stated]
    if all(single) and len(stated) == len(("first", "last")) and len(days) > 1:
        return _joined(days, stated[0][0], stated[1][0])  # 7/4 6pm to 7/5 1am
    if len(stated) == len(days):
        given = [
            GivenHours(on=day, opens=opens, closes=None if opens == closes else closes)
            for day, (opens, closes) in zip(days, stated, strict=True)
        ]
    elif len(stated) == 1 or len(days) == 1:
        given = [GivenHours(opens=opens, closes=None if opens == closes else closes) for opens, closes in stated]
    else:
        raise CellError(f"{len(stated)} hours stand beside {len(days)} days: which hold on which is not clear")
    return sessions_on_days(given, days)


def _stated(texts: list[str]) -> tuple[GivenHours, ...]:
    """Return the hours of the columns that have them: a single one, or an opening and a closing."""
    if len(texts) == 1:
        return read_given_hours(texts[0])
    opens, closes = (read_given_hours(text) for text in texts)
    if len(opens) > 1 or len(closes) > 1 or any(one.closes is not None for one in (*opens, *closes)):
        raise CellError(
            "an opening in one column and a closing in the other are read; assign one column to hours, and the other to ignore"
        )
    begin, end = (one[0].opens if one else None for one in (opens, closes))
    return (GivenHours(opens=begin, closes=end),)


def _clock(cell: object) -> str:
    if isinstance(cell, datetime):
        return f"{cell:%H:%M}"
    return f"{cell:%H:%M}" if isinstance(cell, time) else read_text(cell)


def _from_snapshot(name: str, snapshot: Mapping[str, Any]) -> Land:
    area = snapshot.get("area_sq_ft")
    return Land(
        parcel=name,
        swis=str(snapshot.get("swis") or ""),
        zone=_zone_of(snapshot.get("zone")),
        districts=districts_of(str(snapshot.get("districts") or "[]")),
        geometry=snapshot["geometry"],
        crs=str(snapshot["crs"]) if snapshot["geometry"] is not None else "",
        area_sq_ft=None if area is None else _area_of(area),
    )


def _zone_of(value: object) -> Zone:
    zone = value or "undetermined"
    if zone not in get_args(Zone):
        raise ValueError(f"{zone!r} is no zone")
    return cast("Zone", zone)


def _area_of(value: Any) -> float:  # noqa: ANN401  # whatever a GeoPackage holds
    area = float(value)
    if not 0 <= area < inf:
        raise ValueError(f"{area} is no area")
    return area
