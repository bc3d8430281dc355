"""Lot lines digitized by hand: the premises' boundary as rings, the runs along something, and the directions, corners and bends."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

__all__ = [
    "CORNER_DEG",
    "SHORT_RUN_FT",
    "FloatArray",
    "GeometryArray",
    "IntArray",
    "Interval",
    "Ring",
    "ahead",
    "bearing_deg",
    "break_at_corners",
    "corner_near",
    "covered",
    "ends_of_lines",
    "ends_of_polygons",
    "jogs",
    "join",
    "left_open",
    "length_ft",
    "line_along",
    "origins",
    "outline",
    "rings_of",
    "rings_of_each",
    "round_at_end",
    "rounded_corners",
    "simplify",
    "turns",
    "unit",
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


SIMPLIFY_FT: Final = 0.5
"""A line's direction is that of the line simplified to this."""
CORNER_DEG: Final = 40.0
"""A street turns a corner where its line turns by more than this."""
BEND_DEG: Final = 12.0
"""Below this, two runs of a line are one line."""
SHARP_DEG: Final = 65.0
"""A single turn beyond this is a corner of its own, never one end of a cut or rounded corner."""
ROUND_MAX_DEG: Final = 135.0
"""A rounded corner turns no more than this in all; more is two corners close together (the narrow end of a block) ..."""
POINTED_MAX_DEG: Final = 160.0
"""... unless it is the tip of land between two streets that meet at an acute angle: round all along, with no straight piece in it."""
ROUND_RADIUS_FT: Final = 60.0
"""Largest radius of a rounded street corner; a wider bend is a curve of the street. Usual corner radii are 15 to 30 ft."""
BULB_RADIUS_FT: Final = 65.0
"""Largest radius of the bulb of a cul-de-sac; 40 to 60 ft are usual."""
CHORD_FT: Final = 15.0
"""Longest chord of a rounded corner that ends at a lot corner, or last step of its arc: of a radius of 20 ft through 45 degrees. A longer piece may
be a frontage."""
SHORT_RUN_FT: Final = 10.0
"""A piece between corners no longer than this is a jog of the line, not a frontage of its own."""
JOG_FT: Final = 31.0
"""Longest step of a street line that turns out and back again: less than the width of any street that could run there. Streets are widened
by round figures: a step of 30 ft is one, however it was drawn."""
ACUTE_DEG: Final = 30.0
"""Below this angle of a corner a neighbour along one side is within tolerance of the other side for more than two tolerances."""
WINDOW_FT: Final = 15.0
"""How far to each side of a point its corner is judged."""


def length_ft(xy: FloatArray) -> float:
    """Return the length of a line."""
    # By hand: most have two vertices, and numpy takes ten times as long over them.
    return sum(math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(xy.tolist()))


def unit(vector: FloatArray) -> FloatArray:
    """Return the unit vector of a direction."""
    east, north = vector.tolist()
    length = math.hypot(east, north)
    return np.array([east / length, north / length])


def simplify(xy: FloatArray) -> FloatArray:
    """Simplify a line to 0.5 ft, its ends kept.

    What Douglas and Peucker's method leaves may still hold a vertex in the middle of a straight run, where several were equally far from
    its first chord; such a one is dropped, so that vertices added along a line change nothing.
    """
    if len(xy) < 3:  # noqa: PLR2004  # two points are straight
        return xy
    if len(xy) == 3:  # noqa: PLR2004  # one point may go: most corners are looked at so
        return xy if _off_chord(*xy.tolist()) > SIMPLIFY_FT else xy[::2]
    # Lot lines are digitized with a foot's wobble. A direction taken from a raw segment of 3 ft can be 15 degrees off, which is 50 ft across
    # a wide street. 0.5 ft is below what a tax map is good to and above what wobble makes of a straight line.
    kept: FloatArray = shapely.get_coordinates(shapely.simplify(line_along(xy), SIMPLIFY_FT, preserve_topology=False))
    if len(kept) < 3:  # noqa: PLR2004  # as above
        return kept
    # Number by number: what is left has a few vertices, and an array costs more than all of them.
    points = kept.tolist()
    off = [_off_chord(*points[n - 1 : n + 2]) for n in range(1, len(points) - 1)]
    while off and (least := min(off)) < SIMPLIFY_FT:
        n = off.index(least)
        del points[n + 1], off[n]
        for m in (n - 1, n):
            if 0 <= m < len(off):
                off[m] = _off_chord(*points[m : m + 3])
    return kept if len(points) == len(kept) else np.array(points)


