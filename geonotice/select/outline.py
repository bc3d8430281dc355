"""The premises' boundary as rings measured by arc length, and the runs of it that lie along something.

All coordinates and lengths in US survey feet, in the town's projected CRS. A ring is walked with the land on its left, so that a
turn to the left is a corner that sticks out and the outward side is on the right.
"""

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

__all__ = [
    "FloatArray",
    "GeometryArray",
    "IntArray",
    "Interval",
    "Ring",
    "bearing_deg",
    "covered",
    "join",
    "left_open",
    "outline",
    "rings_of",
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
    """

    xy: FloatArray
    at: FloatArray
    line: LineString

    @property
    def length(self) -> float:
        """Length of the ring, feet."""
        return float(self.at[-1])

    def point(self, s: float) -> FloatArray:
        """Give the point ``s`` feet along the ring, shape (2,)."""
        s = s % self.length
        return np.array([np.interp(s, self.at, self.xy[:, 0]), np.interp(s, self.at, self.xy[:, 1])])

    def path(self, start: float, end: float) -> FloatArray:
        """Give the vertices from ``start`` forward to ``end`` (``end - start`` at most one round), both ends included."""
        turn = np.floor(start / self.length) * self.length
        start, end = start - turn, end - turn
        at = np.concatenate([self.at[:-1], self.at[:-1] + self.length])
        xy = np.concatenate([self.xy[:-1], self.xy[:-1]])
        inner = (at > start + HAIR_FT) & (at < end - HAIR_FT)
        return np.vstack([self.point(start)[None], xy[inner], self.point(end)[None]])


def bearing_deg(east: float, north: float) -> float:
    """Give the bearing of a direction, clockwise from north, 0 up to 360.

    Examples
    --------
    >>> bearing_deg(0.0, 1.0), bearing_deg(-1e-12, 1.0), bearing_deg(-1.0, 0.0)
    (0.0, 0.0, 270.0)
    """
    return float(np.round(np.degrees(np.arctan2(east, north)), 6) % 360)


def rings_of(geometry: BaseGeometry) -> list[Ring]:
    """Give every ring of a polygon or multipolygon, land on the left, repeated vertices dropped."""
    rings = []
    for polygon in shapely.get_parts(geometry):
        if shapely.get_type_id(polygon) != shapely.GeometryType.POLYGON:
            continue
        for ring in shapely.get_rings(shapely.orient_polygons(polygon)):
            xy = shapely.get_coordinates(ring)
            step = np.hypot(*np.diff(xy, axis=0).T)
            xy = np.vstack([xy[:1], xy[1:][step > HAIR_FT]])
            if len(xy) < 4:  # noqa: PLR2004  # a triangle has four, with the first repeated
                continue
            xy[-1] = xy[0]
            at = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
            rings.append(Ring(xy=xy, at=at, line=shapely.LineString(xy)))
    return rings


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


def covered(ring: Ring, band: BaseGeometry) -> list[Interval]:
    """Give the pieces of a ring that lie in a band, as intervals along it, unjoined."""
    shared = shapely.intersection(ring.line, band)
    lines = [part for part in shapely.get_parts(shared) if shapely.get_type_id(part) == shapely.GeometryType.LINESTRING]
    if not lines:
        return []
    xy, index = shapely.get_coordinates(lines, return_index=True)
    same = index[1:] == index[:-1]
    first, last = xy[:-1][same], xy[1:][same]
    middle = shapely.line_locate_point(ring.line, shapely.points((first + last) / 2))
    half = np.hypot(*(last - first).T) / 2
    return [(float(m - h), float(m + h)) for m, h in zip(middle, half, strict=True)]


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
    """Give what joined intervals leave of a ring; a ring not taken at all gives ``[(0.0, length)]``."""
    if not taken:
        return [(0.0, length)]
    if taken[0][1] - taken[0][0] >= length:
        return []
    starts = [*[start for start, _ in taken[1:]], taken[0][0] + length]
    return [(end, start) for (_, end), start in zip(taken, starts, strict=True)]
