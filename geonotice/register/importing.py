"""Take a town's spreadsheet of past permits into the register, with a report of what did not fit.

Every row is accounted for: taken, taken with a remark, there already, or refused with the reason. What is written is written in one
transaction. Permits of past years are facts: the cap refuses none of them.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from sqlalchemy import select

from geonotice.decide.cap_values import KNOWN_OWNERS, PermitStatus, Zone
from geonotice.errors import ParcelNotFound, UsageError
from geonotice.model import LIKELY_DAYS, District
from geonotice.register.cells import (
    CellError,
    column_name,
    read_date,
    read_kind,
    read_number,
    read_status,
    read_text,
    read_yes_no,
)
from geonotice.register.rows import add, load
from geonotice.register.sheets import NoResult, Sheet, SheetRow, read_sheet
from geonotice.register.tables import permits
from geonotice.register.values import MOST_EVENTS, MOST_PERSONS, Land, Permit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.register.session import Register

__all__ = ["ImportReport", "ImportRow", "import_"]

Outcome = Literal["taken", "taken_with_remarks", "there_already", "refused"]

_COMPARED = tuple(item.name for item in fields(Permit) if item.name not in {"land", "source", "route", "route_crs"})
"""What must agree for a row to be the permit of its number that is there already; the land may have been drawn anew meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRow:
    """What became of one row; ``n`` is its number in the spreadsheet."""

    n: int
    number: str
    outcome: Outcome
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of a file. ``remarks`` are about the whole of it: columns that were not read, answers that are missing throughout."""

    file: str
    rows: tuple[ImportRow, ...]
    remarks: tuple[str, ...] = ()
    written: bool = True

    def count(self, *outcomes: Outcome) -> int:
        """Count the rows of these outcomes."""
        return sum(row.outcome in outcomes for row in self.rows)

    @property
    def refused(self) -> tuple[ImportRow, ...]:
        """The rows that did not fit."""
        return tuple(row for row in self.rows if row.outcome == "refused")


def import_(
    register: "Register",
    path: Path,
    *,
    locate: Callable[[str], Land],
    now: datetime,
    by: str,
    why: str = "",
    sheet: str | None = None,
    dry_run: bool = False,
) -> ImportReport:
    """Import permits from CSV, XLSX or GeoPackage.

    Parameters
    ----------
    register
        An open register.
    path
        The file; its columns are :data:`geonotice.register.cells.COLUMNS`, or a town's usual words for them.
    locate
        Finds a parcel as it is today by its tax map number; raises :class:`ParcelNotFound` where there is none, another
        :class:`UsageError` where it cannot tell.
    now, by, why
        For the log; a remark stands there behind each row's place in the file.
    sheet
        The sheet or table, where the file has several.
    dry_run
        Report only; write nothing.

    Raises
    ------
    InputError
        The file cannot be read, or lacks the columns without which no permit can be counted.
    UsageError
        Nobody is named.
    RegisterError
        The database refuses; nothing was written.
    """
    if not by.strip():
        raise UsageError("nobody is named; give --by NAME")
    table = read_sheet(path, sheet=sheet)
    remarks = [*table.remarks, *_about_columns(table)]
    found = [_Reader(table, row, locate, f"{path.name}, row {row.n}").read() for row in table.rows]
    if any(item.month_first for item in found):
        remarks.append("dates such as 7/4/2026 were read month first")
    if dry_run:
        with register.reading() as connection:
            rows, _ = _sort(connection, found)
        return ImportReport(file=str(path), rows=tuple(rows), remarks=tuple(remarks), written=False)
    with register.writing() as writing:
        rows, new = _sort(writing.connection, found)
        add(writing.connection, new)
        for permit in new:
            reason = f"{permit.source}; {why}" if why else permit.source
            writing.chain.append(permit, at=now, by=by.strip(), action="import", why=reason)
    return ImportReport(file=str(path), rows=tuple(rows), remarks=tuple(remarks))


def _about_columns(table: Sheet) -> list[str]:
    names = {name: column_name(name) for name in table.columns}
    known = [column for column in names.values() if column]
    twice = {column for column in known if known.count(column) > 1}
    said = [f"several columns could be {column}; the first was read" for column in sorted(twice)]
    said += [
        f"the column {name!r} was not read: a permit has nothing of that name"
        for name, column in names.items()
        if not column and name not in {"fid", "geom"}
    ]
    absent = {
        "number": "a number was made from each row's content",
        "issued": "the days of issue are unknown: in residential districts these permits may or may not count",
        "starts": "the days of the events are unknown: outside residential districts these permits may or may not count",
        "night": "for none of them is it known whether it was at night",
        "distinct_events": "each was taken for one event",
        "status": "each was taken for issued",
    }
    said += [f"there is no column {column}: {what}" for column, what in absent.items() if column not in known]
    return said


def _sort(connection: "Connection", found: "list[_Read]") -> tuple[list[ImportRow], list[Permit]]:
    """Tell new permits from those that are there already, in the register or further up in the file."""
    there: dict[str, Permit] = {}
    numbers = [item.permit.number for item in found if item.permit]
    for start in range(0, len(numbers), 400):
        asked = select(permits.c.id).where(permits.c.number.in_(numbers[start : start + 400]))
        there |= {permit.number: permit for permit in load(connection, list(connection.execute(asked).scalars()))}
    rows, new = [], []
    seen: dict[str, int] = {}
    for item in found:
        permit = item.permit
        if permit is None:
            rows.append(ImportRow(n=item.n, number=item.number, outcome="refused", reasons=item.faults))
            continue
        other = there.get(permit.number)
        if other is None:
            there[permit.number] = permit
            seen[permit.number] = item.n
            new.append(permit)
            rows.append(
                ImportRow(
                    n=item.n,
                    number=permit.number,
                    outcome="taken_with_remarks" if item.remarks else "taken",
                    reasons=item.remarks,
                )
            )
            continue
        where = f"in row {seen[permit.number]}" if permit.number in seen else "in the register"
        differs = _differences(other, permit)
        if differs:
            reason = f"permit {permit.number} stands {where} already, but otherwise: {'; '.join(differs)}"
            rows.append(ImportRow(n=item.n, number=permit.number, outcome="refused", reasons=(reason,)))
        else:
            rows.append(ImportRow(n=item.n, number=permit.number, outcome="there_already", reasons=(f"it stands {where}",)))
    return rows, new


def _differences(there: Permit, new: Permit) -> list[str]:
    said = [
        f"{name} is {_shown(getattr(there, name))} there, {_shown(getattr(new, name))} here"
        for name in _COMPARED
        if getattr(there, name) != getattr(new, name)
    ]
    if sorted(there.parcels) != sorted(new.parcels):
        said.append(f"parcels are {', '.join(there.parcels)} there, {', '.join(new.parcels)} here")
    return said


def _shown(value: object) -> str:
    if value is None:
        return "unknown"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) or "empty"


@dataclass(frozen=True, slots=True)
class _Read:
    n: int
    number: str
    permit: Permit | None
    faults: tuple[str, ...]
    remarks: tuple[str, ...]
    month_first: bool


class _Reader:
    """Reads one row, with all its faults at once."""

    def __init__(self, table: Sheet, row: SheetRow, locate: Callable[[str], Land], source: str) -> None:
        self._cells: dict[str, Any] = {}
        for name in table.columns:
            column = column_name(name)
            if column and column not in self._cells:
                self._cells[column] = row.cells.get(name)
        self._table = table
        self._row = row
        self._locate = locate
        self._source = source
        self._faults: list[str] = []
        self._remarks: list[str] = []
        self._month_first = False

    def read(self) -> _Read:
        values = self._values()
        number = read_text(self._cells.get("number")) or self._made_number(values)
        land = self._land(number)
        self._judge(values, land)
        permit = None
        if not self._faults:
            route = self._row.geometry if values["kind"] == "parade" else None
            permit = Permit(
                **values, number=number, land=land, source=self._source, route=route, route_crs=self._table.crs if route else ""
            )
        return _Read(self._row.n, number, permit, tuple(self._faults), tuple(self._remarks), self._month_first)

    def _values(self) -> dict[str, Any]:
        for column, value in self._cells.items():
            if isinstance(value, NoResult):
                self._faults.append(f"{column}: the formula {value} was saved without its result; save the file again in Excel")
                self._cells[column] = None
        distinct = self._cell("distinct_events", read_number)
        return {
            "kind": read_kind(self._cells.get("kind")),
            "title": read_text(self._cells.get("title")),
            "applicant": read_text(self._cells.get("applicant")),
            "charitable": self._cell("charitable", read_yes_no),
            "primarily_benefits_applicant": self._cell("primarily_benefits_applicant", read_yes_no),
            "owned_by": read_text(self._cells.get("owned_by")) or None,
            "distinct_events": 1 if distinct is None else distinct,
            "issued": self._day("issued"),
            "starts": self._day("starts"),
            "ends": self._day("ends"),
            "night": self._cell("night", read_yes_no),
            "persons": self._cell("persons", read_number),
            "maximum_attendance": self._cell("maximum_attendance", read_number),
            "conditions": read_text(self._cells.get("conditions")),
            "status": cast("PermitStatus", self._cell("status", read_status) or "issued"),
            "override": read_text(self._cells.get("override")),
            "override_by": read_text(self._cells.get("override_by")),
            "streets": tuple(_parts(self._cells.get("streets"))),
            "yard_sale_days": self._days("yard_sale_days"),
        }

    def _cell(self, column: str, read: Callable[[object], Any]) -> Any:  # noqa: ANN401  # what the reader of the cell gives
        try:
            return read(self._cells.get(column))
        except CellError as error:
            self._faults.append(f"{column}: {error}")
            return None

    def _day(self, column: str) -> date | None:
        found = self._cell(column, read_date)
        if found is None:
            return None
        day, month_first = found
        self._month_first = self._month_first or month_first
        if day is not None and not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
            self._faults.append(f"{column}: {day.isoformat()} is no likely year")
        return cast("date | None", day)

    def _days(self, column: str) -> tuple[date, ...]:
        days = []
        for part in _parts(self._cells.get(column)):
            try:
                day, _ = read_date(part)
            except CellError as error:
                self._faults.append(f"{column}: {error}")
                continue
            if day is not None:
                days.append(day)
        return tuple(days)

    def _made_number(self, values: Mapping[str, Any]) -> str:
        """Make a number for a row without one, out of what it says: the same row gets the same number again."""
        said = json.dumps({**values, "parcels": sorted(_parts(self._cells.get("parcels")))}, default=str, sort_keys=True)
        number = f"unnumbered-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self._remarks.append(f"it has no number; it is kept as {number}")
        return number

    def _land(self, number: str) -> tuple[Land, ...]:
        names = _parts(self._cells.get("parcels"))
        made = []
        for name in names:
            snapshot = self._table.snapshots.get((number, name))
            if snapshot is not None:
                made.append(_from_snapshot(name, snapshot))
                continue
            try:
                made.append(self._locate(name))
            except ParcelNotFound as error:
                made.append(self._unknown_land(name, len(names)))
                if made[-1].geometry is None:
                    near = f" (near it: {', '.join(error.suggestions)})" if error.suggestions else ""
                    self._remarks.append(
                        f"parcels: {name} is not in the layer{near}; the permit is kept under that number, "
                        "and counts on no other parcel until its shape is known"
                    )
            except UsageError as error:
                self._faults.append(f"parcels: {error}")
        return tuple(made)

    def _unknown_land(self, name: str, parcels: int) -> Land:
        """Give a parcel that is no more: with the row's own shape, where the row is of that parcel alone."""
        if parcels == 1 and self._row.geometry is not None:
            import shapely

            area = float(shapely.from_wkb(self._row.geometry).area)
            return Land(parcel=name, geometry=self._row.geometry, crs=self._table.crs, area_sq_ft=area)
        return Land(parcel=name)

    def _judge(self, values: Mapping[str, Any], land: tuple[Land, ...]) -> None:
        """Say what cannot be, and what is missing that the caps turn on."""
        faults = self._faults
        starts, ends, issued = values["starts"], values["ends"], values["issued"]
        if not land and values["kind"] != "parade" and not any(fault.startswith("parcels") for fault in faults):
            faults.append("parcels: none is named")
        numbers = [item.parcel for item in land]
        faults += [f"parcels: {name} is named twice" for name in sorted({name for name in numbers if numbers.count(name) > 1})]
        if not 1 <= values["distinct_events"] <= MOST_EVENTS:
            faults.append(f"distinct_events: there is at least one, and {MOST_EVENTS:,} at most")
        for column in ("persons", "maximum_attendance"):
            if (values[column] or 0) > MOST_PERSONS:
                faults.append(f"{column}: {values[column]:,} are more than can be")
        if values["owned_by"] is not None and values["owned_by"] not in KNOWN_OWNERS:
            faults.append(f"owned_by: {values['owned_by']!r} is none of {', '.join(sorted(KNOWN_OWNERS))}")
        self._judge_days(starts, ends, issued)

    def _judge_days(self, starts: date | None, ends: date | None, issued: date | None) -> None:
        faults = self._faults
        if starts is None and issued is None and not any(fault.startswith(("issued", "starts")) for fault in faults):
            faults.append("issued, starts: neither is there, so that it can be counted in no year")
        if starts and ends and ends < starts:
            faults.append(f"ends: {ends.isoformat()} is before the start on {starts.isoformat()}")
        if issued is None and starts:
            self._remarks.append(
                "issued: unknown, so that in a residential district it may count in any year up to that of the event"
            )
        if starts is None and issued:
            self._remarks.append("starts: unknown, so that outside residential districts it may count in any year")
        if issued and starts and issued > starts:
            self._remarks.append(f"issued: {issued.isoformat()} is after the event began")


def _parts(value: object) -> list[str]:
    return [part.strip() for part in read_text(value).replace("\n", ";").split(";") if part.strip()]


def _from_snapshot(name: str, snapshot: Mapping[str, Any]) -> Land:
    area = snapshot.get("area_sq_ft")
    return Land(
        parcel=name,
        swis=str(snapshot.get("swis") or ""),
        zone=cast("Zone", snapshot.get("zone") or "undetermined"),
        districts=tuple(District(*part) for part in json.loads(str(snapshot.get("districts") or "[]"))),
        geometry=snapshot["geometry"],
        crs=str(snapshot["crs"]) if snapshot["geometry"] is not None else "",
        area_sq_ft=None if area is None else float(area),
    )
