"""The join: the same pairs and distances whether the kernel or GEOS decides, and the same as asking for each pair."""

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given, settings
from hypothesis import strategies as st

from geonotice.screen import join
from geonotice.screen.join import neighbors, tiles

numba = pytest.importorskip("numba", reason="the kernel needs the extra 'screen'")

SQUARES = [shapely.box(120 * column, 150 * row, 120 * column + 100, 150 * row + 110) for row in range(12) for column in range(12)]
RING = shapely.Point(700, 700).buffer(400).difference(shapely.Point(700, 700).buffer(150))
LONG = shapely.box(-500, 300, 6000, 320)
APART = shapely.union_all([shapely.box(2000, 0, 2050, 50), shapely.box(0, 2500, 40, 2540)])
CROSS = shapely.box(300, -400, 330, 5000)
TOWN = np.array([*SQUARES, RING, LONG, APART, CROSS, shapely.Polygon(), None], dtype=object)


def one_by_one(shapes, distance_ft):
    """Ask for each pair."""
    return [
        [
            j
            for j, other in enumerate(shapes)
            if j != i and other is not None and one is not None and one.distance(other) <= distance_ft
        ]
        for i, one in enumerate(shapes)
    ]


def lists(found):
    return [found.of(n).tolist() for n in range(len(found.start) - 1)]


class TestWhoIsNear:
    @pytest.mark.parametrize("compiled", [True, False], ids=["kernel", "GEOS"])
    @pytest.mark.parametrize("distance_ft", [0.0, 20.0, 40.0, 500.0, 1000.0])
    def test_it_is_what_each_pair_says(self, distance_ft, compiled):
        assert lists(neighbors(TOWN, distance_ft, compiled=compiled)) == one_by_one(TOWN, distance_ft)

    def test_the_distances_are_those_of_each_pair(self):
        found = neighbors(TOWN, 600.0, compiled=True, measure=True)
        mine = np.repeat(np.arange(len(TOWN)), np.diff(found.start))
        assert np.allclose(found.distance_ft, shapely.distance(TOWN[mine], TOWN[found.others]), rtol=0, atol=1e-9)

    def test_some_can_be_asked_for_alone(self):
        wanted = np.array([3, 146, 144, 7])
        some, everything = neighbors(TOWN, 300.0, wanted=wanted, compiled=True), neighbors(TOWN, 300.0, compiled=True)
        assert lists(some) == [everything.of(n).tolist() for n in wanted]

    def test_one_can_be_asked_for_twice(self):
        found = neighbors(TOWN, 300.0, wanted=np.array([9, 3, 148, 9]), compiled=True)
        assert found.of(0).tolist() == found.of(3).tolist() == neighbors(TOWN, 300.0, compiled=False).of(9).tolist()
        assert found.of(2).tolist() == []

    @pytest.mark.parametrize("measure", [True, False])
    def test_parts_that_are_joined_one_after_another_are_the_whole(self, measure, monkeypatch):
        whole = neighbors(TOWN, 400.0, compiled=True, measure=measure)
        monkeypatch.setattr(join, "_AT_ONCE", 100)
        parted = neighbors(TOWN, 400.0, compiled=True, measure=measure)
        assert lists(parted) == lists(whole)
        assert not measure or np.array_equal(parted.distance_ft, whole.distance_ft)

    def test_nothing_is_near_nothing(self):
        assert lists(neighbors(TOWN, 5000.0, compiled=True))[-2:] == [[], []]
        assert lists(neighbors(np.array([], dtype=object), 10.0)) == []

    def test_exactly_at_the_distance_is_within_it(self):
        pair = np.array([shapely.box(0, 0, 10, 10), shapely.box(1010, 0, 1020, 10)])
        for compiled in (True, False):
            assert lists(neighbors(pair, 1000.0, compiled=compiled)) == [[1], [0]]
            assert lists(neighbors(pair, np.nextafter(1000.0, 0), compiled=compiled)) == [[], []]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-900, 900), st.integers(-900, 900), st.integers(1, 700), st.integers(1, 700), st.integers(0, 89)),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from([0.0, 1.0, 50.0, 333.3, 1000.0]),
)
def test_the_kernel_and_geos_always_agree(rectangles, distance_ft):
    shapes = np.array(
        [
            shapely.affinity.translate(shapely.affinity.rotate(shapely.box(0, 0, wide, high), turn), x + 1e6, y + 9e5)
            for x, y, wide, high, turn in rectangles
        ]
    )
    assert lists(neighbors(shapes, distance_ft, compiled=True)) == lists(neighbors(shapes, distance_ft, compiled=False))


class TestTiles:
    def test_together_they_are_the_whole_layer_once(self):
        cut = list(tiles(TOWN, 100.0, most=20))
        assert len(cut) > 5
        assert sorted(np.concatenate([tile.inside for tile in cut]).tolist()) == list(range(len(TOWN) - 2))

    @pytest.mark.parametrize("distance_ft", [10.0, 450.0])
    def test_a_tile_and_its_halo_say_what_the_whole_layer_says(self, distance_ft):
        whole = neighbors(TOWN, distance_ft, compiled=True)
        for tile in tiles(TOWN, distance_ft, most=20):
            part = neighbors(
                TOWN[tile.with_halo], distance_ft, wanted=np.searchsorted(tile.with_halo, tile.inside), compiled=True
            )
            for n, place in enumerate(tile.inside):
                assert tile.with_halo[part.of(n)].tolist() == whole.of(place).tolist()

    def test_shapes_on_one_spot_stay_in_one_tile(self):
        assert len(list(tiles(np.array([shapely.box(0, 0, 1, 1)] * 50), 1.0, most=10))) == 1
