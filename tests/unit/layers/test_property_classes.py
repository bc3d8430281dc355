"""Whose property classes a layer has: New York's digits are read only where the layer is New York's."""

from pathlib import Path

import pyarrow as pa
import pytest

from geonotice.config.town import Layers, ParcelSpec, Town, TownSpec
from geonotice.layers.columns.recognize import FieldMap
from geonotice.layers.property_classes import class_code, has_new_york_classes, town_says

NEW_YORK = ["210", "311", "411", "692", "105", "210-W", "330", "449", "620", "970"]
ELSEWHERE = ["905R", "908R", "1010", "325", "R1", "210", "903C"]


def new_york(classes: list[str], *, key: str = "PARCEL_ID", crs: str = "EPSG:2261", says: bool | None = None) -> bool:
    table = pa.table({key: [str(row) for row in range(len(classes))], "CLASS": classes})
    return has_new_york_classes(
        table, FieldMap("parcels", {"tax_map_number": key, "property_class": "CLASS"}), crs=crs, says=says
    )


def test_a_zone_of_new_york_and_its_codes_say_so_together():
    assert new_york(NEW_YORK)
    assert not new_york(NEW_YORK, crs="EPSG:2249")
    assert not new_york(ELSEWHERE)


def test_a_column_that_only_new_york_has_says_so_by_itself():
    assert new_york(ELSEWHERE, key="PRINT_KEY", crs="EPSG:2249")


def test_the_town_file_stands_before_all():
    assert not new_york(NEW_YORK, says=False)
    assert new_york(ELSEWHERE, says=True)


@pytest.mark.parametrize(
    ("town", "layer", "says"),
    [({}, {}, None), ({"state": "NY"}, {}, None), ({"state": "New York"}, {}, None), ({"state": "PA"}, {}, False), ({"swis": ("5724",)}, {}, None),
     ({"state": "NY"}, {"property_classes": "other"}, False), ({}, {"property_classes": "new_york"}, True)],
)  # fmt: skip
def test_what_the_town_file_says(town, layer, says):
    spec = TownSpec(name="T", ordinance="italy", crs="EPSG:2261", **town)
    made = Town(
        file=Path("town.toml"),
        town=spec,
        layers=Layers(parcels=(ParcelSpec(given="a.gpkg", **layer), ParcelSpec(given="b.gpkg"))),
    )
    assert town_says(made, 0) is says
    assert town_says(made, 1) is None


def test_letters_are_no_part_of_new_yorks_digits_and_other_numbers_are_no_class():
    assert class_code(pa.chunked_array([["905R", "1010", "R1", "21", "210 - One family"]])).to_pylist() == [
        "905",
        None,
        None,
        None,
        "210",
    ]
