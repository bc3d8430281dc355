"""What the headings of a town's spreadsheet of permits mean: exactly, or by their words."""

import re

__all__ = [
    "COLUMNS",
    "CONTACT",
    "HOURS",
    "MORE_COLUMNS",
    "NOT_KEPT",
    "QUESTION",
    "column_name",
    "heading_by_words",
    "is_of_other_matter",
    "looks_essential",
]

COLUMNS = (
    "number", "kind", "parcels", "applicant", "charitable", "primarily_benefits_applicant", "distinct_events", "issued", "starts", "ends",
    "night", "persons", "status",
)  # fmt: skip
"""The columns of a file of permits, in this order."""

MORE_COLUMNS = (
    "title", "owned_by", "maximum_attendance", "conditions", "override", "override_by", "streets", "yard_sale_days", "overridden",
    "hours", "contact", "fee", "private_title",
)  # fmt: skip
"""What an export has beyond them, so that nothing is lost on the way."""

NOT_KEPT = "not kept"
"""What a heading stands for that a permit in the register has no place for: the day received, a remark."""

HOURS = "hours"
"""Times of day, in one column or in two: when it begins and when it ends. They suggest whether an event was at night, too."""

CONTACT = "contact"
"""How the applicant is reached, in one column or in several."""

QUESTION = "question"
"""The column that a file of questions has beyond the town's own."""

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


def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_)(?:{words})(?:_|$)")


_OTHER = _any(
    r"fax|website|url|paid|cost|deposit|bond|check_no|receipt|invoice|set_?up|clean_?up|take_?down|break_?down|load_in|load_out"
    r"|rec|recd|rec_d|received|filed|submitted|insurance|policy|coi|expires|expiration|expiry|inspection|inspected|inspector|rain"
    r"|address|location|venue|site|place|street|hamlet|village|borough|city|zip|district|zoning|notes?|remarks?|comments?|memo"
    r"|question|agency|department|approved_by|issued_by|entered_by|reviewed_by|initials|row|parking|tents?|alcohol"
    r"|application_date|date_of_application|date_applied|applied"
)
"""Headings whose matter a permit in the register has no place for. What is of this kind is named once, and not asked about."""

_FEE = re.compile(r"^(?!.*(?:date|y_n|owed|due|waive|how|by|type|method))(?:.*_)?(?:fees?|amount)(?:_|$)")
"""An amount; whether and when it was paid is of another matter."""
_CONTACT = _any(r"phones?|tel|telephone|cell|mobile|e?mail|contact")

_BY_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (_any(r"issued_to|permit_holder"), "applicant"),
    (_any(r"non_?profit|not_for_(?:a_)?profit|charit\w*|501_?c_?3?|tax_exempt|nfp|npo"), "charitable"),
    (_any(r"benefit\w*"), "primarily_benefits_applicant"),
    (_any(r"(?:number|no|num|of|how_many)_(?:distinct_|separate_)?events|distinct_events?|separate_events?"), "distinct_events"),
    (_any(r"status|disposition|outcome"), "status"),
    (_any(r"sctm\w*|sbl|tax_map\w*|tax_lots?|parcels?|print_key|tm_?no|tax_id|section_block_lot|s_b_l|lots?"), "parcels"),
    (_any(r"(?:date_)?(?:permit_)?issued?(?:_on|_date)?|date_of_issue|granted|date_granted|approved_on|approval_date|date_approved"), "issued"),
    (re.compile(r"^(?!.*date).*(?:^|_)(?:times?|hours?)(?:_|$)"), HOURS),
    (_any(r"end|ends|ending|last_day|through|thru|until|end_date\w*|date_to|to_date|event_to"), "ends"),
    (_any(r"start|starts|starting|begins?|beginning|first_day|event_dates?\w*|dates?_of_(?:the_)?events?|event_day|event_days"
          r"|date_from|from_date|event_from|days?_of_event|dates|held_on|date_held|when"), "starts"),
    (_any(r"night|nighttime|evening|after_dark|after_sunset"), "night"),
    (_any(r"max\w*_(?:attend\w*|persons|people|occupancy|capacity|guests)|maximum|occupancy|capacity"), "maximum_attendance"),
    (_any(r"attend\w*|persons?|people|guests|crowd|headcount|pax|participants|no_expected|expected"), "persons"),
    (_any(r"applicants?|sponsors?|organi[sz]er?s?|organi[sz]ation|hosts?|hosted_by|held_by|promoter|permittee|grantee|holder|issued_to|licensee|who"), "applicant"),
    (_any(r"(?:permit|licen[cs]e|file|event|application|case|ref\w*)_?(?:no|num|number|id)|permit|ref|reference"), "number"),
    (_any(r"(?:event_)?(?:type|kind|category|class)"), "kind"),
    (_any(r"(?:event_)?(?:name|title|description)|activity|function|event"), "title"),
    (_any(r"conditions?|stipulations?"), "conditions"),
    (re.compile(r"^dates?(?:_s)?$"), "starts"),
)  # fmt: skip
"""Words by which a heading is known, the surest first."""

