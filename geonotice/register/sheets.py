"""Read a file of permits as rows of cells: CSV, XLSX or GeoPackage, whatever the program that wrote it."""

import csv
import io
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from geonotice.archives import open_workbook
from geonotice.errors import Fault, InputError, UsageError
from geonotice.register.cells import column_name, read_text
from geonotice.register.gpkg import geometry_columns, geometry_of

__all__ = ["NoResult", "Sheet", "SheetRow", "placed", "read_sheet"]

_WINDOWS = "cp1252"
_HEADER_ROWS = 20
"""How far down a spreadsheet the row of column names is looked for: titles often stand above it."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row: its number as the spreadsheet shows it, its cells by column name, and its shape where the file has one."""

    n: int
    cells: Mapping[str, Any]
    geometry: bytes | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a file, and what was noticed about it. ``crs``, ``snapshots`` and ``routes`` (with the CRS of each) are a GeoPackage's."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    remarks: tuple[str, ...] = ()
    crs: str = ""
    snapshots: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    routes: Mapping[str, tuple[bytes, str]] = field(default_factory=dict)


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
    kind = path.suffix.casefold()
    if kind in {".csv", ".txt", ".tsv"}:
        if sheet is not None:
            raise UsageError(Fault(what="a CSV has no sheets", file=str(path), remedy="leave out --sheet"))
        return _read_csv(path)
    if kind in {".xlsx", ".xlsm"}:
        return _read_xlsx(path, sheet)
    if kind == ".gpkg":
        return _read_gpkg(path, sheet)
    remedy = "save it as CSV (UTF-8) or XLSX, and import that"
    raise InputError(
        Fault(
            what=f"permits are read from CSV, XLSX and GPKG, not from {kind or 'a file without an ending'}",
            file=str(path),
            remedy=remedy,
        )
    )


def _known_columns(names: Iterable[object]) -> int:
    """Count the column names that a file of permits has."""
    return len({found for name in names if (found := column_name(str(name or "")))})


def _most_known(rows: Iterable[Iterable[object]]) -> int:
    return max((_known_columns(row) for row in rows), default=0)


# -- CSV -----------------------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> Sheet:
    raw = path.read_bytes()
    remarks = []
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode(_WINDOWS, errors="replace")
        remarks.append("the file is not UTF-8; it was read as Windows text, so look at accented letters")
    top = [line for line in text.splitlines()[:_HEADER_ROWS] if line.strip()]
    delimiter = max(",;\t", key=lambda mark: _most_known(csv.reader(top, delimiter=mark)))
    try:
        table = [
            (number, row)
            for number, row in _numbered(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        ]
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
    values = open_workbook(path, data_only=True)
    formulas = open_workbook(path, data_only=False)
    names = [item.title for item in values.worksheets]
    if wanted is not None and wanted not in names:
        raise InputError(
            Fault(what=f"the workbook has no sheet {wanted!r}", file=str(path), remedy=f"name one of: {', '.join(names)}")
        )
    best = wanted or max(names, key=lambda name: _most_known(islice(values[name].iter_rows(values_only=True), _HEADER_ROWS)))
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
    """Give each row its share of a cell that is merged over several: a workbook keeps the value with the first, the rest look empty."""
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


class NoResult(str):
    """A formula that was saved without its result, as some programs do: a value nobody can know."""

    __slots__ = ()


# -- GeoPackage ----------------------------------------------------------------------------------------------------------------


def _read_gpkg(path: Path, wanted: str | None) -> Sheet:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            names = [row[0] for row in database.execute("SELECT table_name FROM gpkg_contents ORDER BY rowid")]
            if wanted is not None and wanted not in names:
                raise InputError(
                    Fault(what=f"the file has no table {wanted!r}", file=str(path), remedy=f"name one of: {', '.join(names)}")
                )
            table = wanted or max(names, key=lambda name: _known_columns(_columns(database, name)), default=None)
            if table is None:
                raise InputError(Fault(what="the file has no tables", file=str(path), remedy="export it again"))
            shapes = geometry_columns(database)
            column, crs = shapes.get(table, (None, ""))
            columns = tuple(name for name in _columns(database, table) if name != column)
            rows = tuple(
                SheetRow(n, {name: row[name] for name in columns}, _shape(row[column], f"row {n}", path) if column else None)
                for n, row in enumerate(database.execute(f'SELECT * FROM "{table}"'), start=1)  # noqa: S608  # a name out of gpkg_contents
            )
            snapshots = _snapshots(database, shapes, path) if "permit_parcels" in names else {}
            routes = _routes(database, shapes, path) if "permit_routes" in names else {}
    except sqlite3.DatabaseError as error:
        raise InputError(
            Fault(what=f"this is no GeoPackage that can be read ({error})", file=str(path), remedy="export it again")
        ) from error
    _require(path, columns)
    return Sheet(columns, rows, (), crs, snapshots, routes)


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]


