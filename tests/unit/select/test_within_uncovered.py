"""Where the search area reaches past the layer."""

import numpy as np
import pytest
import shapely

from geonotice.select.within import _empty_centres, _grid, uncovered

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


@pytest.mark.parametrize(
    "radius_ft", [10.0, 33.3, 100.0, 200.0]
)  # 200 is a multiple of the grid: points lie at the very distance
def test_a_place_is_empty_just_where_nothing_lies_within_the_radius(radius_ft):
    random = np.random.default_rng(int(radius_ft))
    corners, sizes = random.uniform(-1500, 1500, (40, 2)), random.uniform(1, 500, (40, 2))
    known = np.array([*shapely.box(*corners.T, *(corners + sizes).T), PREMISES], dtype=object)
    known[:10] = [lot.buffer(40) for lot in known[:10]]
    every = shapely.points(_grid(PREMISES, 1000 + radius_ft).reshape(-1, 2))
    far = ~np.any([shapely.dwithin(lot, every, radius_ft) for lot in known], axis=0)
    found = _empty_centres(PREMISES, known, reach_ft=1000 + radius_ft, radius_ft=radius_ft)
    assert far.any()
    assert [point.coords[0] for point in found] == [point.coords[0] for point in every[far]]
