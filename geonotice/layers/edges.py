"""How much of the boundary of parcels lies beside others, measured for a whole layer at once.

A buffer and a union for each lot cost milliseconds, and a county has a hundred thousand lots to look at. What lies within a distance of one
straight segment is a capsule, which cuts another segment in one interval: that is arithmetic on arrays.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Gaps", "Reached", "Segments", "gaps_between", "reached", "segments_of"]

PIECE: Final = 6
"""So many segments are one box at first: two polygons have few such boxes, and most of them lie apart."""
STRAIGHT: Final = 1e-9
"""A slope smaller than this is none."""


class Segments(NamedTuple):
    """The boundaries of polygons, taken apart into straight segments: arrays of one length, ring after ring.

    Parameters
    ----------
    of
        Which polygon a segment belongs to.
    ring
        Which ring.
    start, along, length_ft
        Where it starts, its direction as a unit vector, and its length.
    begins_ft
        Where it begins on the line that all rings make when they are laid end to end.
    """

    of: "NDArray[np.int64]"
    ring: "NDArray[np.int64]"
    start: "NDArray[np.float64]"
    along: "NDArray[np.float64]"
    length_ft: "NDArray[np.float64]"
    begins_ft: "NDArray[np.float64]"

    @property
    def low(self) -> "NDArray[np.float64]":
        """The lower left corners of the boxes round the segments."""
        return np.minimum(self.start, self._end)

    @property
    def high(self) -> "NDArray[np.float64]":
        """The upper right corners."""
        return np.maximum(self.start, self._end)

    @property
    def _end(self) -> "NDArray[np.float64]":
        return np.asarray(self.start + self.along * self.length_ft[:, None])

    def at(self, position_ft: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return the points at positions on the line of all rings."""
        index = np.clip(np.searchsorted(self.begins_ft, position_ft, side="right") - 1, 0, len(self.begins_ft) - 1)
        return np.asarray(self.start[index] + self.along[index] * (position_ft - self.begins_ft[index])[:, None])


def segments_of(geometry: "NDArray[np.object_]") -> Segments:
    """Take the boundaries of polygons apart.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> found = segments_of(np.array([shapely.box(0, 0, 20, 10), shapely.box(20, 0, 30, 10)]))
    >>> found.of.tolist(), found.begins_ft.tolist()
    ([0, 0, 0, 0, 1, 1, 1, 1], [0.0, 10.0, 30.0, 40.0, 60.0, 70.0, 80.0, 90.0])
    """
    parts, part_of = shapely.get_parts(geometry, return_index=True)
    rings, ring_of = shapely.get_rings(parts, return_index=True)
    xy, at = shapely.get_coordinates(rings, return_index=True)
    step = np.diff(xy, axis=0)
    length = np.hypot(*step.T)
    real = (np.diff(at) == 0) & (length > 0)
    step, length, ring = step[real], length[real], at[:-1][real]
    return Segments(
        of=part_of[ring_of[ring]].astype(np.int64),
        ring=ring.astype(np.int64),
        start=xy[:-1][real],
        along=step / length[:, None],
        length_ft=length,
        begins_ft=np.concatenate([[0.0], np.cumsum(length)[:-1]]) if len(length) else length,
    )


class Reached(NamedTuple):
    """Which stretches of segments lie within a distance of other polygons: intervals, each with its segment and the other polygon."""

    segment: "NDArray[np.int64]"
    other: "NDArray[np.int64]"
    from_ft: "NDArray[np.float64]"
    to_ft: "NDArray[np.float64]"


def reached(
    mine: Segments,
    others: Segments,
    pairs: "tuple[NDArray[np.int64], NDArray[np.int64]]",
    distance_ft: "NDArray[np.float64]",
) -> Reached:
    """Return the stretches of some boundaries that lie within a distance of the boundaries of others.

    Parameters
    ----------
    mine, others
        The segments of both.
    pairs
        Which polygons of ``mine`` are measured against which of ``others``.
    distance_ft
        For each of the others how near is beside it.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> one, other = (segments_of(np.array([shapely.box(*box)])) for box in ((0, 0, 20, 10), (21, 2, 40, 30)))
    >>> found = reached(one, other, (np.array([0]), np.array([0])), np.array([1.5]))
    >>> begins = one.begins_ft[found.segment]
    >>> gaps_between(begins + found.from_ft, begins + found.to_ft, np.array([0, 60])).length_ft.round(1).tolist()
    [50.4]
    """
    most = float(distance_ft.max(initial=0.0))
    if not len(mine.of) or not len(others.of):
        return Reached(*(np.zeros(0, dtype=np.int64),) * 2, *(np.zeros(0),) * 2)
    low, high = others.low, others.high
    my_low, my_high = mine.low - most, mine.high + most
    head, size, boxes = _pieces(others.ring, low, high)
    my_head, my_size, my_boxes = _pieces(mine.ring, my_low, my_high)
    mine_at, piece = _meeting((mine.of[my_head], my_boxes), (others.of[head], boxes), pairs)
    which, segment = _each(my_head[mine_at], my_size[mine_at])
    piece = piece[which]
    near = _meet(boxes[piece, :2], boxes[piece, 2:], my_low[segment], my_high[segment])
    segment, piece = segment[near], piece[near]
    which, other = _each(head[piece], size[piece])
    segment = segment[which]
    near = _meet(low[other], high[other], my_low[segment], my_high[segment])
    segment, other = segment[near], other[near]
    start, end = _within(mine, segment, others, other, distance_ft[others.of[other]])
    real = end > start
    return Reached(segment[real], others.of[other[real]], start[real], end[real])


