"""Classing the premises by the districts on them, and the sun."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from geonotice.decide.hours import new_york_offset_hours, sunset
from geonotice.decide.zone import DistrictArea, decide_zone
from geonotice.ordinance.load import load_profile

PROFILE = load_profile("southampton")


def zone_of(*codes, municipality=""):
    areas = [DistrictArea(code, municipality, 10_000.0, 1 / len(codes)) for code in codes]
    return decide_zone(PROFILE, areas).zone


@pytest.mark.parametrize(
    ("codes", "zone"),
    [
        (["CR-40"], "residential"),
        (["cr 40", "R60"], "residential"),
        (["HO"], "other"),
        (["HC", "HO"], "other"),
        (["CR-40", "HO"], "split"),
        (["CR-40", "XYZ"], "undetermined"),
        (["HO", "XYZ"], "undetermined"),
        (["R-20"], "residential"),
        (["R-15"], "undetermined"),
        (["U-25"], "other"),
    ],
)
def test_districts_class_the_premises(codes, zone):
    assert zone_of(*codes) == zone


def test_two_residential_districts_can_be_read_as_split_zoning():
    reading = replace(PROFILE.settings["two_residential_districts"], value="split")
    own = replace(PROFILE, settings={**PROFILE.settings, "two_residential_districts": reading})
    areas = [DistrictArea(code, "", 10_000.0, 0.5) for code in ("CR-40", "R-60")]
    assert decide_zone(own, areas).zone == "split"


@pytest.mark.parametrize(
    ("district", "sliver", "said"),
    [("CR-40", "R-60", False), ("CR-40", "HO", True), ("HO", "CR-40", True), ("HO", "HC", False), ("CR-40", "XYZ", True)],
)
def test_a_sliver_is_said_where_counting_it_would_class_the_premises_otherwise(district, sliver, said):
    found = decide_zone(PROFILE, [DistrictArea(district, "", 40_000.0, 0.99)], slivers=[DistrictArea(sliver, "", 400.0, 0.01)])
    assert found.zone == zone_of(district)
    assert ("zoning_sliver" in [warning.code for warning in found.warnings]) is said


def test_a_sliver_of_a_second_residential_district_is_said_where_two_are_read_as_split_zoning():
    reading = replace(PROFILE.settings["two_residential_districts"], value="split")
    own = replace(PROFILE, settings={**PROFILE.settings, "two_residential_districts": reading})
    found = decide_zone(own, [DistrictArea("CR-40", "", 40_000.0, 0.99)], slivers=[DistrictArea("R-60", "", 400.0, 0.01)])
    assert (found.zone, [warning.code for warning in found.warnings]) == ("residential", ["zoning_sliver"])


def test_a_name_that_says_residential_does_not_make_a_district_one():
    assert zone_of("HC") == "other"


def test_a_villages_own_code_is_not_the_towns():
    assert zone_of("R-40", municipality="Village of Southampton") == "undetermined"
    assert zone_of("R-40", municipality="Town of Southampton") == "residential"


def test_a_code_that_the_profile_has_for_a_municipality_spelt_otherwise_is_pointed_out():
    def said(municipality):
        return decide_zone(PROFILE, [DistrictArea("R-40", municipality, 10_000.0, 1.0)]).warnings[0].text

    hint = "The profile has R-40 for Town of Southampton, where the zoning layer says Southampton Town: spell both alike"
    assert hint in said("Southampton Town")
    assert "spell both alike" not in said("Village of Southampton")


@pytest.mark.parametrize(
    ("day", "published"),
    [
        (date(2026, 6, 21), "20:25"),
        (date(2026, 8, 16), "19:45"),
        (date(2026, 12, 21), "16:25"),
        (date(2026, 3, 20), "19:02"),
    ],
)
def test_sunset_at_southampton_is_that_of_the_almanac_within_three_minutes(day, published):
    found = sunset(40.88, -72.39, day)
    assert found is not None
    assert abs(found - datetime.combine(day, datetime.strptime(published, "%H:%M").time())) <= timedelta(minutes=3)  # noqa: DTZ007  # local time


def test_the_sun_that_does_not_set_is_no_time():
    assert sunset(70.0, 25.0, date(2026, 6, 21)) is None


def test_summer_time_runs_from_march_to_november():
    assert [new_york_offset_hours(date(2026, 3, day)) for day in (7, 8)] == [-5, -4]
    assert [new_york_offset_hours(date(2026, month, day)) for month, day in ((10, 31), (11, 1))] == [-4, -5]


def test_a_district_that_the_profile_leaves_open_is_not_said_to_be_spelt_otherwise():
    (warning,) = decide_zone(PROFILE, [DistrictArea("VB", PROFILE.town, 10_000.0, 1.0)]).warnings
    assert warning.code == "unknown_district"
    assert "spell both alike" not in warning.text
