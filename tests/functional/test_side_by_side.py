"""Southampton's complaint: owners hold events side by side on lots of their own, each with a cap of its own. It is pointed out."""

import json
import shutil

import pytest
from program import run

FULL, BESIDE, FAR = "0900-123.00-01.00-002.000", "0900-123.00-01.00-001.000", "0900-127.00-03.00-009.000"
TODAY = ["--on", "2026-09-01"]
OWNER = ("PRIMARY_OWNER", "MAIL_ADDR", "PO_BOX", "MAIL_CITY", "MAIL_STATE", "MAIL_ZIP", "ADD_OWNER")


@pytest.fixture(scope="module")
def town(root, tmp_path_factory):
    """A lot with two permits of the year, and the same owner's beside it with none."""
    import geopandas

    town = tmp_path_factory.mktemp("towns") / "southampton"
    shutil.copytree(root / "data" / "southampton", town)
    frame = geopandas.read_file(town / "parcels.gpkg").set_index("PRINT_KEY", drop=False)
    for column in OWNER:
        frame.loc[BESIDE, column] = frame.loc[FULL, column]
    frame.reset_index(drop=True).to_file(town / "parcels.gpkg", layer="parcels", driver="GPKG")
    run("import", town)
    for starts in ("2026-11-07", "2026-12-12"):
        run("permit", "issue", town, FULL, "--starts", starts, "--night", "no", "--by", "Fire Marshal", *TODAY)
    return town


def warnings(town, *args):
    made = json.loads(run(*args, *TODAY, "--json").stdout)
    return {warning["code"]: warning for warning in made["warnings"]}


def test_a_permit_next_door_is_allowed_and_the_permits_beside_it_are_named(town):
    said = warnings(town, "permit", "check", town, BESIDE, "--starts", "2026-12-20")["side_by_side"]
    assert said["parcels"] == [FULL]
    assert "2026-0001, 2026-0002" in said["text"]


def test_so_does_the_check_of_an_event(town, tmp_path):
    file = tmp_path / "event.toml"
    file.write_text(f'[event]\nkind = "festival"\nstarts = 2026-12-20\n[premises]\nparcels = ["{BESIDE}"]\n')
    assert "side_by_side" in warnings(town, "check", town, file)


def test_the_issue_of_the_permit_says_it_too(town, tmp_path):
    shutil.copytree(town, tmp_path / "town")
    assert "side_by_side" in warnings(town, "permit", "issue", tmp_path / "town", BESIDE, "--starts", "2026-12-20", "--by", "x")


def test_named_as_part_of_the_premises_it_counts(town):
    made = json.loads(run("permit", "check", town, BESIDE, FULL, "--starts", "2026-12-20", *TODAY, "--json", expect=5).stdout)
    assert (made["status"], made["used"]) == ("not_met", 2)
    assert "side_by_side" not in {warning["code"] for warning in made["warnings"]}


@pytest.mark.parametrize(
    "args",
    [
        [FAR, "--starts", "2026-12-20"],
        [BESIDE, "--starts", "2026-12-20", "--owned-by", "museum"],
        [BESIDE, "--starts", "2026-12-20", "--kind", "parade"],
    ],
    ids=["another owner's lots", "an owner without a cap", "what no cap counts"],
)
def test_nothing_is_said_of(town, args):
    assert "side_by_side" not in warnings(town, "permit", "check", town, *args)


def test_a_void_permit_never_was_one(town, tmp_path):
    shutil.copytree(town, tmp_path / "town")
    for number in ("2026-0001", "2026-0002"):
        run("permit", "void", tmp_path / "town", number, "--reason", "typed twice", "--by", "x")
    assert "side_by_side" not in warnings(tmp_path, "permit", "check", tmp_path / "town", BESIDE, "--starts", "2026-12-20")


def test_events_on_lots_side_by_side_on_one_day_are_in_each_other_s_way(town):
    said = warnings(town, "permit", "check", town, BESIDE, "--starts", "2026-12-12")["conflict"]["text"]
    assert said.endswith("both on Saturday, December 12, 2026, side by side")