_FOR_PROFIT = _any(r"for_?profit|profit|commercial|taxable")
_EITHER = _any(r"profit_(?:or_)?(?:non_?profit|not_for_profit)|(?:non_?profit|not_for_profit)_(?:or_)?(?:for_)?profit")
"""A heading that names both kinds: an N under it may be either."""
_NOT = _any(r"no|non|nonprofit|not|nfp|npo|exempt")

_ESSENTIAL = _any(r"profit|charit\w*|benefit\w*|night|day_night|status|events?|dates?|days?|result|decision|tax|lot|map|tm")
"""Words of a heading without whose column permits would be counted wrongly."""


def _plain(name: str) -> str:
    # The number sign is a word of headings: "Permit #".
    return _ANSWERS.sub("", _WORD.sub("_", name.casefold().replace("#", " no ").replace("'", "")).strip("_"))


def column_name(name: str) -> str:
    """Return the column a heading stands for by one of its usual names; empty where it has none of a file of permits.

    Examples
    --------
    >>> column_name("Date Issued"), column_name("Tax Map No."), column_name("Night event (Y/N)"), column_name("Rain date")
    ('issued', 'parcels', 'night', '')
    """
    plain = _ANSWERS.sub("", _WORD.sub("_", name.casefold()).strip("_"))
    found = _ALIASES.get(plain) or _ALIASES.get(_plain(name)) or plain
    return found if found in (*COLUMNS, *MORE_COLUMNS) else ""


def heading_by_words(name: str) -> str:
    """Return the column that the words of a heading point to; ``not kept`` where they name what a permit has no place for, empty where they do not tell.

    Examples
    --------
    >>> heading_by_words("Organizer"), heading_by_words("Not for profit? (Y/N)"), heading_by_words("Event Date(s)"), heading_by_words("Date Rec'd")
    ('applicant', 'charitable', 'starts', 'not kept')
    >>> heading_by_words("For profit"), heading_by_words("Ward")
    ('', '')
    """
    plain = _plain(name)
    if _EITHER.search(plain) or (_FOR_PROFIT.search(plain) and not _NOT.search(plain)):
        return ""
    if _FEE.search(plain):
        return "fee"
    if _CONTACT.search(plain) and not re.search(r"(?:^|_)date(?:_|$)", plain):
        return CONTACT
    if _OTHER.search(plain) and not re.search(r"issue_date|date_issued|(?:start|begin|end)\w*_date|^date_time", plain):
        return NOT_KEPT
    return next((column for words, column in _BY_WORDS if words.search(plain)), "")


def is_of_other_matter(name: str) -> bool:
    """Return whether a heading names what a permit in the register has no place for."""
    return heading_by_words(name) == NOT_KEPT


def looks_essential(name: str) -> bool:
    """Return whether a heading that is not understood has a word of what permits are counted by."""
    return _ESSENTIAL.search(_plain(name)) is not None
