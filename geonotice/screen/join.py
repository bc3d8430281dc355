"""For every shape the shapes within a distance: exact, and equal to what a list of one premises says.

A compiled kernel (extra ``screen``) decides what it is sure of and GEOS the rest; without it GEOS decides all. Both return the same.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Layer", "Neighbors", "Tiles", "neighbors", "tiles"]

_LARGE_SHARE = 0.98
"""This share of all shapes is no larger than a cell of the grid; the rest are held against every shape."""
_SMALLEST_CELL_FT = 50.0
_ROUNDING = 1e-9
"""More than rounding can do to a distance, in parts of it and in feet."""
_AT_ONCE = 4_000_000
"""About so many pairs are held in memory at once: some 70 MB."""


class Neighbors(Struct, frozen=True):
    """For each wanted shape, the others within the distance, by place in the arrays.

    Those of shape ``n`` are ``others[start[n]:start[n + 1]]``, in rising order; ``distance_ft`` stands beside them where it was asked for.
    """

    start: "NDArray[np.int64]"
    others: "NDArray[np.int64]"
    distance_ft: "NDArray[np.float64] | None" = None

    def of(self, n: int) -> "NDArray[np.int64]":
        """Return the others of one wanted shape."""
        return self.others[self.start[n] : self.start[n + 1]]


class Tiles(Struct, frozen=True):
    """Parts of a layer that can be joined one by one: the shapes of each tile, and those it needs around them (the halo)."""

    inside: "NDArray[np.int64]"
    with_halo: "NDArray[np.int64]"


def neighbors(
    shapes: "NDArray[Any]",
    distance_ft: float,
    *,
    wanted: "NDArray[np.int64] | None" = None,
    measure: bool = False,
    compiled: bool | None = None,
) -> Neighbors:
    """Find for every shape the others within a distance, those whose ``shapely.distance`` is at most that, before rounding.

    Parameters
    ----------
    shapes
        Polygons and multipolygons, in a CRS in feet; an empty shape or None has no neighbors.
    distance_ft
        How far, at most.
    wanted
        The places of the shapes whose neighbors are sought; all where None.
    measure
        Whether the distances are wanted, too, as ``shapely.distance`` measures them.
    compiled
        Whether the kernel is used; where None, if it is installed.
    """
    return Layer(shapes, compiled=compiled).neighbors(distance_ft, wanted=wanted, measure=measure)


class Layer:
    """Shapes made ready once, whose neighbors are asked for part by part; parameters as :func:`neighbors`."""

    def __init__(self, shapes: "NDArray[Any]", *, compiled: bool | None = None) -> None:
        self._shapes = shapes
        self._compiled = _kernel_is_there() if compiled is None else compiled
        self._ready: Any = None

    def neighbors(self, distance_ft: float, *, wanted: "NDArray[np.int64] | None" = None, measure: bool = False) -> Neighbors:
        """Find for every wanted shape the others within a distance; parameters as :func:`neighbors`."""
        shapes = self._shapes
        wanted = np.arange(len(shapes), dtype=np.int64) if wanted is None else np.asarray(wanted, dtype=np.int64)
        if not len(shapes) or not len(wanted):
            empty = np.empty(0, np.int64)
            return Neighbors(np.zeros(len(wanted) + 1, np.int64), empty, np.empty(0) if measure else None)
        if self._ready is None:
            if self._compiled:
                flat = _Flat.of(shapes)
                self._ready = flat, _grid(flat.boxes, flat.filled)
            else:
                self._ready = shapely.STRtree(shapes)
        parts = _by_kernel if self._compiled else _by_tree
        return _joined(parts(self._ready, shapes, distance_ft, wanted, measure=measure))


def _kernel_is_there() -> bool:
    try:
        import numba  # noqa: F401  # whether it can be imported is the question
    except ImportError:
        return False
    return True


def _joined(parts: "Iterator[Neighbors]") -> Neighbors:
    """Put the neighbors of consecutive shapes together."""
    found = list(parts)
    counts = np.concatenate([np.diff(part.start) for part in found])
    distances = [part.distance_ft for part in found if part.distance_ft is not None]
    return Neighbors(
        _starts(counts),
        np.concatenate([part.others for part in found]),
        np.concatenate(distances) if distances else None,
    )


def _by_tree(
    tree: shapely.STRtree, shapes: "NDArray[Any]", distance_ft: float, wanted: "NDArray[np.int64]", *, measure: bool
) -> "Iterator[Neighbors]":
    """Find the neighbors with GEOS alone, some thousand shapes at a time."""
    for begin in range(0, len(wanted), 2000):
        part = wanted[begin : begin + 2000]
        # The tree prepares each shape, and rounds differently by that: at the very limit it can say no to one of a pair and yes to the other.
        mine, others = tree.query(shapes[part], predicate="dwithin", distance=distance_ft * (1 + _ROUNDING) + _ROUNDING)
        apart = part[mine] != others
        mine, others = mine[apart], others[apart]
        order = np.lexsort((others, mine))
        mine, others = mine[order], others[order]
        distances = shapely.distance(shapes[part[mine]], shapes[others])
        near = distances <= distance_ft
        mine, others = mine[near], others[near]
        start = np.searchsorted(mine, np.arange(len(part) + 1)).astype(np.int64)
        yield Neighbors(start, others.astype(np.int64), distances[near] if measure else None)


def _by_kernel(
    ready: "tuple[_Flat, tuple[Any, ...]]",
    shapes: "NDArray[Any]",
    distance_ft: float,
    wanted: "NDArray[np.int64]",
    *,
    measure: bool,
) -> "Iterator[Neighbors]":
    from geonotice.screen.kernel import ASK, NO, count_candidates, judge

    flat, grid = ready
    reach = float(distance_ft)
    wanted_filled = flat.filled[wanted]
    counts = np.zeros(len(wanted), np.int64)
    counts[wanted_filled] = count_candidates(wanted[wanted_filled], flat.boxes, reach, *grid)
    for begin, end in _portions(counts):
        part, many = wanted[begin:end], counts[begin:end]
        start = _starts(many)
        has_any = many > 0  # an empty shape has no candidates, and its box no place
        others, verdicts, squared = judge(
            part[has_any], _starts(many[has_any]), flat.first_ring, flat.ring_start, flat.xy, flat.boxes, reach, measure, *grid
        )  # fmt: skip
        others, verdicts = others[: start[-1]], verdicts[: start[-1]]
        asked = np.flatnonzero(verdicts == ASK)
        if len(asked):
            mine = part[np.searchsorted(start, asked, side="right") - 1]
            answers = shapely.distance(shapes[mine], shapes[others[asked]])
            verdicts[asked] = answers <= distance_ft
        kept = verdicts != NO
        distances = None
        if measure:
            measured = np.sqrt(squared[: start[-1]])
            if len(asked):
                measured[asked] = answers
            distances = measured[kept]
        yield Neighbors(_starts(np.add.reduceat(np.append(kept, False), start[:-1]) * has_any), others[kept], distances)


def _starts(counts: "NDArray[np.int64]") -> "NDArray[np.int64]":
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _portions(counts: "NDArray[np.int64]") -> Iterator[tuple[int, int]]:
    """Yield runs of shapes whose candidates fit into memory together."""
    begin, held = 0, 0
    for place, count in enumerate(counts.tolist()):
        if held and held + count > _AT_ONCE:
            yield begin, place
            begin, held = place, 0
        held += count
    yield begin, len(counts)


class _Flat(Struct, frozen=True):
    """Shapes as flat arrays: the corners of all rings one after another, where each ring begins, and each shape's first ring."""

    xy: "NDArray[np.float64]"
    ring_start: "NDArray[np.int64]"
    first_ring: "NDArray[np.int64]"
    boxes: "NDArray[np.float64]"
    filled: "NDArray[np.bool_]"

    @classmethod
    def of(cls, shapes: "NDArray[Any]") -> "_Flat":
        """Flatten shapes."""
        filled = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
        parts, of_shape = shapely.get_parts(shapes, return_index=True)
        rings, of_part = shapely.get_rings(parts, return_index=True)
        xy, of_ring = shapely.get_coordinates(rings, return_index=True)
        ring_start = np.searchsorted(of_ring, np.arange(len(rings) + 1)).astype(np.int64)
        first_ring = np.searchsorted(of_shape[of_part], np.arange(len(shapes) + 1)).astype(np.int64)
        boxes = np.ascontiguousarray(shapely.bounds(shapes))
        return cls(np.ascontiguousarray(xy), ring_start, first_ring, boxes, filled)