def _off_chord(a: Sequence[float], p: Sequence[float], b: Sequence[float]) -> float:
    """Return how far a vertex lies from the segment between its neighbors."""
    (ax, ay), (px, py), (bx, by) = a, p, b
    dx, dy, wx, wy = bx - ax, by - ay, px - ax, py - ay
    share = min(max((wx * dx + wy * dy) / max(dx * dx + dy * dy, 1e-12), 0.0), 1.0)
    return math.hypot(wx - share * dx, wy - share * dy)


def turns(xy: FloatArray) -> FloatArray:
    """Return the turn at each inner vertex, degrees, positive to the left, shape (n - 2,)."""
    return np.array(_turns_deg(xy))


def _turns_deg(xy: FloatArray) -> list[float]:
    # Number by number: a simplified line has a few vertices, for which an array costs ten times as much.
    step = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(xy.tolist())]
    return [math.degrees(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) for (ux, uy), (vx, vy) in pairwise(step)]


def corner_near(ring: Ring, at: float, *, tolerance_ft: float) -> tuple[float, bool]:
    """Find the corner of a ring nearest in meaning to a place on it, where the tolerance of a neighbour's line left off.

    At a sharp corner that sticks out the neighbour stays within tolerance farther along the other side, up to the tolerance over the sine
    of its angle.

    Returns
    -------
    tuple
        Where on the ring the sharpest bend within two tolerances (or that) lies, and True; or the place itself, and False where the line
        runs on straight.
    """
    window = min(WINDOW_FT, ring.length / 4)
    path = ring.path(at - window, at + window)
    kept = simplify(path)
    if len(kept) < 3:  # noqa: PLR2004  # no inner vertex
        return at, False
    if len(path) == 3:  # noqa: PLR2004  # one corner, and it was kept
        places = [length_ft(path[:2])]
    else:
        places = np.asarray(shapely.line_locate_point(line_along(path), shapely.points(kept[1:-1]))).tolist()
    best, sharpest = 0.0, BEND_DEG
    for along, turn in zip(places, _turns_deg(kept), strict=True):
        place = along - window
        # Along a sharp tip the neighbor stays within tolerance of both sides: the sine says how far.
        sine = math.sin(math.radians(min(max(180 - turn, 1), 90))) if turn > 180 - ACUTE_DEG else 1.0
        if abs(place) <= tolerance_ft / sine + tolerance_ft and abs(turn) > sharpest:
            best, sharpest = place, abs(turn)
    return at + best, sharpest > BEND_DEG


def ahead(xy: FloatArray, *, at_least_ft: float, skip_ft: float = SHORT_RUN_FT) -> tuple[FloatArray, float]:
    """Return the direction of a line's first straight run, going from its first vertex, and the run's length.

    Runs shorter than ``at_least_ft`` that lie in the first ``skip_ft`` (a cut corner, a monument's jog) are passed over.
    Where no run is long enough the first one's direction is given with its length, for the caller to judge.
    """
    begins = 0.0
    first: tuple[FloatArray, float] | None = None
    for (ax, ay), (bx, by) in pairwise(simplify(xy).tolist()):
        length = math.hypot(bx - ax, by - ay)
        if begins > skip_ft and first:
            break
        if first is None or length >= at_least_ft:
            run = unit(np.array([bx - ax, by - ay])), length
            if length >= at_least_ft:
                return run
            first = run
        begins += length
    assert first is not None  # noqa: S101  # a line has two vertices
    return first


