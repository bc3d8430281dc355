"""Which lots import ties to a common lot: contained and of one number or class; beside it with class or suffix; never by containment alone."""

import pytest
import shapely
from condo_toys import COMMON, PREMISES, X, Y, building, row, ties_of, write_town

from geonotice.errors import TownFileError
from geonotice.layers import common_land

UNITS = [building(n) for n in range(4)]
HOLED = COMMON.difference(shapely.union_all(UNITS))


def town_of(folder, numbers, shapes=UNITS, *, common="1-2", ground=HOLED, lot=None, unit=None, **more):
    rows = [row("1-1", PREMISES), row(common, ground, **(lot or {}))]
    rows += [row(number, shape, **(unit or {})) for number, shape in zip(numbers, shapes, strict=True)]
    return write_town(folder, rows, **more)


@pytest.mark.parametrize("ground", [HOLED, COMMON], ids=["in holes", "on top"])
@pytest.mark.parametrize(
    ("common", "numbers"),
    [
        ("1-2", ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]),
        ("45.01-1-12", ["45.01-1-12./101", "45.01-1-12./102", "45.01-1-12./103", "45.01-1-12./104"]),
        ("1-2", ["1-2/A", "1-2/B", "1-2/C", "1-2/D"]),
        ("1-2", ["1-2-A1", "1-2-A2", "1-2-B1", "1-2-B2"]),
        ("1-2", ["1-2 UNIT 1", "1-2 UNIT 2", "1-2 UNIT 3", "1-2 UNIT 4"]),
        ("1234_12_5", ["1234_12_5_C0101", "1234_12_5_C0102", "1234_12_5_C0103", "1234_12_5_C0104"]),
        ("900-100-1-15", ["900-100-1-15/1", "900-100-1-15/2", "0900-100.00-01.00-015.000/3", "900-100-1-15/4"]),
        ("07101800010200000000", [f"0710180001020000010{n}" for n in range(1, 5)]),
        ("1-2-CE", ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]),
        ("1-2/0", ["1-2/1", "1-2/2", "1-2/3", "1-2/4"]),
        ("1-2-000", ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]),
    ],
)
def test_numbers_with_a_suffix_are_units(tmp_path, ground, common, numbers):
    report = town_of(tmp_path, numbers, common=common, ground=ground)
    assert ties_of(tmp_path) == ({common: set(numbers)}, {})
    assert report.problems_by_code()["common_land"] == 1


def test_numbers_far_apart_in_a_layer_are_seen_together(tmp_path, monkeypatch):
    monkeypatch.setattr(common_land, "AT_ONCE", 2)
    numbers = ["07101800010200000101", "07101800010200000102", "07101800010200000103", "0710180001020000010A"]
    town_of(tmp_path, numbers, common="07101800010200000000")
    assert ties_of(tmp_path) == ({"07101800010200000000": set(numbers)}, {})


@pytest.mark.parametrize(
    "numbers",
    [
        ["1-2.1", "1-2.2", "1-2.3", "1-2.4"],
        ["1-2-1", "1-2-2", "1-2-3", "1-2-4"],
        ["1-2-A", "1-2-B", "1-2-D", "1-2-E"],
        ["5-1-C1", "6-1-C1", "7-1-C1", "8-1-C1"],
        ["1-20-C1", "1-20-C2", "1-20-C3", "1-20-C4"],
    ],
    ids=["point", "hyphen", "letter", "other numbers", "another lot's"],
)
def test_small_lots_without_number_or_class_are_asked_about_and_not_tied(tmp_path, numbers):
    report = town_of(tmp_path, numbers)
    assert ties_of(tmp_path) == ({}, {"1-2": set(numbers)})
    assert any(text.startswith("Question: 1-2: 4 lots ") for text in report.warnings)


def test_a_common_lot_without_a_number_holds_units_of_one_number(tmp_path):
    numbers = ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]
    town_of(tmp_path, numbers, common=None)
    assert ties_of(tmp_path) == ({"#2": set(numbers)}, {})


def test_a_lot_of_another_number_round_units_is_asked_about(tmp_path):
    numbers = ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]
    town_of(tmp_path, numbers, common="5-7")
    assert ties_of(tmp_path) == ({}, {"5-7": set(numbers)})


