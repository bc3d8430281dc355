"""The rows of a file of permits, whatever kind of file they come from, and how much of one is read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from geonotice.errors import Fault, InputError
from geonotice.register.cells import column_name

__all__ = [
    "MOST_COLUMNS",
    "MOST_FILE_BYTES",
    "MOST_ROWS",
    "Sheet",
    "SheetRow",
    "known_columns",
    "require_columns",
    "require_rows",
    "require_size",
]

MOST_FILE_BYTES = 100_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 1_000
"""A century of permits of a large town is a hundredth of it; beyond, it is another file, or a damaged one."""


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


def known_columns(names: Iterable[object]) -> int:
    """Count the column names that a file of permits has."""
    return len({found for name in names if (found := column_name(str(name or "")))})


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


def require_columns(path: Path, names: Iterable[str]) -> None:
    """Refuse a table that lacks the columns without which no permit can be counted.

    Raises
    ------
    InputError
        It does; all that are missing are named.
    """
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
