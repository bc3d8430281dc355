"""A second place of an event to measure from, for towns whose law says so: off-site parking, a parade's route."""

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, InputError, LayerError, UsageError
from geonotice.facts.drawings import NEAR_TOWN_FT, POINTS_OF_LINES
from geonotice.facts.surroundings import grown
from geonotice.model import SecondPlace

if TYPE_CHECKING:
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry

    from geonotice.opened_town import Opened

__all__ = ["read_second_place", "shape_of"]

_DECIMALS = 3
"""A thousandth of a foot: what is measured is what the record holds, so that the list can be made again from it."""


def read_second_place(opened: "Opened", path: "Path") -> SecondPlace:
    """Read a second place: all shapes of a file (points, lines, areas), whatever their CRS.

    Raises
    ------
    UsageError
        The file is not there.
    InputError
        It cannot be read, holds no shape, does not state its coordinates, or lies wholly outside the town.
    """
    from geonotice.io.source_files import sha256_of

    if not path.exists():
        raise UsageError(Fault(what=f"the second place {path} is not there", remedy="fix the path after --around"))
    shapes = _shapes(opened, path)
    if not shapes:
        remedy = "draw the place in it: an area for parking, a line for a route"
        raise InputError(Fault(what="the file of the second place holds no shape", file=str(path), remedy=remedy))
    place = shapely.union_all(shapes)
    near = opened.store.parcels_in(grown(place.bounds, NEAR_TOWN_FT))
    if not any(shapely.dwithin(shape, place, NEAR_TOWN_FT) for shape in near.geometries):
        remedy = "look whether it is the right file, and in the coordinates that it states"
        raise InputError(Fault(what="the second place lies wholly outside the town's layers", file=str(path), remedy=remedy))
    return SecondPlace(path.name, sha256_of(path), shapely.to_wkt(place, rounding_precision=_DECIMALS))


def shape_of(place: SecondPlace) -> "BaseGeometry":
    """Return a second place as a geometry in the town's CRS."""
    return shapely.make_valid(shapely.from_wkt(place.wkt))


def _shapes(opened: "Opened", path: "Path") -> "list[BaseGeometry]":
    from geonotice.layers.read import read_every_layer, with_crs
    from geonotice.layers.source import for_drawing, reworded
    from geonotice.units import to_measure

    found: list[BaseGeometry] = []
    try:
        for _, raw in read_every_layer(path):
            if isinstance(raw, LayerError):
                raise raw
            if raw.geometry is None or raw.layer in POINTS_OF_LINES:
                continue
            drawn = [shape for shape in raw.geometry if shape is not None and not shapely.is_empty(shape)]
            if drawn:
                placed = with_crs(raw, None)
                found += list(to_measure(np.array(drawn, dtype=object), placed.crs or "", opened.crs))
    except LayerError as error:
        faults = [reworded(fault, for_drawing) for fault in error.faults]
        raise InputError(
            [Fault(what=f"the second place cannot be used: {fault}", file="" if fault.file else str(path)) for fault in faults]
        ) from error
    return [shapely.make_valid(shape) for shape in found]
