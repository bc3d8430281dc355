"""The files that go beside an import: the rows that are asked about, in the town's own columns, and a preview of all of them."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from geonotice.errors import Fault, UsageError
from geonotice.io.csv_tables import NoResult, inert, quoted
from geonotice.register.headings import COLUMNS, MORE_COLUMNS, QUESTION
from geonotice.register.held_hours import sessions_of, sessions_text
from geonotice.register.import_permits import ImportReport, ImportRow

__all__ = ["preview_table", "question_table", "table_bytes", "understood_words"]

Table = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""Headings, and rows of cells under them."""


def question_table(report: ImportReport) -> Table:
    """Return the rows that are asked about: the town's own columns and cells, with what is asked behind them."""
    columns = [name for name in report.columns if name.casefold() != QUESTION]
    rows = [[*(report.cells[row.n].get(name) for name in columns), "; ".join(row.reasons)] for row in report.refused]
    return (*columns, QUESTION), rows


def preview_table(report: ImportReport) -> Table:
    """Return every row with what becomes of it, why, and what was understood of it."""
    fields = (*COLUMNS, *MORE_COLUMNS)
    rows = [
        [row.n, row.outcome.replace("_", " "), "; ".join(row.reasons), *(_cell(row.understood.get(name)) for name in fields)]
        for row in report.rows
    ]
    return ("row", "outcome", "why", *fields), rows


def _cell(value: object) -> object:
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return sessions_text(sessions_of(json.dumps(value)))
        return ";".join(str(item) for item in value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def table_bytes(table: Table, file: Path) -> bytes:
    """Return a table as CSV or as a workbook, by the ending of its file.

    Raises
    ------
    UsageError
        The ending is neither.
    """
    kind = file.suffix.casefold()
    if kind == ".csv":
        return _csv(*table)
    if kind == ".xlsx":
        return _xlsx(*table)
    raise UsageError(
        Fault(
            what=f"it is written as CSV or XLSX, not as {kind or 'a file without an ending'}",
            file=str(file),
            remedy="name it .csv or .xlsx",
        )
    )


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([inert(quoted(name)) for name in columns])
    writer.writerows([inert(quoted(_text(cell))) for cell in row] for row in rows)
    return ("\ufeff" + out.getvalue()).encode(errors="replace")


def _text(cell: object) -> str:
    if isinstance(cell, datetime) and not (cell.hour or cell.minute):
        cell = cell.date()
    if isinstance(cell, (date, datetime)):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None or isinstance(cell, bytes) else str(cell)


def _xlsx(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    )
    workbook.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001  # the same rows, the same file
    sheet = workbook.add_worksheet("permits")
    head, day = workbook.add_format({"bold": True}), workbook.add_format({"num_format": "yyyy-mm-dd"})
    wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
    for at, name in enumerate(columns):
        sheet.write_string(0, at, name, head)
    for n, row in enumerate(rows, start=1):
        for at, cell in enumerate(row):
            if isinstance(cell, (int, float)) and not isinstance(cell, bool):
                sheet.write_number(n, at, cell)
            elif isinstance(cell, datetime) and not (cell.hour or cell.minute):
                sheet.write_datetime(n, at, cell, day)
            elif text := _text(cell):
                sheet.write_string(
                    n, at, quoted(text), wrapped if columns[at] in {QUESTION, "why"} and not isinstance(cell, NoResult) else None
                )
    sheet.freeze_panes(1, 0)
    sheet.autofit()
    for at, name in enumerate(columns):
        if name in {QUESTION, "why"}:
            sheet.set_column(at, at, 70)
    workbook.close()
    return out.getvalue()


def understood_words(row: ImportRow) -> str:
    """Return what was understood of a row, in a line."""
    known = row.understood
    if not known:
        return ""

    def days() -> str:
        if known["yard_sale_days"]:
            return ", ".join(known["yard_sale_days"])
        return f"{known['starts'] or 'day unknown'}{' to ' + known['ends'] if known['ends'] else ''}"

    said = [known["kind"], days(), ", ".join(known["parcels"]) or "no parcel", known["applicant"]]
    said += [f"{known['persons']:,} persons" if known["persons"] is not None else ""]
    said += [f"{word} {_cell(known[name]) or 'unknown'}" for name, word in (("charitable", "charitable"), ("night", "night"))]
    said += [f"{known['status']} {known['issued'] or 'on an unknown day'}" if known["status"] else ""]
    return "; ".join(part for part in said if part)
