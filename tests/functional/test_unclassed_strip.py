"""A layer that draws its street as a lot like any other."""

from datetime import date
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from geonotice.model import Notice
from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

X, Y = 1_400_000, 250_000
LOTS = {
    **{f"1-{k}": shapely.box(X + 100 * k, Y, X + 100 * k + 100, Y + 100) for k in (1, 2, 3)},
    **{f"2-{k}": shapely.box(X + 100 * k, Y + 150, X + 100 * k + 100, Y + 250) for k in (1, 2, 3)},
    "9-9": shapely.box(X - 300, Y + 100, X + 800, Y + 150),
}


def town(folder: Path, lots: dict[str, shapely.Geometry], *, roles: str = "", **columns: object) -> Path:
    """Write a layer of lots and its town file, and import them."""
    rows = {"PRINT_KEY": list(lots), "PRIMARY_OWNER": [f"OWNER OF {key}" for key in lots], **columns}
    gpd.GeoDataFrame(rows, geometry=list(lots.values()), crs="EPSG:2263").to_file(folder / "parcels.gpkg", layer="parcels")
    (folder / "town.toml").write_text(
        '[town]\nname = "Town"\nordinance = "southampton"\ncrs = "EPSG:2263"\n[[layers.parcels]]\npath = "parcels.gpkg"\n' + roles
    )
    return folder


def appeal(folder: Path, parcel: str) -> Notice:
    with open_store(folder) as opened:
        return make_notice(opened, find_premises(opened, [parcel]), NoticeRequest(occasion="appeal", on=date(2026, 9, 1))).notice


@pytest.mark.parametrize("classes", [None, "311"], ids=["no class", "vacant land"])
def test_the_lot_across_is_listed_and_the_strip_named(tmp_path: Path, classes: str | None) -> None:
    report = import_layers(town(tmp_path, LOTS, PROP_CLASS=classes))
    (question,) = [warning for warning in report.warnings if warning.startswith("QUESTION")]
    assert 'right_of_way = ["9-9"]' in question
    notice = appeal(tmp_path, "1-2")
    stands = {parcel.id: (parcel.relation, parcel.review) for parcel in notice.parcels}
    assert stands == {
        "1-1": ("abutting", ()), "1-3": ("abutting", ()), "9-9": ("abutting", ()), "2-2": ("opposite", ("street_or_lot",)),
    }  # fmt: skip
    assert [warning.parcels for warning in notice.warnings if warning.code == "street_or_lot"] == [("9-9",)]
    assert "OWNER OF 9-9" in {name for one in notice.recipients for name in one.names}


@pytest.mark.parametrize(
    ("role", "opposite", "codes"), [("right_of_way", ["2-2"], {"private_road"}), ("lot", [], {"no_frontage", "open_run"})]
)
def test_the_town_file_settles_what_it_is(tmp_path: Path, role: str, opposite: list[str], codes: set[str]) -> None:
    report = import_layers(town(tmp_path, LOTS, roles=f'[layers.parcels.roles]\n{role} = ["9-9"]\n'))
    assert not [warning for warning in report.warnings if warning.startswith("QUESTION")]
    notice = appeal(tmp_path, "1-2")
    assert [parcel.id for parcel in notice.parcels if parcel.relation == "opposite"] == opposite
    assert "9-9" in {parcel.id for parcel in notice.parcels}, "it abuts, whatever it is"
    said = {warning.code for warning in notice.warnings}
    assert "street_or_lot" not in said
    assert codes & said


def test_an_entry_of_the_town_file_that_fits_no_parcel_is_named(tmp_path: Path) -> None:
    report = import_layers(town(tmp_path, LOTS, roles='[layers.parcels.roles]\nlot = ["9-9", "7-7"]\n'))
    assert "[layers.parcels.roles] lot: 7-7 is no parcel of parcels.gpkg, so it changes nothing" in report.warnings


def test_a_right_of_way_of_the_town_file_that_looks_like_a_lot_is_named(tmp_path: Path) -> None:
    report = import_layers(town(tmp_path, LOTS, PROP_CLASS="210", roles='[layers.parcels.roles]\nright_of_way = ["1-1"]\n'))
    assert any("right_of_way: 1-1 of parcels has the property class 210" in warning for warning in report.warnings)
