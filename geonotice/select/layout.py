"""The applicant's drawing on the premises: how much ground is for parking, and how far structures stand from each sort of lot line.

Facts only: which setback a district asks for is no matter here; widths come as numbers. All in US survey feet, in the town's CRS.

A lot line that faces a street or right-of-way is a *front* line. Of the others, one that runs within 45 degrees of a front line's own
direction and does not end on that front line is a *rear* line, the rest are *side* lines. On a corner lot both inner lines may come out as
rear lines, the stricter reading of the two.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import shapely
from shapely import LineString, MultiLineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import RUN_TOLERANCES
from geonotice.select.bends_and_rounded_corners import break_at_corners
from geonotice.select.lot_lines import HAIR_FT, FloatArray, rings_of

__all__ = ["LotSides", "Placed", "PlacedLayout", "both_sides_ft", "is_parking", "lot_sides", "place_layout", "within_setbacks"]

Side = Literal["front", "side", "rear"]

PARALLEL_COS: Final = float(np.cos(np.radians(45)))
"""A line within 45 degrees of the front line's direction runs along it rather than away from it."""

PARKING: Final = ("parking", "car park", "parking lot", "parking area")


class LotSides(NamedTuple):
    """The boundary of the premises by the sort of lot line; each may be empty."""

    front: BaseGeometry
    side: BaseGeometry
    rear: BaseGeometry


class Placed(NamedTuple):
    """A structure of the drawing, and its least distance to each sort of lot line (None: the premises have no such line).

    ``both_sides_ft`` is that to the nearest side line and to the one across from it, together (None where only one side has such a line).
    """

    what: str
    front_ft: float | None
    side_ft: float | None
    rear_ft: float | None
    both_sides_ft: float | None = None


class PlacedLayout(NamedTuple):
    """What was measured on the drawing.

    Parameters
    ----------
    parking_sq_ft
        Ground drawn for parking on the premises; None where none is drawn.
    structures
        Everything else drawn that is on the premises, at least in part: what stands beside them keeps no distance on them.
    outside
        Names of what lies on the premises not at all or only in part.
    """

    parking_sq_ft: float | None
    structures: tuple[Placed, ...]
    outside: tuple[str, ...]


def lot_sides(land: BaseGeometry, frontages: Sequence[LineString], *, tolerance_ft: float) -> LotSides:
    """Sort the boundary of the premises into front, side and rear lines.

    Parameters
    ----------
    land
        The premises as one geometry.
    frontages
        The runs of its boundary along a street or right-of-way.
    tolerance_ft
        How far a frontage may lie off the boundary.

    Examples
    --------
    >>> lot = shapely.box(0, 0, 100, 200)
    >>> sides = lot_sides(lot, [LineString([(0, 0), (100, 0)])], tolerance_ft=1.5)
    >>> [round(lines.length) for lines in sides]
    [100, 400, 100]
    """
    found: dict[Side, list[LineString]] = {"front": [], "side": [], "rear": []}
    fronts = shapely.union_all(list(frontages)) if frontages else MultiLineString()
    band = fronts.buffer(tolerance_ft, cap_style="flat") if frontages else None
    for ring in rings_of(land):
        for piece in break_at_corners(ring.xy):
            line = LineString(piece)
            # A side line dips into the band at its end: a run along the street is longer than that.
            ahead = _lines(line.intersection(band), RUN_TOLERANCES * tolerance_ft) if band is not None else []
            behind = line.difference(shapely.union_all(ahead).buffer(HAIR_FT)) if ahead else line
            found["front"] += ahead
            for part in _lines(behind, tolerance_ft):
                found[_sort_of(part, frontages, tolerance_ft)].append(part)
    return LotSides(*(MultiLineString(found[name]) for name in ("front", "side", "rear")))


def is_parking(what: str) -> bool:
    """Whether a drawing's word for a thing says that cars are parked there."""
    return what.strip().casefold() in PARKING