def rounded_corners(xy: FloatArray) -> FloatArray:
    """Replace each rounded or cut corner of a simplified frontage by its point of intersection.

    Only corners that stick out count (the land on the left, a turn to the left): a bulb of a cul-de-sac bends inward and stays a curve.

    Examples
    --------
    >>> import numpy as np
    >>> rounded_corners(np.array([[0.0, 0], [80, 0], [94, 6], [100, 20], [100, 100]])).tolist()
    [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0]]
    """
    if len(xy) < 4:  # noqa: PLR2004  # a rounded corner has two inner vertices
        return xy
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    made = [xy[:1]]
    i = 1
    while i < len(xy) - 1:
        j = _end_of_round(i, turn, length)
        met = _points_of_intersection(xy, turn, i, j) if turn[i - 1 : j].sum() > CORNER_DEG else None
        made.append(xy[i : j + 1] if met is None else met)
        i = j + 1
    made.append(xy[-1:])
    return np.concatenate(made)


def round_at_end(xy: FloatArray, lot_line: FloatArray | None, *, backward: bool = False) -> int:
    """Count the last segments of a simplified frontage that are the arc or chord of a rounded corner with no street line past it.

    Such a corner ends at a lot corner: the neighbor's lot begins on the curve. A piece that goes on into the lot line is none, but a bare run of that line.

    Parameters
    ----------
    xy
        The frontage, going to that end.
    lot_line
        The lot line that ends it, going on from there; None where the boundary runs on straight.
    backward
        Whether the frontage is walked with the land on the right.

    Examples
    --------
    >>> import numpy as np
    >>> round_at_end(np.array([[0.0, 0], [100, 0], [109, -9]])[:, ::1] * [1, -1], np.array([[109.0, 9], [60, 50]]))
    1
    """
    if lot_line is None or len(xy) < 3:  # noqa: PLR2004  # one segment has no turn
        return 0
    turn = turns(xy) * (-1 if backward else 1)
    length = np.hypot(*np.diff(xy, axis=0).T)
    first = last = len(turn) - 1
    if not BEND_DEG / 3 < turn[last] < SHARP_DEG:
        return 0
    while first and BEND_DEG / 3 < turn[first - 1] < SHARP_DEG:
        if length[first] > ROUND_RADIUS_FT * np.radians(max(turn[first - 1], turn[first])):
            break
        first -= 1
    if turn[first:].sum() <= CORNER_DEG:
        return 0
    away, run_ft = ahead(lot_line, at_least_ft=HAIR_FT)
    into = unit(xy[-1] - xy[-2])
    goes_on = run_ft > HAIR_FT and float(away @ into) > np.cos(np.radians(BEND_DEG))
    return 0 if length[-1] > CHORD_FT or goes_on else len(turn) - first


def _end_of_round(i: int, turn: FloatArray, length: FloatArray) -> int:
    """Return the last vertex of the rounded corner that begins at vertex ``i`` (``turn[k - 1]`` is at vertex ``k``)."""
    j = i
    if not BEND_DEG / 3 < turn[i - 1] < SHARP_DEG:
        return i
    while j < len(turn):
        step = turn[j]
        # At its two ends a rounded corner turns by half of what it does between.
        # The radius tells a rounded corner (15 to 30 ft, for trucks to turn) from a curve of the street itself, which is no corner however
        # far it turns.
        radius = length[j] / np.radians(max(turn[j - 1], step))
        if not BEND_DEG / 3 < step < SHARP_DEG or radius > ROUND_RADIUS_FT:
            break
        j += 1
    return j


