"""Sheets of workbooks from outside, whatever they list: read row by row at any size, or whole within limits.

What a reader knows as headings it hands in, as for a CSV (:mod:`geonotice.io.csv_tables`). A workbook keeps more than text: formulas that were saved
without their results, cells merged over several rows, sheets that are meant as much as the one that was read.
"""

import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring, iterparse

from geonotice.errors import Fault, InputError
from geonotice.io.archives import ARCHIVE_ERRORS, WORKBOOK_ERRORS, open_workbook, workbook_fault
from geonotice.io.csv_tables import HEADING_ROWS, Known, NoResult, is_blank

__all__ = ["Limits", "SheetCells", "best_sheet", "find_known", "read_sheet_cells", "stream_sheet"]

_ALIKE = 3
"""So many known headings make another sheet of a workbook one of the same kind."""
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*?\bref\s*=\s*[\"']([^\"']{1,40})[\"']")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_LONGEST_TAG = 16
_CORNER = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a workbook may hold that is read whole: bytes when unpacked, cells. ``what`` it is a list of, for the message: ``permits``."""

    what: str
    workbook_bytes: int
    cells: int


@dataclass(frozen=True, slots=True)
class SheetCells:
    """A sheet: its name, its rows by number, and what was noticed about it.

    ``epoch`` is the day from which the workbook counts days; ``alike`` names other sheets that have as surely headings that are known.
    """

    name: str
    rows: list[tuple[int, list[Any]]]
    notes: tuple[str, ...] = ()
    epoch: date | None = None
    alike: tuple[str, ...] = ()


def stream_sheet(
    path: Path, wanted: str | None, *, given: str, error: type[InputError], choose: Callable[[Sequence[str]], str]
) -> SheetCells:
    """Read a sheet row by row, whatever its size; blank rows are left out, a formula without its result is a :class:`NoResult`.

    Parameters
    ----------
    wanted
        The sheet.
    choose
        Which of several sheets is meant where none is named; it may raise.

    Raises
    ------
    InputError
        Of the type ``error``: it does not open, or has no such sheet.
    """
    book = open_workbook(path, given=given, error=error, read_only=True, data_only=True)
    try:
        names = [found.title for found in book.worksheets]
        name = wanted if wanted is not None and wanted in names else choose(names)
        cells = book[name]
        cells.reset_dimensions()  # some programs write a wrong extent, and rows beyond it would be missing without a word
        blank = _without_result(path, name)
        rows = []
        for number, row in enumerate(cells.iter_rows(values_only=True), start=1):
            filled = list(row)
            for column, formula in blank.get(number, ()):
                filled += [None] * (column - len(filled))
                filled[column - 1] = NoResult(formula)
            if not is_blank(filled):
                rows.append((number, filled))
    except WORKBOOK_ERRORS as caught:
        raise error(workbook_fault(caught, given)) from caught
    finally:
        book.close()
    return SheetCells(name, rows)


def _without_result(path: Path, sheet: str) -> dict[int, list[tuple[int, str]]]:
    """Return the formulas of a sheet that were saved without a result: for each row their columns, from 1, and what they are.

    An empty text is a result (``t="str"``), which openpyxl does not tell from none.
    """
    with zipfile.ZipFile(path) as archive:
        part = _part_of(archive, sheet)
        if part is None or not _has_formulas(archive, part):
            return {}
        found: dict[int, list[tuple[int, str]]] = {}
        row = column = 0
        with archive.open(part) as stream:
            for event, element in iterparse(stream, events=("start", "end")):  # noqa: S314  # as openpyxl read it before, within the same bounds
                tag = element.tag.rpartition("}")[2]
                if event == "start" and tag == "row":
                    row, column = int(element.get("r") or row + 1), 0
                elif event == "end" and tag == "c":
                    corner = _CORNER.fullmatch(element.get("r") or "")
                    column = _column(corner[1]) if corner else column + 1
                    inside = {child.tag.rpartition("}")[2]: child for child in element}
                    empty = "v" not in inside or not inside["v"].text
                    if "f" in inside and empty and element.get("t") != "str" and "is" not in inside:
                        found.setdefault(row, []).append((column, f"={inside['f'].text or ''}"))
                elif event == "end" and tag == "row":
                    element.clear()
    return found


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Return the name of the part of a workbook that a sheet is in."""
    book = fromstring(archive.read("xl/workbook.xml"))  # noqa: S314  # as openpyxl read it before
    ids = {
        item.get("name"): next((value for key, value in item.attrib.items() if key.endswith("}id")), "")
        for item in book.iter()
        if item.tag.endswith("}sheet")
    }
    links = fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314  # likewise
    targets = {item.get("Id"): item.get("Target") or "" for item in links}
    target = targets.get(ids.get(sheet) or "", "")
    name = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return name if target and name in archive.namelist() else None


def _has_formulas(archive: zipfile.ZipFile, part: str) -> bool:
    with archive.open(part) as stream:
        held = b""
        while block := stream.read(1 << 20):
            if _FORMULA.search(held + block):
                return True
            held = block[-_LONGEST_TAG:]
    return False


