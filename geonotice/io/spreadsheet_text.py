"""Text that is safe in a spreadsheet: a cell that would run as a formula gets an apostrophe, every other cell stays as it is."""

import unicodedata

__all__ = ["inert", "live", "quoted"]

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
