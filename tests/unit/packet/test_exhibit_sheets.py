"""Sheets of the map for the record: every parcel has its number, none over another, each in its parcel or led to it."""

import itertools

import pytest
import shapely
from exhibit_toys import SOUTH, WEST, block, box

from geonotice.packet.exhibit_sheets import SCALES, Numbered, plan_sheets
from geonotice.packet.printed_map import box_of

FRAME = (544.0, 538.0)


def plan(shapes, *, extent=None, premises=()):
    """Plan the sheets for parcels that are numbered from 1."""
    numbered = [
        *(Numbered("PREMISES", shape, premises=True) for shape in premises),
        *(Numbered(str(n), shape) for n, shape in enumerate(shapes, 1)),
    ]
    west, south, east, north = shapely.total_bounds([*shapes, *premises]).tolist()
    return plan_sheets(numbered, extent=extent or (west - 600, south - 600, east + 600, north + 600), frame_pt=FRAME)


def written(planned):
    return [(sheet, one) for sheet in planned.sheets for one in sheet.written]


TOWNS = {
    "wide lots": block(4, 4),
    "a village": block(40, 20, wide=25, deep=60),
    "slivers": [box(4 * n, 0, 4 * n + 4, 600) for n in range(60)],
    "one dense block in farms": [*block(10, 4, wide=30, deep=60), box(-6000, -6000, -100, 6000), box(500, -6000, 6000, 6000)],
}


@pytest.mark.parametrize("town", TOWNS)
def test_every_parcel_has_its_number(town):
    shapes = TOWNS[town]
    planned = plan(shapes)
    assert {one.text for _, one in written(planned)} == {str(n) for n in range(1, len(shapes) + 1)}
    assert not any(sheet.unnumbered for sheet in planned.sheets)


@pytest.mark.parametrize("town", TOWNS)
def test_no_number_lies_over_another_and_none_is_too_small(town):
    for sheet in plan(TOWNS[town]).sheets:
        boxes = [box_of(one) for one in sheet.written]
        assert not any(a.intersects(b) for a, b in itertools.combinations(boxes, 2))
        assert all(one.size_pt >= 6 for one in sheet.written)
        assert all(shapely.box(*sheet.inner_pt).covers(one) for one in boxes)


@pytest.mark.parametrize("town", TOWNS)
def test_a_number_lies_in_its_parcel_or_has_a_line_to_it(town):
    shapes = TOWNS[town]
    for sheet, one in written(plan(shapes)):
        lot = sheet.place.on_paper(shapes[int(one.text) - 1])
        if one.leader is None:
            assert lot.buffer(0.01).covers(box_of(one))
        else:
            assert lot.intersects(shapely.Point(one.leader))
            assert shapely.LineString([(one.spot.x, one.spot.y), one.leader]).difference(box_of(one)).length > 2


def test_a_few_lots_stand_on_one_sheet_at_a_round_scale():
    planned = plan(TOWNS["wide lots"])
    (sheet,) = planned.sheets
    assert planned.index is None
    assert sheet.place.feet_per_inch == 300
    assert {10, 20, 30, 40, 50, 60, 100, 200, 300, 400, 500, 1000} <= set(SCALES)


def test_a_dense_block_has_a_sheet_of_its_own_and_the_farms_round_it_none():
    planned = plan(TOWNS["one dense block in farms"])
    index = planned.index
    assert {"41", "42"} <= {one.text for one in index.written}
    assert len(planned.sheets) == 2
    assert [mark.text for mark in index.marks] == ["SHEET 2"]


def test_match_lines_name_the_sheet_beside_in_turn():
    planned = plan(TOWNS["a village"])
    by_number = {sheet.number: sheet for sheet in planned.sheets}
    back = {"west": "east", "east": "west", "south": "north", "north": "south"}
    beside = [(n, side, other) for n, sheet in by_number.items() for side, other in sheet.beyond.items() if other != 1]
    assert beside
    for n, side, other in beside:
        assert by_number[other].beyond[back[side]] == n
    for n, side, other in beside:
        if side == "east":
            assert by_number[n].cell_ft[2] == pytest.approx(by_number[other].cell_ft[0])


def test_units_drawn_one_over_the_other_share_a_label():
    units = [box(0, 0, 100, 100)] * 40
    planned = plan([*units, box(100, 0, 300, 100)])
    assert {one.text for _, one in written(planned)} == {"1-40", "41"}


def test_the_number_of_common_land_stands_clear_of_the_units_in_it():
    units = [box(20 + 60 * n, 40, 70 + 60 * n, 90) for n in range(4)]
    planned = plan([*units, box(0, 0, 300, 260)])
    ((sheet, land),) = [pair for pair in written(planned) if pair[1].text == "5"]
    assert not any(sheet.place.on_paper(unit).intersects(box_of(land)) for unit in units)


def test_tiny_premises_are_named_with_a_line():
    planned = plan(block(4, 4), premises=[box(200, 250, 203, 252)], extent=(WEST - 1000, SOUTH - 1000, WEST + 1200, SOUTH + 1200))
    named = [one for _, one in written(planned) if one.text == "PREMISES"]
    assert named
    assert named[0].leader is not None


def test_what_finds_no_room_at_any_scale_is_told():
    crumbs = [box(x * 0.6, y * 0.6, x * 0.6 + 0.6, y * 0.6 + 0.6) for x in range(12) for y in range(12)]
    planned = plan(crumbs, extent=(WEST - 20000, SOUTH - 20000, WEST + 20000, SOUTH + 20000))
    shown = {one.text for _, one in written(planned)}
    told = {text for sheet in planned.sheets for text in sheet.unnumbered}
    assert told
    assert shown | told == {str(n) for n in range(1, 145)}
