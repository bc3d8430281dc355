"""A layer without property classes that draws its street as a lot like any other."""

from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.workflow.finding import find_premises
from geonotice.workflow.importing import import_layers
from geonotice.workflow.noticing import make_notice
from geonotice.workflow.opening import open_store

X, Y = 1_400_000, 250_000
LOTS = {
    **{f"1-{k}": shapely.box(X + 100 * k, Y, X + 100 * k + 100, Y + 100) for k in (1, 2, 3)},
    **{f"2-{k}": shapely.box(X + 100 * k, Y + 150, X + 100 * k + 100, Y + 250) for k in (1, 2, 3)},
    "9-9": shapely.box(X - 300, Y + 100, X + 800, Y + 150),
}


@pytest.mark.parametrize(("classes", "said"), [(None, True), ("311", False)], ids=["no class", "vacant land"])
def test_the_list_says_whom_it_may_hide(tmp_path: Path, classes: str | None, said: bool) -> None:  # noqa: FBT001  # a case, not a flag
    rows = {"PRINT_KEY": list(LOTS), "PRIMARY_OWNER": [f"OWNER OF {key}" for key in LOTS], "PROP_CLASS": classes}
    gpd.GeoDataFrame(rows, geometry=list(LOTS.values()), crs="EPSG:2263").to_file(tmp_path / "parcels.gpkg", layer="parcels")
    (tmp_path / "town.toml").write_text(
        '[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "parcels.gpkg"\n'
    )
    import_layers(tmp_path)
    with open_store(tmp_path) as opened:
        notice = make_notice(opened, find_premises(opened, ["1-2"]), occasion="appeal", on=date(2026, 9, 1)).notice
    assert {parcel.id: parcel.relation for parcel in notice.parcels} == {"1-1": "abutting", "1-3": "abutting", "9-9": "abutting"}
    assert [(miss.id, miss.reason) for miss in notice.near_misses] == (
        [("2-2", "across a long thin lot that may be a street, a trail or a railroad")] if said else []
    )
    warned = [caution.parcels for caution in notice.cautions if caution.code == "strip_of_land"]
    assert warned == ([("9-9",)] if said else [])
