"""Read one layer of any source, whole or not at all, in the CRS it is in.

:func:`read_layer` is the one way in. What it gives has been looked at before (:mod:`geonotice.layers.preflight`) and after: no
cut-off download, no half-read file, no coordinates that contradict their CRS. What was changed on the way is in ``notes``.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import CutOffLayer, Fault, LayerError, UnknownCRS, WrongGeometry
from geonotice.layers.bad_record import bad_geometry, lost_records, unread_shapes, unreadable_record
from geonotice.layers.look import LayerLook, choose, does_not_open, look_at, usable_crs
from geonotice.layers.note import Note
from geonotice.layers.place import check_place
from geonotice.layers.preflight import Source, opened
from geonotice.layers.preflight_json import check_sequence, lost_shapes
from geonotice.layers.quiet import Messages, quiet_gdal
from geonotice.layers.read_parquet import read_parquet
from geonotice.units import resolve_crs
from geonotice.units.move import Bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

__all__ = ["Note", "RawLayer", "geometry_kinds", "layer_bounds", "read_layer", "require_parcels"]

SERVICE_LIMITS = frozenset({1000, 2000, 5000, 10000})
"""How many features map services send at most, as they come: a layer of exactly so many may be the first page of a longer one."""


@dataclass(frozen=True, slots=True, eq=False)
class RawLayer:
    """One layer as its source has it.

    Parameters
    ----------
    path
        The source, as given.
    layer
        The layer's name in it.
    driver
        The format, by GDAL's name of it (``Parquet`` for GeoParquet).
    crs
        The source's CRS, as a string pyproj takes; None only where there is no geometry.
    geometry
        Shapely geometries in ``crs``, two-dimensional, as an object array of the table's length; None where a row has no geometry.
        The whole is None for a table.
    table
        The attributes, without geometry and feature id, in the order of the source.
    fid
        The feature id of each row, int64: what GDAL calls it by; the row's number where the format has none.
    notes
        What the reader should know.
    """

    path: Path
    layer: str
    driver: str
    crs: str | None
    geometry: "NDArray[np.object_] | None"
    table: "Table"
    fid: "NDArray[np.int64]"
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.fid)

    @property
    def columns(self) -> tuple[str, ...]:
        """The attributes' names, in the order of the source."""
        return tuple(self.table.column_names)


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
        if source.kind == "parquet":
            raw = _read_parquet(source)
        else:
            looks, notes = look_at(source)
            look, chosen = choose(looks, layer, path)
            raw = _read_gdal(source, look, (*source.notes, *notes, *chosen))
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
        if source.kind == "parquet":
            return ((None, _read_parquet(source)),)
        looks, notes = look_at(source)
        for look in looks:
            before = len(messages.texts)
            try:
                raw = _read_gdal(source, look, (*source.notes, *notes))
            except LayerError as error:
                read.append((look, error))
            else:
                said = _told(Messages(messages.texts[before:]))
                read.append((look, replace(raw, notes=(*raw.notes, *said, *_count_notes(raw)))))
    return tuple(read)


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
    # where the numbers lie comes first: a transformation is chosen for that place
    odd = check_place(bounds, written, given=given is not None, **place) if bounds is not None else ()
    found = resolve_crs(written, bounds=bounds, **place)
    notes = [*(Note(caution.code, caution.text) for caution in found.cautions), *odd]
    if given is not None and raw.crs is not None and resolve_or_none(raw.crs) != found.crs:
        notes.append(
            Note("crs_overridden", f"The layer says it is in another CRS; it was read as {found.name} ({given}), as you said.")
        )
    return replace(raw, crs=found.crs, notes=(*raw.notes, *notes))


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


KINDS = {0: "point", 1: "line", 2: "line", 3: "polygon", 4: "point", 5: "line", 6: "polygon", 7: "collection"}
"""Shapely's type numbers, in words."""


def geometry_kinds(geometry: "NDArray[np.object_]") -> dict[str, int]:
    """Count the rows of each kind (``polygon``, ``line``, ``point``, ``collection``); rows without geometry are not counted."""
    types, counts = np.unique(shapely.get_type_id(geometry), return_counts=True)
    kinds: dict[str, int] = {}
    for number, count in zip(types.tolist(), counts.tolist(), strict=True):
        if number >= 0:
            kinds[KINDS[number]] = kinds.get(KINDS[number], 0) + count
    return dict(sorted(kinds.items(), key=lambda item: -item[1]))


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


def _read_gdal(source: Source, look: LayerLook, notes: tuple[Note, ...]) -> RawLayer:
    meta, table = _bulk(source, look)
    fid_name = meta["fid_column"] or "OGC_FID"
    fid = table.column(fid_name).to_numpy().astype(np.int64)
    table = table.drop_columns([fid_name])
    driver, extra = str(meta["driver"]), list(notes)
    _check_count(source, look, fid)
    if meta.get("recoded"):
        extra.append(
            Note(
                "encoding_guessed",
                "Its text is not in the encoding that it says; it was read as Windows-1252. Look at names with accents.",
            )
        )
    geometry = None
    if not look.is_table:
        column = meta["geometry_name"] or "wkb_geometry"
        wkb = table.column(column)
        table = table.drop_columns([column])
        geometry, said = _geometry(source, look, wkb, table)
        _check_shapes(source, look, driver, geometry)
        extra += said
        if look.crs is None and driver == "TopoJSON":
            extra.append(
                Note(
                    "topojson",
                    "TopoJSON rounds coordinates to a grid and states no CRS; ask for the layer in another format if you can.",
                )
            )
    return RawLayer(
        source.path, look.name, driver, None if look.is_table else usable_crs(meta["crs"]), geometry, table, fid, tuple(extra)
    )