def _meeting(
    mine: "tuple[NDArray[np.int64], NDArray[np.float64]]",
    others: "tuple[NDArray[np.int64], NDArray[np.float64]]",
    pairs: "tuple[NDArray[np.int64], NDArray[np.int64]]",
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return which pieces of some polygons have boxes that meet those of others, pair by pair of polygons.

    Parameters
    ----------
    mine, others
        Which polygon each piece is of, ascending, and its box.
    pairs
        The polygons that are held against each other.
    """
    (of, boxes), (other_of, other_boxes) = mine, others
    first, last = np.searchsorted(of, pairs[0]), np.searchsorted(of, pairs[0], side="right")
    other_first, other_last = np.searchsorted(other_of, pairs[1]), np.searchsorted(other_of, pairs[1], side="right")
    wide = other_last - other_first
    held = (last - first) * wide
    few = np.flatnonzero(held <= _FEW)
    which, step = _each(np.zeros(len(few), dtype=np.int64), held[few])
    pair = few[which]
    one, other = first[pair] + step // wide[pair], other_first[pair] + step % wide[pair]
    near = _meet(boxes[one, :2], boxes[one, 2:], other_boxes[other, :2], other_boxes[other, 2:])
    many = np.flatnonzero(held > _FEW)
    one_of_many, other_of_many = _meeting_of_many(mine, others, (pairs[0][many], pairs[1][many]))
    return np.concatenate([one[near], one_of_many]), np.concatenate([other[near], other_of_many])


_FEW: Final = 64
"""Two polygons of so few pairs of pieces are held against each other piece by piece; a street of thousands is looked through with a tree."""


def _meeting_of_many(
    mine: "tuple[NDArray[np.int64], NDArray[np.float64]]",
    others: "tuple[NDArray[np.int64], NDArray[np.float64]]",
    pairs: "tuple[NDArray[np.int64], NDArray[np.int64]]",
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return what :func:`_meeting` does, found by a tree of the pieces."""
    if not len(pairs[0]):
        return (np.zeros(0, dtype=np.int64),) * 2
    some, other_some = np.flatnonzero(np.isin(mine[0], pairs[0])), np.flatnonzero(np.isin(others[0], pairs[1]))
    tree = shapely.STRtree(np.asarray(shapely.box(*others[1][other_some].T), dtype=object))
    one, other = tree.query(shapely.box(*mine[1][some].T))
    one, other = some[one], other_some[other]
    # only polygons that are measured against each other
    wide = int(others[0].max()) + 1
    wanted = np.sort(pairs[0] * wide + pairs[1])
    asked = mine[0][one] * wide + others[0][other]
    there = np.searchsorted(wanted, asked)
    there[there == len(wanted)] = 0
    hits = wanted[there] == asked
    return one[hits], other[hits]


def _meet(
    low: "NDArray[np.float64]", high: "NDArray[np.float64]", other_low: "NDArray[np.float64]", other_high: "NDArray[np.float64]"
) -> "NDArray[np.bool_]":
    """Return which boxes meet: by column, for numpy is slow along an axis of two."""
    across = (low[:, 0] <= other_high[:, 0]) & (high[:, 0] >= other_low[:, 0])
    return np.asarray(across & (low[:, 1] <= other_high[:, 1]) & (high[:, 1] >= other_low[:, 1]))


def _pieces(
    ring: "NDArray[np.int64]", low: "NDArray[np.float64]", high: "NDArray[np.float64]"
) -> "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]":
    """Return runs of a few segments, never across two rings: the first segment of each, how many, and the box round them."""
    first = np.flatnonzero(np.r_[True, np.diff(ring) != 0])
    in_ring = np.arange(len(ring)) - np.repeat(first, np.diff(np.r_[first, len(ring)]))
    head = np.flatnonzero(in_ring % PIECE == 0)
    boxes = np.hstack([np.minimum.reduceat(low, head), np.maximum.reduceat(high, head)])
    return head, np.diff(np.r_[head, len(ring)]), boxes


def _each(head: "NDArray[np.int64]", size: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return the members of runs, and which run each is of."""
    which = np.repeat(np.arange(len(head)), size)
    return which, np.repeat(head - (np.cumsum(size) - size), size) + np.arange(len(which))


def _within(
    mine: Segments,
    segment: "NDArray[np.int64]",
    others: Segments,
    other: "NDArray[np.int64]",
    distance_ft: "NDArray[np.float64]",
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return from where to where segments lie within a distance of other segments; from after to where none of one does."""
    along, ahead = mine.along[segment], others.along[other]
    length = others.length_ft[other]
    apart = mine.start[segment] - others.start[other]
    # beside the other segment: a strip across its line, cut at its ends
    forward = _between((ahead * apart).sum(axis=1), (ahead * along).sum(axis=1), np.zeros_like(length), length)
    offset = ahead[:, 0] * apart[:, 1] - ahead[:, 1] * apart[:, 0]
    slope = ahead[:, 0] * along[:, 1] - ahead[:, 1] * along[:, 0]
    sideways = _between(offset, slope, -distance_ft, distance_ft)
    start, end = np.maximum(forward[0], sideways[0]), np.minimum(forward[1], sideways[1])
    void = end < start
    start[void], end[void] = np.inf, -np.inf
    # round its ends
    for point in (apart, apart - ahead * length[:, None]):
        nearest = -(along * point).sum(axis=1)
        room = distance_ft**2 - ((point**2).sum(axis=1) - nearest**2)
        half = np.sqrt(np.maximum(room, 0.0))
        start = np.where(room >= 0, np.minimum(start, nearest - half), start)
        end = np.where(room >= 0, np.maximum(end, nearest + half), end)
    return np.maximum(start, 0.0), np.minimum(end, mine.length_ft[segment])


def _between(
    offset: "NDArray[np.float64]", slope: "NDArray[np.float64]", low: "NDArray[np.float64]", high: "NDArray[np.float64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return from where to where ``offset + t * slope`` lies between two bounds."""
    level = np.abs(slope) < STRAIGHT
    steep = np.where(level, 1.0, slope)
    one, two = (low - offset) / steep, (high - offset) / steep
    start, end = np.minimum(one, two), np.maximum(one, two)
    inside = (low <= offset) & (offset <= high)
    start = np.where(level, np.where(inside, -np.inf, np.inf), start)
    return start, np.where(level, np.where(inside, np.inf, -np.inf), end)


class Gaps(NamedTuple):
    """What intervals leave free of rings laid end to end: the ring, the middle on the line of all, and the length."""

    ring: "NDArray[np.int64]"
    middle_ft: "NDArray[np.float64]"
    length_ft: "NDArray[np.float64]"


def gaps_between(from_ft: "NDArray[np.float64]", to_ft: "NDArray[np.float64]", ring_ft: "NDArray[np.float64]") -> Gaps:
    """Return what intervals leave free of closed rings; what is free on both sides of a ring's first point is one gap.

    Parameters
    ----------
    from_ft, to_ft
        The intervals, on the line of all rings; none reaches over a ring's end.
    ring_ft
        Where each ring begins, and the end of the last.

    Examples
    --------
    >>> import numpy as np
    >>> found = gaps_between(np.array([10.0, 20, 70]), np.array([30.0, 25, 100]), np.array([0.0, 60, 100, 140]))
    >>> found.ring.tolist(), found.middle_ft.tolist(), found.length_ft.tolist()
    ([0, 1, 2], [50.0, 65.0, 120.0], [40.0, 10.0, 40.0])
    """
    begin = np.concatenate([ring_ft, from_ft])
    order = np.lexsort((np.concatenate([ring_ft, to_ft]), begin))
    start, end = begin[order], np.maximum.accumulate(np.concatenate([ring_ft, to_ft])[order])
    free = np.flatnonzero(start[1:] > end[:-1])
    low, high = end[free], start[free + 1]
    ring = np.searchsorted(ring_ft, (low + high) / 2, side="right") - 1
    length = high - low
    at_start, at_end = low == ring_ft[ring], high == ring_ft[ring + 1]
    # the first and the last gap of a ring are one, where both reach its first point
    last = np.flatnonzero(at_end & ~at_start)
    first_of = dict(zip(ring[at_start].tolist(), np.flatnonzero(at_start).tolist(), strict=True))
    joined = [
        (index, first_of[ring_]) for index, ring_ in zip(last.tolist(), ring[last].tolist(), strict=True) if ring_ in first_of
    ]
    middle = (low + high) / 2
    if joined:
        tail, front = np.array(joined).T
        length[tail] += length[front]
        middle[tail] = low[tail] + length[tail] / 2
        over = middle[tail] >= ring_ft[ring[tail] + 1]
        middle[tail[over]] -= (ring_ft[ring[tail] + 1] - ring_ft[ring[tail]])[over]
        kept = np.ones(len(length), dtype=bool)
        kept[front] = False
        ring, middle, length = ring[kept], middle[kept], length[kept]
    return Gaps(ring, middle, length)
