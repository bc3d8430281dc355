"""Which streets the premises abut, where the centerlines are known.

The streets that the frontages face (:mod:`geonotice.select.facing`) are abutted. A street whose centerline lies inside the premises or within 33 ft of its boundary along 20 ft or more is abutted too,
even where no gap exists (lots drawn to the centerline).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import Abutter
from geonotice.select.centerlines import StreetLayer, jurisdiction_of
from geonotice.select.facing import ALONG_FT, SEEN_FT, Facing
from geonotice.select.frontage import Face
from geonotice.select.lot_lines import simplify
from geonotice.select.outline import FloatArray, GeometryArray, bearing_deg, rings_of

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
END_FT: Final = 0.1
"""A place whose nearest point on a centerline is so near to its end lies past the end."""
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
    abutters: Sequence[Abutter],
    closed: BaseGeometry,
    geometries: GeometryArray,
    streets: StreetLayer,
    *,
    ways: BaseGeometry | None = None,
) -> tuple[InsideRoad, ...]:
    """Find the lot lines along which a street runs though no gap shows it: lots drawn to the centerline.

    The centerline lies within 33 ft of the shared line, runs along it for 20 ft or more, and lies in one of the two parcels.

    Parameters
    ----------
    abutters, closed, geometries
        Who shares lot lines with the premises, the premises' outline, and the parcels that the abutters' indexes point to.
    streets
        The centerlines.
    ways
        The right-of-way parcels: a street that runs in one of them is shown by it.
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
            lots = both if ways is None else shapely.difference(both, ways)
            along = _along(run.line)
            beside: dict[str, NDArray[np.bool_]] = {}
            pieces: dict[str, tuple[float, int]] = {}
            for street in near.tolist():
                there, feet = _runs_beside(streets.lines[street], along)
                there[there] = shapely.dwithin(lots, shapely.points(feet[there]), SEEN_FT)
                key = streets.key(street)
                beside[key] = beside.get(key, False) | there
                pieces[key] = max(
                    pieces.get(key, (0.0, street)), (float(np.count_nonzero(there)), street), key=lambda one: one[0]
                )
            length, key = max((float(np.count_nonzero(there) * along.step_ft), key) for key, there in beside.items())
            if length >= ALONG_FT:
                found.append(InsideRoad(abutter.index, pieces[key][1], length, run.line))
    return tuple(found)


class _Along(NamedTuple):
    """Points along a line about every two feet, the line's heading at each, and their spacing."""

    places: GeometryArray
    headings: FloatArray
    step_ft: float


def _along(line: LineString) -> _Along:
    xy = simplify(shapely.get_coordinates(line))
    straight = shapely.LineString(xy)
    count = max(1, int(np.ceil(straight.length / SEEN_FT)))
    at = (np.arange(count) + 0.5) * straight.length / count
    step = np.diff(xy, axis=0)
    begins = np.concatenate([[0.0], np.cumsum(np.hypot(*step.T))])
    k = np.clip(np.searchsorted(begins, at, side="right") - 1, 0, len(step) - 1)
    return _Along(shapely.line_interpolate_point(straight, at), np.arctan2(step[k, 1], step[k, 0]), straight.length / count)


def _runs_beside(line: BaseGeometry, along: _Along) -> tuple[NDArray[np.bool_], FloatArray]:
    """Say at which places a centerline runs beside a lot line, and where on it their feet are: not past its ends, where it only comes near.

    Feet are given of the places that are near; those of others are not a number.
    """
    shapely.prepare(line)
    near = np.flatnonzero(shapely.dwithin(line, along.places, HALF_ROAD_FT))
    there, feet = np.zeros(len(along.places), dtype=bool), np.full((len(along.places), 2), np.nan)
    if not len(near):
        return there, feet
    feet[near] = shapely.get_coordinates(shapely.shortest_line(line, along.places[near])).reshape(-1, 2, 2)[:, 0]
    lines = np.full(len(near), line, dtype=object)
    at = shapely.line_locate_point(lines, shapely.points(feet[near]))
    turn = np.abs((_headings(lines, at) - along.headings[near] + np.pi / 2) % np.pi - np.pi / 2)
    past = (at < END_FT) | (at > line.length - END_FT)
    there[near] = (turn <= np.radians(PARALLEL_DEG)) & ~past
    return there, feet


