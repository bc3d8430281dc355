"""GeoPackages (OGC 12-128), read and written: large tables by GDAL from whole columns, the others by sqlite3 alone."""

import errno
import sqlite3
import struct
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = [
    "MadeColumn",
    "Srs",
    "geometry_columns",
    "geometry_of",
    "header_bytes",
    "open_for_tables",
    "quoted",
    "require_sound",
    "srs_of",
    "table_columns",
    "table_names",
    "to_gpkg",
    "write_columns",
    "write_features",
    "write_gpkg",
    "write_pieces",
    "write_table",
]

_MULTI = {
    "MultiPolygon": (3, b"\x01\x06\x00\x00\x00\x01\x00\x00\x00"),
    "MultiLineString": (1, b"\x01\x05\x00\x00\x00\x01\x00\x00\x00"),
}
"""The type of a part, and the well-known binary of a collection of one, little-endian, up to that part."""


def write_features(
    path: "Path",
    name: str,
    geometry: "NDArray[np.object_]",
    columns: "Mapping[str, pa.ChunkedArray | pa.Array]",
    *,
    crs: str,
    kind: str,
    version: str = "",
) -> None:
    """Write a feature table with its R-tree; the feature ids are 1, 2, 3 … in the order of the rows.

    Parameters
    ----------
    path
        The GeoPackage; made where it is not there, else the table is added.
    name
        The table.
    geometry
        Shapely geometries without None, in ``crs``; single ones are written as collections of one part where such are declared.
    columns
        The other columns, in their order.
    crs
        A code or WKT.
    kind
        The type of geometry that is declared: ``MultiPolygon``, ``MultiLineString``, ``Point`` or ``Unknown``.
    version
        Of the format, for a file that is made; GDAL's own choice where empty.
    """
    import pyarrow as pa
    import shapely

    def pieces() -> "Iterator[tuple[NDArray[np.integer[Any]], pa.Array]]":
        for start in range(0, len(geometry), _AT_ONCE):
            some = geometry[start : start + _AT_ONCE]
            yield shapely.get_type_id(some), pa.array(shapely.to_wkb(some, byte_order=1), pa.binary())

    write_pieces(path, name, pieces(), columns, crs=crs, kind=kind, version=version)


_AT_ONCE = 65_536
"""So many geometries are written at once."""


class MadeColumn(NamedTuple):
    """A column of which some rows are made at a time: its type, and what returns so many rows from one on."""

    type: "pa.DataType"
    slice: "Callable[[int, int], pa.Array]"


def write_pieces(
    path: "Path",
    name: str,
    pieces: "Iterable[tuple[NDArray[np.integer[Any]], pa.Array]]",
    columns: "Mapping[str, pa.ChunkedArray | pa.Array | MadeColumn]",
    *,
    crs: str,
    kind: str,
    version: str = "",
) -> None:
    """Write a feature table as :func:`write_features` does, from geometries in pieces: shapely's number of the type of each, and their binary."""
    import pyarrow as pa
    from pyogrio.raw import write_arrow

    from geonotice.io.gdal_options import quiet_gdal  # the register and the store read without it

    schema = pa.schema([*((column, of.type) for column, of in columns.items()), ("geom", pa.binary())])

    def batches() -> "Iterator[pa.RecordBatch]":
        start = 0
        for types, wkb in pieces:
            parts = (column.slice(start, len(wkb)) for column in columns.values())
            whole = [(part if isinstance(part, pa.ChunkedArray) else pa.chunked_array([part])).combine_chunks() for part in parts]
            made = [*whole, _collections(types, wkb, kind)]
            yield pa.record_batch(made, schema=schema)
            start += len(wkb)

    made = {"VERSION": version} if version and not path.exists() else None
    with quiet_gdal(), _unsynchronised(), _refusals(path):
        write_arrow(
            pa.RecordBatchReader.from_batches(schema, batches()), path, layer=name, driver="GPKG", geometry_name="geom", geometry_type=kind, crs=crs,
            append=False, dataset_options=made, layer_options={"FID": "fid", "SPATIAL_INDEX": "YES"},
        )  # fmt: skip


