"""Whatever is thrown at it: a layer that it can use, or one clear message; never a traceback, never part of a layer."""

from pathlib import Path

import pytest

from geonotice.errors import LayerError, UnknownCRS, UnreadableLayer, WrongGeometry
from geonotice.layers.inspect import KINDS_BY_GEOMETRY, inspect_source
from geonotice.layers.read import read_layer, require_parcels
from geonotice.layers.reports import render_inspection

MESSY = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "messy"
KINDS = {kind for kinds in KINDS_BY_GEOMETRY.values() for kind in kinds}

pytestmark = pytest.mark.shared


def messy_files():
    if not MESSY.is_dir():
        return [pytest.param(None, marks=pytest.mark.skip(reason="the layers kept beside the repository are not here"))]
    return [pytest.param(path, id=str(path.relative_to(MESSY))) for path in sorted(MESSY.rglob("*")) if path.is_file()]


def names_everything(error: LayerError, path: Path) -> None:
    assert len(error.faults) == 1, "one message"
    fault = error.faults[0]
    assert fault.file == str(path), "which names the file"
    assert fault.what, "and what is wrong"
    assert fault.remedy, "and what to do"
    assert path.stem.split(".")[0] in str(error), "and the layer, if only by the file it is in"
    assert "\n" not in str(error)
    assert "Traceback" not in str(error)


@pytest.mark.parametrize("path", messy_files())
def test_each_file_serves_as_something_or_is_refused_in_one_message(path, capfd):
    try:
        inspection = inspect_source(path)
    except LayerError as error:
        names_everything(error, path)
    else:
        assert inspection.serves
        assert set(inspection.serves) <= KINDS
        render_inspection(inspection)
    assert capfd.readouterr() == ("", ""), "and nothing is printed on the side"


@pytest.mark.parametrize("path", messy_files())
def test_as_parcels_each_file_is_polygons_in_a_known_crs_or_refused(path):
    try:
        raw = require_parcels(read_layer(path))
    except LayerError as error:
        names_everything(error, path)
    else:
        assert raw.crs
        assert raw.geometry is not None
        assert len(raw.geometry) == len(raw.table) == len(raw.fid)


def test_nothing_is_written_beside_the_sources(shared):
    before = {path: path.stat().st_mtime_ns for path in (shared / "data").rglob("*")}
    for name in ("shapefile/polygons.shp", "dbf/cpg/big5.dbf"):
        inspect_source(MESSY / "mapshaper" / name)
    inspect_source(MESSY / "fiona" / "multicurve.gml")
    assert {path: path.stat().st_mtime_ns for path in (shared / "data").rglob("*")} == before


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("mapshaper/geopackage/same_crs_points.gpkg", LayerError),
        ("mapshaper/shapefile/three_points.shp", WrongGeometry),
        ("mapshaper/shapefile/geo_lines.shp", WrongGeometry),
        ("mapshaper/dbf/cpg/euckr.dbf", WrongGeometry),
        ("fiona/curves_line.csv", UnreadableLayer),
        ("mapshaper/geopackage/null_crs_gdal.gpkg", UnknownCRS),
        ("mapshaper/shapefile/shplib/polygon.shp", UnknownCRS),
        ("mapshaper/shapefile/nad27/popctr_state1970.shp", UnknownCRS),
        ("fiona/test_tin.shp", UnreadableLayer),
        ("mapshaper/flatgeobuf/empty.fgb", WrongGeometry),
    ],
)
def test_what_cannot_be_parcels_says_why(shared, name, error):
    with pytest.raises(error):
        require_parcels(read_layer(shared / "data" / "messy" / name))


@pytest.mark.parametrize(
    ("name", "column", "text"),
    [
        ("mapshaper/dbf/cpg/big5.dbf", "NAME", "國語"),
        ("mapshaper/dbf/cpg/euckr.dbf", "NAME", "한국말"),
        ("mapshaper/dbf/cpg/koi8r.dbf", "NAME", "русский"),
        ("mapshaper/dbf/cpg/latin2.dbf", "NAME", "čeština"),
        ("mapshaper/dbf/cpg/shiftjis.dbf", "NAME", "カタカナひらがな"),
        ("mapshaper/dbf/cpg/win1251.dbf", "NAME", "РУССКИЙ"),
        ("mapshaper/dbf/cpg/win874.dbf", "NAME", "ภาษาไทย"),
        ("mapshaper/dbf/ldid/chinese.dbf", "NAME", "简体"),
        ("mapshaper/shapefile/latin1-property.shp", "name", "México"),
    ],
)
def test_text_is_read_in_its_own_encoding(shared, name, column, text):
    raw = read_layer(shared / "data" / "messy" / name)
    assert raw.table.column(column).to_pylist() == [text]


def test_a_truncated_ring_is_named(shared):
    with pytest.raises(UnreadableLayer, match=r"record 1 \(parcel_id 206\.03-2-5\).*does not close"):
        read_layer(shared / "data" / "greene-county-ny" / "truncated_unclosed_rings.geojson")


def test_the_same_parcels_come_from_every_format(shared):
    folder = shared / "data" / "bellerose-ny-formats"
    parts = {".shx", ".dbf", ".prj", ".cpg", ".xsd"}
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith("parcels_") and path.suffix not in parts)
    assert len(names) == 9
    for name in names:
        raw = require_parcels(read_layer(folder / name))
        assert len(raw) == 417, name
        assert len(set(raw.table.column("PARCELKEY").to_pylist())) == 417, name
