"""Write a GeoPackage: feature tables by GDAL from whole columns, the plain tables by sqlite3."""

import errno
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import shapely

from geonotice.layers.formats.gdal import quiet_gdal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["open_for_tables", "write_columns", "write_features", "write_table"]

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
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyogrio.raw import write_arrow

    wkb = pa.array(shapely.to_wkb(geometry, byte_order=1).tolist(), pa.binary())
    if kind in _MULTI:
        part, head = _MULTI[kind]
        heads = pc.if_else(
            pa.array(shapely.get_type_id(geometry) == part), pa.scalar(head, pa.binary()), pa.scalar(b"", pa.binary())
        )
        wkb = pc.binary_join_element_wise(heads, wkb, pa.scalar(b"", pa.binary()))
    table = pa.table({**columns, "geom": wkb})
    with quiet_gdal(), _unsynchronised(), _refusals(path):
        write_arrow(
            table, path, layer=name, driver="GPKG", geometry_name="geom", geometry_type=kind, crs=crs, append=False,
            layer_options={"FID": "fid", "SPATIAL_INDEX": "YES"},
        )  # fmt: skip


def write_columns(path: "Path", name: str, columns: "Mapping[str, pa.ChunkedArray | pa.Array]") -> None:
    """Write a table without geometry from whole columns; quicker than by rows where there are many."""
    import pyarrow as pa
    from pyogrio.raw import write_arrow

    with quiet_gdal(), _unsynchronised(), _refusals(path):
        write_arrow(
            pa.table(dict(columns)), path, layer=name, driver="GPKG", geometry_name=None, geometry_type=None, crs=None, append=False,
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

    names = {"OGR_SQLITE_SYNCHRONOUS": "OFF", "OGR_SQLITE_JOURNAL": "OFF", "OGR_SQLITE_CACHE": "200"}
    before = {name: pyogrio.get_gdal_config_option(name) for name in names}
    pyogrio.set_gdal_config_options(names)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(before)


def open_for_tables(path: "Path") -> sqlite3.Connection:
    """Open a GeoPackage that nobody else knows of yet, for writing quickly: it is renamed into place only when it is whole."""
    db = sqlite3.connect(path)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -100000"):
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
