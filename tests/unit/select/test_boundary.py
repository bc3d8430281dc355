"""Distance from the premises to every other municipality, at most 500 ft."""

import numpy as np
import pytest
import shapely

from geonotice.select.boundary import boundary, is_village

LAND = shapely.box(0, 0, 100, 100)
OWN = shapely.box(-9000, -9000, 9000, 9000)


def ask(*others, villages=()):
    places = np.array([OWN, *others], dtype=object)
    own = np.array([True] + [False] * len(others))
    village = np.array([n - 1 in villages for n in range(len(places))])
    return boundary(LAND, places, own=own, villages=village)


def east(distance):
    return shapely.box(100 + distance, -9000, 20000, 9000)


@pytest.mark.parametrize(
    ("distance", "notified", "review"),
    [
        (0, True, ()),
        (459.9, True, ()),
        (460, True, ("boundary_accuracy",)),
        (500, True, ("boundary_accuracy",)),
        (500.1, True, ("boundary_accuracy",)),
        (540, True, ("boundary_accuracy",)),
    ],
)
def test_from_460_to_540_ft_a_person_looks_and_it_is_mailed(distance, notified, review):
    (one,) = ask(east(distance)).others
    assert (one.distance_ft, one.notified, one.review) == (pytest.approx(distance), notified, review)


def test_beyond_540_ft_nobody_is_told():
    assert ask(east(540.1)).others == ()


def test_the_towns_own_is_not_other():
    assert ask().others == ()


def test_a_village_inside_the_town_is():
    (one,) = ask(shapely.box(300, 0, 600, 100), villages=[0]).others
    assert (one.index, one.distance_ft) == (1, 200)


def test_unless_the_premises_lie_in_that_village():
    found = ask(shapely.box(-300, -300, 600, 600), villages=[0])
    assert (found.others, found.inside, found.partly) == ((), (1,), ())


def test_premises_partly_in_a_village():
    found = ask(shapely.box(70, -300, 600, 600), villages=[0])
    assert ([one.index for one in found.others], found.inside, found.partly) == ([1], (), (1,))
    assert found.others[0].share == pytest.approx(0.3)


def test_a_village_line_drawn_a_little_over_the_lot_line_is_no_part():
    found = ask(shapely.box(99, -300, 600, 600), villages=[0])
    assert ([one.distance_ft for one in found.others], found.partly) == ([0.0], ())


def test_nearest_first_with_the_line_that_shows_it():
    found = ask(east(300), shapely.box(-500, 0, -200, 100))
    assert [(one.index, one.distance_ft) for one in found.others] == [(2, 200.0), (1, 300.0)]
    assert [one.line.length for one in found.others] == [200.0, 300.0]


@pytest.mark.parametrize(("kind", "village"), [("VILLAGE", True), (" village ", True), ("V", True), ("Town", False), ("", False)])
def test_kinds(kind, village):
    assert is_village(kind) is village
