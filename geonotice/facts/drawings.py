"""Read the applicant's drawing and a second place to measure from, measure them, and tell whether two drawings are the same."""

from typing import TYPE_CHECKING

import numpy as np
import shapely
from msgspec import Struct

from geonotice.decide.case import Layout, Structure
from geonotice.errors import EventFileError, Fault, InputError, LayerError, UsageError
from geonotice.facts.parade_routes import NEAR_TOWN_FT, POINTS_OF_LINES
from geonotice.facts.surroundings import grown
from geonotice.model import ResultWarning, SecondPlace
from geonotice.select.layout import is_parking, lot_sides, place_layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry

    from geonotice.facts.surroundings import Measured
    from geonotice.opened_town import Opened

__all__ = ["Drawing", "digest_of_drawing", "read_layout", "read_second_place", "same_drawing", "shape_of"]


AREA = 2
"""The dimension of a shape that has an area."""

LAYER, FIELD = "layout", "what"
"""The layer of the drawing, and the field that says what each thing is (the event file's guide)."""


class Drawing(Struct, frozen=True, eq=False):
    """The applicant's drawing: what was measured on it, its shapes in the town's CRS with what each is, and what is to be said of it."""

    layout: Layout
    shapes: "tuple[tuple[str, BaseGeometry], ...]"
    warnings: tuple[ResultWarning, ...]


def read_layout(opened: "Opened", measured: "Measured", path: "Path", *, event_file: str) -> Drawing:
    """Read the drawing that an event file names, and measure it: ground for parking, and how far structures stand from lot lines.

    Raises
    ------
    EventFileError
        The drawing is not there, cannot be read, or has no field ``what``.
    """
    drawn, warnings = _drawn(opened, path, event_file)
    frontages = [part for frontage in measured.near.frontages for part in shapely.get_parts(frontage.line)]
    tolerance_ft = opened.town.settings.tolerance_ft
    placed = place_layout(
        measured.land, lot_sides(measured.land, frontages, tolerance_ft=tolerance_ft), drawn, tolerance_ft=tolerance_ft
    )
    if placed.outside:
        warnings.append(_outside(measured, drawn, placed.outside, path.name, tolerance_ft=tolerance_ft))
    flat = [what for what, shape in drawn if is_parking(what) and shapely.get_dimensions(shape) < AREA]
    if flat:
        text = f"Parking is drawn as a line or a point, which has no area, in {path.name}: {len(flat)} of it. Draw it as an area."
        warnings.append(ResultWarning("layout_no_area", text))
    structures = tuple(
        Structure(what=one.what, front_ft=one.front_ft, side_ft=one.side_ft, rear_ft=one.rear_ft, both_sides_ft=one.both_sides_ft)
        for one in placed.structures
    )
    return Drawing(Layout(parking_sq_ft=placed.parking_sq_ft, structures=structures), tuple(drawn), tuple(warnings))


def _outside(
    measured: "Measured", drawn: "list[tuple[str, BaseGeometry]]", names: tuple[str, ...], file: str, *, tolerance_ft: float
) -> ResultWarning:
    """Return what of the drawing is not wholly on the premises, and on whose lots it lies."""
    reach = measured.land.buffer(tolerance_ft)
    beyond = shapely.union_all([shape for _, shape in drawn if not reach.covers(shape)]).difference(reach)
    own = {parcel.fid for parcel in measured.premises}
    lots = tuple(
        measured.records[fid].id
        for fid, geometry in measured.geometries.items()
        # A hair of a shape along a lot line is what digitizing moves it.
        if fid not in own and beyond.intersects(geometry.buffer(-tolerance_ft))
    )
    where = f", but reaches onto {', '.join(lots)}" if lots else ""
    text = (
        f"The drawing {file} is not wholly on the premises{where}: {', '.join(names)}. What lies wholly outside is not measured."
    )
    return ResultWarning("layout_outside", text, lots)


def _drawn(opened: "Opened", path: "Path", event_file: str) -> "tuple[list[tuple[str, BaseGeometry]], list[ResultWarning]]":
    from geonotice.layers.read import read_layer
    from geonotice.layers.source import for_drawing, reworded
    from geonotice.units import to_measure

    key = "premises.layout"
    if not path.exists():
        raise EventFileError(
            Fault(
                what=f"the drawing {path} is not there",
                file=event_file,
                key=key,
                remedy="fix the path; it starts at the event file",
            )
        )
    try:
        raw = read_layer(path, layer=LAYER if path.suffix.lower() == ".gpkg" else None)
    except LayerError as error:
        raise EventFileError(
            [
                Fault(what=f"the drawing cannot be used: {reworded(fault, for_drawing).at_desk}", file=event_file, key=key)
                for fault in error.faults
            ]
        ) from error
    names = {name.casefold(): name for name in raw.columns}
    if FIELD not in names or raw.geometry is None:
        raise EventFileError(
            Fault(
                what=f"the drawing {path} has no field {FIELD!r} beside its shapes (it has: {', '.join(raw.columns) or 'none'})",
                file=event_file,
                key=key,
                remedy=f"say in a field {FIELD!r} what each shape is: parking, stage, tent, ride",
            )
        )
    if raw.crs is None:
        raise EventFileError(
            Fault(
                what=f"the drawing {path} does not say in which coordinates it is drawn",
                file=event_file,
                key=key,
                why="without them it cannot be laid over the parcels",
                remedy="save it with its coordinate reference system; a shapefile needs its .prj file",
            )
        )
    shapes = to_measure(np.asarray(raw.geometry), raw.crs, opened.crs)
    words = [str(word or "").strip() or "(not named)" for word in raw.table.column(names[FIELD]).to_pylist()]
    drawn = [
        (word, shapely.make_valid(shape))
        for word, shape in zip(words, shapes, strict=True)
        if shape is not None and not shapely.is_empty(shape)
    ]
    if not drawn:
        raise EventFileError(
            Fault(
                what=f"nothing is drawn in {path}",
                file=event_file,
                key=key,
                remedy="draw the stages, tents, parking and rides, or take premises.layout out of the event file",
            )
        )
    lost = len(words) - len(drawn)
    text = f"{lost} of {len(words)} rows of the drawing {path.name} have no shape, and are not measured."
    return drawn, [ResultWarning("layout_no_shape", text)] if lost else []


