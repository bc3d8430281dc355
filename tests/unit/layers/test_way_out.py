"""How much of a boundary lies beside others: the same as by buffers, which are slow and need no thought."""

import numpy as np
import pytest
import shapely

from geonotice.layers import edges
from geonotice.layers.edges import gaps_between, reached, segments_of
from geonotice.layers.shapes import Shapes
from geonotice.layers.way_out import FRONT_FT, TOUCH_FT, fronts, have_way_out


def _lots(seed: int) -> "np.ndarray":
    """Make a turned, shaken patchwork: blocks of lots with streets between them, some lots with holes, some over others, some of two parts."""
    rng = np.random.default_rng(seed)
    made = []
    for column in range(6):
        for row in range(6):
            x, y = 60 * column + 50 * (column // 2), 100 * row + 40 * (row // 2)
            made.append(shapely.box(x, y, x + 60, y + 100))
    made[3] = made[3].difference(shapely.box(20, 330, 40, 360))
    made.append(shapely.box(22, 332, 38, 358))
    made.append(shapely.box(30, 30, 90, 70))
    made[8] = shapely.union_all([made[8], shapely.box(700, 0, 760, 60)])
    phase = rng.uniform(1, 9, 2)
    shaken = [shapely.transform(one, lambda xy: xy + 0.6 * np.sin(xy * phase)) for one in made]
    turn = rng.uniform(0, 3)
    around = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.array([shapely.make_valid(shapely.transform(one, lambda xy: xy @ around)) for one in shaken], dtype=object)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_shared_equals_the_length_within_a_buffer(seed: int) -> None:
    lots = _lots(seed)
    parcel, lot = (at.ravel() for at in np.indices((len(lots), len(lots))))
    apart = parcel != lot
    found = fronts(lots, parcel[apart], lot[apart])
    shared = {
        (one, other): feet for one, other, feet in zip(found.parcel.tolist(), found.lot.tolist(), found.shared_ft, strict=True)
    }
    for one in range(len(lots)):
        band = shapely.buffer(lots[one], TOUCH_FT, quad_segs=16)
        for other in set(range(len(lots))) - {one}:
            edge = shapely.boundary(lots[other])
            feet = shapely.intersection(edge, band).length - 2 * TOUCH_FT
            if FRONT_FT + 0.2 < feet < 0.6 * edge.length - 0.2:
                assert shared[one, other] == pytest.approx(feet, abs=0.1)
            elif feet < FRONT_FT - 0.2 or feet > 0.6 * edge.length + 0.2:
                assert (one, other) not in shared


@pytest.mark.parametrize("seed", range(5))
def test_gaps_equal_what_a_buffer_leaves_of_a_boundary(seed: int) -> None:
    lots = _lots(seed)
    for one in range(len(lots)):
        others = np.delete(lots, one)
        mine, theirs = segments_of(lots[[one]]), segments_of(others)
        every = np.arange(len(others))
        found = reached(mine, theirs, (np.zeros_like(every), every), np.full(len(others), 3.0))
        first = np.flatnonzero(np.r_[True, np.diff(mine.ring) != 0])
        ends = np.append(mine.begins_ft[first], mine.length_ft.sum())
        begins = mine.begins_ft[found.segment]
        gaps = gaps_between(begins + found.from_ft, begins + found.to_ft, ends)
        rims = shapely.union_all(shapely.buffer(shapely.boundary(others), 3.0, quad_segs=32))
        left = shapely.get_parts(shapely.line_merge(shapely.difference(shapely.boundary(lots[one]), rims)))
        expected = sorted(part.length for part in left if part.length > 0.5)
        assert sorted(gaps.length_ft[gaps.length_ft > 0.5].tolist()) == pytest.approx(expected, abs=0.1)
        middles = shapely.points(mine.at(gaps.middle_ft))
        assert all(shapely.distance(middle, rims) > 0 for middle, feet in zip(middles, gaps.length_ft, strict=True) if feet > 0.5)


def test_a_lot_inside_another_has_no_way_out() -> None:
    beside = [shapely.box(-90, 0, 0, 500), shapely.box(500, 0, 590, 500), shapely.box(-90, -9, 590, 0)]
    lots = np.array([shapely.box(0, 0, 500, 500), shapely.box(200, 200, 260, 260), shapely.box(0, 560, 500, 900), *beside])
    found = have_way_out(Shapes.of(lots), np.arange(2), np.zeros(6, dtype=bool))
    assert found.tolist() == [True, False]


def test_the_end_of_a_layer_is_no_way_out_and_a_known_street_is_one() -> None:
    lots = np.array([shapely.box(0, 0, 100, 100), shapely.box(0, 100, 100, 130), shapely.box(0, 130, 100, 230)])
    shapes = Shapes.of(lots)
    assert have_way_out(shapes, np.array([0, 2]), np.zeros(3, dtype=bool)).tolist() == [False, False]
    assert have_way_out(shapes, np.array([0, 2]), np.array([False, True, False])).tolist() == [True, True]


def test_nothing_to_measure() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert len(fronts(np.zeros(0, dtype=object), none, none).lot) == 0
    lots = np.array([shapely.box(0, 0, 100, 100)])
    assert have_way_out(Shapes.of(lots), np.array([0]), np.zeros(1, dtype=bool)).tolist() == [False]


@pytest.mark.parametrize("few", [0, 3, 10_000])
def test_a_street_of_many_pieces_is_reached_as_a_lot_of_few_is(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    street = shapely.Point(0, 0).buffer(100, quad_segs=40)
    mine = segments_of(np.array([shapely.box(-200, -50, 0, 50), shapely.box(90, 90, 120, 120), street]))
    others = segments_of(np.array([street, shapely.box(100, -20, 180, 20)]))
    pairs = (np.array([0, 1, 2, 0]), np.array([0, 0, 1, 1]))
    wanted = sorted(zip(*reached(mine, others, pairs, np.full(2, 3.0)), strict=True))
    monkeypatch.setattr(edges, "_FEW", few)
    assert sorted(zip(*reached(mine, others, pairs, np.full(2, 3.0)), strict=True)) == wanted
    # the first lot crosses the street, and the street touches another; the second lot lies apart
    assert {int(mine.of[segment]) for segment, *_ in wanted} == {0, 2}
