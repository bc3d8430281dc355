"""Southampton's filing and appeal from town file to record: zoning, signs, streets that are private or not known, a village."""

import json
from datetime import date
from importlib.resources import files

import geopandas
import pytest
import shapely
from profile_toys import town_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.opened_town import find_premises, open_store
from geonotice.packet.record import record
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

EAST, NORTH = 1_400_000, 250_000
LOTS = {f"S{n}": (100 * n, 0, 100 * n + 100, 150) for n in range(12)} | {
    f"N{n}": (100 * n, 200, 100 * n + 100, 350) for n in range(12)
}
# The lot on the south side that lies in each district; S9 is half R-40, half HO, and S11 lies in a village.
DISTRICTS = {
    "CR60": 1, "CR-60": 2, "CR 60": 3, "HO": 4, "HC": 5, "ZZ-9": 6, "R-40": 7,
}  # fmt: skip


def box(minx, miny, maxx, maxy):
    return shapely.box(EAST + minx, NORTH + miny, EAST + maxx, NORTH + maxy)


def write(path, shapes, **columns):
    geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:2263").to_file(path, engine="pyogrio")


def built(folder, *, streets=None):
    """Make a street of twelve lots a side; ``streets`` is the street's jurisdiction, None for no streets layer."""
    count = len(LOTS)
    write(
        folder / "parcels.gpkg",
        [box(*lot) for lot in LOTS.values()],
        PRINT_KEY=list(LOTS),
        PROP_CLASS=["210"] * count,
        PRIMARY_OWNER=[f"DOE {name}" for name in LOTS],
        MAIL_ADDR=[f"{n} MAIN ST" for n in range(count)],
        MAIL_CITY=["HAMLET"] * count,
        MAIL_STATE=["NY"] * count,
        MAIL_ZIP=["11968"] * count,
    )
    zones = [box(100 * n, -10, 100 * n + 100, 170) for n in DISTRICTS.values()]
    zones += [box(900, -10, 950, 170), box(950, -10, 1000, 170)]
    write(folder / "zoning.gpkg", zones, district=[*DISTRICTS, "R-40", "HO"])
    village = box(1100, -200, 1500, 600)
    write(
        folder / "places.gpkg",
        [box(-5000, -5000, 5000, 5000), village],
        name=["Town of Southampton", "Village of Reed"],
        kind=["town", "village"],
        swis=["473600", "473601"],
    )
    lines = ["[town]", 'name = "Town of Southampton"', 'ordinance = "southampton"', 'crs = "EPSG:2263"', 'swis = ["4736"]']
    lines += ["[[layers.parcels]]", 'path = "parcels.gpkg"', "[layers.zoning]", 'path = "zoning.gpkg"']
    lines += ["[layers.municipalities]", 'path = "places.gpkg"']
    if streets:
        line = shapely.LineString([(EAST - 200, NORTH + 175), (EAST + 1400, NORTH + 175)])
        write(folder / "streets.gpkg", [line], name=["Main Street"], jurisdiction=[streets])
        lines += ["[layers.streets]", 'path = "streets.gpkg"']
    (folder / "town.toml").write_text("\n".join(lines))
    import_layers(folder)
    return folder


def ask(folder, premises, occasion):
    with open_store(folder) as opened:
        made = make_notice(opened, find_premises(opened, [premises]), NoticeRequest(occasion=occasion, on=date(2026, 11, 1)))
        return record(made.notice)


def codes(found):
    return {warning["code"] for warning in found["warnings"]}


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    return built(tmp_path_factory.mktemp("town"), streets="town")


@pytest.mark.parametrize("premises", ["S1", "S2", "S3"])
def test_a_district_is_one_however_its_code_is_written(town, premises):
    found = ask(town, premises, "filing")
    assert [district["class"] for district in found["districts"]] == ["residential"]
    assert found["required"] == "on_demand"


