"""Which streets the premises face and abut, where the centerlines are known.

A frontage faces the street whose centerline runs in its right-of-way: the one that its lines across cross before they meet a parcel, not
merely the nearest. A street whose centerline lies inside the premises or within 33 ft of its boundary along 20 ft or more is abutted too,
even where no gap exists (lots drawn to the centerline).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import Abutter
from geonotice.select.frontage import Face
from geonotice.select.lot_lines import simplify
from geonotice.select.opposite import Sight
from geonotice.select.outline import FloatArray, GeometryArray, IntArray, bearing_deg
from geonotice.select.rays import cast, crossings, edges_of_lines
from geonotice.select.sweep import Sweep

__all__ = [
    "Facing",
    "InsideRoad",
    "StreetAbutted",
    "StreetLayer",
    "facing",
    "inside_roads",
    "jurisdiction_of",
    "streets_abutted",
]

ALONG_FT: Final = 20.0
"""Along how much of its length a street must lie by the premises."""
HALF_ROAD_FT: Final = 33.0
"""Half of the usual four-rod right-of-way: how near a centerline must lie where no gap shows the street."""
PARALLEL_DEG: Final = 30.0
"""A centerline runs along a lot line when their directions differ by no more."""
SIGN_BACK_FT: Final = 5.0
"""Where a sign is drawn: this far back from the street line."""
SEEN_FT: Final = 2.0
"""A centerline lies in what a frontage looks across when it comes this close to one of its lines."""


class StreetLayer(NamedTuple):
    """Street centerlines with their names and jurisdictions, arrays of one length; unknown names are empty."""

    lines: GeometryArray
    names: tuple[str, ...]
    jurisdictions: tuple[str, ...]

    def key(self, index: int) -> str:
        """Give what makes pieces of centerline one street: the name, or where there is none the piece itself."""
        return " ".join(self.names[index].split()).casefold() or f"#{index}"


class Facing(NamedTuple):
    """A street that a frontage faces: the piece of centerline, and the frontage along it."""

    street: int
    length_ft: float


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


_KINDS: Final = {
    "state": ("state", "nys", "nysdot", "nydot", "s", "ny", "us", "interstate", "i", "thruway", "thruway authority"),
    "county": ("county", "co", "c"),
    "town": ("town", "t", "local", "municipal"),
    "village": ("village", "v"),
    "city": ("city",),
    "private": ("private", "p", "pvt", "privately owned"),
}


def jurisdiction_of(text: str) -> str:
    """Give the kind of a jurisdiction as layers write it: state, county, town, village, city, private, or empty where it is not known.

    Examples
    --------
    >>> [jurisdiction_of(text) for text in ("STATE", "NYS DOT", "County of Suffolk", "Suffolk County DPW", "Private Road", "?")]
    ['state', 'state', 'county', 'county', 'private', '']
    """
    words = text.casefold().replace(".", "").split()
    whole = " ".join(words)
    for kind, names in _KINDS.items():
        if whole in names or whole.replace(" ", "") in names:
            return kind
    for kind in ("private", "county", "state", "town", "village", "city"):
        if kind in words:
            return kind
    return ""


def facing(
    face: Face, view: Sight, streets: StreetLayer, *, right_of_way_max_ft: float, right_of_way_max_state_ft: float
) -> tuple[Facing, ...]:
    """Find the streets whose centerlines run in a frontage's right-of-way, the longest along it first.

    Examples
    --------
    A lot between its street and an alley that is nearer, but lies behind another lot: the street counts, the alley does not.

    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> from geonotice.select.frontage import faces
    >>> from geonotice.select.opposite import sight
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(0, -15, 100, 0), shapely.box(0, 150, 100, 250)])
    >>> solid, lines = np.ones(2, dtype=bool), np.array([shapely.LineString([(-50, y), (150, y)]) for y in (125, -20)])
    >>> streets = StreetLayer(lines, ("Main St", "Alley"), ("TOWN", ""))
    >>> front = faces(lot, abutting([lot], lots), solid)
    >>> seen = [facing(face, sight(lot, lots, solid), streets, right_of_way_max_ft=200, right_of_way_max_state_ft=600) for face in front]
    >>> [streets.names[one.street] for many in seen for one in many]
    ['Main St']
    """
    if not len(streets.lines):
        return ()
    sweep = Sweep(face, view.origin)
    at = sweep.starts()
    rays = sweep.rays(at, right_of_way_max_state_ft)
    box = rays.box()
    lines = edges_of_lines(streets.lines, np.arange(len(streets.lines), dtype=np.intp), view.origin).near(box)
    if not len(lines.start):
        return ()
    _, stopped = cast(rays, view.edges.near(box), premises_from_ft=SEEN_FT)
    street, distance = crossings(rays, lines)
    state = np.array([jurisdiction_of(text) == "state" for text in streets.jurisdictions] + [False])
    widest = np.where(state[street], right_of_way_max_state_ft, right_of_way_max_ft)
    street[(distance > stopped) | (distance * rays.sine > widest)] = -1
    step = sweep.length_ft / len(at)
    seen, count = np.unique(street[street >= 0], return_counts=True)
    found = [Facing(int(one), float(many * step)) for one, many in zip(seen, count, strict=True)]
    enough = min(ALONG_FT, face.length_ft / 2)
    total: dict[str, float] = {}
    for one in found:
        total[streets.key(one.street)] = total.get(streets.key(one.street), 0.0) + one.length_ft
    found = [one for one in found if total[streets.key(one.street)] >= enough]
    if not found:
        seen_along = rays.lines(np.minimum(stopped, right_of_way_max_ft), view.origin)
        ending = _in_view(seen_along, streets, np.unique(lines.owner))
        found = [Facing(ending, face.length_ft)] if ending is not None else []
    return tuple(sorted(found, key=lambda one: (-total.get(streets.key(one.street), 0.0), -one.length_ft, one.street)))


def _in_view(lines: GeometryArray, streets: StreetLayer, near: IntArray) -> int | None:
    """Find the street that ends before a frontage (a dead end, a bulb): most of it lies in what the frontage's lines look across."""
    box = shapely.box(*shapely.total_bounds(lines))
    tree = shapely.STRtree(lines)
    best: tuple[int, int] = (0, -1)
    for street in near.tolist():
        part = shapely.intersection(streets.lines[street], box)
        places = shapely.get_coordinates(shapely.segmentize(part, SEEN_FT))
        seen = np.unique(tree.query(shapely.points(places), predicate="dwithin", distance=SEEN_FT)[0]) if len(places) else places
        best = max(best, (len(seen), street), key=lambda pair: pair[0])
    return best[1] if best[0] > 1 else None


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
