"""Lines of sight across a right-of-way: what each of many rays meets first.

Rays are intersected with the edges of polygons in plain numpy: a frontage has a hundred rays and its surroundings some hundred edges,
too many pairs for one geometry call each.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.lot_lines import FloatArray, GeometryArray, IntArray

__all__ = [
    "NOTHING",
    "PREMISES",
    "Edges",
    "Rays",
    "cast",
    "crossings",
    "distinct",
    "edges_of_lines",
    "edges_of_polygons",
    "median",
]

NOTHING: Final = -1
"""The answer of a ray that meets no parcel."""
PREMISES: Final = -2
"""The answer of a ray that meets a parcel of the premises."""
BACK_FT: Final = 1.0
"""How far behind its start a ray already sees a parcel: frontages are simplified to 0.5 ft, so a start may lie that far past a line."""
BLOCK: Final = 100
"""Rays taken together: neighbours along a frontage look at the same few edges, and only those are computed."""


class Edges(NamedTuple):
    """Straight edges, each owned by a parcel or line.

    ``start`` and ``step`` have shape (m, 2), relative to ``origin``; ``owner`` has shape (m,). Polygons keep their land on the left.
    """

    start: FloatArray
    step: FloatArray
    owner: IntArray
    origin: FloatArray

    def near(self, box: FloatArray) -> "Edges":
        """Keep the edges that reach into a box (xmin, ymin, xmax, ymax), relative to the origin."""
        end = self.start + self.step
        low, high = np.minimum(self.start, end), np.maximum(self.start, end)
        kept = (high >= box[:2]).all(axis=1) & (low <= box[2:]).all(axis=1)
        return Edges(self.start[kept], self.step[kept], self.owner[kept], self.origin)


class Rays(NamedTuple):
    """Rays: where they start (n, 2), their unit directions (n, 2), how far they look (n,), and the sine of their angle to the frontage (n,)."""

    start: FloatArray
    direction: FloatArray
    reach: FloatArray
    sine: FloatArray

    def part(self, some: slice) -> "Rays":
        """Return some of the rays."""
        return Rays(self.start[some], self.direction[some], self.reach[some], self.sine[some])

    def lines(self, reached: FloatArray, origin: FloatArray) -> GeometryArray:
        """Draw each ray as far as it reached, in the CRS whose ``origin`` was taken off."""
        ends = self.start + reached[:, None] * self.direction
        return np.asarray(shapely.linestrings(np.stack([self.start, ends], axis=1) + origin), dtype=object)

    def box(self) -> FloatArray:
        """Return the box that holds every ray."""
        both = np.vstack([self.start - BACK_FT * self.direction, self.start + self.reach[:, None] * self.direction])
        return np.concatenate([both.min(axis=0), both.max(axis=0)])


def distinct(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different numbers in order, and how often each occurs.

    So does ``np.unique``, which first imports ``numpy.ma``: a twentieth of the time of a whole query.

    Examples
    --------
    >>> [found.tolist() for found in distinct(np.array([7, 2, 7]))]
    [[2, 7], [1, 2]]
    >>> [found.tolist() for found in distinct(np.array([], dtype=np.intp))]
    [[], []]
    """
    ordered = np.sort(numbers)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return ordered[first], np.diff(first, append=len(ordered))


def median(lengths: FloatArray) -> float:
    """Return the middle length; between two of them, their mean. ``np.median`` imports ``numpy.ma``, as :func:`distinct` explains.

    Examples
    --------
    >>> median(np.array([3.0, 1.0, 2.0])), median(np.array([4.0, 1.0]))
    (2.0, 2.5)
    """
    ordered = np.sort(lengths)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def edges_of_polygons(geometries: GeometryArray, owners: IntArray, origin: FloatArray) -> Edges:
    """Take polygons apart into edges with the land on their left; ``owners`` has one entry a geometry."""
    polygons, of_geometry = shapely.get_parts(geometries, return_index=True)
    # With the land on the left, the sign of one cross product tells entering from leaving, without asking whether a point lies inside.
    rings, of_polygon = shapely.get_rings(shapely.orient_polygons(polygons), return_index=True)
    return _edges(rings, owners[of_geometry[of_polygon]], origin)


