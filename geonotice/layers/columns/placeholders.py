"""Words that stand in the place of a value and are none: one list for names, addresses and tax map numbers."""

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from geonotice.layers.columns.expression import field_text, is_joined
from geonotice.layers.columns.text import as_bool, each_distinct

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = [
    "NO_LINE",
    "NO_NAME",
    "NO_VALUE",
    "field_value",
    "is_no_number",
    "is_placeholder",
    "names_a_way",
    "without_dummies",
    "words_in_place_of",
]

Kind = Literal["value", "name", "line"]

NO_VALUE = (
    "UNKNOWN", "UNK", "N/A", "NA", "N A", "N.A.", "NONE", "NIL", "NULL", "<NULL>", "(NULL)", "NAN", "<NAN>", "NAT", "<NA>", "NO DATA", "NODATA", "NO VALUE",
    "NOT AVAILABLE", "UNAVAILABLE", "NOT FOUND", "NOT APPLICABLE", "NOT ON FILE", "NOT LISTED", "NOT GIVEN", "NOT PROVIDED", "UNASSIGNED", "UNDEFINED", "UNSPECIFIED",
    "TBD", "TBA", "BLANK", "EMPTY", "MISSING", "(BLANK)", "#N/A", "#REF!", "#VALUE!", "#NAME?", "#NULL!", "#DIV/0!", "#NUM!", "0", "XX", "XXX", "XXXX",
)  # fmt: skip
"""What programs and people write where there is nothing to write; signs without a letter or a digit are no value either."""

_WITHHELD = (
    "X", "SAME", "CONFIDENTIAL", "WITHHELD", "REDACTED", "SUPPRESSED", "NAME WITHHELD", "OWNER NAME WITHHELD", "OWNER WITHHELD", "NAME CONFIDENTIAL",
    "CONFIDENTIAL OWNER", "CONFIDENTIAL RECORD", "PROTECTED", "SAME AS ABOVE", "SAME AS OWNER", "SAME AS PROPERTY", "SEE ABOVE", "DITTO", "0.0", "00",
)  # fmt: skip

NO_NAME = (
    *NO_VALUE, *_WITHHELD, "UNKNOWN OWNER", "OWNER UNKNOWN", "OWNERS UNKNOWN", "UNKNOWN OWNERS", "OWNER NOT KNOWN", "NAME UNKNOWN", "UNKNOWN NAME", "NO OWNER",
    "NO NAME", "NO OWNER LISTED", "NO OWNER NAME", "NO OWNER OF RECORD", "NOT LISTED OWNER", "OWNER", "OWNER NAME", "CURRENT OWNER", "PROPERTY OWNER",
)  # fmt: skip
"""What stands in the place of an owner's name and is none."""

NO_LINE = (
    *NO_VALUE, *_WITHHELD, "SAME ADDRESS", "SAME AS SITUS", "SAME AS LOCATION", "SAME AS PROPERTY ADDRESS", "ADDRESS UNKNOWN", "UNKNOWN ADDRESS", "NO ADDRESS",
    "NO MAILING ADDRESS", "NO ADDRESS ON FILE", "ADDRESS WITHHELD", "ADDRESS CONFIDENTIAL", "CONFIDENTIAL ADDRESS", "BAD ADDRESS", "RETURNED MAIL", "UNDELIVERABLE",
    "MAIL RETURNED", "RETURN MAIL", "NO MAIL", "DO NOT MAIL", "VACANT", "NO STREET", "UNASSIGNED ADDRESS", "ADDRESS", "MAILING ADDRESS",
)  # fmt: skip
"""What stands in the place of a line of an address, or of a property's own address, and is none."""

_LISTS = {"value": frozenset(NO_VALUE), "name": frozenset(NO_NAME), "line": frozenset(NO_LINE)}
_BY_PROGRAM = frozenset({"null", "nan", "NaN", "<na>", "#N/A", "N/A", "n/a"})
"""What a program wrote: nothing, even between two columns that are joined. ``NULL``, ``Nan`` and ``None`` may be parts of a name."""

