"""Read a file of permits as rows of cells: CSV, XLSX or GeoPackage, whatever the program that wrote it."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

from geonotice.errors import Fault, InputError, UsageError
from geonotice.io.archives import ARCHIVE_ERRORS, WORKBOOK_ERRORS, open_workbook, workbook_fault
from geonotice.register.permit_gpkg import read_gpkg, require_shape
from geonotice.register.sheet_rows import (
    NoResult,
    Sheet,
    SheetRow,
    known_columns,
    require_columns,
    require_rows,
    require_size,
)

__all__ = ["NoResult", "Sheet", "SheetRow", "placed", "read_sheet"]

_WINDOWS = "cp1252"
_HEADER_ROWS = 20
"""How far down a spreadsheet the row of column names is looked for: titles often stand above it."""

_MOST_WORKBOOK_BYTES = 40 << 20
"""Unpacked: 30,000 permits have a third of it. What openpyxl makes of it takes twenty times as much memory."""

_MOST_CELLS = 2_000_000
"""Most cells of a sheet: openpyxl keeps each, an empty one too."""

_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*?\bref\s*=\s*[\"']([^\"']{1,40})[\"']")
_CORNER = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


def read_sheet(path: Path, *, sheet: str | None = None) -> Sheet:
    """Read a file of permits.

    Parameters
    ----------
    path
        A ``.csv`` (or ``.txt``, ``.tsv``), ``.xlsx`` or ``.gpkg``.
    sheet
        The sheet of a workbook or the table of a GeoPackage; the first one that has columns of permits where not given.

    Raises
    ------
    InputError
        It is not there, is of another kind, or cannot be read.
    UsageError
        A sheet is named, and it is of a kind that has none.
    """
    if not path.is_file():
        raise InputError(Fault(what="there is no such file", file=str(path), remedy="check the path"))
    require_size(path)
    kind = path.suffix.casefold()
    if kind in {".csv", ".txt", ".tsv"}:
        if sheet is not None:
            raise UsageError(Fault(what="a CSV has no sheets", file=str(path), remedy="leave out --sheet"))
        return _read_csv(path)
    if kind in {".xlsx", ".xlsm"}:
        return _read_xlsx(path, sheet)
    if kind == ".gpkg":
        return read_gpkg(path, sheet)
    remedy = "save it as CSV (UTF-8) or XLSX, and import that"
    raise InputError(
        Fault(
            what=f"permits are read from CSV, XLSX and GPKG, not from {kind or 'a file without an ending'}",
            file=str(path),
            remedy=remedy,
        )
    )


def _most_known(rows: Iterable[Iterable[object]]) -> int:
    return max((known_columns(row) for row in rows), default=0)


# -- CSV -----------------------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> Sheet:
    raw = path.read_bytes()
    remarks = []
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode(_WINDOWS, errors="replace")
        remarks.append("the file is not UTF-8; it was read as Windows text, so look at accented letters")
    top = [line for line in islice(io.StringIO(text), _HEADER_ROWS) if line.strip()]
    try:
        delimiter = max(",;\t", key=lambda mark: _most_known(csv.reader(top, delimiter=mark)))
        table: list[tuple[int, Sequence[Any]]] = []
        for number, row in _numbered(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)):
            require_rows(path, len(table) - _HEADER_ROWS, len(row))
            table.append((number, row))
    except csv.Error as error:
        raise InputError(
            Fault(what=f"the file is no CSV that can be read ({error})", file=str(path), remedy="save it again as CSV (UTF-8)")
        ) from error
    return _sheet(path, table, remarks)


def _numbered(reader: Any) -> Iterator[tuple[int, list[str]]]:  # noqa: ANN401  # csv gives its reader no public type
    last = 0
    for row in reader:
        yield last + 1, row
        last = reader.line_num


# -- XLSX ----------------------------------------------------------------------------------------------------------------------


def _read_xlsx(path: Path, wanted: str | None) -> Sheet:
    _require_workbook(path)
    values = open_workbook(path, data_only=True)
    formulas = open_workbook(path, data_only=False)
    try:
        return _of_workbook(path, values, formulas, wanted)
    except WORKBOOK_ERRORS as error:
        raise InputError(workbook_fault(error, str(path))) from error


def _require_workbook(path: Path) -> None:
    """Refuse a workbook that holds more than any list of permits; a small one may do so by a few words about merged cells."""
    area = 0
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(item.file_size for item in archive.infolist())
            names = [item.filename for item in archive.infolist() if _SHEET.match(item.filename)]
            if size <= _MOST_WORKBOOK_BYTES:
                area = sum(_area(found[1].decode()) for name in names for found in _MERGED.finditer(archive.read(name)))
    except ARCHIVE_ERRORS:
        return  # it is damaged: opening it comes next, and tells what is wrong
    if size > _MOST_WORKBOOK_BYTES:
        what = f"the workbook would unpack to {size / 1e6:,.0f} MB, more than any list of permits"
        raise InputError(Fault(what=what, file=str(path), remedy="save the sheet of permits by itself, or as CSV"))
    if area > _MOST_CELLS:
        what = f"the workbook has merged cells over {area:,} cells"
        raise InputError(Fault(what=what, file=str(path), remedy="unmerge them in Excel and save it again, or save it as CSV"))


def _area(reference: str) -> int:
    corners = [_CORNER.fullmatch(corner) for corner in reference.split(":")]
    if not all(corners):
        return 0
    columns = [reduce(lambda number, letter: number * 26 + ord(letter) - 64, corner[1], 0) for corner in corners if corner]
    rows = [int(corner[2]) for corner in corners if corner]
    return (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)


def _of_workbook(path: Path, values: Any, formulas: Any, wanted: str | None) -> Sheet:  # noqa: ANN401  # openpyxl ships no types
    names = [item.title for item in values.worksheets]
    if (wanted is not None and wanted not in names) or not names:
        what = "the workbook has no sheet" if not names else f"the workbook has no sheet {wanted!r}"
        raise InputError(
            Fault(what=what, file=str(path), remedy=f"name one of: {', '.join(names)}" if names else "save it again")
        )
    best = wanted or max(names, key=lambda name: _most_known(islice(values[name].iter_rows(values_only=True), _HEADER_ROWS)))
    rows, columns = values[best].max_row, values[best].max_column
    if rows * columns > _MOST_CELLS:
        what = f"the sheet {best!r} reaches to row {rows:,} and column {columns:,}"
        remedy = "delete the empty rows and columns behind the table in Excel, and save it again; or save it as CSV"
        raise InputError(Fault(what=what, why="no list of permits is so large", file=str(path), remedy=remedy))
    table = []
    for number, (row, written) in enumerate(
        zip(values[best].iter_rows(values_only=True), formulas[best].iter_rows(values_only=True), strict=True), start=1
    ):
        cells = [
            NoResult(str(formula))
            if value is None and isinstance(formula, str) and formula.startswith("=")
            else value.replace("_x000D_", "\r")  # how a workbook writes a carriage return
            if isinstance(value, str)
            else value
            for value, formula in zip(row, written, strict=True)
        ]
        table.append((number, cells))
    others = [name for name in names if name != best]
    remarks = [f"the sheet {best!r} was read; not read: {', '.join(others)}"] if others else []
    merged = [(area.min_row, area.max_row, area.min_col - 1) for area in values[best].merged_cells.ranges]
    return _sheet(path, table, [*remarks, *_fill_down(table, merged)])


def _fill_down(table: Sequence[tuple[int, list[Any]]], merged: Iterable[tuple[int, int, int]]) -> list[str]:
    """Return each row its share of a cell that is merged over several: a workbook keeps the value with the first, the rest look empty."""
    filled: set[int] = set()
    for first, last, column in merged:
        value = table[first - 1][1][column]
        if last == first or value is None:
            continue
        for row in range(first, last):
            table[row][1][column] = value
            filled.add(row + 1)
    rows = ", ".join(str(row) for row in sorted(filled))
    return [f"cells merged over several rows were read as standing in each of them: rows {rows}"] if filled else []


def placed(table: Sheet, crs: str, move: Callable[[bytes, str], bytes]) -> Sheet:
    """Bring all shapes of a GeoPackage to one CRS; those whose own is not known are left out, and that is said.

    Parameters
    ----------
    table
        As :func:`read_sheet` gives it.
    crs
        The CRS that the register's shapes are compared in.
    move
        Brings well-known binary from a CRS to that one.
    """
    said: list[str] = []

    def moved(shape: bytes | None, of: str) -> bytes | None:
        if shape is None or of == crs:
            return shape
        if not of:
            said.append("the shapes were not read: the file does not say in which coordinates they are drawn")
            return None
        said.append(f"the shapes were brought from {of[:40]} to {crs[:40]}, in which the town measures")
        try:
            return require_shape(move(shape, of))
        except ValueError:
            said.append(f"shapes were left out that lie outside of where {crs[:40]} is defined")
            return None

    rows = tuple(SheetRow(row.n, row.cells, moved(row.geometry, table.crs)) for row in table.rows)
    snapshots = {
        key: {**item, "geometry": moved(item["geometry"], str(item["crs"])), "crs": crs} for key, item in table.snapshots.items()
    }
    routes = {number: (found, crs) for number, (route, of) in table.routes.items() if (found := moved(route, of)) is not None}
    return Sheet(table.columns, rows, (*table.remarks, *dict.fromkeys(said)), crs, snapshots, routes)


# -- all -----------------------------------------------------------------------------------------------------------------------


def _sheet(path: Path, table: Sequence[tuple[int, Sequence[Any]]], remarks: Sequence[str]) -> Sheet:
    """Find the row of column names, and give the rows under it."""
    head = max(table[:_HEADER_ROWS], key=lambda item: known_columns(item[1]), default=(0, ()))
    names = [str(name or "").strip() for name in head[1]]
    require_rows(path, len(table) - _HEADER_ROWS, len(names))
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            Fault(
                what=f"these columns stand there twice: {', '.join(twice)}", file=str(path), remedy="rename or remove one of each"
            )
        )
    require_columns(path, names)
    said = list(remarks)
    rows = []
    for number, cells in table:
        if number <= head[0] or all(cell is None or str(cell).strip() == "" for cell in cells):
            continue
        beyond = [str(cell) for cell in cells[len(names) :] if cell is not None and str(cell).strip()]
        if beyond:
            raise InputError(
                Fault(
                    what=f"row {number} has more cells than there are columns ({'; '.join(beyond[:5])[:200]})",
                    file=str(path),
                    remedy="put cells with a comma in them into quotation marks, or save the file as XLSX",
                )
            )
        padded = [*cells, *[None] * (len(names) - len(cells))]
        rows.append(SheetRow(number, {name: cell for name, cell in zip(names, padded, strict=False) if name}))
    return Sheet(tuple(name for name in names if name), tuple(rows), tuple(said))
