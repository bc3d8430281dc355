"""Read one layer through GDAL, and name the record that stops it."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import CutOffLayer, Fault, UnreadableLayer
from geonotice.layers.formats import sqlite
from geonotice.layers.formats.check_and_open import Source
from geonotice.layers.formats.encoding import repaired_table
from geonotice.layers.formats.gdal import described, fiona_features, open_batches, read_features, read_table
from geonotice.layers.formats.json import check_records
from geonotice.layers.formats.kml import with_balloons
from geonotice.layers.look import LayerLook, does_not_open, usable_crs
from geonotice.layers.shapes import Shapes
from geonotice.layers.source import Note, RawLayer
from geonotice.layers.spill import give_back

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from pyarrow import Table


__all__ = [
    "bad_geometry",
    "lost_records",
    "lost_shapes",
    "read_gdal",
    "unreadable_record",
]


NAMED = 5
"""How many records a message names; the others are counted."""

SEARCHED = 200_000
"""How many records are looked through one by one for the bad one: some ten seconds."""

_REASONS = (
    ("closed linestring", "its outline does not close: it was cut off"),
    ("Unknown WKB type", "it is a surface in three dimensions (multipatch or TIN), not an outline"),
    ("Invalid number of points", "its outline has too few corners"),
    ("Nonlinear", "it has curves that cannot be read"),
)


def bad_geometry(
    source: "Source", layer: str, wkb: "Sequence[bytes | None]", rows: "Sequence[int]", table: "Table"
) -> UnreadableLayer:
    """Make the error for records whose geometry cannot be made: each named by its number, its first attributes and the reason."""
    named = [f"record {row + 1}{_label(table, row)}: {_reason(wkb[row])}" for row in rows[:NAMED]]
    more = f", and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return UnreadableLayer(
        Fault(
            what=f"{len(rows)} of {len(wkb):,} records cannot be read: {'; '.join(named)}{more}",
            why="their owners would be left off every list",
            remedy="ask for the layer again; or repair or delete these records in QGIS, and note who they are",
            file=str(source.path),
            layer=layer,
        )
    )


def _reason(data: bytes | None) -> str:
    try:
        shapely.from_wkb(data)
    except (shapely.errors.GEOSException, NotImplementedError, TypeError) as error:
        said = " ".join(str(error).split())
        return next((words for sign, words in _REASONS if sign in said), said)
    return "its geometry is damaged"


def _label(table: "Table", row: int) -> str:
    for name in table.column_names[:6]:
        value = table.column(name)[row].as_py()
        if value not in (None, ""):
            return f" ({name} {str(value)[:40]})"
    return ""


def unreadable_record(source: "Source", layer: str, error: Exception) -> UnreadableLayer:
    """Make the error for a bulk read that failed, naming the first record that fiona cannot read, with the reason."""
    said = " ".join(str(error).split()).rstrip(".;")
    found = _first_bad(source, layer)
    return UnreadableLayer(
        Fault(
            what=f"{found}: {said}" if found else f"the layer cannot be read to its end: {said}",
            why="part of the layer would be missing without a word",
            remedy="download or export it again; the file was cut off or damaged",
            file=str(source.path),
            layer=layer,
        )
    )


def _first_bad(source: "Source", layer: str) -> str:
    """Read record by record; say which could not be read. Empty where fiona is not installed, or can read them all."""
    try:
        from fiona.errors import FionaError
    except ImportError:
        return ""

    number = 0
    try:
        with fiona_features(source, layer) as features:
            expected = len(features)
            for number, _ in enumerate(features, start=1):  # how far it came is what is asked
                if number >= SEARCHED:
                    return ""
    except (FionaError, ValueError, TypeError, OSError, RuntimeError, UnicodeError):
        return f"record {number + 1} cannot be read"
    return f"record {number + 1} of {expected:,} cannot be read" if number < expected else ""


def lost_records(source: "Source", layer: str, declared: int, read: int) -> UnreadableLayer:
    """Make the error for a layer of which fewer records were read than it declares."""
    return UnreadableLayer(
        Fault(
            what=f"the layer says it has {declared:,} records, and {read:,} could be read",
            why="part of the layer would be missing without a word",
            remedy="download or export it again; the file was cut off or damaged",
            file=str(source.path),
            layer=layer,
        )
    )


def lost_shapes(source: "Source", layer: str, lost: int, rows: int) -> UnreadableLayer:
    """Make the error for records whose geometry is written in the file and was not understood."""
    return UnreadableLayer(
        Fault(
            what=f"{lost:,} of {rows:,} records have a geometry that cannot be read",
            why="their owners would be left off every list",
            remedy="download or export it again; or repair or delete these records in QGIS, and note who they are",
            file=str(source.path),
            layer=layer,
        )
    )


def read_gdal(source: Source, look: LayerLook, notes: tuple[Note, ...]) -> RawLayer:
    """Read a layer through GDAL, whole, in the CRS that it states; ``notes`` are what was noted on the way to it.

    Raises
    ------
    UnreadableLayer
        A record of it does not read.
    CutOffLayer
        Not all of it was read, or the service says that there is more.
    """
    meta, table, read = _bulk(source, look)
    fid, table = _record_ids(meta, table)
    driver, extra = str(meta["driver"]), list(notes)
    _check_count(source, look, len(fid))
    geometry = None
    if not look.is_table:
        if read is None:
            # by its place: a column of attributes may have the same name
            wkb = table.column(table.num_columns - 1)
            table = table.remove_column(table.num_columns - 1)
            read = _straight(source, look, wkb, table)
            extra.append(_CURVE)
        geometry, high = read
        if high:
            extra.append(_FLAT)
        if look.crs is None and driver == "TopoJSON":
            extra.append(
                Note(
                    "topojson",
                    "TopoJSON rounds coordinates to a grid and states no CRS; ask for the layer in another format if you can.",
                )
            )
    extra += _check_whole(source, look, geometry, len(fid))
    table = table.drop_columns([name for name in source.memos if name in table.column_names])
    table, recoded = repaired_table(_distinct_names(_plain_columns(table)), str(source.path))
    extra += recoded
    if source.kind == "kml":
        table, balloons = with_balloons(table)
        extra += balloons
    return RawLayer(
        source.path, look.name, driver, None if look.is_table else usable_crs(meta["crs"]), geometry, table, fid, tuple(extra)
    )


def _bulk(source: Source, look: LayerLook) -> "tuple[dict[str, Any], Table, tuple[Shapes, bool] | None]":
    """Read all rows: the attributes as an arrow table, and the geometries with whether they have heights.

    Where a geometry cannot be made as it is, None stands in their place, and their binary is the last column of the table.
    """
    import pyarrow as pa
    from pyogrio.errors import CRSError, DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError

    try:
        meta, table, read = _in_batches(source, look)
        if read is None and not look.is_table:
            meta, table = read_table(source, look.name, geometry=True)
        meta["driver"] = described(source, look.name)["driver"]
    except (DataLayerError, DataSourceError) as error:
        raise does_not_open(source, error) from error
    except (
        CRSError, FeatureError, FieldError, GeometryError, OSError, RuntimeError, NotImplementedError, UnicodeDecodeError, ValueError,
        pa.ArrowException,
    ) as error:  # fmt: skip
        raise unreadable_record(source, look.name, error) from error
    return meta, table, read


def _in_batches(source: Source, look: LayerLook) -> "tuple[dict[str, Any], Table, tuple[Shapes, bool] | None]":
    """Read a layer batch by batch; what GDAL holds of a batch is let go of before the next."""
    import pyarrow as pa

    with open_batches(source, look.name, geometry=not look.is_table) as (meta, reader):
        rows: list[Table] = []
        schema = reader.schema if look.is_table else reader.schema.remove(len(reader.schema) - 1)

        def binaries() -> "Iterator[pa.Array]":
            for batch in reader:
                columns = batch.columns if look.is_table else batch.columns[:-1]
                table = _plain_columns(pa.Table.from_arrays(columns, schema=schema))
                # copied: a batch of GDAL's is kept whole as long as one of its columns is
                rows.append(table.take(pa.array(np.arange(len(batch)))))
                if not look.is_table:
                    yield batch.column(batch.num_columns - 1)

        read = None
        if look.is_table:
            list(binaries())
        else:
            try:
                read = Shapes.read(binaries())
            except (shapely.errors.GEOSException, NotImplementedError):
                return meta, schema.empty_table(), None
        give_back()
        return meta, pa.concat_tables(rows) if rows else _plain_columns(schema.empty_table()), read


def _record_ids(meta: "dict[str, Any]", table: "Table") -> "tuple[NDArray[np.int64], Table]":
    """Take the column of GDAL's record ids off: the first, whatever the columns of attributes are called."""
    name = meta["fid_column"] or "OGC_FID"
    at = table.column_names.index(name) if name in table.column_names else 0
    return table.column(at).to_numpy().astype(np.int64), table.remove_column(at)


