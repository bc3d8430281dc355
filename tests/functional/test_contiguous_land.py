"""Brookhaven: the applicant's contiguous land moves out the line from which 200 and 500 feet are measured."""

from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity

from geonotice.workflow.finding import find_premises
from geonotice.workflow.importing import import_layers
from geonotice.workflow.noticing import make_notice
from geonotice.workflow.opening import open_store

OWNERS = {
    "P": "DOE JANE",
    "C1": "Doe, Jane",
    "C2": "DOE JANE",
    "N190": "ROE R",
    "N490": "POE P",
    "N510": "LOE L",
    "FAR": "DOE JANE",
}
LAND = {
    "P": (0, 0, 100, 100),
    "C1": (100, 0, 200, 100),
    "C2": (200, 0, 300, 100),
    "N190": (490, 0, 590, 100),
    "N490": (790, 0, 890, 100),
    "N510": (810, 200, 910, 300),
    "FAR": (0, 2000, 100, 2100),
}


@pytest.fixture
def town(tmp_path):
    rows = {
        "PRINT_KEY": list(LAND),
        "PRIMARY_OWNER": list(OWNERS.values()),
        "MAIL_ADDR": [f"{n} MAIN ST" for n in range(len(LAND))],
        "MAIL_CITY": ["YAPHANK"] * len(LAND),
        "MAIL_STATE": ["NY"] * len(LAND),
        "MAIL_ZIP": ["11980"] * len(LAND),
    }
    shapes = [shapely.affinity.translate(shapely.box(*box), 1_240_000, 250_000) for box in LAND.values()]
    geopandas.GeoDataFrame(rows, geometry=shapes, crs="EPSG:2263").to_file(tmp_path / "parcels.gpkg", engine="pyogrio")
    lines = ["[town]", 'name = "Town of Brookhaven"', 'ordinance = "brookhaven"', 'crs = "EPSG:2263"']
    (tmp_path / "town.toml").write_text("\n".join([*lines, "[[layers.parcels]]", 'path = "parcels.gpkg"']))
    import_layers(tmp_path)
    return tmp_path


def test_the_line_moves_out_with_all_land_of_the_owner_that_touches(town):
    with open_store(town) as opened:
        made = make_notice(opened, find_premises(opened, ["P"]), occasion="hearing", on=date(2026, 9, 1)).notice
    distances = {parcel.id: parcel.distance_ft for parcel in made.parcels}
    assert distances["N190"] == 190
    assert distances["N490"] == 490
    assert "N510" not in distances
    assert "FAR" not in distances
    assert {caution.code: caution.parcels for caution in made.cautions}["contiguous_land"] == ("C1", "C2")


def test_each_distance_has_its_class_of_mail(town):
    with open_store(town) as opened:
        made = make_notice(opened, find_premises(opened, ["P"]), occasion="hearing", on=date(2026, 9, 1)).notice
    mail = {recipient.parcels[0]: recipient.mail for recipient in made.recipients if recipient.role == "owner"}
    assert mail["N190"] == "certified"
    assert mail["N490"] == "first_class"
