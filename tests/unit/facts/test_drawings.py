"""Whether two drawings of a site show the same."""

import math

import pytest
import shapely
from shapely import GeometryCollection, LineString, MultiPolygon, Point, Polygon, box

from geonotice.facts.drawings import SAME_FT, same_drawing

OPEN_TO_THE_WEST = LineString([(0, 0), (90, 0), (90, 90), (0, 90)])
OPEN_TO_THE_NORTH = LineString([(0, 90), (0, 0), (90, 0), (90, 90)])

# Squares of 100 ft with a quarter cut out to the middle, at the top and on the left: the same five corners, and 5,000 sq ft in one alone.
CUT_AT_THE_TOP = Polygon([(0, 0), (100, 0), (100, 100), (50, 50), (0, 100)])
CUT_ON_THE_LEFT = Polygon([(0, 0), (100, 0), (100, 100), (0, 100), (50, 50)])

# A field of four squares, of which two that meet in the middle are taken: the edges are the same.
ONE_DIAGONAL = MultiPolygon([box(0, 0, 50, 50), box(50, 50, 100, 100)])
OTHER_DIAGONAL = MultiPolygon([box(50, 0, 100, 50), box(0, 50, 50, 100)])

SHAPES = [
    OPEN_TO_THE_WEST,
    CUT_AT_THE_TOP,
    ONE_DIAGONAL,
    Point(3, 4),
    GeometryCollection([box(0, 0, 9, 9), LineString([(9, 9), (30, 9)])]),
]


def test_the_two_cut_squares_are_what_is_said_of_them():
    assert shapely.area(CUT_AT_THE_TOP.symmetric_difference(CUT_ON_THE_LEFT)) == pytest.approx(5_000)
    assert CUT_AT_THE_TOP.hausdorff_distance(CUT_ON_THE_LEFT) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(OPEN_TO_THE_WEST, OPEN_TO_THE_NORTH, id="a fence that opens on another side"),
        pytest.param(CUT_AT_THE_TOP, CUT_ON_THE_LEFT, id="corners joined otherwise"),
        pytest.param(ONE_DIAGONAL, OTHER_DIAGONAL, id="the same edges, the other fields"),
        pytest.param(box(0, 0, 60, 40), box(0, 0, 60, 40).boundary, id="an area and the fence around it"),
        pytest.param(box(0, 0, 60, 40), box(0, 0, 60, 40) - box(20, 10, 20.8, 30), id="a narrow hole"),
        pytest.param(LineString([(0, 0), (90, 0)]), LineString([(0, 0), (90, 0), (90, 1)]), id="a foot more of a line"),
        pytest.param(Point(0, 0), Point(0, SAME_FT + 0.01), id="a point farther than that"),
    ],
)
def test_another_shape_is_another_drawing_whichever_comes_first(one, other):
    assert not same_drawing([("fence", one)], [("fence", other)])
    assert not same_drawing([("fence", other)], [("fence", one)])


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.geom_type)
def test_a_shape_within_the_tolerance_is_the_same_also_turned_about_and_with_more_corners(shape):
    moved = shapely.transform(shape, lambda xy: xy + 0.9 * SAME_FT / math.sqrt(2))
    for again in (shape, moved, shapely.reverse(shape), shapely.segmentize(shape, 7), shapely.normalize(shape)):
        assert same_drawing([("fence", shape)], [("fence", again)])
        assert same_drawing([("fence", again)], [("fence", shape)])


def test_shapes_are_paired_by_what_they_are_in_any_order():
    drawn = [("fence", OPEN_TO_THE_WEST), ("fence", OPEN_TO_THE_NORTH), ("stage", CUT_AT_THE_TOP)]
    assert same_drawing(drawn, drawn[::-1])
    assert not same_drawing(drawn, [drawn[0], drawn[0], drawn[2]])
    assert not same_drawing(drawn, drawn[:2])
    assert not same_drawing(drawn, [*drawn[:2], ("tent", CUT_AT_THE_TOP)])
