"""Lot lines digitized by hand: the boundary of the premises as rings, and the runs along something."""

import math
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "FloatArray",
    "GeometryArray",
    "IntArray",
    "Interval",
    "Ring",
    "bearing_deg",
    "covered",
    "ends_of_lines",
    "ends_of_polygons",
    "join",
    "left_open",
    "line_along",
    "origins",
    "outline",
    "rings_of",
    "rings_of_each",
]


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
GeometryArray = NDArray[np.object_]
Interval = tuple[float, float]
"""Where a run starts and ends on a ring, in feet along it; the end may lie past the ring's length where the run goes round its start."""

HAIR_FT = 1e-3
"""What rounding may move a line that was computed: far below any tolerance, far above double precision at state-plane coordinates."""
QUAD_SEGS = 32
"""Segments in a quarter circle of a tolerance band: a band of 1.5 ft is then true to 0.001 ft."""


class Ring(NamedTuple):
    """A closed boundary, walked with the land on its left.

    Parameters
    ----------
    xy
        Vertices, the first repeated at the end, shape (n + 1, 2).
    at
        Distance along the ring of each vertex, shape (n + 1,).
    line
        The same as a closed line.
    corners, marks
        The vertices of two rounds without the last, and the distance along of each: what a run that goes round the start is cut from.
    length
        Length of the ring, feet.
    """

    xy: FloatArray
    at: FloatArray
    line: LineString
    corners: list[list[float]]
    marks: list[float]
    length: float

    def point(self, s: float) -> list[float]:
        """Return the point ``s`` feet along the ring."""
        # By hand, number by number: an array costs as much as ten of these for one place, and a list asks for hundreds.
        _, at, _, corners, marks, length = self
        s = s % length
        k = min(bisect_right(marks, s), len(at) - 1) - 1
        before, after = marks[k], marks[k + 1]
        (ax, ay), (bx, by) = corners[k], corners[k + 1]
        share = (s - before) / (after - before)
        return [ax + (bx - ax) * share, ay + (by - ay) * share]

    def path(self, start: float, end: float) -> FloatArray:
        """Return the vertices from ``start`` forward to ``end`` (``end - start`` at most one round), both ends included."""
        return np.array(self.vertices(start, end))

    def vertices(self, start: float, end: float) -> list[list[float]]:
        """Return the same vertices as :meth:`path`, as lists."""
        length = self.length
        turn = math.floor(start / length) * length
        start, end = start - turn, end - turn
        first, last = bisect_right(self.marks, start + HAIR_FT), bisect_left(self.marks, end - HAIR_FT)
        return [self.point(start), *self.corners[first:last], self.point(end)]


def bearing_deg(east: float, north: float) -> float:
    """Return the bearing of a direction, clockwise from north, 0 up to 360.

    Examples
    --------
    >>> bearing_deg(0.0, 1.0), bearing_deg(-1e-12, 1.0), bearing_deg(-1.0, 0.0)
    (0.0, 0.0, 270.0)
    """
    return round(math.degrees(math.atan2(east, north)), 6) % 360


def rings_of(geometry: BaseGeometry) -> list[Ring]:
    """Return every ring of a polygon or multipolygon, land on the left, repeated vertices dropped."""
    return rings_of_each([geometry])[0]


