"""Read a file of permits as rows of cells: CSV, XLSX or GeoPackage, whatever the program that wrote it; and a file of mail results likewise."""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import Fault, InputError, UsageError
from geonotice.io.csv_tables import HEADING_ROWS, Heading, Known, NoResult, csv_heading, csv_rows, decoded, find_heading, is_blank
from geonotice.io.workbooks import Limits, read_sheet_cells
from geonotice.register.permit_rows import (
    Sheet,
    SheetRow,
    known_columns,
    read_gpkg,
    require_rows,
    require_shape,
    require_size,
)

__all__ = ["PERMITS", "NoResult", "Sheet", "SheetColumns", "SheetRow", "placed", "read_sheet"]


class SheetColumns(Struct, frozen=True):
    """The columns of one kind of list: ``known`` counts those of a row of headings, ``require`` refuses a table that lacks what it cannot do without."""

    known: Known
    require: Callable[[Path, Iterable[str]], None]


PERMITS = SheetColumns(known_columns, lambda _path, _names: None)
"""What columns of permits are there is seen once a person has assigned them."""

_LIMITS = Limits("permits", workbook_bytes=40 << 20, cells=2_000_000)
"""30,000 permits have a third of the bytes; what openpyxl makes of them takes twenty times as much memory, and it keeps each cell, an empty one too."""


def read_sheet(path: Path, *, sheet: str | None = None, columns: SheetColumns = PERMITS) -> Sheet:
    """Read a file of permits, or of another list that has other columns.

    Parameters
    ----------
    path
        A ``.csv`` (or ``.txt``, ``.tsv``), ``.xlsx`` or ``.gpkg``.
    sheet
        The sheet of a workbook or the table of a GeoPackage; the first one that has columns of permits where not given.
    columns
        The columns of the list. A GeoPackage is read for permits alone.

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
            raise UsageError(
                Fault(what="a CSV has no sheets", file=str(path), remedy="leave the sheet out", command="leave out --sheet")
            )
        return _read_csv(path, columns)
    if kind in {".xlsx", ".xlsm"}:
        return _read_xlsx(path, sheet, columns)
    if kind == ".gpkg" and columns is PERMITS:
        return read_gpkg(path, sheet)
    remedy = "save it as CSV (UTF-8) or XLSX, and import that"
    raise InputError(
        Fault(
            what=f"such a list is read from CSV{', XLSX and GPKG' if columns is PERMITS else ' and XLSX'}, not from {kind or 'a file without an ending'}",
            file=str(path),
            remedy=remedy,
        )
    )


def _read_csv(path: Path, columns: SheetColumns) -> Sheet:
    text, guessed = decoded(path.read_bytes(), str(path))
    remarks = ["the file is not UTF-8; it was read as Windows text, so look at accented letters"] if guessed else []
    heading = csv_heading(text, columns.known)
    table: list[tuple[int, Sequence[Any]]] = []
    try:
        for number, row in csv_rows(text, heading.mark if heading else ","):
            require_rows(path, len(table) - HEADING_ROWS, len(row))
            table.append((number, row))
    except csv.Error as error:
        raise InputError(
            Fault(what=f"the file is no CSV that can be read ({error})", file=str(path), remedy="save it again as CSV (UTF-8)")
        ) from error
    return _sheet(path, table, remarks, columns)


def _read_xlsx(path: Path, wanted: str | None, columns: SheetColumns) -> Sheet:
    found = read_sheet_cells(path, wanted, columns.known, _LIMITS)
    table = _sheet(path, found.rows, found.notes, columns, ragged=True)
    others = found.alike if wanted is None else ()
    return replace(table, epoch=found.epoch, others=others, title=found.name if wanted is not None or others else "")


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
    return replace(table, rows=rows, remarks=(*table.remarks, *dict.fromkeys(said)), crs=crs, snapshots=snapshots, routes=routes)


def _sheet(
    path: Path, table: Sequence[tuple[int, Sequence[Any]]], remarks: Sequence[str], columns: SheetColumns, *, ragged: bool = False
) -> Sheet:
    """Find the row of column names, or the two of them, and give the rows under it.

    Parameters
    ----------
    path
        The file.
    table
        Its rows by number.
    remarks
        What was noticed before.
    columns
        The columns of the list.
    ragged
        Whether a cell beyond the last heading is a note beside the table; in a CSV it is a comma that nobody put into quotation marks.
    """
    head = find_heading(table, columns.known) or Heading(0, ())
    said = list(remarks)
    head = _with_row_above(head, table, columns.known)
    second = _second_row(head, table, columns.known)
    names = _together(head.cells, second[1], columns.known) if second else [str(name or "").strip() for name in head.cells]
    last = second[0] if second else head.row
    if second:
        said.append(f"two rows of headings were read together: rows {head.row} and {last}")
    require_rows(path, len(table) - HEADING_ROWS, len(names))
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            Fault(
                what=f"these columns stand there twice: {', '.join(twice)}", file=str(path), remedy="rename or remove one of each"
            )
        )
    columns.require(path, names)
    below = [(number, cells) for number, cells in table if number > last and not is_blank(cells)]
    names = _named(names, [cells for _, cells in below], ragged=ragged)
    rows = []
    for number, cells in below:
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


def _named(names: Sequence[str], rows: Sequence[Sequence[Any]], *, ragged: bool) -> list[str]:
    """Call a column that has cells and no heading by its letter: what stands in it must not vanish."""
    width = max((len(row) for row in rows), default=0) if ragged else len(names)
    padded = [*names, *[""] * (width - len(names))]
    return [
        name or (f"column {_letters(place)}" if any(not is_blank(row[place : place + 1]) for row in rows) else "")
        for place, name in enumerate(padded)
    ]


def _letters(place: int) -> str:
    """Return how a spreadsheet calls a column.

    Examples
    --------
    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    before, own = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + own)


