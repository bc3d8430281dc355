"""What a town's officials say of districts that the law's table leaves open."""

import pytest

from geonotice.config.town import DistrictSpec
from geonotice.decide.zone import DistrictArea, decide_zone
from geonotice.errors import TownFileError
from geonotice.ordinance.load import load_profile, with_determinations

PROFILE = load_profile("southampton")
LETTER = "Town Attorney, letter of 3 March 2026"


def zoned(profile, code, municipality=""):
    return decide_zone(profile, [DistrictArea(code, municipality, 10_000.0, 1.0)])


class TestADistrictThatTheProfileLeavesOpen:
    @pytest.mark.parametrize(("code", "zone"), [("VB", "other"), ("r 15", "residential"), ("NEW-1", "residential")])
    def test_is_classed_as_the_town_file_says_and_the_result_says_so(self, code, zone):
        assert zoned(PROFILE, code).zone == "undetermined"
        found = zoned(with_determinations(PROFILE, [DistrictSpec(code, LETTER, zone)]), code)
        assert found.zone == zone
        (warning,) = found.warnings
        assert warning.code == "district_by_town"
        assert LETTER in warning.text

    def test_a_district_of_a_village_is_not_the_towns_of_that_code(self):
        own = with_determinations(PROFILE, [DistrictSpec("VB", LETTER, "other", municipality="Village of Sandmere")])
        assert zoned(own, "VB", "Village of Sandmere").zone == "other"
        assert zoned(own, "VB").zone == "undetermined"

    def test_the_others_stay_as_they_are(self):
        own = with_determinations(PROFILE, [DistrictSpec("HB", LETTER, "other")])
        assert [item for item in own.districts if item.code != "HB"] == [item for item in PROFILE.districts if item.code != "HB"]


class TestADistrictThatTheProfileClasses:
    def test_takes_the_yards_that_the_profile_lacks(self):
        own = with_determinations(PROFILE, [DistrictSpec("R-40", LETTER, front_ft=40.0, side_ft=20.0)])
        found = own.district("R-40")
        assert (found.zone, found.front_ft, found.side_ft, found.rear_ft) == ("residential", 40.0, 20.0, 70.0)
        assert not found.yards_verified  # that of the rear is still nobody's
        assert zoned(own, "R-40").warnings == ()

    def test_that_nobody_verified_is_classed_as_the_town_file_says(self):
        assert [warning.code for warning in zoned(PROFILE, "HB").warnings] == ["unverified_district"]
        for zone in ("other", "residential"):
            found = zoned(with_determinations(PROFILE, [DistrictSpec("HB", LETTER, zone)]), "HB")
            assert (found.zone, [warning.code for warning in found.warnings]) == (zone, ["district_by_town"])

    def test_has_verified_yards_once_the_town_file_gives_all_of_them(self):
        given = {"front_ft": 60.0, "side_ft": 20.0, "both_sides_ft": 60.0, "rear_ft": 70.0}
        found = with_determinations(PROFILE, [DistrictSpec("R-40", LETTER, **given)]).district("R-40")
        assert (found.both_sides_ft, found.yards_verified) == (60.0, True)

    def test_is_not_classed_otherwise_nor_twice(self):
        wrong = [
            DistrictSpec("R-40", LETTER, "other"),
            DistrictSpec("HB", LETTER, "other"),
            DistrictSpec("h-b", LETTER, "residential"),
        ]
        with pytest.raises(TownFileError) as refused:
            with_determinations(PROFILE, wrong)
        assert [fault.key for fault in refused.value.faults] == ["districts[0].class", "districts[2]"]
        assert "R-40 is said to be other, and the profile southampton says residential" in str(refused.value)
