"""The demonstration towns are what their guide says, and are made the same each time."""

import csv
import filecmp
import importlib
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
import shapely

from geonotice.decide.stated_case import check_case

DATA = Path(__file__).resolve().parents[2] / "data"

pytest.importorskip("geopandas")


def made_by(module: str, folder: Path) -> dict[str, str]:
    sys.path.insert(0, str(DATA))
    try:
        named: dict[str, str] = importlib.import_module(module).make(folder)
        return named
    finally:
        sys.path.remove(str(DATA))


def read(file: Path):
    geopandas = importlib.import_module("geopandas")
    return geopandas.read_file(file, engine="pyogrio")


def numbers_in(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"-?\d+\.\d+", text)]


def assert_same_text(ours: Path, theirs: Path) -> None:
    """Alike but for the last decimal of a coordinate, which another version of the projection library may round the other way."""
    one, other = ours.read_text(encoding="utf-8"), theirs.read_text(encoding="utf-8")
    if one != other:
        assert re.sub(r"-?\d+\.\d+", "#", one) == re.sub(r"-?\d+\.\d+", "#", other)
        assert numbers_in(one) == pytest.approx(numbers_in(other), abs=2e-7)


def assert_same_layer(ours: Path, theirs: Path) -> None:
    one, other = read(ours), read(theirs)
    assert list(one.columns) == list(other.columns)
    assert one.crs == other.crs
    assert one.drop(columns="geometry").equals(other.drop(columns="geometry"))
    assert shapely.equals_exact(one.geometry.values, other.geometry.values, tolerance=0.02).all()


