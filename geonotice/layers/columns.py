"""Small things done to whole columns of text at once."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["apply_odd", "as_bool", "each_distinct"]


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
