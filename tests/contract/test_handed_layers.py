"""Layers, rolls and tables that outsiders found the program to lose something of: each is read with a note, or refused in words."""

import sqlite3

import pyarrow as pa
import pytest
import shapely

from geonotice.errors import UnreadableLayer
from geonotice.layers.read import read_layer
from geonotice.layers.roll_tables import read_roll_table
from geonotice.workflow.importing import import_layers

pytestmark = pytest.mark.shared

ACCENTED = "NUÑEZ JOSÉ"


@pytest.fixture
def layers(shared):
    return shared / "faults" / "layers"


@pytest.mark.parametrize(
    ("name", "columns"),
    [("id_a_prop_id_int.geojson", {"id", "apn", "owner"}), ("col_OGC_FID.geojson", {"OGC_FID", "apn", "owner"})],
)
def test_a_column_may_be_called_like_gdals_own(layers, name, columns):
    raw = read_layer(layers / name)
    assert (set(raw.columns), len(raw)) == (columns, 2)


@pytest.mark.parametrize(
    "name", ["latin1.geojson", "e_tab.tab", "bad_utf8.gpkg", "utf8_lying_cpg.shp", "curverings.json", "balloon.kml"]
)
def test_accents_are_read_whatever_the_file_says_of_its_text(layers, name):
    raw = read_layer(layers / name)
    assert ACCENTED in raw.table.column("OWNER1").to_pylist()
    assert len(raw) == 40


@pytest.mark.parametrize("name", ["latin1.geojson", "e_tab.tab", "bad_utf8.gpkg", "utf8_lying_cpg.shp"])
def test_and_a_note_says_so(layers, name):
    assert {note.code for note in read_layer(layers / name).notes} & {"encoding_guessed", "encoding_wrong"}


def test_the_attributes_of_balloons_are_columns(layers):
    raw = read_layer(layers / "balloon.kml")
    assert {"PRINT_KEY", "OWNER1", "MAILADDR", "MAILCITY", "MAILSTATE", "MAILZIP", "SITUS"} <= set(raw.columns)
    assert raw.table.column("PRINT_KEY").null_count == 0


def test_one_record_nowhere_is_named_and_the_others_are_read(layers):
    raw = read_layer(layers / "ap_sentinel.geojson")
    assert (len(raw), int(shapely.is_missing(raw.geometry).sum())) == (40, 1)
    assert ["record 5" in note.text for note in raw.notes] == [True]


def test_curve_rings_are_lots(layers):
    raw = read_layer(layers / "curverings.json")
    assert not shapely.is_missing(raw.geometry).any()
    # a chord of 120 ft, 3 ft and a little more deep: a little less than the square that it bounds
    assert [round(shape.area) for shape in raw.geometry[4:6]] == [6960, 6960]


def test_a_table_of_addresses_with_coordinates_is_a_layer(layers):
    raw = read_layer(layers / "ap_openaddresses.csv")
    assert (raw.crs, len(raw), int(shapely.is_missing(raw.geometry).sum())) == ("EPSG:4326", 40, 0)


def test_names_one_below_the_other_do_not_run_together(layers, tmp_path):
    text = (
        f'[town]\nname = "Town of Italy"\nordinance = "italy"\ncrs = "EPSG:2261"\n[[layers.parcels]]\npath = "{layers}/rollbase.gpkg"\n'
        f'[[roll]]\npath = "{layers}/r_newline.csv"\n'
    )
    (tmp_path / "town.toml").write_text(text, encoding="utf-8")
    import_layers(tmp_path)
    with sqlite3.connect(tmp_path / "store.gpkg") as store:
        names = [row[0] for row in store.execute("SELECT names FROM owners")]
    assert [name for name in names if "JONES" in name] == ['SMITH "JOHN\nJONES MARY']
    assert len(names) == 40


def test_a_roll_with_a_title_is_read_as_a_list_of_permits_is(shared):
    table = read_roll_table(shared / "faults" / "structure" / "roll_title.csv")
    assert table.table.column("OWNER") == pa.chunked_array([["SMITH"]])
    assert ("row 3" in table.notes[0], table.rows(0)) == (True, "row 4")


@pytest.mark.parametrize("missing", ["a00000009.gdbtable", "a00000001.gdbtable", "a00000009.gdbtablx"])
def test_a_geodatabase_that_lacks_a_file_is_refused_by_its_name(shared, tmp_path, missing):
    source = shared / "data" / "bellerose-ny-formats" / "parcels_2263.gdb"
    (tmp_path / "p.gdb").mkdir()
    for file in source.iterdir():
        if file.name != missing:
            (tmp_path / "p.gdb" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(UnreadableLayer, match=missing):
        read_layer(tmp_path / "p.gdb")