def rings_of_each(geometries: "Sequence[BaseGeometry] | GeometryArray") -> list[list[Ring]]:
    """Return the rings of each of some polygons or multipolygons, as :func:`rings_of` has them: taken apart together, in a third of the time."""
    made: list[list[Ring]] = [[] for _ in geometries]
    polygons, of_geometry = shapely.get_parts(np.asarray(geometries, dtype=object), return_index=True)
    areal = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    rings, of_polygon = shapely.get_rings(shapely.orient_polygons(polygons[areal]), return_index=True)
    xy, of_ring = shapely.get_coordinates(rings, return_index=True)
    if not len(xy):
        return made
    step = np.hypot(*np.diff(xy, axis=0).T)
    begins = np.append(True, of_ring[1:] != of_ring[:-1])  # a ring's first vertex is always kept
    kept = np.append(True, step > HAIR_FT) | begins
    xy, of_ring = xy[kept], of_ring[kept]
    ends = np.searchsorted(of_ring, np.arange(len(rings) + 1))
    # A ring thinner than a hair is left over from a union, not land.
    land = np.flatnonzero(np.diff(ends) >= 4)  # noqa: PLR2004  # a triangle has four, with the first repeated
    if not len(land):
        return made
    xy[ends[land + 1] - 1] = xy[ends[land]]
    lengths = np.hypot(*np.diff(xy, axis=0).T)
    inside = np.isin(of_ring, land)
    lines = shapely.linestrings(xy[inside], indices=np.searchsorted(land, of_ring[inside]))
    for n, line, whose in zip(land.tolist(), lines, of_geometry[areal][of_polygon[land]].tolist(), strict=True):
        first, last = ends[n], ends[n + 1]
        at = np.concatenate([[0.0], np.cumsum(lengths[first : last - 1])])
        marks = at.tolist()
        around = marks[-1]
        corners = xy[first : last - 1].tolist()
        twice = [*marks[:-1], *[mark + around for mark in marks[:-1]]]
        made[whose].append(Ring(xy[first:last], at, line, corners * 2, twice, around))
    return made


def line_along(xy: FloatArray) -> LineString:
    """Return the line along some vertices: ``LineString`` itself takes ten times as long over them."""
    made: LineString = shapely.linestrings(xy)  # type: ignore[assignment]  # one line of one array
    return made


def origins(geometries: GeometryArray) -> FloatArray:
    """Return for each polygon what is taken off coordinates around it, so that products of them stay exact: its middle in whole feet."""
    middles = shapely.centroid(geometries)
    return np.floor(np.column_stack([shapely.get_x(middles), shapely.get_y(middles)]))