@pytest.mark.parametrize("premises", ["S4", "S5"])
def test_hamlet_districts_are_business_so_a_filing_asks_for_no_notice_and_lists_all_the_same(town, premises):
    found = ask(town, premises, "filing")
    assert [district["class"] for district in found["districts"]] == ["other"]
    assert (found["required"], "not_residential" in codes(found)) == ("no", True)
    assert found["parcels"]


def test_an_unknown_code_is_undetermined_and_a_person_decides(town):
    found = ask(town, "S6", "filing")
    assert [district["class"] for district in found["districts"]] == ["undetermined"]
    assert (found["required"], "zone_undetermined" in codes(found)) == ("decide", True)


def test_a_split_parcel_is_treated_as_residential_with_a_warning(town):
    found = ask(town, "S9", "filing")
    assert {district["code"] for district in found["districts"]} == {"R-40", "HO"}
    assert (found["required"], "split_zoned" in codes(found)) == ("on_demand", True)


def test_land_in_a_village_says_that_the_chapter_may_not_reach_it(town):
    assert "in_village" in codes(ask(town, "S11", "filing"))


def test_the_appeal_names_the_village_within_500_feet_and_not_the_town(town):
    found = ask(town, "S7", "appeal")
    assert [(other["name"], other["distance_ft"]) for other in found["municipalities"]] == [("Village of Reed", 300.0)]
    assert [row["id"] for row in found["parcels"] if row["relation"] == "opposite"] == ["N7"]


def test_the_appeal_names_one_sign_a_public_street(town):
    found = ask(town, "S7", "appeal")
    assert [(sign["street"], sign["frontage_ft"]) for sign in found["signs"]] == [("Main Street", 100.0)]
    assert not {"no_streets_layer", "no_public_street"} & codes(found)


def test_a_private_street_gets_no_sign_and_the_record_says_why(tmp_path):
    found = ask(built(tmp_path, streets="private"), "S7", "appeal")
    assert (found["signs"], "no_public_street" in codes(found)) == ([], True)


def test_without_a_streets_layer_the_record_says_that_no_sign_can_be_named(tmp_path):
    found = ask(built(tmp_path), "S7", "appeal")
    assert (found["signs"], "no_streets_layer" in codes(found)) == ([], True)


@pytest.fixture(scope="module")
def corner_town(tmp_path_factory):
    text = (files("geonotice.ordinance.profiles") / "southampton.toml").read_text(encoding="utf-8")
    listed = 'question = "Does a corner touch abut?"\nvalue = "listed"'
    assert listed in text
    lots = {"P": (0, 0, 100, 100), "BESIDE": (100, 0, 200, 100), "CORNER": (100, 100, 200, 200)}
    return town_of(tmp_path_factory.mktemp("town"), text.replace(listed, listed.replace('"listed"', '"not_listed"')), lots)


class TestACornerThatIsReadAsNotAbutting:
    """283-3 and 283-9 with `corner = "not_listed"` in a town's own copy of the profile."""

    @pytest.mark.parametrize("occasion", ["filing", "appeal"])
    def test_is_off_the_list_and_named_as_a_near_miss_and_in_a_warning(self, corner_town, occasion):
        done = CliRunner().invoke(every_command(), ["notice", str(corner_town), "P", "--for", occasion, "--json"])
        made = json.loads(done.stdout)
        assert [parcel["id"] for parcel in made["parcels"]] == ["BESIDE"]
        assert [miss["id"] for miss in made["near_misses"]] == ["CORNER"]
        assert {item["code"]: item.get("parcels") for item in made["warnings"]}["corner_not_listed"] == ["CORNER"]
        assert "CORNER" not in [id_ for recipient in made["recipients"] for id_ in recipient["parcels"]]

    def test_and_the_check_says_on_which_reading_it_rests(self, corner_town, tmp_path):
        (tmp_path / "event.toml").write_text(
            '[event]\nkind = "festival"\n[premises]\nparcels = ["P"]\n[denial]\nreceived = 2026-05-01\n'
        )
        done = CliRunner().invoke(every_command(), ["check", str(corner_town), str(tmp_path / "event.toml"), "--full"])
        assert "Does a corner touch abut? Read here as: not listed." in " ".join(done.stdout.split())
