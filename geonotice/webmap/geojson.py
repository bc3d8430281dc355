"""From the town's CRS to what a browser draws: longitude and latitude (WGS 84), rounded to 7 decimals (under half an inch)."""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import Fault, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

__all__ = ["Projector", "refuse_empty"]

DECIMALS = 7
"""Of a degree: 0.04 ft on the ground, finer than any lot line is surveyed for a tax map."""


class Projector:
    """Reprojects geometries of one CRS to longitude and latitude.

    Parameters
    ----------
    crs
        The CRS of the geometries, as pyproj reads it. North American datums are taken to coincide with WGS 84, as web maps take
        them: the picture moves by a metre or two, all of it alike.
    decimals
        Of the degrees.
    """

    def __init__(self, crs: str, *, decimals: int = DECIMALS) -> None:
        from pyproj import Transformer

        self._decimals = decimals
        self._transformer = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)

    def lonlat(self, geometry: "BaseGeometry", *, what: str) -> "BaseGeometry":
        """Give the geometry in rounded degrees; refuse one that lies where its CRS does not reach.

        Raises
        ------
        OutputError
            It does not; ``what`` names it.
        """
        moved = shapely.transform(geometry, self._degrees)
        if not np.isfinite(shapely.get_coordinates(moved)).all():
            raise _outside(what, "lies")
        return moved

    def lonlat_all(self, geometries: "Sequence[BaseGeometry] | NDArray[Any]", *, what: str) -> "NDArray[Any]":
        """Give many geometries at once, as :meth:`lonlat` gives one; ``what`` names them together."""
        moved = shapely.transform(np.asarray(geometries, dtype=object), self._degrees)
        if not np.isfinite(shapely.get_coordinates(moved)).all():
            raise _outside(what, "lie")
        return np.asarray(moved)

    def feature(self, number: int, geometry: "BaseGeometry", *, what: str) -> dict[str, Any]:
        """Give a GeoJSON feature that carries its number and nothing else: words never travel in a layer's data."""
        return {
            "type": "Feature",
            "id": number,
            "properties": {},
            "geometry": shapely.geometry.mapping(self.lonlat(geometry, what=what)),
        }

    def places(self, points: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Give longitude and latitude of many points at once, an array of shape (n, 2) as the one given.

        Raises
        ------
        OutputError
            A point lies where the CRS does not reach.
        """
        moved = self._degrees(points)
        if not np.isfinite(moved).all():
            raise _outside("some parcels", "lie")
        return moved

    def point(self, geometry: "BaseGeometry") -> list[float]:
        """Give ``[latitude, longitude]`` of a point inside the geometry, for a label."""
        inside = shapely.transform(shapely.point_on_surface(geometry), self._degrees)
        return [float(inside.y), float(inside.x)]

    def bounds(self, geometries: "Iterable[BaseGeometry]") -> list[list[float]] | None:
        """Give ``[[south, west], [north, east]]`` of all geometries together; None where there are none."""
        boxes = [shapely.box(*one.bounds) for one in geometries if not shapely.is_empty(one)]
        if not boxes:
            return None
        west, south, east, north = shapely.transform(shapely.box(*shapely.total_bounds(boxes)), self._degrees).bounds
        return [[float(south), float(west)], [float(north), float(east)]]

    def _degrees(self, points: "NDArray[np.float64]") -> "NDArray[np.float64]":
        longitude, latitude = self._transformer.transform(points[:, 0], points[:, 1])
        return np.round(np.column_stack([longitude, latitude]), self._decimals)


def _outside(what: str, verb: str) -> OutputError:
    return OutputError(
        Fault(
            what=f"{what} {verb} outside the area of the coordinate system",
            remedy="check the layer's coordinate system with geonotice inspect",
        )
    )


def refuse_empty(geometries: "Iterable[tuple[str, BaseGeometry]]") -> None:
    """Refuse to draw a map of which part has no geometry, naming all such parts at once.

    Raises
    ------
    OutputError
        Some geometry is missing or empty.
    """
    faults = [
        Fault(
            what=f"{what} has no geometry",
            why="a map that leaves it out would look complete",
            remedy="import the layer again and look into its problems table",
        )
        for what, geometry in geometries
        if geometry is None or shapely.is_empty(geometry)
    ]
    if faults:
        raise OutputError(faults)
