"""For every shape the shapes within a distance: exact, and equal to what a list of one premises says.

A compiled kernel (extra ``screen``) decides what it is sure of and GEOS the rest; without it GEOS decides all. Both return the same.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.select.extended_lines import Compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["Layer", "Neighbors", "Tiles", "compiled_rays", "neighbors", "tiles"]

_SMALL_SHARE = 0.75
"""This share of all shapes is no larger than the smallest cells."""
_LARGER = 3
"""Cells of the next size are so many times as wide."""
_SMALLEST_CELL_FT = 50.0
_ROUNDING = 1e-9
"""More than rounding can do to a distance, in parts of it and in feet."""
_AT_ONCE = 24_000_000
"""About so many pairs are held in memory at once: some 200 MB, 400 MB with their distances."""


class Neighbors(Struct, frozen=True):
    """For each wanted shape, the others within the distance, by place in the arrays.

    Those of shape ``n`` are ``others[start[n]:start[n + 1]]``, in rising order; ``distance_ft`` stands beside them where it was asked for.
    """

    start: "NDArray[np.int64]"
    others: "NDArray[np.int32]"
    distance_ft: "NDArray[np.float64] | None" = None

    def of(self, n: int) -> "NDArray[np.int32]":
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
    """Shapes made ready once, whose neighbors are asked for part by part.

    Parameters as :func:`neighbors`; ``alone`` keeps to one thread, as a process must that was forked from one with several.
    """

    def __init__(self, shapes: "NDArray[Any]", *, compiled: bool | None = None, alone: bool = False) -> None:
        self._shapes, self._alone = shapes, alone
        self._compiled = _kernel_is_there() if compiled is None else compiled
        self._ready: Any = None

    def neighbors(self, distance_ft: float, *, wanted: "NDArray[np.int64] | None" = None, measure: bool = False) -> Neighbors:
        """Find for every wanted shape the others within a distance; parameters as :func:`neighbors`."""
        shapes = self._shapes
        wanted = np.arange(len(shapes), dtype=np.int64) if wanted is None else np.asarray(wanted, dtype=np.int64)
        if not len(shapes) or not len(wanted):
            return Neighbors(np.zeros(len(wanted) + 1, np.int64), np.empty(0, np.int32), np.empty(0) if measure else None)
        if self._ready is None:
            self._ready = _Grid.of(shapes) if self._compiled else shapely.STRtree(shapes)
        if self._compiled:
            return _by_kernel(self._ready, shapes, distance_ft, wanted, measure=measure, alone=self._alone)
        return _by_tree(self._ready, shapes, distance_ft, wanted, measure=measure)


def _kernel_is_there() -> bool:
    try:
        import numba  # noqa: F401  # whether it can be imported is the question
    except ImportError:
        return False
    return True


def compiled_rays() -> Compiled | None:
    """Return what looks across from frontages in the place of numpy; None where the kernel is not installed."""
    if not _kernel_is_there():
        return None
    from geonotice.screen.look_kernel import changes, edges_of, faced, first_met, look

    return Compiled(first_met, edges_of, look, changes, faced)


def _by_tree(
    tree: shapely.STRtree, shapes: "NDArray[Any]", distance_ft: float, wanted: "NDArray[np.int64]", *, measure: bool
) -> Neighbors:
    """Find the neighbors with GEOS alone, some thousand shapes at a time."""
    counts, found, measured = [], [], []
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
        counts.append(np.bincount(mine[near], minlength=len(part)))
        found.append(others[near].astype(np.int32))
        measured.append(distances[near] if measure else distances[:0])
    return Neighbors(_starts(np.concatenate(counts)), np.concatenate(found), np.concatenate(measured) if measure else None)


def _by_kernel(
    grid: "_Grid", shapes: "NDArray[Any]", distance_ft: float, wanted: "NDArray[np.int64]", *, measure: bool, alone: bool
) -> Neighbors:
    """Find the neighbors with the kernel, and with GEOS where it is in doubt."""
    import numba

    from geonotice.screen import kernel
    from geonotice.screen.kernel import ASK, OTHER_WAY, THIS_WAY, both_ways, most_candidates

    judge, in_order = (kernel.judge_alone, kernel.in_order_alone) if alone else (kernel.judge, kernel.in_order)
    reach, cells = float(distance_ft), grid.cells
    flat = grid.first_ring, grid.ring_start, grid.xy, grid.boxes
    # In the order of the grid, each once: what is wanted together is near each other, and most pairs need to be judged once only.
    rows, row_of = np.unique(grid.swept[wanted], return_inverse=True)
    filled = grid.sweep[rows[rows < len(grid.boxes)]]  # an empty shape stands in no cell, and has no neighbors
    most = most_candidates(filled, grid.boxes, reach, *cells)
    parts = []
    for begin, end in _portions(most):
        part = filled[begin:end]
        rank = np.full(len(grid.boxes), -1, np.int32)
        rank[part] = np.arange(len(part))
        start = _starts(most[begin:end])
        counts, doubtful, others, verdicts, distances = judge(
            part, rank, start, *flat, reach, measure, 1 if alone else numba.get_num_threads(), *cells
        )
        if doubtful.any():
            held = (slice(start[n], start[n] + counts[n]) for n in np.flatnonzero(doubtful))
            asked = np.concatenate([row.start + np.flatnonzero(verdicts[row] == ASK) for row in held])
            mine = shapes[grid.order[part[np.searchsorted(start, asked, side="right") - 1]]]
            theirs = shapes[grid.order[others[asked]]]
            this_way, other_way = shapely.distance(mine, theirs), shapely.distance(theirs, mine)
            verdicts[asked] = THIS_WAY * (this_way <= distance_ft) + OTHER_WAY * (other_way <= distance_ft)
            if measure:
                distances[asked] = this_way
        parts.append(both_ways(part, rank, start, counts, others, verdicts, distances))
        del others, verdicts, distances
    counts = np.concatenate([*(np.diff(begins) for begins, _, _ in parts), np.zeros(len(rows) - len(filled), np.int64)])
    found = np.concatenate([found for _, found, _ in parts]) if parts else np.empty(0, np.int32)
    distances = np.concatenate([measured for _, _, measured in parts]) if parts else np.empty(0)
    del parts
    start = _starts(counts[row_of])
    made, measured = np.empty(start[-1], np.int32), np.empty(start[-1] if measure else 0)
    in_order(row_of, _starts(counts), found, distances, grid.order, start, made, measured)
    return Neighbors(start, made, measured if measure else None)


def _starts(counts: "NDArray[np.int64]") -> "NDArray[np.int64]":
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _portions(counts: "NDArray[np.int64]") -> Iterator[tuple[int, int]]:
    """Yield runs of shapes whose candidates fit into memory together."""
    ends = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + _AT_ONCE, side="right")), begin + 1)
        yield begin, end
        begin = end


class _Grid(Struct, frozen=True):
    """Shapes as flat arrays, in the order of square cells over them: small shapes by small cells, larger ones behind them by larger cells.

    Parameters
    ----------
    order
        Which shape stands at each place.
    sweep, swept
        The places from the south to the north, whatever the cells; and where each shape comes in that, empty shapes behind all others.
    boxes
        The box of the shape at each place.
    first_ring, ring_start, xy
        The first ring of each place, where each ring begins, and the corners of all rings one after another.
    cells
        Where each cell begins, the first cell of each size, the corner of all, and of each size the side in feet, the columns and the rows.
    """

    order: "NDArray[np.int32]"
    sweep: "NDArray[np.int64]"
    swept: "NDArray[np.int64]"
    boxes: "NDArray[np.float64]"
    first_ring: "NDArray[np.int64]"
    ring_start: "NDArray[np.int64]"
    xy: "NDArray[np.float64]"
    cells: tuple[Any, ...]

    @classmethod
    def of(cls, shapes: "NDArray[Any]") -> "_Grid":
        """Put shapes into cells."""
        filled = np.flatnonzero(~(shapely.is_missing(shapes) | shapely.is_empty(shapes)))
        boxes = shapely.bounds(shapes[filled])
        order, sweep, cells = _cells(boxes)
        boxes, order = np.ascontiguousarray(boxes[order]), filled[order]
        swept = np.full(len(shapes), len(order), np.int64)
        swept[order[sweep]] = np.arange(len(order))
        standing = shapes[order]
        # One ring is most shapes; only of the others are the rings looked at one by one.
        several = (shapely.get_type_id(standing) != shapely.GeometryType.POLYGON) | (shapely.get_num_interior_rings(standing) > 0)
        parts, of_several = shapely.get_parts(standing[several], return_index=True)
        rings, of_part = shapely.get_rings(parts, return_index=True)
        rings_of = np.ones(len(standing), np.int64)
        rings_of[several] = np.bincount(of_several[of_part], minlength=int(several.sum()))
        corners = np.repeat(shapely.get_num_coordinates(standing), rings_of).astype(np.int64)
        corners[np.repeat(several, rings_of)] = shapely.get_num_coordinates(rings)
        xy = np.ascontiguousarray(shapely.get_coordinates(standing))
        return cls(order.astype(np.int32), sweep, swept, boxes, _starts(rings_of), _starts(corners), xy, cells)


def _cells(boxes: "NDArray[np.float64]") -> "tuple[NDArray[np.int64], NDArray[np.int64], tuple[Any, ...]]":
    """Put boxes into square cells by their middles, each into cells no smaller than itself; return order, sweep and cells (:class:`_Grid`)."""
    if not len(boxes):
        nothing = np.empty(0, np.int64)
        return nothing, nothing, (np.zeros(1, np.int64), nothing, np.zeros(2), np.empty(0), nothing, nothing)
    side = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    corner, middles = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]) / 2
    extent = boxes[:, 2:].max(axis=0) - corner
    # Never more cells than a few per shape: a town with one parcel far away would make millions of empty ones.
    fewest = float(np.sqrt(max(extent[0] * extent[1], 1.0) / (4 * len(boxes))))
    size = max(float(np.quantile(side, _SMALL_SHARE)), _SMALLEST_CELL_FT, fewest, float(max(extent)) / 20_000)
    many = 1 + max(0, math.ceil(math.log(max(float(side.max()) / size, 1.0), _LARGER)))
    sizes = size * float(_LARGER) ** np.arange(many)
    sizes[-1] = max(sizes[-1], float(side.max()))  # whatever the logarithm rounds to
    columns, rows = ((extent[axis] // sizes).astype(np.int64) + 1 for axis in (0, 1))
    first_cell = _starts(columns * rows)
    at = np.searchsorted(sizes, side)
    column, row = (np.floor((middles[:, axis] - corner[axis]) / sizes[at]).astype(np.int64) for axis in (0, 1))
    numbers = first_cell[at] + np.minimum(row, rows[at] - 1) * columns[at] + np.minimum(column, columns[at] - 1)
    order = np.argsort(numbers, kind="stable")
    cell_start = np.searchsorted(numbers[order], np.arange(first_cell[-1] + 1)).astype(np.int64)
    sweep = np.lexsort((middles[order, 0], middles[order, 1] // size))
    return order, sweep, (cell_start, first_cell[:-1], corner, sizes, columns, rows)


def tiles(
    shapes: "NDArray[Any]", distance_ft: float, *, most: int = 20_000, around: "NDArray[Any] | None" = None
) -> Iterator[Tiles]:
    """Cut a layer into tiles of about so many shapes, each with the shapes around it that its own can be near.

    Parameters
    ----------
    shapes
        The shapes.
    distance_ft
        How far neighbors lie, at most: the halo.
    most
        The most shapes of a tile, as far as their middles can be parted.
    around
        The shapes that the halo has; those that are parted where None.
    """
    boxes = shapely.bounds(shapes)
    halo = boxes if around is None else shapely.bounds(around)
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
        near = (halo[:, 0] <= east) & (halo[:, 2] >= west) & (halo[:, 1] <= north) & (halo[:, 3] >= south)
        yield Tiles(np.sort(part), np.flatnonzero(near))
