"""Take one-string mailing addresses apart, where that is safe; where it is not, the string stays whole and is still printed whole.

``88 PENNSYLVANIA BLVD FLORAL PARK NY 11001`` has no mark between street and city. The State and the ZIP code at its end are sure; the city
is split off only where a comma, a box number, a unit or a street's suffix marks where it begins, or where the layer itself knows a
city of that name. The parts, put together again, are always the whole string, in its order.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["COUNTRIES", "STATES", "MailAddress", "city_state_zip", "country_of", "known_cities", "split_address", "tidy_zip"]

STATES = frozenset(
    [
        "AL",
        "AK",
        "AZ",
        "AR",
        "CA",
        "CO",
        "CT",
        "DE",
        "DC",
        "FL",
        "GA",
        "HI",
        "ID",
        "IL",
        "IN",
        "IA",
        "KS",
        "KY",
        "LA",
        "ME",
        "MD",
        "MA",
        "MI",
        "MN",
        "MS",
        "MO",
        "MT",
        "NE",
        "NV",
        "NH",
        "NJ",
        "NM",
        "NY",
        "NC",
        "ND",
        "OH",
        "OK",
        "OR",
        "PA",
        "RI",
        "SC",
        "SD",
        "TN",
        "TX",
        "UT",
        "VT",
        "VA",
        "WA",
        "WV",
        "WI",
        "WY",
        "PR",
        "VI",
        "GU",
        "AS",
        "MP",
        "AA",
        "AE",
        "AP",
    ]
)
"""The post's codes of States, territories and the armed forces."""

PROVINCES = frozenset(["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"])

COUNTRIES = (
    "UNITED KINGDOM", "GREAT BRITAIN", "ENGLAND", "SCOTLAND", "WALES", "NORTHERN IRELAND", "UK", "CANADA", "MEXICO", "IRELAND", "FRANCE", "GERMANY",
    "ITALY", "SPAIN", "PORTUGAL", "SWITZERLAND", "AUSTRIA", "BELGIUM", "NETHERLANDS", "THE NETHERLANDS", "SWEDEN", "NORWAY", "DENMARK", "FINLAND",
    "ISRAEL", "JAPAN", "CHINA", "HONG KONG", "SOUTH KOREA", "KOREA", "TAIWAN", "SINGAPORE", "INDIA", "AUSTRALIA", "NEW ZEALAND", "BRAZIL", "ARGENTINA",
    "BERMUDA", "BAHAMAS", "GREECE", "TURKEY", "POLAND", "RUSSIA", "SOUTH AFRICA", "SAUDI ARABIA", "UNITED ARAB EMIRATES", "MONACO", "LUXEMBOURG",
)  # fmt: skip
"""Countries as they stand at the end of addresses on assessment rolls."""

