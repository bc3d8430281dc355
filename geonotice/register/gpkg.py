"""GeoPackages by sqlite3 alone (OGC 12-128): enough to hand permits over and to take them back."""

import sqlite3
import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from geonotice.register.rows import shape_of

__all__ = ["Srs", "geometry_columns", "geometry_of", "srs_of", "to_gpkg", "write_gpkg"]

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


@dataclass(frozen=True, slots=True)
class Srs:
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


def srs_of(crs: str, store: Path | None = None) -> Srs:
    """Describe a CRS: with the definition of the store's own table where that has it, else by its code alone.

    Parameters
    ----------
    crs
        ``EPSG:2263`` or the like.
    store
        A GeoPackage in that CRS.
    """
    organization, _, code = crs.partition(":")
    if store is not None and store.is_file():
        with closing(sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)) as database:
            row = database.execute(
                "SELECT srs_name, s.srs_id, organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys s"
                " JOIN gpkg_geometry_columns g ON g.srs_id = s.srs_id WHERE g.table_name = 'parcels'"
            ).fetchone()
        if row is not None:
            return Srs(crs, *row)
    if code.isdigit():
        return Srs(crs, crs, int(code), organization.upper(), int(code))
    return Srs(crs, "Undefined Cartesian SRS", -1, "NONE", -1)


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
    if (
        not isinstance(blob, bytes)
        or len(blob) < _HEADER_BYTES
        or blob[:2] != b"GP"
        or (blob[3] >> 1) & 7 >= len(_ENVELOPE_BYTES)
    ):
        raise ValueError("it does not begin as one")
    return None if blob[3] & 0x10 else blob[_HEADER_BYTES + _ENVELOPE_BYTES[(blob[3] >> 1) & 7] :]


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
    path: Path,
    tables: Mapping[str, tuple[Sequence[str], Iterable[tuple[Sequence[object], bytes | None]]]],
    *,
    srs: Srs,
    changed: str,
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
                (name, name, changed, *_sides([shape for _, shape in made if shape is not None]), srs.srs_id),
            )
            database.execute("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'GEOMETRY', ?, 0, 0)", (name, srs.srs_id))
            names = ", ".join(f'"{column}"' for column in columns)
            database.executemany(
                f'INSERT INTO "{name}" ({names}, geom) VALUES ({", ".join("?" * (len(columns) + 1))})',  # noqa: S608  # names of this package
                [(*values, None if shape is None else to_gpkg(shape, srs.srs_id)) for values, shape in made],
            )


def _sides(shapes: Sequence[bytes]) -> tuple[float | None, ...]:
    """Return the box around all shapes: least and greatest x and y."""
    boxes = [shape_of(shape, "a permit").bounds for shape in shapes]
    if not boxes:
        return (None,) * 4
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
