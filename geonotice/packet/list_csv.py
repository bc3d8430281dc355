"""The mailing list as CSV, safe to open in a spreadsheet."""

from collections.abc import Mapping

from geonotice.model import Notice
from geonotice.packet.rows import COLUMNS, NUMBERS, list_rows
from geonotice.spreadsheet_text import inert

__all__ = ["list_csv"]


def list_csv(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> bytes:
    """Give the mailing list: UTF-8 with a byte-order mark, CRLF, one header row; text is quoted, numbers are not."""
    lines = [",".join(COLUMNS)]
    lines += [
        ",".join(row[name] if name in NUMBERS else _quoted(inert(row[name])) for name in COLUMNS)
        for row in list_rows(notice, article_numbers=article_numbers)
    ]
    return ("\ufeff" + "".join(f"{line}\r\n" for line in lines)).encode()


def _quoted(text: str) -> str:
    """Quote a cell as RFC 4180 has it; a quoted cell is text to the programs that tell the two apart."""
    return '"' + text.replace('"', '""') + '"'
