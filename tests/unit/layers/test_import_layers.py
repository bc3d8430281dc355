"""What import asks for is a key of the town file, never an option that it does not have."""

import json
import re
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.config.read_town import read_town_file
from geonotice.errors import LayerError
from geonotice.layers.import_layers import import_town
from geonotice.layers.inspect import inspect_source

FEET = shapely.box(1_400_000, 250_000, 1_400_100, 250_100)
DEGREES = shapely.box(-72.5, 40.9, -72.4, 41.0)


def source(folder: Path, shape: shapely.Geometry, crs: str | None) -> Path:
    """Write one polygon as GeoPackage, in a CRS or in none."""
    frame = gpd.GeoDataFrame({"PRINT_KEY": ["1-1"], "district": ["R"], "OWNER": ["DOE"]}, geometry=[shape], crs=crs)
    frame.to_file(folder / "p.gpkg", layer="p")
    return folder / "p.gpkg"


def town(folder: Path, more: str = "", kind: str = "[layers.parcels]") -> Path:
    (folder / "town.toml").write_text(
        f'[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2263"\n[{kind}]\npath = "p.gpkg"\n{more}',
        encoding="utf-8",
    )
    return folder


CASES = [
    ("no CRS", FEET, None, "", 'crs = "EPSG:2263"'),
    ("degrees said to be feet", DEGREES, "EPSG:2263", "", 'crs = "EPSG:4326"'),
    ("feet said to be degrees", FEET, None, 'crs = "EPSG:4326"\n', 'crs = "EPSG:2263"'),
    ("far away", shapely.box(9e6, 9e6, 9e6 + 100, 9e6 + 100), "EPSG:2263", "", "crs = "),
]


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
@pytest.mark.parametrize("case", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
@pytest.mark.parametrize("kind", ["parcels", "zoning"])
def test_a_crs_is_asked_for_as_a_key(tmp_path, case, kind):
    shape, crs, more, remedy = case
    source(tmp_path, shape, crs)
    other = ""
    if kind == "zoning":
        gpd.GeoDataFrame({"PRINT_KEY": ["1-1"]}, geometry=[FEET], crs="EPSG:2263").to_file(tmp_path / "q.gpkg", layer="q")
        other = f'[[layers.parcels]]\npath = "q.gpkg"\n[layers.zoning]\npath = "p.gpkg"\n{more}'
    text = other or f'[[layers.parcels]]\npath = "p.gpkg"\n{more}'
    (tmp_path / "town.toml").write_text(f'[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2263"\n{text}')
    with pytest.raises(LayerError) as caught:
        import_town(read_town_file(tmp_path))
    said = str(caught.value)
    assert not re.search(r"--[a-z]", said), said
    assert remedy in said
    assert ("[layers.zoning]" if kind == "zoning" else "[[layers.parcels]]") in said


def test_a_column_that_is_not_settled_is_asked_for_as_a_key(tmp_path):
    rows = {"PRINT_KEY": ["1-1", "1-1"], "OWNER": ["DOE", "ROE"]}
    frame = gpd.GeoDataFrame(rows, geometry=[FEET, shapely.affinity.translate(FEET, 100)], crs="EPSG:2263")
    frame.to_file(tmp_path / "p.gpkg", layer="p")
    with pytest.raises(LayerError) as caught:
        import_town(read_town_file(town(tmp_path, kind="[layers.parcels]")))
    assert not re.search(r"--[a-z]", str(caught.value)), str(caught.value)
    assert 'tax_map_number = "COLUMN"' in str(caught.value)


def test_inspect_asks_for_the_option_it_has(tmp_path):
    (tmp_path / "p.esri.json").write_text(
        json.dumps(
            {
                "geometryType": "esriGeometryPolygon",
                "fields": [{"name": "PRINT_KEY", "type": "esriFieldTypeString", "length": 9}],
                "features": [{"attributes": {"PRINT_KEY": "1"}, "geometry": {"rings": [[[0, 0], [0, 9], [9, 9], [0, 0]]]}}],
            }
        )
    )
    seen = inspect_source(tmp_path / "p.esri.json")
    assert any("--crs" in note.text for layer in seen.layers for note in layer.notes)
