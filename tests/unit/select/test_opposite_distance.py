"""Opposite by distance, on blocks drawn by hand: what a way across the street may and may not do."""

import pytest
import shapely
from adjacency_toys import ask, row

LOT = {
    "A": shapely.box(0, 0, 100, 100),
    "L": shapely.box(-100, 0, 0, 100),
    "R": shapely.box(100, 0, 200, 100),
    "B": shapely.box(-100, -100, 200, 0),
}
"""The premises A, its neighbors, and a street above them: its frontage is y = 100 from x = 0 to 100."""


def opposite(lots, distance_ft, roles=None, **settings):
    found, named = ask(LOT | lots, ("A",), roles, opposite_by="distance", opposite_distance_ft=distance_ft, **settings)
    return named(found.related("opposite"))


@pytest.mark.parametrize(("distance_ft", "answer"), [(50, ["N"]), (49.9, []), (300, ["N"])])
def test_a_parcel_at_exactly_the_distance_is_in(distance_ft, answer):
    assert opposite({"N": shapely.box(0, 150, 100, 250)}, distance_ft) == answer


def test_a_lot_behind_another_is_in_only_where_its_own_pole_reaches_the_street():
    front, behind = shapely.box(0, 150, 80, 250), shapely.box(0, 250, 100, 350)
    flag = shapely.union(behind, shapely.box(80, 150, 100, 250))
    assert opposite({"N": front, "F": behind, "E": shapely.box(80, 150, 100, 250)}, 200) == ["E", "N"]
    assert opposite({"N": front, "F": flag}, 200) == ["F", "N"]


def test_lots_on_the_same_side_of_the_street_are_not_across_it():
    far = row("S", 200, 0, 50, 100, 3)
    assert opposite(far | {"N": shapely.box(0, 150, 100, 250)}, 300) == ["N"]


def test_a_railroad_parcel_is_looked_through_and_is_not_itself_opposite():
    lots = {"RR": shapely.box(-100, 150, 200, 180), "N": shapely.box(0, 180, 100, 280)}
    assert opposite(lots, 80, {"RR": "railroad"}) == ["N"]
    assert opposite(lots, 80) == ["RR"]


def test_units_stacked_on_a_common_lot_across_the_street_all_count():
    lots = {"C": shapely.box(0, 150, 100, 250), "U1": shapely.box(10, 160, 40, 190), "U2": shapely.box(50, 200, 90, 240)}
    assert opposite(lots, 60) == ["C", "U1", "U2"]


def test_a_wide_street_does_not_limit_it_and_a_parcel_that_abuts_is_not_opposite_too():
    assert opposite({"N": shapely.box(0, 1000, 100, 1100)}, 900) == ["N"]
    assert opposite({}, 900) == []


def test_what_lies_up_to_50_ft_beyond_is_a_near_miss_that_says_so():
    lots = LOT | {"N": shapely.box(0, 150, 100, 250), "D": shapely.box(150, 150, 250, 250)}
    found, named = ask(lots, ("A",), opposite_by="distance", opposite_distance_ft=60)
    assert named(found.related("opposite")) == ["N"]
    assert [(named([one.index]), one.reason) for one in found.near_misses] == [(["D"], "beyond_opposite_distance")]
    assert {one.opposite_ft for one in found.neighbours if one.relation == "opposite"} == {None}


def test_a_distance_must_be_given():
    with pytest.raises(ValueError, match="distance_ft"):
        ask(LOT | {"N": shapely.box(0, 150, 100, 250)}, ("A",), opposite_by="distance")