def _column(letters: str) -> int:
    return reduce(lambda number, letter: number * 26 + ord(letter) - 64, letters, 0)


def read_sheet_cells(path: Path, wanted: str | None, known: Known, limits: Limits) -> SheetCells:
    """Read a sheet whole: a cell merged over several rows stands in each of them, a formula without its result is a :class:`NoResult`.

    Parameters
    ----------
    wanted
        The sheet; the one with most known headings where None.

    Raises
    ------
    InputError
        It does not open, has no such sheet, or holds more than the limits.
    """
    _require_workbook(path, limits)
    values = open_workbook(path, data_only=True)
    try:
        return _of_workbook(path, values, wanted, known, limits)
    except WORKBOOK_ERRORS as error:
        raise InputError(workbook_fault(error, str(path))) from error


def best_sheet(sheets: Iterable[tuple[str, Iterable[Iterable[object]]]], known: Known) -> str:
    """Return the name of the sheet that has most known headings in one of its first rows; of several, the first."""
    return max(sheets, key=lambda sheet: find_known(sheet[1], known))[0]


def _require_workbook(path: Path, limits: Limits) -> None:
    """Refuse a workbook that holds more than can be meant; a small one may do so by a few words about merged cells."""
    area = 0
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(item.file_size for item in archive.infolist())
            names = [item.filename for item in archive.infolist() if _SHEET.match(item.filename)]
            if size <= limits.workbook_bytes:
                area = sum(_area(found[1].decode()) for name in names for found in _MERGED.finditer(archive.read(name)))
    except ARCHIVE_ERRORS:
        return  # it is damaged: opening it comes next, and tells what is wrong
    if size > limits.workbook_bytes:
        what = f"the workbook would unpack to {size / 1e6:,.0f} MB, more than any list of {limits.what}"
        raise InputError(Fault(what=what, file=str(path), remedy=f"save the sheet of {limits.what} by itself, or as CSV"))
    if area > limits.cells:
        what = f"the workbook has merged cells over {area:,} cells"
        raise InputError(Fault(what=what, file=str(path), remedy="unmerge them in Excel and save it again, or save it as CSV"))


def _area(reference: str) -> int:
    corners = [_CORNER.fullmatch(corner) for corner in reference.split(":")]
    if not all(corners):
        return 0
    columns = [_column(corner[1]) for corner in corners if corner]
    rows = [int(corner[2]) for corner in corners if corner]
    return (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)


def _of_workbook(path: Path, values: Any, wanted: str | None, known: Known, limits: Limits) -> SheetCells:  # noqa: ANN401  # openpyxl ships no types
    names = [item.title for item in values.worksheets]
    if (wanted is not None and wanted not in names) or not names:
        what = "the workbook has no sheet" if not names else f"the workbook has no sheet {wanted!r}"
        raise InputError(
            Fault(what=what, file=str(path), remedy=f"name one of: {', '.join(names)}" if names else "save it again")
        )
    best = wanted or best_sheet(((name, values[name].iter_rows(values_only=True)) for name in names), known)
    rows, columns = values[best].max_row, values[best].max_column
    if rows * columns > limits.cells:
        what = f"the sheet {best!r} reaches to row {rows:,} and column {columns:,}"
        remedy = "delete the empty rows and columns behind the table in Excel, and save it again; or save it as CSV"
        raise InputError(Fault(what=what, why=f"no list of {limits.what} is so large", file=str(path), remedy=remedy))
    blank = _without_result(path, best)
    table = []
    for number, row in enumerate(values[best].iter_rows(values_only=True), start=1):
        formulas = dict(blank.get(number, ()))
        cells = [NoResult(formulas[column]) if column in formulas else _cell(value) for column, value in enumerate(row, start=1)]
        table.append((number, cells))
    others = [name for name in names if name != best]
    notes = [f"the sheet {best!r} was read; not read: {', '.join(others)}"] if others else []
    merged = [(area.min_row, area.max_row, area.min_col - 1) for area in values[best].merged_cells.ranges]
    alike = [name for name in others if find_known(values[name].iter_rows(values_only=True), known) >= _ALIKE]
    return SheetCells(best, table, (*notes, *_fill_down(table, merged)), epoch=values.epoch.date(), alike=tuple(alike))


def find_known(rows: Iterable[Iterable[object]], known: Known) -> int:
    """Return the most known headings that one of the first rows of a table has."""
    return max((known(row) for row in islice(rows, HEADING_ROWS)), default=0)


def _cell(value: object) -> object:
    return value.replace("_x000D_", "\r") if isinstance(value, str) else value  # how a workbook writes a carriage return


def _fill_down(table: Sequence[tuple[int, list[Any]]], merged: Iterable[tuple[int, int, int]]) -> list[str]:
    """Write into each row its share of a cell that is merged over several: a workbook keeps the value with the first, the rest look empty."""
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
