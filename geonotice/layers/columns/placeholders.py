"""Words that stand in the place of a value and are none: one list for names, addresses and tax map numbers."""

import re
from typing import TYPE_CHECKING

import numpy as np

from geonotice.layers.columns.text import as_bool, each_distinct

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NO_NAME", "NO_VALUE", "is_no_number", "names_a_way", "without_dummies"]

NO_VALUE = (
    "UNKNOWN", "UNK", "N/A", "NA", "N A", "N.A.", "NONE", "NIL", "NULL", "<NULL>", "(NULL)", "NAN", "<NAN>", "NAT", "NO DATA", "NODATA", "NOT AVAILABLE",
    "UNAVAILABLE", "NOT FOUND", "NOT APPLICABLE", "UNASSIGNED", "UNDEFINED", "TBD", "#N/A", "#REF!", "#VALUE!", "#NAME?", "#NULL!", "#DIV/0!", "?", "??", "???",
    "-", "--", "---", ".", "*", "0",
)  # fmt: skip
"""What programs and people write where there is nothing to write."""

NO_NAME = (
    *NO_VALUE, "X", "XX", "XXX", "UNKNOWN OWNER", "OWNER UNKNOWN", "OWNERS UNKNOWN", "UNKNOWN OWNERS", "NO OWNER", "NO OWNER LISTED", "OWNER",
)  # fmt: skip
"""What stands in the place of an owner's name and is none."""

_NO_NUMBER = frozenset(
    {
        *NO_VALUE,
        "NO NUMBER",
        "NO ID",
        "NO PIN",
        "NO SBL",
        "NO KEY",
        "NO PID",
        "NO PARCEL",
        "NO PARCEL ID",
        "NO TAX ID",
        "NO TAX MAP",
        "NULL NULL",
        "XXX",
        "XXXX",
        "NOT A PARCEL",
        "NON PARCEL",
        "NONPARCEL",
        "GAP",
        "BLANK",
        "EMPTY",
    }
)

_STREET = r"(?:ROWS?|R[ ]O[ ]W|R[ ]?W|RIGHTS?[ ]OF[ ]WAY|ROADS?|ROADWAYS?|RD|STREETS?|ST|HIGHWAYS?|HWY|AVENUES?|AVE|ALLEYS?|ALLEYWAY|LANES?|PAPER[ ]STREET)"
_WAY = re.compile(rf"(?:(?:PUBLIC|PRIVATE|MUNI|TOWN|VILLAGE|CITY|COUNTY|STATE|ROAD|STREET)[ ])?{_STREET}")
_NUMBERED_WAY = re.compile(rf"(?:(?:PUBLIC|PRIVATE|TOWN|VILLAGE|CITY|COUNTY|STATE)[ ])?{_STREET}[ ]?\d+")
_RAIL = re.compile(r"(?:RAIL|RAILROADS?|RAILWAYS?|RR|R[ ]R)(?:[ ]R[ ]?O[ ]?W)?")
_WATER = re.compile(r"(?:WATER|WATERS|LAKE|RIVER|POND|CREEK|STREAM|HYDRO|CANAL|BAY)")
_ONLY_ZEROS = re.compile(r"[\s.\-/_]*0[0\s.\-/_]*")


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^A-Z0-9]+", " ", text.upper()).split())


def is_no_number(text: str) -> bool:
    """Return whether what stands in the column of tax map numbers is a dummy: a placeholder, only zeros, or a word for a street.

    Such polygons are many, and each is a parcel of its own: united under their dummy they would be one lot all over town.

    Examples
    --------
    >>> [is_no_number(text) for text in ("ROW", "r.o.w.", "Road", "<Null>", "NULL", "0", "0-0-0", "n/a", "-", "RAILROAD", "Road Right-of-Way")]
    [True, True, True, True, True, True, True, True, True, True, True]
    >>> [is_no_number(text) for text in ("32 029 02080", "ROW 12", "10", "900-1-77", "R-1", "X", "A")]
    [False, False, False, False, False, False, False]
    """
    stripped = text.strip().upper()
    if stripped in _NO_NUMBER or _ONLY_ZEROS.fullmatch(stripped):
        return True
    plain = _plain(stripped)
    return not plain or plain in _NO_NUMBER or names_a_way(text) not in {"", "numbered"}


def names_a_way(text: str) -> str:
    """Return the role that a word in the place of a number names; ``numbered`` for a street with a number (``ROW 12``); empty for none.

    Examples
    --------
    >>> names_a_way("R.O.W."), names_a_way("RR"), names_a_way("Lake"), names_a_way("ROW 12"), names_a_way("32 029 02080")
    ('right_of_way', 'railroad', 'water', 'numbered', '')
    """
    plain = _plain(text)
    for pattern, role in ((_WAY, "right_of_way"), (_RAIL, "railroad"), (_WATER, "water"), (_NUMBERED_WAY, "numbered")):
        if pattern.fullmatch(plain):
            return role
    return ""


def without_dummies(numbers: "pa.ChunkedArray") -> "tuple[pa.ChunkedArray, pa.ChunkedArray]":
    """Return tax map numbers with dummies as null, and the dummies: null where the number is none.

    Examples
    --------
    >>> import pyarrow as pa
    >>> real, dummy = without_dummies(pa.chunked_array([["1-1", "ROW", None, "ROW"]]))
    >>> real.to_pylist(), dummy.to_pylist()
    (['1-1', None, None, None], [None, 'ROW', None, 'ROW'])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    # Few numbers have no digit but 0 or begin with a letter: only those are looked at one by one.
    odd = as_bool(pc.match_substring_regex(numbers, r"^[^1-9]*$")) & as_bool(pc.is_valid(numbers))
    if not odd.any():
        return numbers, pa.chunked_array([pa.nulls(len(numbers), pa.string())])
    some = numbers.combine_chunks().filter(pa.array(odd))
    found = each_distinct(pa.chunked_array([some]), lambda text: text if is_no_number(text) else None)
    places = np.flatnonzero(odd)
    dummy = np.full(len(numbers), None, dtype=object)
    dummy[places] = np.array(found.to_pylist(), dtype=object)
    dummies = pa.chunked_array([pa.array(dummy.tolist(), pa.string())])
    return pc.if_else(pc.is_valid(dummies), None, numbers), dummies
