"""Columns: their names in all forms, their text made of whatever a layer has, and worked on whole."""

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from geonotice.address_spelling import normal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = [
    "AT_ONCE",
    "CUT",
    "NO_KEY",
    "Column",
    "apply_odd",
    "as_bool",
    "column_text",
    "cut_length",
    "cut_warning",
    "each_distinct",
    "hashes",
    "plain_name",
    "whole",
]

NO_KEY = "#"
"""Given as the column of ``tax_map_number``: the layer has none, and parcels are known by their record number."""

AT_ONCE = 65_536
"""So many texts are looked at at once: what is made of all of them on the way would fill the memory."""

LARGEST = 1e15
"""A float holds fifteen digits; above, they are printed as they stand."""


def as_bool(column: "pa.ChunkedArray | pa.Array") -> "NDArray[np.bool_]":
    """Return a column of truth values as numpy; null is false."""
    import pyarrow.compute as pc

    return np.asarray(pc.fill_null(column, fill_value=False).to_numpy(zero_copy_only=False), dtype=bool)


def whole(column: "pa.ChunkedArray") -> "pa.Array":
    """Return a column as one array; arrow's own function copies even what is one already."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def hashes(values: "Iterable[Hashable]") -> "NDArray[np.int64]":
    """Return what values hash to: those that are alike hash alike, and what it tells of texts takes a fifth of their memory."""
    return np.fromiter(map(hash, values), dtype=np.int64)


def each_distinct(column: "pa.ChunkedArray", function: "Callable[[str], str | None]") -> "pa.ChunkedArray":
    """Apply a function to each distinct text of a column once; null stays null."""
    import pyarrow as pa

    encoded = whole(column).dictionary_encode()
    made = [function(text) for text in encoded.dictionary.to_pylist()]
    return pa.chunked_array([pa.array(made, pa.string()).take(encoded.indices)])


def apply_odd(column: "pa.Array", odd: "NDArray[np.bool_]", values: "pa.Array", function: "Callable[[str], str]") -> "pa.Array":
    """Return ``values``, but where ``odd`` is true the function of the text of ``column``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    places = np.flatnonzero(odd)
    if not len(places):
        return values
    made = [None if text is None else function(text) for text in column.take(pa.array(places)).to_pylist()]
    return pc.replace_with_mask(values, pa.array(odd), pa.array(made, pa.string()))


def column_text(column: "pa.ChunkedArray | pa.Array", *, lines: bool = False) -> "pa.ChunkedArray":
    r"""Return a column as text without outer blanks; a blank is null, a whole number has no decimals.

    A cell of several lines becomes one line, or keeps its lines where ``lines`` is true: names that stand one below the other are several.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column_text(pa.array([11001.0, None, 210.01])).to_pylist()
    ['11001', None, '210.01']
    >>> column_text(pa.array([" A ", "", None])).to_pylist()
    ['A', None, None]
    >>> column_text(pa.array(["DOE\r\nROE"])).to_pylist(), column_text(pa.array(["DOE \r\n\n ROE"]), lines=True).to_pylist()
    (['DOE ROE'], ['DOE\nROE'])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    kind = chunked.type
    if pa.types.is_dictionary(kind):
        chunked = chunked.cast(kind.value_type)
        kind = chunked.type
    if pa.types.is_floating(kind):
        text = chunked.cast(pa.string())
        whole = pc.replace_substring_regex(text, pattern=r"\.0+$", replacement="")
        # a float of many digits prints as 1.5e+15: the digits are wanted
        large = pc.fill_null(pc.match_substring(text, "e"), fill_value=False)
        if pc.any(large).as_py():
            values = [
                None if v is None else format(v, ".15g") if abs(v) < LARGEST else format(v, ".0f") for v in chunked.to_pylist()
            ]
            whole = pa.chunked_array([pa.array(values, pa.string())])
        chunked = whole
    elif pa.types.is_list(kind) or pa.types.is_struct(kind) or pa.types.is_null(kind) or pa.types.is_binary(kind):
        return pa.chunked_array([pa.nulls(len(chunked), pa.string())])
    elif not pa.types.is_string(kind):
        chunked = chunked.cast(pa.string())
    if all(_is_tidy(chunk) for chunk in chunked.chunks):
        return chunked
    odd = as_bool(pc.match_substring_regex(chunked, _ODD_TEXT))
    if not odd.any():
        return chunked
    if odd.all():
        return _tidied(chunked, lines=lines)
    # few cells have anything to tidy: only they are worked on
    made = _tidied(chunked.filter(pa.array(odd)), lines=lines).combine_chunks()
    return pa.chunked_array([pc.replace_with_mask(chunked.combine_chunks(), pa.array(odd), made)])


def _is_tidy(texts: "pa.Array") -> bool:
    """Return whether no text of an array has anything of :data:`_ODD_TEXT`, as far as its bytes tell at once: a search takes ten times as long."""
    import pyarrow as pa

    if not pa.types.is_string(texts.type):
        return False
    _, offsets, data = texts.buffers()
    if data is None or not len(texts):
        return bool(texts.null_count == len(texts))
    ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, end = ends[:-1], ends[1:]
    if texts.null_count:
        there = as_bool(texts.is_valid())
        start, end = start[there], end[there]
    if not len(start):
        return True
    letters = np.frombuffer(data, dtype=np.uint8)[int(start[0]) : int(end[-1])]
    plain = _PLAIN_BYTES[letters]
    if not plain.all() or (start == end).any():
        return False
    first, last = letters[start - start[0]], letters[end - 1 - start[0]]
    return not ((first == _BLANK) | (last == _BLANK)).any()


_BLANK = ord(" ")
_PLAIN_BYTES = np.array(
    [byte == _BLANK or (chr(byte) != "<" and ord("!") <= byte <= ord("~")) for byte in range(256)], dtype=bool
)
"""The letters of plain ASCII, a tag's beginning left out."""

