"""Which rows are one parcel, and what it is called.

A parcel is its SWIS and tax map number where there is a SWIS, else its layer and number. Rows of one identity become one parcel; nothing
of them is lost: all their owners stay, and in one layer their polygons are united. A row without a number is a parcel by itself.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from geonotice.layers.columns import apply_odd, as_bool
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Identities", "comparable_column", "identify"]

_PLAIN = r"^[A-Z0-9./]+(?:[ -][A-Z0-9./]+)*$"
_SUFFOLK = r"^\d{3,4}-\d{1,3}(?:\.\d{1,2})?-\d{1,2}(?:\.\d{1,2})?-\d{1,3}"


@dataclass(frozen=True, slots=True, eq=False)
class Identities:
    """Rows grouped into parcels.

    Parameters
    ----------
    parcel
        The parcel of each row, counted from 0 in the order of the first rows.
    first
        The first row of each parcel.
    key
        The comparable number of each parcel; empty where it has none.
    id
        What each parcel is called: unique.
    """

    parcel: "NDArray[np.int64]"
    first: "NDArray[np.int64]"
    key: "pa.Array"
    id: "pa.Array"

    def __len__(self) -> int:
        """Count the parcels."""
        return len(self.first)

    @property
    def rows(self) -> "NDArray[np.int64]":
        """The number of rows of each parcel."""
        return np.bincount(self.parcel, minlength=len(self.first))


def comparable_column(numbers: "pa.ChunkedArray") -> "pa.Array":
    """Give :func:`geonotice.taxmap.comparable` of each number; null where there is none."""
    import pyarrow.compute as pc

    text = numbers.combine_chunks()
    upper = pc.utf8_upper(text)
    plain = as_bool(pc.match_substring_regex(upper, _PLAIN))
    if as_bool(pc.match_substring(upper, "-")).any():
        plain &= ~as_bool(pc.match_substring_regex(upper, _SUFFOLK))
    return apply_odd(text, ~plain & as_bool(pc.is_valid(text)), upper, comparable)


def identify(
    numbers: "pa.ChunkedArray",
    swis: "pa.ChunkedArray",
    layer: "NDArray[np.int64]",
    fid: "NDArray[np.int64]",
    *,
    names: "Sequence[str]",
) -> Identities:
    """Group rows into parcels and name them.

    Parameters
    ----------
    numbers, swis
        The tax map number and the SWIS of each row, as the layer prints them; null where it has none.
    layer
        The index of each row's layer, 0 for the town's own.
    fid
        The record number of each row in its layer.
    names
        What the layers are called.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    key = comparable_column(numbers)
    blank = ~as_bool(pc.is_valid(key))
    rows = len(layer)
    if not blank.any() and len(key.dictionary_encode().dictionary) == rows:
        # every number stands once: nothing to group, nothing to tell apart
        each = np.arange(rows)
        return Identities(parcel=each, first=each, key=key, id=numbers.combine_chunks())
    where = pc.if_else(pc.is_valid(swis), pc.binary_join_element_wise("S", swis, ""), pa.array(layer).cast(pa.string()))
    if isinstance(where, pa.ChunkedArray):
        where = where.combine_chunks()
    whole = pc.binary_join_element_wise(where, pc.fill_null(key, ""), "\x1f").dictionary_encode()
    if len(whole.dictionary) == rows and not blank.any():
        first = parcel = np.arange(rows)
    else:
        codes = whole.indices.to_numpy().astype(np.int64)
        # a row without a number is like no other
        codes[blank] = codes.max(initial=-1) + 1 + np.arange(int(blank.sum()))
        found, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        place = np.empty(len(found), dtype=np.int64)
        place[order] = np.arange(len(found))
        first = first[order].astype(np.int64)
        parcel = place[inverse].astype(np.int64) if rows else np.zeros(0, dtype=np.int64)
    heads = pa.array(first)
    return Identities(
        parcel=parcel,
        first=first,
        key=pc.fill_null(key.take(heads), ""),
        id=_called(numbers.combine_chunks().take(heads), swis.combine_chunks().take(heads), layer[first], fid[first], names),
    )


def _called(
    number: "pa.Array", swis: "pa.Array", layer: "NDArray[np.int64]", fid: "NDArray[np.int64]", names: "Sequence[str]"
) -> "pa.Array":
    """Name each parcel: its number; where that stands twice, its SWIS or its layer before it; its record where it has none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    blank = ~as_bool(pc.is_valid(number))
    record = pc.binary_join_element_wise("#", pa.array(fid).cast(pa.string()), "")
    called = pc.coalesce(number, record)
    # #<fid> is the town's own layer's; another layer's record has its layer before it
    layer_name = pa.array([names[index] for index in layer.tolist()], pa.string()) if layer.any() else None
    foreign = blank & (layer > 0)
    twice = _repeated(called) & ~blank
    with_swis = twice & as_bool(pc.is_valid(swis))
    called = pc.if_else(pa.array(with_swis), pc.binary_join_element_wise(pc.fill_null(swis, ""), called, "/"), called)
    if layer_name is not None:
        by_layer = foreign | (_repeated(called) & (layer > 0))
        called = pc.if_else(pa.array(by_layer), pc.binary_join_element_wise(layer_name, called, "/"), called)
    still = _repeated(called)
    if still.any():
        called = pc.if_else(pa.array(still), pc.binary_join_element_wise(called, record, " "), called)
    return called


def _repeated(texts: "pa.Array") -> "NDArray[np.bool_]":
    encoded = texts.dictionary_encode()
    if len(encoded.dictionary) == len(texts):
        return np.zeros(len(texts), dtype=bool)
    codes = encoded.indices.to_numpy()
    return np.asarray(np.bincount(codes)[codes] > 1)
