"""Read one layer of any source, whole or not at all, in the CRS it is in.

:func:`read_layer` is the one way in. What it gives has been looked at before (:mod:`geonotice.layers.preflight`) and after: no
cut-off download, no half-read file, no coordinates that contradict their CRS. What was changed on the way is in ``notes``.
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely

from geonotice.errors import Fault, LayerError, UnknownCRS, UnreadableLayer, WrongGeometry
from geonotice.layers.look import LayerLook, choose, look_at
from geonotice.layers.note import Note
from geonotice.layers.place import check_place
from geonotice.layers.preflight import Source, opened
from geonotice.layers.quiet import Messages, quiet_gdal
from geonotice.layers.raw import RawLayer, geometry_kinds
from geonotice.layers.read_gdal import read_gdal
from geonotice.layers.read_parquet import read_parquet
from geonotice.units import resolve_crs
from geonotice.units.move import Bounds

__all__ = ["layer_bounds", "read_every_layer", "read_layer", "read_unlocated", "require_parcels", "resolve_or_none", "with_crs"]

EARTH = 2e8
"""More than any coordinate on Earth, in feet, in any projection in use."""

SERVICE_LIMITS = frozenset({1000, 2000, 5000, 10000})
"""How many features map services send at most, as they come: a layer of exactly so many may be the first page of a longer one."""


def read_layer(path: Path | str, *, layer: str | None = None, crs: str | None = None) -> RawLayer:
    """Read a layer whole.

    Parameters
    ----------
    path
        A file, a FileGDB folder, or either zipped.
    layer
        The layer in it; needed where there are several and not exactly one of polygons.
    crs
        The source's CRS, where it states none or a wrong one.

    Raises
    ------
    UnreadableLayer
        The file is not there, does not open, was cut off, or a record in it does not read.
    CutOffLayer
        The file says itself that it is not complete.
    UnknownCRS
        Features, and no CRS known, or one that cannot be used safely, or coordinates that contradict it.
    LayerError
        Several layers and none named, or none of that name.
    """
    return with_crs(read_unlocated(path, layer=layer), crs)


def read_unlocated(path: Path | str, *, layer: str | None = None) -> RawLayer:
    """Read a layer whole, whatever it says of its CRS: ``crs`` is as declared, or None. For looking at it; :func:`read_layer` is for use."""
    path = Path(path)
    with quiet_gdal() as messages, opened(path, layer=layer) as source:
        if source.kind in _TABLES:
            raw = _read_table(source, layer)
        elif source.kind == "parquet":
            raw = _read_parquet(source)
        else:
            looks, notes = look_at(source)
            look, chosen = choose(looks, layer, path)
            raw = read_gdal(source, look, (*source.notes, *notes, *chosen))
    return replace(raw, notes=(*raw.notes, *_told(messages), *_count_notes(raw)))


def read_every_layer(path: Path | str, *, layer: str | None = None) -> tuple[tuple[LayerLook | None, RawLayer | LayerError], ...]:
    """Read all layers of a source, each whole or as the error that stops it; the look is None where the format has none (GeoParquet).

    ``layer`` only chooses among several files in a zip archive.

    Raises
    ------
    LayerError
        The source as a whole cannot be used.
    """
    path = Path(path)
    read: list[tuple[LayerLook | None, RawLayer | LayerError]] = []
    with quiet_gdal() as messages, opened(path, layer=layer) as source:
        if source.kind in _TABLES:
            return ((None, _read_table(source, layer)),)
        if source.kind == "parquet":
            return ((None, _read_parquet(source)),)
        looks, notes = look_at(source)
        for look in looks:
            before = len(messages.texts)
            try:
                raw = read_gdal(source, look, (*source.notes, *notes))
            except LayerError as error:
                read.append((look, error))
            else:
                said = _told(Messages(messages.texts[before:]))
                read.append((look, replace(raw, notes=(*raw.notes, *said, *_count_notes(raw)))))
    return tuple(read)


def _read_table(source: Source, sheet: str | None) -> RawLayer:
    """Read a CSV or a workbook as a roll is read: one reader for all tables of text."""
    from geonotice.layers.roll_table import read_roll_table

    table, said = read_roll_table(
        Path(source.dataset), sheet=sheet if source.kind == "workbook" else None, given=str(source.path)
    )
    notes = tuple(Note("table", text) for text in said)
    return RawLayer(
        source.path, source.path.stem, source.kind.upper(), None, None, table, np.arange(len(table), dtype=np.int64), notes
    )


def _read_parquet(source: Source) -> RawLayer:
    geometry, table, declared, notes = read_parquet(source)
    fid = np.arange(len(table), dtype=np.int64)
    return RawLayer(source.path, source.path.stem, "Parquet", declared, geometry, table, fid, (*source.notes, *notes))


def with_crs(raw: RawLayer, given: str | None) -> RawLayer:
    """Settle the CRS of a layer as read: the one given, else the one declared, recognised and held against the coordinates.

    Raises
    ------
    UnknownCRS
        There is none, it cannot be used safely, or the coordinates contradict it.
    """
    if raw.geometry is None:
        return raw
    written = given or raw.crs
    if written is None:
        raise _no_crs(raw)
    place = {"file": str(raw.path), "layer": raw.layer}
    bounds = layer_bounds(raw)
    _check_outliers(raw, place)
    try:
        # where the numbers lie comes first: a transformation is chosen for that place
        odd = check_place(bounds, written, given=given is not None, **place) if bounds is not None else ()
        found = resolve_crs(written, bounds=bounds, **place)
    except UnknownCRS as error:
        raise UnknownCRS(
            replace(fault, file=fault.file or place["file"], layer=fault.layer or place["layer"]) for fault in error.faults
        ) from error
    notes = [*(Note(caution.code, caution.text) for caution in found.cautions), *odd]
    if given is not None and raw.crs is not None and resolve_or_none(raw.crs) != found.crs:
        notes.append(
            Note("crs_overridden", f"The layer says it is in another CRS; it was read as {found.name} ({given}), as you said.")
        )
    return replace(raw, crs=found.crs, notes=(*raw.notes, *notes))


def _check_outliers(raw: RawLayer, place: dict[str, str]) -> None:
    """Refuse records whose coordinates are no place on Earth in any unit, each by its number: programs write such for "no place"."""
    assert raw.geometry is not None  # noqa: S101  # asked by the caller
    boxes = np.abs(shapely.bounds(raw.geometry))
    corners, of = shapely.get_coordinates(raw.geometry, return_index=True)
    numbers = np.isfinite(corners).all(axis=1)
    if numbers.all() and not (0 < int((boxes > EARTH).any(axis=1).sum()) < len(boxes)):
        return
    far = np.union1d(np.flatnonzero((boxes > EARTH).any(axis=1)), of[~numbers])
    label = raw.table.column(0) if raw.table.num_columns else None
    named = ", ".join(
        str(raw.fid[row]) + (f" ({str(label[row].as_py())[:40]})" if label is not None else "") for row in far[:5].tolist()
    )
    raise UnreadableLayer(
        Fault(
            what=f"{len(far):,} of {len(boxes):,} records lie nowhere on Earth, or have a corner that is no number (record {named}{', …' if len(far) > 5 else ''})",  # noqa: PLR2004  # as many as are named
            why="some programs write such coordinates where they know no place; those records would be on no map and no list",
            remedy="correct or delete these records in QGIS, and note who they are",
            **place,
        )
    )


def resolve_or_none(crs: str) -> str | None:
    """Recognise a declared CRS; None where it could not be used."""
    try:
        return resolve_crs(crs).crs
    except UnknownCRS:
        return None


def layer_bounds(raw: RawLayer) -> Bounds | None:
    """Give the layer's extent (xmin, ymin, xmax, ymax) in its own CRS; None where no feature has a place."""
    if raw.geometry is None or not len(raw.geometry):
        return None
    xmin, ymin, xmax, ymax = shapely.total_bounds(raw.geometry).tolist()
    return (xmin, ymin, xmax, ymax) if np.isfinite((xmin, ymin, xmax, ymax)).all() else None


