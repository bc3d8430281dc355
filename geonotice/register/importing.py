"""Take a town's spreadsheet of past permits into the register, with a report of what did not fit.

Every row is accounted for: taken, taken with a remark, there already, or refused with the reason. What is written is written in one
transaction. Permits of past years are facts: the cap refuses none of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sqlalchemy import select

from geonotice.errors import UsageError
from geonotice.register.cells import clean, column_name
from geonotice.register.row_reader import RowRead, RowReader
from geonotice.register.rows import add, load
from geonotice.register.sheet_rows import Sheet
from geonotice.register.sheets import placed, read_sheet
from geonotice.register.tables import permits
from geonotice.register.values import Land, Permit

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
