"""What the cells of a town's spreadsheet mean: texts, yes and no, numbers and statuses."""

import re
from typing import Literal, NamedTuple

from geonotice.io.csv_tables import live

__all__ = [
    "CHARITY_WORDS",
    "NIGHT_WORDS",
    "UNKNOWN",
    "CellError",
    "StatusRead",
    "clean",
    "parts",
    "read_count",
    "read_kind",
    "read_number",
    "read_status",
    "read_text",
    "read_yes_no",
]

_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?")
_DIGITS = 18
"""A count with more is none, and some databases cannot hold it."""
_SHOWN = 60
_ESTIMATE = re.compile(
    r"(?:approx(?:imately|\.)?|about|around|est(?:imated|\.)?|up to|max(?:imum|\.)?|over|under|at least|ca\.?|~|<|>|±|\+/-|\s)*"
    r"(?:\d{1,3}(?:,\d{3})+|\d{1,7})(?:\s*(?:-|\u2013|to)\s*(?:\d{1,3}(?:,\d{3})+|\d{1,7}))?\s*\+?\s*"
    r"\(?(?:people|persons?|guests|attendees|ppl|pax|max\.?|est\.?|approx\.?|or so|or more|expected|per day|a day|/ ?day)?\)?"
)
_YES = {"yes", "y", "true", "t", "1", "x", "yes.", "yep", "yeah", "checked", "✓", "✔", "☑", "☒", "on", "ok"}
_NO = {"no", "n", "false", "f", "0", "no.", "none", "nope", "unchecked", "☐", "off"}
UNKNOWN = frozenset({"", "unknown", "?", "n/a", "na", "-", "n.a.", "--", "\u2014", "\u2013", "unk", "not stated"})
"""What stands in a cell for nothing."""
_SIGNS = re.compile(r"[^a-z0-9]+")
CHARITY_WORDS = (
    frozenset(
        {
            "501c3",
            "501c",
            "nonprofit",
            "notforprofit",
            "nfp",
            "npo",
            "charity",
            "charitable",
            "charitableorganization",
            "taxexempt",
        }
    ),
    frozenset({"forprofit", "profit", "commercial", "business", "private", "individual", "notcharitable", "noncharitable"}),
)
"""Words for a charitable applicant, and for another."""
NIGHT_WORDS = (
    frozenset({"night", "nighttime", "atnight", "evening", "afterdark"}),
    frozenset({"day", "daytime", "days", "morning", "afternoon"}),
)
"""Words for an event at night, and for another."""
Stands = Literal["issued", "rescinded", "void", "not_a_permit"]
"""What a town's word for a status comes to."""

_STATUSES: dict[Stands, frozenset[str]] = {
    "issued": frozenset({"issued", "", "approved", "granted", "active", "complete", "completed", "held", "final", "closed", "permit issued",
                         "approved issued", "issued approved", "expired", "valid", "event held", "approved with conditions"}),
    "rescinded": frozenset({"rescinded", "revoked", "cancelled", "canceled", "permit revoked", "permit rescinded", "event cancelled",
                            "event canceled", "cancelled by applicant", "canceled by applicant", "suspended", "cxl", "cancel"}),
    "void": frozenset({"void", "voided", "entered in error", "error", "duplicate", "entered twice", "issued in error"}),
    "not_a_permit": frozenset({"denied", "refused", "rejected", "disapproved", "pending", "applied", "received", "incomplete", "in review",
                               "under review", "review", "withdrawn", "application withdrawn", "on hold", "hold", "tabled", "draft",
                               "no permit", "not required", "no permit required", "no permit needed", "not issued", "in process", "open",
                               "submitted", "declined", "pending review", "pending approval"}),
}  # fmt: skip
_ENDED = {
    "cancelled",
    "canceled",
    "event cancelled",
    "event canceled",
    "cancelled by applicant",
    "canceled by applicant",
    "cxl",
    "cancel",
}
_CHOICES = (
    "write issued, rescinded where it was issued and taken back (it counts), or void where it should never have been entered"
)
_NO_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""What XML, and so a workbook, cannot hold (XML 1.0, 2.2)."""
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half a character: what a program makes of bytes that are no UTF-8; no database takes it."""


class CellError(ValueError):
    """A cell that cannot be read; its text says why."""


def clean(text: str) -> str:
    r"""Return a text as the register keeps it: whatever door it comes in by, an export and an import of it give the same again.

    Line ends are made one kind; blanks around it are taken off, and characters out that no workbook holds.

    Examples
    --------
    >>> clean(" Fair \r\nand\x07 parade ")
    'Fair \nand parade'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _NO_CHARACTERS.sub("", _HALF.sub("\ufffd", lines)).strip()


def read_text(value: object) -> str:
    """Read a cell as text, without the apostrophe that an export puts before what a spreadsheet would run."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a spreadsheet keeps 1001 as 1001.0
    return live(clean(str(value)))


