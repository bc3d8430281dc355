"""A county's layer holds the parcels of other towns and of villages, too: whoever names one is told that the town's law may not reach it."""

import json
import re
import shutil

import pytest
from program import run

ELSEWHERE, VILLAGE, OWN = "0399-031.00-05.00-001.000", "0901-004.00-01.00-001.000", "0900-123.00-01.00-002.000"
TODAY = ["--on", "2026-09-01"]


@pytest.fixture(scope="module")
def town(imported, tmp_path_factory):
    """The demonstration town, whose layer has some of the next town's parcels."""
    return imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")


@pytest.fixture(scope="module")
def blind(town, tmp_path_factory):
    """The same without its municipalities layer."""
    blind = tmp_path_factory.mktemp("blind") / "southampton"
    shutil.copytree(town, blind)
    file = blind / "town.toml"
    file.write_text(re.sub(r"\[layers\.municipalities\][^\[]*", "", file.read_text()))
    run("import", blind)
    return blind


def _ways(town, parcel, tmp_path):
    """Ask the same of every command that takes premises: give the codes of what each says."""
    (tmp_path / "event.toml").write_text(f'[event]\nkind = "festival"\nstarts = 2026-12-20\n[premises]\nparcels = ["{parcel}"]\n')
    commands = (
        ["notice", town, parcel, "--for", "appeal", "--hearing", "2026-10-20"],
        ["notice", town, parcel, "--for", "filing"],
        ["check", town, tmp_path / "event.toml"],
        ["permit", "check", town, parcel, "--starts", "2026-12-20"],
    )
    made = [json.loads(run(*command, *TODAY, "--json").stdout) for command in commands]
    return [{warning["code"]: warning["text"] for warning in one["warnings"]} for one in made]


def test_in_another_town(town, tmp_path):
    for said in _ways(town, ELSEWHERE, tmp_path):
        assert "lie in Town of Eastmere, not in Town of Southampton" in said["outside_town"]


def test_in_another_town_by_its_code_where_there_is_no_layer_of_municipalities(blind, tmp_path):
    for said in _ways(blind, ELSEWHERE, tmp_path):
        assert "lie in Eastmere (SWIS 479900), not in Town of Southampton" in said["outside_town"]


def test_in_a_village(town, tmp_path):
    for said in _ways(town, VILLAGE, tmp_path):
        assert "Village of Pondcrest" in said["in_village"]
        assert "outside_town" not in said


def test_in_the_town(town, tmp_path):
    for said in _ways(town, OWN, tmp_path):
        assert not {"outside_town", "in_village"} & said.keys()


def test_a_permit_there_is_for_an_official_to_decide(town, tmp_path):
    shutil.copytree(town, tmp_path / "town")
    args = ["permit", "issue", tmp_path / "town", ELSEWHERE, "--starts", "2026-12-20", *TODAY, "--json"]
    refused = json.loads(run(*args, expect=4).stdout)
    assert "outside_town" in {warning["code"] for warning in refused["warnings"]}
    made = json.loads(run(*args, "--override", "both towns agree").stdout)
    assert "outside_town" in {warning["code"] for warning in made["warnings"]}
    assert "Town of Eastmere" in made["overridden"]


def test_whether_a_permit_s_land_lies_in_a_village_is_not_known_without_the_layer(blind):
    made = json.loads(run("permit", "check", blind, OWN, "--starts", "2026-12-20", *TODAY, "--json").stdout)
    assert [warning["code"] for warning in made["warnings"] if "village" in warning["text"]] == ["no_municipalities_layer"]


class TestPremisesOfSeveralParcels:
    """A number with a slip in it names a lot somewhere else, which would be measured from as if it were meant."""

    BESIDE, FAR = "0900-123.00-01.00-001.000", "0900-127.00-03.00-009.000"

    def _ask(self, town, tmp_path, *parcels):
        (tmp_path / "event.toml").write_text(
            f'[event]\nkind = "festival"\nstarts = 2026-12-20\n[premises]\nparcels = {json.dumps(parcels)}\n'
        )
        commands = (
            ["notice", town, *parcels, "--for", "appeal", "--hearing", "2026-10-20"],
            ["check", town, tmp_path / "event.toml"],
            ["permit", "check", town, *parcels, "--starts", "2026-12-20", "--charity", "--benefits-applicant"],
        )
        made = [json.loads(run(*command, *TODAY, "--json").stdout)["warnings"] for command in commands]
        return [[warning for warning in one if warning["code"] == "premises_apart"] for one in made]

    def test_far_from_each_other_are_named_with_the_distance(self, town, tmp_path):
        for (said,) in self._ask(town, tmp_path, OWN, self.BESIDE, self.FAR):
            assert said["parcels"] == [self.FAR]
            assert re.search(r"lies \d,\d{3} ft or more from the rest", said["text"])

    def test_side_by_side_are_one_place(self, town, tmp_path):
        assert self._ask(town, tmp_path, OWN, self.BESIDE) == [[], [], []]