# ---- a second place to measure from, for towns whose law says so: off-site parking, a parade's route


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
        raise UsageError(
            Fault(
                what=f"the second place {path} is not there",
                remedy="choose the file again",
                command="fix the path after --around",
            )
        )
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
            [
                Fault(what=f"the second place cannot be used: {fault.at_desk}", file="" if fault.file else str(path))
                for fault in faults
            ]
        ) from error
    return [shapely.make_valid(shape) for shape in found]


SAME_FT = 0.5
"""How far a line of a drawing may lie from where it was and be the same: a drawing that goes through the map of a page comes back with rounded corners."""


def digest_of_drawing(shapes: "Sequence[tuple[str, BaseGeometry]]") -> str:
    """Return the SHA-256 of what is drawn: each shape with what it is, to a hundredth of a foot, in whatever order and from whatever file.

    Examples
    --------
    >>> from shapely import box
    >>> tent, stage = ("tent", box(0, 0, 20, 40)), ("stage", box(50, 0, 60, 10))
    >>> digest_of_drawing([tent, stage]) == digest_of_drawing([stage, tent])
    True
    >>> digest_of_drawing([tent]) == digest_of_drawing([("tent", box(0, 0, 20, 41))])
    False
    """
    import hashlib

    import shapely

    rounded = [(what, shapely.transform(shape, lambda xy: xy.round(2) + 0.0)) for what, shape in shapes]
    drawn = sorted(f"{what} {shapely.normalize(shape).wkb_hex}" for what, shape in rounded)
    return hashlib.sha256("\n".join(drawn).encode()).hexdigest()


def same_drawing(one: "Sequence[tuple[str, BaseGeometry]]", other: "Sequence[tuple[str, BaseGeometry]]") -> bool:
    """Return whether two drawings show the same things at the same places, within :data:`SAME_FT`.

    Examples
    --------
    >>> from shapely import LineString, box
    >>> same_drawing([("tent", box(0, 0, 20, 40))], [("tent", box(0, 0, 20.1, 40))])
    True
    >>> same_drawing([("tent", box(0, 0, 20, 40))], [("stage", box(0, 0, 20, 40))])
    False

    The same corners joined otherwise are another drawing:

    >>> open_to_the_west = LineString([(0, 0), (90, 0), (90, 90), (0, 90)])
    >>> open_to_the_north = LineString([(0, 90), (0, 0), (90, 0), (90, 90)])
    >>> same_drawing([("fence", open_to_the_west)], [("fence", open_to_the_north)])
    False
    """
    left = list(other)
    if len(one) != len(left):
        return False
    for what, shape in one:
        place = next((n for n, (kind, there) in enumerate(left) if kind == what and _same_shape(shape, there)), None)
        if place is None:
            return False
        del left[place]
    return True


def _same_shape(one: "BaseGeometry", other: "BaseGeometry") -> bool:
    """Return whether all of each of two shapes, areas and their edges alike, lies within :data:`SAME_FT` of the other."""
    # GEOS measures this from the corners alone: it tells most shapes apart cheaply, but never that two are the same.
    if not one.hausdorff_distance(other) < SAME_FT:
        return False
    # The edges by themselves too, for a narrow hole is within reach of its rim; the areas too, for two that fill turns about have the same edges.
    return all(
        _near(there, here) and _near(here, there)
        for here, there in zip(_areas_and_edges(one), _areas_and_edges(other), strict=True)
    )


def _areas_and_edges(shape: "BaseGeometry") -> "tuple[BaseGeometry, BaseGeometry]":
    """Return the areas of a shape, and its line work: the edges of its areas, its lines and its points."""
    parts = shapely.get_parts(shape)
    flat = shapely.get_dimensions(parts) < AREA
    areas = parts[~flat]
    return shapely.union_all(areas), shapely.union_all([*parts[flat], *shapely.boundary(areas)])


def _near(shape: "BaseGeometry", other: "BaseGeometry") -> bool:
    """Return whether every point of a shape lies within :data:`SAME_FT` of another.

    The chords of a buffer take less than a thousandth of a foot from its reach: at worst a drawing that stayed is logged as another, and none is lost.
    """
    return shape.is_empty or bool(other.buffer(SAME_FT, quad_segs=16).covers(shape))
