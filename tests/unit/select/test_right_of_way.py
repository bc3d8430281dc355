"""A lot that may be a street is looked through, and stays on the list as a lot: no owner is lost whichever it is."""

import numpy as np
import pytest
import shapely
from adjacency_toys import array, codes, row
from shapely import box

from geonotice.select.adjacency import neighbours

SOUTH = row("S", 0, 0, 100, 100, 3)


def ask(strip, north, in_doubt=("RD",), *, known=True):
    lots = {**SOUTH, "RD": strip, **north}
    keys = [key for key in lots if key != "S2"]
    found = neighbours(
        array([lots["S2"]]),
        array(lots[key] for key in keys),
        np.full(len(keys), "lot", dtype=object),
        in_doubt=np.array([key in in_doubt if known else None for key in keys], dtype=object),
    )
    return found, lambda places: [keys[place] for place in places]


def marked(found, named):
    return named([one.index for one in found.neighbours if "street_or_lot" in one.review])


def test_the_lots_across_it_are_opposite_and_the_strip_is_named():
    found, named = ask(box(-300, 100, 600, 150), row("N", 0, 150, 100, 100, 3))
    assert named(found.related("abutting")) == ["S1", "S3", "RD"]
    assert named(found.related("opposite")) == ["N2"]
    assert marked(found, named) == ["N2"]
    (one,) = [one for one in found.remarks if one.code == "street_or_lot"]
    assert named(one.parcels) == ["RD"]
    assert "no_frontage" not in codes(found)


def test_a_strip_across_the_street_is_opposite_with_what_lies_behind_it():
    found, named = ask(box(-300, 140, 600, 192), row("N", 0, 192, 100, 100, 3))
    assert named(found.related("opposite")) == ["RD", "N2"]
    assert marked(found, named) == ["RD", "N2"]


@pytest.mark.parametrize(
    ("strip", "north", "in_doubt"),
    [
        (box(-300, 140, 600, 192), row("N", 0, 192, 100, 100, 3), ()),  # nothing is in doubt
        (box(-300, 300, 600, 350), row("N", 0, 150, 100, 100, 3), ("RD",)),  # it lies behind the lots across
    ],
)
def test_nothing_is_said_where_it_makes_no_difference(strip, north, in_doubt):
    found, named = ask(strip, north, in_doubt)
    assert "street_or_lot" not in codes(found)
    assert not marked(found, named)


def test_premises_that_face_nothing_but_lots_look_through_a_strip_that_abuts():
    north = row("N", 0, 150, 100, 100, 3) | {"B": box(-300, -400, 600, 0)}
    assert not ask(box(-300, 100, 600, 150), north, in_doubt=())[0].related("opposite"), "it surely is a lot"
    found, named = ask(box(-300, 100, 600, 150), north, known=False)
    assert named(found.related("opposite")) == ["N2"]
    (one,) = [one for one in found.remarks if one.code == "street_or_lot"]
    assert named(one.parcels) == ["RD"]


def test_of_a_lot_stacked_on_the_premises_nothing_is_said():
    found, _ = ask(shapely.box(-300, -5, 600, 105), row("N", 0, 150, 100, 100, 3), ())
    assert "street_or_lot" not in codes(found)
