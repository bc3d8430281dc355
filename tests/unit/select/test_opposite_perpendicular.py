"""Opposite by perpendiculars, on a block drawn by hand: 2 ft of frontage decide, and no second opinion is asked."""

import pytest
import shapely
from adjacency_toys import ask

LOT = {
    "A": shapely.box(0, 0, 100, 100),
    "L": shapely.box(-100, 0, 0, 100),
    "R": shapely.box(100, 0, 200, 100),
    "B": shapely.box(-100, -100, 200, 0),
}


@pytest.mark.parametrize(
    ("overlap_ft", "opposite", "near"),
    [(2.0, ["N", "W"], []), (1.0, ["N"], [("W", "met_squarely_barely")]), (0.0, ["N"], [])],
)
def test_a_parcel_is_met_over_at_least_2_ft(overlap_ft, opposite, near):
    lots = LOT | {"W": shapely.box(-100, 150, overlap_ft, 250), "N": shapely.box(overlap_ft, 150, 100, 250)}
    found, named = ask(lots, ("A",), opposite_by="perpendicular")
    assert named(found.related("opposite")) == opposite
    assert [(*named([one.index]), one.reason) for one in found.near_misses] == near
    assert {code for one in found.neighbours for code in one.review} == set()


def test_no_lot_line_is_extended():
    found, _ = ask(LOT | {"N": shapely.box(0, 150, 100, 250)}, ("A",), opposite_by="perpendicular")
    assert [front.ends for front in found.frontages] == [("perpendicular", "perpendicular")]
    assert "extension" not in {one.kind for one in found.evidence}
