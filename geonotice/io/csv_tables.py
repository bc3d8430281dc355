"""Tables of text from outside, read the same way whatever they list: rolls, past permits, corrections. Workbooks are read in :mod:`geonotice.io.workbooks`.

A reader hands in which headings it knows, and gets the row of headings, with the rows below it by their numbers in the file. Towns put titles above
their tables, save them as Windows text, and part the cells by other marks than a comma.
"""

import csv
import io
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from geonotice.errors import Fault, InputError

__all__ = [
    "HEADING_ROWS",
    "Heading",
    "Known",
    "NoResult",
    "Record",
    "RowNames",
    "column_faults",
    "csv_heading",
    "csv_records",
    "csv_rows",
    "decoded",
    "find_heading",
    "inert",
    "is_blank",
    "live",
    "quoted",
    "record_lines",
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
    if text[:1].isalnum():  # nearly every cell
        return text
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


_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


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


class Record(NamedTuple):
    """A row of a CSV: the line it begins on, its cells without blanks by their headings, and the cells that stand beyond these."""

    line: int
    values: dict[str, str]
    extra: list[str]


def csv_records(
    data: bytes, path: Path, columns: Collection[str], error: type[InputError] = InputError
) -> tuple[tuple[str, ...] | None, Iterator[Record]]:
    """Read a CSV that has its columns by name, in whatever order.

    Parameters
    ----------
    data, path
        The file, and what faults call it.
    columns
        Names by which the row of headings is known.

    Returns
    -------
    names, records
        The headings in lower case, None where the file is blank; and the rows with text, which are read only as they are asked for: what is
        wrong with the headings is an error before a row is looked at.

    Raises
    ------
    InputError
        Of the type ``error``: the text is damaged; or, once its row is asked for, a quotation mark is not closed.
    """
    text, _ = decoded(data, path.name, error)
    heading = csv_heading(text, lambda cells: sum(str(cell).strip().casefold() in columns for cell in cells))
    if heading is None:
        return None, iter(())
    names = tuple(str(cell).strip().casefold() for cell in heading.cells)
    return names, _records(text, heading, names, path, error)


def _records(text: str, heading: Heading, names: Sequence[str], path: Path, error: type[InputError]) -> Iterator[Record]:
    try:
        for line, cells in csv_rows(text, heading.mark):
            if line > heading.row and not is_blank(cells):
                values = dict(zip(names, (cell.strip() for cell in cells), strict=False))
                yield Record(line, values, [cell for cell in cells[len(names) :] if cell.strip()])
    except csv.Error as caught:
        remedy = "close each quotation mark, or save the file as CSV again"
        raise error(Fault(what=f"it is not a CSV: {caught}", file=str(path), remedy=remedy)) from caught


def column_faults(
    path: Path, names: Sequence[str], *, needed: Sequence[str], may_be: Sequence[str], why: str, remedy: str
) -> Iterator[Fault]:
    """Return what is wrong with the headings of a CSV: needed columns that are missing, those that are not known, and those that stand twice.

    ``why`` and ``remedy`` are of columns that are missing.
    """
    if missing := [name for name in needed if name not in names]:
        yield Fault(what=f"its first row has no column {', '.join(missing)}", file=str(path), why=why, remedy=remedy)
    known = (*needed, *may_be)
    for name in dict.fromkeys(names):
        if name and name not in known:
            yield Fault(what=f"unknown column {name}", file=str(path), remedy=f"the columns are {', '.join(known)}")
        elif name and names.count(name) > 1:
            yield Fault(what=f"the column {name} stands there twice", file=str(path), remedy="leave one of them")


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
