"""The mailing list as CSV, safe to open in a spreadsheet."""

from collections.abc import Mapping

from geonotice.model import Notice
from geonotice.packet.rows import COLUMNS, NUMBERS, list_rows

__all__ = ["inert", "list_csv"]

_RUN = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the start of a formula, in either width (OWASP, "CSV Injection")."""


def inert(text: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run as a formula, or that hides its start behind a tab or a line end.

    Examples
    --------
    >>> inert("=HYPERLINK(0)"), inert("@SUM(1)"), inert("-1+1"), inert("  =1"), inert("12 MAIN ST")
    ("'=HYPERLINK(0)", "'@SUM(1)", "'-1+1", "'  =1", '12 MAIN ST')
    """
    return f"'{text}" if text[:1] in {"\t", "\r", "\n"} or text.lstrip().startswith(_RUN) else text


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
