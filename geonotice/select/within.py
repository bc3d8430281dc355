"""How far parcels lie from the premises, and where a search area reaches past the parcels that are known."""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.select.extended_lines import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Polygonal = shapely.Polygon | shapely.MultiPolygon

__all__ = ["COMPASS", "Uncovered", "Within", "bare_area", "nearest_line", "uncovered", "within"]

COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")

_GRID_FT = 40.0
"""Spacing of the sample inside the search area: a hole this wide is found."""

_RIM_FT = 10.0
"""Spacing of the sample along the search area's edge: where the layer ends inside it, the edge lies outside the layer."""


class Within(Struct, frozen=True):
    """Which geometries lie within a distance, nearest first.

    ``index`` are positions in the array that was given, ``distance_ft`` their distances, unrounded.
    """

    index: "NDArray[np.intp]"
    distance_ft: "NDArray[np.float64]"


def within(premises: shapely.Geometry, geometries: "NDArray[Any]", *, distance_ft: float) -> Within:
    """Select the geometries at most ``distance_ft`` from the premises.

    The distance is that of the nearest points of the two, lot line to lot line, and zero where they touch or overlap. It is never
    tested by a buffer: a buffer's arcs are chords, and an owner at 999 ft can fall outside them.

    Parameters
    ----------
    premises
        Polygon or MultiPolygon, in a projected CRS in feet.
    geometries
        Geometries in the same CRS.
    distance_ft
        The distance, included.

    Examples
    --------
    >>> lots = shapely.box([0, 150, 300], 0, [100, 250, 400], 100)
    >>> found = within(lots[0], lots[1:], distance_ft=200)
    >>> found.index.tolist(), found.distance_ft.tolist()
    ([0, 1], [50.0, 200.0])
    """
    shapely.prepare(premises)
    distances = shapely.distance(premises, geometries)
    index = np.flatnonzero(distances <= distance_ft)
    index = index[np.argsort(distances[index], kind="stable")]
    return Within(index, distances[index])


def nearest_line(premises: shapely.Geometry, geometry: shapely.Geometry) -> shapely.LineString:
    """Draw the shortest line from the premises to a geometry: the evidence of a distance."""
    line: shapely.LineString = shapely.shortest_line(premises, geometry)
    return line


class Uncovered(Struct, frozen=True):
    """The part of a search area where no parcel is known.

    ``points`` are sample points in that part, ``from_ft`` the distance from the premises at which it begins, ``share`` its share of
    the sampled search area, ``directions`` the compass points towards it, the fullest first.
    """

    points: "NDArray[Any]"
    from_ft: float
    share: float
    directions: tuple[str, ...]


def bare_area(region: shapely.Geometry, geometries: "Sequence[Any] | NDArray[Any]", *, gap_ft: float) -> shapely.Geometry:
    """Return the part of a region without parcels, as :func:`uncovered` finds it: to be drawn, never measured with.

    The parcels must be known out to ``gap_ft`` beyond the region. Lot lines are taken to a foot: nobody sees less on a map of a search area.

    Examples
    --------
    >>> lots = shapely.box([0, 250], 0, [200, 450], 1000)
    >>> bare_area(shapely.box(0, 0, 450, 900), lots, gap_ft=200).is_empty
    True
    >>> round(bare_area(shapely.box(0, 0, 950, 900), lots, gap_ft=200).area, -4)
    450000.0
    """
    radius = gap_ft / 2
    near = shapely.buffer(region, gap_ft)
    known = np.array(list(geometries), dtype=object)
    known = known[shapely.STRtree(known).query(near, predicate="intersects")] if len(known) else known
    empty = shapely.difference(near, shapely.union_all(shapely.buffer(shapely.simplify(known, 1.0), 0.5, quad_segs=1)))
    # What no circle as wide as a street fits into is a street.
    opened = shapely.buffer(shapely.buffer(empty, -radius), radius)
    bare = shapely.difference(shapely.intersection(opened, region), shapely.union_all(known))
    # The round edges of the circles leave slivers along lot lines.
    wide = [part for part in shapely.get_parts(bare) if not shapely.buffer(part, -gap_ft / 20).is_empty]
    return shapely.union_all(wide)