def test_two_small_lots_are_not_asked_about(tmp_path):
    town_of(tmp_path, ["7-1", "7-2"], UNITS[:2])
    assert ties_of(tmp_path) == ({}, {})


def test_out_lots_of_a_farm_are_neither_tied_nor_asked_about_where_they_are_larger(tmp_path):
    lots = [shapely.box(X + 1_020 + 150 * n, Y + 100, X + 1_120 + 150 * n, Y + 200) for n in range(3)]
    farm = COMMON.difference(shapely.union_all(lots))
    town_of(tmp_path, ["1-3", "1-4", "1-5"], lots, ground=farm, lot={"PROP_CLASS": "112"}, unit={"PROP_CLASS": "210"})
    assert ties_of(tmp_path) == ({}, {})


@pytest.mark.parametrize("class_", ["416", "695", "112"], ids=["mobile-home park", "cemetery", "farm"])
def test_what_lies_in_parks_and_cemeteries_is_never_tied(tmp_path, class_):
    town_of(tmp_path, ["9-1", "9-2", "9-3", "9-4"], lot={"PROP_CLASS": class_}, unit={"PROP_CLASS": "270"})
    assert ties_of(tmp_path)[0] == {}


def test_pads_numbered_like_units_are_asked_about(tmp_path):
    numbers = ["1-2/1", "1-2/2", "1-2/3", "1-2/4"]
    town_of(tmp_path, numbers, lot={"PROP_CLASS": "416"}, unit={"PROP_CLASS": "270"})
    assert ties_of(tmp_path) == ({}, {"1-2": set(numbers)})


def test_small_lots_in_one_that_the_county_calls_a_condominiums_are_its_units(tmp_path):
    town_of(tmp_path, ["9-1", "9-2", "9-3", "9-4"], lot={"PROP_CLASS": "411-C"}, unit={"PROP_CLASS": "210"})
    assert ties_of(tmp_path) == ({"1-2": {"9-1", "9-2", "9-3", "9-4"}}, {})


@pytest.mark.parametrize("class_", ["411-C", "210C", "R-CONDO", "102 Residential Condominium"])
def test_the_countys_class_ties_what_is_contained(tmp_path, class_):
    town_of(tmp_path, ["9-1", "9-2", "9-3", "9-4"], lot={"PROP_CLASS": "411"}, unit={"PROP_CLASS": class_})
    assert ties_of(tmp_path) == ({"1-2": {"9-1", "9-2", "9-3", "9-4"}}, {})


def test_the_code_of_ownership_does_too(tmp_path):
    codes = {"lot": {"OWNERSHIP_CODE": ""}, "unit": {"OWNERSHIP_CODE": "C"}}
    town_of(tmp_path, ["9-1", "9-2"], UNITS[:2], **codes)
    assert ties_of(tmp_path) == ({"1-2": {"9-1", "9-2"}}, {})


def test_two_units_of_one_number_are_asked_about_without_a_class_and_tied_with_one(tmp_path):
    for name, more, expected in (
        ("a", {}, ({}, {"1-2": {"1-2-C1", "1-2-C2"}})),
        ("b", {"PROP_CLASS": "210-C"}, ({"1-2": {"1-2-C1", "1-2-C2"}}, {})),
    ):
        (tmp_path / name).mkdir()
        town_of(tmp_path / name, ["1-2-C1", "1-2-C2"], UNITS[:2], unit=more, lot={"PROP_CLASS": "311"} if more else {})
        assert ties_of(tmp_path / name) == expected


def test_condominium_land_in_a_hole_of_a_farm_is_not_the_farms(tmp_path):
    farm = shapely.box(X + 600, Y - 400, X + 2_000, Y + 800).difference(COMMON)
    rows = [row("1-1", PREMISES, PROP_CLASS="210"), row("1-9", farm, PROP_CLASS="112"), row("1-2", HOLED, PROP_CLASS="411-C")]
    rows += [row(f"1-2-C{n}", shape, PROP_CLASS="210-C") for n, shape in enumerate(UNITS)]
    write_town(tmp_path, rows)
    tied, asked = ties_of(tmp_path)
    assert tied == {"1-2": {f"1-2-C{n}" for n in range(4)}}
    assert asked == {"1-9": {"1-2"}}


