"""Tables of text from outside, CSV and workbooks, read the same way whatever they list: rolls and permits alike.

A reader hands in which headings it knows, and gets the row of headings, with the rows below it by their numbers in the file. Towns put titles above
their tables, save them as Windows text, and part the cells by other marks than a comma.
"""

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring, iterparse

from geonotice.errors import Fault, InputError
from geonotice.io.archives import ARCHIVE_ERRORS, WORKBOOK_ERRORS, open_workbook, workbook_fault

__all__ = [
    "HEADING_ROWS",
    "Heading",
    "Known",
    "Limits",
    "NoResult",
    "RowNames",
    "SheetCells",
    "best_sheet",
    "csv_heading",
    "csv_rows",
    "decoded",
    "find_heading",
    "find_known",
    "inert",
    "is_blank",
    "live",
    "quoted",
    "read_sheet_cells",
    "record_lines",
    "stream_sheet",
]


_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
"""What a spreadsheet takes for the start of a formula, in either width (OWASP, "CSV Injection")."""


def inert(text: str) -> str:
    r"""Put an apostrophe before a cell that a spreadsheet would run as a formula; return any other cell unchanged.

    Spreadsheets skip spaces, tabs, line ends and characters that cannot be seen before they look for the sign, so these hide
    nothing. A cell of signs alone, such as the ``-`` of an empty line, has nothing to run.

    Examples
    --------
    >>> inert("=HYPERLINK(0)"), inert("@SUM(1)"), inert("-1+1"), inert("  =1"), inert("12 MAIN ST")
    ("'=HYPERLINK(0)", "'@SUM(1)", "'-1+1", "'  =1", '12 MAIN ST')
    >>> inert("\t\n=1") == "'\t\n=1", inert(" \t"), inert("-"), inert("A=B")
    (True, ' \t', '-', 'A=B')
    """
    seen = _seen(text)
    runs = seen.startswith(tuple(_SIGNS)) and any(letter not in _SIGNS and not _skipped(letter) for letter in seen)
    return f"'{text}" if runs else text


def quoted(text: str) -> str:
    """Put a second apostrophe before one that :func:`live` would take for that of :func:`inert`."""
    return f"'{text}" if live(text) != text else text


def live(text: str) -> str:
    """Take the apostrophe of :func:`inert` or :func:`quoted` away again: ``live(inert(quoted(text)))`` is ``text``.

    Examples
    --------
    >>> live(inert(quoted("=1+1"))), live("'tis the season"), live(inert(quoted("'=1")))
    ('=1+1', "'tis the season", "'=1")
    """
    # Signs alone count here, too: a file that an earlier version wrote has an apostrophe before them.
    return text[1:] if text.startswith("'") and _seen(text.lstrip("'")).startswith(tuple(_SIGNS)) else text


def _seen(text: str) -> str:
    """Return the text from its first character that a spreadsheet looks at."""
    start = next((place for place, letter in enumerate(text) if not _skipped(letter)), len(text))
    return text[start:]


def _skipped(letter: str) -> bool:
    """Return whether a character is a space, a line end, or one that cannot be seen."""
    return letter.isspace() or unicodedata.category(letter) in {"Cc", "Cf"}


Known = Callable[[Iterable[object]], int]
"""How many of a row's cells are headings that the reader knows."""

HEADING_ROWS = 20
"""How far down a table its headings are looked for: titles often stand above them."""

_MARKS = ",\t;|"
_SURE = 2
"""So many known headings make a row below the first the row of headings; one word may stand in a title, too."""

_ALIKE = 3
"""So many known headings make another sheet of a workbook one of the same kind."""

_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*?\bref\s*=\s*[\"']([^\"']{1,40})[\"']")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_LONGEST_TAG = 16
_CORNER = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Heading:
    """The row of headings: its number in the file, its cells, and in a CSV the line it ends on and what parts the cells.

    ``titles`` counts the rows with text above it.
    """

    row: int
    cells: tuple[Any, ...]
    titles: int = 0
    line: int = 0
    mark: str = ","

    def note(self) -> str:
        """Return what a reader should know of the titles; empty where there are none."""
        if not self.titles:
            return ""
        rows = "1 row of titles stands" if self.titles == 1 else f"{self.titles} rows of titles stand"
        return f"{rows} above the headings, which are in row {self.row}; the titles were not read"


