"""A check looks for other municipalities as far as the law says, not as far as another town's law does."""

from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity

from geonotice.config.application import About, Event, Premises
from geonotice.opened_town import open_store
from geonotice.workflow.check_event import check_opened
from geonotice.workflow.importing import import_layers

PROFILE = """
id = "mytown"
town = "Town of Mytown"
status = "partial"
chapter = "Mytown Town Code"
source = "made for a test"
[occasions]
hearing = "a hearing"
[[rules]]
id = "mytown.permit"
kind = "threshold"
title = "Permit"
applies = "chapter"
citation = { section = "1", words = ["a permit"] }
threshold = { regulates = "permit" }
[[rules]]
id = "mytown.clerk"
kind = "clerk_notice"
title = "Clerks"
citation = { section = "2", words = ["the clerk"] }
notice = { occasion = "hearing", recipients = ["clerks"], distance_ft = DISTANCE }
"""
EAST = 980_000, 200_000


def write(folder, name, columns, boxes):
    shapes = [shapely.affinity.translate(shapely.box(*box), *EAST) for box in boxes]
    geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:2263").to_file(folder / f"{name}.gpkg", engine="pyogrio")


@pytest.fixture(params=[600, 1000])
def checked(request, tmp_path):
    write(tmp_path, "parcels", {"PRINT_KEY": ["P"], "PRIMARY_OWNER": ["DOE JANE"]}, [(0, 0, 100, 100)])
    places = {"NAME": ["Mytown", "Nextown"], "KIND": ["town", "town"], "SWIS": ["9900", "9800"]}
    write(tmp_path, "places", places, [(-5000, -5000, 800, 5000), (800, -5000, 9000, 5000)])
    (tmp_path / "law.toml").write_text(PROFILE.replace("DISTANCE", str(request.param)))
    lines = ["[town]", 'name = "Town of Mytown"', 'ordinance = "law.toml"', 'crs = "EPSG:2263"', 'swis = ["9900"]']
    lines += ["[[layers.parcels]]", 'path = "parcels.gpkg"', "[layers.municipalities]", 'path = "places.gpkg"']
    (tmp_path / "town.toml").write_text("\n".join(lines))
    import_layers(tmp_path)
    event = Event(event=About(starts=date(2026, 12, 5)), premises=Premises(parcels=("P",)))
    with open_store(tmp_path) as opened:
        return request.param, check_opened(opened, event, on=date(2026, 9, 1))


def test_a_municipality_700_feet_away_is_told_within_1000_feet_and_not_within_600(checked):
    distance_ft, result = checked
    told = {finding.rule: finding.facts for finding in result.findings}
    left = {item.rule: item.why for item in result.not_applicable}
    if distance_ft == 1000:
        assert told["mytown.clerk"]["within_500_ft_of"] == ["Nextown"]
    else:
        assert left["mytown.clerk"] == "no other municipality is within 600 feet"