def _headings(lines: GeometryArray, at: FloatArray) -> FloatArray:
    """Give the headings of lines at places along them."""
    before = shapely.get_coordinates(shapely.line_interpolate_point(lines, np.maximum(at - 1, 0)))
    after = shapely.get_coordinates(shapely.line_interpolate_point(lines, np.minimum(at + 1, shapely.length(lines))))
    made: FloatArray = np.arctan2(after[:, 1] - before[:, 1], after[:, 0] - before[:, 0])
    return made


def streets_abutted(
    closed: BaseGeometry,
    found: Sequence[Face],
    faced: Sequence[Sequence[Facing]],
    streets: StreetLayer,
    *,
    lots: GeometryArray | None = None,
    ways: BaseGeometry | None = None,
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
    lots
        The other parcels that are no rights-of-way.
    ways
        The right-of-way parcels, those of the premises among them: a street that runs in one of them is shown by it.

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
    beside = _beside(closed, streets, lots)
    for key, (_, pieces) in beside.items():
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
                frontage_ft=sum(lengths.values()) if lengths else beside[key][0],
                sign=sign,
                sign_bearing_deg=bearing,
                gap=bool(lengths) or _held(streets.lines[sorted(pieces)], ways) >= ALONG_FT,
            )
        )
    return tuple(sorted(made, key=lambda street: (-street.frontage_ft, street.name, street.centerlines)))


def _beside(closed: BaseGeometry, streets: StreetLayer, lots: GeometryArray | None) -> dict[str, tuple[float, dict[int, float]]]:
    """Find the streets that no frontage need face: how far each lies by the premises, and each piece's part of it.

    Their centerlines run beside the boundary; or they lie in the premises, or within 33 ft of them in another lot, where no gap can show
    them. In a gap near the premises, across a corner or beyond the end of a street, a centerline is that of a street to be faced.
    """
    near = shapely.STRtree(streets.lines).query(closed, predicate="dwithin", distance=HALF_ROAD_FT)
    if not len(near):
        return {}
    band = shapely.buffer(closed, HALF_ROAD_FT, quad_segs=16)
    land = [closed] if lots is None else [closed, *lots[shapely.intersects(lots, band)]]
    drawn = shapely.intersection(band, shapely.union_all(land))
    lines = [_along(ring.line) for ring in rings_of(closed)]
    pieces: dict[str, list[int]] = {}
    for street in sorted(near.tolist()):
        pieces.setdefault(streets.key(street), []).append(street)
    found = {}
    for key, mine in pieces.items():
        there = [[_runs_beside(streets.lines[street], line)[0] for line in lines] for street in mine]
        beside = _length_ft(lines, [np.any(some, axis=0) for some in zip(*there, strict=True)])
        inside, held = _held(streets.lines[mine], closed), [_held(streets.lines[[street]], drawn) for street in mine]
        if max(beside, sum(held)) >= ALONG_FT:
            each = [max(one, _length_ft(lines, some)) for one, some in zip(held, there, strict=True)]
            found[key] = (inside or beside or sum(held), dict(zip(mine, each, strict=True)))
    return found


def _length_ft(lines: Sequence[_Along], there: Sequence[NDArray[np.bool_]]) -> float:
    return float(sum(np.count_nonzero(some) * line.step_ft for line, some in zip(lines, there, strict=True)))


def _held(lines: GeometryArray, land: BaseGeometry | None) -> float:
    """Measure how much of centerlines lies in some land."""
    return 0.0 if land is None else float(shapely.length(shapely.intersection(lines, land)).sum())


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
