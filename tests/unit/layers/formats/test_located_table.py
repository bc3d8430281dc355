"""A table of text with places in it is a layer: its CRS is known from what it says, or asked for."""

import json

import openpyxl
import pytest
import shapely

from geonotice.errors import UnknownCRS, UnreadableLayer
from geonotice.layers.inspect import inspect_source
from geonotice.layers.read import read_layer

LOTS = [shapely.box(650_000 + 60 * n, 1_000_000, 650_060 + 60 * n, 1_000_120) for n in range(2)]


def table(tmp_path, head: str, *rows: str, name="t.csv"):
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize("heads", ["LON,LAT", "Longitude,Latitude", "long,lat", "lng,lat", "X_LONG,Y_LAT"])
def test_longitude_and_latitude_are_known_by_their_names(tmp_path, heads):
    raw = read_layer(table(tmp_path, f"NUMBER,STREET,{heads}", "1,MAIN ST,-77.2,42.7", "3,MAIN ST,-77.201,42.7"))
    assert (raw.crs, shapely.get_coordinates(raw.geometry).tolist()) == ("EPSG:4326", [[-77.2, 42.7], [-77.201, 42.7]])


@pytest.mark.parametrize(
    "row", ['"42,7";"-77,2"', "42.7 N;77.2 W", "42° 42' 0''  N;77°12' W", "+42.7;-77.2°"]
)  # fmt: skip
def test_angles_are_read_as_people_write_them(tmp_path, row):
    raw = read_layer(table(tmp_path, "NUMBER;LAT;LON", f"1;{row}"))
    assert shapely.get_coordinates(raw.geometry).round(9).tolist() == [[-77.2, 42.7]]


@pytest.mark.parametrize("heads", ["X,Y", "Easting,Northing", "X_COORD,Y_COORD", "POINT_X,POINT_Y"])
def test_other_coordinates_need_their_crs(tmp_path, heads):
    path = table(tmp_path, f"NUMBER,STREET,{heads}", '1,MAIN ST,"650,100.5","1,000,000"', "3,MAIN ST,650200,1000000")
    with pytest.raises(UnknownCRS, match="--crs"):
        read_layer(path)
    raw = read_layer(path, crs="EPSG:2261")
    assert shapely.get_coordinates(raw.geometry).tolist() == [[650_100.5, 1_000_000], [650_200, 1_000_000]]


@pytest.mark.parametrize(
    ("write", "crs"),
    [
        (lambda lot: lot.wkt, None),
        (lambda lot: f"SRID=2261;{lot.wkt}", "EPSG:2261"),
        (lambda lot: lot.wkb_hex, None),
        (lambda lot: shapely.to_wkb(shapely.set_srid(lot, 2261), hex=True, include_srid=True), "EPSG:2261"),
    ],
)
def test_shapes_written_as_text_are_parcels(tmp_path, write, crs):
    path = table(tmp_path, "PRINT_KEY,OWNER,the_geom", *(f'{n},DOE,"{write(lot)}"' for n, lot in enumerate(LOTS, start=1)))
    raw = read_layer(path, crs=None if crs else "EPSG:2261")
    assert (raw.crs, raw.columns, shapely.equals(raw.geometry, LOTS).tolist()) == (
        "EPSG:2261",
        ("PRINT_KEY", "OWNER"),
        [True, True],
    )


def test_geojson_in_a_cell_is_in_longitude_and_latitude(tmp_path):
    text = json.dumps(shapely.geometry.mapping(shapely.box(-77.2, 42.7, -77.199, 42.701))).replace('"', '""')
    assert read_layer(table(tmp_path, "PRINT_KEY,geometry", f'1,"{text}"')).crs == "EPSG:4326"


def test_a_shape_that_was_cut_is_refused_by_the_row_of_the_file(tmp_path):
    path = table(tmp_path, "A title\n\nPRINT_KEY,OWNER,WKT", '1,"DOE\nROE",POINT (1 2)', '2,POE,"POLYGON ((1 2, 3 4, 5"')
    with pytest.raises(UnreadableLayer, match="row 6: "):
        read_layer(path)


def test_curves_written_as_text_are_refused_by_the_row_of_the_file(tmp_path):
    path = table(tmp_path, "PRINT_KEY,WKT", "1,POINT (1 2)", '2,"CIRCULARSTRING (0 0, 1 1, 2 0)"', "3,POINT (3 4)")
    with pytest.raises(UnreadableLayer, match=r"row 3: it has curves.*GeoPackage"):
        read_layer(path)


def test_rows_without_coordinates_are_named_by_the_row_of_the_file(tmp_path):
    raw = read_layer(table(tmp_path, "NUMBER,LAT,LON", "1,42.7,-77.2", "", "2,,", "3,n/a,-77.2", "4,42.7,-77.201"))
    assert shapely.is_missing(raw.geometry).tolist() == [False, True, True, False]
    assert "2 (row 4, row 5)" in raw.notes[1].text


def test_a_workbook_below_a_title_is_a_layer_too(tmp_path):
    book = openpyxl.Workbook()
    for row in (["Addresses"], [], ["NUMBER", "STREET", "LAT", "LON"], [1, "MAIN", 42.7, -77.2], [3, "MAIN", None, None]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    raw = read_layer(tmp_path / "t.xlsx")
    assert shapely.get_coordinates(raw.geometry).tolist() == [[-77.2, 42.7]]
    assert "1 (row 5)" in raw.notes[-1].text


def test_a_roll_with_coordinates_is_still_a_roll(tmp_path):
    path = table(tmp_path, "PRINT_KEY,OWNER,MAIL_ADDR,LAT,LON", "1,DOE,1 ELM,42.7,-77.2")
    assert "roll" in [serving.kind for serving in inspect_source(path).layers[0].serves]


def test_columns_of_those_names_without_numbers_are_a_table(tmp_path):
    assert read_layer(table(tmp_path, "PRINT_KEY,X,Y,LOCATION", "1,yes,no,MAIN ST")).geometry is None


def test_longitudes_without_their_minus_sign_are_refused(tmp_path):
    path = table(tmp_path, "NUMBER,LAT,LON", "1,42.7,77.2", "3,42.7,77.201")
    with pytest.raises(UnknownCRS, match="no minus sign"):
        read_layer(path)


@pytest.mark.parametrize("row", ["see file,n/a", "42.7,n/a"])
def test_columns_called_like_coordinates_that_hold_none_are_told(tmp_path, row):
    raw = read_layer(table(tmp_path, "NUMBER,LAT,LON", f"1,{row}", f"3,{row}"))
    assert raw.geometry is None
    (note,) = [note for note in raw.notes if note.code == "no_place"]
    assert "LON ('n/a')" in note.text


def test_empty_columns_of_coordinates_are_nothing_to_tell(tmp_path):
    raw = read_layer(table(tmp_path, "NUMBER,OWNER,LAT,LON", "1,DOE,,", "3,ROE,,"))
    assert not [note for note in raw.notes if note.code == "no_place"]