def uncovered(
    premises: "Polygonal", geometries: "Sequence[Any] | NDArray[Any]", *, distance_ft: float, gap_ft: float
) -> Uncovered | None:
    """Find where the search area round the premises is not covered by parcels.

    Gaps up to ``gap_ft`` wide (streets) count as covered: a place is uncovered only where a circle of that diameter that touches no
    parcel can be laid over it. At the outer edge of the layer nothing stands on the far side, so the edge itself is where cover ends.

    Parameters
    ----------
    premises
        Polygon or MultiPolygon, in a projected CRS in feet.
    geometries
        The parcels that are known, the premises among them, out to ``distance_ft + 2 * gap_ft`` at least.
    distance_ft
        How far the search reaches.
    gap_ft
        The widest gap between parcels that is taken for a street.

    Returns
    -------
    Uncovered or None
        None where all of it is covered.

    Examples
    --------
    >>> block = shapely.box([-2000, 100], -2000, [0, 2000], 2000)
    >>> uncovered(shapely.box(-50, -50, 0, 50), block, distance_ft=500, gap_ft=200) is None
    True
    >>> uncovered(shapely.box(-50, -50, 0, 50), block[:1], distance_ft=500, gap_ft=200).directions
    ('north-east', 'south-east', 'east', 'north', 'south')
    """
    # A street is a place without parcels and must not be reported as a hole. A circle as wide as the widest street tells them apart: it fits
    # into a hole, and not between two rows of lots.
    radius = gap_ft / 2
    known = np.array([*geometries, premises], dtype=object)
    empty = _empty_centres(premises, known, reach_ft=distance_ft + radius, radius_ft=radius)
    if not len(empty):  # most often: no place needs to be looked at
        return None
    points, area = _sample(premises, distance_ft)
    # A circle's centre may lie up to a grid step off the sampled one.
    bare, _ = distinct(shapely.STRtree(empty).query(points, predicate="dwithin", distance=radius + _GRID_FT)[0])
    inside, _ = distinct(shapely.STRtree(known).query(points[bare], predicate="intersects")[0])
    bare = np.delete(bare, inside)
    # The edge was sampled on a buffer, which is good enough to find holes by. Whether a place is in the search area is asked of the distance
    # itself.
    bare = bare[shapely.distance(premises, points[bare]) <= distance_ft]
    if not len(bare):
        return None
    open_points = points[bare]
    centre = shapely.centroid(premises)
    bearings = np.degrees(np.arctan2(shapely.get_x(open_points) - centre.x, shapely.get_y(open_points) - centre.y))
    sectors, counts = distinct(np.round(bearings / 45).astype(int) % 8)
    order = np.argsort(-counts, kind="stable")
    return Uncovered(
        points=open_points,
        from_ft=float(shapely.distance(premises, open_points).min()),
        share=min(1.0, float((bare < area).sum()) / max(area, 1)),
        directions=tuple(COMPASS[sectors[n]] for n in order),
    )


def _empty_centres(premises: "Polygonal", known: "NDArray[Any]", *, reach_ft: float, radius_ft: float) -> "NDArray[Any]":
    """Return the points of a grid that lie ``radius_ft`` or more from everything known.

    Most points have a corner of a lot close by, which the grid itself shows. Only the others are measured, each against the geometries near it.
    """
    grid = _grid(premises, reach_ft)
    # Between premises far apart nothing was searched, and nothing is known.
    far = _around_each(grid, premises, reach_ft) & _grid_without_vertices(grid, known, radius_ft=radius_ft)
    points = _points(grid[far])
    tree = shapely.STRtree(known)
    near, _ = distinct(tree.query(points, predicate="dwithin", distance=radius_ft)[0])
    points = np.delete(points, near)
    # The tree's boxes round: what lies at the very distance is asked of the geometry itself.
    of_point, of_known = tree.query(points, predicate="dwithin", distance=radius_ft + 0.001)
    close = shapely.dwithin(known[of_known], points[of_point], radius_ft)
    return np.delete(points, distinct(of_point[close])[0])


