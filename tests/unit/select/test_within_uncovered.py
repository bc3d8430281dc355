"""Where the search area reaches past the layer."""

import numpy as np
import pytest
import shapely

from geonotice.select.within import uncovered

PREMISES = shapely.box(0, 0, 200, 200)


def country(minx, miny, maxx, maxy, *, size=400, street=60):
    """Square lots with streets between, over a rectangle."""
    xs, ys = np.arange(minx, maxx, size), np.arange(miny, maxy, size)
    return np.array(
        [shapely.box(x + street / 2, y + street / 2, x + size - street / 2, y + size - street / 2) for x in xs for y in ys]
    )


def test_streets_between_lots_are_covered():
    assert uncovered(PREMISES, country(-2000, -2000, 2400, 2400), distance_ft=1000, gap_ft=200) is None


@pytest.mark.parametrize("short_ft", [20, 60, 150, 400])
def test_a_layer_that_ends_inside_the_search_area_is_seen_however_little_it_lacks(short_ft):
    lots = [shapely.box(-2000, -2000, 1200 - short_ft, 2000)]
    found = uncovered(PREMISES, np.array(lots), distance_ft=1000, gap_ft=200)
    assert found is not None
    assert found.directions[0] == "east"
    assert found.from_ft == pytest.approx(1000 - short_ft, abs=45)


def test_a_layer_that_reaches_beyond_is_not_complained_of():
    assert uncovered(PREMISES, np.array([shapely.box(-2000, -2000, 1201, 2000)]), distance_ft=1000, gap_ft=200) is None


def test_a_hole_wider_than_a_street_is_seen():
    lots = shapely.box(-2000, -2000, 2400, 2400).difference(shapely.box(500, 500, 800, 800))
    found = uncovered(PREMISES, np.array([lots]), distance_ft=1000, gap_ft=200)
    assert found is not None
    assert found.directions == ("north-east",)
    assert 0 < found.share < 0.05
