"""Postal words in one spelling, for comparing only: what is printed is always what the roll says.

Two spellings of one address must compare equal (``12 Main Street, Apt. 3`` and ``12 MAIN ST #3``), and two addresses must never. Where the
two aims pull apart, the forms here stay different: a letter too many costs a stamp, a letter too few can void a hearing.

The abbreviations are those of USPS Publication 28, appendices B, C1 and C2, as far as they occur on assessment rolls.
"""

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CARE_OF", "WORDS", "normal_address", "normal_country", "normal_line", "normal_name", "normal_text", "zip5"]

_SUFFIXES = {
    "ALLEY": "ALY", "AVENUE": "AVE", "AV": "AVE", "BEACH": "BCH", "BOULEVARD": "BLVD", "BRIDGE": "BRG", "CENTER": "CTR", "CENTRE": "CTR",
    "CIRCLE": "CIR", "COURT": "CT", "COVE": "CV", "CREEK": "CRK", "CRESCENT": "CRES", "CROSSING": "XING", "DRIVE": "DR", "ESTATES": "ESTS",
    "EXPRESSWAY": "EXPY", "EXTENSION": "EXT", "FREEWAY": "FWY", "GARDENS": "GDNS", "GROVE": "GRV", "HARBOR": "HBR", "HEIGHTS": "HTS",
    "HIGHWAY": "HWY", "HILLS": "HLS", "HOLLOW": "HOLW", "ISLAND": "IS", "JUNCTION": "JCT", "LAKE": "LK", "LANDING": "LNDG", "LANE": "LN",
    "MANOR": "MNR", "MEADOW": "MDW", "MEADOWS": "MDWS", "MOUNT": "MT", "MOUNTAIN": "MTN", "PARKWAY": "PKWY", "PKY": "PKWY", "PLACE": "PL",
    "PLAZA": "PLZ", "POINT": "PT", "RIDGE": "RDG", "ROAD": "RD", "ROUTE": "RTE", "RT": "RTE", "SAINT": "ST", "SPRINGS": "SPGS",
    "SQUARE": "SQ", "STREET": "ST", "STR": "ST", "TERRACE": "TER", "TRAIL": "TRL", "TURNPIKE": "TPKE", "TPK": "TPKE", "VALLEY": "VLY",
    "VILLAGE": "VLG",
}  # fmt: skip
_DIRECTIONS = {
    "NORTH": "N", "SOUTH": "S", "EAST": "E", "WEST": "W",
    "NORTHEAST": "NE", "NORTHWEST": "NW", "SOUTHEAST": "SE", "SOUTHWEST": "SW",
}  # fmt: skip
_UNITS = {
    "APARTMENT": "#", "APT": "#", "UNIT": "#", "NUMBER": "#",
    "BUILDING": "BLDG", "DEPARTMENT": "DEPT", "FLOOR": "FL", "ROOM": "RM", "SUITE": "STE", "TRAILER": "TRLR",
}  # fmt: skip
_OTHER = {"COUNTY": "CO", "RURAL": "R"}
CARE_OF = r"(?:C\s?/\s?O|ATTN|ATTENTION|CARE OF)"
"""How a roll writes that a name or a line is whom the letter is in care of, as a pattern; a ``%`` may mean the same, but is read with more care."""
WORDS = _SUFFIXES | _DIRECTIONS | _UNITS | _OTHER

_BOX = re.compile(r"\b(?:P ?O ?BOX|P ?O ?B|POST OFFICE BOX|PO DRAWER|P O DRAWER)\b(?= *#? *\w)")
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_UNITED_STATES = {"", "US", "USA", "U S A", "U S", "UNITED STATES", "UNITED STATES OF AMERICA"}

_ASCII = {
    code: {"'": None, "`": None, ".": None, "&": " AND ", "#": " # "}.get(chr(code), " ")
    for code in range(128)
    if not chr(code).isalnum()
}
"""What becomes of each sign of ASCII that is no letter or digit."""


