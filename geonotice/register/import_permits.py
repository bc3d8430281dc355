"""Import a town's spreadsheet of past permits, with a report of what did not fit."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from msgspec import Struct
from sqlalchemy import select

from geonotice.decide.cap_count import KNOWN_OWNERS, PermitStatus, Zone
from geonotice.errors import ParcelNotFound, UsageError
from geonotice.io.tables import NoResult
from geonotice.model import LIKELY_DAYS
from geonotice.register.cells import (
    CellError,
    clean,
    column_name,
    parts,
    read_date,
    read_kind,
    read_number,
    read_status,
    read_text,
    read_yes_no,
)
from geonotice.register.permit_rows import Sheet, SheetRow
from geonotice.register.rows import add, districts_of, load
from geonotice.register.sheets import placed, read_sheet
from geonotice.register.tables import permits
from geonotice.register.values import MOST_CHARACTERS, MOST_EVENTS, MOST_PERSONS, TEXTS, Land, Permit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.register.session import Register


__all__ = [
    "ImportReport",
    "ImportRow",
    "RowRead",
    "RowReader",
    "import_",
]


MOST_PARCELS = 1_000
"""Most parcels of one permit."""

_MARKS = re.compile(r",|&|\+|/|\band\b", re.IGNORECASE)
"""What people put between two parcels."""


class RowRead(Struct, frozen=True):
    """What a row says: a permit, or the faults for which it is none; ``remarks`` are what is missing, ``month_first`` is about its dates."""

    n: int
    number: str
    permit: Permit | None
    faults: tuple[str, ...]
    remarks: tuple[str, ...]
    month_first: bool


class RowReader:
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

    def read(self) -> RowRead:
        """Read the row."""
        values = self._values()
        number = read_text(self._cells.get("number")) or self._made_number(values)
        land = self._land(number)
        self._judge(values, land)
        permit = None
        if not self._faults:
            route, crs = self._route(number, values["kind"])
            permit = Permit(**values, number=number, land=land, source=self._source, route=route, route_crs=crs)
        return RowRead(self._row.n, number, permit, tuple(self._faults), tuple(self._remarks), self._month_first)

    def _values(self) -> dict[str, Any]:
        for column, value in self._cells.items():
            if isinstance(value, NoResult):
                self._faults.append(f"{column}: the formula {value} was saved without its result; save the file again in Excel")
                self._cells[column] = None
            elif isinstance(value, bytes):
                self._faults.append(f"{column}: bytes that are no text")
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
            "overridden": read_text(self._cells.get("overridden")),
            "streets": tuple(parts(read_text(self._cells.get("streets")))),
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
        for part in parts(read_text(self._cells.get(column))):
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
        said = json.dumps(
            {**values, "parcels": sorted(parts(read_text(self._cells.get("parcels"))))}, default=str, sort_keys=True
        )
        number = f"unnumbered-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self._remarks.append(f"it has no number; it is kept as {number}")
        return number

    def _land(self, number: str) -> tuple[Land, ...]:
        named = parts(read_text(self._cells.get("parcels")))
        if len(named) > MOST_PARCELS:
            self._faults.append(f"parcels: {len(named):,} are named, and {MOST_PARCELS:,} at most are read")
            return ()
        names = [name for one in named for name in self._several(number, one)]
        made = []
        for name in names:
            snapshot = self._table.snapshots.get((number, name))
            if snapshot is not None:
                try:
                    made.append(_from_snapshot(name, snapshot))
                except (ValueError, TypeError, OverflowError) as error:
                    self._faults.append(
                        f"parcels: the snapshot of {name} cannot be read ({str(error)[:80]}); export the permits again"
                    )
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

    def _several(self, number: str, one: str) -> list[str]:
        """Return the parcels that are named with other marks between them than ours, where the layer knows each; else the name itself.

        A row of two parcels that is taken for one of a strange number would count on neither.
        """
        pieces = [piece.strip() for piece in _MARKS.split(one) if piece.strip()]
        if pieces == [one] or len(pieces) > MOST_PARCELS or (number, one) in self._table.snapshots or self._is_known(one):
            return [one]
        if not all(self._is_known(piece) for piece in pieces):
            return [one]
        self._remarks.append(f"parcels: {one!r} was read as {len(pieces)} parcels: {'; '.join(pieces)}")
        return pieces

    def _is_known(self, name: str) -> bool:
        try:
            self._locate(name)
        except ParcelNotFound:
            return False
        except UsageError:
            return True  # it is there, more than once
        return True

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
        faults += [
            f"{column}: {len(values[column]):,} characters are more than a cell of a workbook holds"
            for column in (*TEXTS, "override", "override_by", "overridden")
            if len(values[column]) > MOST_CHARACTERS
        ]
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


Outcome = Literal["taken", "taken_with_remarks", "there_already", "refused"]

_COMPARED = tuple(name for name in Permit.__struct_fields__ if name not in {"land", "source", "route", "route_crs"})
"""What must agree for a row to be the permit of its number that is there already; the land may have been drawn anew meanwhile."""


class ImportRow(Struct, frozen=True, kw_only=True):
    """What became of one row; ``n`` is its number in the spreadsheet."""

    n: int
    number: str
    outcome: Outcome
    reasons: tuple[str, ...] = ()


class ImportReport(Struct, frozen=True, kw_only=True):
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
    crs: str = "",
    move: Callable[[bytes, str], bytes] | None = None,
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
    crs, move
        The CRS that the layers are in, and what brings well-known binary from another to it; without ``move`` shapes are kept as they are.
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
    who = clean(by)
    if not who:
        raise UsageError("nobody is named; give --by NAME")
    table = read_sheet(path, sheet=sheet)
    table = placed(table, crs, move) if move else table
    remarks = [*table.remarks, *_about_columns(table)]
    found = [RowReader(table, row, locate, f"{path.name}, row {row.n}").read() for row in table.rows]
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
            writing.chain.append(permit, at=now, by=who, action="import", why=reason)
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


def _sort(connection: "Connection", found: "list[RowRead]") -> tuple[list[ImportRow], list[Permit]]:
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
