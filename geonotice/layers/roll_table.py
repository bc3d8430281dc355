"""Read the table of an assessment roll: CSV as offices export it, XLSX, DBF, or anything GDAL reads."""

import csv
import io
from collections import Counter
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from geonotice.archives import WORKBOOK_ERRORS, open_workbook, workbook_fault
from geonotice.errors import Fault, LayerError, UnreadableLayer

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

__all__ = ["read_roll_table"]


def read_roll_table(path: "Path", *, sheet: str | None = None, given: str = "") -> "tuple[pa.Table, list[str]]":
    """Read a table from CSV, XLSX, DBF or anything GDAL reads; CSV and XLSX come as text.

    Returns
    -------
    table, notes
        The table; what the reader should know of how it was read.

    Raises
    ------
    LayerError
        It does not open, has no rows, or has several sheets and none is named.
    """
    name = given or str(path)
    if not path.exists():
        raise UnreadableLayer(Fault(what="no such file", file=name, remedy="look at the path in the town file"))
    suffix = path.suffix.lower()
    if suffix in {".csv", ".txt", ".tsv"}:
        return _read_csv(path, name)
    if suffix in {".xlsx", ".xlsm"}:
        return _read_xlsx(path, sheet, name), []
    from geonotice.layers.read import read_layer

    return read_layer(path, layer=sheet).table, []


def _read_csv(path: "Path", name: str) -> "tuple[pa.Table, list[str]]":
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    data = path.read_bytes()
    text, notes = _decoded(data)
    head = text[:20_000]
    first = next((line for line in head.splitlines() if line.strip()), "")
    if not first:
        raise UnreadableLayer(Fault(what="the file is empty", file=name, remedy="export the roll again"))
    mark = max(",\t;|", key=first.count)
    header = next(csv.reader([first], delimiter=mark))
    names = _unique_names([column.strip() for column in header])
    skipped = head[: head.index(first)].count("\n") + 1
    try:
        table = arrow_csv.read_csv(
            io.BytesIO(text.encode()),
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=skipped),
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
    return table, notes


def _decoded(data: bytes) -> tuple[str, list[str]]:
    """Give a file's text: UTF-8 with or without its mark, UTF-16 with it, else Windows-1252, which Excel in the West writes."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16"), []
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), ["it is not in UTF-8; it was read as Windows-1252"]


def _read_xlsx(path: "Path", sheet: str | None, name: str) -> "pa.Table":
    import pyarrow as pa

    book = open_workbook(path, given=name, error=UnreadableLayer, read_only=True, data_only=True)
    try:
        names = [found.title for found in book.worksheets]
        if not names:
            raise UnreadableLayer(
                Fault(what="the workbook has no sheet of cells", file=name, remedy="save the roll again as .xlsx")
            )
        if sheet is not None and sheet not in names:
            raise LayerError(Fault(what=f"there is no sheet {sheet!r}", file=name, remedy=f"name one of: {', '.join(names)}"))
        if sheet is None and len(names) > 1:
            raise LayerError(
                Fault(
                    what=f"there are several sheets: {', '.join(names)}",
                    file=name,
                    remedy='name one: sheet = "…" in [[roll]]',
                )
            )
        cells = book[sheet or names[0]]
        cells.reset_dimensions()  # some programs write a wrong extent, and rows beyond it would be missing without a word
        rows = [list(row) for row in cells.iter_rows(values_only=True)]
    except WORKBOOK_ERRORS as error:
        raise UnreadableLayer(workbook_fault(error, name)) from error
    finally:
        book.close()
    rows = [row for row in rows if any(cell is not None and str(cell).strip() for cell in row)]
    if not rows:
        raise UnreadableLayer(Fault(what="the sheet is empty", file=name, remedy="name the sheet with the roll"))
    width = max(len(row) for row in rows)
    names = _unique_names([str(cell).strip() if cell is not None else "" for cell in rows[0]] + [""] * (width - len(rows[0])))
    columns = [[_cell(row[place]) if place < len(row) else None for row in rows[1:]] for place in range(width)]
    return pa.table({column: pa.array(values, pa.string()) for column, values in zip(names, columns, strict=True)})


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
