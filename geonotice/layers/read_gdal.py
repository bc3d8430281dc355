"""Read one layer through GDAL: all its rows as an arrow table, its geometry as shapely's, or an error that says which record stopped it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import CutOffLayer, Fault
from geonotice.layers.bad_record import bad_geometry, lost_records, unread_shapes, unreadable_record
from geonotice.layers.look import LayerLook, does_not_open, usable_crs
from geonotice.layers.note import Note
from geonotice.layers.preflight import Source
from geonotice.layers.preflight_json import check_sequence, lost_shapes
from geonotice.layers.raw import RawLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

__all__ = ["read_gdal"]


def read_gdal(source: Source, look: LayerLook, notes: tuple[Note, ...]) -> RawLayer:
    """Read a layer through GDAL, whole, in the CRS that it states; ``notes`` are what was noted on the way to it.

    Raises
    ------
    UnreadableLayer
        A record of it does not read.
    CutOffLayer
        Not all of it was read, or the service says that there is more.
    """
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
