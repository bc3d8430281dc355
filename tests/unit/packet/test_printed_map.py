"""Names on a printed map: none over another, none dropped in silence."""

import shapely

from geonotice.packet.printed_map import label_of_area, label_of_line, place_labels

WINDOW = shapely.box(0, 0, 400, 300)


def test_a_name_that_its_lot_holds_is_written_whole():
    placed = place_labels([label_of_area("51.00-1-1", 8, shapely.box(0, 0, 200, 200), keyed=True)], window=WINDOW)
    assert [one.text for one in placed.written] == ["51.00-1-1"]
    assert not placed.key
    assert not placed.left_out


def test_a_name_that_is_wider_than_its_lot_gives_way_to_a_number():
    placed = place_labels([label_of_area("0900-123.00-01.00-002.000", 8, shapely.box(50, 50, 80, 90), keyed=True)], window=WINDOW)
    assert placed.key == [("1", "0900-123.00-01.00-002.000")]
    assert placed.written[0].leader is None


def test_numbers_that_would_run_into_each_other_stand_aside_with_a_line():
    lots = [shapely.box(100 + 4 * n, 100, 104 + 4 * n, 140) for n in range(4)]
    placed = place_labels([label_of_area(f"lot {n}", 8, lot, keyed=True) for n, lot in enumerate(lots)], window=WINDOW)
    assert [name for _, name in placed.key] == ["lot 0", "lot 1", "lot 2", "lot 3"]
    assert sum(one.leader is not None for one in placed.written) >= 2


def test_what_finds_no_room_is_named_among_what_is_left_out():
    lot = shapely.box(50, 50, 60, 60)
    placed = place_labels([label_of_area("1-1", 8, lot, keyed=True)], window=WINDOW, taken=[WINDOW])
    assert placed.left_out == ["1-1"]
    assert not placed.written


def test_a_name_is_kept_clear_of_what_is_drawn_on_the_lot():
    lot, stage = shapely.box(0, 0, 200, 100), shapely.box(60, 20, 140, 80)
    (spot,) = label_of_area("51.00-1-1", 8, lot, keyed=True, clear_of=stage).spots
    assert not stage.contains(shapely.Point(spot.x, spot.y))


def test_a_street_is_named_along_its_line_and_upright():
    street = shapely.LineString([(300, 250), (20, 40)])
    placed = place_labels([label_of_line("Meadow Street", 6.5, street)], window=WINDOW)
    assert 30 < placed.written[0].spot.angle < 45


def test_a_street_is_not_named_across_its_bend():
    bent = shapely.LineString([(20, 20), (150, 20), (150, 190)])
    assert {spot.angle for spot in label_of_line("Meadow Street", 6.5, bent).spots} == {0.0, -90.0} or {
        abs(spot.angle) for spot in label_of_line("Meadow Street", 6.5, bent).spots
    } == {0.0, 90.0}


def test_no_name_runs_out_of_the_map():
    street = shapely.LineString([(390, 0), (390, 300)])
    placed = place_labels([label_of_line("A", 6.5, street), label_of_line("B" * 80, 6.5, street)], window=WINDOW)
    assert [one.text for one in placed.written] == ["A"]
    assert placed.left_out == ["B" * 80]
