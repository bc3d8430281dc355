"""Which lots front on a strip, and which of them have another way out: a gap between parcels, or a parcel known to be a right-of-way."""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geonotice.layers.edges import gaps_between, reached, segments_of
from geonotice.layers.shapes import Shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FRONT_FT", "TOUCH_FT", "WIDE_FT", "Fronts", "fronts", "have_way_out"]

TOUCH_FT: Final = 1.5
"""What digitizing moves a lot line."""
FRONT_FT: Final = 8.0
"""A lot fronts on a strip along more than this; a flag lot's pole is 12 to 20 ft wide."""
WIDE_FT: Final = 200.0
"""The widest right-of-way."""
ENCLOSED_SHARE: Final = 0.6
"""A lot with more of its boundary than this on one parcel lies in it, as a condominium's unit does in its common land: it does not front on it."""
AT_ONCE: Final = 1_000
"""So many lots are measured at once, which keeps the memory small."""


class Fronts(NamedTuple):
    """Which lots front on which parcels, and along how many feet: arrays of one length, sorted by parcel."""

    parcel: "NDArray[np.int64]"
    lot: "NDArray[np.int64]"
    shared_ft: "NDArray[np.float64]"


def fronts(geometry: "NDArray[np.object_] | Shapes", parcel: "NDArray[np.int64]", lot: "NDArray[np.int64]") -> Fronts:
    """Measure how much of the boundary of lots lies on parcels that they touch, and keep those that front on them.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> found = fronts(np.array([shapely.box(0, 0, 100, 50), shapely.box(20, 50, 60, 90)]), np.array([0]), np.array([1]))
    >>> found.lot.tolist(), found.shared_ft.round().tolist()
    ([1], [40.0])
    """
    if not len(parcel):
        return Fronts(parcel, lot, np.zeros(0))
    made = [
        _shared(geometry, parcel[start : start + AT_ONCE], lot[start : start + AT_ONCE])
        for start in range(0, len(parcel), AT_ONCE)
    ]
    shared, edge = (np.concatenate(parts) for parts in zip(*made, strict=True))
    kept = (shared > FRONT_FT) & (shared <= ENCLOSED_SHARE * edge)
    parcel, lot, shared = parcel[kept], lot[kept], shared[kept]
    order = np.lexsort((lot, parcel))
    return Fronts(parcel[order], lot[order], shared[order])


