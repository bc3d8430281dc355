"""From the town's CRS to what a browser draws: longitude and latitude (WGS 84), rounded to 7 decimals (under half an inch)."""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import Fault, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    """

    def __init__(self, crs: str) -> None:
        from pyproj import Transformer

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
            raise OutputError(
                Fault(
                    what=f"{what} lies outside the area of its coordinate system",
                    remedy="check the layer's coordinate system with geonotice inspect",
                )
            )
        return moved

    def feature(self, number: int, geometry: "BaseGeometry", *, what: str) -> dict[str, Any]:
        """Give a GeoJSON feature that carries its number and nothing else: words never travel in a layer's data."""
        return {
            "type": "Feature",
            "id": number,
            "properties": {},
            "geometry": shapely.geometry.mapping(self.lonlat(geometry, what=what)),
        }

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

    def _degrees(self, points: "np.ndarray[Any, np.dtype[np.float64]]") -> "np.ndarray[Any, np.dtype[np.float64]]":
        longitude, latitude = self._transformer.transform(points[:, 0], points[:, 1])
        return np.round(np.column_stack([longitude, latitude]), DECIMALS)


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
