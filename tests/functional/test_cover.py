"""What a list says of the places round the premises where no parcel is known."""

from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity

from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

EAST = 980_000, 200_000


def write(folder, name, columns, boxes):
    shapes = [shapely.affinity.translate(shapely.box(*box), *EAST) for box in boxes]
    geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:2263").to_file(folder / f"{name}.gpkg", engine="pyogrio")


@pytest.fixture(params=['swis = ["9900"]', ""], ids=["by SWIS prefix", "by name"])
def warning(request, tmp_path):
    """One lot, 700 ft from the next town, in a layer that holds no other."""
    write(tmp_path, "parcels", {"PRINT_KEY": ["P"], "PRIMARY_OWNER": ["DOE JANE"]}, [(0, 0, 100, 100)])
    places = {"NAME": ["Mytown", "Nextown"], "KIND": ["town", "town"], "SWIS": ["9900", "9800"]}
    write(tmp_path, "places", places, [(-5000, -5000, 800, 5000), (800, -5000, 9000, 5000)])
    lines = ["[town]", 'name = "Town of Mytown"', 'ordinance = "italy"', 'crs = "EPSG:2263"', request.param]
    lines += ["[[layers.parcels]]", 'path = "parcels.gpkg"', "[layers.municipalities]", 'path = "places.gpkg"']
    (tmp_path / "town.toml").write_text("\n".join(lines))
    import_layers(tmp_path)
    with open_store(tmp_path) as opened:
        notice = make_notice(opened, find_premises(opened, ["P"]), NoticeRequest(occasion="hearing", on=date(2026, 9, 1))).notice
    (found,) = [warning for warning in notice.warnings if warning.code == "cover_ends"]
    return found.text


def test_the_search_area_reaches_into_the_next_town_and_never_into_the_town_itself(warning):
    assert "It reaches into Nextown: owners there are NOT on this list." in warning