_HOME = {"US", "USA", "U S A", "UNITED STATES", "UNITED STATES OF AMERICA"}
_SUFFIX = frozenset(
    [
        "ALY",
        "ALLEY",
        "AVE",
        "AV",
        "AVENUE",
        "BLVD",
        "BOULEVARD",
        "CIR",
        "CIRCLE",
        "CT",
        "COURT",
        "CRES",
        "CRESCENT",
        "DR",
        "DRIVE",
        "EXPY",
        "HWY",
        "HIGHWAY",
        "LN",
        "LANE",
        "PKWY",
        "PKY",
        "PARKWAY",
        "PL",
        "PLACE",
        "PLZ",
        "PLAZA",
        "RD",
        "ROAD",
        "SQ",
        "SQUARE",
        "ST",
        "STR",
        "STREET",
        "TER",
        "TERR",
        "TERRACE",
        "TPKE",
        "TPK",
        "TURNPIKE",
        "TRL",
        "TRAIL",
        "WAY",
        "WALK",
        "PATH",
        "LOOP",
        "ROW",
    ]
)
"""Suffixes of streets that hardly ever begin or end a city's name."""
_UNIT = frozenset(["APT", "APARTMENT", "UNIT", "STE", "SUITE", "RM", "ROOM", "FL", "FLOOR", "BLDG", "LOT", "TRLR", "PMB", "#"])
_DIRECTION = frozenset(["N", "S", "E", "W", "NE", "NW", "SE", "SW", "NORTH", "SOUTH", "EAST", "WEST"])
_NUMBERED = frozenset(["RTE", "ROUTE", "RT", "RD", "ROAD", "HWY", "HIGHWAY", "CR"])
_BEFORE_SAINT = _SUFFIX | {"PORT", "EAST", "WEST", "NORTH", "SOUTH"}
_END = re.compile(
    r"^(?P<rest>.*?)[\s,]+(?P<state>[A-Za-z]\.?\s?[A-Za-z]\.?)[\s,]+(?P<zip>\d{5}(?:[-\s]?\d{4})?)(?:[\s,]+(?:USA?|U\.S\.A\.|UNITED STATES))?$",
    re.IGNORECASE,
)
_ONLY_ZIP = re.compile(
    r"^(?P<rest>.*\d.*[A-Za-z]{3,}|.*,.*[A-Za-z]\.)[\s,]+(?P<zip>\d{5}(?:-\d{4})?)$(?<!BOX \d{5})", re.IGNORECASE
)
_CSZ = re.compile(r"^(?P<city>[^\d]*?)[\s,]+(?P<state>[A-Za-z]{2})\.?(?:[\s,]+(?P<zip>\d{5}(?:[-\s]?\d{4})?|\d{9}))?$")
_BOX = re.compile(r"\b(?:P\.?\s?O\.?\s*(?:BOX|DRAWER)|POB|BOX|P\.?O\.?)\s*#?\s*(?:\d[\w-]*|[A-Z]\b)", re.IGNORECASE)
_CARE = re.compile(r"^(?:C\s?/\s?O\b|%|ATTN\b|ATTENTION\b|CARE OF\b)", re.IGNORECASE)
_STREET_NUMBER = re.compile(r"(?<=\s)\d+[A-Z]?(?:\s?-\s?\d+)?\s+(?=[A-Z0-9])", re.IGNORECASE)
_POSTAL_CANADA = re.compile(r"\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b", re.IGNORECASE)
_PROVINCE_NAME = re.compile(
    r"\b(?:ONTARIO|QUEBEC|NOVA SCOTIA|NEW BRUNSWICK|MANITOBA|SASKATCHEWAN|ALBERTA|BRITISH COLUMBIA)\b", re.IGNORECASE
)
_NO_LETTER = re.compile(r"[^A-Z0-9#/&' -]+")

_LONGEST_CITY = 4


@dataclass(frozen=True, slots=True)
class MailAddress:
    """The parts of an address; ``lines`` are the delivery lines, what could not be split off stays in the last of them."""

    lines: tuple[str, ...]
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""


def tidy_zip(code: str, extra: str = "", *, home: bool = True) -> str:
    """Write a ZIP code as the post does: five digits with their leading zeros, a hyphen before four more; zeros alone are no code.

    Parameters
    ----------
    code
        As the layer has it: text, or a number's digits.
    extra
        The four digits after it, where the layer keeps them apart.
    home
        Whether it is an address in the United States: elsewhere digits are left as they are.

    Examples
    --------
    >>> tidy_zip("6510"), tidy_zip("11001.0"), tidy_zip("145121234"), tidy_zip("14512", "0001"), tidy_zip("0"), tidy_zip("M4V1H", "4")
    ('06510', '11001', '14512-1234', '14512-0001', '', 'M4V1H4')
    """
    text = re.sub(r"\.0+$", "", code.strip())
    plus = re.sub(r"\.0+$", "", extra.strip())
    if not home:
        return text
    if _POSTAL_CANADA.fullmatch(text + plus):
        return text + plus
    digits = re.sub(r"[\s-]", "", text)
    if not (digits.isascii() and digits.isdigit()):
        return text
    first, rest = _zip_parts(digits)
    rest = rest or (plus.zfill(4) if plus.isdigit() else "")
    if not first.strip("0"):
        return ""
    return f"{first}-{rest}" if rest.strip("0") and len(first) == _ZIP else first