def require_parcels(raw: RawLayer) -> RawLayer:
    """Give the layer back if its features can be parcels: polygons, in a known CRS.

    Raises
    ------
    WrongGeometry
        A table, points or lines, or no feature at all.
    UnknownCRS
        No CRS.
    """
    place = {"file": str(raw.path), "layer": raw.layer}
    if raw.geometry is None:
        raise WrongGeometry(
            Fault(
                what="this is a table without geometry, and parcels are polygons",
                remedy="give the layer of the parcels here, and name this file as [[roll]] in the town file if it is the assessment roll",
                **place,
            )
        )
    kinds = geometry_kinds(raw.geometry)
    if not kinds.get("polygon"):
        found = "no features" if not kinds else " and ".join(f"{count} {kind}s" for kind, count in kinds.items())
        raise WrongGeometry(
            Fault(
                what=f"the layer holds {found}, and parcels are polygons",
                remedy="give the layer of the parcels' polygons",
                **place,
            )
        )
    if raw.crs is None:
        raise _no_crs(raw)
    return raw


def _no_crs(raw: RawLayer) -> UnknownCRS:
    return UnknownCRS(
        Fault(
            what="the layer does not say in which coordinate reference system (CRS) it is",
            why="without it no distance can be measured",
            remedy="ask whoever made it, and give it with --crs (for example --crs EPSG:2263), or put the .prj file beside a shapefile",
            file=str(raw.path),
            layer=raw.layer,
        )
    )


_TABLES = frozenset({"csv", "workbook"})
_ROOM = re.compile(r"[^\s'\"]*geonotice-[^/\\\s]+[/\\]")
"""The temporary folder that GDAL names where it means the source."""

_SAID = (
    ("Measured (M) geometry", "m_dropped", "Its corners have measures (M); they were left out."),
    ("organizePolygons", "rings_sorted", "Some of its polygons have their rings in an unusual order; they were put in order."),
)
# pyogrio says of lists that it skips them where it only describes a layer; reading through arrow has them
_UNIMPORTANT = (
    "Skipping field",
    "Non closed ring",
    "geometry column does not",
    "driver is not intended",
    "may not be",
    "deprecated",
)


def _told(messages: Messages) -> list[Note]:
    """Make notes of what GDAL said, in our words where we have some."""
    notes: list[Note] = []
    for said in messages.texts:
        text = _ROOM.sub("", said)
        if any(sign in text for sign in _UNIMPORTANT):
            continue
        known = next((Note(code, words) for sign, code, words in _SAID if sign in text), None)
        note = known or Note("gdal", f"The reading library said: {text}")
        if note not in notes:
            notes.append(note)
    return notes


def _count_notes(raw: RawLayer) -> list[Note]:
    if len(raw) in SERVICE_LIMITS:
        text = f"It has exactly {len(raw):,} records, the most that many map services send at once. Make sure that it is the whole layer."
        return [Note("round_count", text)]
    return []