@lru_cache(maxsize=16_384)
@lru_cache(maxsize=16_384)
def normal_text(text: str) -> str:
    """Put a text in capitals without accents and punctuation, single-spaced; ``&`` is AND, ``#`` stays a word of its own.

    Examples
    --------
    >>> normal_text("Muñoz & Sons, Inc.")
    'MUNOZ AND SONS INC'
    >>> normal_text("O'Brien-Lee")
    'OBRIEN LEE'
    """
    if text.isascii():  # nearly every line of a roll, several times over: a tenth of the time
        return " ".join(text.upper().translate(_ASCII).split())
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold().upper())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = re.sub("['\u2019`.]", "", plain).replace("&", " AND ").replace("#", " # ")
    return " ".join(re.sub(r"[^\w#]|_", " ", plain).split())


def normal_name(names: "str | Iterable[str]") -> str:
    """Return the name lines of an owner in one spelling; empty when nothing can be compared. The order of words and lines counts.

    Examples
    --------
    >>> normal_name(["Smith, John A.", "c/o Jones"])
    'SMITH JOHN A | C O JONES'
    >>> normal_name("***")
    ''
    """
    lines = (names,) if isinstance(names, str) else names
    return " | ".join(line for line in map(normal_text, lines) if line)


@lru_cache(maxsize=16_384)
def normal_line(line: str) -> str:
    """Return one delivery line in one spelling: Publication 28's abbreviations, one word for a unit, one form of a post-office box.

    Examples
    --------
    >>> normal_line("12 North Main Street, Apt. 3")
    '12 N MAIN ST # 3'
    >>> normal_line("P.O. Box 12") == normal_line("POB 12") == "PO BOX 12"
    True
    >>> normal_line("12-1/2 Main St") == normal_line("12 Main St")
    False
    """
    # a point between digits separates them (12.5); elsewhere it ends an abbreviation and goes
    words = normal_text(_POINT.sub(" ", line) if "." in line else line).split()
    text = " ".join(WORDS.get(word, word) for word in words)
    if "# #" in text:  # "APT # 3", "UNIT NUMBER 3"
        text = re.sub(r"# (?:# )+", "# ", text)
    return _BOX.sub("PO BOX", text).replace("PO BOX # ", "PO BOX ") if "P" in text else text


def normal_country(country: str) -> str:
    """Return a country in one spelling; empty for the United States."""
    if not country:
        return ""
    text = normal_text(country)
    return "" if text in _UNITED_STATES else text


@lru_cache(maxsize=16_384)
def zip5(code: str) -> str:
    """Return the five digits of a ZIP code (one zero lost at the front is put back); anything else in one spelling.

    The four digits after them name a side of a street, which the delivery line names better.

    Examples
    --------
    >>> zip5("14512-1234"), zip5("145121234"), zip5("14512"), zip5("6510"), zip5("K1A 0B1")
    ('14512', '14512', '14512', '06510', 'K1A0B1')
    """
    text = normal_text(code).replace(" ", "")
    if text.isascii() and text.isdigit():
        if len(text) in {5, 9}:
            return text[:5]
        if len(text) in {4, 8}:
            return text.zfill(len(text) + 1)[:5]
    return text


def normal_address(lines: "str | Iterable[str]", *, city: str = "", state: str = "", zip: str = "", country: str = "") -> str:  # noqa: A002  # the post's word, and the model's
    """Return a full address in one spelling; empty unless a delivery line is filled, and a city, a ZIP code or another country.

    Examples
    --------
    >>> normal_address(["12 Main Street"], city="Naples", state="ny", zip="14512-0001", country="USA")
    '12 MAIN ST | NAPLES | NY | 14512 |'
    >>> normal_address(["12 Main Street"])
    ''
    """
    delivery = [line for line in map(normal_line, (lines,) if isinstance(lines, str) else lines) if line]
    town, code, land = normal_text(city), zip5(zip), normal_country(country)
    if not delivery or not (town or code or land):
        return ""
    return " | ".join([*delivery, town, normal_text(state), code, land]).rstrip(" ")