_ODD_TEXT = r"^$|^[^!-~]|[^!-~]$|[\x00-\x1f<\x{200b}\x{2060}\x{feff}]"
"""What :func:`_tidied` may change: blank, with something other than plain ASCII at an end, with a sign of control, a tag or a mark without width."""


def _tidied(column: "pa.ChunkedArray", *, lines: bool) -> "pa.ChunkedArray":
    """Return texts without outer blanks, in one line or in lines without blanks around them; null where nothing is left."""
    import pyarrow.compute as pc

    # what is written in no width is neither seen nor compared: zero-width blanks, joiners aside, and the mark of byte order
    unseen = pc.match_substring_regex(column, "[\u200b\u2060\ufeff]")
    if pc.any(unseen).as_py():
        column = pc.replace_substring_regex(column, pattern="[\u200b\u2060\ufeff]+", replacement="")
    trimmed = pc.utf8_trim_whitespace(column)
    if pc.any(pc.match_substring(trimmed, "<br", ignore_case=True)).as_py():
        # the line break of a web page, which a layer made for pop-ups has in its cells
        trimmed = pc.replace_substring_regex(trimmed, pattern=r"(?i)\s*<br\s*/?>\s*", replacement="\n")
    if pc.any(pc.match_substring_regex(trimmed, r"[\x00\r\n\t]")).as_py():
        if lines:
            trimmed = pc.replace_substring_regex(trimmed, pattern=r"[\x00\t]+", replacement=" ")
            trimmed = pc.utf8_trim_whitespace(pc.replace_substring_regex(trimmed, pattern=r"\s*[\r\n]\s*", replacement="\n"))
        else:
            trimmed = pc.utf8_trim_whitespace(pc.replace_substring_regex(trimmed, pattern=r"[\x00\r\n\t]+", replacement=" "))
    return pc.if_else(pc.equal(trimmed, ""), None, trimmed)


_SHORTEST_CUT = 12
"""A column of names is at least so wide: names all shorter than that are not cut."""
_CUT_ROWS = 5
_CUT_TIMES = 3
"""Names cut at one length are at least so many, and so many times the names of each of the three lengths below it."""


def cut_length(names: "pa.ChunkedArray | pa.Array") -> tuple[int, int]:
    """Return the length at which names were cut, and how many are of it; zeros where they were not.

    A column too short for its names has many of exactly its width, few of one less: whole names get fewer and fewer towards the longest.

    Examples
    --------
    >>> import pyarrow as pa
    >>> cut_length(pa.array([f"NAME {n} AND A LONG REST OF IT"[:20] for n in range(40)] + ["LEE ANN"]))
    (20, 40)
    >>> cut_length(pa.array(["LEE ANN", "ROE JOHN", "THE LONGEST NAME OF THEM ALL"]))
    (0, 0)
    """
    import pyarrow.compute as pc

    different = pc.unique(names).drop_null()
    lengths = pc.utf8_length(different).to_numpy(zero_copy_only=False)
    if not len(lengths) or lengths.max() < _SHORTEST_CUT:
        return 0, 0
    longest = int(lengths.max())
    counts = np.bincount(lengths.astype(np.int64), minlength=longest + 1)
    below = int(counts[max(0, longest - 3) : longest].max(initial=0))
    many = int(counts[longest])
    return (longest, many) if many >= max(_CUT_ROWS, _CUT_TIMES * below) else (0, 0)