def parts(text: str) -> list[str]:
    """Return the parts of a cell that holds several, such as parcels: one to a line, or with semicolons between them."""
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]


def read_kind(value: object) -> str:
    """Read a kind of event as the register keeps it: what is written in another way is no other kind, for some kinds are not counted.

    Examples
    --------
    >>> read_kind("Yard Sale"), read_kind("PARADE"), read_kind(None)
    ('yard_sale', 'parade', 'other')
    """
    return "_".join(read_text(value).casefold().replace("-", " ").replace("_", " ").split()) or "other"


def read_yes_no(value: object, *, yes: frozenset[str] = frozenset(), no: frozenset[str] = frozenset()) -> bool | None:
    """Read yes or no; None for unknown or nothing.

    Parameters
    ----------
    value
        The cell.
    yes, no
        Further words for either, of the column's own matter: :data:`CHARITY_WORDS`, :data:`NIGHT_WORDS`.

    Raises
    ------
    CellError
        It is neither.
    """
    if isinstance(value, bool):
        return value
    text = read_text(value).casefold()
    plain = _SIGNS.sub("", text)
    if text in UNKNOWN:
        return None
    if text in _YES or plain in yes:
        return True
    if text in _NO or plain in no:
        return False
    raise CellError(f"{text!r} is not yes, no or unknown")


def read_number(value: object) -> int | None:
    """Read a whole number, 1,200 and what a program writes as 2.0 too; None for nothing.

    Raises
    ------
    CellError
        It is none.
    """
    text = read_text(value)
    if text.casefold() in UNKNOWN:
        return None
    found = _NUMBER.fullmatch(text)
    if found and len(text) > _DIGITS:
        raise CellError(f"{text[:_DIGITS]}… with {len(text):,} digits is more than can be")
    if not found:
        raise CellError(f"{text!r} is not a whole number")
    return int(found[1].replace(",", ""))


def read_count(value: object) -> tuple[int | None, str]:
    """Read how many persons: a number, or an estimate, of which the larger number is taken; return also what was made of it.

    Raises
    ------
    CellError
        It is none.

    Examples
    --------
    >>> read_count("180+"), read_count("200-300 people")
    ((180, "'180+' was read as 180"), (300, "'200-300 people' was read as 300"))
    """
    try:
        return read_number(value), ""
    except CellError:
        text = read_text(value)
        found = _ESTIMATE.fullmatch(text.casefold())
        numbers = (
            [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)] if found and len(text) <= _SHOWN else []
        )
        if not numbers:
            raise
        return max(numbers), f"{text!r} was read as {max(numbers):,}"


class StatusRead(NamedTuple):
    """A status: what it comes to; whether the town's word was another."""

    stands: Stands
    reworded: bool


def read_status(value: object, *, was_issued: bool = True) -> StatusRead:
    """Read a status; nothing is ``issued``.

    Parameters
    ----------
    value
        The cell.
    was_issued
        Whether the row has a day of issue: a canceled event without one may never have had a permit.

    Raises
    ------
    CellError
        It is none, or does not go with the day of issue.

    Examples
    --------
    >>> read_status("Approved").stands, read_status("Cancelled").stands, read_status("DENIED", was_issued=False).stands
    ('issued', 'rescinded', 'not_a_permit')
    """
    text = read_text(value)
    plain = " ".join(re.sub(r"[^a-z]+", " ", text.casefold()).split())
    for stands, words in _STATUSES.items():
        if plain in words and (plain or not text):
            _require_day(text, stands, was_issued=was_issued, plain=plain)
            return StatusRead(stands, reworded=bool(plain) and plain != stands)
    raise CellError(f"{text!r} is not issued, rescinded or void; {_CHOICES}")


def _require_day(text: str, stands: Stands, *, was_issued: bool, plain: str) -> None:
    """Ask where a status and the day of issue do not go together: whether a permit was issued decides whether it counts."""
    if stands == "not_a_permit" and was_issued:
        raise CellError(
            f"{text!r} stands beside a day of issue: was a permit issued? If it was, {_CHOICES}; if not, clear the day of issue"
        )
    if stands == "rescinded" and not was_issued and plain in _ENDED:
        raise CellError(
            f"{text!r} stands without a day of issue: was a permit issued? If it was, {_CHOICES}; if not, write denied"
        )
