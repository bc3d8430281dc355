"""Read the applicant's drawing and measure it on the premises."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from geonotice.decide.facts import Layout, Structure
from geonotice.errors import EventFileError, Fault, LayerError
from geonotice.model import Caution
from geonotice.select.layout import is_parking, lot_sides, place_layout

if TYPE_CHECKING:
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry

    from geonotice.workflow.measuring import Measured
    from geonotice.workflow.opening import Opened

__all__ = ["Drawing", "read_layout"]

AREA = 2
"""The dimension of a shape that has an area."""

LAYER, FIELD = "layout", "what"
"""The layer of the drawing, and the field that says what each thing is (the event file's guide)."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The applicant's drawing: what was measured on it, its shapes in the town's CRS with what each is, and what is to be said of it."""

    layout: Layout
    shapes: "tuple[tuple[str, BaseGeometry], ...]"
    cautions: tuple[Caution, ...]


def read_layout(opened: "Opened", measured: "Measured", path: "Path", *, event_file: str) -> Drawing:
    """Read the drawing that an event file names, and measure it: ground for parking, and how far structures stand from lot lines.

    Raises
    ------
    EventFileError
        The drawing is not there, cannot be read, or has no field ``what``.
    """
    drawn, cautions = _drawn(opened, path, event_file)
    frontages = [part for frontage in measured.near.frontages for part in shapely.get_parts(frontage.line)]
    tolerance_ft = opened.town.settings.tolerance_ft
    placed = place_layout(
        measured.land, lot_sides(measured.land, frontages, tolerance_ft=tolerance_ft), drawn, tolerance_ft=tolerance_ft
    )
    if placed.outside:
        cautions.append(_outside(measured, drawn, placed.outside, path.name, tolerance_ft=tolerance_ft))
    flat = [what for what, shape in drawn if is_parking(what) and shapely.get_dimensions(shape) < AREA]
    if flat:
        text = f"Parking is drawn as a line or a point, which has no area, in {path.name}: {len(flat)} of it. Draw it as an area."
        cautions.append(Caution("layout_no_area", text))
    structures = tuple(
        Structure(what=one.what, front_ft=one.front_ft, side_ft=one.side_ft, rear_ft=one.rear_ft) for one in placed.structures
    )
    return Drawing(Layout(parking_sq_ft=placed.parking_sq_ft, structures=structures), tuple(drawn), tuple(cautions))


def _outside(
    measured: "Measured", drawn: "list[tuple[str, BaseGeometry]]", names: tuple[str, ...], file: str, *, tolerance_ft: float
) -> Caution:
    """Say what of the drawing is not wholly on the premises, and on whose lots it lies."""
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
    return Caution("layout_outside", text, lots)


def _drawn(opened: "Opened", path: "Path", event_file: str) -> "tuple[list[tuple[str, BaseGeometry]], list[Caution]]":
    from geonotice.layers.read import read_layer
    from geonotice.layers.remedies import for_drawing, reworded
    from geonotice.units import to_measure

    key = "premises.layout"
    if not path.exists():
        raise EventFileError(
            Fault(
                what=f"the drawing {path} is not there",
                file=event_file,
                key=key,
                remedy="mend the path; it starts at the event file",
            )
        )
    try:
        raw = read_layer(path, layer=LAYER if path.suffix.lower() == ".gpkg" else None)
    except LayerError as error:
        raise EventFileError(
            [
                Fault(what=f"the drawing cannot be used: {reworded(fault, for_drawing)}", file=event_file, key=key)
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
    shapes = to_measure(raw.geometry, raw.crs, opened.crs)
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
    return drawn, [Caution("layout_no_shape", text)] if lost else []
