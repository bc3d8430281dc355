"""The notice as a GeoPackage."""

import sqlite3
from contextlib import closing
from xml.etree import ElementTree as ET

import pyogrio
import pytest
import shapely
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.packet.notice_gpkg import Evidence, NoticeShapes, notice_gpkg

A, B, C, D = (shapely.box(n * 100, 0, n * 100 + 90, 50) for n in range(4))


@pytest.fixture
def shapes():
    return NoticeShapes(
        crs="EPSG:2261",
        premises={"11.00-1-1": A},
        parcels={2: B, 3: shapely.MultiPolygon([C])},
        near_misses={"12.01-1-17": D},
        search_area=A.buffer(1000, quad_segs=64),
        evidence=(Evidence("shared_run", "12.01-1-15.1", "101.24 ft", shapely.LineString([(90, 0), (90, 50)])),),
    )


@pytest.fixture
def written(notice, shapes, tmp_path):
    path = tmp_path / "notice.gpkg"
    path.write_bytes(notice_gpkg(notice, shapes))
    return path


def test_layers(written):
    found = dict(pyogrio.list_layers(written))
    assert set(found) == {"premises", "notice_parcels", "near_misses", "search_area", "evidence", "layer_styles"}
    assert pyogrio.read_info(written, layer="premises")["crs"] == "EPSG:2261"


def test_parcels_carry_their_reasons(written):
    frame = pyogrio.read_dataframe(written, layer="notice_parcels")
    assert list(frame["id"]) == ["12.01-1-15.1", "12.01-1-16"]
    assert list(frame["relation"]) == ["abutting", "within"]
    assert list(frame["distance_ft"]) == [0.0, 1000.0]
    assert frame["shared_ft"][0] == 101.24
    assert frame["shared_ft"].isna()[1]
    assert list(frame["review"]) == ["", "borderline"]
    assert frame["owner_names"][0].startswith("O'BRIEN & SÖHNE / C/O ROE")
    assert frame.geometry[0].equals(B)


def test_parcels_carry_the_numbers_of_the_list(notice, recipient, shapes, tmp_path):
    mine, other = "12.01-1-15.1", "12.01-1-16"
    pieces = (*(recipient(n, f"OWNER {n}", parcels=(mine,)) for n in (1, 2, 3, 9)), recipient(4, "ROE", parcels=(mine, other)))
    path = tmp_path / "notice.gpkg"
    path.write_bytes(notice_gpkg(replace(notice, recipients=(*pieces, recipient(12, "FAIR CO", parcels=("11.00-1-1",)))), shapes))
    frame = pyogrio.read_dataframe(path, layer="notice_parcels")
    assert list(frame["recipients"]) == ["1, 2, 3, 4, 9", "4"]
    assert list(frame["map_label"]) == ["1-4, 9", "4"], "as on the browser's map"
    assert list(pyogrio.read_dataframe(path, layer="premises")["recipients"]) == ["12"]
    bare = tmp_path / "bare.gpkg"
    bare.write_bytes(notice_gpkg(replace(notice, recipients=()), shapes))
    frame = pyogrio.read_dataframe(bare, layer="notice_parcels")
    assert list(frame["recipients"]) == ["", ""]
    assert list(frame["map_label"]) == [mine, other], "a lot that nobody is notified for keeps its tax map number"


def test_premises_near_misses_and_evidence(written):
    assert list(pyogrio.read_dataframe(written, layer="premises")["owner_names"]) == ["FAIR CO"]
    assert list(pyogrio.read_dataframe(written, layer="near_misses")["distance_ft"]) == [1040.13]
    assert list(pyogrio.read_dataframe(written, layer="evidence")["text"]) == ["101.24 ft"]


def test_every_layer_opens_with_a_style(written):
    with closing(sqlite3.connect(written)) as database:
        styles = dict(
            database.execute(
                "SELECT f_table_name, styleQML FROM layer_styles WHERE useAsDefault = 1 AND f_geometry_column = 'geom'"
            )
        )
    assert set(styles) == {"premises", "notice_parcels", "near_misses", "search_area", "evidence"}
    for style in styles.values():
        assert ET.fromstring(style).tag == "qgis"  # noqa: S314  # our own text
    values = [one.get("value") for one in ET.fromstring(styles["notice_parcels"]).iter("category")]  # noqa: S314  # our own text
    assert values == ["abutting", "corner", "opposite", "within", "common_land"]


def test_empty_layers_are_there_all_the_same(notice, tmp_path):
    bare = replace(notice, parcels=(), near_misses=())
    path = tmp_path / "notice.gpkg"
    path.write_bytes(notice_gpkg(bare, NoticeShapes("EPSG:2261", {"11.00-1-1": A}, {})))
    assert set(dict(pyogrio.list_layers(path))) == {"premises", "notice_parcels", "near_misses", "layer_styles"}
    assert len(pyogrio.read_dataframe(path, layer="notice_parcels")) == 0


def test_a_parcel_without_geometry_is_refused_by_name(notice, shapes):
    with pytest.raises(OutputError) as refused:
        notice_gpkg(notice, replace(shapes, parcels={}, near_misses={}))
    assert [fault.parcel for fault in refused.value.faults] == ["12.01-1-15.1", "12.01-1-16", "12.01-1-17"]


def test_the_same_notice_gives_the_same_content(notice, shapes, tmp_path):
    dumps = []
    for name in ("one.gpkg", "two.gpkg"):
        path = tmp_path / name
        path.write_bytes(notice_gpkg(notice, shapes))
        with closing(sqlite3.connect(path)) as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
            dumps.append({table: database.execute(f'SELECT * FROM "{table}"').fetchall() for table in tables})  # noqa: S608  # names from the file
    assert dumps[0] == dumps[1]
