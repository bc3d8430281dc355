"""Bring coordinates from one CRS to another, all layers in the same way."""

import math
import warnings
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnknownCRS
from geonotice.units.crs import crs_of, is_modern, parse_crs, transformer

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from pyproj import CRS

Bounds = tuple[float, float, float, float]
"""An extent: xmin, ymin, xmax, ymax."""


def to_measure(geometry: "NDArray[np.object_]", source: str, target: str) -> "NDArray[np.object_]":
    """Bring geometries from a source's CRS to the measuring CRS, all layers in the same way.

    Where both datums are modern ones (module docstring) only the projections are undone and done, and longitude and latitude are
    kept as they are, whatever grids this computer has; else PROJ's best operation is used.

    Parameters
    ----------
    geometry
        Shapely geometries, two-dimensional, x before y (longitude before latitude) as GDAL gives them; None stays None.
    source, target
        From :attr:`SourceCrs.crs` and :attr:`MeasureCrs.crs`.

    Raises
    ------
    UnknownCRS
        A coordinate cannot be brought over: it is none of the source's CRS.
    """
    import numpy as np
    import shapely

    if source == target:
        return geometry
    steps = _steps(source, target)

    def move(x: "NDArray[np.float64]", y: "NDArray[np.float64]") -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        for step in steps:
            x, y = step(x, y)
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            wrong = int((~(np.isfinite(x) & np.isfinite(y))).sum())
            raise UnknownCRS(
                Fault(
                    what=f"{wrong} coordinates cannot be brought from {crs_of(source).name} to {crs_of(target).name}",
                    why="they lie nowhere in that coordinate reference system, so it is not the layer's",
                    remedy="give the layer's own with --crs",
                )
            )
        return x, y

    moved: NDArray[np.object_] = shapely.transform(geometry, move, interleaved=False)  # type: ignore[arg-type]  # the stubs know one array only
    return moved


def _steps(source: str, target: str) -> "list[Callable[..., Any]]":
    here, there = parse_crs(source, {}), parse_crs(target, {})
    pairs: list[tuple[CRS | None, CRS | None]]
    if is_modern(here) and is_modern(there):
        pairs = [(here, here.geodetic_crs)] if here.is_projected else []
        pairs += [(there.geodetic_crs, there)] if there.is_projected else []
    else:
        pairs = [(here, there)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of grids that are not installed: resolve_crs refuses what needs them
        return [transformer(one, other, allow_ballpark=False).transform for one, other in pairs]


def lon_lat_bounds(bounds: Bounds, crs: "CRS | str") -> Bounds | None:
    """Return an extent (xmin, ymin, xmax, ymax) in degrees; None where it cannot be."""
    if not all(math.isfinite(value) for value in bounds):
        return None
    parsed = parse_crs(crs, {}) if isinstance(crs, str) else crs
    if parsed.is_geographic:
        return bounds
    back = transformer(parsed, parsed.geodetic_crs)
    xs, ys = (bounds[0], (bounds[0] + bounds[2]) / 2, bounds[2]), (bounds[1], (bounds[1] + bounds[3]) / 2, bounds[3])
    # an extent's corner may lie off the edge of a map of the world, though every feature lies on it
    places = [place for x in xs for y in ys if all(map(math.isfinite, place := back.transform(x, y)))]
    if not places:
        return None
    lons, lats = zip(*places, strict=True)
    return min(lons), min(lats), max(lons), max(lats)