def place_layout(
    land: BaseGeometry, sides: LotSides, drawn: Sequence[tuple[str, BaseGeometry]], *, tolerance_ft: float
) -> PlacedLayout:
    """Measure what is drawn.

    Parameters
    ----------
    land, sides
        The premises, and their boundary by :func:`lot_sides`.
    drawn
        What it is (``parking``, ``stage``, ``tent`` …) and its geometry, in the CRS of ``land``.
    tolerance_ft
        How far something may reach over the boundary and still be counted on the premises.

    Examples
    --------
    >>> lot = shapely.box(0, 0, 100, 200)
    >>> sides = lot_sides(lot, [LineString([(0, 0), (100, 0)])], tolerance_ft=1.5)
    >>> placed = place_layout(lot, sides, [("stage", shapely.box(40, 30, 60, 50)), ("Parking", shapely.box(0, 100, 100, 150))], tolerance_ft=1.5)
    >>> placed.parking_sq_ft, placed.structures[0]
    (5000.0, Placed(what='stage', front_ft=30.0, side_ft=40.0, rear_ft=150.0, both_sides_ft=80.0))
    """
    grounds = [geometry for what, geometry in drawn if is_parking(what)]
    reach = land.buffer(tolerance_ft)
    structures = tuple(
        Placed(
            what,
            front_ft=_distance(geometry, sides.front),
            side_ft=_distance(geometry, sides.side),
            rear_ft=_distance(geometry, sides.rear),
            both_sides_ft=both_sides_ft(geometry, sides.side),
        )
        for what, geometry in drawn
        if not is_parking(what) and reach.intersects(geometry)
    )
    outside = tuple(what for what, geometry in drawn if not reach.covers(geometry))
    parking = float(shapely.union_all(grounds).intersection(land).area) if grounds else None
    return PlacedLayout(parking, structures, outside)


def within_setbacks(
    land: BaseGeometry, sides: LotSides, *, front_ft: float | None, side_ft: float | None, rear_ft: float | None
) -> BaseGeometry:
    """Return the ground on which everything keeps the setbacks; empty where they leave none. A width of None takes nothing away.

    Examples
    --------
    >>> lot = shapely.box(0, 0, 100, 200)
    >>> sides = lot_sides(lot, [LineString([(0, 0), (100, 0)])], tolerance_ft=1.5)
    >>> within_setbacks(lot, sides, front_ft=40, side_ft=20, rear_ft=60).area
    6000.0
    """
    inner = land
    for lines, width in zip(sides, (front_ft, side_ft, rear_ft), strict=True):
        if width and not lines.is_empty:
            inner = inner.difference(lines.buffer(width, quad_segs=32))
    return inner


def _sort_of(part: LineString, frontages: Sequence[LineString], tolerance_ft: float) -> Side:
    for front in frontages:
        along = abs(float(_direction(part) @ _direction(front))) > PARALLEL_COS
        # A line that ends on the frontage runs away from it however it is turned (a flag lot's pole, a curved street).
        meets = min(shapely.distance(shapely.Point(part.coords[end]), front) for end in (0, -1)) <= 2 * tolerance_ft
        if along and not meets:
            return "rear"
    return "side"


def _direction(line: LineString) -> FloatArray:
    xy = shapely.get_coordinates(line)
    chord = xy[-1] - xy[0]
    length = float(np.hypot(*chord))
    return chord / length if length else np.array([1.0, 0.0])


def _distance(geometry: BaseGeometry, lines: BaseGeometry) -> float | None:
    return None if lines.is_empty else float(shapely.distance(geometry, lines))


def both_sides_ft(geometry: BaseGeometry, side: BaseGeometry) -> float | None:
    """Return how far a thing stands from the nearest side line and from the one across from it, together; None without one across.

    Examples
    --------
    >>> both_sides_ft(shapely.box(40, 30, 60, 50), MultiLineString([[(0, 0), (0, 200)], [(100, 0), (100, 200)]]))
    80.0
    """
    ways = [shapely.shortest_line(geometry, part) for part in shapely.get_parts(side)]
    ways.sort(key=lambda way: float(way.length))
    if not ways or not ways[0].length:
        # What touches a side line has no direction to it: its own middle tells which side that is.
        ways = [shapely.shortest_line(geometry.centroid, part) for part in shapely.get_parts(side)]
        ways.sort(key=lambda way: float(way.length))
    if not ways:
        return None
    first = _direction(ways[0])
    across = [way for way in ways[1:] if float(_direction(way) @ first) < -PARALLEL_COS]
    if not across:
        return None
    near, far = ways[0], across[0]
    return float(sum(shapely.distance(geometry, shapely.Point(way.coords[-1])) for way in (near, far)))


def _lines(geometry: BaseGeometry, least_ft: float) -> list[LineString]:
    """Return the lines of a result that are longer than what tolerance leaves at the ends."""
    parts = shapely.get_parts(shapely.line_merge(geometry) if geometry.geom_type == "MultiLineString" else geometry)
    return [part for part in parts if isinstance(part, LineString) and part.length > least_ft]
