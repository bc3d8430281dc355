"""Which streets the premises abut, where the centerlines are known.

The streets that the frontages face (:mod:`geonotice.select.facing`) are abutted. A street whose centerline lies inside the premises or within 33 ft of its boundary along 20 ft or more is abutted too,
even where no gap exists (lots drawn to the centerline).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import Abutter
from geonotice.select.centerlines import StreetLayer, jurisdiction_of
from geonotice.select.facing import ALONG_FT, SEEN_FT, Facing
from geonotice.select.frontage import Face
from geonotice.select.lot_lines import simplify
from geonotice.select.outline import FloatArray, GeometryArray, bearing_deg

__all__ = [
    "InsideRoad",
    "StreetAbutted",
    "inside_roads",
    "streets_abutted",
]

HALF_ROAD_FT: Final = 33.0
"""Half of the usual four-rod right-of-way: how near a centerline must lie where no gap shows the street."""
PARALLEL_DEG: Final = 30.0
"""A centerline runs along a lot line when their directions differ by no more."""
SIGN_BACK_FT: Final = 5.0
"""Where a sign is drawn: this far back from the street line."""


@dataclass(frozen=True, slots=True, eq=False)
class InsideRoad:
    """A lot line along which a street runs though the parcels leave no gap: the parcel across it, the centerline, and the line shared."""

    index: int
    street: int
    length_ft: float
    line: BaseGeometry


@dataclass(frozen=True, slots=True, eq=False)
class StreetAbutted:
    """A street that the premises abut.

    Parameters
    ----------
    name
        As the layer has it; empty where it gives none.
    jurisdiction
        That of the longest part along the premises, as the layer has it.
    jurisdictions
        All of them, as kinds (:func:`jurisdiction_of`), sorted.
    centerlines
        The pieces of centerline, as places in the layer.
    frontages
        The frontages that face it, as places in the list of frontages.
    frontage_ft
        Length of frontage that faces it, or of boundary along it where no frontage does.
    sign
        A place for a sign that faces it: on the premises, 5 ft back from the street line.
    sign_bearing_deg
        The way the sign faces, clockwise from north.
    gap
        Whether a gap or right-of-way parcel shows the street; False where its line has to be taken from the centerline.
    """

    name: str
    jurisdiction: str
    jurisdictions: tuple[str, ...]
    centerlines: tuple[int, ...]
    frontages: tuple[int, ...]
    frontage_ft: float
    sign: BaseGeometry
    sign_bearing_deg: float
    gap: bool


def inside_roads(
    abutters: Sequence[Abutter], closed: BaseGeometry, geometries: GeometryArray, streets: StreetLayer
) -> tuple[InsideRoad, ...]:
    """Find the lot lines along which a street runs though no gap shows it: lots drawn to the centerline.

    The centerline lies within 33 ft of the shared line, runs along it for 20 ft or more, and lies in one of the two parcels.
    """
    found: list[InsideRoad] = []
    if not len(streets.lines):
        return ()
    tree = shapely.STRtree(streets.lines)
    for abutter in abutters:
        if abutter.stacked or abutter.relation != "abutting":
            continue
        for run in abutter.runs:
            near = tree.query(run.line, predicate="dwithin", distance=HALF_ROAD_FT)
            if not len(near):
                continue
            both = shapely.union_all([closed, geometries[abutter.index]])
            places, headings, step = _along(run.line)
            best: tuple[float, int] = (0.0, -1)
            for street in near:
                line = streets.lines[street]
                nearest = shapely.get_coordinates(shapely.shortest_line(line, places)).reshape(-1, 2, 2)
                apart = np.hypot(*(nearest[:, 1] - nearest[:, 0]).T)
                turn = np.abs((_headings(line, nearest[:, 0]) - headings + np.pi / 2) % np.pi - np.pi / 2)
                held = shapely.dwithin(both, shapely.points(nearest[:, 0]), SEEN_FT)
                length = float(np.count_nonzero((apart <= HALF_ROAD_FT) & (turn <= np.radians(PARALLEL_DEG)) & held) * step)
                best = max(best, (length, int(street)), key=lambda pair: pair[0])
            if best[0] >= ALONG_FT:
                found.append(InsideRoad(abutter.index, best[1], best[0], run.line))
    return tuple(found)


def _along(line: LineString) -> tuple[GeometryArray, FloatArray, float]:
    """Give points along a line about every two feet, the line's heading at each, and their spacing."""
    xy = simplify(shapely.get_coordinates(line))
    straight = shapely.LineString(xy)
    count = max(1, int(np.ceil(straight.length / SEEN_FT)))
    at = (np.arange(count) + 0.5) * straight.length / count
    step = np.diff(xy, axis=0)
    begins = np.concatenate([[0.0], np.cumsum(np.hypot(*step.T))])
    k = np.clip(np.searchsorted(begins, at, side="right") - 1, 0, len(step) - 1)
    return shapely.line_interpolate_point(straight, at), np.arctan2(step[k, 1], step[k, 0]), straight.length / count


def _headings(line: LineString, points: FloatArray) -> FloatArray:
    """Give a centerline's heading at points on it."""
    at = shapely.line_locate_point(line, shapely.points(points))
    before = shapely.get_coordinates(shapely.line_interpolate_point(line, np.maximum(at - 1, 0)))
    after = shapely.get_coordinates(shapely.line_interpolate_point(line, np.minimum(at + 1, line.length)))
    made: FloatArray = np.arctan2(after[:, 1] - before[:, 1], after[:, 0] - before[:, 0])
    return made


