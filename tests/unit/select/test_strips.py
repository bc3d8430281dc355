"""A long thin lot of which nothing says what it is may be a street: what it hides is said, and listed among the near misses."""

import numpy as np
import pytest
import shapely
from adjacency_toys import array, codes, row
from shapely import box

from geonotice.select.neighbours import neighbours

SOUTH = row("S", 0, 0, 100, 100, 3)


def ask(strip, north, unclassed=("RD",)):
    lots = {**SOUTH, "RD": strip, **north}
    keys = [key for key in lots if key != "S2"]
    found = neighbours(
        array([lots["S2"]]),
        array(lots[key] for key in keys),
        np.full(len(keys), "lot", dtype=object),
        unclassed=np.array([key in unclassed for key in keys]),
    )
    return found, lambda places: [keys[place] for place in places]


def test_the_lots_across_it_are_near_misses_and_the_strip_is_named():
    found, named = ask(box(-300, 100, 600, 150), row("N", 0, 150, 100, 100, 3))
    assert named(found.related("abutting")) == ["S1", "S3", "RD"]
    assert named(found.related("opposite")) == []
    assert [(named([one.index]), one.reason, round(one.distance_ft)) for one in found.near_misses] == [
        (["N2"], "across_strip", 50)
    ]
    (one,) = [one for one in found.remarks if one.code == "strip_of_land"]
    assert named(one.parcels) == ["RD"]


def test_a_strip_across_the_street_hides_what_lies_behind_it():
    found, named = ask(box(-300, 140, 600, 192), row("N", 0, 192, 100, 100, 3))
    assert named(found.related("opposite")) == ["RD"]
    assert [(named([one.index]), one.reason) for one in found.near_misses] == [(["N2"], "across_strip")]


@pytest.mark.parametrize(
    ("strip", "north", "unclassed"),
    [
        (box(-300, 100, 600, 150), row("N", 0, 150, 100, 100, 3), ()),  # its class says that it is a lot
        (box(-900, 100, 900, 220), row("N", 0, 220, 100, 100, 3), ("RD",)),  # too wide for a street
        (box(100, 100, 200, 125), row("N", 0, 150, 100, 100, 3), ("RD",)),  # no longer than a lot
        (box(-300, 100, 600, 150), row("N", 0, 350, 100, 100, 3), ("RD",)),  # nothing lies across it
    ],
)
def test_nothing_is_said_of_another_lot(strip, north, unclassed):
    found, _ = ask(strip, north, unclassed)
    assert "strip_of_land" not in codes(found)
    assert not [one for one in found.near_misses if one.reason == "across_strip"]


def test_of_a_lot_stacked_on_the_premises_nothing_is_said():
    found, _ = ask(shapely.box(-300, -5, 600, 105), row("N", 0, 150, 100, 100, 3))
    assert "strip_of_land" not in codes(found)