_ZIP = 5


def _zip_parts(digits: str) -> tuple[str, str]:
    """Split the digits of a ZIP code into five and four; zeros that a number lost at the front are put back."""
    if len(digits) in {3, 4}:
        return digits.zfill(_ZIP), ""
    if len(digits) in {7, 8, 9}:
        whole = digits.zfill(9)
        return whole[:_ZIP], whole[_ZIP:]
    return digits, ""


def country_of(text: str) -> str:
    """Return the country at the end of a text; empty for the United States and where there is none.

    Examples
    --------
    >>> country_of("SCOTLAND PH28QJ UK"), country_of("TORONTO ONTARIO CANADA"), country_of("NAPLES NY 14512 USA")
    ('UK', 'CANADA', '')
    """
    plain = " ".join(text.upper().replace(".", "").split()).rstrip(" ,")
    for country in COUNTRIES:
        if plain == country or plain.endswith((f" {country}", f",{country}")):
            return country
    return ""


def city_state_zip(text: str) -> MailAddress:
    """Take apart a field that holds city, State and ZIP code; what does not end in a State's code stays whole, as the city.

    Examples
    --------
    >>> part = city_state_zip("Albany, NY  12203")
    >>> part.city, part.state, part.zip
    ('Albany', 'NY', '12203')
    >>> city_state_zip("TORONTO ONTARIO M4V 1H4").city
    'TORONTO ONTARIO M4V 1H4'
    """
    found = _CSZ.match(text.strip())
    if found and found["state"].upper() in STATES and found["city"].strip(" ,"):
        return MailAddress((), found["city"].strip(" ,"), found["state"], tidy_zip(found["zip"] or ""))
    return MailAddress((), text.strip(), country=country_of(text))


def known_cities(texts: "Iterable[str]") -> frozenset[str]:
    """Collect the cities that a suffix, a comma, a unit or a box marks off safely in one-string addresses: at least two of each."""
    counts: Counter[str] = Counter()
    for text in texts:
        city = split_address(text).city
        if city:
            counts[_plain(city)] += 1
    return frozenset(city for city, count in counts.items() if count > 1)


def split_address(text: str, cities: "Mapping[str, int] | frozenset[str]" = frozenset()) -> MailAddress:
    """Take a one-string address apart as far as is safe.

    Parameters
    ----------
    text
        The string, as the layer has it.
    cities
        Names of cities the layer knows, in capitals (:func:`known_cities`).

    Examples
    --------
    >>> split_address("88 PENNSYLVANIA BLVD FLORAL PARK NY 11001")
    MailAddress(lines=('88 PENNSYLVANIA BLVD',), city='FLORAL PARK', state='NY', zip='11001', country='')
    >>> split_address("93 -11 35TH LONG ISLAND CITY NY 11106")
    MailAddress(lines=('93 -11 35TH LONG ISLAND CITY',), city='', state='NY', zip='11106', country='')
    >>> split_address("93 -11 35TH LONG ISLAND CITY NY 11106", frozenset({"LONG ISLAND CITY"})).city
    'LONG ISLAND CITY'
    >>> split_address("C/O A SMITH 87 SOUTH GREAT RD LINCOLN MA 01773").lines
    ('C/O A SMITH', '87 SOUTH GREAT RD')
    """
    whole = text.strip(" ,")
    found = _END.match(whole)
    if not found or re.sub(r"[.\s]", "", found["state"]).upper() not in STATES:
        return _without_state(whole)
    rest, state, code = found["rest"].strip(" ,"), found["state"], tidy_zip(found["zip"])
    at = _city_start(rest, cities)
    street, city = (rest[:at].strip(" ,"), rest[at:].strip(" ,")) if at else (rest, "")
    return MailAddress(_delivery_lines(street), city, state, code)


def _without_state(whole: str) -> MailAddress:
    """Keep an address whole whose State is not known by its code; a ZIP code at the end of a city is one all the same."""
    found = _ONLY_ZIP.match(whole)
    if found and not _foreign(whole):
        return MailAddress((found["rest"].strip(" ,"),), zip=tidy_zip(found["zip"]))
    return MailAddress((whole,) if whole else (), country=_foreign(whole))