def _distinct_names(table: "Table") -> "Table":
    """Tell columns of the same name apart by a number."""
    names = table.column_names
    if len(set(names)) == len(names):
        return table
    seen: Counter[str] = Counter()
    made = []
    for name in names:
        seen[name] += 1
        made.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return table.rename_columns(made)


def _plain_columns(table: "Table") -> "Table":
    """Return coded columns (a geodatabase's domains) as the words they stand for, and JSON as the text it is."""
    import pyarrow as pa

    for at, column in enumerate(table.schema):
        if isinstance(column.type, pa.BaseExtensionType):
            stored = [chunk.storage for chunk in table.column(at).chunks]
            table = table.set_column(at, column.name, pa.chunked_array(stored, type=column.type.storage_type))
        elif pa.types.is_dictionary(column.type):
            table = table.set_column(at, column.name, table.column(at).cast(column.type.value_type))
    return table


def _check_count(source: Source, look: LayerLook, read: int) -> None:
    """Refuse a layer of which not all was read, or of which the service says that there is more."""
    if source.claimed is not None and source.claimed > read:
        raise CutOffLayer(
            Fault(
                what=f"the service says there are {source.claimed:,} features, and the file holds {read:,}",
                why="whoever is in the missing part would be left off every list",
                remedy="download it again in pages, or ask for the whole layer as a file geodatabase or GeoPackage",
                file=str(source.path),
                layer=look.name,
            )
        )
    # a JSON document's entries are counted one by one; a GeoPackage keeps its count in a table that other programs forget to update; its rows are whole, or SQLite says so
    stated = source.records.get(look.name, look.count) if source.kind in {"shapefile", "dbf"} else look.count
    if source.kind not in {"gpkg", "json", "json_sequence"} and stated is not None and stated != read:
        raise lost_records(source, look.name, stated, read)
    written = source.records.get("kml" if source.kind == "kml" else look.name)
    if written is not None and written != read and source.kind in {"gml", "mapinfo"}:
        raise lost_records(source, look.name, written, read)


