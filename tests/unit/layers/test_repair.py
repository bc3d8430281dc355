"""Geometry made fit to measure, and what was done to it."""

import numpy as np
import pyarrow as pa
import shapely
from shapely import GeometryCollection, LineString, MultiPolygon, Point, Polygon

from geonotice.layers.repair import Repaired, repair_features, repair_layer, repair_polygons
from geonotice.layers.shapes import Shapes

LOT = shapely.box(0, 0, 100, 100)
BOW_TIE = Polygon([(0, 0), (100, 100), (100, 0), (0, 100)])


def repaired(*shapes: shapely.Geometry | None) -> Repaired:
    made = np.empty(len(shapes), dtype=object)
    made[:] = shapes
    return repair_polygons(made)


def test_a_good_polygon_is_left_as_it_is():
    result = repaired(LOT, MultiPolygon([LOT, shapely.box(200, 0, 300, 100)]))
    assert not result.repairs
    assert result.geometry[0] is LOT


def test_a_ring_that_crosses_itself_is_made_valid_and_its_area_told():
    result = repaired(BOW_TIE)
    assert result.geometry[0].is_valid
    assert result.geometry[0].area == 5000
    (item,) = result.repairs
    assert (item.row, item.code) == (0, "repaired")
    assert "0.0 to 5,000.0 sq ft" in item.text


def test_parts_that_overlap_count_once_and_make_no_hole():
    result = repaired(MultiPolygon([LOT, shapely.box(50, 0, 150, 100)]))
    assert result.geometry[0].equals(shapely.box(0, 0, 150, 100))


def test_null_and_empty_geometry_is_dropped_and_said():
    result = repaired(None, Polygon(), LOT)
    assert result.kept.tolist() == [False, False, True]
    assert [(item.row, item.code) for item in result.repairs] == [(0, "dropped"), (1, "dropped")]


def test_points_and_lines_are_dropped_but_not_the_polygons_among_them():
    result = repaired(
        Point(0, 0), GeometryCollection([LOT, LineString([(0, 0), (1, 1)])]), GeometryCollection([MultiPolygon([LOT])])
    )
    assert result.kept.tolist() == [False, True, True]
    assert result.geometry[1].equals(LOT)
    assert result.geometry[2].equals(LOT)
    assert [item.code for item in result.repairs] == ["dropped", "repaired", "repaired"]


def test_a_ring_without_area_is_dropped():
    result = repaired(Polygon([(0, 0), (100, 0), (0, 0)]))
    assert not result.kept[0]
    assert "nothing is left" in result.repairs[0].text


def test_a_sliver_is_kept_and_said():
    result = repaired(shapely.box(0, 0, 10, 0.05))
    assert result.kept[0]
    assert result.repairs[0].code == "sliver"


def test_more_rows_than_a_piece_are_all_looked_at():
    shapes = np.full(120_000, LOT, dtype=object)
    shapes[[3, 60_000, 119_999]] = BOW_TIE
    assert [item.row for item in repair_polygons(shapes).repairs] == [3, 60_000, 119_999]


def test_a_layer_is_repaired_in_pieces_and_its_records_keep_their_numbers(monkeypatch):
    monkeypatch.setattr("geonotice.layers.shapes.AT_ONCE", 3)
    shapes = Shapes.of(np.array([LOT, LOT, None, LOT, BOW_TIE, LOT, LOT, BOW_TIE], dtype=object))
    fit, repairs = repair_layer(shapes)
    assert [(item.row, item.code) for item in repairs] == [(2, "dropped"), (4, "repaired"), (7, "repaired")]
    assert fit.missing.tolist() == [False, False, True, False, False, False, False, False]
    assert shapely.is_valid(fit[~fit.missing]).all()
    assert fit.pieces[0].kept is not shapes.pieces[0].kept
    untouched, _ = repair_layer(Shapes.of(np.array([LOT])))
    moved, _ = repair_layer(Shapes.of(np.array([LOT])), lambda geometry: shapely.transform(geometry, lambda xy: xy + 1))
    assert (untouched.bounds[0, 0], moved.bounds[0, 0]) == (LOT.bounds[0], LOT.bounds[0] + 1)


def test_pieces_that_were_found_sound_when_they_were_read_are_kept_as_they_are(monkeypatch):
    monkeypatch.setattr("geonotice.layers.shapes.AT_ONCE", 2)
    sliver = shapely.box(0, 0, 10, 0.05)
    shapes, _ = Shapes.read([pa.array(shapely.to_wkb([LOT, sliver, BOW_TIE, None, LOT, LOT]), pa.binary())])
    assert shapes.sound is not None
    assert shapes.sound.tolist() == [True, True, False, False, True, True]
    fit, repairs = repair_layer(shapes)
    assert [(item.row, item.code) for item in repairs] == [(1, "sliver"), (2, "repaired"), (3, "dropped")]
    assert [fit.pieces[n] is shapes.pieces[n] for n in range(3)] == [True, False, True]
    assert fit.area.tolist()[:3] == [LOT.area, sliver.area, 5000]
    sound, _ = Shapes.read([pa.array(shapely.to_wkb([LOT, sliver]), pa.binary())])
    assert [(item.row, item.code) for item in repair_layer(sound)[1]] == [(1, "sliver")]
    # what is brought to another CRS is looked at there
    crossed, told = repair_layer(sound, lambda geometry: np.full(len(geometry), BOW_TIE, dtype=object))
    assert (shapely.is_valid(crossed[:]).all(), [item.code for item in told]) == (True, ["repaired", "repaired"])


def test_lines_of_other_layers_stay_lines():
    shapes = np.array([LineString([(0, 0), (100, 0)]), None, BOW_TIE], dtype=object)
    result = repair_features(shapes)
    assert result.kept.tolist() == [True, False, True]
    assert result.geometry[0].geom_type == "LineString"
    assert result.geometry[2].is_valid
