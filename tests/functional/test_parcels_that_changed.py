"""Issue of a permit, then a new roll: a lot divided, one renumbered, one merged, and a number given to other land. History follows the land."""

import json
import shutil
from pathlib import Path

import pytest
import shapely
from program import run

DIVIDED, EAST, WEST = "0900-123.00-01.00-002.000", "0900-123.00-01.00-002.001", "0900-123.00-01.00-002.002"
RENUMBERED, NOW = "0900-127.00-03.00-009.000", "0900-127.00-03.00-009.099"
MERGED, INTO = "0900-124.00-02.00-002.000", "0900-124.00-02.00-009.000"
ELSEWHERE = "0900-127.00-04.00-012.000"
TODAY = ["--on", "2026-09-01"]


def _asked(town: Path, *args: str, expect: int = 0):
    return json.loads(
        run("permit", "check", town, *args, "--starts", "2026-12-20", "--night", "no", *TODAY, "--json", expect=expect).stdout
    )


@pytest.fixture(scope="module")
def town(imported, tmp_path_factory):
    """Two permits on a lot and two on another, one on a third; then the next roll."""
    import geopandas

    town = imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")
    for number in (DIVIDED, DIVIDED, RENUMBERED, RENUMBERED, MERGED):
        run("permit", "issue", town, number, "--starts", "2026-12-12", "--night", "no", "--by", "Fire Marshal", *TODAY)
    frame = geopandas.read_file(town / "parcels.gpkg").set_index("PRINT_KEY", drop=False)
    whole = frame.geometry[DIVIDED]
    left, bottom, right, top = whole.bounds
    half = frame.loc[[DIVIDED]].copy()
    frame.loc[DIVIDED, "geometry"] = whole.intersection(shapely.box(left, bottom, (left + right) / 2, top))
    half["geometry"] = whole.intersection(shapely.box((left + right) / 2, bottom, right, top))
    half["PRINT_KEY"] = WEST
    grown = shapely.union(frame.geometry[MERGED].buffer(0.5), frame.geometry[INTO].buffer(0.5)).buffer(-0.5)
    frame.loc[INTO, "geometry"] = grown
    frame.loc[DIVIDED, "PRINT_KEY"] = EAST
    frame.loc[RENUMBERED, "PRINT_KEY"] = NOW
    frame.loc[ELSEWHERE, "PRINT_KEY"] = DIVIDED  # the old number stands for other land
    frame = frame.drop(index=MERGED)
    layer = geopandas.pd.concat([frame, half]).reset_index(drop=True)
    layer.to_file(town / "parcels.gpkg", layer="parcels", driver="GPKG")
    return town


@pytest.fixture(scope="module")
def report(town):
    return run("import", town, "--json")


def test_the_import_lists_each_with_its_permits(report):
    listed = {item["parcel"]: item for item in json.loads(report.stdout)["changed_under_permits"]}
    assert {parcel: item["change"] for parcel, item in listed.items()} == {
        DIVIDED: "subdivided",
        RENUMBERED: "renumbered",
        MERGED: "merged",
    }
    assert sorted(listed[DIVIDED]["now"]) == [EAST, WEST]
    assert (listed[RENUMBERED]["now"], listed[MERGED]["now"]) == ([NOW], [INTO])
    assert f"! {RENUMBERED} is {NOW} now; its permits count there [2026-0003, 2026-0004]" in report.stderr


@pytest.mark.parametrize(("parcel", "was"), [(EAST, DIVIDED), (WEST, DIVIDED), (NOW, RENUMBERED)])
@pytest.mark.usefixtures("report")
def test_its_permits_count_and_the_finding_says_under_which_number(town, parcel, was):
    made = _asked(town, parcel, expect=5)
    assert (made["used"], made["parcels"][0]["recorded_as"]) == (2, [was])
    assert was in made["text"]


@pytest.mark.usefixtures("report")
def test_both_halves_together_are_no_more_than_the_lot_was(town):
    assert (_asked(town, EAST, WEST, expect=5)["used"]) == 2


@pytest.mark.usefixtures("report")
def test_the_lot_that_took_another_in_has_its_permits(town):
    made = _asked(town, INTO)
    assert (made["used"], made["parcels"][0]["recorded_as"]) == (1, [MERGED])