def cut_warning(names: "pa.ChunkedArray | pa.Array", where: str) -> str:
    """Return the warning that names were cut, with two of them; empty where they were not."""
    import pyarrow.compute as pc

    length, many = cut_length(names)
    if not length:
        return ""
    different = pc.unique(names).drop_null()
    shown = ", ".join(
        repr(name) for name in different.filter(pc.equal(pc.utf8_length(different), length)).slice(0, 2).to_pylist()
    )
    return (
        f"{where}: {many:,} owners' names are exactly {length} characters long and none is longer ({shown}): they seem to be cut, and letters would go"
        " to a part of a name. Ask for the names in full, or join the roll that has them"
    )


CUT = 10
"""A Shapefile cuts the names of its columns to ten characters."""
SAMPLE_ROWS = 20_000
"""Rows that are looked at to see what a column holds; the key is judged on all."""

_YEAR = re.compile(r"^(?:19|20)\d\d(?=\D)|(?<=\D)(?:19|20)\d\d$")


def plain_name(name: str) -> str:
    """Return a column's name in the form in which two spellings are equal: no case, blanks or marks, no year at either end.

    Examples
    --------
    >>> plain_name("2025_OWNER_CAREOF"), plain_name("Primary Owner"), plain_name("COUNTY_OWNER_2025")
    ('OWNERCAREOF', 'PRIMARYOWNER', 'COUNTYOWNER')
    """
    letters = re.sub(r"[^A-Z0-9]", "", name.upper())
    return _YEAR.sub("", letters) or letters


class Column:
    """One column: its name in all forms, and what stands in it."""

    def __init__(self, name: str, table: "pa.Table") -> None:
        self.name = name
        self.plain = plain_name(name)
        self.table = table

    def fits(self, alias: str) -> bool:
        """Whether its name is the alias, in some spelling."""
        return self.plain == plain_name(alias)

    def fits_cut(self, alias: str) -> bool:
        """Whether it is the alias as a Shapefile cuts it, with or without a year before it."""
        if len(self.name) != CUT or len(alias) <= CUT:
            bare = re.sub(r"^(?:19|20)\d\d_?", "", self.name)
            if len(self.name) != CUT or bare == self.name:
                return False
            return alias.upper().startswith(bare.upper()) and len(alias) > len(bare)
        return alias.upper().startswith(self.name.upper())

    @cached_property
    def text(self) -> "pa.ChunkedArray":
        """All its values as text, null where empty."""
        return column_text(self.table.column(self.name))

    @cached_property
    def filled(self) -> bool:
        """Whether any of its rows has a value."""
        return bool(self.sample.null_count < len(self.sample) or self.text.null_count < len(self.text))

    @cached_property
    def sample(self) -> "pa.ChunkedArray":
        """The first of its values as text."""
        return column_text(self.table.column(self.name).slice(0, SAMPLE_ROWS))

    @cached_property
    def share(self) -> float:
        """The share of the sample's rows that are filled."""
        rows = len(self.sample)
        return (rows - self.sample.null_count) / rows if rows else 0.0

    def share_matching(self, pattern: str) -> float:
        """Return the share of filled rows that match a pattern."""
        import pyarrow.compute as pc

        filled = self.sample.drop_null()
        return float(pc.mean(pc.match_substring_regex(filled, pattern)).as_py() or 0.0) if len(filled) else 0.0

    def examples(self, count: int = 2) -> str:
        """Quote a few of its values."""
        import pyarrow.compute as pc

        values = pc.unique(self.sample.slice(0, 500)).drop_null().slice(0, count).to_pylist()
        return ", ".join(repr(value) for value in values) or "empty"

    def values(self) -> list[str]:
        """Return the first of its values in one spelling, for comparing."""
        return [normal_text(value or "") for value in self.sample.slice(0, 2000).to_pylist()]