def _bulk(source: Source, look: LayerLook, *, encoding: str | None = None) -> "tuple[dict[str, Any], Table]":
    """Read all rows into an arrow table; where the text is not in the encoding that the source says, read it as Windows-1252."""
    import pyarrow as pa
    from pyogrio import read_info
    from pyogrio.errors import DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError
    from pyogrio.raw import read_arrow

    known = encoding or source.encoding
    try:
        meta, table = read_arrow(
            source.dataset, layer=look.name, encoding=known, return_fids=True, read_geometry=not look.is_table
        )
        meta["driver"] = read_info(source.dataset, layer=look.name, encoding=known)["driver"]
        table.validate(full=True)
    except (DataLayerError, DataSourceError) as error:
        raise does_not_open(source.path, error) from error
    except (FeatureError, FieldError, GeometryError, OSError, RuntimeError, NotImplementedError) as error:
        raise unreadable_record(source, look.name, error) from error
    except (UnicodeDecodeError, pa.ArrowInvalid) as error:
        if encoding is not None:
            raise unreadable_record(source, look.name, error) from error
        meta, table = _bulk(source, look, encoding="CP1252")
        meta["recoded"] = True
    return meta, _plain_columns(table)


def _plain_columns(table: "Table") -> "Table":
    """Give coded columns (a geodatabase's domains) as the words they stand for, and JSON as the text it is."""
    import pyarrow as pa

    for at, column in enumerate(table.schema):
        if isinstance(column.type, pa.BaseExtensionType):
            stored = [chunk.storage for chunk in table.column(at).chunks]
            table = table.set_column(at, column.name, pa.chunked_array(stored, type=column.type.storage_type))
        elif pa.types.is_dictionary(column.type):
            table = table.set_column(at, column.name, table.column(at).cast(column.type.value_type))
    return table


def _check_count(source: Source, look: LayerLook, fid: "NDArray[np.int64]") -> None:
    """Refuse a layer of which not all was read, or of which the service says that there is more."""
    if source.claimed is not None and source.claimed > len(fid):
        raise CutOffLayer(
            Fault(
                what=f"the service says there are {source.claimed:,} features, and the file holds {len(fid):,}",
                why="whoever is in the missing part would be left off every list",
                remedy="download it again in pages, or ask for the whole layer as a file geodatabase or GeoPackage",
                file=str(source.path),
                layer=look.name,
            )
        )
    if source.kind == "json_sequence":
        check_sequence(source.path, Path(source.dataset), len(fid))
    # a GeoPackage keeps its count in a table that other programs forget to update; its rows are whole, or SQLite says so
    if source.kind != "gpkg" and look.count is not None and look.count != len(fid):
        raise lost_records(source, look.name, look.count, fid)


def _geometry(source: Source, look: LayerLook, wkb: Any, table: "Table") -> "tuple[NDArray[np.object_], list[Note]]":  # noqa: ANN401  # a pyarrow column
    """Make shapely geometries of a column of WKB: curves drawn as short straight lines, heights left out."""
    notes: list[Note] = []
    data = wkb.to_numpy(zero_copy_only=False)
    try:
        geometry = shapely.from_wkb(data)
    except (shapely.errors.GEOSException, NotImplementedError):
        data = _straightened(source, look, data)
        geometry = shapely.from_wkb(data, on_invalid="ignore")
        bad = np.flatnonzero(shapely.is_missing(geometry) & np.array([item is not None for item in data], dtype=bool))
        if len(bad):
            raise bad_geometry(source, look.name, data.tolist(), bad.tolist(), table) from None
        notes.append(
            Note(
                "curve",
                "It has curves; each was drawn as straight lines that stray less than 0.02 ft from an arc of 1,000 ft radius.",
            )
        )
    if shapely.has_z(geometry).any():
        geometry = shapely.force_2d(geometry)
        notes.append(Note("z_dropped", "Its corners have heights; they were left out, for distances are measured on the map."))
    made: NDArray[np.object_] = np.asarray(geometry, dtype=object)
    return made, notes


def _check_shapes(source: Source, look: LayerLook, driver: str, geometry: "NDArray[np.object_]") -> None:
    """Refuse a GeoJSON document in which a geometry is written that could not be read."""
    missing = int(shapely.is_missing(geometry).sum())
    lost = lost_shapes(Path(source.dataset), missing) if missing and driver == "GeoJSON" and source.kind == "json" else []
    if lost:
        raise unread_shapes(source, look.name, lost, len(geometry))


def _straightened(source: Source, look: LayerLook, data: "NDArray[np.object_]") -> "NDArray[np.object_]":
    """Read the geometry again in the way that draws curves as straight lines; as it was where that is not possible."""
    from pyogrio.errors import DataSourceError, FeatureError, GeometryError
    from pyogrio.raw import read

    try:
        straight = read(source.dataset, layer=look.name, encoding=source.encoding, columns=[])[2]
    except (DataSourceError, FeatureError, GeometryError, OSError, RuntimeError, NotImplementedError):
        return data
    return straight if straight is not None and len(straight) == len(data) else data


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
    for text in messages.texts:
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