def _around_each(grid: "NDArray[np.float64]", premises: "Polygonal", by_ft: float) -> "NDArray[np.bool_]":
    """Return which points of a grid lie in the box around a part of the premises; all of them where there is one part."""
    xs, ys = grid[0, :, 0], grid[:, 0, 1]
    parts = shapely.get_parts(premises)
    around = np.full(grid.shape[:2], len(parts) == 1)
    for minx, miny, maxx, maxy in shapely.bounds(parts) if len(parts) > 1 else ():
        left, right = np.searchsorted(xs, (minx - by_ft - _GRID_FT, maxx + by_ft + _GRID_FT))
        bottom, top = np.searchsorted(ys, (miny - by_ft - _GRID_FT, maxy + by_ft + _GRID_FT))
        around[bottom:top, left:right] = True
    return around


def _grid_without_vertices(grid: "NDArray[np.float64]", known: "NDArray[Any]", *, radius_ft: float) -> "NDArray[np.bool_]":
    """Return which points of a grid have no vertex so close that its place in the grid is proof enough of ``radius_ft``."""
    rows, columns = grid.shape[:2]
    most = int(radius_ft / _GRID_FT)
    # A vertex lies at most half a cell's diagonal from its nearest point of the grid, so that much is given away.
    certain_ft = radius_ft - _GRID_FT / np.sqrt(2) - _GRID_FT / 1000
    cells = np.rint((shapely.get_coordinates(known) - grid[0, 0]) / _GRID_FT).astype(int) + most
    inside = (cells >= 0).all(axis=1) & (cells[:, 0] < columns + 2 * most) & (cells[:, 1] < rows + 2 * most)
    held = np.zeros((rows + 2 * most, columns + 2 * most), dtype=bool)
    held[cells[inside, 1], cells[inside, 0]] = True
    far = np.ones((rows, columns), dtype=bool)
    for up in range(2 * most + 1):
        for right in range(2 * most + 1):
            if np.hypot(up - most, right - most) * _GRID_FT <= certain_ft:
                far &= ~held[up : up + rows, right : right + columns]
    return far


def _grid(premises: "Polygonal", reach_ft: float) -> "NDArray[np.float64]":
    """Return the coordinates of a square grid over the premises and what is within reach, as rows from south to north."""
    minx, miny, maxx, maxy = premises.bounds
    xs = np.arange(minx - reach_ft, maxx + reach_ft + _GRID_FT, _GRID_FT)
    ys = np.arange(miny - reach_ft, maxy + reach_ft + _GRID_FT, _GRID_FT)
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def _sample(premises: "Polygonal", distance_ft: float) -> "tuple[NDArray[Any], int]":
    """Return points over the search area, then along its edge, and how many of them are over the area."""
    grid = _grid(premises, distance_ft)
    inner = _points(grid[_around_each(grid, premises, distance_ft)])
    # dwithin, not a buffer, so that a place at exactly the distance is searched as it is notified.
    inner = inner[shapely.dwithin(premises, inner, distance_ft)]
    rim = shapely.get_coordinates(shapely.segmentize(premises.buffer(distance_ft - 0.5, quad_segs=64).boundary, _RIM_FT))
    return np.concatenate([inner, _points(rim)]), len(inner)


def _points(coordinates: "NDArray[np.float64]") -> "NDArray[Any]":
    made: NDArray[Any] = np.asarray(shapely.points(coordinates), dtype=object)
    return made