def _foreign(text: str) -> str:
    country = country_of(text)
    if country:
        return country
    canadian = _POSTAL_CANADA.search(text) or _PROVINCE_NAME.search(text)
    return "CANADA" if canadian and not re.search(r"\b\d{5}\b", text) else ""


def _delivery_lines(street: str) -> tuple[str, ...]:
    """Set a care-of before the house number, and a post-office box after the street, on lines of their own."""
    lines: list[str] = []
    if _CARE.match(street):
        starts = [m.start() for m in (_STREET_NUMBER.search(street), _BOX.search(street)) if m and m.start() > 0]
        if starts:
            at = min(starts)
            lines.append(street[:at].strip(" ,"))
            street = street[at:].strip(" ,")
    box = _BOX.search(street)
    if box and box.start() > 0 and box.end() == len(street):
        return (*lines, street[: box.start()].strip(" ,"), street[box.start() :])
    return (*lines, street) if street else tuple(lines)


def _city_start(rest: str, cities: "Mapping[str, int] | frozenset[str]") -> int:
    """Return where the city begins in a text without State and ZIP code; 0 where that cannot be told."""
    if "," in rest:
        at = rest.rindex(",") + 1
        city = rest[at:].strip()
        if city and _could_be_city(city.upper().split()):
            return at
    words = [(m.start(), _bare(m.group())) for m in re.finditer(r"\S+", rest)]
    at = _by_marks(rest, words)
    known = _by_known(words, cities)
    if known and at and known != at:
        # the layer's own city wins only where it is the longer ending: "NEW HYDE PARK" over "PARK"
        return min(known, at)
    return at or known


def _by_known(words: list[tuple[int, str]], cities: "Mapping[str, int] | frozenset[str]") -> int:
    for count in range(min(_LONGEST_CITY, len(words) - 2), 0, -1):
        if " ".join(word for _, word in words[-count:]) in cities:
            return words[-count][0]
    return 0


def _by_marks(rest: str, words: list[tuple[int, str]]) -> int:
    """Find the city after a box number, a unit, or the street's suffix."""
    # the places of the first words after a mark
    marks = [sum(start < box.end() for start, _ in words) for box in _BOX.finditer(rest)]
    for place, (_, word) in enumerate(words[:-1]):
        if word in _UNIT or (word.startswith("#") and len(word) > 1) or re.match(r"(?:UNIT|APT|STE)#?\d", word):
            after = place + (2 if word in _UNIT else 1)
            after += 1 if after < len(words) and words[after - 1][1] == "#" else 0
            marks.append(after)
        elif word in _SUFFIX and place >= 1 and not (place == 1 and words[0][1].isdigit()):
            after = place + 1
            if word in _NUMBERED and after < len(words) and words[after][1].isdigit():
                after += 1
            if after < len(words) - 1 and words[after][1] in {"N", "S", "E", "W", "NE", "NW", "SE", "SW"}:
                after += 1
            marks.append(after)
    ends = [mark for mark in marks if mark < len(words) and _could_be_city([word for _, word in words[mark:]])]
    if not ends:
        return 0
    last = max(ends)
    # "12 OAK ST ST JAMES": of two readings the earlier one, where the last mark is a saint
    saint = words[last - 1][1] == "ST" and words[max(last - 2, 0)][1] in _BEFORE_SAINT
    if saint and len(ends) > 1:
        last = sorted(set(ends))[-2]
    return words[last][0]


def _could_be_city(words: list[str]) -> bool:
    if not 1 <= len(words) <= _LONGEST_CITY:
        return False
    if any(any(letter.isdigit() for letter in word) or word in _UNIT or "#" in word for word in words):
        return False
    if all(word in _DIRECTION for word in words):
        return False
    return not any(word in _SUFFIX - {"ST"} for word in words)


def _bare(word: str) -> str:
    return _NO_LETTER.sub("", word.upper().rstrip("."))


def _plain(text: str) -> str:
    return " ".join(_bare(word) for word in text.split())
