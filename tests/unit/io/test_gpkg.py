"""Tests of reading and writing GeoPackages, by GDAL and by sqlite3 alone: each can read what the other wrote."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyogrio
import pytest
import shapely

from geonotice.io.gpkg import (
    Srs,
    geometry_columns,
    geometry_of,
    header_bytes,
    quoted,
    require_sound,
    srs_of,
    table_columns,
    table_names,
    to_gpkg,
    write_features,
    write_gpkg,
)

LOT = shapely.box(600_000, 900_000, 600_100, 900_200)


def bounds(wkb: bytes) -> list[float]:
    return shapely.bounds(shapely.from_wkb(wkb)).tolist()


def test_what_sqlite_wrote_gdal_reads(tmp_path: Path):
    path = tmp_path / "permits.gpkg"
    rows = [(("1", "FAIR"), shapely.to_wkb(LOT)), (("2", "no shape"), None)]
    srs = srs_of("EPSG:2261")
    write_gpkg(path, {"permits": (("number", "title"), rows)}, srs=srs, changed="2026-07-04T00:00:00.000Z", bounds=bounds)
    read = pyogrio.read_dataframe(path)
    assert list(read["title"]) == ["FAIR", "no shape"]
    assert read.geometry[0].equals(LOT)
    assert read.geometry[1] is None
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT min_x, min_y, max_x, max_y, last_change FROM gpkg_contents").fetchall() == [
            (600_000, 900_000, 600_100, 900_200, "2026-07-04T00:00:00.000Z")
        ]


def test_what_gdal_wrote_sqlite_reads_with_its_crs(tmp_path: Path):
    path = tmp_path / "store.gpkg"
    write_features(
        path, "parcels", np.array([LOT]), {"id": pa.array(["1.-1-1"])}, crs="EPSG:2261", kind="MultiPolygon", version="1.3"
    )
    with closing(sqlite3.connect(path)) as db:
        require_sound(db)
        assert (table_names(db), table_columns(db, "parcels")) == (["parcels"], ["fid", "geom", "id"])
        assert geometry_columns(db) == {"parcels": ("geom", "EPSG:2261")}
        (blob,) = db.execute("SELECT geom FROM parcels").fetchone()
        assert db.execute("PRAGMA user_version").fetchone() == (10300,)
    assert shapely.from_wkb(geometry_of(blob)).equals(LOT)
    assert header_bytes(blob) == 8 + 32  # GDAL writes the box around a polygon before it
    described = srs_of("EPSG:2261", path, table="parcels")
    assert (described.code, described.definition.startswith("PROJCS[")) == (2261, True)
    assert srs_of("EPSG:2261", path, table="zoning") == Srs("EPSG:2261", "EPSG:2261", 2261, "EPSG", 2261)


@pytest.mark.parametrize("blob", [b"", b"GP", b"XX\x00\x01" + b"\x00" * 20, b"GP\x00\x0f" + b"\x00" * 20, "GP\x00\x01text", 7])
def test_what_is_no_shape_is_refused(blob: object):
    with pytest.raises(ValueError, match="does not begin as one"):
        geometry_of(blob)  # type: ignore[arg-type]


def test_a_header_is_put_on_and_taken_off():
    wkb = shapely.to_wkb(LOT)
    assert geometry_of(to_gpkg(wkb, 2261)) == wkb
    assert geometry_of(b"GP\x00\x11" + b"\x00" * 4 + wkb) is None  # the flag of an empty shape
    assert geometry_of(None) is None


def test_a_name_with_quotation_marks_stays_one_name():
    with closing(sqlite3.connect(":memory:")) as db:
        name = 'a "b"; DROP'
        db.execute(f"CREATE TABLE {quoted(name)} (x)")
        assert table_columns(db, name) == ["x"]
