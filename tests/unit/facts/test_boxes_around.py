"""Premises far apart are searched each by itself, and the answer is that of one search."""

import random

import shapely

from geonotice.facts.surroundings import boxes_around
from geonotice.select.within import uncovered


def test_a_box_for_each_part_that_stands_alone():
    land = shapely.union_all(shapely.box([0, 50, 5000], 0, [10, 60, 5010], 10))
    assert boxes_around(land, 100) == [(-100, -100, 160, 110), (4900, -100, 5110, 110)]


def test_all_that_lies_near_the_land_is_in_a_box_and_no_two_boxes_meet():
    chance = random.Random(4)
    for _ in range(50):
        places = [(chance.uniform(0, 9000), chance.uniform(0, 9000)) for _ in range(12)]
        land = shapely.union_all([shapely.box(x, y, x + 200, y + 50) for x, y in places])
        boxes = [shapely.box(*box) for box in boxes_around(land, 700)]
        assert all(shapely.disjoint(one, other) for n, one in enumerate(boxes) for other in boxes[:n])
        points = shapely.points([(chance.uniform(-900, 9900), chance.uniform(-900, 9900)) for _ in range(300)])
        near = points[shapely.dwithin(land, points, 700)]
        assert shapely.intersects(shapely.union_all(boxes), near).all()


def test_where_the_layer_ends_is_the_same_whether_or_not_the_land_between_is_known():
    premises = shapely.union_all(shapely.box([0, 20_000], 0, [100, 20_100], 100))
    near = [shapely.box(-1500, -1500, 1500, 1500), shapely.box(18_500, -1500, 20_600, 1500)]
    between = shapely.box(1500, -1500, 18_500, 1500)
    found = uncovered(premises, near, distance_ft=1000, gap_ft=200)
    every = uncovered(premises, [*near, between], distance_ft=1000, gap_ft=200)
    assert found is not None
    assert every is not None
    assert (found.from_ft, found.share, found.directions) == (every.from_ft, every.share, every.directions)
