"""Tables of text from outside, CSV and workbooks, as arrow tables: rolls, and layers whose places stand in their columns."""

import io
import re
from collections import Counter
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from geonotice.errors import Fault, LayerError, UnreadableLayer
from geonotice.io.csv_tables import Known, NoResult, RowNames, csv_heading, decoded, find_heading, record_lines
from geonotice.io.workbooks import stream_sheet
from geonotice.layers.columns.aliases import KEY_COLUMNS, LAYER_ALIASES, PARCEL_ALIASES
from geonotice.layers.columns.recognize import plain_name
from geonotice.layers.formats import located_table
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from pathlib import Path

    import pyarrow as pa

__all__ = ["RollTable", "read_roll_table"]

_HEADINGS = (
    frozenset(
        plain_name(alias)
        for alias in (
            *KEY_COLUMNS,
            *(alias for kind in (PARCEL_ALIASES, *LAYER_ALIASES.values()) for names in kind.values() for alias in names),
        )
    )
    | located_table.HEADINGS
)
"""Every heading that a layer or a roll is known to have."""


_NAMED = 5


class RollTable(NamedTuple):
    """A table as read, what its reader should know of that, and what messages call its rows."""

    table: "pa.Table"
    notes: list[str]
    rows: RowNames


def read_roll_table(
    path: "Path", *, sheet: str | None = None, given: str = "", columns: "Iterable[str]" = (), numbers: "Container[str]" = ()
) -> RollTable:
    """Read a table from CSV, XLSX, DBF or anything GDAL reads; CSV and XLSX come as text.

    Parameters
    ----------
    columns
        Headings that are known beside the usual ones: those that the town file names.
    numbers
        The comparable numbers of the parcels, where they are known: a cell in which a line begins with one has swallowed a row.

    Raises
    ------
    LayerError
        It does not open, has no rows, has several sheets and none is named, or has cells that hold several rows.
    """
    name = given or str(path)
    if not path.exists():
        raise UnreadableLayer(Fault(what="no such file", file=name, remedy="look at the path in the town file"))
    headings = _HEADINGS.union(plain_name(column) for column in columns)

    def known(cells: "Iterable[object]") -> int:
        return len({plain for cell in cells if cell is not None and (plain := plain_name(str(cell))) in headings})

    suffix, mark = path.suffix.lower(), ""
    if suffix in {".csv", ".txt", ".tsv"}:
        read, mark = _read_csv(path, name, known)
    elif suffix in {".xlsx", ".xlsm"}:
        read = _read_xlsx(path, sheet, name, known)
    else:
        from geonotice.layers.read import read_layer

        raw = read_layer(path, layer=sheet)
        read = RollTable(raw.table, [note.text for note in raw.notes], RowNames(None))
    _refuse_swallowed_rows(read, mark, numbers, name)
    return read


