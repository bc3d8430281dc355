"""The compiled part of the join: which pairs of shapes lie within a distance, decided in plain loops over flat arrays.

It says yes or no where its own arithmetic is sure, and *ask* where it is not: shapes whose boxes overlap and whose corners are apart, and distances that
differ from the limit by less than rounding can move. :mod:`geonotice.screen.join` asks GEOS about these, so that the answer is always GEOS's.

The shapes stand in the order of a grid's cells, so that those near each other are near in memory, too; larger ones in grids of larger cells.
A pair of which both are wanted is judged once, by the one of the lower place, and written down for both.
"""

import numba
import numpy as np

__all__ = [
    "ASK",
    "NO",
    "OTHER_WAY",
    "THIS_WAY",
    "YES",
    "both_ways",
    "in_order",
    "in_order_alone",
    "judge",
    "judge_alone",
    "most_candidates",
]

NO, THIS_WAY, OTHER_WAY, YES, ASK = 0, 1, 2, 3, 4
"""A pair is near as asked from its first shape, from its second, from both; GEOS, which is asked both ways, rounds each by itself."""

_DOUBT = 1e-9
"""Relative difference of a squared distance from the limit within which GEOS is asked: far above what rounding does to coordinates in feet."""
_BLOCK = 64
"""So many shapes are judged in one go by one core. Blocks are dealt out in turn, as the first shapes of a layer have the most left to judge."""


@numba.njit(inline="always", cache=True)
def _gap_squared(one, other):
    """Return the squared distance of two boxes."""
    right = max(one[0] - other[2], other[0] - one[2], 0.0)
    up = max(one[1] - other[3], other[1] - one[3], 0.0)
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


@numba.njit(inline="always", cache=True)
def _to_box_squared(x, y, box):
    """Return the squared distance of a point from a box."""
    right = max(box[0] - x, x - box[2], 0.0)
    up = max(box[1] - y, y - box[3], 0.0)
    return right * right + up * up


@numba.njit(cache=True)
def _near_corners(first, second, xy, box):
    """Return the squared distance of two corners that lie near each other: the first shape's next to the second's box, and the second's next to that."""
    least, place = np.inf, first[0]
    for corner in range(first[0], first[1]):
        found = _to_box_squared(xy[corner, 0], xy[corner, 1], box)
        if found < least:
            least, place = found, corner
    x, y = xy[place, 0], xy[place, 1]
    least = np.inf
    for corner in range(second[0], second[1]):
        dx, dy = xy[corner, 0] - x, xy[corner, 1] - y
        least = min(least, dx * dx + dy * dy)
    return least


@numba.njit(cache=True)
def _corners_to_edges(i, j, first_ring, ring_start, xy, boxes, best, enough):
    """Return the least squared distance of the corners of one shape from the edges of another, or any that is small enough.

    Corners farther from the other's box than the best so far are passed over, and edges whose own box is farther from the first shape's.
    """
    box_i, box_j = boxes[i], boxes[j]
    for other in range(first_ring[j], first_ring[j + 1]):
        for edge in range(ring_start[other], ring_start[other + 1] - 1):
            ax, ay, bx, by = xy[edge, 0], xy[edge, 1], xy[edge + 1, 0], xy[edge + 1, 1]
            right = max(box_i[0] - max(ax, bx), min(ax, bx) - box_i[2], 0.0)
            up = max(box_i[1] - max(ay, by), min(ay, by) - box_i[3], 0.0)
            if right * right + up * up >= best:
                continue
            for ring in range(first_ring[i], first_ring[i + 1]):
                for corner in range(ring_start[ring], ring_start[ring + 1] - 1):
                    x, y = xy[corner, 0], xy[corner, 1]
                    if _to_box_squared(x, y, box_j) < best:
                        found = _to_segment_squared(x, y, ax, ay, bx, by)
                        if found < best:
                            best = found
                            if best <= enough:
                                return best
    return best


