"""Every lot of the town in little room: outlines as whole steps and attributes as columns, both packed, for the event map's canvas."""

import base64
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from geonotice.maps.map_data import EventLot
    from geonotice.maps.map_layers import Projector

__all__ = ["COLUMN", "ITEM", "LINE", "STEPS_PER_DEGREE", "encode_columns", "encode_outlines", "encode_words"]

STEPS_PER_DEGREE = 500_000
"""A step is 0.7 ft at most: a lot line of a tax map is not known better, and on the screen it is a dot until one comes very near."""

COLUMN, LINE, ITEM = "\x1d", "\x1e", "\x1f"
"""What parts columns, the lines of a column, and several values in a line."""
_PARTING = {ord(sign): " " for sign in (COLUMN, LINE, ITEM)}

SMOOTH_FT = 2.0
"""How far the outlines may be smoothed, on a map that measures nothing."""
PLAIN = 6
"""Corners of a lot, on average, below which smoothing leaves nothing out that is worth its time."""
_LOW, _HIGH, _SEVEN = 0x7F, 0x80, 7


def packed(data: bytes) -> str:
    """Return bytes deflated, as base64 text."""
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def encode_columns(lots: "Sequence[EventLot]", *, public: bool, drawn: "Mapping[int, int]") -> str:
    """Return the words of all lots, packed.

    Parameters
    ----------
    lots
        In the order in which they are drawn.
    public
        Leave the owners out.
    drawn
        Number on the map of the parcels that have a shape of their own there, by ``fid``.

    Returns
    -------
        Columns parted by :data:`COLUMN`: numbers, addresses, owners, numbers on the map (empty where there is none), other numbers of the
        lot, and which of the map's answers holds for it; lines in a column are parted by :data:`LINE`.
    """
    columns = (
        ((lot.id,) for lot in lots),
        ((lot.situs,) for lot in lots),
        (() if public else lot.owners for lot in lots),
        ((str(drawn[lot.fid]),) if lot.fid in drawn else () for lot in lots),
        (lot.also for lot in lots),
        ((str(lot.land),) for lot in lots),
    )
    return encode_words(columns) if lots else ""


def encode_words(columns: "Iterable[Iterable[Iterable[str]]]") -> str:
    """Return columns of words, packed: parted by :data:`COLUMN`, their lines by :data:`LINE`, several values in a line by :data:`ITEM`."""
    return packed(COLUMN.join(LINE.join(ITEM.join(map(_word, line)) for line in column) for column in columns).encode("utf-8"))


def _word(text: str) -> str:
    """Keep the signs that part lines and columns out of the words."""
    return text if text.isprintable() else text.translate(_PARTING)


def encode_outlines(lots: "Sequence[EventLot]", projector: "Projector") -> str:
    """Return the outlines of all lots, packed: holes and parts kept, lines between neighbors the same for both.

    Returns
    -------
        Whole numbers of seven bits a byte, the lowest first, the eighth bit set where more follow. Five lead: how many lots, rings and
        corners there are, and how many bytes the first two of three lists take:

        - for each lot twice the corners of its only ring; or twice the number of its rings and one, and the corners of each,
        - for each corner 0 where it is new, else one more than the steps from the corner before to it in the order in which new ones came,
        - for each new corner the steps east and north of the corner before, of which :data:`STEPS_PER_DEGREE` make a degree.

        Steps have their sign last: 0, -1, 1, -2 … are 0, 1, 2, 3 …. A ring's last corner is not repeated. What lies in an odd number of
        rings is the lot.
    """
    if not lots:
        return ""
    shapes = projector.lonlat_all(_smoothed(np.array([lot.geometry for lot in lots], dtype=object)), what="some parcels")
    parts, lot_of_part = shapely.get_parts(shapes, return_index=True)
    kept = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    rings, part_of_ring = shapely.get_rings(parts[kept], return_index=True)
    closed = shapely.get_num_coordinates(rings)
    steps = np.rint(shapely.get_coordinates(rings) * STEPS_PER_DEGREE).astype(np.int64)
    steps = np.delete(steps, np.cumsum(closed) - 1, axis=0)
    of_lot = np.bincount(lot_of_part[kept][part_of_ring], minlength=len(lots))
    heads = _seven_bits(_heads(of_lot, closed.astype(np.int64) - 1))
    known, new = _known(steps)
    change = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))[new]
    lead = np.array([len(lots), len(rings), len(steps), len(heads), len(known)])
    return packed(_seven_bits(lead) + heads + known + _seven_bits(_signless(change.ravel())))


def _heads(rings_of_lot: "NDArray[np.int64]", corners_of_ring: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return how many rings each lot has, and how many corners each of them."""
    corners = iter(corners_of_ring.tolist())
    heads: list[int] = []
    for many in rings_of_lot.tolist():
        if many == 1:
            heads.append(2 * next(corners))
        else:
            heads += [2 * many + 1, *(next(corners) for _ in range(many))]
    return np.array(heads, dtype=np.int64)


def _known(steps: "NDArray[np.int64]") -> "tuple[bytes, NDArray[np.bool_]]":
    """Return for each corner whether it came before, and where: neighbors share most of theirs."""
    _, first, same = np.unique((steps[:, 0] << 32) + steps[:, 1], return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    at = place[same]
    new = first[same] == np.arange(len(steps))
    back = np.diff(at, prepend=np.int64(0))
    return _seven_bits(np.where(new, 0, _signless(back) + 1)), new


def _signless(values: "NDArray[np.int64]") -> "NDArray[np.int64]":
    signless: NDArray[np.int64] = (values << 1) ^ (values >> 63)
    return signless


def _smoothed(shapes: "NDArray[Any]") -> "NDArray[Any]":
    """Leave out corners that cannot be seen, the same ones on both sides of a line that two lots share."""
    if shapely.get_num_coordinates(shapes).sum() <= PLAIN * len(shapes):
        return shapes
    polygonal = np.isin(shapely.get_type_id(shapes), (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON))
    smooth = shapes.copy()
    smooth[polygonal] = shapely.coverage_simplify(shapes[polygonal], SMOOTH_FT)
    spoiled = shapely.is_empty(smooth) | ~shapely.is_valid(smooth)
    return np.where(spoiled, shapes, smooth)


def _seven_bits(values: "NDArray[np.int64]") -> bytes:
    """Return whole numbers as groups of seven bits, the lowest first.

    >>> _seven_bits(np.array([1, 300])).hex()
    '01ac02'
    """
    left = values.astype(np.uint64)
    groups = []
    while True:
        groups.append(left)
        left = left >> np.uint64(_SEVEN)
        if not left.any():
            break
    table = np.stack(groups, axis=1)
    wanted = np.ones(table.shape, dtype=bool)
    wanted[:, 1:] = table[:, 1:] > 0
    more = np.zeros(table.shape, dtype=bool)
    more[:, :-1] = wanted[:, 1:]
    octets = (table & np.uint64(_LOW)).astype(np.uint8) | np.where(more, np.uint8(_HIGH), np.uint8(0))
    return octets[wanted].tobytes()