def edges_of_lines(geometries: GeometryArray, owners: IntArray, origin: FloatArray) -> Edges:
    """Take lines apart into edges; ``owners`` has one entry a geometry."""
    lines, of_geometry = shapely.get_parts(geometries, return_index=True)
    return _edges(lines, owners[of_geometry], origin)


def _edges(lines: GeometryArray, owners: IntArray, origin: FloatArray) -> Edges:
    xy, of_line = shapely.get_coordinates(lines, return_index=True)
    # State-plane coordinates are near 10 to the 6th. Products of two of them lose the last thousandths of a foot, which decide at shared
    # corners.
    xy = xy - origin
    same = of_line[1:] == of_line[:-1]
    start = xy[:-1][same]
    return Edges(start, xy[1:][same] - start, owners[of_line[:-1][same]], origin)


def cast(rays: Rays, edges: Edges, *, premises_from_ft: float) -> tuple[IntArray, FloatArray]:
    """Find the parcel that each ray enters first.

    Only entering counts: a ray that starts a little inside the premises leaves them unseen, and sees them again where it comes back,
    at least ``premises_from_ft`` on.

    Returns
    -------
    tuple
        Owner of the edge first entered (``NOTHING`` where none), and distance along the ray (``inf`` where none), each of shape (n,).
    """

    def passed(near: Edges, along: FloatArray, slope: FloatArray) -> NDArray[np.bool_]:
        # Entering: the ray crosses from the right of the edge to its left, where the land is.
        return (slope >= 0) | (along < np.where(near.owner == PREMISES, premises_from_ft, -BACK_FT))

    owner, distance = _first(rays, edges, passed)
    return owner, np.maximum(distance, 0.0)


def crossings(rays: Rays, edges: Edges) -> tuple[IntArray, FloatArray]:
    """Find the line that each ray crosses first, whichever way; as :func:`cast`."""
    return _first(rays, edges, lambda _near, along, _slope: along < 0)


def _first(
    rays: Rays, edges: Edges, passed: Callable[[Edges, FloatArray, FloatArray], NDArray[np.bool_]]
) -> tuple[IntArray, FloatArray]:
    """Find the nearest edge on each ray's way; ``passed`` says which meetings (n, m), as :func:`_meet` gives them, do not count."""
    owner = np.full(len(rays.start), NOTHING, dtype=np.intp)
    distance = np.full(len(rays.start), np.inf)
    for low in range(0, len(rays.start), BLOCK):
        part = slice(low, low + BLOCK)
        some = rays.part(part)
        near = edges.near(some.box())
        if not len(near.start):
            continue
        along, slope = _meet(some, near)
        along[passed(near, along, slope) | (along > some.reach[:, None])] = np.inf
        best = np.argmin(along, axis=1)
        nearest = along[np.arange(len(best)), best]
        met = np.isfinite(nearest)
        owner[part][met] = near.owner[best[met]]
        distance[part][met] = nearest[met]
    return owner, distance


def _meet(rays: Rays, edges: Edges) -> tuple[FloatArray, FloatArray]:
    """Return the distance along each ray to each edge (inf where they miss), and the cross product of ray and edge, shapes (n, m)."""
    ux, uy = rays.direction[:, 0, None], rays.direction[:, 1, None]
    dx = edges.start[None, :, 0] - rays.start[:, 0, None]
    dy = edges.start[None, :, 1] - rays.start[:, 1, None]
    ex, ey = edges.step[None, :, 0], edges.step[None, :, 1]
    slope = ux * ey - uy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (dx * ey - dy * ex) / slope
        share = (dx * uy - dy * ux) / slope
    along[~((share >= 0.0) & (share <= 1.0))] = np.inf
    return along, slope
