"""Who shares a lot line with the premises.

*Abutting*: shares a run of lot line, within tolerance, longer than four tolerances (the longer of the runs measured on either boundary).
*Corner*: within tolerance, but no such run. A parcel that overlaps the premises by more than half of the smaller area is *stacked*: it
abuts, and takes no frontage away.
"""

from typing import Final, Literal, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.lot_lines import (
    HAIR_FT,
    QUAD_SEGS,
    FloatArray,
    GeometryArray,
    Interval,
    Ring,
    covered,
    join,
    outline,
    rings_of,
)

__all__ = ["RUN_TOLERANCES", "Abutter", "SharedRun", "abutting", "true_ends"]

RUN_TOLERANCES: Final = 4
"""A shared run is longer than this many tolerances: less is a corner where lines were drawn past each other."""
SHARES_FT: Final = 2.0
"""A run shorter than this is nothing but a corner, and takes no frontage away."""
STACKED_SHARE: Final = 0.5
"""Overlap, as a share of the smaller area, beyond which two parcels lie on each other."""


class SharedRun(NamedTuple):
    """A run of the premises' boundary that a parcel shares.

    Parameters
    ----------
    ring
        On which ring of the outline.
    start, end
        From where to where on it the boundary lies within tolerance.
    first, last
        The same without what the tolerance adds round the ends.
    line
        The run from ``first`` to ``last``.
    """

    ring: int
    start: float
    end: float
    first: float
    last: float
    line: LineString

    @property
    def length_ft(self) -> float:
        """Length, without what the tolerance adds round its ends."""
        return self.last - self.first


class Abutter(Struct, frozen=True, eq=False):
    """A parcel within tolerance of the premises.

    Parameters
    ----------
    index
        Its place in the arrays given.
    relation
        ``abutting`` or ``corner``.
    distance_ft
        Polygon to polygon.
    shared_ft
        Length of the longer of the shared runs measured on either boundary, without what the tolerance adds round its ends.
    stacked
        Whether it overlaps the premises by more than half of the smaller area.
    runs
        Runs of the premises' outline that it shares, down to 2 ft; a mere corner has none.
    point
        Where the two are nearest.
    """

    index: int
    relation: Literal["abutting", "corner"]
    distance_ft: float
    shared_ft: float
    stacked: bool
    runs: tuple[SharedRun, ...]
    point: BaseGeometry


def abutting(
    premises: GeometryArray, geometries: GeometryArray, *, tolerance_ft: float = 1.5, closed: BaseGeometry | None = None
) -> tuple[Abutter, ...]:
    """Find the parcels that share a lot line or a corner with the premises.

    Roles do not matter here: a right-of-way or railroad parcel that touches abuts, as itself.

    Parameters
    ----------
    premises
        Its parcels, valid polygons or multipolygons in US survey feet.
    geometries
        Other parcels near it, without the premises' own; as ``premises``.
    tolerance_ft
        What digitizing moves a lot line.
    closed
        The premises' outline, where the caller has it already.

    Returns
    -------
    tuple of Abutter
        In the order of ``geometries``.

    Examples
    --------
    A lot on a block of 100-ft lots, with lots left, right, behind, behind to the left, and across a 50-ft street.

    >>> import numpy as np, shapely
    >>> lots = np.array([shapely.box(x, y, x + 100, y + 100) for x, y in [(-100, 0), (100, 0), (0, -100), (-100, -100), (0, 150)]])
    >>> found = abutting([shapely.box(0, 0, 100, 100)], lots)
    >>> [(item.index, item.relation, round(item.shared_ft)) for item in found]
    [(0, 'abutting', 100), (1, 'abutting', 100), (2, 'abutting', 100), (3, 'corner', 0)]
    """
    premises = np.asarray(premises, dtype=object)
    geometries = np.asarray(geometries, dtype=object)
    if not len(geometries):
        return ()
    parts = shapely.get_parts(premises)
    # Roles play no part here: who owns the strip beside the premises is an owner of abutting land, whether or not it is a street. LAW:
    # Southampton 283-3 and 283-9 speak of "parcels abutting", not of lots.
    distance = _distances(parts, geometries, tolerance_ft)
    near = np.flatnonzero(distance <= tolerance_ft)
    if not len(near):
        return ()
    closed = closed if closed is not None else outline(premises, tolerance_ft=tolerance_ft)
    rings = rings_of(closed)
    others = [
        geometry if shapely.get_num_geometries(geometry) == 1 else outline(np.array([geometry]), tolerance_ft=tolerance_ft)
        for geometry in geometries[near]
    ]
    # A band is right here and wrong for a distance: it asks how long two lines run side by side, which no single distance says. Its arcs are
    # cut so fine that they move an end by 0.001 ft.
    reach = tolerance_ft + HAIR_FT
    own_band = shapely.buffer(closed, reach, quad_segs=QUAD_SEGS)
    bands = shapely.buffer(others, reach, quad_segs=QUAD_SEGS)
    overlap = shapely.area(shapely.intersection(closed, others))
    stacked = overlap > STACKED_SHARE * np.minimum(shapely.area(closed), shapely.area(others))
    found = []
    for k, index in enumerate(near):
        runs = _runs(rings, bands[k], others[k], tolerance_ft)
        # Both boundaries are measured: a lot drawn with a notch shares a short run of its own line and a long run of ours, or the other way
        # round. The longer one is taken, since a missed neighbor costs more than a needless letter.
        longest = max(
            (run.length_ft for run in (*runs, *_runs(rings_of(others[k]), own_band, closed, tolerance_ft))), default=0.0
        )
        abuts = bool(stacked[k]) or longest > RUN_TOLERANCES * tolerance_ft
        ends = shapely.get_coordinates(shapely.shortest_line(closed, others[k]))
        found.append(
            Abutter(
                index=int(index),
                relation="abutting" if abuts else "corner",
                distance_ft=float(distance[index]),
                shared_ft=longest if abuts else 0.0,
                stacked=bool(stacked[k]),
                runs=tuple(run for run in runs if run.length_ft >= SHARES_FT),
                point=shapely.Point(ends[0]),
            )
        )
    return tuple(found)