@numba.njit(cache=True)
def _judge_pair(i, j, first_ring, ring_start, xy, boxes, limit, measure):
    """Return the squared distance as far as it is needed, and whether that is YES, NO or ASK."""
    box_i, box_j = boxes[i], boxes[j]
    enough = 0.0 if measure else limit * (1.0 - _DOUBT)
    if not measure:
        # No two points of the boxes are farther apart than this.
        right = max(box_i[2] - box_j[0], box_j[2] - box_i[0])
        up = max(box_i[3] - box_j[1], box_j[3] - box_i[1])
        if right * right + up * up <= enough:
            return 0.0, YES
    best = _near_corners(
        (ring_start[first_ring[i]], ring_start[first_ring[i + 1]]),
        (ring_start[first_ring[j]], ring_start[first_ring[j + 1]]),
        xy,
        box_j,
    )
    if best <= enough:
        return best, YES
    if limit > 0.0:
        best = min(best, limit * (1.0 + 4.0 * _DOUBT))  # what is farther than this is far, however far
    best = _corners_to_edges(i, j, first_ring, ring_start, xy, boxes, best, enough)
    if best > enough:
        best = _corners_to_edges(j, i, first_ring, ring_start, xy, boxes, best, enough)
    if best <= enough:
        return best, YES
    # Where the boxes overlap, one shape may lie in the other, or their edges may cross, with every corner apart.
    if _gap_squared(box_i, box_j) == 0.0 or abs(best - limit) <= limit * _DOUBT:
        return best, ASK
    return best, YES if best <= limit else NO


@numba.njit(inline="always", cache=True)
def _in_turn(number, blocks, cores):
    """Return which block is judged as number so and so, where each core is given a run of numbers."""
    each = (blocks + cores - 1) // cores
    return (number % each) * cores + number // each


@numba.njit(inline="always", cache=True)
def _window(box, reach, level, origin, sizes, columns, rows):
    """Return the first and last column and row of a grid in which shapes near a box may stand.

    A shape stands in the cell of its middle, and reaches half a cell beyond it at most.
    """
    size = sizes[level]
    wide = reach + size / 2
    left = max(int(np.floor((box[0] - wide - origin[0]) / size)), 0)
    right = min(int(np.floor((box[2] + wide - origin[0]) / size)), columns[level] - 1)
    low = max(int(np.floor((box[1] - wide - origin[1]) / size)), 0)
    high = min(int(np.floor((box[3] + wide - origin[1]) / size)), rows[level] - 1)
    return left, right, low, high


@numba.njit(cache=True)
def most_candidates(wanted, boxes, reach, cell_start, first_cell, origin, sizes, columns, rows):
    """Return, for each wanted shape, how many shapes stand in the cells around it: more than are near it, and quickly counted."""
    most = np.zeros(len(wanted), np.int64)
    for n in range(len(wanted)):
        for level in range(len(sizes)):
            left, right, low, high = _window(boxes[wanted[n]], reach, level, origin, sizes, columns, rows)
            for row in range(low, high + 1):
                cell = first_cell[level] + row * columns[level]
                most[n] += cell_start[cell + right + 1] - cell_start[cell + left]
    return most


@numba.njit(cache=True)
def _judge_shape(
    n, wanted, rank, start, first_ring, ring_start, xy, boxes, reach, measure, others, verdicts, distances, cell_start, first_cell, origin,
    sizes, columns, rows
):  # fmt: skip
    """Judge the shapes around one wanted shape; return how many are near or doubtful, and whether any is doubtful."""
    limit = reach * reach
    i, at = wanted[n], start[n]
    box = boxes[i]
    doubtful = False
    west, south, east, north = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
    for level in range(len(sizes)):
        left, right, low, high = _window(box, reach, level, origin, sizes, columns, rows)
        for row in range(low, high + 1):
            cell = first_cell[level] + row * columns[level]
            for j in range(cell_start[cell + left], cell_start[cell + right + 1]):
                if 0 <= rank[j] <= n or j == i:
                    continue
                if boxes[j, 0] > east or boxes[j, 2] < west or boxes[j, 1] > north or boxes[j, 3] < south:
                    continue
                if _gap_squared(box, boxes[j]) > limit:
                    continue
                best, verdict = _judge_pair(i, j, first_ring, ring_start, xy, boxes, limit, measure)
                if verdict != NO:
                    others[at] = j
                    verdicts[at] = verdict
                    if measure:
                        distances[at] = np.sqrt(best)
                    doubtful |= verdict == ASK
                    at += 1
    return at - start[n], doubtful


@numba.njit(cache=True)
def _empty(start, measure):
    """Return arrays for what is judged, of shapes that begin at some places."""
    most = max(start[-1], 1)
    return np.empty(most, np.int32), np.empty(most, np.uint8), np.empty(most if measure else 0, np.float64)


