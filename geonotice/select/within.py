"""How far parcels lie from the premises."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Within", "nearest_line", "within"]


@dataclass(frozen=True, slots=True)
class Within:
    """Which geometries lie within a distance, nearest first.

    ``index`` are positions in the array that was given, ``distance_ft`` their distances, unrounded.
    """

    index: "NDArray[np.intp]"
    distance_ft: "NDArray[np.float64]"


def within(premises: shapely.Geometry, geometries: "NDArray[Any]", *, distance_ft: float) -> Within:
    """Select the geometries at most ``distance_ft`` from the premises.

    The distance is that of the nearest points of the two, lot line to lot line, and zero where they touch or overlap. It is never
    tested by a buffer: a buffer's arcs are chords, and an owner at 999 ft can fall outside them.

    Parameters
    ----------
    premises
        Polygon or MultiPolygon, in a projected CRS in feet.
    geometries
        Geometries in the same CRS.
    distance_ft
        The distance, included.

    Examples
    --------
    >>> lots = shapely.box([0, 150, 300], 0, [100, 250, 400], 100)
    >>> found = within(lots[0], lots[1:], distance_ft=200)
    >>> found.index.tolist(), found.distance_ft.tolist()
    ([0, 1], [50.0, 200.0])
    """
    shapely.prepare(premises)
    distances = shapely.distance(premises, geometries)
    index = np.flatnonzero(distances <= distance_ft)
    index = index[np.argsort(distances[index], kind="stable")]
    return Within(index, distances[index])


def nearest_line(premises: shapely.Geometry, geometry: shapely.Geometry) -> shapely.LineString:
    """Draw the shortest line from the premises to a geometry: the evidence of a distance."""
    line: shapely.LineString = shapely.shortest_line(premises, geometry)
    return line