def _read_csv(path: "Path", name: str, known: Known) -> tuple[RollTable, str]:
    """Read a CSV file; the table, what is to be said of it, and the mark that separates its columns."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    text, guessed = decoded(path.read_bytes(), name, UnreadableLayer)
    notes = ["it is not in UTF-8; it was read as Windows-1252"] if guessed else []
    heading = csv_heading(text, known)
    if heading is None:
        raise UnreadableLayer(Fault(what="the file is empty", file=name, remedy="export the roll again"))
    mark, data = heading.mark, text.encode()
    names = _unique_names([str(column).strip() for column in heading.cells])
    try:
        table = arrow_csv.read_csv(
            io.BytesIO(data),
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=heading.line),
            parse_options=arrow_csv.ParseOptions(delimiter=mark, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=True,
                null_values=[""],
                quoted_strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid as error:
        raise UnreadableLayer(
            Fault(
                what=f"a row of it cannot be read: {error}", file=name, remedy="look at that row: a quote or a separator too many"
            )
        ) from error
    rows = RowNames(record_lines(data, heading.line, table.num_rows))
    return RollTable(table, [*notes, *filter(None, [heading.note()])], rows), mark


def _read_xlsx(path: "Path", sheet: str | None, name: str, known: Known) -> RollTable:
    import pyarrow as pa

    def choose(names: "Sequence[str]") -> str:
        if not names:
            raise UnreadableLayer(
                Fault(what="the workbook has no sheet of cells", file=name, remedy="save the roll again as .xlsx")
            )
        if sheet is not None:
            raise LayerError(Fault(what=f"there is no sheet {sheet!r}", file=name, remedy=f"name one of: {', '.join(names)}"))
        if len(names) > 1:
            what = f"there are several sheets: {', '.join(names)}"
            raise LayerError(Fault(what=what, file=name, remedy='name one: sheet = "…" in [[roll]]'))
        return names[0]

    rows = stream_sheet(path, sheet, given=name, error=UnreadableLayer, choose=choose).rows
    heading = find_heading(rows, known)
    if heading is None:
        raise UnreadableLayer(Fault(what="the sheet is empty", file=name, remedy="name the sheet with the roll"))
    numbers = [number for number, _ in rows if number > heading.row]
    below = [cells for number, cells in rows if number > heading.row]
    width = max(len(heading.cells), *(len(cells) for cells in below), 0)
    head = [str(cell).strip() if cell is not None else "" for cell in heading.cells]
    names = _unique_names(head + [""] * (width - len(head)))
    _check_results([(number, cells) for number, cells in rows if number >= heading.row], name)
    columns = [[_cell(row[place]) if place < len(row) else None for row in below] for place in range(width)]
    table = pa.table({column: pa.array(values, pa.string()) for column, values in zip(names, columns, strict=True)})
    return RollTable(table, [*filter(None, [heading.note()])], RowNames(numbers))


def _check_results(rows: "Iterable[tuple[int, Sequence[object]]]", name: str) -> None:
    """Refuse a sheet with formulas that were saved without their results: their cells would be blank, and the owners in them missing."""
    found = [
        f"{_letters(column)}{number}"
        for number, cells in rows
        for column, cell in enumerate(cells, start=1)
        if isinstance(cell, NoResult)
    ]
    if found:
        more = f", and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        raise UnreadableLayer(
            Fault(
                what=f"formulas were saved without their results (cell {', '.join(found[:_NAMED])}{more})",
                why="what they should say is nowhere in the file, and owners would be blank without a word",
                remedy="open the workbook in Excel, save it again, and import that",
                file=name,
            )
        )


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


_SHOWN_FAULTS = 10


def _refuse_swallowed_rows(read: RollTable, mark: str, numbers: "Container[str]", name: str) -> None:
    """Refuse a table with a cell that holds several rows: the owners in them would be missing, or part of somebody's name.

    A quotation mark that is never closed makes one cell of all that follows, and two stray ones of all that stands between them. A cell of
    several lines is no fault by itself, for an address may be written so. It holds rows where it has as many separators as whole rows
    have (``mark`` is empty where the file has none), or where one of its lines begins with the number of a parcel, as a row does.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    faults = []
    table = read.table
    for field in table.schema:
        if not (pa.types.is_string(field.type) or pa.types.is_large_string(field.type)):
            continue
        column = table.column(field.name)
        several = pc.indices_nonzero(pc.fill_null(pc.match_substring(column, "\n"), fill_value=False))
        for row, text in zip(several.to_pylist(), column.take(several).to_pylist(), strict=True):
            if evidence := _evidence_of_rows(text, table.num_columns, mark, numbers):
                faults.append(
                    Fault(
                        what=f"{read.rows(row)}, column {field.name}, holds several rows: {evidence}",
                        why="the owners in those rows would be missing, or part of another owner's name",
                        remedy="look at that row for a quotation mark too many or one that is not closed, or export the roll again",
                        file=name,
                    )
                )
    if faults:
        raise UnreadableLayer(faults[:_SHOWN_FAULTS])


def _evidence_of_rows(text: str, columns: int, mark: str, numbers: "Container[str]") -> str:
    """Return what shows that a cell of several lines holds rows of the table; empty where nothing does."""
    after = text.splitlines()[1:]
    starts = (re.split(r"[,;\t|]", line)[0].strip().strip('"') for line in after)
    if held := next((start for start in starts if start and comparable(start) in numbers), ""):
        return f"one of its lines begins with the parcel number {held}"
    # Of two columns: a cell of text may well have one separator on a line.
    if mark and columns > 2 and text.count(mark) >= text.count("\n") * (columns - 1):  # noqa: PLR2004  # as above
        return f"it has {text.count(mark):,} separators, as many as whole rows have"
    return ""


def _cell(value: Any) -> str | None:  # noqa: ANN401  # what a cell may hold
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and not (value.hour or value.minute or value.second):
        return value.date().isoformat()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value)


def _unique_names(names: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    made = []
    for place, name in enumerate(names):
        called = name or f"column {place + 1}"
        seen[called] += 1
        made.append(called if seen[called] == 1 else f"{called} ({seen[called]})")
    return made
