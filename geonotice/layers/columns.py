"""Columns of text: made of whatever a layer has, and worked on whole."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["NO_KEY", "PLUS", "apply_odd", "as_bool", "column_text", "each_distinct", "field_text"]

NO_KEY = "#"
"""Given as the column of ``tax_map_number``: the layer has none, and parcels are known by their record number."""

PLUS = " + "
"""Between the columns of a field that several give together, in their order: ``FIRST_NAME + LAST_NAME``."""

LARGEST = 1e15
"""A float holds fifteen digits; above, they are printed as they stand."""


def as_bool(column: "pa.ChunkedArray | pa.Array") -> "NDArray[np.bool_]":
    """Give a column of truth values as numpy; null is false."""
    import pyarrow.compute as pc

    return np.asarray(pc.fill_null(column, fill_value=False).to_numpy(zero_copy_only=False), dtype=bool)


def each_distinct(column: "pa.ChunkedArray", function: "Callable[[str], str | None]") -> "pa.ChunkedArray":
    """Apply a function to each distinct text of a column once; null stays null."""
    import pyarrow as pa

    encoded = column.combine_chunks().dictionary_encode()
    made = [function(text) for text in encoded.dictionary.to_pylist()]
    return pa.chunked_array([pa.array(made, pa.string()).take(encoded.indices)])


def apply_odd(column: "pa.Array", odd: "NDArray[np.bool_]", values: "pa.Array", function: "Callable[[str], str]") -> "pa.Array":
    """Give ``values``, but where ``odd`` is true the function of the text of ``column``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    places = np.flatnonzero(odd)
    if not len(places):
        return values
    made = [None if text is None else function(text) for text in column.take(pa.array(places)).to_pylist()]
    return pc.replace_with_mask(values, pa.array(odd), pa.array(made, pa.string()))


def column_text(column: "pa.ChunkedArray | pa.Array") -> "pa.ChunkedArray":
    """Give a column as text without outer blanks; a blank is null, a whole number has no decimals.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column_text(pa.array([11001.0, None, 210.01])).to_pylist()
    ['11001', None, '210.01']
    >>> column_text(pa.array([" A ", "", None])).to_pylist()
    ['A', None, None]
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
    trimmed = pc.utf8_trim_whitespace(chunked)
    if pc.any(pc.match_substring_regex(trimmed, r"[\x00\r\n\t]")).as_py():
        trimmed = pc.utf8_trim_whitespace(pc.replace_substring_regex(trimmed, pattern=r"[\x00\r\n\t]+", replacement=" "))
    return pc.if_else(pc.equal(trimmed, ""), None, trimmed)


def field_text(table: "pa.Table", column: "str | None") -> "pa.ChunkedArray":
    """Give what a field says as text (:func:`column_text`): of one column, or of several joined by a blank (``FIRST + LAST``).

    Null throughout where ``column`` is None or :data:`NO_KEY`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> field_text(pa.table({"FIRST": ["Ann", None], "LAST": ["Lee", "Roe"]}), "FIRST + LAST").to_pylist()
    ['Ann Lee', 'Roe']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if column is None or column == NO_KEY:
        return pa.chunked_array([pa.nulls(table.num_rows, pa.string())])
    if column in table.column_names:
        return column_text(table.column(column))
    parts = [column_text(table.column(part)).combine_chunks() for part in column.split(PLUS)]
    joined = pc.binary_join_element_wise(*parts, " ", null_handling="skip")
    return pa.chunked_array([pc.if_else(pc.equal(joined, ""), None, joined)])