def test_units_drawn_as_one_polygon_with_the_common_lot_are_tied(tmp_path):
    town_of(tmp_path, ["1-2-C1", "1-2-C2", "1-2-C3"], [COMMON] * 3, ground=COMMON)
    assert ties_of(tmp_path) == ({"1-2": {"1-2-C1", "1-2-C2", "1-2-C3"}}, {})


def test_units_stacked_on_a_footprint_are_tied(tmp_path):
    numbers = [f"1-2/{n}" for n in range(101, 111)]
    town_of(tmp_path, numbers, [UNITS[0]] * 10, ground=COMMON.difference(UNITS[0]))
    assert ties_of(tmp_path) == ({"1-2": set(numbers)}, {})


def test_a_tenth_outside_is_still_inside_and_more_is_not(tmp_path):
    # 35 ft wide, at the eastern line of the common lot: 3 ft outside, then 7
    for name, out, tied in (("a", 3, {"1-2-A1", "1-2-A2", "1-2-A3", "1-2-A4"}), ("b", 7, {"1-2-A2", "1-2-A3", "1-2-A4"})):
        (tmp_path / name).mkdir()
        edge = shapely.box(X + 1_500 + out - 35, Y + 10, X + 1_500 + out, Y + 45)
        town_of(tmp_path / name, ["1-2-A1", "1-2-A2", "1-2-A3", "1-2-A4"], [edge, *UNITS[1:]], ground=COMMON)
        assert ties_of(tmp_path / name)[0] == {"1-2": tied}


def beside(n):
    return shapely.box(X + 1_500 + 50 * n, Y, X + 1_550 + 50 * n, Y + 80)


def test_units_beside_the_common_lot_are_tied_with_a_suffix_and_touching_one_another_up_to_it(tmp_path):
    numbers = ["1-2-C1", "1-2-C2", "1-2-C3", "1-2-C4"]
    apart = shapely.box(X + 3_000, Y, X + 3_050, Y + 80)
    town_of(tmp_path, numbers, [beside(0), beside(1), beside(2), apart], ground=COMMON)
    assert ties_of(tmp_path) == ({"1-2": {"1-2-C1", "1-2-C2", "1-2-C3"}}, {"1-2": {"1-2-C4"}})


@pytest.mark.parametrize("numbers", [["1-2.1", "1-2.2", "1-2.3"], ["1-2-A1", "1-2-A2", "1-2-A3"], ["1-3", "1-4", "1-5"]])
def test_lots_beside_another_are_not_tied_without_class_or_suffix(tmp_path, numbers):
    town_of(tmp_path, numbers, [beside(n) for n in range(3)], ground=COMMON)
    assert ties_of(tmp_path)[0] == {}


def test_units_of_the_class_beside_their_common_lot_are_tied_and_its_other_neighbors_are_not(tmp_path):
    row_houses = [shapely.box(X + 1_000 + 50 * n, Y + 400, X + 1_050 + 50 * n, Y + 480) for n in range(4)]
    house = shapely.box(X + 1_200, Y + 400, X + 1_300, Y + 480)
    rows = [row("1-1", PREMISES, PROP_CLASS="210"), row("1-2", COMMON, PROP_CLASS="411-C"), row("1-3", house, PROP_CLASS="210")]
    rows += [row(f"8-{n}", shape, PROP_CLASS="210-C") for n, shape in enumerate(row_houses)]
    # land of another behind the houses, which they touch too
    rows.append(row("1-4", shapely.box(X + 1_000, Y + 480, X + 1_500, Y + 900), PROP_CLASS="210"))
    write_town(tmp_path, rows)
    assert ties_of(tmp_path) == ({"1-2": {"8-0", "8-1", "8-2", "8-3"}}, {})


def test_row_houses_of_the_class_with_no_common_lot_are_not_tied_to_one_another(tmp_path):
    rows = [row("1-1", PREMISES, PROP_CLASS="210")]
    rows += [row(f"8-{n}", beside(n), PROP_CLASS="210-C") for n in range(6)]
    write_town(tmp_path, rows)
    assert ties_of(tmp_path) == ({}, {})


def test_two_condominiums_side_by_side_keep_their_own_units(tmp_path):
    second = shapely.affinity.translate(COMMON, 500, 0)
    rows = [row("1-1", PREMISES), row("1-2", COMMON), row("1-20", second)]
    rows += [row(f"1-2-C{n}", building(n)) for n in range(3)]
    rows += [row(f"1-20-C{n}", building(n, x=1_700)) for n in range(3)]
    write_town(tmp_path, rows)
    assert ties_of(tmp_path) == ({"1-2": {f"1-2-C{n}" for n in range(3)}, "1-20": {f"1-20-C{n}" for n in range(3)}}, {})


