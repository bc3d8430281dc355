"""What the words of a column's name say: ``OWNER_MAIL_ADDR_LINE_2`` is the second line of an owner's address.

This serves where no list has the name. Every word of it must be known, else nothing is said: ``OWN_OCC_CD`` is not taken for anything.
"""

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Worded", "field_of", "tokens"]


class Worded(NamedTuple):
    """What a name says: ``side`` is owner or site, ``part`` is name, address, city, …; ``person`` and ``line`` count from 1."""

    side: str
    part: str
    person: int
    line: int


_OWNER = {"OWN", "OWNER", "OWNERS", "OWNR", "LANDOWNER", "TITLEHOLDER", "DEEDHOLDER", "HOLDER", "PROPRIETOR", "ASSESSEE"}
_MAIL = {
    "MAIL",
    "MAILING",
    "MAILTO",
    "PSTL",
    "POSTAL",
    "TAXPAYER",
    "TAXPYR",
    "TXPYR",
    "BILL",
    "BILLING",
    "BILLTO",
    "CORRESPONDENCE",
    "PAYER",
    "SEND",
}
_SITE = {
    "SITE",
    "SITUS",
    "PROP",
    "PROPERTY",
    "LOC",
    "LOCATION",
    "PHY",
    "PHYS",
    "PHYSICAL",
    "PAR",
    "PARCEL",
    "PREMISES",
    "PREMISE",
}
_PARTS = {
    "name": {"NAME", "NAMES", "NM", "NME", "NAM", "FULLNAME"},
    "address": {"ADDR", "ADDRESS", "ADD", "ADR", "ADRS", "ADDRS", "ADRESS", "STREET", "STR", "ADDRE", "ADDRES"},
    "city": {"CITY", "CTY", "CITYNAME"},
    "state": {"STATE", "STAT", "STA", "STT", "PROVINCE"},
    "zip": {"ZIP", "ZIPCODE", "ZIPCD", "ZIPCDE", "POSTCODE", "POSTALCODE", "ZP", "ZPCD", "ZIPC"},
    "country": {"COUNTRY", "CNTRY", "CTRY", "NATION"},
    "care_of": {"CAREOF", "ATTN", "ATTENTION", "CARE"},
    "po_box": {"POBOX"},
    "number": {"NUMBER", "NUM", "NUMB", "NBR", "NO", "HOUSENUMBER", "HOUSENUM", "HOUSENO", "HOUSE"},
    "csz": {"CSZ", "CITYSTATEZIP", "CITYSTZIP", "CTYSTZIP", "CTSTZIP"},
}  # fmt: skip
_HOUSE = {"HOUSE", "HOUSENUMBER", "HOUSENUM", "HOUSENO", "SITUS", "SITE"}
_SECOND = {"SECOND", "CO", "JOINT", "JT", "SPOUSE", "ADDL", "ADDITIONAL", "SECONDARY", "OTHER", "ALT"}
_NEUTRAL = {
    "LINE",
    "LN",
    "L",
    "TO",
    "OF",
    "FULL",
    "CURRENT",
    "CUR",
    "CURR",
    "PRIMARY",
    "PRIM",
    "THE",
    "TEXT",
    "TXT",
    "RECORD",
    "CODE",
    "CD",
    "LEGAL",
    "1ST",
}
_AMBIGUOUS = {"ST"}
_WORDS = {"ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "1ST": "1", "2ND": "2", "3RD": "3"}
_ALL = sorted(
    _OWNER | _MAIL | _SITE | set().union(*_PARTS.values()) | _SECOND | _NEUTRAL | _AMBIGUOUS | set(_WORDS) | {"ZIP4", "PLUS"}, key=len, reverse=True
)  # fmt: skip
_LINES = 4
_PERSONS = 9


@lru_cache(maxsize=4096)
def tokens(name: str) -> tuple[str, ...] | None:
    """Return the words of a column's name; None where one of them is not known.

    Examples
    --------
    >>> tokens("OWNADDR2"), tokens("ownerMailingCity"), tokens("OWN_OCC")
    (('OWN', 'ADDR', '2'), ('OWNER', 'MAILING', 'CITY'), None)
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    found: list[str] = []
    for chunk in re.findall(r"[A-Z]+|\d+(?:ST|ND|RD)?", spaced.upper()):
        apart = (chunk,) if chunk[0].isdigit() else _segmented(chunk)
        if apart is None:
            return None
        found += apart
    return tuple(_WORDS.get(word, word) for word in found)


def _segmented(chunk: str) -> tuple[str, ...] | None:
    """Cut a run of letters into known words, the longest first."""
    if not chunk:
        return ()
    for word in _ALL:
        if chunk.startswith(word):
            rest = _segmented(chunk[len(word) :])
            if rest is not None:
                return (word, *rest)
    return None


def field_of(name: str) -> Worded | None:
    """Return what a column's name says of owners or of the property; None where it says nothing for sure.

    Examples
    --------
    >>> field_of("OWNER_MAIL_ADDR_LINE_2")
    Worded(side='owner', part='address', person=1, line=2)
    >>> field_of("Owner2_City"), field_of("OWNER3")
    (Worded(side='owner', part='city', person=2, line=1), Worded(side='owner', part='name', person=3, line=1))
    >>> field_of("PROPERTY_OWNER_NAME").side, field_of("SITUS_ZIPCD").part, field_of("OWNER_TYPE")
    ('owner', 'zip', None)
    """
    words = tokens(name)
    if not words:
        return None
    have = set(words)
    owner, mail, site = bool(have & _OWNER), bool(have & _MAIL), bool(have & _SITE)
    if not (owner or mail or site):
        return None
    side = "owner" if owner or mail else "site"
    part = _part(words)
    if not part and (owner or have & {"TAXPAYER", "TAXPYR", "TXPYR"}) and not have & _AMBIGUOUS:
        part = "name"
    if not part and side == "site" and "LINE" in have:
        part = "address"
    if not part or (side == "site" and part in {"name", "care_of"}) or (side == "owner" and part == "number"):
        return None
    person, line = _counted(words, part)
    if part == "zip" and ("ZIP4" in have or ("4" in have and "ZIP" in have)):
        part, person, line = "zip_4", 1, 1
    if part == "zip" and "5" in have:
        person = line = 1
    if person > _PERSONS or line > (_LINES if part == "address" else 1) or person < 1:
        return None
    return Worded(side, part, person, line)


def _part(words: tuple[str, ...]) -> str:
    have = set(words)
    found = [part for part, names in _PARTS.items() if have & names]
    if "ST" in have and "city" in found:
        found.append("state")
    if {"city", "state"} <= set(found) or {"state", "zip"} <= set(found) or "csz" in found:
        return "csz"
    for part in ("country", "zip", "city", "state", "care_of", "po_box"):
        if part in found:
            return part
    if "number" in found and "name" not in found:
        # SITUS_STREET_NO; a PARCEL_NUMBER is none of an address
        return "number" if "address" in found or have & _HOUSE else ""
    if ("name" in found) != ("address" in found):
        return "name" if "name" in found else "address"
    return "st" if not found and "ST" in have and len(words) > 1 else ""


def _counted(words: tuple[str, ...], part: str) -> tuple[int, int]:
    """Return whose it is and which line: a number behind the word for the owner counts owners, one at the end counts lines."""
    named = set().union(*_PARTS.values())
    person = line = 1
    for place, word in enumerate(words):
        if not word.isdigit():
            continue
        number = int(word)
        later = any(other in named for other in words[place + 1 :])
        before = words[place - 1] if place else ""
        if part == "name" or (later and before in _OWNER | _MAIL):
            person = number
        else:
            line = number
    if set(words) & _SECOND and part == "name":
        person = max(person + 1, 2) if person == 1 else person
    elif set(words) & _SECOND:
        person = 2
    return person, line