def streets_abutted(
    closed: BaseGeometry, found: Sequence[Face], faced: Sequence[Sequence[Facing]], streets: StreetLayer
) -> tuple[StreetAbutted, ...]:
    """Give the streets that the premises abut, the longest frontage first.

    Parameters
    ----------
    closed
        The premises' outline.
    found
        The frontages.
    faced
        For each, the streets it faces (:func:`facing`).
    streets
        The centerlines.

    Examples
    --------
    A lot drawn to the middle of its road, so that no gap shows the road.

    >>> import numpy as np, shapely
    >>> road = StreetLayer(np.array([shapely.LineString([(-50, 100), (150, 100)])]), ("Hill Rd",), ("COUNTY",))
    >>> [(s.name, s.jurisdictions, round(s.frontage_ft), s.gap) for s in streets_abutted(shapely.box(0, 0, 100, 100), [], [], road)]
    [('Hill Rd', ('county',), 100, False)]
    """
    if not len(streets.lines):
        return ()
    groups: dict[str, dict[int, float]] = {}
    of_faces: dict[str, dict[int, float]] = {}
    for n, many in enumerate(faced):
        for one in many:
            key = streets.key(one.street)
            groups.setdefault(key, {})[one.street] = groups.get(key, {}).get(one.street, 0.0) + one.length_ft
            of_faces.setdefault(key, {})[n] = of_faces.get(key, {}).get(n, 0.0) + one.length_ft
    beside: dict[str, dict[int, float]] = {}
    near = shapely.STRtree(streets.lines).query(closed, predicate="dwithin", distance=HALF_ROAD_FT)
    if len(near):
        band = shapely.buffer(closed, HALF_ROAD_FT, quad_segs=16)
        for index, length in zip(near, shapely.length(shapely.intersection(streets.lines[near], band)), strict=True):
            beside.setdefault(streets.key(int(index)), {})[int(index)] = float(length)
    for key, pieces in beside.items():
        if sum(pieces.values()) >= ALONG_FT:
            groups.setdefault(key, dict(pieces))
    made = []
    for key, pieces in groups.items():
        longest = max(pieces, key=lambda index: (pieces[index], -index))
        lengths = of_faces.get(key, {})
        sign, bearing = _sign(closed, found[max(lengths, key=lambda n: lengths[n])] if lengths else None, streets.lines[longest])
        kinds = {jurisdiction_of(streets.jurisdictions[index]) for index in pieces} - {""}
        made.append(
            StreetAbutted(
                name=streets.names[longest],
                jurisdiction=streets.jurisdictions[longest],
                jurisdictions=tuple(sorted(kinds)),
                centerlines=tuple(sorted(pieces)),
                frontages=tuple(sorted(lengths)),
                frontage_ft=sum(lengths.values()) if lengths else _beside_ft(closed, streets.lines[sorted(pieces)]),
                sign=sign,
                sign_bearing_deg=bearing,
                gap=bool(lengths),
            )
        )
    return tuple(sorted(made, key=lambda street: (-street.frontage_ft, street.name, street.centerlines)))


def _beside_ft(closed: BaseGeometry, lines: GeometryArray) -> float:
    """Measure how much of a street's centerline lies in the premises, or else beside them at about its least distance."""
    united = shapely.union_all(lines)
    inside = float(shapely.length(shapely.intersection(united, closed)))
    least = float(shapely.distance(united, closed))
    return inside or float(shapely.length(shapely.intersection(united, shapely.buffer(closed, least + SEEN_FT))))


def _sign(closed: BaseGeometry, face: Face | None, centerline: BaseGeometry) -> tuple[BaseGeometry, float]:
    """Place a sign in the middle of a frontage, or where the premises come nearest to a centerline, and say which way it faces."""
    if face is not None:
        line = shapely.LineString(face.xy)
        middle = line.length / 2
        on = shapely.get_coordinates(
            shapely.line_interpolate_point(line, [middle, max(0.0, middle - 1), min(line.length, middle + 1)])
        )
        along = (on[2] - on[1]) / np.hypot(*(on[2] - on[1]))
        out, at = np.array([along[1], -along[0]]), on[0]
    else:
        part = shapely.intersection(centerline, shapely.buffer(closed, HALF_ROAD_FT))
        half = shapely.line_interpolate_point(shapely.get_parts(part)[0], 0.5, normalized=True)
        at, there = shapely.get_coordinates(shapely.shortest_line(shapely.boundary(closed), half))
        inside = bool(shapely.intersects(closed, half))
        way = (at - there) if inside else (there - at)
        out = way / np.hypot(*way) if np.hypot(*way) > SEEN_FT else _outward(closed, at)
    back = shapely.Point(at - SIGN_BACK_FT * out)
    place = back if shapely.intersects(closed, back) else shapely.Point(at)
    return place, bearing_deg(out[0], out[1])


def _outward(closed: BaseGeometry, at: FloatArray) -> FloatArray:
    """Give the direction out of the premises at a point of its boundary."""
    circle = shapely.intersection(shapely.Point(at).buffer(SIGN_BACK_FT), closed)
    way = at - shapely.get_coordinates(shapely.centroid(circle))[0]
    made: FloatArray = way / max(float(np.hypot(*way)), 1e-9)
    return made
