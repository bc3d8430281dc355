"""Distance: polygon to polygon, at most."""

import doctest

import numpy as np
import shapely

from geonotice.select import within


def box(minx, miny, maxx, maxy):
    return shapely.box(minx, miny, maxx, maxy)


def test_a_parcel_at_exactly_the_distance_is_within():
    lots = np.array([box(1100, 0, 1200, 100), box(1100.001, 0, 1200, 100)])
    assert within.within(box(0, 0, 100, 100), lots, distance_ft=1000).index.tolist() == [0]


def test_a_parcel_that_a_buffer_s_chord_would_miss_is_within():
    home = box(0, 0, 100, 100)
    away = np.radians(2.8125)  # halfway between two vertices of a buffer with 16 segments to the quarter
    x, y = 100 + 999.9 * np.cos(away), 100 + 999.9 * np.sin(away)
    lot = shapely.Polygon([(x, y), (x + 50, y), (x + 50, y + 50)])
    assert not lot.intersects(home.buffer(1000))
    assert within.within(home, np.array([lot]), distance_ft=1000).index.tolist() == [0]


def test_touching_overlapping_and_enclosed_parcels_are_at_zero_and_the_nearest_come_first():
    home = box(0, 0, 300, 300).difference(box(100, 100, 200, 200))
    lots = np.array([box(400, 0, 500, 100), box(300, 0, 400, 100), box(250, 250, 350, 350), box(100, 100, 200, 200)])
    found = within.within(home, lots, distance_ft=150)
    assert found.index.tolist() == [1, 2, 3, 0]
    assert found.distance_ft.tolist() == [0, 0, 0, 100]


def test_the_evidence_line_is_as_long_as_the_distance():
    home, lot = box(0, 0, 100, 100), box(400, 500, 500, 600)
    assert within.nearest_line(home, lot).length == home.distance(lot) == 500


def test_examples_hold():
    assert doctest.testmod(within).failed == 0
