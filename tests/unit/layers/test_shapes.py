"""Polygons kept as binary are those that went in, and their grid finds what a tree of all of them finds."""

import gc
import warnings

import numpy as np
import pyarrow as pa
import pytest
import shapely
from shapely import MultiPolygon, Point, Polygon, box

from geonotice.layers import shapes as module
from geonotice.layers import spill
from geonotice.layers.shapes import Shapes

HOLED = box(0, 0, 90, 90).difference(box(30, 30, 60, 60))


@pytest.fixture(params=["one piece", "many pieces", "on disk"])
def kept(request, monkeypatch):
    """Keep polygons in memory, in pieces of seven, or all in a file."""
    monkeypatch.setattr(module, "AT_ONCE", 7 if request.param != "one piece" else 1000)
    monkeypatch.setattr(spill, "_IN_MEMORY_BYTES", 1 if request.param == "on disk" else 1_000_000)


def town(seed: int, count: int = 200) -> "np.ndarray":
    """Return lots of all sizes, one long street, one far away, two alike, some of two parts or with a hole."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, 2000, (2, count))
    wide, high = rng.uniform(5, 200, (2, count))
    made = shapely.box(x, y, x + wide, y + high)
    made[3], made[4] = box(0, 990, 2200, 1040), box(90_000, 90_000, 90_050, 90_050)
    made[6] = made[5]
    made[7] = MultiPolygon([box(0, 0, 10, 10), box(1500, 1500, 1510, 1510)])
    made[8] = shapely.transform(HOLED, lambda xy: xy + 700)
    return made


def pairs(found) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


@pytest.mark.usefixtures("kept")
class TestKept:
    def test_all_come_back_as_they_were(self):
        lots = town(1)
        lots[10] = None
        shapes = Shapes.of(lots)
        assert len(shapes) == len(lots)
        assert shapely.equals_exact(np.asarray(shapes)[~shapes.missing], lots[~shapes.missing]).all()
        assert np.flatnonzero(shapes.missing).tolist() == [10]
        assert np.flatnonzero(shapes.absent).tolist() == [10]
        assert np.array_equal(shapes.area, shapely.area(lots), equal_nan=True)
        assert np.array_equal(shapes.bounds, shapely.bounds(lots), equal_nan=True)

    @pytest.mark.parametrize("places", [[3], [5, 3, 3, 199], slice(190, None), np.arange(200) % 2 == 0, []])
    def test_some_come_back_in_the_order_asked(self, places):
        lots = town(2)
        assert shapely.equals_exact(Shapes.of(lots)[places], lots[places]).all()

    def test_one_comes_back_alone(self):
        lots = town(3)
        assert Shapes.of(lots)[-1].equals(lots[-1])
        assert [shape.equals(lot) for shape, lot in zip(Shapes.of(lots), lots, strict=True)] == [True] * len(lots)

    def test_taken_and_replaced_ones_are_measured_anew(self):
        lots = town(4)
        places = np.array([9, 2, 150, 2])
        taken = Shapes.of(lots).take(places).replaced({1: HOLED})
        assert shapely.equals_exact(np.asarray(taken), np.array([lots[9], HOLED, lots[150], lots[2]], dtype=object)).all()
        assert taken.area.tolist() == [lots[9].area, HOLED.area, lots[150].area, lots[2].area]
        assert Shapes.of(lots).replaced({})[5].equals(lots[5])

    def test_stacked_ones_stand_under_each_other(self):
        lots = town(5)
        both = Shapes.stacked([Shapes.of(lots[:50]), Shapes.of(lots[50:])])
        assert shapely.equals_exact(both[[49, 50, 199]], lots[[49, 50, 199]]).all()

    def test_twins_are_polygons_drawn_alike(self):
        assert [group.tolist() for group in Shapes.of(town(6)).twins] == [[5, 6]]

    @pytest.mark.parametrize("seed", range(3))
    def test_the_same_are_near_as_in_a_tree(self, seed):
        lots = town(seed)
        tree, shapes, places = shapely.STRtree(lots), Shapes.of(lots), np.arange(0, 200, 3)
        found = tree.query(lots[places], predicate="dwithin", distance=1.5)
        assert pairs(shapes.near(places, 1.5)) == sorted(pairs(found))
        points = shapely.points(np.random.default_rng(seed).uniform(-100, 2300, (300, 2)))
        assert pairs(shapes.query(points, "within")) == sorted(pairs(tree.query(points, predicate="within")))
        rays = shapely.linestrings([[[0, 0], [2000, 1900]], [[-500, -500], [-400, -400]], [[90_010, 0], [90_010, 99_000]]])
        assert pairs(shapes.query(rays, "intersects")) == sorted(pairs(tree.query(rays, predicate="intersects")))
        boxes = np.array([[-1e6, -1e6, 1e6, 1e6], [5e5, 5e5, 6e5, 6e5]])
        assert pairs(shapes.boxes_near(boxes)) == [(0, place) for place in range(200)]


def test_nothing_is_near_where_nothing_is():
    none = Shapes.of(np.zeros(0, dtype=object))
    assert (len(none), len(np.asarray(none)), none.twins, pairs(none.boxes_near(np.zeros((1, 4))))) == (0, 0, [], [])
    gone = Shapes.of(np.array([None, Polygon()], dtype=object))
    assert gone.absent.tolist() == [True, True]
    assert pairs(gone.boxes_near(np.zeros((1, 4)))) == []


def test_binary_of_a_source_is_kept_where_it_is_what_shapely_writes():
    plain = pa.array(shapely.to_wkb(np.array([HOLED, None], dtype=object)), pa.large_binary())
    shapes, high = Shapes.read([plain])
    assert (high, next(shapes.binary())[1].to_pylist()) == (False, plain.to_pylist())
    big_endian = pa.array([shapely.to_wkb(HOLED, byte_order=0)], pa.binary())
    shapes, high = Shapes.read([big_endian])
    assert (high, next(shapes.binary())[1].to_pylist()) == (False, [shapely.to_wkb(HOLED)])
    heights = pa.array(shapely.to_wkb(shapely.force_3d([HOLED], 7.0), output_dimension=3), pa.binary())
    shapes, high = Shapes.read([heights])
    assert (high, next(shapes.binary())[1].to_pylist()) == (True, [shapely.to_wkb(HOLED)])


@pytest.mark.parametrize(
    ("place", "doubtful"), [((3, 4), False), ((0, 0), True), ((-9999, -9999), True), ((999, -999), True), ((np.nan, 4), True)]
)
def test_corners_that_may_be_no_place_are_marked(place, doubtful):
    shapes, _ = Shapes.read([pa.array(shapely.to_wkb([Point(place)]), pa.binary())])
    assert shapes.doubtful is not None
    assert shapes.doubtful.tolist() == [doubtful]


def test_the_temporary_file_goes_without_a_word(monkeypatch):
    monkeypatch.setattr(spill, "_IN_MEMORY_BYTES", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shapes = Shapes.of(town(7))
        assert shapes[0].is_valid
        del shapes
        gc.collect()
