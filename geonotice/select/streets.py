"""Streets: their centerlines, which street a frontage faces, and which streets the premises abut."""

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from geonotice.address_spelling import normal_line
from geonotice.select.extended_lines import Sweep, cast, crossings, distinct, edges_between
from geonotice.select.frontage import Face
from geonotice.select.inside_roads import ALONG_FT, HALF_ROAD_FT, SEEN_FT, along_of, length_beside_ft, runs_beside
from geonotice.select.lot_lines import (
    HAIR_FT,
    FloatArray,
    GeometryArray,
    IntArray,
    Ring,
    bearing_deg,
    ends_of_lines,
    rings_of,
)
from geonotice.select.sight import Sight

__all__ = [
    "Facing",
    "StreetAbutted",
    "StreetLayer",
    "along_state_road",
    "facing",
    "jurisdiction_of",
    "streets_abutted",
]


class StreetLayer:
    """Street centerlines with their names and jurisdictions, arrays of one length; unknown names are empty."""

    def __init__(self, lines: GeometryArray, names: tuple[str, ...], jurisdictions: tuple[str, ...]) -> None:
        self.lines, self.names, self.jurisdictions = lines, names, jurisdictions
        self._ends: tuple[IntArray, FloatArray, FloatArray] | None = None
        self._state: NDArray[np.bool_] | None = None
        self._widest: dict[tuple[float, float], FloatArray] = {}

    @property
    def ends(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Of each edge of the centerlines its place in the layer, and where it starts and ends; taken apart once."""
        if self._ends is None:
            lines, of_street = shapely.get_parts(self.lines, return_index=True)
            self._ends = ends_of_lines(lines, of_street)
        return self._ends

    @property
    def state(self) -> NDArray[np.bool_]:
        """Of each centerline whether it is that of a State road."""
        if self._state is None:
            self._state = np.array([jurisdiction_of(text) == "state" for text in self.jurisdictions], dtype=bool)
        return self._state

    def widest_ft(self, general_ft: float, state_ft: float) -> FloatArray:
        """Return the widest right-of-way looked across for each centerline, and for no street, which comes last; made once, and not to be changed."""
        if (general_ft, state_ft) not in self._widest:
            made = np.where(np.append(self.state, False), float(state_ft), float(general_ft))  # no street is no State road
            self._widest[general_ft, state_ft] = made
        return self._widest[general_ft, state_ft]

    def part(self, places: IntArray) -> "StreetLayer":
        """Return some of the streets, in rising order; what was taken apart is not taken apart again."""
        made = StreetLayer(
            self.lines[places],
            tuple(self.names[n] for n in places.tolist()),
            tuple(self.jurisdictions[n] for n in places.tolist()),
        )
        of_street, start, end = self.ends
        first, last = np.searchsorted(of_street, places), np.searchsorted(of_street, places, side="right")
        count = last - first
        which = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
        made._ends = np.repeat(np.arange(len(places)), count), start[which], end[which]
        made._state = self.state[places]
        return made

    def key(self, index: int) -> str:
        """Return what makes pieces of centerline one street: the name in one spelling, or where there is none the piece itself.

        Examples
        --------
        >>> import numpy as np
        >>> layer = StreetLayer(np.array([None] * 4), ("Elm Street", "ELM ST.", "Elm Ct", " "), ("",) * 4)
        >>> [layer.key(index) for index in range(4)]
        ['ELM ST', 'ELM ST', 'ELM CT', '#3']
        """
        return _one_spelling(self.names[index]) or f"#{index}"


_one_spelling = lru_cache(maxsize=4096)(normal_line)


_KINDS: Final = {
    "state": ("state", "nys", "nysdot", "nydot", "s", "ny", "us", "interstate", "i", "thruway", "thruway authority"),
    "county": ("county", "co", "c"),
    "town": ("town", "t", "local", "municipal"),
    "village": ("village", "v"),
    "city": ("city",),
    "private": ("private", "p", "pvt", "privately owned"),
}


@lru_cache(maxsize=1024)
def jurisdiction_of(text: str) -> str:
    """Return the kind of a jurisdiction as layers write it: state, county, town, village, city, private, or empty where it is not known.

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


class Facing(NamedTuple):
    """A street that a frontage faces: the piece of centerline, and the frontage along it."""

    street: int
    length_ft: float


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
    >>> from geonotice.select.sight import sight
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
    sweep = view.sweep(face)
    widest = streets.widest_ft(right_of_way_max_ft, right_of_way_max_state_ft)
    counts = _faced(sweep, streets.ends, view, right_of_way_max_state_ft, widest)
    step = sweep.length_ft / len(sweep.starts())
    seen = np.flatnonzero(counts)
    found = [Facing(one, float(many * step)) for one, many in zip(seen.tolist(), counts[seen].tolist(), strict=True)]
    total: dict[str, float] = {}
    for one in found:
        total[streets.key(one.street)] = total.get(streets.key(one.street), 0.0) + one.length_ft
    # Pieces of one street count together: a centerline is cut at every crossing, and each piece alone may be too short.
    found = [one for one in found if total[streets.key(one.street)] >= _enough(face)]
    if not found:
        ending = _in_view(sweep, streets, view, right_of_way_max_ft=right_of_way_max_ft, look_ft=right_of_way_max_state_ft)
        found = [Facing(ending, face.length_ft)] if ending is not None else []
    return tuple(sorted(found, key=lambda one: (-total.get(streets.key(one.street), 0.0), -one.length_ft, one.street)))


def along_state_road(face: Face, view: Sight, streets: StreetLayer, *, right_of_way_max_ft: float) -> bool:
    """Return whether a State road runs along a frontage, behind another street (a service road) too, no parcel between.

    Its centerline must lie within the widest right-of-way of other streets: farther off it is not a road along the frontage, unless
    it is the first that the frontage faces.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> from geonotice.select.frontage import faces
    >>> from geonotice.select.sight import sight
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(-100, -100, 0, 100), shapely.box(0, 360, 100, 460)])
    >>> lines = np.array([shapely.LineString([(-500, y), (500, y)]) for y in (120, 230)])
    >>> streets = StreetLayer(lines, ("Service Rd", "Sunrise Hwy"), ("TOWN", "STATE"))
    >>> front = faces(lot, abutting([lot], lots), np.ones(2, dtype=bool))
    >>> view = sight(lot, lots, np.ones(2, dtype=bool))
    >>> [along_state_road(face, view, streets, right_of_way_max_ft=200) for face in front if face.xy[:, 1].min() == 100]
    [True]
    """
    if not streets.state.any():
        return False
    of_street, start, end = streets.ends
    of_state = streets.state[of_street]
    sweep = view.sweep(face)
    widest = streets.widest_ft(right_of_way_max_ft, right_of_way_max_ft)
    counts = _faced(sweep, (of_street[of_state], start[of_state], end[of_state]), view, right_of_way_max_ft, widest)
    return bool(counts.sum() * sweep.length_ft / len(sweep.starts()) >= _enough(face))


def _faced(
    sweep: Sweep, ends: tuple[IntArray, FloatArray, FloatArray], view: Sight, depth_ft: float, widest: FloatArray
) -> IntArray:
    """Return from how many places of a frontage the lines across cross each street first, before anything stops them.

    ``ends`` are edges of centerlines as :class:`StreetLayer` has them, ``widest`` the widest right-of-way of each street, with one more for no street.
    """
    of_street, start, end = ends
    if view.edges.compiled:
        across = sweep.line, sweep.perpendicular, depth_ft + HAIR_FT
        return view.edges.compiled.faced(
            sweep.starts(), *across, *view.edges[:3], SEEN_FT, start, end, of_street, view.origin, widest
        )
    rays = sweep.rays(sweep.starts(), depth_ft)
    lines = edges_between(start, end, of_street, view.origin).near(rays)
    if not len(lines.start):
        return np.zeros(len(widest), dtype=np.intp)
    _, stopped = cast(rays, view.edges, premises_from_ft=SEEN_FT)
    street, distance = crossings(rays, lines)
    # A street behind another lot is not faced, and a limit is measured at right angles: lines that cross aslant run longer in the same
    # street.
    street[(distance > stopped) | (distance * rays.sine > widest[street])] = -1
    return np.bincount(street[street >= 0], minlength=len(widest))


def _enough(face: Face) -> float:
    """Along how much of a frontage a street must run."""
    return min(ALONG_FT, face.length_ft / 2)


def _in_view(sweep: Sweep, streets: StreetLayer, view: Sight, *, right_of_way_max_ft: float, look_ft: float) -> int | None:
    """Find the street that ends before a frontage (a dead end, a bulb): most of it lies in what the frontage's lines look across."""
    of_street, start, end = streets.ends
    rays = sweep.rays(sweep.starts(), look_ft)
    near, _ = distinct(edges_between(start, end, of_street, view.origin).near(rays).owner)
    if not len(near):
        return None
    _, stopped = cast(rays, view.edges, premises_from_ft=SEEN_FT)
    lines = rays.lines(np.minimum(stopped, right_of_way_max_ft), view.origin)
    box = shapely.box(*shapely.total_bounds(lines))
    tree = shapely.STRtree(lines)
    best: tuple[int, int] = (0, -1)
    for street in near.tolist():
        part = shapely.intersection(streets.lines[street], box)
        places = shapely.get_coordinates(shapely.segmentize(part, SEEN_FT))
        seen = (
            distinct(tree.query(shapely.points(places), predicate="dwithin", distance=SEEN_FT)[0])[0] if len(places) else places
        )
        best = max(best, (len(seen), street), key=lambda pair: pair[0])
    return best[1] if best[0] > 1 else None


SIGN_BACK_FT: Final = 5.0
"""Where a sign is drawn: this far back from the street line."""


class StreetAbutted(Struct, frozen=True, eq=False):
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
        A place for a sign that faces it: on the premises, 5 ft back from the street line; an empty point where none was asked for.
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


def streets_abutted(
    closed: BaseGeometry,
    found: Sequence[Face],
    faced: Sequence[Sequence[Facing]],
    streets: StreetLayer,
    *,
    lots: GeometryArray | None = None,
    ways: BaseGeometry | None = None,
    rings: Sequence[Ring] | None = None,
    signs: bool = True,
) -> tuple[StreetAbutted, ...]:
    """Return the streets that the premises abut, the longest frontage first.

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
    rings
        The rings of the outline, where the caller has them already.
    signs
        Whether a place for a sign is wanted.

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
    # What a frontage faces is measured by the frontage.
    beside = _beside(closed, rings or rings_of(closed), streets, lots, faced=groups)
    for key, (_, pieces) in beside.items():
        groups.setdefault(key, dict(pieces))
    made = []
    for key, pieces in groups.items():
        longest = max(pieces, key=lambda index: (pieces[index], -index))
        lengths = of_faces.get(key, {})
        face = found[max(lengths, key=lambda n: lengths[n])] if lengths else None
        sign, bearing = _sign(closed, face, streets.lines[longest]) if signs else (_NO_SIGN, math.nan)
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


_NO_SIGN: Final = shapely.Point()


def _beside(
    closed: BaseGeometry, rings: Sequence[Ring], streets: StreetLayer, lots: GeometryArray | None, *, faced: Collection[str]
) -> dict[str, tuple[float, dict[int, float]]]:
    """Find the streets that no frontage faces (``faced`` has the others): how far each lies by the premises, and each piece's part of it.

    Their centerlines run beside the boundary; or they lie in the premises, or within 33 ft of them in another lot, where no gap can show
    them. In a gap near the premises, across a corner or beyond the end of a street, a centerline is that of a street to be faced.
    """
    # A street beside which the premises lie is abutted even where no gap shows it: many rural lots are deeded to the middle of the road.
    near = np.flatnonzero(shapely.dwithin(streets.lines, closed, HALF_ROAD_FT))
    near = np.array([n for n in near.tolist() if streets.key(n) not in faced], dtype=np.intp)
    if not len(near):
        return {}
    shapely.prepare(streets.lines[near])
    crossed = [closed] if lots is None else [closed, *lots[shapely.intersects(streets.lines[near][:, None], lots).any(axis=0)]]
    drawn: BaseGeometry | None = None
    # In a gap between lots a street lies in no lot at all: what follows would find nothing.
    if len(crossed) > 1 or shapely.intersects(streets.lines[near], closed).any():
        band = shapely.buffer(closed, HALF_ROAD_FT, quad_segs=16)
        # LAW: Southampton 283-9 has a sign face each public street abutted. Lots drawn to the middle of the road leave no gap, and the street is
        # there all the same.
        drawn = shapely.intersection(band, shapely.union_all(crossed))
    lines = [along_of(ring.line) for ring in rings]
    pieces: dict[str, list[int]] = {}
    for street in sorted(near.tolist()):
        pieces.setdefault(streets.key(street), []).append(street)
    found = {}
    for key, mine in pieces.items():
        there = [[runs_beside(streets.lines[street], line)[0] for line in lines] for street in mine]
        beside = length_beside_ft(lines, [np.any(some, axis=0) for some in zip(*there, strict=True)])
        inside, held = _held(streets.lines[mine], closed), [_held(streets.lines[[street]], drawn) for street in mine]
        if max(beside, sum(held)) >= ALONG_FT:
            each = [max(one, length_beside_ft(lines, some)) for one, some in zip(held, there, strict=True)]
            found[key] = (inside or beside or sum(held), dict(zip(mine, each, strict=True)))
    return found


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
    """Return the direction out of the premises at a point of its boundary."""
    circle = shapely.intersection(shapely.Point(at).buffer(SIGN_BACK_FT), closed)
    way = at - shapely.get_coordinates(shapely.centroid(circle))[0]
    made: FloatArray = way / max(float(np.hypot(*way)), 1e-9)
    return made