def _shape(blob: bytes | None, what: str, path: Path) -> bytes | None:
    """Give a shape as well-known binary, once it is known to be one."""
    import shapely

    wkb = geometry_of(blob)
    if wkb is None:
        return None
    try:
        empty = shapely.from_wkb(wkb).is_empty
    except shapely.errors.ShapelyError as error:
        raise InputError(
            Fault(
                what=f"the shape of {what} cannot be read ({error})",
                file=str(path),
                remedy="draw it anew, or save the file as CSV",
            )
        ) from error
    return None if empty else wkb


def _snapshots(
    database: sqlite3.Connection, shapes: Mapping[str, tuple[str, str]], path: Path
) -> dict[tuple[str, str], dict[str, Any]]:
    """Read the snapshots that ``permit export`` writes beside the permits, by permit number and parcel."""
    if "permit_parcels" not in shapes or not {"number", "parcel"} <= set(_columns(database, "permit_parcels")):
        return {}
    column, crs = shapes["permit_parcels"]
    found = {}
    for row in database.execute("SELECT * FROM permit_parcels"):
        values = {name: row[name] for name in row.keys() if name != column}  # noqa: SIM118  # a sqlite3.Row is iterated by value
        shape = _shape(row[column], f"{row['parcel']} in permit_parcels", path)
        found[read_text(row["number"]), str(row["parcel"])] = {**values, "geometry": shape, "crs": crs}
    return found


def _routes(database: sqlite3.Connection, shapes: Mapping[str, tuple[str, str]], path: Path) -> dict[str, tuple[bytes, str]]:
    """Read the routes that ``permit export`` writes beside the permits, by permit number."""
    if "permit_routes" not in shapes or "number" not in _columns(database, "permit_routes"):
        return {}
    column, crs = shapes["permit_routes"]
    rows = database.execute(f'SELECT number, "{column}" FROM permit_routes')  # noqa: S608  # a name out of gpkg_geometry_columns
    found = {read_text(number): _shape(blob, f"{number} in permit_routes", path) for number, blob in rows}
    return {number: (route, crs) for number, route in found.items() if route is not None}


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
        return move(shape, of)

    rows = tuple(SheetRow(row.n, row.cells, moved(row.geometry, table.crs)) for row in table.rows)
    snapshots = {
        key: {**item, "geometry": moved(item["geometry"], str(item["crs"])), "crs": crs} for key, item in table.snapshots.items()
    }
    routes = {number: (found, crs) for number, (route, of) in table.routes.items() if (found := moved(route, of)) is not None}
    return Sheet(table.columns, rows, (*table.remarks, *dict.fromkeys(said)), crs, snapshots, routes)


# -- all -----------------------------------------------------------------------------------------------------------------------


def _sheet(path: Path, table: Sequence[tuple[int, Sequence[Any]]], remarks: Sequence[str]) -> Sheet:
    """Find the row of column names, and give the rows under it."""
    head = max(table[:_HEADER_ROWS], key=lambda item: _known_columns(item[1]), default=(0, ()))
    names = [str(name or "").strip() for name in head[1]]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            Fault(
                what=f"these columns stand there twice: {', '.join(twice)}", file=str(path), remedy="rename or remove one of each"
            )
        )
    _require(path, names)
    said = list(remarks)
    rows = []
    for number, cells in table:
        if number <= head[0] or all(cell is None or str(cell).strip() == "" for cell in cells):
            continue
        beyond = [str(cell) for cell in cells[len(names) :] if cell is not None and str(cell).strip()]
        if beyond:
            raise InputError(
                Fault(
                    what=f"row {number} has more cells than there are columns ({'; '.join(beyond)})",
                    file=str(path),
                    remedy="put cells with a comma in them into quotation marks, or save the file as XLSX",
                )
            )
        padded = [*cells, *[None] * (len(names) - len(cells))]
        rows.append(SheetRow(number, {name: cell for name, cell in zip(names, padded, strict=False) if name}))
    return Sheet(tuple(name for name in names if name), tuple(rows), tuple(said))


def _require(path: Path, names: Sequence[str]) -> None:
    known = {column_name(name) for name in names}
    faults = []
    if "parcels" not in known:
        faults.append(
            Fault(what="no column says which parcels a permit is on", file=str(path), key="parcels", remedy="name it `parcels`")
        )
    if not known & {"issued", "starts"}:
        faults.append(
            Fault(
                what="no column says when a permit was issued, or when its event starts",
                file=str(path),
                key="issued, starts",
                remedy="name them `issued` and `starts`",
            )
        )
    if faults:
        raise InputError(faults)
