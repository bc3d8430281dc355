"""The rows of a file of permits, whatever kind of file they come from, and those of a GeoPackage, within bounds."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any

from msgspec import Struct

from geonotice.errors import Fault, InputError
from geonotice.io.gpkg import geometry_columns, geometry_of, quoted, require_sound, table_columns, table_names
from geonotice.register.cells import read_text
from geonotice.register.database import guard
from geonotice.register.headings import NOT_KEPT, column_name, heading_by_words
from geonotice.register.rows import FARTHEST_FT

__all__ = [
    "MOST_COLUMNS",
    "MOST_FILE_BYTES",
    "MOST_ROWS",
    "Sheet",
    "SheetRow",
    "known_columns",
    "read_gpkg",
    "require_rows",
    "require_shape",
    "require_size",
]


MOST_FILE_BYTES = 100_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 1_000
_LONGEST_HEADING = 40
"""A century of permits of a large town is a hundredth of it; beyond, it is another file, or a damaged one."""


class SheetRow(Struct, frozen=True):
    """A row: its number as the spreadsheet shows it, its cells by column name, and its shape where the file has one."""

    n: int
    cells: Mapping[str, Any]
    geometry: bytes | None = None


class Sheet(Struct, frozen=True):
    """The rows of a file, and what was noticed about it.

    ``crs``, ``snapshots`` and ``routes`` (with the CRS of each) are a GeoPackage's; ``epoch`` is the day from which a workbook counts days, ``title``
    the name of its sheet where it has several, ``others`` are sheets that hold permits, too, and were not read.
    """

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    remarks: tuple[str, ...] = ()
    crs: str = ""
    snapshots: Mapping[tuple[str, str], Mapping[str, Any]] = {}
    routes: Mapping[str, tuple[bytes, str]] = {}
    epoch: date | None = None
    title: str = ""
    others: tuple[str, ...] = ()


def known_columns(names: Iterable[object]) -> int:
    """Count the column names that a file of permits has."""
    return len({found for name in names if (found := _column(str(name or "")))})


def _column(name: str) -> str:
    """Return what a heading stands for; a long text is a title or a note, whatever its words."""
    found = column_name(name) or (heading_by_words(name) if len(name) <= _LONGEST_HEADING else "")
    return "" if found == NOT_KEPT else found


def require_size(path: Path) -> None:
    """Refuse a file that is larger than any list of permits, before it is read.

    Raises
    ------
    InputError
        It is.
    """
    size = path.stat().st_size
    if size > MOST_FILE_BYTES:
        what = f"the file has {size / 1e6:,.0f} MB, more than any list of permits"
        remedy = f"name the list of permits; one of over {MOST_FILE_BYTES / 1e6:,.0f} MB, in parts"
        raise InputError(Fault(what=what, file=str(path), remedy=remedy))


def require_rows(path: Path, rows: int, columns: int) -> None:
    """Refuse a table that is larger than any list of permits.

    Raises
    ------
    InputError
        It is.
    """
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        what = f"the table has more than {MOST_ROWS:,} rows" if rows > MOST_ROWS else f"the table has {columns:,} columns"
        remedy = f"import at most {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns at a time"
        raise InputError(Fault(what=what, why="no list of permits is so large", file=str(path), remedy=remedy))


_MOST_BYTES = 200_000_000
"""Most bytes of the cells of one table: a view makes them of nothing."""


def read_gpkg(path: Path, wanted: str | None) -> Sheet:
    """Read a table of permits from a GeoPackage.

    Parameters
    ----------
    path
        The file.
    wanted
        The table; the one with the most columns of permits where None.

    Raises
    ------
    InputError
        It is no GeoPackage, is damaged, lacks columns, or holds more than any list of permits.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            return _read(database, path, wanted)
    except (sqlite3.Error, UnicodeDecodeError, AttributeError, TypeError, LookupError) as error:
        # Beside SQLite's own errors: a name or a number in its own tables that is none.
        what = f"this is no GeoPackage that can be read ({str(error)[:200]})"
        raise InputError(
            Fault(what=what, why="it is damaged, or of another kind", file=str(path), remedy="export it again")
        ) from error