class NoResult(str):
    """A formula that was saved without its result, as some programs do: a value nobody can know."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class RowNames:
    """What messages call the rows of a table: by their numbers in the file where these are known, else by their place among the records.

    Examples
    --------
    >>> RowNames([4, 7])(1), RowNames(None)(1)
    ('row 7', 'record 2')
    """

    numbers: Sequence[int] | None

    def __call__(self, place: int) -> str:
        """Return what the row is called; ``place`` counts from 0."""
        return f"record {place + 1:,}" if self.numbers is None else f"row {self.numbers[place]:,}"


def is_blank(cells: Iterable[object]) -> bool:
    """Return whether a row has no text at all."""
    return all(cell is None or str(cell).strip() == "" for cell in cells)


def find_heading(rows: Iterable[tuple[int, Sequence[object]]], known: Known) -> Heading | None:
    """Find the row of headings among the first rows of a table: the one with most headings that are known, else the first.

    A row below the first is taken only where it is surely one, and fuller than those above it: a row of data must never pass for a title.

    Examples
    --------
    >>> rows = [(1, ["Town of Italy", ""]), (3, ["PARCEL", "OWNER"]), (4, ["1.-1-1", "DOE"])]
    >>> found = find_heading(rows, lambda cells: len({"PARCEL", "OWNER"} & set(cells)))
    >>> found.row, found.titles, found.note()
    (3, 1, '1 row of titles stands above the headings, which are in row 3; the titles were not read')
    """
    top = [(number, cells) for number, cells in islice(rows, HEADING_ROWS) if not is_blank(cells)]
    if not top:
        return None
    place, (number, cells) = max(enumerate(top), key=lambda item: known(item[1][1]))
    fuller = all(_filled(above) < _filled(cells) for _, above in top[:place])
    if place and (known(cells) < _SURE or not fuller):
        place, (number, cells) = 0, top[0]
    return Heading(number, tuple(cells), titles=place)


def _filled(cells: Iterable[object]) -> int:
    return sum(1 for cell in cells if cell is not None and str(cell).strip())


# -- CSV -----------------------------------------------------------------------------------------------------------------------


def decoded(data: bytes, given: str, error: type[InputError] = InputError) -> tuple[str, bool]:
    """Decode a text: UTF-8 with or without its mark, UTF-16, else Windows-1252, which Excel in the West writes.

    Returns
    -------
    text, guessed
        The text; whether it was taken for Windows-1252.

    Raises
    ------
    InputError
        Of the type ``error``: it is in none of them, or in UTF-8 but for a few places, which are damaged.
    """
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "")
    if not encoding and b"\x00" in data[:400]:
        # text of Latin letters in UTF-16 has a zero in every other byte
        even, odd = data[:400:2].count(0), data[1:400:2].count(0)
        encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        if encoding:
            return data.decode(encoding), False
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError as caught:
        if encoding:
            raise error(_damaged(given, "UTF-16", caught.start)) from caught
        whole, broken = _letters(data)
        if whole > broken:
            raise error(_damaged(given, "UTF-8", caught.start, data[: caught.start].count(b"\n") + 1)) from caught
    try:
        return data.decode("cp1252"), True
    except UnicodeDecodeError as caught:
        line = data[: caught.start].count(b"\n") + 1
        raise error(_damaged(given, "UTF-8 or Windows-1252", caught.start, line)) from caught


def _letters(data: bytes) -> tuple[int, int]:
    """Count the letters beyond ASCII that are whole in UTF-8, and the places that are none."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return sum(1 for letter in text if letter > "\x7f") - broken, broken


def _damaged(given: str, encoding: str, place: int, line: int | None = None) -> Fault:
    where = f"line {line:,}" if line is not None else f"byte {place:,}"
    return Fault(
        what=f"its text is damaged at {where}: it is not in {encoding}",
        why="names there would be wrong",
        remedy="download or export it again, in UTF-8",
        file=given,
    )


def csv_heading(text: str, known: Known) -> Heading | None:
    """Find what parts the cells of a CSV, and its row of headings; None where the text is blank."""
    blank = 0  # lines before the first with text, however many
    lines: list[str] = []
    for line in io.StringIO(text, newline=""):
        if not lines and not line.strip():
            blank += 1
        elif len(lines) < HEADING_ROWS:
            lines.append(line)
        else:
            break
    if not lines:
        return None
    best: tuple[tuple[int, int], Heading] | None = None
    for mark in _MARKS:
        ends: dict[int, int] = {}
        rows = []
        try:
            for number, end, cells in _numbered(csv.reader(lines, delimiter=mark)):
                ends[number] = end
                rows.append((number + blank, cells))
        except csv.Error:
            continue
        found = find_heading(rows, known)
        if found is None:
            continue
        # Where no heading is known under any mark, the one that stands most often in the row.
        score = (known(found.cells), len(found.cells))
        if best is None or score > best[0]:
            ended = ends[found.row - blank] + blank
            best = score, Heading(found.row, found.cells, found.titles, ended, mark)
    return best[1] if best else Heading(blank + 1, (lines[0].strip(),), 0, blank + 1)


def csv_rows(text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Return each row with the number of the line it begins on.

    Raises
    ------
    csv.Error
        A quotation mark is not closed, or stands where none can.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    return ((number, cells) for number, _, cells in _numbered(reader))


def _numbered(reader: Any) -> Iterator[tuple[int, int, list[str]]]:  # noqa: ANN401  # csv gives its reader no public type
    last = 0
    for row in reader:
        yield last + 1, reader.line_num, row
        last = reader.line_num


def record_lines(data: bytes, after: int, count: int) -> list[int] | None:
    r"""Return the number of the line that each record of a CSV begins on, quickly for any size.

    Parameters
    ----------
    data
        The whole file, in UTF-8.
    after
        How many lines stand above the records.
    count
        How many records were read.

    Returns
    -------
    list or None
        None where the lines do not tell, because stray quotation marks or line ends of another kind stand in the file.

    Examples
    --------
    >>> record_lines(b'A,B\n1,"x\ny"\n\n2,z\n', 1, 2)
    [2, 5]
    """
    import numpy as np

    letters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    begins = np.concatenate([[0], ends + 1])
    ends = np.append(ends, len(letters))
    # a line goes on in the next where it ends within quotation marks
    quotes = np.searchsorted(np.flatnonzero(letters == ord('"')), begins)
    length = ends - begins
    blank = (length == 0) | ((length == 1) & (letters[np.minimum(begins, max(len(letters) - 1, 0))] == ord("\r")))
    lines = np.flatnonzero((quotes % 2 == 0) & ~blank)
    numbers: list[int] = (lines[lines >= after] + 1).tolist()
    return numbers if len(numbers) == count else None


# -- XLSX ----------------------------------------------------------------------------------------------------------------------


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
