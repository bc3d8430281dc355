"""Tax map numbers: parse, format, compare.

A number is text everywhere; this module never changes what is printed, it only says which two spellings mean one parcel.
"""

import heapq
import re
from collections.abc import Iterable
from typing import NamedTuple

__all__ = [
    "LONG_UNIT",
    "MAY_BE_UNIT",
    "UnitNumber",
    "comparable",
    "nearest_numbers",
    "number_parts",
    "suffolk_long",
    "suffolk_short",
    "unit_number",
]

_SPACE = re.compile(r"\s+")
_DASHES = re.compile(r"\s*[-\N{EN DASH}\N{EM DASH}\N{NON-BREAKING HYPHEN}]\s*")
_PART = re.compile(r"\d+|[A-Z]+")
_SUFFOLK = re.compile(r"(\d{3,4})-(\d{1,3})(?:\.(\d{1,2}))?-(\d{1,2})(?:\.(\d{1,2}))?-(\d{1,3})(?:\.(\d{1,3}))?")


def suffolk_long(number: str) -> str | None:
    """Write a Suffolk County number in full: District-Section-Block-Lot, each part padded.

    Parameters
    ----------
    number
        Any spelling of it, the short one of tax bills included.

    Returns
    -------
    str or None
        The padded number, or None where it is not of that form.

    Notes
    -----
    The form is that of the Suffolk County Real Property Tax Service Agency: a four-digit district, a section and a block with two
    decimals, a lot with three. In the short form a lot's decimals are a number of their own: ``15.1`` is ``015.001``.

    Examples
    --------
    >>> suffolk_long("900-100-1-15.1")
    '0900-100.00-01.00-015.001'
    >>> suffolk_long("12.01-1-15.1") is None
    True
    """
    found = _SUFFOLK.fullmatch(_DASHES.sub("-", number.strip()))
    if not found:
        return None
    district, section, section_part, block, block_part, lot, lot_part = (int(part or 0) for part in found.groups())
    return f"{district:04d}-{section:03d}.{section_part:02d}-{block:02d}.{block_part:02d}-{lot:03d}.{lot_part:03d}"


def suffolk_short(number: str) -> str | None:
    """Write a Suffolk County number as tax bills and town papers do, or None where it is not of that form.

    Examples
    --------
    >>> suffolk_short("0900-100.00-01.00-015.001")
    '900-100-1-15.1'
    """
    long = suffolk_long(number)
    if long is None:
        return None
    parts = (part.split(".") for part in long.split("-"))
    return "-".join(str(int(part[0])) + (f".{int(part[1])}" if len(part) > 1 and int(part[1]) else "") for part in parts)


def comparable(number: str) -> str:
    """Return the form in which two spellings of one number are equal.

    Letters are taken as capitals, runs of blanks as one, every dash as a hyphen; a Suffolk County number is padded. Numbers that
    differ in anything else stay different: ``1-2-3`` is not ``1-2-3.1``.

    Examples
    --------
    >>> comparable(" 900-100-1-15.1 ") == comparable("0900-100.00-01.00-015.001")
    True
    >>> comparable("32  33 192")
    '32 33 192'
    """
    plain = _SPACE.sub(" ", _DASHES.sub("-", number.strip())).upper()
    return suffolk_long(plain) or plain


def nearest_numbers(sought: str, known: Iterable[tuple[str, str]], *, most: int = 5) -> list[str]:
    """Return the numbers most like one that is not known, for a message: those that agree with it in the most parts from the left.

    Parameters
    ----------
    sought
        The number, as :func:`comparable` gives it.
    known
        What each parcel is called, and its number as :func:`comparable` gives it.
    most
        How many are given.

    Returns
    -------
    list of str
        What they are called; empty where none begins alike. Leading zeros and parts of zeros do not count: of ``51-1-1`` and ``51.00-1-1``
        one is the other's short spelling. Those that agree in fewer parts than the best are left out.

    Examples
    --------
    >>> nearest_numbers("32 33 192", [("a", "32 011 02110"), ("b", "32 033 01920"), ("c", "32 033 01930")])
    ['b', 'c']
    """
    parts = number_parts(sought)

    def likeness(other: str) -> tuple[int, int]:
        mine = number_parts(other)
        equal = next((n for n, (one, two) in enumerate(zip(parts, mine, strict=False)) if one != two), min(len(parts), len(mine)))
        if equal == min(len(parts), len(mine)):
            return equal, -abs(len(parts) - len(mine))
        one, two = parts[equal], mine[equal]
        return equal, next(
            (n for n, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), min(len(one), len(two))
        )

    ranked = heapq.nsmallest(
        most, (((-same, -begun), key, name) for name, key in known for same, begun in [likeness(key)] if same)
    )
    best = -ranked[0][0][0] if ranked else 0
    return [name for (same, _), _, name in ranked if -same == best]