def _shared(
    geometry: "NDArray[np.object_] | Shapes", parcel: "NDArray[np.int64]", lot: "NDArray[np.int64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return how much of each lot's boundary lies on a parcel, and how long it is."""
    # one copy of a lot's boundary for each parcel it is measured against
    mine = segments_of(geometry[lot])
    every, index = np.unique(parcel, return_inverse=True)
    other_shapes = geometry[every]
    others = segments_of(other_shapes)
    found = reached(mine, others, (np.arange(len(lot)), index), np.full(len(every), TOUCH_FT))
    begins = mine.begins_ft[found.segment]
    ring_ft = _ring_ends(mine.ring, mine.begins_ft, mine.length_ft)
    gaps = gaps_between(begins + found.from_ft, begins + found.to_ft, ring_ft)
    lot_of_ring = mine.of[np.flatnonzero(np.r_[True, np.diff(mine.ring) != 0][: len(mine.ring)])]
    at = lot_of_ring[gaps.ring]
    # what lies apart from a parcel's boundary may still lie in it, where two parcels overlap
    shapely.prepare(other_shapes)
    inside = shapely.contains_xy(other_shapes[index[at]], *mine.at(gaps.middle_ft).T)
    edge = np.bincount(mine.of, weights=mine.length_ft, minlength=len(lot))
    free = np.bincount(at[~inside], weights=gaps.length_ft[~inside], minlength=len(lot))
    return np.asarray(edge - free - 2 * TOUCH_FT, dtype=float), np.asarray(edge, dtype=float)


def _ring_ends(
    ring: "NDArray[np.int64]", begins_ft: "NDArray[np.float64]", length_ft: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return where each ring begins, and the end of the last."""
    first = np.flatnonzero(np.r_[True, np.diff(ring) != 0][: len(ring)])
    return np.append(begins_ft[first], begins_ft[-1] + length_ft[-1]) if len(ring) else np.zeros(1)


def have_way_out(shapes: Shapes, lots: "NDArray[np.int64]", way: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    """Return which lots face a gap between parcels, or a parcel that is known to be a right-of-way.

    Parameters
    ----------
    shapes
        All parcels.
    lots
        Those that are looked at.
    way
        Which of all parcels are known to be a right-of-way or a railroad.

    Examples
    --------
    A lot between two others on a street's gap, the lot across, and one that others surround.

    >>> import numpy as np, shapely
    >>> parcels = np.array([shapely.box(*box) for box in ((0, 0, 50, 90), (-50, -90, 0, 90), (50, -90, 90, 90), (0, 140, 50, 200), (0, -90, 50, 0), (-50, -99, 90, -90))])
    >>> have_way_out(Shapes.of(parcels), np.array([0, 4]), np.zeros(6, dtype=bool)).tolist()
    [True, False]
    """
    made = np.zeros(len(lots), dtype=bool)
    for start in range(0, len(lots), AT_ONCE):
        some = lots[start : start + AT_ONCE]
        made[start : start + AT_ONCE] = _way_out(shapes, some, way)
    return made


def _way_out(shapes: Shapes, lots: "NDArray[np.int64]", way: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    at, near = shapes.near(lots, TOUCH_FT)
    apart = near != lots[at]
    at, near = at[apart], near[apart]
    every, index = np.unique(near, return_inverse=True)
    mine, others = segments_of(shapes[lots]), segments_of(shapes[every])
    out = np.zeros(len(lots), dtype=bool)
    # along a known right-of-way
    known = way[near]
    if known.any():
        along = _fronts_on(shapes, near[known], lots[at[known]])
        out[at[known][along]] = True
    # along a gap
    found = reached(mine, others, (at, index), np.full(len(every), 2 * TOUCH_FT))
    begins = mine.begins_ft[found.segment]
    ends = _ring_ends(mine.ring, mine.begins_ft, mine.length_ft)
    gaps = gaps_between(begins + found.from_ft, begins + found.to_ft, ends)
    lot_of_ring = mine.of[np.flatnonzero(np.r_[True, np.diff(mine.ring) != 0][: len(mine.ring)])]
    of = lot_of_ring[gaps.ring]
    wide = (gaps.length_ft > FRONT_FT) & ~out[of]
    of, middle = of[wide], gaps.middle_ft[wide]
    ring = gaps.ring[wide]
    low, high = ends[ring], ends[ring + 1]
    here, before, after = (mine.at(low + (middle + step - low) % (high - low)) for step in (0.0, -1.0, 1.0))
    # a run that no boundary is near may lie in another parcel: then nothing is free
    inside = np.zeros(len(of), dtype=bool)
    run, parcel = shapes.query(shapely.points(here), "within")
    inside[run[parcel != lots[of[run]]]] = True
    of, here, before, after = of[~inside], here[~inside], before[~inside], after[~inside]
    out[np.unique(of[_faces_something(shapes, lots[of], here, after - before)])] = True
    return out


def _fronts_on(shapes: Shapes, parcel: "NDArray[np.int64]", lot: "NDArray[np.int64]") -> "NDArray[np.bool_]":
    """Return which lots have more than a driveway's width of their boundary on a parcel."""
    return _shared(shapes, parcel, lot)[0] + 2 * TOUCH_FT > FRONT_FT


def _faces_something(
    shapes: Shapes, lot: "NDArray[np.int64]", at: "NDArray[np.float64]", along: "NDArray[np.float64]"
) -> "NDArray[np.bool_]":
    """Return whether another parcel lies across open runs of lots' boundaries: a street's gap has two sides, the layer's end has one."""
    faces = np.zeros(len(at), dtype=bool)
    if not len(at):
        return faces
    shape = shapes[lot]
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    out = np.column_stack([along[:, 1], -along[:, 0]])
    blocked = shapely.contains_xy(shape, *(at + 0.5 * out).T)
    out[blocked] *= -1
    seen = ~(blocked & shapely.contains_xy(shape, *(at + 0.5 * out).T))
    rays = shapely.linestrings(np.stack([at + 0.1 * out, at + WIDE_FT * out], axis=1))
    ray, hit = shapes.query(rays, "intersects")
    faces[ray[hit != lot[ray]]] = True
    return np.asarray(faces & seen)
