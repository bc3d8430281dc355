"""A record with a coordinate that is no place loses its place and is named; the others keep theirs."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import shapely

from geonotice.layers.nowhere import without_nowhere
from geonotice.layers.source import RawLayer

FEET = [(650_000.0 + 100 * n, 1_000_000.0) for n in range(4)]
DEGREES = [(-77.2 + n / 1000, 42.7) for n in range(4)]


def layer(points) -> RawLayer:
    geometry = np.array([shapely.Point(point) for point in points], dtype=object)
    table = pa.table({"NUMBER": [str(n) for n in range(len(points))]})
    return RawLayer(Path("points.gpkg"), "points", "GPKG", "EPSG:2261", geometry, table, np.arange(len(points)))


@pytest.mark.parametrize(
    "mark", [(0, 0), (-9999, -9999), (-1, -1), (999, 999), (1e38, 1e38), (-1.797e308, 5), (float("nan"), 5), (float("inf"), 5)]
)
@pytest.mark.parametrize(("points", "degrees"), [(FEET, False), (DEGREES, True)])
def test_a_mark_for_no_place_takes_the_place_of_its_record_alone(mark, points, degrees):
    made = without_nowhere(layer([*points[:2], mark, *points[2:]]), degrees=degrees)
    assert np.flatnonzero(shapely.is_missing(made.geometry)).tolist() == [2]
    (note,) = made.notes
    assert (note.code, "1 of 5, record 2 (2)" in note.text) == ("nowhere", True)


def test_zero_is_a_place_where_the_layer_lies_around_it():
    raw = layer([(-10, -10), (0, 0), (10, 10), (5, 5)])
    assert without_nowhere(raw, degrees=False) is raw


def test_feet_that_are_called_degrees_are_left_for_the_question_about_the_crs():
    raw = layer(FEET)
    assert without_nowhere(raw, degrees=True) is raw


def test_a_lot_with_one_corner_nowhere_is_named_too():
    raw = layer(FEET)
    raw.geometry[1] = shapely.Polygon([FEET[0], (0, 0), FEET[1]])
    assert shapely.is_missing(without_nowhere(raw, degrees=False).geometry).tolist() == [False, True, False, False]
