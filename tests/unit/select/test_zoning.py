"""Every district on the premises, with area and share; slivers under 2 % or 500 sq ft ignored, and said."""

import numpy as np
import pytest
import shapely
import shapely.affinity

from geonotice.select.zoning import zoning

ACRE = shapely.box(0, 0, 200, 200)


def ask(land, **districts):
    codes = np.array([code.split("_")[0] for code in districts], dtype=object)
    return zoning(land, np.array(list(districts.values()), dtype=object), codes)


def side(start, end):
    return shapely.box(start, -50, end, 250)


def test_area_and_share_the_largest_first():
    found = ask(ACRE, VB=side(-50, 60), R20=side(60, 300))
    assert [(one.code, one.area_sq_ft, one.share) for one in found.districts] == [("R20", 28000.0, 0.7), ("VB", 12000.0, 0.3)]
    assert (found.slivers, found.unzoned_sq_ft, found.overlap_sq_ft) == ((), 0.0, 0.0)


@pytest.mark.parametrize(("feet", "counts"), [(3.9, False), (4.0, True)])
def test_a_sliver_under_2_percent_is_ignored_and_said(feet, counts):
    found = ask(ACRE, R20=side(feet, 300), VB=side(-50, feet))
    assert ("VB" in [one.code for one in found.districts]) is counts
    assert ("VB" in [one.code for one in found.slivers]) is not counts


@pytest.mark.parametrize(("feet", "counts"), [(4.9, False), (5.0, True)])
def test_a_sliver_under_500_sq_ft_is_ignored_and_said(feet, counts):
    lot = shapely.box(0, 0, 50, 100)
    found = ask(lot, R20=side(feet, 300), VB=side(-50, feet))
    assert ("VB" in [one.code for one in found.districts]) is counts
    assert ("VB" in [one.code for one in found.slivers]) is not counts


@pytest.mark.parametrize(("feet", "said"), [(1.4, False), (1.6, True)])
def test_a_sliver_nowhere_wider_than_the_tolerance_is_the_lot_line(feet, said):
    found = ask(ACRE, R20=side(feet, 300), VB=side(-50, feet))
    assert [one.code for one in found.districts] == ["R20"]
    assert [one.code for one in found.slivers] == (["VB"] if said else [])


@pytest.mark.parametrize("degrees", [0, 17, 123.4, 271])
def test_exactly_2_percent_and_exactly_500_sq_ft_are_no_slivers_at_any_angle(degrees):
    drawn = [shapely.box(0, 0, 250, 100), side(5, 300), side(-50, 5)]
    land, r20, vb = (shapely.affinity.rotate(shape, degrees, origin=(0, 0)) for shape in drawn)
    assert {one.code for one in ask(land, R20=r20, VB=vb).districts} == {"R20", "VB"}


def test_the_only_district_is_never_a_sliver():
    found = ask(shapely.box(0, 0, 20, 20), R20=side(-50, 300))
    assert [one.code for one in found.districts] == ["R20"]


def test_records_of_one_code_are_one_district():
    found = ask(ACRE, R20_a=side(-50, 60), R20_b=side(50, 300))
    assert [(one.code, one.indexes, one.area_sq_ft) for one in found.districts] == [("R20", (0, 1), 40000.0)]


def test_what_no_district_covers_is_said():
    found = ask(ACRE, R20=side(-50, 150))
    assert (found.unzoned_sq_ft, found.unzoned_share) == (10000.0, 0.25)


def test_what_two_districts_cover_is_said():
    found = ask(ACRE, R20=side(-50, 300), AQ=side(100, 300))
    assert found.overlap_sq_ft == 20000.0


def test_no_district_at_all():
    found = ask(ACRE, R20=side(900, 1000))
    assert (found.districts, found.unzoned_share) == ((), 1.0)


def test_a_district_that_only_touches_is_none():
    assert [one.code for one in ask(ACRE, R20=side(-50, 200), VB=side(200, 300)).districts] == ["R20"]
