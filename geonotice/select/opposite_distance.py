"""Who is opposite where a law counts by distance: land across the right-of-way within so many feet of a frontage.

No line is extended here. A parcel is opposite where a straight way of that length or less leads from the frontage to it, outward and
through no other lot.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.frontage import PARALLEL_DEG, Face
from geonotice.select.lot_lines import HAIR_FT, GeometryArray

__all__ = ["JUST_BEYOND_FT", "Way", "ways_across"]

JUST_BEYOND_FT: Final = 50.0
"""So far beyond the distance a parcel is still named as a near miss: a reader of the list must see what the limit left off."""
PLACE_FT: Final = 5.0
"""Places on a parcel's boundary that a way is looked for to: closer together than any driveway or flag lot's pole is wide."""
BESIDE_FT: Final = 1.0
"""How far to each side of a point its frontage's direction is taken."""


class Way(NamedTuple):
    """The shortest straight way from a frontage to a parcel.

    Parameters
    ----------
    parcel
        Its place in the arrays given.
    line
        From the frontage to the parcel.
    """

    parcel: int
    line: shapely.LineString

    @property
    def length_ft(self) -> float:
        """Length of the way."""
        return float(shapely.length(self.line))


def ways_across(
    face: Face,
    closed: shapely.Geometry,
    geometries: GeometryArray,
    stops: NDArray[np.bool_],
    *,
    distance_ft: float,
    tolerance_ft: float,
    beside: Collection[int] = (),
    stacked: Mapping[int, Collection[int]] | None = None,
) -> tuple[Way, ...]:
    """Find the parcels across the right-of-way from one frontage, up to a distance, each with its shortest open way.

    Parameters
    ----------
    face
        The frontage.
    closed
        The premises' outline, which stops a way like any lot.
    geometries
        Other parcels.
    stops
        For each, whether it is a lot that stops a way; the others (right-of-way, railroad) are crossed and never opposite.
    distance_ft
        Longest way, included.
    tolerance_ft
        What digitizing moves a lot line: a way may cut so much of a lot's corner.
    beside
        Parcels that abut or touch the premises. They are on the list as that; they stop a way all the same.
    stacked
        For a parcel, those stacked on it: they do not stop the way to each other.

    Examples
    --------
    A 100-ft lot; across a 50-ft street one lot, and another behind it.

    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> from geonotice.select.frontage import faces
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(0, 150, 100, 250), shapely.box(0, 250, 100, 350), shapely.box(0, -9, 100, 0)])
    >>> front = max(faces(lot, abutting([lot], lots), np.ones(3, dtype=bool)), key=lambda face: face.xy[:, 1].min())
    >>> [(way.parcel, way.length_ft) for way in ways_across(front, lot, lots, stops=np.ones(3, dtype=bool), distance_ft=300, tolerance_ft=1.5)]
    [(0, 50.0)]
    """
    own = shapely.LineString(face.xy)
    shapely.prepare(own)
    solid = np.flatnonzero(stops)
    near = solid[shapely.dwithin(geometries[solid], own, distance_ft + HAIR_FT)]
    solid_near = geometries[near]
    tree = shapely.STRtree(solid_near) if len(near) else None
    found = []
    for index in near.tolist():
        if index in beside or tree is None:
            continue
        # The nearest place of a lot may lie behind its neighbor, while its pole or driveway reaches the street a little farther on: every
        # place of its boundary within the distance is tried, the nearest first.
        places = _places(geometries[index], own, distance_ft)
        lines = shapely.shortest_line(own, places)
        lengths = shapely.length(lines)
        outward = _leaves(own, lines)
        lines, lengths = lines[outward], lengths[outward]
        order = np.argsort(lengths, kind="stable")
        group = {index, *(stacked or {}).get(index, ())}
        open_way = _first_open(lines[order], closed, solid_near, tree, [int(one) in group for one in near], tolerance_ft)
        if open_way is not None:
            found.append(Way(index, open_way))
    return tuple(found)


def _places(geometry: shapely.Geometry, own: shapely.LineString, distance_ft: float) -> GeometryArray:
    """Return places on a parcel's boundary within the distance: its nearest point first of all, so that none at exactly the limit is lost."""
    nearest = shapely.get_coordinates(shapely.shortest_line(own, geometry))[-1:]
    along = shapely.get_coordinates(shapely.segmentize(shapely.boundary(geometry), PLACE_FT))
    every: GeometryArray = np.asarray(shapely.points(np.concatenate([nearest, along])), dtype=object)
    within: NDArray[np.bool_] = shapely.dwithin(every, own, distance_ft + HAIR_FT)
    return every[within]


def _leaves(own: shapely.LineString, lines: GeometryArray) -> NDArray[np.bool_]:
    """Return of each way whether it leaves the frontage on its street side.

    A way that runs along the frontage leads to a lot farther down the same side of the street, not to one across it. The same 12 degrees tell
    the two apart here as tell a lot line that can be extended from one that cannot.
    """
    ends = shapely.get_coordinates(lines).reshape(-1, 2, 2)
    step = ends[:, 1] - ends[:, 0]
    length = np.hypot(*step.T)
    at = shapely.line_locate_point(own, shapely.points(ends[:, 0]))
    least = np.sin(np.radians(PARALLEL_DEG))
    made = np.zeros(len(lines), dtype=bool)
    # At a bend of the frontage a way may leave either of its two sides.
    for behind_ft, ahead_ft in ((BESIDE_FT, 0.0), (0.0, BESIDE_FT)):
        low, high = np.maximum(at - behind_ft, 0.0), np.minimum(at + ahead_ft, own.length)
        first = shapely.get_coordinates(shapely.line_interpolate_point(own, low))
        along = shapely.get_coordinates(shapely.line_interpolate_point(own, high)) - first
        size = np.hypot(*along.T)
        # The land is on the left of a frontage, the street on its right.
        across = along[:, 1] * step[:, 0] - along[:, 0] * step[:, 1]
        made |= (size > 0) & (across >= least * size * length) & (length > 0)
    return made


def _first_open(  # noqa: PLR0917  # what may stop a way, in the order of asking
    lines: GeometryArray,
    closed: shapely.Geometry,
    lots: GeometryArray,
    tree: shapely.STRtree,
    same: list[bool],
    tolerance_ft: float,
) -> shapely.LineString | None:
    """Return the first of some ways that runs through no lot but the one it leads to, and not through the premises."""
    if not len(lines):
        return None
    way, lot = tree.query(lines, predicate="intersects")
    other = ~np.array(same, dtype=bool)[lot]
    way, lot = way[other], lot[other]
    inside = shapely.length(shapely.intersection(lines[way], lots[lot]))
    stopped = np.zeros(len(lines), dtype=bool)
    stopped[way[inside > tolerance_ft]] = True
    stopped |= shapely.length(shapely.intersection(lines, closed)) > tolerance_ft
    passing = np.flatnonzero(~stopped)
    return lines[passing[0]] if len(passing) else None