def _collections(types: "NDArray[np.integer[Any]]", wkb: "pa.Array", kind: str) -> "pa.Array":
    """Return geometries with single ones as collections of one part, where such are declared."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wkb = wkb.cast(pa.binary())
    if kind not in _MULTI:
        return wkb
    part, head = _MULTI[kind]
    heads = pc.if_else(pa.array(types == part), pa.scalar(head, pa.binary()), pa.scalar(b"", pa.binary()))
    return pc.binary_join_element_wise(heads, wkb, pa.scalar(b"", pa.binary()))


def write_columns(path: "Path", name: str, rows: "pa.RecordBatchReader | pa.Table") -> None:
    """Write a table without geometry from columns; quicker than by rows where there are many."""
    from pyogrio.raw import write_arrow

    from geonotice.io.gdal_options import quiet_gdal  # the register and the store read without it

    with quiet_gdal(), _unsynchronised(), _refusals(path):
        write_arrow(
            rows, path, layer=name, driver="GPKG", geometry_name=None, geometry_type=None, crs=None, append=False,
            layer_options={"FID": "fid"},
        )  # fmt: skip


@contextmanager
def _refusals(path: "Path") -> "Iterator[None]":
    """Call GDAL's refusal to write what it is: the system's."""
    from pyogrio.errors import DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError

    try:
        yield
    except (DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError) as error:
        # Its own words name the statement that failed, and seldom why.
        raise OSError(errno.EIO, "the disk is full, or refuses to be written to", str(path)) from error


@contextmanager
def _unsynchronised() -> "Iterator[None]":
    """Let GDAL write without waiting for the disk and without a journal: the file is renamed into place only when it is whole."""
    import pyogrio

    names = {"OGR_SQLITE_SYNCHRONOUS": "OFF", "OGR_SQLITE_JOURNAL": "OFF", "OGR_SQLITE_CACHE": "32"}
    before = {name: pyogrio.get_gdal_config_option(name) for name in names}
    pyogrio.set_gdal_config_options(names)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(before)


def open_for_tables(path: "Path") -> sqlite3.Connection:
    """Open a GeoPackage that nobody else knows of yet, for writing quickly: it is renamed into place only when it is whole."""
    db = sqlite3.connect(path)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -32000"):
        db.execute(f"PRAGMA {pragma}")
    return db


def write_table(
    db: sqlite3.Connection, name: str, columns: "Mapping[str, str]", rows: "Iterable[Sequence[object]]", *, description: str = ""
) -> None:
    """Write a table without geometry and register it, so that GDAL and QGIS list it.

    Parameters
    ----------
    columns
        Name to SQL type, in their order.
    """
    listed = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
    db.execute(f'CREATE TABLE "{name}" (fid INTEGER PRIMARY KEY, {listed})')
    marks = ", ".join("?" * len(columns))
    names = ", ".join(f'"{column}"' for column in columns)
    db.executemany(f'INSERT INTO "{name}" ({names}) VALUES ({marks})', rows)  # noqa: S608  # names of this package
    db.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES (?, 'attributes', ?, ?, 0)",
        (name, name, description),
    )


def quoted(name: str) -> str:
    """Write a name of a table or a column as SQL does, whatever is in it."""
    doubled = str(name).replace('"', '""')
    return f'"{doubled}"'


def table_columns(db: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table or a view, in their order."""
    return [str(row[1]) for row in db.execute(f"PRAGMA table_info({quoted(table)})")]


def table_names(db: sqlite3.Connection, most: int = 1000) -> list[str]:
    """Return the tables that the file lists, in the order in which they were made."""
    return [str(row[0]) for row in db.execute("SELECT table_name FROM gpkg_contents ORDER BY rowid LIMIT ?", (most,))]


def require_sound(db: sqlite3.Connection) -> None:
    """Look whether the pages of the file are whole: rows behind a damaged one are passed over without an error.

    Raises
    ------
    sqlite3.DatabaseError
        They are not; it holds the first three damages.
    """
    found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        raise sqlite3.DatabaseError("; ".join(found))


# -- by sqlite3 alone ----------------------------------------------------------------------------------------------------------

_APPLICATION_ID = 0x47504B47
_USER_VERSION = 10300
_ENVELOPE_BYTES = (0, 32, 48, 48, 64)
"""Length of a geometry's envelope by its indicator (OGC 12-128, clause 2.1.3)."""

_HEADER_BYTES = 8

_TABLES = """
CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL,
    definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
    last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (
    table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL,
    m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
"""


class Srs(Struct, frozen=True):
    """A coordinate reference system as a GeoPackage lists it; ``crs`` is the town file's name for it."""

    crs: str
    name: str
    srs_id: int
    organization: str
    code: int
    definition: str = "undefined"


_REQUIRED = (
    Srs("", "Undefined Cartesian SRS", -1, "NONE", -1),
    Srs("", "Undefined geographic SRS", 0, "NONE", 0),
    Srs(
        "EPSG:4326",
        "WGS 84 geodetic",
        4326,
        "EPSG",
        4326,
        'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],'
        'PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],'
        'AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]',
    ),
)
"""What every GeoPackage lists (OGC 12-128, clause 1.1.2.1.2)."""