def true_ends(ring: Ring, run: Interval, neighbour: BaseGeometry, *, tolerance_ft: float) -> Interval:
    """Take off a run's ends what the tolerance added: each end moves back to where the neighbour's own line ends.

    A neighbour is still within tolerance a little past its corner; the point of the neighbour nearest to the run's end shows where.
    """
    start, end = run
    # An enclave shares the whole ring and has no ends.
    if end - start >= ring.length:
        return run
    back = min(3 * tolerance_ft, end - start)
    tails = [ring.path(start, start + back), ring.path(end - back, end)]
    nearest = [
        shapely.get_coordinates(shapely.shortest_line(neighbour, shapely.Point(xy)))[0] for xy in (tails[0][0], tails[1][-1])
    ]
    first = start + shapely.line_locate_point(shapely.LineString(tails[0]), shapely.Point(nearest[0]))
    last = end - back + shapely.line_locate_point(shapely.LineString(tails[1]), shapely.Point(nearest[1]))
    return (float(first), float(last)) if first < last else (float((first + last) / 2),) * 2


def _distances(parts: GeometryArray, geometries: GeometryArray, tolerance_ft: float) -> FloatArray:
    """Measure the distance to the plain union of the parts, where it may be within tolerance; inf elsewhere."""
    distance = np.full(len(geometries), np.inf)
    boxes = shapely.bounds(geometries)
    for part in parts:
        xmin, ymin, xmax, ymax = shapely.bounds(part)
        # Boxes first: on a whole layer the exact distance to every parcel would be most of the run time.
        may = (
            (boxes[:, 0] <= xmax + tolerance_ft)
            & (boxes[:, 2] >= xmin - tolerance_ft)
            & (boxes[:, 1] <= ymax + tolerance_ft)
            & (boxes[:, 3] >= ymin - tolerance_ft)
        )
        distance[may] = np.minimum(distance[may], shapely.distance(part, geometries[may]))
    return distance


def _runs(rings: list[Ring], band: BaseGeometry, neighbour: BaseGeometry, tolerance_ft: float) -> list[SharedRun]:
    """Return the runs of rings inside a band round the neighbour."""
    runs = []
    shapely.prepare(band)
    for n, ring in enumerate(rings):
        if not shapely.intersects(band, ring.line):
            continue
        for start, end in join(covered(ring, band), ring.length, bridge_ft=tolerance_ft):
            first, last = true_ends(ring, (start, end), neighbour, tolerance_ft=tolerance_ft)
            line = shapely.LineString(ring.path(first, last) if last > first else ring.path(start, end))
            runs.append(SharedRun(n, start, end, first, last, line))
    return runs
