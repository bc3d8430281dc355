"""Read a parade's route, and look whether it runs through the town."""

from collections import Counter
from typing import TYPE_CHECKING

import shapely
from msgspec import Struct
from msgspec.structs import replace

from geonotice.errors import EventFileError, Fault, GeonoticeError, LayerError
from geonotice.model import ResultWarning

if TYPE_CHECKING:
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry

    from geonotice.config.application import Event
    from geonotice.layers.source import RawLayer
    from geonotice.opened_town import Opened
    from geonotice.register.values import Application

__all__ = ["NEAR_TOWN_FT", "POINTS_OF_LINES", "Route", "along", "read_route", "route_of"]

KEY = "parade.route"
_LINES = ("LineString", "MultiLineString", "LinearRing")
POINTS_OF_LINES = ("route_points", "track_points")
"""Layers of a GPX file that hold the corners of its lines once more."""
NEAR_TOWN_FT = 660.0
"""A route so far from every parcel of the town lies outside it: the widest right-of-way that is looked across, and a little more."""
LEAST_OUTSIDE_FT = 66.0
"""Less of a route beyond the town's line is what the line is drawn to, or the width of a street along it."""


class Route(Struct, frozen=True, eq=False):
    """A parade's route in the town's CRS, the streets it follows (None where the town has no layer of them), and what is to be said."""

    line: "BaseGeometry"
    streets: tuple[str, ...] | None
    warnings: tuple[ResultWarning, ...] = ()

    @property
    def length_ft(self) -> float:
        """How long it is."""
        return float(shapely.length(self.line))

    @property
    def in_words(self) -> str:
        """Its length and its streets."""
        along = f" along {', '.join(self.streets)}" if self.streets else ""
        return f"{self.length_ft:,.0f} ft{along}"


def route_of(opened: "Opened", event: "Event", folder: "Path", *, file: str) -> tuple[Route | None, tuple[ResultWarning, ...]]:
    """Read the route of an event that is a parade; say so where one is named and the event is none.

    Raises
    ------
    EventFileError
        As :func:`read_route`.
    """
    if not event.parade.route:
        return None, ()
    if event.event.kind != "parade":
        text = f"The event file names a route ({event.parade.route}), but the event is no parade: the route is not read."
        return None, (ResultWarning("route_not_read", text),)
    route = read_route(opened, folder / event.parade.route, file=file)
    return route, route.warnings


def along(application: "Application", route: Route, *, crs: str) -> "Application":
    """Return an application a route, in the town's CRS, and the streets it follows."""
    wkb: bytes = shapely.to_wkb(route.line)
    return replace(application, route=wkb, route_crs=crs, streets=route.streets or ())


def read_route(opened: "Opened", path: "Path", *, file: str) -> Route:
    """Read a route: the lines of a file that GDAL reads, of all its layers together.

    Parameters
    ----------
    opened
        The town.
    path
        The route's file.
    file
        What a fault calls the event file.

    Raises
    ------
    EventFileError
        It is not there, cannot be read, has no lines, does not say its coordinates, or lies wholly outside the town; all of that at once.
    """
    from geonotice.register.conflicts import streets_of_route

    line, left_out = _lines(opened, path, file)
    if not _near_town(opened, line):
        remedy = "look whether it is the right file, and in the coordinates that it says"
        raise EventFileError(Fault(what=f"the route {path} lies wholly outside the town", file=file, key=KEY, remedy=remedy))
    warnings = list(_outside_town_note(opened, line))
    if left_out:
        text = f"The route {path.name} has {left_out} beside its lines, which no parade follows: not read."
        warnings.append(ResultWarning("route_not_lines", text))
    if not opened.store.has("streets"):
        text = "The town file names no streets layer, so the streets that the route follows are not known by name."
        warnings.append(ResultWarning("no_streets_layer", text))
        return Route(line, None, tuple(warnings))
    return Route(line, streets_of_route(opened.store, shapely.to_wkb(line)), tuple(warnings))


