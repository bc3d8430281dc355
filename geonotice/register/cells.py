"""What the cells of a town's spreadsheet mean: column names, dates, yes and no, numbers and statuses."""

import re
from datetime import date, datetime, timedelta

from geonotice.io.tables import live

__all__ = [
    "COLUMNS",
    "MORE_COLUMNS",
    "CellError",
    "clean",
    "column_name",
    "parts",
    "read_date",
    "read_kind",
    "read_number",
    "read_status",
    "read_text",
    "read_yes_no",
]

COLUMNS = (
    "number", "kind", "parcels", "applicant", "charitable", "primarily_benefits_applicant", "distinct_events", "issued", "starts", "ends",
    "night", "persons", "status",
)  # fmt: skip
"""The columns of a file of permits, in this order."""

MORE_COLUMNS = (
    "title", "owned_by", "maximum_attendance", "conditions", "override", "override_by", "streets", "yard_sale_days", "overridden",
)  # fmt: skip
"""What an export has beyond them, so that nothing is lost on the way."""

_ALIASES = {
    "permit": "number", "permit_no": "number", "permit_num": "number", "permit_number": "number", "no": "number", "id": "number",
    "event_type": "kind", "type": "kind", "type_of_event": "kind", "kind_of_event": "kind",
    "parcel": "parcels", "parcel_id": "parcels", "parcel_no": "parcels", "parcel_number": "parcels", "tax_map": "parcels",
    "tax_map_no": "parcels", "tax_map_id": "parcels", "tax_map_number": "parcels", "tax_map_numbers": "parcels", "tax_lot": "parcels",
    "sctm": "parcels", "sctm_no": "parcels", "sctm_number": "parcels", "sbl": "parcels", "print_key": "parcels",
    "applicant_name": "applicant", "name_of_applicant": "applicant", "name": "applicant", "applicant_organization": "applicant",
    "charity": "charitable", "charitable_applicant": "charitable", "charitable_organization": "charitable",
    "benefits_applicant": "primarily_benefits_applicant",
    "events": "distinct_events", "of_events": "distinct_events", "no_of_events": "distinct_events", "number_of_events": "distinct_events",
    "date_issued": "issued", "issue_date": "issued", "issued_on": "issued", "date_of_issue": "issued", "permit_issued": "issued",
    "date_permit_issued": "issued", "permit_date": "issued",
    "start": "starts", "start_date": "starts", "event_date": "starts", "date_of_event": "starts", "first_day": "starts", "from": "starts",
    "event_start": "starts", "event_start_date": "starts", "event_starts": "starts",
    "end": "ends", "end_date": "ends", "last_day": "ends", "event_end": "ends", "event_end_date": "ends", "event_ends": "ends", "to": "ends",
    "at_night": "night", "night_event": "night",
    "attendance": "persons", "expected_attendance": "persons", "number_of_persons": "persons", "no_of_persons": "persons",
    "of_persons": "persons", "attendees": "persons",
    "max_attendance": "maximum_attendance", "maximum_persons": "maximum_attendance",
    "permit_status": "status",
    "event": "title", "event_name": "title", "event_title": "title", "name_of_event": "title",
}  # fmt: skip

_ANSWERS = re.compile(r"_(?:y_n|yes_no|yes_or_no)$")
"""What a heading says of its answers, as in "Night event (Y/N)"."""
_WORD = re.compile(r"[^a-z0-9]+")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}.*)?")
_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?: \d{1,2}:\d{2}.*)?")
_SERIAL = re.compile(r"([2-7]\d{4})(?:\.\d+)?")
"""A day as a spreadsheet counts it, from 1954 to 2119; which of its two calendars it counts by is not in the number."""
_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?")
_DIGITS = 18
"""A count with more is none, and some databases cannot hold it."""
_YES = {"yes", "y", "true", "t", "1", "x"}
_NO = {"no", "n", "false", "f", "0"}
_UNKNOWN = {"", "unknown", "?", "n/a", "na", "-"}
_STATUSES = {"issued": "issued", "rescinded": "rescinded", "void": "void", "voided": "void", "": "issued"}
_NO_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""What XML, and so a workbook, cannot hold (XML 1.0, 2.2)."""
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half a character: what a program makes of bytes that are no UTF-8; no database takes it."""


class CellError(ValueError):
    """A cell that cannot be read; its text says why."""


def column_name(name: str) -> str:
    """Return the column a heading stands for; empty where it is none of a file of permits.

    Examples
    --------
    >>> column_name("Date Issued"), column_name("Tax Map No."), column_name("Night event (Y/N)"), column_name("Fee paid")
    ('issued', 'parcels', 'night', '')
    """
    plain = _ANSWERS.sub("", _WORD.sub("_", name.casefold()).strip("_"))
    found = _ALIASES.get(plain, plain)
    return found if found in (*COLUMNS, *MORE_COLUMNS) else ""


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


def read_date(value: object) -> tuple[date | None, bool]:
    """Read a date; also say whether it was written month first, as 7/4/2026.

    Raises
    ------
    CellError
        It is no date, or one whose year nobody wrote out.
    """
    if isinstance(value, datetime):
        return value.date(), False
    if isinstance(value, date):
        return value, False
    text = read_text(value)
    if text.casefold() in _UNKNOWN:
        return None, False
    try:
        if found := _ISO.fullmatch(text):
            return date(int(found[1]), int(found[2]), int(found[3])), False
        if found := _AMERICAN.fullmatch(text):
            return date(int(found[3]), int(found[1]), int(found[2])), True
        for form in ("%B %d %Y", "%b %d %Y", "%d %B %Y"):
            try:
                return datetime.strptime(text.replace(",", " "), form).date(), False  # noqa: DTZ007  # a day has no time zone
            except ValueError:
                continue
    except ValueError:
        pass
    if found := _SERIAL.fullmatch(text):
        day = date(1899, 12, 30) + timedelta(days=int(found[1]))
        raise CellError(
            f"{text!r} is not a date; if it is how a spreadsheet counts days, it may be {day.isoformat()}: give the column the format "
            "of dates, or write 2026-07-04"
        )
    raise CellError(f"{text!r} is not a date; write 2026-07-04")


def read_yes_no(value: object) -> bool | None:
    """Read yes or no; None for unknown or nothing.

    Raises
    ------
    CellError
        It is neither.
    """
    if isinstance(value, bool):
        return value
    text = read_text(value).casefold()
    if text in _UNKNOWN:
        return None
    if text in _YES:
        return True
    if text in _NO:
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
    if text.casefold() in _UNKNOWN:
        return None
    found = _NUMBER.fullmatch(text)
    if found and len(text) > _DIGITS:
        raise CellError(f"{text[:_DIGITS]}… with {len(text):,} digits is more than can be")
    if not found:
        raise CellError(f"{text!r} is not a whole number")
    return int(found[1].replace(",", ""))


def read_status(value: object) -> str:
    """Read a status; nothing is ``issued``.

    Raises
    ------
    CellError
        It is none: what was canceled must be said to be rescinded, which counts, or void, which does not.
    """
    text = read_text(value).casefold()
    if text in _STATUSES:
        return _STATUSES[text]
    raise CellError(
        f"{text!r} is not issued, rescinded or void; a permit that was issued and taken back is rescinded (it counts), one that should never have been entered is void"
    )
