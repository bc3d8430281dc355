"""What a source holds, what is wrong with it, and which layer of a town file it could be."""

import json

import pytest
from rich.console import Console

from geonotice.errors import UnknownCRS, WrongGeometry
from geonotice.layers.inspect import inspect_source
from geonotice.layers.reports import render_inspection


def square(x, y, side=0.001):
    return {"type": "Polygon", "coordinates": [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]]}


BOW_TIE = {"type": "Polygon", "coordinates": [[[-77.1, 42.6], [-77.09, 42.61], [-77.09, 42.6], [-77.1, 42.61], [-77.1, 42.6]]]}
LINE = {"type": "LineString", "coordinates": [[-77.1, 42.6], [-77.0, 42.6]]}
POINT = {"type": "Point", "coordinates": [-77.1, 42.6]}


@pytest.fixture
def layer(tmp_path):
    def write(*features, name="layer.geojson"):
        path = tmp_path / name
        made = [{"type": "Feature", "properties": properties, "geometry": shape} for shape, properties in features]
        path.write_text(json.dumps({"type": "FeatureCollection", "features": made}), encoding="utf-8")
        return path

    return write


def shown(inspection):
    console = Console(width=200, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115, PTH123  # closed with the test
    console.print(render_inspection(inspection))
    console.file.close()
    return console.export_text()


class TestWhatItCouldBe:
    def test_polygons_with_a_key_and_owners_are_parcels(self, layer):
        path = layer(*[(square(-77.1 + n / 100, 42.6), {"PRINT_KEY": f"1.-1-{n}", "PRIMARY_OWNER": "ROSSI M"}) for n in range(5)])
        (seen,) = inspect_source(path).layers
        assert seen.serves[0].kind == "parcels"
        assert seen.serves[0].recognised
        assert "PRINT_KEY" in seen.serves[0].reason
        assert seen.kinds == {"polygon": 5}
        assert seen.measure.crs == "EPSG:2261"
        assert seen.degrees == pytest.approx((-77.1, 42.6, -77.059, 42.601))

    def test_lines_are_streets_railroads_or_water(self, layer):
        assert set(inspect_source(layer((LINE, {"NAME": "MAIN ST"}))).serves) == {"streets", "railroads", "water"}

    def test_points_are_address_points(self, layer):
        assert inspect_source(layer((POINT, {"ADDRESS": "12 MAIN ST"}))).serves == ("address_points",)

    def test_a_table_is_a_roll(self, tmp_path):
        path = tmp_path / "roll.csv"
        path.write_text("PRINT_KEY,OWNER\n1.-1-1,ROSSI M\n1.-1-2,BIANCHI L\n", encoding="utf-8")
        assert inspect_source(path).serves == ("roll",)

    def test_no_records_are_nothing(self, layer):
        with pytest.raises(WrongGeometry, match="no records"):
            inspect_source(layer())

    def test_no_geometry_at_all_is_nothing(self, layer):
        with pytest.raises(WrongGeometry, match="none of its 2 records has a geometry"):
            inspect_source(layer((None, {"A": 1}), (None, {"A": 2})))

    def test_without_a_crs_it_says_what_is_needed(self, tmp_path):
        import numpy as np
        import shapely
        from pyogrio.raw import write

        path = tmp_path / "parcels.shp"
        box = shapely.to_wkb(np.array([shapely.box(650_000, 950_000, 650_100, 950_100)], dtype=object))
        write(
            path,
            geometry=box,
            field_data=[np.array(["1-1"], dtype=object)],
            fields=["SBL"],
            geometry_type="Polygon",
            crs="EPSG:2261",
        )
        path.with_suffix(".prj").unlink()
        (seen,) = inspect_source(path).layers
        assert seen.crs == ""
        assert "no_crs" in [note.code for note in seen.notes]
        assert inspect_source(path, crs="EPSG:2261").layers[0].crs == "EPSG:2261"

    def test_swapped_axes_are_refused(self, layer):
        with pytest.raises(UnknownCRS, match="swapped"):
            inspect_source(layer((square(42.6, -77.1), {"K": 1})))


class TestWhatIsWrong:
    def test_each_trouble_is_counted_and_named(self, layer):
        path = layer(
            (square(-77.1, 42.6), {"K": "1"}),
            (square(-77.1, 42.6), {"K": "2"}),
            (BOW_TIE, {"K": "3"}),
            (None, {"K": "4"}),
            ({"type": "Polygon", "coordinates": []}, {"K": "5"}),
        )
        (seen,) = inspect_source(path).layers
        troubles = {note.code: note.text for note in seen.troubles}
        assert set(troubles) == {"null_geometry", "empty_geometry", "invalid_geometry", "stacked"}
        assert "record 2: Self-intersection" in troubles["invalid_geometry"]
        assert "1 record without geometry (3)" in troubles["null_geometry"]
        assert "1 record exactly on another one (1)" in troubles["stacked"]

    def test_points_among_polygons(self, layer):
        (seen,) = inspect_source(layer((square(-77.1, 42.6), {"K": "1"}), (POINT, {"K": "2"}))).layers
        assert "mixed_geometry" in [note.code for note in seen.troubles]


class TestWhatIsShown:
    def test_fields_with_what_they_are_taken_as(self, layer):
        text = shown(inspect_source(layer((square(-77.1, 42.6), {"PRINT_KEY": "1.-1-1", "PRIMARY_OWNER": "ROSSI M"}))))
        assert "could be parcels: polygons with a tax map number (PRINT_KEY) and owners (PRIMARY_OWNER)" in text
        assert "NAD83 / New York Central (ftUS) (EPSG:2261)" in text
        assert "It could serve as: parcels" in text

    def test_what_looks_like_markup_is_shown_as_it_is(self, layer):
        text = shown(inspect_source(layer((square(-77.1, 42.6), {"[bold]KEY": "[red]1[/red]", "PRINT_KEY": "[/]"}))))
        assert "[red]1[/red]" in text
        assert "[bold]KEY" in text
