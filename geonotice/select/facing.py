"""Which street a frontage faces: the one that runs in its right-of-way, not merely the nearest.

A frontage faces the street whose centerline its lines across cross before they meet a parcel; where none is crossed, the street that ends
before it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.centerlines import StreetLayer, jurisdiction_of
from geonotice.select.frontage import Face
from geonotice.select.opposite import Sight
from geonotice.select.outline import FloatArray, GeometryArray, IntArray
from geonotice.select.rays import Edges, Rays, cast, crossings, edges_of_lines
from geonotice.select.sweep import Sweep

__all__ = ["ALONG_FT", "SEEN_FT", "Facing", "along_state_road", "facing"]

ALONG_FT: Final = 20.0
"""Along how much of its length a street must lie by the premises."""
SEEN_FT: Final = 2.0
"""A centerline lies in what a frontage looks across when it comes this close to one of its lines."""


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
    >>> from geonotice.select.opposite import sight
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(0, -15, 100, 0), shapely.box(0, 150, 100, 250)])
    >>> solid, lines = np.ones(2, dtype=bool), np.array([shapely.LineString([(-50, y), (150, y)]) for y in (125, -20)])
    >>> streets = StreetLayer(lines, ("Main St", "Alley"), ("TOWN", ""))
    >>> front = faces(lot, abutting([lot], lots), solid)
    >>> seen = [facing(face, sight(lot, lots, solid), streets, right_of_way_max_ft=200, right_of_way_max_state_ft=600) for face in front]
    >>> [streets.names[one.street] for many in seen for one in many]
    ['Main St']
    """
    lines = _centerlines(streets, range(len(streets.lines)), view.origin)
    sweep = Sweep(face, view.origin)
    rays = sweep.rays(sweep.starts(), right_of_way_max_state_ft)
    lines = lines.near(rays.box())
    if not len(lines.start):
        return ()
    _, stopped = cast(rays, view.edges.near(rays.box()), premises_from_ft=SEEN_FT)
    state = np.array([*_state(streets), False])
    street = _crossed_first(rays, lines, stopped, np.where(state, right_of_way_max_state_ft, right_of_way_max_ft))
    step = sweep.length_ft / len(rays.start)
    seen, count = np.unique(street[street >= 0], return_counts=True)
    found = [Facing(int(one), float(many * step)) for one, many in zip(seen, count, strict=True)]
    total: dict[str, float] = {}
    for one in found:
        total[streets.key(one.street)] = total.get(streets.key(one.street), 0.0) + one.length_ft
    found = [one for one in found if total[streets.key(one.street)] >= _enough(face)]
    if not found:
        seen_along = rays.lines(np.minimum(stopped, right_of_way_max_ft), view.origin)
        ending = _in_view(seen_along, streets, np.unique(lines.owner))
        found = [Facing(ending, face.length_ft)] if ending is not None else []
    return tuple(sorted(found, key=lambda one: (-total.get(streets.key(one.street), 0.0), -one.length_ft, one.street)))


def along_state_road(face: Face, view: Sight, streets: StreetLayer, *, right_of_way_max_ft: float) -> bool:
    """Say whether a State road runs along a frontage, behind another street (a service road) too, no parcel between.

    Its centerline must lie within the widest right-of-way of other streets: farther off it is no road along the frontage, unless
    it is the first that the frontage faces.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> from geonotice.select.frontage import faces
    >>> from geonotice.select.opposite import sight
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(-100, -100, 0, 100), shapely.box(0, 360, 100, 460)])
    >>> lines = np.array([shapely.LineString([(-500, y), (500, y)]) for y in (120, 230)])
    >>> streets = StreetLayer(lines, ("Service Rd", "Sunrise Hwy"), ("TOWN", "STATE"))
    >>> front = faces(lot, abutting([lot], lots), np.ones(2, dtype=bool))
    >>> view = sight(lot, lots, np.ones(2, dtype=bool))
    >>> [along_state_road(face, view, streets, right_of_way_max_ft=200) for face in front if face.xy[:, 1].min() == 100]
    [True]
    """
    lines = _centerlines(streets, np.flatnonzero(_state(streets)), view.origin)
    if not len(lines.start):
        return False
    sweep = Sweep(face, view.origin)
    rays = sweep.rays(sweep.starts(), right_of_way_max_ft)
    _, stopped = cast(rays, view.edges.near(rays.box()), premises_from_ft=SEEN_FT)
    crossed = _crossed_first(rays, lines, stopped, np.full(len(streets.lines) + 1, right_of_way_max_ft)) >= 0
    return bool(np.count_nonzero(crossed) * sweep.length_ft / len(crossed) >= _enough(face))


def _centerlines(streets: StreetLayer, some: Sequence[int] | IntArray, origin: FloatArray) -> Edges:
    """Take some of the centerlines apart into edges."""
    places = np.asarray(some, dtype=np.intp)
    return edges_of_lines(streets.lines[places], places, origin)


def _state(streets: StreetLayer) -> NDArray[np.bool_]:
    """Say of each street whether it is a State road."""
    return np.array([jurisdiction_of(text) == "state" for text in streets.jurisdictions], dtype=bool)


def _crossed_first(rays: Rays, lines: Edges, stopped: FloatArray, widest: FloatArray) -> IntArray:
    """Give the street that each line crosses first before it is stopped, within the widest right-of-way of that street; -1 where none."""
    street, distance = crossings(rays, lines)
    street[(distance > stopped) | (distance * rays.sine > widest[street])] = -1
    return street


def _enough(face: Face) -> float:
    """Along how much of a frontage a street must run."""
    return min(ALONG_FT, face.length_ft / 2)


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
