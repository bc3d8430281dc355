"""Which streets the premises face and abut."""

import pytest
import shapely
from adjacency_toys import ORIGIN, arc, array, ask, codes, row, turned, wedge
from shapely import Polygon, box

from geonotice.select.adjacency import neighbours
from geonotice.select.streets import StreetLayer

SOUTH, NORTH = row("S", 0, 0, 100, 100, 3), row("N", 0, 150, 100, 100, 3)
MAIN = ([(-500, 125), (800, 125)], "Main St", "TOWN")


def names(found):
    return [street.name for street in found.streets]


class TestFacing:
    """The centerline that runs in the frontage's right-of-way, not merely the nearest."""

    def test_the_street_that_runs_between_the_lots(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], streets=[MAIN])
        assert [(front.name, front.jurisdiction) for front in found.frontages if front.status == "answered"] == [
            ("Main St", "TOWN")
        ]

    def test_a_nearer_street_behind_another_lot_is_not_faced(self):
        alley = ([(-500, -25), (800, -25)], "Back Aly", "TOWN")
        found, _ = ask({**SOUTH, **NORTH, "R": box(0, -15, 300, 0)}, ["S2"], streets=[MAIN, alley])
        assert [front.name for front in found.frontages] == ["Main St"]

    def test_each_frontage_of_a_corner_lot_its_own(self):
        lots = {
            "A": box(0, 0, 100, 100),
            "W": box(-100, 0, 0, 100),
            "R": box(0, -100, 100, 0),
            "N": box(0, 160, 100, 260),
            "E": box(160, 0, 260, 100),
        }
        side = ([(130, -500), (130, 800)], "Oak St", "COUNTY")
        found, _ = ask(lots, ["A"], streets=[([(-500, 130), (800, 130)], "Main St", "TOWN"), side])
        assert {(front.name, round(front.bearing_deg)) for front in found.frontages} == {("Main St", 0), ("Oak St", 90)}
        assert {street.name: (round(street.frontage_ft), street.frontages) for street in found.streets} == {
            "Main St": (100, (1,)),
            "Oak St": (100, (0,)),
        }

    def test_a_frontage_on_an_alley_without_a_centerline_has_no_name(self):
        lots = {
            "A": box(0, 0, 100, 100),
            "W": box(-100, 0, 0, 100),
            "R": box(0, -112, 100, -12),
            "N": box(0, 150, 100, 250),
            "E": box(150, 0, 250, 100),
        }
        found, _ = ask(lots, ["A"], streets=[MAIN, ([(125, -500), (125, 800)], "Oak St", "TOWN")])
        assert {(front.name, round(front.bearing_deg)) for front in found.frontages} == {
            ("Main St", 0),
            ("Oak St", 90),
            ("", 180),
        }

    def test_the_street_through_a_right_of_way_parcel(self):
        lots = {**SOUTH, "RD": box(-500, 100, 800, 150), **NORTH}
        found, _ = ask(lots, ["S2"], roles={"RD": "right_of_way"}, streets=[MAIN])
        assert names(found) == ["Main St"]

    def test_the_head_of_a_dead_end_faces_the_street_that_ends_there(self):
        lots = {"D": box(-50, 0, 100, 100), "W": box(-100, -100, 0, 0), "E": box(50, -100, 150, 0)}
        found, _ = ask(lots, ["D"], streets=[([(25, -20), (25, -600)], "Short Ct", "TOWN")])
        assert names(found) == ["Short Ct"]

    def test_the_bulb_of_a_cul_de_sac(self):
        lots = {
            f"C{k}": Polygon(arc(0, 0, 60, -60 + 50 * k, -10 + 50 * k) + arc(0, 0, 180, -10 + 50 * k, -60 + 50 * k))
            for k in range(6)
        }
        found, _ = ask(lots, ["C2"], streets=[([(0, -600), (0, 0)], "Round Ct", "TOWN")])
        assert names(found) == ["Round Ct"]

    def test_the_through_street_at_the_head_of_a_t(self):
        lots = {**row("S", -150, -100, 50, 100, 6), "NL": box(-100, 50, 0, 150), "NR": box(50, 50, 150, 150)}
        streets = [([(-500, 25), (500, 25)], "Main St", "TOWN"), ([(25, 25), (25, 900)], "Stem Rd", "TOWN")]
        found, _ = ask(lots, ["S4"], streets=streets)
        assert names(found) == ["Main St"]

    def test_a_curve(self):
        lots = {
            "I": wedge(80, 100, 200, 300),
            "W": wedge(100, 120, 200, 300),
            "E": wedge(60, 80, 200, 300),
            "O": wedge(70, 110, 350, 450),
        }
        found, _ = ask(lots, ["I"], streets=[(arc(0, 0, 325, 20, 160, 40), "Bow Rd", "TOWN")])
        assert names(found) == ["Bow Rd"]

    def test_a_street_that_changes_its_name_along_a_frontage(self):
        lots = {"F": box(0, 0, 800, 400), "N1": box(0, 450, 800, 550), "W": box(-100, 0, 0, 400), "E": box(800, 0, 900, 400)}
        streets = [([(-300, 425), (500, 425)], "Main St", "TOWN"), ([(500, 425), (900, 425)], "Elm Rd", "COUNTY")]
        found, _ = ask(lots, ["F"], streets=streets)
        assert [(street.name, round(street.frontage_ft, -1)) for street in found.streets] == [("Main St", 500), ("Elm Rd", 300)]

    def test_pieces_of_one_street_are_one_street(self):
        pieces = [([(-300, 125), (150, 125)], "Main St", "TOWN"), ([(150, 125), (900, 125)], "MAIN  ST", "TOWN")]
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], streets=pieces)
        assert [(round(street.frontage_ft), street.centerlines) for street in found.streets] == [(100, (0, 1))]

    def test_without_a_streets_layer_frontages_are_numbered(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"])
        assert [(front.n, front.name) for front in found.frontages] == [(1, ""), (2, "")]
        assert found.streets == ()


class TestStateRoad:
    """200 ft by default; 600 along a State road."""

    def test_the_widest_is_that_of_the_road(self):
        far = {**SOUTH, **row("N", 0, 400, 100, 100, 3)}
        for jurisdiction, widest, met in (("STATE", 600, ["N2"]), ("NYS DOT", 600, ["N2"]), ("COUNTY", 200, [])):
            found, named = ask(far, ["S2"], streets=[([(-500, 250), (800, 250)], "Sunrise Hwy", jurisdiction)])
            assert {front.right_of_way_max_ft for front in found.frontages if front.name or jurisdiction == "COUNTY"} == {widest}
            assert named(found.related("opposite")) == met

    def test_a_road_beyond_the_lots_across_changes_nothing(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], streets=[([(-500, 300), (800, 300)], "Sunrise Hwy", "STATE")])
        assert {front.right_of_way_max_ft for front in found.frontages} == {200}
        assert names(found) == []