def _points_of_intersection(xy: FloatArray, turn: FloatArray, i: int, j: int) -> FloatArray | None:
    """Return the point that the rounded corner from vertex ``i`` to ``j`` counts as, shape (1, 2); two where it is two corners; None where it is none."""
    if i == j:
        return None
    total = float(turn[i - 1 : j].sum())
    longest = float(np.hypot(*np.diff(xy[i : j + 1], axis=0).T).max())
    # The surveyor's point of intersection, where the two street lines would meet: from there both frontages have the length that the deed
    # gives them, and the arc belongs to neither.
    if total <= ROUND_MAX_DEG or (total <= POINTED_MAX_DEG and longest <= SHORT_RUN_FT + HAIR_FT):
        met = [_intersection(xy[i - 1], xy[i], xy[j], xy[j + 1])]
    else:
        middle, along = _middle(xy, turn, i, j)
        met = [
            _intersection(xy[i - 1], xy[i], middle, middle + along),
            _intersection(middle - along, middle, xy[j], xy[j + 1]),
        ]
    found = [point for point in met if point is not None]
    reach = 2 * ROUND_RADIUS_FT
    if len(found) < len(met) or any(np.hypot(*(xy[[i, j]] - point).T).max() >= reach for point in found):
        return None
    return np.array(found)


def _middle(xy: FloatArray, turn: FloatArray, i: int, j: int) -> tuple[FloatArray, FloatArray]:
    """Return the tangent where a rounded corner has turned by half: a point, and a unit vector."""
    turned = np.cumsum(turn[i - 1 : j])
    half = turned[-1] / 2
    k = int(np.argmax(turned > half - 1.0))
    # Half of it may lie behind when a straight piece begins, or be reached at a vertex.
    on = (xy[i + k] + xy[i + k + 1]) / 2 if turned[k] < half + 1.0 else xy[i + k]
    angle = np.radians(half)
    u = unit(xy[i] - xy[i - 1])
    return on, np.array([u[0] * np.cos(angle) - u[1] * np.sin(angle), u[0] * np.sin(angle) + u[1] * np.cos(angle)])


def _intersection(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray | None:
    """Intersect the line a-b, going on beyond b, with the line c-d, going back before c."""
    u, v = b - a, c - d
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) < 1e-9:  # noqa: PLR2004  # parallel
        return None
    w = c - b
    along = (w[0] * v[1] - w[1] * v[0]) / cross
    back = (w[0] * u[1] - w[1] * u[0]) / cross
    return None if along < -HAIR_FT or back < -HAIR_FT else b + along * u


def jogs(xy: FloatArray) -> NDArray[np.bool_]:
    """Return for each segment whether it is the step of a jog: within 30 ft the line turns out and back again, shape (n - 1,)."""
    if len(xy) < 4:  # noqa: PLR2004  # a step has a segment before it and one after
        return np.zeros(len(xy) - 1, dtype=bool)
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    found = np.zeros(len(length), dtype=bool)
    found[1:-1] = (
        (length[1:-1] <= JOG_FT + HAIR_FT)
        & (turn[:-1] * turn[1:] < 0)
        & (np.abs(turn) > CORNER_DEG)[:-1]
        & (np.abs(turn) > CORNER_DEG)[1:]
        & (np.abs(turn[:-1] + turn[1:]) <= CORNER_DEG)
    )
    return found


def break_at_corners(xy: FloatArray) -> list[FloatArray]:
    """Break a frontage at street corners: a turn over 40 degrees.

    A bulb's inward bends are one curve, and a step of the line that turns out and back again within 30 ft is a jog: neither breaks it.

    Parameters
    ----------
    xy
        The frontage, simplified, rounded corners replaced.
    """
    if len(xy) < 3:  # noqa: PLR2004  # two points are straight
        return [xy]
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    corner = np.abs(turn) > CORNER_DEG
    jog = jogs(xy)
    corner[jog[1:] | jog[:-1]] = False
    for k in range(len(turn)):
        # Inward turns of a bulb add up to more than a corner. They are one frontage on one street, so lots around the bulb are looked at from
        # the whole of it.
        curve = [n for n in (k - 1, k + 1) if 0 <= n < len(turn) and BEND_DEG < -turn[n] < SHARP_DEG]
        if -SHARP_DEG < turn[k] < 0 and any(
            length[max(n, k)] <= BULB_RADIUS_FT * np.radians(max(-turn[k], -turn[n])) for n in curve
        ):
            corner[k] = False
    cuts = [0, *(np.flatnonzero(corner) + 1).tolist(), len(xy) - 1]
    return [xy[a : b + 1] for a, b in pairwise(cuts)]