def srs_of(crs: str, beside: "Path | None" = None, *, table: str = "") -> Srs:
    """Describe a CRS: with the definition of another GeoPackage where that has it, else by its code alone.

    Parameters
    ----------
    crs
        ``EPSG:2263`` or the like.
    beside, table
        A GeoPackage, and the table of it that is in that CRS.
    """
    organization, _, code = crs.partition(":")
    if beside is not None and beside.is_file():
        with closing(sqlite3.connect(f"{beside.resolve().as_uri()}?mode=ro", uri=True)) as database:
            row = database.execute(
                "SELECT srs_name, s.srs_id, organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys s"
                " JOIN gpkg_geometry_columns g ON g.srs_id = s.srs_id WHERE g.table_name = ?",
                (table,),
            ).fetchone()
        if row is not None:
            return Srs(crs, *row)
    if code.isdigit():
        return Srs(crs, crs, int(code), organization.upper(), int(code))
    return Srs(crs, "Undefined Cartesian SRS", -1, "NONE", -1)


def header_bytes(blob: bytes) -> int:
    """Return where the well-known binary begins in a shape of a GeoPackage: after the header and the envelope.

    Raises
    ------
    IndexError
        It is no such shape.
    """
    return _HEADER_BYTES + _ENVELOPE_BYTES[(blob[3] >> 1) & 7]


def to_gpkg(wkb: bytes, srs_id: int) -> bytes:
    """Put the GeoPackage header before well-known binary (little-endian, no envelope)."""
    return b"GP\x00\x01" + struct.pack("<i", srs_id) + wkb


def geometry_of(blob: bytes | None) -> bytes | None:
    """Take the header off again; None for nothing or an empty shape.

    Raises
    ------
    ValueError
        It is no shape of a GeoPackage.
    """
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < _HEADER_BYTES or blob[:2] != b"GP":
        raise ValueError("it does not begin as one")
    try:
        start = header_bytes(blob)
    except IndexError:
        raise ValueError("it does not begin as one") from None
    return None if blob[3] & 0x10 else blob[start:]


def geometry_columns(database: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Return each feature table's geometry column and CRS: its code, its definition where no authority numbers it, or nothing."""
    rows = database.execute(
        "SELECT table_name, column_name, s.srs_id, organization, organization_coordsys_id, definition FROM gpkg_geometry_columns"
        " JOIN gpkg_spatial_ref_sys s USING (srs_id)"
    )
    return {table: (column, _crs_of(*srs)) for table, column, *srs in rows}


def _crs_of(srs_id: int, organization: object, code: object, definition: object) -> str:
    if srs_id in _UNDEFINED:
        return ""
    authority = str(organization).upper()
    if authority in {"EPSG", "ESRI"} and isinstance(code, int):
        return f"{authority}:{code}"
    return "" if not isinstance(definition, str) or definition.casefold() == "undefined" else definition


_UNDEFINED = (-1, 0)
"""What a GeoPackage lists for coordinates of no known place (OGC 12-128, clause 1.1.2.1.2)."""


def write_gpkg(
    path: "Path",
    tables: "Mapping[str, tuple[Sequence[str], Iterable[tuple[Sequence[object], bytes | None]]]]",
    *,
    srs: Srs,
    changed: str,
    bounds: "Callable[[bytes], Sequence[float]]",
) -> None:
    """Write feature tables, each with the columns given and a last column ``geom``.

    Parameters
    ----------
    path
        A file that is not there yet.
    tables
        Name to columns and rows; a row is its values and its shape, as well-known binary or None.
    srs
        The CRS of all shapes.
    changed
        The time of the last change, ``2026-07-04T12:00:00.000Z``: given, because nothing here reads the clock.
    bounds
        Least x and y, greatest x and y of a shape; it may raise where one is damaged.
    """
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {_USER_VERSION}")
        database.executescript(_TABLES)
        database.executemany(
            "INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)",
            [
                (item.name, item.srs_id, item.organization, item.code, item.definition)
                for item in {item.srs_id: item for item in (*_REQUIRED, srs)}.values()
            ],
        )
        for name, (columns, rows) in tables.items():
            made = list(rows)
            listed = ", ".join(f'"{column}" TEXT' for column in columns)
            database.execute(f'CREATE TABLE "{name}" (fid INTEGER PRIMARY KEY, {listed}, geom GEOMETRY)')
            database.execute(
                "INSERT INTO gpkg_contents VALUES (?, 'features', ?, '', ?, ?, ?, ?, ?, ?)",
                (name, name, changed, *_extent([bounds(shape) for _, shape in made if shape is not None]), srs.srs_id),
            )
            database.execute("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'GEOMETRY', ?, 0, 0)", (name, srs.srs_id))
            names = ", ".join(f'"{column}"' for column in columns)
            database.executemany(
                f'INSERT INTO "{name}" ({names}, geom) VALUES ({", ".join("?" * (len(columns) + 1))})',  # noqa: S608  # names of this package
                [(*values, None if shape is None else to_gpkg(shape, srs.srs_id)) for values, shape in made],
            )


def _extent(boxes: "Sequence[Sequence[float]]") -> tuple[float | None, ...]:
    """Return the box around all boxes: least x and y, greatest x and y."""
    if not boxes:
        return (None,) * 4
    west, south, east, north = zip(*boxes, strict=True)
    return min(west), min(south), max(east), max(north)