def _read(database: sqlite3.Connection, path: Path, wanted: str | None) -> Sheet:
    guard(database)
    require_sound(database)
    database.row_factory = sqlite3.Row
    names = table_names(database)
    if wanted is not None and wanted not in names:
        raise InputError(
            Fault(what=f"the file has no table {wanted!r}", file=str(path), remedy=f"name one of: {', '.join(names)}")
        )
    table = wanted or max(names, key=lambda name: known_columns(table_columns(database, name)), default=None)
    if table is None:
        raise InputError(Fault(what="the file has no tables", file=str(path), remedy="export it again"))
    shapes = geometry_columns(database)
    column, crs = shapes.get(table, (None, ""))
    listed = table_columns(database, table)
    columns = tuple(name for name in listed if name != column)
    column = column if column in listed else None
    require_rows(path, 0, len(columns))
    rows = tuple(
        SheetRow(n, {name: row[name] for name in columns}, _shape(row[column], f"row {n}", path) if column else None)
        for n, row in enumerate(_rows(database, path, f"SELECT * FROM {quoted(table)}"), start=1)  # noqa: S608  # quoted
    )
    snapshots = _snapshots(database, shapes, path) if "permit_parcels" in names else {}
    routes = _routes(database, shapes, path) if "permit_routes" in names else {}
    return Sheet(columns, rows, (), crs, snapshots, routes)


def _rows(database: sqlite3.Connection, path: Path, asked: str) -> Iterator[sqlite3.Row]:
    """Return the rows of a table or a view, up to what a list of permits can have."""
    size = 0
    for n, row in enumerate(database.execute(asked), start=1):
        size += sum(len(cell) if isinstance(cell, (str, bytes)) else 8 for cell in row)
        require_rows(path, n, 0)
        if size > _MOST_BYTES:
            what = f"the first {n:,} rows of a table hold {size / 1e6:,.0f} MB"
            raise InputError(
                Fault(what=what, why=f"no list of {MOST_ROWS:,} permits is so large", file=str(path), remedy="export it again")
            )
        yield row


def _shape(blob: bytes | None, what: str, path: Path) -> bytes | None:
    """Return a shape as well-known binary, once it is known to be one."""
    try:
        return require_shape(geometry_of(blob))
    except ValueError as error:
        what = f"the shape of {what} cannot be read ({error})"
        raise InputError(Fault(what=what, file=str(path), remedy="draw it anew, or save the file as CSV")) from error


def require_shape(wkb: bytes | None) -> bytes | None:
    """Return a shape that the register can keep; None for none or an empty one.

    Raises
    ------
    ValueError
        It is no shape, or lies on no map.
    """
    import shapely

    if wkb is None:
        return None
    try:
        shape = shapely.from_wkb(wkb)
    except shapely.errors.ShapelyError as error:
        raise ValueError(str(error)) from error
    if shape.is_empty:
        return None
    if not all(isfinite(side) and abs(side) <= FARTHEST_FT for side in shape.bounds):
        raise ValueError("its coordinates are on no map")
    return wkb


def _snapshots(
    database: sqlite3.Connection, shapes: Mapping[str, tuple[str, str]], path: Path
) -> dict[tuple[str, str], dict[str, Any]]:
    """Read the snapshots that ``permit export`` writes beside the permits, by permit number and parcel."""
    columns = set(table_columns(database, "permit_parcels"))
    if "permit_parcels" not in shapes or not {"number", "parcel", shapes["permit_parcels"][0]} <= columns:
        return {}
    column, crs = shapes["permit_parcels"]
    found = {}
    for row in _rows(database, path, "SELECT * FROM permit_parcels"):
        values = {name: row[name] for name in row.keys() if name != column}  # noqa: SIM118  # a sqlite3.Row is iterated by value
        shape = _shape(row[column], f"{row['parcel']} in permit_parcels", path)
        found[read_text(row["number"]), str(row["parcel"])] = {**values, "geometry": shape, "crs": crs}
    return found


def _routes(database: sqlite3.Connection, shapes: Mapping[str, tuple[str, str]], path: Path) -> dict[str, tuple[bytes, str]]:
    """Read the routes that ``permit export`` writes beside the permits, by permit number."""
    columns = set(table_columns(database, "permit_routes"))
    if "permit_routes" not in shapes or not {"number", shapes["permit_routes"][0]} <= columns:
        return {}
    column, crs = shapes["permit_routes"]
    rows = _rows(database, path, f"SELECT number, {quoted(column)} FROM permit_routes")  # noqa: S608  # a column of that table
    found = {read_text(number): _shape(blob, f"{number} in permit_routes", path) for number, blob in rows}
    return {number: (route, crs) for number, route in found.items() if route is not None}