FOUR = {
    "A": box(0, 0, 100, 200),
    "B": box(0, 200, 100, 400),
    "W": box(-100, 0, 0, 200),
    "E": box(100, 0, 200, 200),
    "R": box(-100, -100, 200, 0),
}


class TestStreetsAbutted:
    """A street whose centerline lies inside the premises or within 33 ft of its boundary along 20 ft or more, even where no gap exists."""

    def test_lots_drawn_to_the_centerline(self):
        found, named = ask(FOUR, ["A"], streets=[([(-300, 200), (300, 200)], "Hill Rd", "TOWN")])
        assert [(street.name, street.gap, round(street.frontage_ft, -1)) for street in found.streets] == [("Hill Rd", False, 100)]
        (one,) = [one for one in found.remarks if one.code == "road_inside_parcel"]
        assert (named(one.parcels), one.street) == (["B"], 0)

    @pytest.mark.parametrize(("y", "abutted"), [(190, True), (215, True), (232, True), (234, False), (100, True)])
    def test_within_33_ft_or_inside(self, y, abutted):
        found, _ = ask(FOUR, ["A"], streets=[([(-300, y), (300, y)], "Hill Rd", "TOWN")])
        assert (names(found) == ["Hill Rd"]) is abutted

    @pytest.mark.parametrize(("end", "abutted"), [(-14, False), (-12, True)])
    def test_along_20_ft_or_more(self, end, abutted):
        road = ([(-300, 150), (end, 150)], "Spur", "TOWN")
        found, _ = ask(FOUR, ["A"], streets=[road])
        assert (names(found) == ["Spur"]) is abutted

    def test_the_road_in_the_neighbour_just_beyond_the_line(self):
        found, named = ask(FOUR, ["A"], streets=[([(-300, 212), (300, 212)], "Hill Rd", "TOWN")])
        assert named(found.related("opposite")) == ["B"]
        assert "road_inside_parcel" in codes(found)

    def test_side_lot_lines_that_end_at_the_road_are_not_along_it(self):
        found, named = ask(FOUR, ["A"], streets=[([(-300, 200), (300, 200)], "Hill Rd", "TOWN")])
        assert not {"W", "E", "R"} & set(named(found.related("opposite")))

    def test_a_strip_between_the_lot_and_its_street_is_not_across_the_road(self):
        lots = {**SOUTH, "X": box(100, 100, 200, 102), **NORTH}
        found, named = ask(lots, ["S2"], streets=[MAIN])
        assert named(found.related("opposite")) == []
        assert "road_inside_parcel" in codes(found)
        assert all(not one.parcels for one in found.remarks if one.code == "road_inside_parcel")

    def test_a_street_parcel_shows_its_street(self):
        lots = {**SOUTH, "RD": box(-500, 100, 800, 120), **row("N", 0, 120, 100, 100, 3)}
        found, named = ask(lots, ["S2"], roles={"RD": "right_of_way"}, streets=[([(-500, 110), (800, 110)], "Back Aly", "TOWN")])
        assert [(street.name, street.gap) for street in found.streets] == [("Back Aly", True)]
        assert codes(found) == {"open_run"}
        assert named(found.related("opposite")) == ["N2"]

    @pytest.mark.parametrize(("roles", "said"), [(["right_of_way"], set()), (["lot"], {"road_inside_parcel"})])
    def test_premises_that_are_a_street_parcel_hold_their_street(self, roles, said):
        lots = shapely.transform(
            array([box(0, 100, 300, 120), *SOUTH.values(), *row("N", 0, 120, 100, 100, 3).values()]), lambda xy: xy
        )
        road = StreetLayer(array([shapely.LineString([(0, 110), (300, 110)])]), ("Back Aly",), ("TOWN",))
        found = neighbours(lots[:1], lots[1:], ["lot"] * 6, premises_roles=roles, streets=road)
        assert {one.name for one in found.streets} == {"Back Aly"}
        assert codes(found) & {"road_inside_parcel"} == said
        assert {one.relation for one in found.neighbours} == {"abutting"}

    def test_a_street_that_ends_at_the_premises_does_not_run_along_their_side_lines(self):
        """The pole of a flag lot at the head of a T: the side street's centerline ends at it, 25 ft from either side line."""
        lots = {
            "F": shapely.union_all([box(0, -300, 300, -100), box(100, -100, 150, 0)]), "W": box(0, -100, 100, 0), "E": box(150, -100, 300, 0),
            "NL": box(-100, 50, 100, 150), "NR": box(150, 50, 300, 150),
        }  # fmt: skip
        streets = [([(-300, 25), (600, 25)], "Harbor St", "TOWN"), ([(125, 600), (125, 0)], "Maple St", "TOWN")]
        found, named = ask(lots, ["F"], streets=streets)
        assert named(found.related("abutting")) == ["E", "W"]
        assert named(found.related("opposite")) == []
        assert "road_inside_parcel" not in codes(found)

    def test_a_street_that_begins_6_ft_before_the_last_corner_is_not_abutted(self):
        """It runs on in the gap beyond the corner, within 33 ft of it for 27 ft in all, but along the boundary for 6 ft only."""
        lots = {**SOUTH, **NORTH, "E": box(350, 0, 450, 100)}
        streets = [([(-500, 125), (294, 125)], "Main St", "TOWN"), ([(294, 125), (800, 125)], "Bridge St", "TOWN")]
        found, _ = ask(lots, ["S3"], streets=streets)
        assert names(found) == ["Main St"]
        assert "road_inside_parcel" not in codes(found)

    def test_pieces_of_one_street_along_a_lot_line_are_one(self):
        pieces = [
            ([(-300, 200), (45, 200)], "Hill Rd", "TOWN"),
            ([(45, 200), (60, 200)], "HILL RD", "TOWN"),
            ([(60, 200), (300, 200)], "Hill Rd", "TOWN"),
        ]
        found, named = ask(FOUR, ["A"], streets=pieces)
        (one,) = [one for one in found.remarks if one.code == "road_inside_parcel"]
        assert (named(one.parcels), round(one.length_ft, -1)) == (["B"], 100)
        assert [(street.centerlines, round(street.frontage_ft, -1)) for street in found.streets] == [((0, 1, 2), 100)]