def test_a_common_lot_of_several_parts_holds_what_lies_in_any(tmp_path):
    parts = shapely.MultiPolygon([COMMON, shapely.affinity.translate(COMMON, 700, 0)])
    numbers = [f"1-2-C{n}" for n in range(4)]
    shapes = [*UNITS[:2], *(shapely.affinity.translate(shape, 700, 0) for shape in UNITS[2:])]
    town_of(tmp_path, numbers, shapes, ground=parts.difference(shapely.union_all(shapes)))
    assert ties_of(tmp_path) == ({"1-2": set(numbers)}, {})


def test_a_common_lot_may_lie_in_an_adjoining_layer(tmp_path):
    rows = [row("1-1", PREMISES), *(row(f"1-2-C{n}", building(n)) for n in range(3))]
    write_town(tmp_path, rows, layers=[[row("1-2", COMMON), row("1-5", shapely.box(X + 3_000, Y, X + 3_100, Y + 100))]])
    assert ties_of(tmp_path) == ({"1-2": {f"1-2-C{n}" for n in range(3)}}, {})


def test_units_of_a_building_share_the_land_of_the_whole(tmp_path):
    house = shapely.box(X + 1_200, Y + 100, X + 1_400, Y + 140)
    rows = [row("1-1", PREMISES), row("1-2", COMMON)]
    rows += [row(f"1-2-B{n}", shapely.affinity.translate(house, 0, 60 * n)) for n in range(3)]
    rows += [row(f"1-2-B0/{n}", building(n)) for n in range(3)]
    write_town(tmp_path, rows)
    tied, asked = ties_of(tmp_path)
    inner = {f"1-2-B0/{n}" for n in range(3)}
    assert tied == {"1-2": {"1-2-B0", "1-2-B1", "1-2-B2"} | inner, "1-2-B0": inner}
    assert asked == {}


def test_streets_drawn_as_one_polygon_round_their_blocks_hold_nobody(tmp_path):
    blocks = [shapely.box(X + 400 * n, Y, X + 400 * n + 300, Y + 500) for n in range(3)]
    streets = shapely.box(X - 50, Y - 50, X + 1_150, Y + 550).difference(shapely.union_all(blocks))
    lots = [shapely.box(X + 50 * n, Y, X + 50 * n + 50, Y + 90) for n in range(6)]
    write_town(tmp_path, [row("0-0", streets), *(row(f"1-{n}", lot) for n, lot in enumerate(lots))])
    assert ties_of(tmp_path) == ({}, {})


def stated(units, lot="1-2"):
    return f'[[common_land]]\nlot = "{lot}"\nunits = {units}\nsource = "Declaration, Liber 812, page 33"\n'


def test_the_town_file_ties_what_import_does_not(tmp_path):
    numbers = ["7-1", "7-2", "7-3", "7-4"]
    for name, units in (("a", '["7-1", "7-2", "7-3", "7-4"]'), ("b", '["7-*"]'), ("c", '"contained"')):
        (tmp_path / name).mkdir()
        report = town_of(tmp_path / name, numbers, more=stated(units))
        assert ties_of(tmp_path / name) == ({"1-2": set(numbers)}, {})
        assert not [text for text in report.warnings if text.startswith("Question")]


def test_the_town_file_unties_too_and_ends_the_question(tmp_path):
    town_of(tmp_path, ["1-2-C1", "1-2-C2", "1-2-C3", "7-1"], more=stated("[]"))
    assert ties_of(tmp_path) == ({}, {})


def test_numbers_of_the_town_file_that_are_not_there_are_refused_all_at_once(tmp_path):
    with pytest.raises(TownFileError) as raised:
        town_of(tmp_path, ["7-1", "7-2", "7-3", "7-4"], more=stated('["7-9"]') + stated("[]", lot="1-77"))
    assert [(fault.key, fault.what) for fault in raised.value.faults] == [
        ("common_land[0].units", "no parcel has the number 7-9"),
        ("common_land[1].lot", "no parcel has the number 1-77"),
    ]