@numba.njit(parallel=True, cache=True)
def judge(
    wanted, rank, start, first_ring, ring_start, xy, boxes, reach, measure, cores, cell_start, first_cell, origin, sizes, columns, rows
):  # fmt: skip
    """Judge the shapes around each wanted shape, but for those that were wanted before: these judge it.

    Returns
    -------
    tuple
        How many each has that are near or doubtful, and whether any is doubtful; which they are, what each is (YES, ASK), and the distance
        where it is measured.
    """
    others, verdicts, distances = _empty(start, measure)
    counts = np.zeros(len(wanted), np.int64)
    doubtful = np.zeros(len(wanted), np.bool_)
    blocks = (len(wanted) + _BLOCK - 1) // _BLOCK
    for number in numba.prange((blocks + cores - 1) // cores * cores):
        block = _in_turn(number, blocks, cores)
        for n in range(block * _BLOCK, min(block * _BLOCK + _BLOCK, len(wanted))):
            counts[n], doubtful[n] = _judge_shape(
                n, wanted, rank, start, first_ring, ring_start, xy, boxes, reach, measure, others, verdicts, distances, cell_start, first_cell,
                origin, sizes, columns, rows
            )  # fmt: skip
    return counts, doubtful, others, verdicts, distances


@numba.njit(cache=True)
def judge_alone(
    wanted, rank, start, first_ring, ring_start, xy, boxes, reach, measure, _cores, cell_start, first_cell, origin, sizes, columns, rows
):  # fmt: skip
    """Judge as :func:`judge` does, in one thread: threads would end a process that was forked from one in which they have run."""
    others, verdicts, distances = _empty(start, measure)
    counts = np.zeros(len(wanted), np.int64)
    doubtful = np.zeros(len(wanted), np.bool_)
    for n in range(len(wanted)):
        counts[n], doubtful[n] = _judge_shape(
            n, wanted, rank, start, first_ring, ring_start, xy, boxes, reach, measure, others, verdicts, distances, cell_start, first_cell,
            origin, sizes, columns, rows
        )  # fmt: skip
    return counts, doubtful, others, verdicts, distances


@numba.njit(cache=True)
def both_ways(wanted, rank, start, counts, others, verdicts, distances):
    """Return the neighbors of each wanted shape: those that it was judged near, and those that judged it near; where each one's begin; their distances."""
    begins = np.zeros(len(counts) + 1, np.int64)
    for n in range(len(counts)):
        for place in range(start[n], start[n] + counts[n]):
            if verdicts[place] & THIS_WAY:
                begins[n + 1] += 1
            m = rank[others[place]]
            if m >= 0 and verdicts[place] & OTHER_WAY:
                begins[m + 1] += 1
    begins = np.cumsum(begins)
    at = begins[:-1].copy()
    measure = len(distances) > 0
    made = np.empty(begins[-1], np.int32)
    measured = np.empty(begins[-1] if measure else 0, np.float64)
    for n in range(len(counts)):
        for place in range(start[n], start[n] + counts[n]):
            if verdicts[place] & THIS_WAY:
                made[at[n]] = others[place]
                if measure:
                    measured[at[n]] = distances[place]
                at[n] += 1
            m = rank[others[place]]
            if m >= 0 and verdicts[place] & OTHER_WAY:
                made[at[m]] = wanted[n]
                if measure:
                    measured[at[m]] = distances[place]
                at[m] += 1
    return begins, made, measured


@numba.njit(cache=True)
def _order_row(n, row_of, begins, found, distances, names, start, made, measured):
    """Write the neighbors of one wanted shape."""
    begin, end, at = begins[row_of[n]], begins[row_of[n] + 1], start[n]
    row = made[at : start[n + 1]]
    for place in range(begin, end):
        row[place - begin] = names[found[place]]
    if len(distances):
        # One by one: for an array put in the place of another, numba compiles how it would complain of their shapes, which takes seconds.
        order = np.argsort(row)
        for k in range(len(order)):
            row[k] = names[found[begin + order[k]]]
            measured[at + k] = distances[begin + order[k]]
    else:
        row.sort()


@numba.njit(parallel=True, cache=True)
def in_order(row_of, begins, found, distances, names, start, made, measured):
    """Write the neighbors of each wanted shape under the places they were given at, in rising order.

    Parameters
    ----------
    row_of, start
        Of each wanted shape, the row of ``found`` that is its, and where it begins in ``made``.
    begins, found, distances
        The neighbors by row, by their places in the grid.
    names
        The places that the shapes of the grid were given at.
    made, measured
        Where it is written.
    """
    for n in numba.prange(len(row_of)):
        _order_row(np.int64(n), row_of, begins, found, distances, names, start, made, measured)


@numba.njit(cache=True)
def in_order_alone(row_of, begins, found, distances, names, start, made, measured):
    """Write them as :func:`in_order` does, in one thread."""
    for n in range(len(row_of)):
        _order_row(n, row_of, begins, found, distances, names, start, made, measured)
