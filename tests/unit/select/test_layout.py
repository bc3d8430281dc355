"""Lot lines by their sort, and what is drawn on the premises."""

import pytest
import shapely
from shapely import LineString

from geonotice.select.layout import lot_sides, place_layout, within_setbacks

LOT = shapely.box(0, 0, 100, 200)
STREET = LineString([(0, 0), (100, 0)])


def lengths(sides):
    return [round(lines.length) for lines in sides]


class TestLotSides:
    def test_of_a_lot_within_a_block(self):
        assert lengths(lot_sides(LOT, [STREET], tolerance_ft=1.5)) == [100, 400, 100]

    def test_of_a_through_lot_there_is_no_rear_line(self):
        behind = LineString([(100, 200), (0, 200)])
        assert lengths(lot_sides(LOT, [STREET, behind], tolerance_ft=1.5)) == [200, 400, 0]

    def test_of_a_corner_lot_no_inner_line_is_taken_for_less_than_it_may_be(self):
        beside = LineString([(0, 200), (0, 0)])
        front, side, rear = lengths(lot_sides(LOT, [STREET, beside], tolerance_ft=1.5))
        assert front == 300
        assert side + rear == 300
        assert rear > 0

    def test_of_land_without_a_frontage_all_lines_are_side_lines(self):
        assert lengths(lot_sides(LOT, [], tolerance_ft=1.5)) == [0, 600, 0]


class TestADrawing:
    sides = lot_sides(LOT, [STREET], tolerance_ft=1.5)

    def placed(self, *drawn):
        return place_layout(LOT, self.sides, drawn, tolerance_ft=1.5)

    def test_structures_are_measured_to_each_sort_of_line(self):
        stage = self.placed(("stage", shapely.box(40, 30, 60, 50))).structures[0]
        assert (stage.front_ft, stage.side_ft, stage.rear_ft) == (30.0, 40.0, 150.0)

    def test_parking_is_an_area_counted_once_and_on_the_premises_only(self):
        found = self.placed(("parking", shapely.box(50, 100, 150, 150)), ("Parking", shapely.box(0, 100, 60, 150)))
        assert found.parking_sq_ft == pytest.approx(5000)
        assert found.outside == ("parking",)
        assert found.structures == ()

    def test_without_parking_drawn_there_is_no_area(self):
        assert self.placed(("tent", shapely.Point(50, 50))).parking_sq_ft is None

    def test_what_touches_the_line_within_tolerance_is_not_outside(self):
        assert self.placed(("tent", shapely.box(90, 10, 101, 20))).outside == ()


class TestTheSetbackLine:
    sides = lot_sides(LOT, [STREET], tolerance_ft=1.5)

    def test_keeps_each_width_from_its_line(self):
        assert within_setbacks(LOT, self.sides, front_ft=40, side_ft=20, rear_ft=60).bounds == (20.0, 40.0, 80.0, 140.0)

    def test_draws_none_along_a_line_whose_width_is_not_known(self):
        assert within_setbacks(LOT, self.sides, front_ft=40, side_ft=None, rear_ft=None).bounds == (0.0, 40.0, 100.0, 200.0)