def _check_whole(source: Source, look: LayerLook, geometry: "Shapes | None", rows: int) -> list[Note]:
    """Refuse a file of which not every record was read, or not every shape: GDAL passes over what it does not understand."""
    if source.kind in {"json", "json_sequence"}:
        notes = check_records(
            source.path,
            Path(source.dataset),
            source.kind,
            layer=look.name,
            geometry=None if geometry is None else np.asarray(geometry),
            rows=rows,
        )
    else:
        notes = []
    if geometry is None:
        return notes
    missing = int(geometry.absent.sum())
    if not missing:
        return notes
    if source.kind == "gpkg":
        written = sqlite.geometries_written(Path(source.dataset), look.name)
        lost = 0 if written is None else int(geometry.missing.sum()) - (rows - written)
    else:
        name = "kml" if source.kind == "kml" else look.name
        known = name in source.records and (name in source.placed or source.kind in {"gml", "kml"})
        lost = missing - (source.records[name] - source.placed.get(name, 0)) if known else 0
    if lost > 0:
        raise lost_shapes(source, look.name, lost, rows)
    return notes


_CURVE = Note(
    "curve", "It has curves; each was drawn as straight lines that stray less than 0.02 ft from an arc of 1,000 ft radius."
)
_FLAT = Note("z_dropped", "Its corners have heights; they were left out, for distances are measured on the map.")


def _straight(source: Source, look: LayerLook, wkb: Any, table: "Table") -> "tuple[Shapes, bool]":  # noqa: ANN401  # a pyarrow column
    """Return the geometries of a column of binary with curves drawn as short straight lines, and whether they had heights."""
    data = _straightened(source, look, wkb.to_numpy(zero_copy_only=False))
    geometry = shapely.from_wkb(data, on_invalid="ignore")
    bad = np.flatnonzero(shapely.is_missing(geometry) & np.array([item is not None for item in data], dtype=bool))
    if len(bad):
        raise bad_geometry(source, look.name, data.tolist(), bad.tolist(), table) from None
    high = bool(shapely.has_z(geometry).any())
    return Shapes.of(np.asarray(shapely.force_2d(geometry) if high else geometry, dtype=object)), high


def _straightened(source: Source, look: LayerLook, data: "NDArray[np.object_]") -> "NDArray[np.object_]":
    """Read the geometry again in the way that draws curves as straight lines; as it was where that is not possible."""
    from pyogrio.errors import DataSourceError, FeatureError, GeometryError

    try:
        straight = read_features(source, look.name)[2]
    except (DataSourceError, FeatureError, GeometryError, OSError, RuntimeError, NotImplementedError):
        return data
    return straight if straight is not None and len(straight) == len(data) else data