class TestSigns:
    """One sign faces each public street that the property abuts, not more than 10 ft back from the street line."""

    @pytest.mark.parametrize("degrees", [0, 40])
    def test_on_the_premises_5_ft_back_in_the_middle(self, degrees):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], streets=[MAIN], moved=lambda drawn: turned(drawn, degrees))
        (street,) = found.streets
        place = shapely.Point(shapely.get_coordinates(turned(street.sign, -degrees))[0] - ORIGIN)
        assert place.distance(shapely.Point(150, 95)) < 0.01
        assert street.sign_bearing_deg == pytest.approx(-degrees % 360)

    def test_one_for_each_street(self):
        through = {
            "A": box(0, 0, 60, 200),
            "W": box(-60, 0, 0, 200),
            "E": box(60, 0, 120, 200),
            "N": box(0, 250, 60, 350),
            "S": box(0, -150, 60, -50),
        }
        found, _ = ask(
            through,
            ["A"],
            streets=[([(-500, 225), (500, 225)], "North St", "TOWN"), ([(-500, -25), (500, -25)], "South St", "STATE")],
        )
        assert {(street.name, round(street.sign_bearing_deg)) for street in found.streets} == {("North St", 0), ("South St", 180)}

    def test_where_the_lot_is_drawn_to_the_centerline_the_sign_is_still_on_it(self):
        found, _ = ask(FOUR, ["A"], streets=[([(-300, 200), (300, 200)], "Hill Rd", "TOWN")])
        place = shapely.Point(shapely.get_coordinates(found.streets[0].sign)[0] - ORIGIN)
        assert FOUR["A"].contains(place)
        assert round(found.streets[0].sign_bearing_deg) % 360 == 0


def test_railroads_are_found_like_streets():
    found, _ = ask(
        {**SOUTH, **row("N", 0, 166, 100, 100, 3)}, ["S2"], railroads=[([(-500, 133), (800, 133)], "Montauk Branch", "LIRR")]
    )
    assert [(line.name, line.jurisdiction, round(line.frontage_ft)) for line in found.railroads] == [
        ("Montauk Branch", "LIRR", 100)
    ]
    assert found.streets == ()


def test_centerlines_in_several_parts():
    lines = shapely.MultiLineString([[(-500, 125), (100, 125)], [(100, 125), (800, 125)]])
    lots = {**SOUTH, **NORTH}
    own = [lots.pop("S2")]
    found = neighbours(
        own, list(lots.values()), ["lot"] * len(lots), streets=StreetLayer(array([lines]), ("Main St",), ("TOWN",))
    )
    assert names(found) == ["Main St"]