def number_parts(number: str) -> list[str]:
    """Return the runs of digits and letters, without leading zeros; without those that are nothing but zeros."""
    return [part for run in _PART.findall(number.upper()) if (part := run.lstrip("0"))]


class UnitNumber(NamedTuple):
    """A condominium unit's number taken apart.

    ``base`` is the number of its common lot as :func:`comparable` gives it; ``plain`` tells that the suffix cannot be that of a subdivided
    lot: it stands behind a stroke, or begins with the letter of a condominium or a unit.
    """

    base: str
    plain: bool


MAY_BE_UNIT = r"(?i)[/#][^-/#]*$|[a-z][- ]?[0-9]{1,4}[a-z]?$|^(?:[0-9]{6})?[0-9A-Z]{20}$|(?:unit|apt|condo)\W*\w{1,5}$"
"""What :func:`unit_number` can take apart matches this; a column of numbers is searched with it first."""

LONG_UNIT = r"^(?:[0-9]{6})?[0-9A-Z]{20}$"
"""New York's number in full, as :func:`comparable` gives it; a unit's where it does not end in four zeros, and its base is the number that does."""

_STROKE = re.compile(r"(?P<base>.*\d[A-Z]?)[-. ]*[/#] ?[A-Z0-9]{1,6}")
_NAMED = re.compile(r"(?P<base>.*\d[A-Z]?)[-_. ]+(?:(?:UNIT|APT|CONDO)[-_. #]?[A-Z0-9]{1,5}|(?:U|C|CU)\d{1,4}[A-Z]?)")
_LETTERS = re.compile(r"(?P<base>.*\d[A-Z]?)[-_ ]+[A-Z]{1,4}\d{1,4}[A-Z]?")
_RUN_ON = re.compile(r"(?P<base>.*\d)(?:C|U|CU)\d{1,4}[A-Z]?")
_SBL = re.compile(r"(?P<base>(?:\d{6})?[0-9A-Z]{16})(?!0000)[0-9A-Z]{4}")
"""New York's number in full: section, block, lot and sublot in sixteen characters, the suffix in four."""


def unit_number(number: str) -> UnitNumber | None:
    """Take a unit's number apart into that of the common lot and a suffix; return None where the number is not a unit's.

    A further part of digits (``1-2.1``, ``1-2-1``), a letter by itself (``1-2-A``) or both as parts of their own (``1-2-C-4``) are a
    subdivision's.

    Examples
    --------
    >>> unit_number("1-2-C4"), unit_number("45.01-1-12./101")
    (UnitNumber(base='1-2', plain=True), UnitNumber(base='45.01-1-12', plain=True))
    >>> unit_number("1-2-B4")
    UnitNumber(base='1-2', plain=False)
    >>> unit_number("07101800010200000101").base
    '07101800010200000000'
    >>> [unit_number(other) for other in ("1-2.1", "1-2-1", "1-2-A", "1-2-C-4", "32 033 01920", "07101800010200000000")]
    [None, None, None, None, None, None]
    """
    plain = _SPACE.sub(" ", _DASHES.sub("-", number.strip())).upper()
    if found := _SBL.fullmatch(plain):
        return UnitNumber(f"{found['base']}0000", plain=True)
    for pattern, certain in ((_STROKE, True), (_NAMED, True), (_LETTERS, False), (_RUN_ON, True)):
        if found := pattern.fullmatch(plain):
            return UnitNumber(comparable(found["base"].rstrip(" .-_")), plain=certain)
    return None
