"""Geometries as short rows of whole numbers, for layers of thousands of shapes that are there for orientation.

A row of GeoJSON takes some 25 characters a corner and a hundred a feature; here a corner takes about eight: whole steps of a millionth
of a degree (a third of a foot), each from the corner before. The page makes GeoJSON of them again.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.webmap.geojson import Projector

__all__ = ["STEPS_PER_DEGREE", "pack"]

STEPS_PER_DEGREE = 1_000_000
_LINES, _POLYGONS, _POINTS = 0, 1, 2


def pack(geometries: "Sequence[BaseGeometry] | NDArray[Any]", projector: "Projector", *, what: str) -> dict[str, Any]:
    """Pack geometries of any kind.

    Parameters
    ----------
    geometries
        In the projector's CRS; an empty one keeps its place and draws nothing.
    projector
        From the town's CRS.
    what
        What an error calls them.

    Returns
    -------
        ``origin`` ``[x, y]`` in steps and ``shapes``, one for each geometry: ``[kind, parts]``, kind 0 lines, 1 polygons, 2 points. A part
        is a row ``[x, y, dx, dy, …]``, of a polygon a list of such rows, the outer ring first.
    """
    moved = projector.lonlat_all(geometries, what=what)
    west, south = (0.0, 0.0) if shapely.is_empty(moved).all() else shapely.total_bounds(moved)[:2]
    origin = np.rint(np.array([west, south]) * STEPS_PER_DEGREE).astype(np.int64)
    return {"origin": origin.tolist(), "shapes": [_shape(geometry, origin) for geometry in moved]}


def _shape(geometry: "BaseGeometry", origin: "NDArray[np.int64]") -> list[Any]:
    parts = [part for part in shapely.get_parts(geometry) if not shapely.is_empty(part)]
    if parts and parts[0].geom_type == "Polygon":
        return [
            _POLYGONS,
            [[_row(ring, origin) for ring in (part.exterior, *part.interiors)] for part in parts if part.geom_type == "Polygon"],
        ]
    if parts and parts[0].geom_type == "Point":
        return [_POINTS, [_row(part, origin) for part in parts]]
    return [_LINES, [_row(part, origin) for part in parts]]


def _row(line: "BaseGeometry", origin: "NDArray[np.int64]") -> list[int]:
    steps = np.rint(shapely.get_coordinates(line) * STEPS_PER_DEGREE).astype(np.int64) - origin
    change = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    moves = np.asarray(change.any(axis=1))
    moves[0] = True  # the first corner counts, even where it lies on the origin
    flat: list[int] = change[moves].ravel().tolist()
    return flat
