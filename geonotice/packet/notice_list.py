"""The mailing list as rows, as CSV and as a workbook."""

import hashlib
import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from geonotice.errors import Fault, OutputError
from geonotice.io.csv_tables import inert
from geonotice.model import Notice, Recipient
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.record import RECORD_FILE
from geonotice.packet.sentences import about_lines, occasion_line
from geonotice.recipients import reachable

__all__ = [
    "COLUMNS",
    "MERGE_SHEET",
    "NUMBERS",
    "csv_bytes",
    "letter_rows",
    "list_csv",
    "list_rows",
    "list_sha256",
    "list_xlsx",
]


COLUMNS = (
    "number", "role", "name_1", "name_2", "address_1", "address_2", "city", "state", "zip", "country", "mail", "mailable", "parcels",
    "situs", "relation", "distance_ft", "reasons", "article_number",
)  # fmt: skip
"""The columns of ``notice-list``, in order; names that Word's merge fields can have."""

_CSV_FILE = "notice-list.csv"

NUMBERS = frozenset({"number", "distance_ft"})
"""The columns that hold numbers; all others are text, ZIP codes and tax map numbers above all."""


def list_rows(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> list[dict[str, str]]:
    """Return one row for each recipient, in the order of their numbers; every value is text, also of the columns of numbers.

    Name lines after the second stand behind it, and so do delivery lines: nothing is cut off. ``reasons`` holds the ids of the
    rules, then, with ``review:`` before them, the codes of what a person should look at. ``mail`` is what the rule asks for; where no
    letter can be addressed, ``mailable`` is ``no``.

    Parameters
    ----------
    notice
        The notice.
    article_numbers
        Numbers of certified mail by recipient number, where they are known.
    """
    return [_row(recipient, (article_numbers or {}).get(recipient.number, "")) for recipient in notice.recipients]


def letter_rows(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> list[dict[str, str]]:
    """Return the rows of those to whom a letter goes out, as :func:`list_rows` has them."""
    return list_rows(replace(notice, recipients=reachable(notice.recipients)), article_numbers=article_numbers)


def _row(recipient: Recipient, article_number: str) -> dict[str, str]:
    name_1, *other_names = recipient.names or ("",)
    address_1, *other_lines = recipient.address or ("",)
    return {
        "number": str(recipient.number),
        "role": recipient.role,
        "name_1": name_1,
        "name_2": "; ".join(other_names),
        "address_1": address_1,
        "address_2": "; ".join(other_lines),
        "city": recipient.city,
        "state": recipient.state,
        "zip": recipient.zip,
        "country": recipient.country,
        "mail": recipient.mail,
        "mailable": "yes" if recipient.mailable else "no",
        "parcels": "; ".join(recipient.parcels),
        "situs": recipient.situs,
        "relation": recipient.relation,
        "distance_ft": "" if recipient.distance_ft is None else f"{recipient.distance_ft:.2f}",
        "reasons": "; ".join([*recipient.reasons, *(f"review: {code}" for code in recipient.review)]),
        "article_number": article_number,
    }


def list_csv(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> bytes:
    """Return the mailing list: UTF-8 with a byte-order mark, CRLF, one header row; text is quoted, numbers are not."""
    return csv_bytes(COLUMNS, list_rows(notice, article_numbers=article_numbers))


def csv_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return rows as CSV that a spreadsheet reads right: UTF-8 with a byte-order mark, CRLF; text is quoted, :data:`NUMBERS` are not."""
    lines = [",".join(columns)]
    lines += [",".join(row[name] if name in NUMBERS else _quoted(inert(row[name])) for name in columns) for row in rows]
    return ("\ufeff" + "".join(f"{line}\r\n" for line in lines)).encode()


def list_sha256(notice: Notice) -> str:
    """Return the hash of a list: of its ``notice-list.csv`` as it is before the article numbers are known.

    The certified list and the affidavits print it, so that anybody can see which list was mailed.
    """
    return _sha256_of(tuple(notice.recipients))


@lru_cache(maxsize=4)
def _sha256_of(recipients: tuple[Recipient, ...]) -> str:
    """Hash a list once: several papers print it."""
    return hashlib.sha256(csv_bytes(COLUMNS, [_row(one, "") for one in recipients])).hexdigest()


@paper(
    _CSV_FILE,
    purpose="The same list for any other program. For a mail merge, take the rows whose mail is not none and whose mailable is yes.",
    place=40,
)
def _csv_paper(context: PacketContext) -> bytes:
    return list_csv(context.notice, article_numbers=context.article_numbers)


def _quoted(text: str) -> str:
    """Quote a cell as RFC 4180 has it; a quoted cell is text to the programs that tell the two apart."""
    return '"' + text.replace('"', '""') + '"'


MERGE_SHEET = "to_mail"
"""The sheet, and the table on it, that a mail merge takes."""

_WIDEST = {
    "name_1": 18, "name_2": 14, "address_1": 17, "address_2": 12, "city": 12, "parcels": 14, "situs": 16, "reasons": 16, "article_number": 22,
}  # fmt: skip
"""Most characters of a column before its text is wrapped: all columns must stay readable on the width of one page."""

_NARROWEST, _WIDEST_ELSE, _WIDEST_ANY = 4, 12, 60
_HEADING_POINTS, _LINE_POINTS = 8, 15
"""Headings are smaller than what stands below them: they are longer than most of it, and are not to take the width from names."""

_HEADER_CHARACTERS = 225
"""Excel takes 255 characters for a printed header; the codes and the page number need some of them. The second sheet has it whole."""


def list_xlsx(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> bytes:
    """Return the mailing list as XLSX.

    The table ``notice_list`` is on the first sheet, warnings and sources on the second, then the schedule, last the letters alone
    (:data:`MERGE_SHEET`).

    Every cell but the number and the distance is text, so that a ZIP code keeps its zeros and a tax map number becomes no date; nothing
    is run as a formula or made a link.

    Raises
    ------
    OutputError
        A cell has more text than Excel holds; each is named.
    """
    import xlsxwriter

    rows = list_rows(notice, article_numbers=article_numbers)
    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(stream, options)
    made = datetime.combine(notice.on, time(), tzinfo=UTC).replace(tzinfo=None)  # the day of the list: no clock in the file
    book.set_properties({"title": f"Notice list: {notice.town}", "subject": occasion_line(notice), "created": made})
    _list_sheet(book, notice, rows, name="notice_list")
    _about_sheet(book, notice)
    if notice.schedule:
        _schedule_sheet(book, notice)
    _list_sheet(book, notice, letter_rows(notice, article_numbers=article_numbers), name=MERGE_SHEET)
    book.close()
    return stream.getvalue()


@paper(
    "notice-list.xlsx",
    purpose=(
        "The mailing list for Excel; warnings and sources on its second sheet. Its last sheet, to_mail, is for Word's mail merge: it has"
        " only those to whom a letter can be addressed."
    ),
    place=30,
)
def _xlsx_paper(context: PacketContext) -> bytes:
    return list_xlsx(context.notice, article_numbers=context.article_numbers)


def _list_sheet(book: Any, notice: Notice, rows: Sequence[Mapping[str, str]], *, name: str) -> None:  # noqa: ANN401  # xlsxwriter ships no types
    sheet = book.add_worksheet(name)
    set_ = {"valign": "top"}
    text = book.add_format(set_ | {"num_format": "@", "text_wrap": True})
    feet = book.add_format(set_ | {"num_format": "0.00"})
    whole = book.add_format(set_ | {"num_format": "0"})
    head = book.add_format(set_ | {"bold": True, "num_format": "@", "font_size": _HEADING_POINTS, "bottom": 1})
    widths = _widths(rows)
    faults = []
    for place, row in enumerate(rows, 1):
        # Said outright: where a program does not find the height of wrapped text by itself, the lines of one row lie over the next.
        sheet.set_row(place, _LINE_POINTS * min(max(_lines(row[heading], widths[heading]) for heading in COLUMNS), _MOST_LINES))
        for column, heading in enumerate(COLUMNS):
            if heading in NUMBERS and row[heading]:
                sheet.write_number(place, column, float(row[heading]), feet if heading == "distance_ft" else whole)
            elif sheet.write_string(place, column, row[heading], text) != 0:
                faults.append(
                    Fault(
                        what=f"{heading} of recipient {row['number']} has more text than a cell of Excel holds",
                        remedy=f"use {_CSV_FILE}",
                    )
                )
    if faults:
        raise OutputError(faults)
    sheet.add_table(
        0,
        0,
        max(len(rows), 1),  # Excel refuses a table without a row
        len(COLUMNS) - 1,
        {
            "name": name,
            "style": "Table Style Light 1",
            "columns": [{"header": heading, "header_format": head} for heading in COLUMNS],
        },
    )
    for column, heading in enumerate(COLUMNS):
        sheet.set_column(
            column, column, widths[heading], whole if heading == "number" else feet if heading == "distance_ft" else text
        )
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    sheet.set_landscape()
    sheet.set_paper(1)  # US Letter
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.3, right=0.3, top=0.8, bottom=0.6)
    title = _header_text([notice.town, occasion_line(notice)])
    sheet.set_header(f"&L&9{title}")
    roll = _header_text([line for line in about_lines(notice) if line.startswith(("Roll", "Parcels"))])
    sheet.set_footer(f"&L&8{roll}&R&8Page &P of &N")


_MOST_LINES = 27
"""Excel makes no row higher than 409 points; the record has the whole."""


def _widths(rows: Sequence[Mapping[str, str]]) -> dict[str, float]:
    """Return how wide each column is: as its longest word and its heading need, wider as far as most of its cells ask for it."""
    made = {}
    for heading in COLUMNS:
        cells = sorted(len(row[heading]) for row in rows if row[heading]) or [0]
        word = max((len(word) for row in rows for word in row[heading].split()), default=0)
        usual = cells[int(0.9 * (len(cells) - 1))]
        # Whoever owns forty lots has forty numbers in one cell: wider, where a row would be higher than a program makes it.
        needed = min(cells[-1] / (0.6 * _MOST_LINES), _WIDEST_ANY)
        most = max(_WIDEST.get(heading, _WIDEST_ELSE), needed)
        # A tax map number stays whole whatever it takes: one that is broken in two cannot be copied.
        made[heading] = 1.3 + max(
            _NARROWEST, 0.8 * len(heading), min(usual, most), needed, word if heading == "parcels" else min(word, most)
        )
    return made


def _lines(text: str, width: float) -> int:
    """Return how many lines a cell takes, counted a little too high rather than too low: letters are of different widths."""
    return max(1, len(textwrap.wrap(text, max(int(width), 4), break_on_hyphens=False)))


def _about_sheet(book: Any, notice: Notice) -> None:  # noqa: ANN401  # xlsxwriter ships no types
    sheet = book.add_worksheet("about and warnings")
    bold = book.add_format({"bold": True, "valign": "top"})
    text = book.add_format({"num_format": "@", "valign": "top", "text_wrap": True})
    sheet.set_column(0, 0, 26, text)
    sheet.set_column(1, 1, 90, text)
    sheet.set_column(2, 2, 50, text)
    sheet.write_row(0, 0, ["Warning", "What it means", "Properties"], bold)
    place = 1
    for warning in notice.warnings:
        cells = (warning.code, warning.text, ", ".join(warning.parcels))
        lines = max(_lines(value, width) for value, width in zip(cells, (26, 90, 50), strict=True))
        sheet.set_row(place, _LINE_POINTS * min(lines, _MOST_LINES))
        for column, value in enumerate(cells):
            sheet.write_string(place, column, _fitting(value), text)
        place += 1
    if not notice.warnings:
        sheet.write_string(place, 0, "none", text)
        place += 1
    place += 1
    sheet.write_string(place, 0, "About this list", bold)
    for place, line in enumerate(about_lines(notice), place + 1):  # noqa: B020  # goes on from the row reached
        head, _, rest = line.partition(": ")
        sheet.write_string(place, 0, head, text)
        sheet.write_string(place, 1, _fitting(rest), text)
    sheet.set_landscape()
    sheet.set_paper(1)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer("&R&8Page &P of &N")


def _schedule_sheet(book: Any, notice: Notice) -> None:  # noqa: ANN401  # xlsxwriter ships no types
    """Write the schedule of owners that goes with an application."""
    sheet = book.add_worksheet("owners for the application")
    text = book.add_format({"num_format": "@", "valign": "top", "text_wrap": True})
    sheet.set_column(0, 0, 28, text)
    sheet.set_column(1, 1, 70, text)
    sheet.write_row(0, 0, ["parcel", "owner"], book.add_format({"bold": True}))
    for place, line in enumerate(notice.schedule, 1):
        sheet.write_string(place, 0, line.id, text)
        sheet.write_string(place, 1, _fitting(line.owner), text)
    if notice.frontages:
        # LAW: Italy B(3) asks for the streets or highways that abut the property beside the adjoining owners.
        first = len(notice.schedule) + 2
        sheet.write_row(first, 0, ["street abutted", "frontage"], book.add_format({"bold": True}))
        for place, frontage in enumerate(notice.frontages, first + 1):
            sheet.write_string(place, 0, frontage.street or "name not known", text)
            sheet.write_string(place, 1, f"{frontage.length_ft:,.1f} ft", text)
    sheet.freeze_panes(1, 0)
    sheet.set_paper(1)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer("&R&8Page &P of &N")


def _fitting(text: str) -> str:
    """Shorten to what a cell holds, and say so: the record has the whole."""
    most = 32_000
    return text if len(text) <= most else f"{text[:most]} … (all of it is in {RECORD_FILE})"


def _header_text(parts: list[str]) -> str:
    text = "\n".join(parts).replace("&", "&&")
    return text if len(text) <= _HEADER_CHARACTERS else f"{text[: _HEADER_CHARACTERS - 2].rstrip('&')} …"
