"""Read GeoParquet, which GDAL's wheels do not: the table with pyarrow, the geometry as the file's own metadata says (https://geoparquet.org, 1.1)."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.formats.encoding import repaired_table
from geonotice.layers.formats.gdal_read import bad_geometry
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

    from geonotice.layers.formats.check_and_open import Source

__all__ = ["read_parquet"]


def read_parquet(source: "Source") -> "tuple[NDArray[np.object_] | None, Table, str | None, tuple[Note, ...]]":
    """Read a GeoParquet file: geometry, attributes, CRS as declared (None: unknown), notes.

    Raises
    ------
    UnreadableLayer
        It is no Parquet, was cut off, has no geometry described in it, or a geometry cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = str(source.path)
    try:
        table = pq.read_table(source.dataset)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise UnreadableLayer(
            Fault(what="the file is no Parquet file, or was cut off or damaged", remedy="download or export it again", file=file)
        ) from error
    written = (table.schema.metadata or {}).get(b"geo")
    if written is None:
        raise UnreadableLayer(
            Fault(
                what="the Parquet file does not describe its geometry (it has no 'geo' metadata)",
                remedy="export it as GeoParquet, for example with GeoPandas (to_parquet) or QGIS; or as GeoPackage",
                file=file,
            )
        )
    try:
        described: dict[str, Any] = json.loads(written)
        name = described["primary_column"]
        column: dict[str, Any] = described["columns"][name]
        wkb_or_shapes = table.column(name)
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableLayer(
            Fault(what="the description of its geometry ('geo' metadata) is damaged", remedy="export it again", file=file)
        ) from error
    extra = [other for other in described["columns"] if other != name and other in table.column_names]
    covering = {path[0] for paths in (column.get("covering") or {}).get("bbox", {}).values() for path in [paths] if path}
    attributes = table.drop_columns([name, *extra, *(other for other in covering if other in table.column_names)])
    notes = (
        [Note("geometry_columns", f"Of its geometry columns, {name} was taken (others: {', '.join(extra)}).")] if extra else []
    )
    if str(column.get("encoding", "WKB")).upper() == "WKB":
        geometry = _from_wkb(source, wkb_or_shapes, attributes)
    else:
        geometry = _from_native(source)
    if shapely.has_z(geometry).any():
        geometry = shapely.force_2d(geometry)
        notes.append(Note("z_dropped", "Its corners have heights; they were left out, for distances are measured on the map."))
    # A CRS that is absent is longitude and latitude; one that is null is not known (GeoParquet 1.1, crs).
    declared = column.get("crs")
    crs = declared if isinstance(declared, str) else json.dumps(declared) if declared else None
    attributes, recoded = repaired_table(attributes, file)
    notes += recoded
    return np.asarray(geometry, dtype=object), attributes, crs if "crs" in column else "OGC:CRS84", tuple(notes)


def _from_wkb(source: "Source", column: Any, attributes: "Table") -> Any:  # noqa: ANN401  # a pyarrow column in, shapely's array out
    data = column.to_numpy()
    try:
        return shapely.from_wkb(data)
    except (shapely.errors.GEOSException, NotImplementedError, TypeError):
        geometry = shapely.from_wkb(data, on_invalid="ignore")
        bad = np.flatnonzero(shapely.is_missing(geometry) & np.array([item is not None for item in data], dtype=bool))
        raise bad_geometry(source, source.path.stem, data.tolist(), bad.tolist(), attributes) from None


def _from_native(source: "Source") -> Any:  # noqa: ANN401  # shapely's array
    """Read the encodings that keep coordinates as nested lists, through GeoPandas."""
    import geopandas as gpd

    try:
        return gpd.read_parquet(source.dataset).geometry.to_numpy()
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise UnreadableLayer(
            Fault(
                what=f"its geometry cannot be read: {error}",
                remedy="export it again with its geometry as WKB",
                file=str(source.path),
            )
        ) from error