def ends_of_polygons(geometries: GeometryArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return of each edge of polygons its geometry's place, and where it starts and ends; the land lies on the left."""
    polygons, of_geometry = shapely.get_parts(geometries, return_index=True)
    # With the land on the left, the sign of one cross product tells entering from leaving, without asking whether a point lies inside.
    rings, of_polygon = shapely.get_rings(shapely.orient_polygons(polygons), return_index=True)
    return ends_of_lines(rings, of_geometry[of_polygon])


def ends_of_lines(lines: GeometryArray, owners: IntArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return of each edge of lines its owner, of which there is one for each line, and where it starts and ends."""
    xy, of_line = shapely.get_coordinates(lines, return_index=True)
    same = of_line[1:] == of_line[:-1]
    return owners[of_line[:-1][same]], xy[:-1][same], xy[1:][same]


def outline(parcels: GeometryArray, *, tolerance_ft: float) -> BaseGeometry:
    """Unite parcels and close the gaps between them up to the tolerance.

    Corners stay as they are: only what lies between two parts is filled, and holes too thin to hold anything.

    Parameters
    ----------
    parcels
        Polygons or multipolygons, valid.
    tolerance_ft
        Widest gap that digitizing may have left.

    Examples
    --------
    >>> import shapely
    >>> lots = [shapely.box(0, 0, 100, 100), shapely.box(100.4, 0, 200.4, 100)]
    >>> int(shapely.get_num_geometries(shapely.union_all(lots)))
    2
    >>> closed = outline(lots, tolerance_ft=1.5)
    >>> closed.geom_type, round(closed.area)
    ('Polygon', 20040)
    """
    parts = shapely.get_parts(np.asarray(parcels, dtype=object))
    united = parts[0] if len(parts) == 1 else _united(parts)
    if len(parts) > 1:
        # Growing and shrinking closes a gap, and would also round or fill an inner corner of a single lot. So only what is new and lies
        # between two parts is kept. Mitred, because a rounded corner would shift the frontage's end.
        half = tolerance_ft / 2 + HAIR_FT
        grown = _mitred(_mitred(united, half), -half)
        fillers = [
            _mitred(piece, 2 * HAIR_FT)
            for piece in shapely.get_parts(shapely.difference(grown, united))
            if piece.area > HAIR_FT and np.count_nonzero(shapely.dwithin(parts, piece, 2 * HAIR_FT)) > 1
        ]
        if fillers:
            united = _united(np.array([united, *fillers], dtype=object))
    return _without_thin_holes(united, tolerance_ft)


def _united(parts: GeometryArray) -> BaseGeometry:
    """Unite parts on a grid of 0.001 ft, so that lines that differ by a rounding leave no hairline between them."""
    return shapely.union_all(parts, grid_size=HAIR_FT)


def _mitred(geometry: BaseGeometry, distance_ft: float) -> BaseGeometry:
    """Buffer with sharp corners."""
    made: BaseGeometry = shapely.buffer(geometry, distance_ft, join_style="mitre", mitre_limit=10.0)
    return made


def _without_thin_holes(geometry: BaseGeometry, tolerance_ft: float) -> BaseGeometry:
    """Fill holes that a tolerance closes: what is left of a gap between parts."""
    polygons: list[shapely.Polygon] = []
    for polygon in shapely.get_parts(geometry):
        holes = [
            hole for hole in polygon.interiors if not shapely.is_empty(shapely.buffer(shapely.polygons(hole), -tolerance_ft / 2))
        ]
        polygons.append(polygon if len(holes) == len(polygon.interiors) else shapely.Polygon(polygon.exterior, holes))
    return polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons)


def covered(lines: GeometryArray, bands: GeometryArray) -> list[list[Interval]]:
    """Return for each ring, as a closed line, the pieces of it that lie in its band, as intervals along it, unjoined."""
    parts, of_line = shapely.get_parts(shapely.intersection(lines, bands), return_index=True)
    running = shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING
    xy, index = shapely.get_coordinates(parts[running], return_index=True)
    same = index[1:] == index[:-1]
    first, last = xy[:-1][same], xy[1:][same]
    whose = of_line[running][index[1:][same]]
    middle = shapely.line_locate_point(lines[whose], shapely.points((first + last) / 2))
    half = np.hypot(*(last - first).T) / 2
    found: list[list[Interval]] = [[] for _ in lines]
    for n, start, end in zip(whose.tolist(), (middle - half).tolist(), (middle + half).tolist(), strict=True):
        found[n].append((start, end))
    return found


def join(intervals: list[Interval], length: float, *, bridge_ft: float = HAIR_FT) -> list[Interval]:
    """Unite intervals on a ring of the given length; gaps up to ``bridge_ft`` are bridged.

    A ring that is covered all round gives ``[(0.0, length)]``.
    """
    flat: list[Interval] = []
    for start, end in intervals:
        if end - start >= length:
            return [(0.0, length)]
        low = start % length
        high = low + (end - start)
        flat += [(low, length), (0.0, high - length)] if high > length else [(low, high)]
    merged: list[Interval] = []
    for start, end in sorted(flat):
        if merged and start <= merged[-1][1] + bridge_ft:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    if not merged:
        return []
    if merged[0][0] + length - merged[-1][1] <= bridge_ft:
        if len(merged) == 1:
            return [(0.0, length)]
        first = merged.pop(0)
        merged[-1] = (merged[-1][0], first[1] + length)
    return merged


def left_open(taken: list[Interval], length: float) -> list[Interval]:
    """Return what joined intervals leave of a ring; a ring not taken at all gives ``[(0.0, length)]``."""
    if not taken:
        return [(0.0, length)]
    if taken[0][1] - taken[0][0] >= length:
        return []
    starts = [*[start for start, _ in taken[1:]], taken[0][0] + length]
    return [(end, start) for (_, end), start in zip(taken, starts, strict=True)]