@pytest.fixture(scope="module", params=["italy", "southampton"])
def made(request, tmp_path_factory) -> tuple[str, Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp(request.param)
    return request.param, folder, made_by(f"make_{request.param}", folder)


@pytest.fixture(scope="module")
def parcels():
    return read(DATA / "italy" / "parcels.gpkg")


@pytest.fixture(scope="module")
def distances(parcels):
    premises = parcels[parcels.PRINT_KEY == "51.00-1-1"].union_all()
    near = parcels[parcels.PRINT_KEY != "51.00-1-1"]
    beyond = read(DATA / "italy" / "adjoining.zip")
    return near.set_index("PRINT_KEY").distance(premises), beyond.set_index("PRINT_KEY").distance(premises)


class TestMaking:
    def test_the_script_makes_what_is_in_the_folder(self, made):
        town, folder, _ = made
        for file in sorted(folder.iterdir()):
            kept = DATA / town / file.name
            (assert_same_text if file.suffix in {".geojson", ".csv"} else assert_same_layer)(kept, file)

    def test_a_second_run_gives_the_same_bytes(self, made, tmp_path):
        town, folder, named = made
        assert made_by(f"make_{town}", tmp_path) == named
        files = sorted(file.name for file in folder.iterdir())
        assert filecmp.cmpfiles(folder, tmp_path, files, shallow=False) == (files, [], [])

    def test_neighbours_share_every_vertex_of_their_common_line(self, made):
        _, folder, _ = made
        layer = read(folder / "parcels.gpkg")
        single = layer[layer.DUP_GEO != "Y"]
        assert single.is_valid.all()
        assert shapely.coverage_is_valid(single.geometry.values)


class TestItaly:
    def test_it_fits_in_a_wheel(self):
        assert (
            sum(file.stat().st_size for file in (DATA / "italy").rglob("*") if file.name not in {"store.gpkg", "permits.sqlite"})
            < 1_500_000
        )

    def test_one_parcel_lies_at_exactly_a_thousand_feet(self, distances):
        here, _ = distances
        assert here["52.11-2-21"] == 1000.0
        assert sorted(here[(here > 1000) & (here <= 1005)].index) == ["52.11-1-5", "52.11-2-48"]

    def test_the_list_crosses_the_county_line(self, distances):
        here, beyond = distances
        assert (beyond <= 1000).sum() == 6
        numbered = here[(here <= 1000) & (here.index != "")]
        assert list(numbered.index[numbered.index.duplicated()]) == ["41.00-1-7"]
        assert (here <= 1000).sum() + (beyond <= 1000).sum() - 1 == 88
        assert "62.00-1-1" in here.index
        assert "62.00-1-1" in beyond.index

    def test_the_second_premises_look_past_the_layer(self, parcels):
        towns = read(DATA / "italy" / "municipalities.geojson").to_crs(parcels.crs)
        south = towns[towns.SWIS == "469900"].union_all()
        assert parcels[parcels.PRINT_KEY == "72.00-1-4"].distance(south).max() < 1
        assert not parcels.intersects(south.buffer(-1)).any()

    def test_it_has_the_faults_that_real_layers_have(self, parcels):
        town = parcels[parcels.SWIS == "572400"]
        assert (town.PRINT_KEY == "").sum() == 2
        assert town[town.PRINT_KEY == "41.00-1-7"].PRIMARY_OWNER.nunique() == 2
        assert len(town[town.DUP_GEO == "Y"].geometry.to_wkb().unique()) == 1
        assert (town.DUP_GEO == "Y").sum() == 6
        filled = town.PRINT_KEY[town.PRINT_KEY != ""]
        assert filled.nunique() / len(town) > 0.98
        lone = town[town.PRINT_KEY == "52.11-2-32"].iloc[0]
        assert lone.PRIMARY_OWNER
        assert [lone.MAIL_ADDR, lone.PO_BOX, lone.MAIL_CITY, lone.MAIL_ZIP] == [""] * 4

    def test_owners_are_of_every_kind(self, parcels):
        owners = " | ".join(parcels.PRIMARY_OWNER)
        for word in ("Trust", "Estate of", "LLC", "O'Dunmire", "&", "Núñez", "Ångström"):
            assert word in owners
        assert (parcels.PO_BOX != "").sum() > 40
        assert ((parcels.ADD_OWNER != "") & (parcels.ADD_MAIL_ADDR != "")).sum() > 10
        assert ((parcels.ADD_OWNER != "") & (parcels.ADD_MAIL_ADDR == "")).sum() > 20
        assert parcels.ADD_OWNER.str.startswith("c/o ").sum() > 10
        assert parcels.MAIL_CITY.isin(["Montréal QC", "Toronto", "79999 Freiburg Germany"]).sum() >= 3

    def test_the_roll_fills_what_the_layer_leaves_empty(self, parcels):
        empty = parcels[(parcels.PRIMARY_OWNER == "") & (parcels.PRINT_KEY != "")]
        with (DATA / "italy" / "roll.csv").open(encoding="utf-8", newline="") as file:
            rolled = {line["PRINT_KEY"] for line in csv.DictReader(file)}
        assert set(empty.PRINT_KEY) <= rolled
        assert rolled - set(empty.PRINT_KEY) == {"99.00-1-1", "555.00-57-24"}

    def test_the_park_and_the_apartment_house_have_their_units(self):
        points = json.loads((DATA / "italy" / "address_points.geojson").read_text(encoding="utf-8"))["features"]
        units = [point["properties"]["UNIT"] for point in points]
        assert sum(unit.startswith("Lot ") for unit in units) == 22
        assert sum(unit.startswith("Apt ") for unit in units) == 8


PREMISES = "0900-123.00-01.00-002.000"


@pytest.fixture(scope="module")
def lots():
    return read(DATA / "southampton" / "parcels.gpkg").set_index("PRINT_KEY")


@pytest.fixture(scope="module")
def districts(lots):
    return read(DATA / "southampton" / "zoning.geojson").to_crs(lots.crs)


def shares(shape, districts) -> dict[str, float]:
    found = districts.assign(part=districts.intersection(shape).area / shape.area)
    return {
        code: share for code, share in found.groupby("DISTRICT").part.sum().items() if share > 0.02 and share * shape.area > 500
    }


class TestSouthampton:
    def test_the_example_is_a_lot_in_the_middle_of_a_block(self, lots, districts):
        premises = lots.geometry[PREMISES]
        rest = lots.drop(PREMISES)
        assert shares(premises, districts).keys() == {"R-40"}
        shared = {
            key: premises.boundary.intersection(shape.boundary).length
            for key, shape in rest[rest.distance(premises) < 0.01].geometry.items()
        }
        assert sorted(key for key, feet in shared.items() if feet > 6) == [f"0900-123.00-01.00-{n:03d}.000" for n in (1, 3, 7, 8)]
        x0, _, x1, y1 = premises.bounds
        across = rest[rest.intersects(shapely.box(x0 + 2, y1 + 20, x1 - 2, y1 + 60))]
        assert sorted(across.index) == [f"0900-124.00-08.00-{n:03d}.000" for n in (1, 2)]

    def test_two_lots_are_split_between_a_business_and_a_residential_district(self, lots, districts):
        assert shares(lots.geometry["0900-124.00-02.00-002.000"], districts).keys() == {"HC", "R-40"}
        assert shares(lots.geometry["0900-124.00-02.00-001.000"], districts).keys() == {"HO", "R-40"}
        assert shares(lots.geometry["0900-126.00-01.00-012.000"], districts).keys() == {"R-60", "R-40"}
        assert shares(lots.geometry["0900-111.00-02.00-044.000"], districts).keys() == {"MUPDD"}

    def test_the_districts_leave_slivers_on_other_lots_and_nothing_more(self, lots, districts):
        town = lots[(lots.SWIS == "473689") & ~lots.PROP_CLASS.isin(["692", "842"])]
        split = {key for key, shape in town.geometry.items() if len(shares(shape, districts)) != 1}
        assert split == {"0900-124.00-02.00-001.000", "0900-124.00-02.00-002.000", "0900-126.00-01.00-012.000"}
        touched = town.geometry[f"{PREMISES[:-7]}001.000"]
        assert districts.intersects(touched).sum() >= 1

    def test_the_railroad_borders_lots_under_three_names(self, lots):
        rails = lots[lots.PROP_CLASS == "842"]
        assert rails.PRIMARY_OWNER.nunique() == 3
        assert lots.geometry["0900-124.00-02.00-001.000"].distance(rails.union_all()) == 0

    def test_the_village_lies_inside_the_town_and_reaches_some_of_its_lots(self, lots):
        towns = read(DATA / "southampton" / "municipalities.geojson").to_crs(lots.crs).set_index("NAME")
        village = towns.geometry["Village of Pondcrest"]
        assert towns.geometry["Town of Southampton"].buffer(1).contains(village)
        outside = lots[lots.SWIS == "473689"].distance(village)
        assert (outside <= 500).sum() > 50
        assert 460 <= outside["0900-123.00-03.00-006.000"] <= 540
        assert towns.CLERK_ADDRESS.str.len().min() > 10

    def test_streets_are_gaps_polygons_and_lines_inside_the_lots(self, lots):
        streets = read(DATA / "southampton" / "streets.geojson").to_crs(lots.crs).set_index("NAME").geometry
        covered = {name: line.intersection(lots.union_all()).length / line.length for name, line in streets.items()}
        assert covered["Meadow Street"] < 0.01
        assert covered["Merchants Alley"] > 0.9
        assert covered["Old Cart Road"] > 0.9
        assert (lots.PROP_CLASS == "692").sum() == 5
        assert set(read(DATA / "southampton" / "streets.geojson").JURISDICTION) == {
            "State",
            "County",
            "Town",
            "Village",
            "Private",
        }

    def test_a_flag_lot_has_a_narrow_frontage(self, lots):
        flag = lots.geometry["0900-127.00-03.00-009.000"]
        assert lots.FRONT["0900-127.00-03.00-009.000"] == 25
        assert flag.area > 2 * 43560

    def test_the_condominium_is_eight_units_on_one_lot(self, lots):
        units = lots[lots.index.str.startswith("0900-126.00-04.00-030.")]
        assert len(units) == 8
        assert units.geometry.to_wkb().nunique() == 1

    def test_the_permits_stand_on_parcels_of_the_layer(self, lots):
        with (DATA / "southampton" / "permits.csv").open(encoding="utf-8", newline="") as file:
            permits = list(csv.DictReader(file))
        assert len(permits) == 17
        assert {permit["status"] for permit in permits} == {"issued", "rescinded", "void"}
        for permit in permits:
            assert set(permit["parcels"].split(";")) <= set(lots.index), permit["number"]
            assert permit["issued"] < permit["starts"] <= permit["ends"]


@pytest.mark.parametrize("town", ["italy", "southampton"])
def test_everything_is_marked_fictional(town):
    for file in (DATA / town).iterdir():
        if file.suffix in {".geojson", ".zip"} or file.name == "parcels.gpkg":
            assert (read(file).FICTIONAL == "Y").all(), file.name


@pytest.mark.parametrize("town", ["italy", "southampton"])
def test_each_town_has_an_event_of_every_outcome(town):
    parcels = read(DATA / town / "parcels.gpkg")
    for name in ("allowed", "refused", "undecided", "exempt"):
        event = tomllib.loads((DATA / town / "events" / f"{name}.toml").read_text(encoding="utf-8"))
        assert event["event"]["title"]
        assert set(event["premises"]["parcels"]) <= set(parcels.PRINT_KEY), name


@pytest.mark.parametrize("town", ["italy", "southampton"])
def test_every_number_in_the_guide_stands_in_a_layer(town):
    guide = (DATA / "README.md").read_text(encoding="utf-8").split(f"## {town}\n")[1].split("\n## ")[0]
    known = {
        key
        for file in ("parcels.gpkg", "adjoining.zip")
        if (DATA / town / file).exists()
        for key in read(DATA / town / file).PRINT_KEY
    }
    for number in re.findall(r"`((?:\d{4}-)?\d+\.\d+-[\d.]+-\d+(?:\.\d+)?)`", guide):
        assert number in known, number


STATED = {
    "italy": {"zone": "other", "adjacent_state_or_county_road": True, "streets_abutted": ["State Route 290"]},
    "southampton": {"zone": "residential", "adjacent_state_or_county_road": False, "streets_abutted": ["Great Neck Lane"]},
}


def past(parcels: list[str]) -> list[dict[str, object]]:
    with (DATA / "southampton" / "permits.csv").open(encoding="utf-8", newline="") as file:
        return [
            {
                "number": line["number"],
                "issued": line["issued"],
                "starts": line["starts"],
                "night": {"yes": True, "no": False}.get(line["night"]),
                "status": line["status"],
                "distinct_events": int(line["distinct_events"]),
            }
            for line in csv.DictReader(file)
            if set(line["parcels"].split(";")) & set(parcels)
        ]


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


@pytest.mark.parametrize("town", ["italy", "southampton"])
@pytest.mark.parametrize(
    ("name", "permit_required", "allowed"),
    [("allowed", True, True), ("refused", True, False), ("undecided", ..., None), ("exempt", False, True)],
)
def test_each_event_ends_as_its_name_says(town, name, permit_required, allowed):
    event = plain(tomllib.loads((DATA / town / "events" / f"{name}.toml").read_text(encoding="utf-8")))
    facts = {"municipal_owner": False, "adjacent_lirr": False, "in_village": None, "within_500_ft_of": [], **STATED[town]}
    if (town, name) == ("southampton", "undecided"):
        facts |= {"zone": "split", "adjacent_state_or_county_road": True, "streets_abutted": ["Montauk Highway"]}
    history = past(event["premises"]["parcels"]) if town == "southampton" else []
    result = check_case({"ordinance": town, "on": "2026-11-30", "event": event, "parcel_facts": facts, "history": history})
    assert result["allowed"] is allowed
    assert permit_required is ... or result["permit_required"] is permit_required
    # The days of notice are no answers of an application: they are asked for until the hearing is held.
    open_ = [question for question in result["missing"] if not question.startswith("notice_given.")]
    assert bool(open_) == (name == "undecided")