def _lines(opened: "Opened", path: "Path", file: str) -> "tuple[BaseGeometry, str]":
    """Return the lines of a file as one geometry in the town's CRS, and in words what else is in it."""
    layers, faults = _layers(path, file)
    lines: list[BaseGeometry] = []
    other: Counter[str] = Counter()
    for raw in layers:
        drawn = [shape for shape in raw.geometry if shape is not None and not shapely.is_empty(shape)]  # type: ignore[union-attr]  # layers of shapes only
        found = [shape for shape in drawn if shape.geom_type in _LINES]
        other.update(shape.geom_type.lower() for shape in drawn if shape.geom_type not in _LINES)
        if drawn and raw.crs is None:
            faults.append(_no_crs(path, file))
        elif found:
            faults += _moved(opened, raw, found, lines, file)
    left_out = ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in sorted(other.items()))
    if not lines and (other or not faults):
        what = f"the route {path} has no line" + (f", only {left_out}" if left_out else "")
        faults.append(Fault(what=what, file=file, key=KEY, remedy="draw the way that the parade takes as a line"))
    if faults:
        raise EventFileError(list(dict.fromkeys(faults)))
    return shapely.line_merge(shapely.union_all(lines)), left_out


def _layers(path: "Path", file: str) -> "tuple[list[RawLayer], list[Fault]]":
    """Read the layers of shapes of a file, and what keeps any of them from being read."""
    from geonotice.layers.read import read_every_layer

    if not path.exists():
        remedy = "fix the path; it starts at the event file"
        raise EventFileError(Fault(what=f"the route {path} is not there", file=file, key=KEY, remedy=remedy))
    try:
        read = read_every_layer(path)
    except LayerError as error:
        raise _unusable(error, file) from error
    faults = [fault for _, raw in read if isinstance(raw, LayerError) for fault in _unusable(raw, file).faults]
    sound = [raw for _, raw in read if not isinstance(raw, LayerError) and raw.geometry is not None]
    return [raw for raw in sound if raw.layer not in POINTS_OF_LINES], faults


def _moved(opened: "Opened", raw: "RawLayer", found: "list[BaseGeometry]", lines: "list[BaseGeometry]", file: str) -> list[Fault]:
    """Bring lines to the town's CRS; give what keeps them from it."""
    import numpy as np

    from geonotice.layers.read import with_crs
    from geonotice.units import to_measure

    try:
        placed = with_crs(raw, None)
        lines += list(to_measure(np.array(found, dtype=object), placed.crs or "", opened.crs))
    except GeonoticeError as error:
        return list(_unusable(error, file).faults)
    return []


def _unusable(error: GeonoticeError, file: str) -> EventFileError:
    from geonotice.layers.source import for_drawing, reworded

    return EventFileError(
        [
            Fault(what=f"the route cannot be used: {reworded(fault, for_drawing).at_desk}", file=file, key=KEY)
            for fault in error.faults
        ]
    )


def _no_crs(path: "Path", file: str) -> Fault:
    return Fault(
        what=f"the route {path} does not say in which coordinates it is drawn",
        file=file,
        key=KEY,
        why="without them it cannot be laid over the streets",
        remedy="save it with its coordinate reference system; a shapefile needs its .prj file",
    )


def _near_town(opened: "Opened", line: "BaseGeometry") -> bool:
    """Return whether any parcel of the town's own layer is near the route: the streets themselves are no parcels."""
    minx, miny, maxx, maxy = line.bounds
    block = opened.store.parcels_in((minx - NEAR_TOWN_FT, miny - NEAR_TOWN_FT, maxx + NEAR_TOWN_FT, maxy + NEAR_TOWN_FT))
    own = [shape for parcel, shape in zip(block.parcels, block.geometries, strict=True) if parcel.layer == 0]
    return any(shapely.dwithin(shape, line, NEAR_TOWN_FT) for shape in own)


def _outside_town_note(opened: "Opened", line: "BaseGeometry") -> tuple[ResultWarning, ...]:
    """Return how much of the route lies beyond the town's own area, where a layer has it; a village in the town is another municipality."""
    from geonotice.facts.municipalities import is_own
    from geonotice.select.boundary import is_village

    block = opened.store.features_in("municipalities", line.bounds)
    own = [
        shape
        for row, shape in zip(block.rows, block.geometries, strict=True)
        if is_own(row, opened.town.swis, opened.town.name) and not is_village(row["kind"])
    ]
    villages = [shape for row, shape in zip(block.rows, block.geometries, strict=True) if is_village(row["kind"])]
    if own:
        beyond = shapely.difference(line, shapely.difference(shapely.union_all(own), shapely.union_all(villages)))
    else:
        beyond = shapely.intersection(line, shapely.union_all(block.geometries))
    outside_ft = float(shapely.length(beyond))
    if outside_ft < LEAST_OUTSIDE_FT:
        return ()
    text = f"{outside_ft:,.0f} ft of the route lie outside the town, or in a village: another municipality's law may apply there."
    return (ResultWarning("route_outside", text),)