@pytest.mark.usefixtures("report")
def test_the_old_number_on_other_land_carries_none_along_and_that_is_said(town):
    made = _asked(town, DIVIDED)
    assert made["used"] == 0
    assert [warning["code"] for warning in made["warnings"]].count("number_reused") == 2


@pytest.mark.usefixtures("report")
class TestTheListOfAParcel:
    """An empty list would read as if the land had no permits."""

    def test_has_those_that_its_land_had_under_another_number(self, town):
        made = json.loads(run("permit", "list", town, "--parcel", NOW, "--json").stdout)
        assert [permit["number"] for permit in made["permits"]] == ["2026-0003", "2026-0004"]
        assert {warning["code"] for warning in made["warnings"]} == {"renumbered"}

    def test_of_a_number_that_is_no_more_says_what_it_cannot_see(self, town):
        made = json.loads(run("permit", "list", town, "--parcel", MERGED, "--json").stdout)
        assert [permit["number"] for permit in made["permits"]] == ["2026-0005"]
        assert [warning["code"] for warning in made["warnings"]] == ["by_number"]

    def test_of_a_number_that_nobody_knows_is_refused(self, town):
        assert "99-9" in run("permit", "list", town, "--parcel", "99-9", expect=2).stderr

    def test_without_the_layers_goes_by_the_number_and_says_so(self, town, tmp_path):
        shutil.copytree(town, tmp_path / "bare")
        (tmp_path / "bare" / "store.gpkg").unlink()
        made = json.loads(run("permit", "list", tmp_path / "bare", "--parcel", RENUMBERED, "--json").stdout)
        assert [permit["number"] for permit in made["permits"]] == ["2026-0003", "2026-0004"]
        assert [warning["code"] for warning in made["warnings"]] == ["by_number"]

    def test_stands_with_all_that_is_known_of_the_property(self, town):
        known = json.loads(run("parcel", town, NOW, "--json").stdout)
        assert [(permit["number"], permit["parcels"]) for permit in known["permits"]] == [
            ("2026-0003", [RENUMBERED]),
            ("2026-0004", [RENUMBERED]),
        ]
        assert "2026-0003 (issued): other, 2026-12-12" in run("parcel", town, NOW).stdout


@pytest.mark.usefixtures("report")
def test_the_map_says_in_json_too_what_it_could_not_place(town, tmp_path):
    (tmp_path / "old.csv").write_text("number,parcels,issued,starts\n7,0900-999.00-01.00-001.000,2026-03-01,2026-07-04\n")
    shutil.copytree(town, tmp_path / "town")
    run("permit", "import", tmp_path / "town", tmp_path / "old.csv", "--former-parcels")
    made = json.loads(run("map", tmp_path / "town", "--year", "2026", "--out", tmp_path / "map.html", *TODAY, "--json").stdout)
    assert [warning["parcels"] for warning in made["warnings"] if warning["code"] == "off_the_map"] == [
        ["0900-999.00-01.00-001.000"]
    ]


def test_a_property_of_a_town_without_a_register(town, tmp_path):
    shutil.copytree(town, tmp_path / "town")
    run("import", tmp_path / "town")
    for file in (tmp_path / "town").glob("permits.sqlite*"):
        file.unlink()
    assert json.loads(run("parcel", tmp_path / "town", NOW, "--json").stdout)["permits"] is None
    assert "(no permit register)" in run("parcel", tmp_path / "town", NOW).stdout


def test_a_register_that_cannot_be_read_takes_nothing_else_away(town, tmp_path):
    shutil.copytree(town, tmp_path / "town")
    run("import", tmp_path / "town")
    (tmp_path / "town" / "permits.sqlite").write_text("no register, but a text that is long enough to be looked into")
    known = json.loads(run("parcel", tmp_path / "town", NOW, "--json").stdout)
    assert known["owners"]
    assert (known["permits"], [warning["code"] for warning in known["warnings"]]) == (None, ["register_unreadable"])
    assert "(not known)" in run("parcel", tmp_path / "town", NOW).stdout