def _with_row_above(head: Heading, table: Sequence[tuple[int, Sequence[Any]]], known: Known) -> Heading:
    """Begin at the row above the headings where that is one of headings, too: under wide ones stand more that are known, or the same several times."""
    above = next((cells for number, cells in table if number == head.row - 1), ())
    texts = [str(cell).strip() for cell in above if cell is not None and str(cell).strip()]
    names = [name for cell in head.cells if (name := str(cell or "").strip())]
    if len(set(texts)) < _WIDE or any(letter.isdigit() for text in texts for letter in text) or not known(above):
        return head
    together = _together(above, head.cells, known)
    better = known(together) > known(head.cells) or len(set(names)) < len(names)
    return Heading(head.row - 1, tuple(above), max(head.titles - 1, 0), head.line, head.mark) if better else head


_WIDE = 2
"""So many headings make a row above the headings one of them; a single text is a title."""


def _second_row(head: Heading, table: Sequence[tuple[int, Sequence[Any]]], known: Known) -> tuple[int, Sequence[Any]] | None:
    """Return the row under the headings where it is one of headings, too: words only, one of them known, and none where a heading stands that is known by itself."""
    below = next(((number, cells) for number, cells in table if number > head.row and not is_blank(cells)), None)
    if below is None or below[0] != head.row + 1 or not known(below[1]):
        return None
    texts = [cell for cell in below[1] if cell is not None and str(cell).strip()]
    words = all(isinstance(cell, str) and not any(letter.isdigit() for letter in cell) for cell in texts)
    above = [str(cell or "").strip() for cell in head.cells]
    filled = [not above[place] for place, cell in enumerate(below[1][: len(above)]) if str(cell or "").strip()]
    # A row of data fills the columns of most headings; the second row of headings stands under a wide one, whose further cells are blank.
    return below if words and any(filled) and known(_together(head.cells, below[1], known)) > known(head.cells) else None


def _together(first: Sequence[Any], second: Sequence[Any], known: Known) -> list[str]:
    """Put two rows of headings together: ``Event`` over ``Starts`` and ``Ends``."""
    names, wide = [], ""
    for place in range(max(len(first), len(second))):
        over = str(first[place] or "").strip() if place < len(first) else ""
        under = str(second[place] or "").strip() if place < len(second) else ""
        wide = over or (wide if under else "")
        both = f"{wide} {under}".strip()
        # The words of both where they make a column; else the lower one, which tells columns under one heading apart.
        names.append(over if not under or under == over else under if known([under]) and not known([both]) else both)
    return names
