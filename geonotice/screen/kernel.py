"""The compiled part of the join: which pairs of shapes lie within a distance, decided in plain loops over flat arrays.

It says yes or no where its own arithmetic is sure, and *ask* where it is not: shapes whose boxes overlap and whose corners are apart, and distances that
differ from the limit by less than rounding can move. :mod:`geonotice.screen.join` asks GEOS about these, so that the answer is always GEOS's.
"""

import numba
import numpy as np

__all__ = ["count_candidates", "judge"]

NO, YES, ASK = 0, 1, 2

_DOUBT = 1e-9
"""Relative difference of a squared distance from the limit within which GEOS is asked: far above what rounding does to coordinates in feet."""


@numba.njit(inline="always", cache=True)
def _gap_squared(boxes, i, j):
    """Return the squared distance of two boxes."""
    right = max(boxes[i, 0] - boxes[j, 2], boxes[j, 0] - boxes[i, 2], 0.0)
    up = max(boxes[i, 1] - boxes[j, 3], boxes[j, 1] - boxes[i, 3], 0.0)
    return right * right + up * up


@numba.njit(inline="always", cache=True)
def _to_segment_squared(x, y, ax, ay, bx, by):
    """Return the squared distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    wx, wy = x - ax, y - ay
    along = wx * dx + wy * dy
    if along > 0.0:
        length = dx * dx + dy * dy
        if along >= length:
            wx, wy = x - bx, y - by
        else:
            share = along / length
            wx, wy = wx - share * dx, wy - share * dy
    return wx * wx + wy * wy


@numba.njit(cache=True)
def _corners_to_edges(i, j, first_ring, ring_start, xy, boxes, best, enough):
    """Return the least squared distance of the corners of one shape from the edges of another, or any that is small enough."""
    for ring in range(first_ring[i], first_ring[i + 1]):
        for corner in range(ring_start[ring], ring_start[ring + 1] - 1):
            x, y = xy[corner, 0], xy[corner, 1]
            right = max(boxes[j, 0] - x, x - boxes[j, 2], 0.0)
            up = max(boxes[j, 1] - y, y - boxes[j, 3], 0.0)
            if right * right + up * up >= best:
                continue
            for other in range(first_ring[j], first_ring[j + 1]):
                for edge in range(ring_start[other], ring_start[other + 1] - 1):
                    found = _to_segment_squared(x, y, xy[edge, 0], xy[edge, 1], xy[edge + 1, 0], xy[edge + 1, 1])
                    if found < best:
                        best = found
                        if best <= enough:
                            return best
    return best


@numba.njit(cache=True)
def _judge_pair(i, j, first_ring, ring_start, xy, boxes, limit, measure):
    """Return the squared distance as far as it is needed, and whether that is YES, NO or ASK."""
    enough = 0.0 if measure else limit * (1.0 - _DOUBT)
    if not measure:
        # No two points of the boxes are farther apart than this.
        right = max(boxes[i, 2] - boxes[j, 0], boxes[j, 2] - boxes[i, 0])
        up = max(boxes[i, 3] - boxes[j, 1], boxes[j, 3] - boxes[i, 1])
        if right * right + up * up <= enough:
            return 0.0, YES
    a, b = ring_start[first_ring[i]], ring_start[first_ring[j]]
    dx, dy = xy[a, 0] - xy[b, 0], xy[a, 1] - xy[b, 1]
    best = dx * dx + dy * dy
    if best <= enough:
        return best, YES
    gap = _gap_squared(boxes, i, j)
    best = _corners_to_edges(i, j, first_ring, ring_start, xy, boxes, best, enough)
    if best > enough:
        best = _corners_to_edges(j, i, first_ring, ring_start, xy, boxes, best, enough)
    if best <= enough:
        return best, YES
    # Where the boxes overlap, one shape may lie in the other, or their edges may cross, with every corner apart.
    if gap == 0.0 or abs(best - limit) <= limit * _DOUBT:
        return best, ASK
    return best, YES if best <= limit else NO


@numba.njit(parallel=True, cache=True)
def count_candidates(wanted, boxes, reach, cell_start, in_cell, large, origin, size, columns, rows):
    """Count, for each wanted shape, the shapes whose box lies within reach of its own."""
    counts = np.zeros(len(wanted), np.int64)
    empty = np.empty(0, np.int64)
    for n in numba.prange(len(wanted)):
        counts[n] = _candidates(wanted[n], boxes, reach, cell_start, in_cell, large, origin, size, columns, rows, empty, 0)
    return counts


@numba.njit(cache=True)
def _candidates(i, boxes, reach, cell_start, in_cell, large, origin, size, columns, rows, out, start):
    """Find the shapes whose box lies within reach of shape ``i``; return how many, and write them where there is room."""
    limit = reach * reach
    write = len(out) > 0
    found = 0
    # Small shapes stand in the cell of their middle and reach half a cell beyond it at most.
    wide = reach + size / 2
    left = max(int(np.floor((boxes[i, 0] - wide - origin[0]) / size)), 0)
    right = min(int(np.floor((boxes[i, 2] + wide - origin[0]) / size)), columns - 1)
    low = max(int(np.floor((boxes[i, 1] - wide - origin[1]) / size)), 0)
    high = min(int(np.floor((boxes[i, 3] + wide - origin[1]) / size)), rows - 1)
    for row in range(low, high + 1):
        for place in range(cell_start[row * columns + left], cell_start[row * columns + right + 1]):
            j = in_cell[place]
            if j != i and _gap_squared(boxes, i, j) <= limit:
                if write:
                    out[start + found] = j
                found += 1
    for place in range(len(large)):
        j = large[place]
        if j != i and _gap_squared(boxes, i, j) <= limit:
            if write:
                out[start + found] = j
            found += 1
    return found


@numba.njit(parallel=True, cache=True)
def judge(
    wanted, start, first_ring, ring_start, xy, boxes, reach, measure, cell_start, in_cell, large, origin, size, columns, rows
):
    """Return the candidates of each wanted shape, what each is (NO, YES, ASK), and the squared distance where it is measured."""
    total = start[-1]
    others = np.empty(max(total, 1), np.int64)
    verdicts = np.zeros(max(total, 1), np.uint8)
    squared = np.empty(max(total, 1) if measure else 1, np.float64)
    limit = reach * reach
    for n in numba.prange(len(wanted)):
        i = wanted[n]
        found = _candidates(i, boxes, reach, cell_start, in_cell, large, origin, size, columns, rows, others, start[n])
        others[start[n] : start[n] + found].sort()
        for place in range(start[n], start[n] + found):
            best, verdict = _judge_pair(i, others[place], first_ring, ring_start, xy, boxes, limit, measure)
            verdicts[place] = verdict
            if measure:
                squared[place] = best
    return others, verdicts, squared