_NO_NUMBER = frozenset(
    {
        *(set(NO_VALUE) - {"XX"}),
        "-",
        "--",
        "---",
        ".",
        "*",
        "?",
        "??",
        "???",
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


def is_placeholder(text: str, kind: Kind = "value") -> bool:
    """Return whether a text stands in the place of a value and is none.

    Parameters
    ----------
    text
        What the column has.
    kind
        Of what: ``name`` of an owner, ``line`` of an address, or any other ``value`` (a city, a class, a code).

    Examples
    --------
    >>> [is_placeholder(text) for text in ("<Null>", "nan", "N/A", "#REF!", "-", "...", "0", "xxx", "Unknown")]
    [True, True, True, True, True, True, True, True, True]
    >>> is_placeholder("Same as above", "line"), is_placeholder("X"), is_placeholder("X", "name"), is_placeholder("NULL, JOHN", "name")
    (True, False, True, False)
    """
    plain = " ".join(text.upper().split())
    if plain and plain[0].isalnum() and plain[-1].isalnum():  # nearly every value: nothing to strip, and something said
        return plain in _LISTS[kind]
    return plain in _LISTS[kind] or plain.strip(" .*-_()[]<>") in _LISTS[kind] or not any(map(str.isalnum, plain))


def field_value(table: "pa.Table", column: "str | None", kind: Kind = "value", *, lines: bool = False) -> "pa.ChunkedArray":
    """Return what a field says as text (:func:`geonotice.layers.columns.expression.field_text`), null where a placeholder stands.

    Where several columns give the field together, what only a program writes is left out of each (``<Null> SMITH`` is SMITH).

    Examples
    --------
    >>> import pyarrow as pa
    >>> field_value(pa.table({"CITY": ["NAPLES", "<Null>", "N/A"]}), "CITY").to_pylist()
    ['NAPLES', None, None]
    >>> field_value(pa.table({"FIRST": ["<Null>", "NULL"], "LAST": ["SMITH", "ANN"]}), "FIRST + LAST", "name").to_pylist()
    ['SMITH', 'NULL ANN']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    text = field_text(table, column, lines=lines)
    if column is not None and is_joined(column, table.column_names):
        text = each_distinct(text, _joined_parts)
    found = _placeholders(text, kind)
    return pc.if_else(pa.array(found), None, text) if found.any() else text


_ODD = r"^$|^[^0-9A-Za-z]|[^0-9A-Za-z]$|[^ -~]|  "
"""A text that may be a placeholder though it is not one letter by letter: with a sign at an end, two blanks, or letters that are not plain."""


def _placeholders(column: "pa.ChunkedArray", kind: Kind) -> "NDArray[np.bool_]":
    """Return :func:`is_placeholder` of a whole column; null is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = as_bool(pc.is_in(pc.utf8_upper(column), value_set=pa.array(sorted(_LISTS[kind]))))
    odd = as_bool(pc.match_substring_regex(column, _ODD))
    if odd.any():
        some = each_distinct(column.filter(pa.array(odd)), lambda one: one if is_placeholder(one, kind) else None)
        found[odd] = as_bool(some.is_valid())
    return found


def words_in_place_of(table: "pa.Table", column: "str | None", kind: Kind) -> "NDArray[np.bool_]":
    """Whether a person's word stands in each row in the place of a value (``SAME``, ``CONFIDENTIAL``, ``UNKNOWN``), not a program's nothing."""
    import pyarrow as pa

    text = field_text(table, column)
    found = _placeholders(text, kind)
    if found.any():
        words = each_distinct(text.filter(pa.array(found)), lambda one: one if _is_word(one) else None)
        found[found] = as_bool(words.is_valid())
    return found


def _is_word(placeholder: str) -> bool:
    """Return whether a person wrote a placeholder."""
    return bool(re.search(r"[A-Za-z]", placeholder)) and placeholder.upper().strip("<>()#!") not in _NOTHING


_NOTHING = frozenset(
    {"NULL", "NAN", "NONE", "N/A", "NA", "NAT", "NIL", "BLANK", "EMPTY", "REF", "VALUE", "NAME?", "DIV/0", "NUM"}
)


def _joined_parts(text: str) -> str | None:
    words = text.split(" ")
    kept = [word for word in words if word not in _BY_PROGRAM and not re.fullmatch(r"[<(#].*[>)!]", word)]
    return " ".join(kept) or None


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