def _grid(boxes: "NDArray[np.float64]", filled: "NDArray[np.bool_]") -> tuple[Any, ...]:
    """Put the shapes into square cells by their middles; those larger than a cell apart.

    Returns
    -------
    tuple
        Where each cell begins, the shapes of all cells, the large shapes, the grid's corner, a cell's side in feet, columns and rows.
    """
    places = np.flatnonzero(filled)
    known = boxes[places]
    side = np.maximum(known[:, 2] - known[:, 0], known[:, 3] - known[:, 1]) if len(places) else np.zeros(1)
    corner = known[:, :2].min(axis=0) if len(places) else np.zeros(2)
    extent = (known[:, 2:].max(axis=0) - corner) if len(places) else np.ones(2)
    # Never more cells than a few per shape: a town with one parcel far away would make millions of empty ones.
    fewest = float(np.sqrt(max(extent[0] * extent[1], 1.0) / max(4 * len(places), 1)))
    size = max(float(np.quantile(side, _LARGE_SHARE)), _SMALLEST_CELL_FT, fewest, float(max(extent)) / 20_000)
    columns, rows = (int(length // size) + 1 for length in extent)
    small = side <= size
    middles = (known[small, :2] + known[small, 2:]) / 2
    cells = (np.floor((middles - corner) / size)).astype(np.int64)
    numbers = np.minimum(cells[:, 1], rows - 1) * columns + np.minimum(cells[:, 0], columns - 1)
    order = np.argsort(numbers, kind="stable")
    cell_start = np.searchsorted(numbers[order], np.arange(columns * rows + 1)).astype(np.int64)
    return cell_start, places[small][order], places[~small], corner, size, columns, rows


def tiles(shapes: "NDArray[Any]", distance_ft: float, *, most: int = 20_000) -> Iterator[Tiles]:
    """Cut a layer into tiles of about so many shapes, each with the shapes around it that its own can be near.

    Parameters
    ----------
    shapes
        The shapes.
    distance_ft
        How far neighbors lie, at most: the halo.
    most
        The most shapes of a tile, as far as their middles can be parted.
    """
    boxes = shapely.bounds(shapes)
    places = np.flatnonzero(~np.isnan(boxes[:, 0]))
    pending = [places] if len(places) else []
    while pending:
        part = pending.pop()
        middles = (boxes[part, :2] + boxes[part, 2:]) / 2
        spread = np.ptp(middles, axis=0)
        if len(part) > most and spread.max() > 0:
            axis = int(np.argmax(spread))
            order = np.argsort(middles[:, axis], kind="stable")
            half = len(part) // 2
            pending += [part[order[half:]], part[order[:half]]]
            continue
        west, south = boxes[part, :2].min(axis=0) - distance_ft
        east, north = boxes[part, 2:].max(axis=0) + distance_ft
        near = (boxes[:, 0] <= east) & (boxes[:, 2] >= west) & (boxes[:, 1] <= north) & (boxes[:, 3] >= south)
        yield Tiles(np.sort(part), np.flatnonzero(near))
