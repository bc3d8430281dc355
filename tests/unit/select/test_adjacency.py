"""What is said beside the relations: frontages and their status, near misses, remarks, evidence."""

import pytest
import shapely
from adjacency_toys import ask, codes, row, turned
from shapely import Polygon, box

from geonotice.select.adjacency import search_ft

SOUTH, NORTH = row("S", 0, 0, 100, 100, 3), row("N", 0, 150, 100, 100, 3)
CROSSING = {
    "A": box(0, 0, 100, 100), "A2": box(-100, 0, 0, 100), "A3": box(0, -100, 100, 0), "N": box(0, 160, 100, 260),
    "E": box(160, 0, 260, 100), "D": box(160, 160, 260, 260),
}  # fmt: skip


def remark(found, code):
    (one,) = [remark for remark in found.remarks if remark.code == code]
    return one


class TestFrontage:
    """A maximal run of the premises' boundary that no other lot shares, broken at street corners."""

    def test_a_run_that_meets_nothing_is_open_with_a_warning(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"])
        assert [(front.status, round(front.length_ft)) for front in found.frontages] == [("open", 100), ("answered", 100)]
        one = remark(found, "open_run")
        assert (one.frontage, round(one.length_ft), round(one.bearing_deg)) == (1, 100, 180)

    def test_unless_water_covers_it(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], water=[box(-500, -900, 800, -20)])
        assert [(front.status, front.water) for front in found.frontages] == [("open", True), ("answered", False)]
        assert not found.remarks

    def test_a_run_up_to_10_ft_has_no_warning(self):
        lots = {**row("S", 0, 0, 100, 100, 3), **NORTH, "R1": box(0, -100, 145, 0), "R2": box(154, -100, 300, 0)}
        found, named = ask(lots, ["S2"])
        assert named(found.related("abutting")) == ["R1", "R2", "S1", "S3"]
        assert [(front.status, round(front.length_ft)) for front in found.frontages] == [("answered", 100), ("open", 9)]
        assert not found.remarks

    def test_where_a_centerline_runs_along_it_it_is_a_frontage_all_the_same(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"], streets=[([(-500, -30), (800, -30)], "Beach Rd", "TOWN")])
        rear = found.frontages[0]
        assert (rear.status, rear.name, rear.jurisdiction) == ("cut_off", "Beach Rd", "TOWN")
        assert "right_of_way_cut_off" in codes(found)
        assert [street.name for street in found.streets] == ["Beach Rd"]

    def test_what_the_limit_cuts_off_is_said_and_listed_as_a_near_miss(self):
        found, named = ask({**SOUTH, **row("N", 0, 400, 100, 100, 3)}, ["S2"])
        front = next(front for front in found.frontages if front.status == "cut_off")
        assert named(remark(found, "right_of_way_cut_off").parcels) == ["N2"]
        assert [(named([one.index]), one.reason, round(one.distance_ft), one.frontage) for one in found.near_misses] == [
            (["N2"], "beyond_right_of_way_max", 300, front.n)
        ]

    def test_a_part_over_10_ft_that_meets_nothing_is_said_though_the_rest_is_answered(self):
        lots = {
            "A": box(0, 0, 100, 100),
            "W": box(-100, 0, 0, 100),
            "E": box(100, 0, 200, 100),
            "R": box(0, -100, 100, 0),
            "N": box(0, 150, 60, 250),
        }
        found, named = ask(lots, ["A"])
        assert [front.status for front in found.frontages] == ["answered"]
        assert named(found.frontages[0].answered_by) == ["N"]
        assert round(remark(found, "open_run").length_ft) == 40

    def test_landlocked_premises_have_none_and_it_is_said(self):
        found, _ = ask({"A": box(0, 0, 100, 100), "B": shapely.difference(box(-100, -100, 200, 200), box(0, 0, 100, 100))}, ["A"])
        assert not found.frontages
        assert codes(found) == {"no_frontage"}

    def test_an_empty_layer_leaves_every_side_open(self):
        found, _ = ask({"A": box(0, 0, 100, 100)}, ["A"])
        assert [front.status for front in found.frontages] == ["open"] * 4
        assert len([one for one in found.remarks if one.code == "open_run"]) == 4
        assert {round(front.bearing_deg) for front in found.frontages} == {0, 90, 180, 270}

    def test_the_width_of_the_right_of_way_is_measured(self):
        found, _ = ask({**SOUTH, **NORTH}, ["S2"])
        assert found.frontages[1].width_ft == pytest.approx(50)

    def test_a_round_lot_that_nothing_touches_has_one_closed_frontage(self):
        found, named = ask(
            {"I": shapely.Point(0, 0).buffer(80), "N": box(-500, 130, 500, 230), "S": box(-500, -230, 500, -130)}, ["I"]
        )
        assert [front.ends for front in found.frontages] == [("perpendicular", "perpendicular")]
        assert named(found.related("opposite")) == ["N", "S"]


class TestSecondOpinion:
    """The perpendicular projection of the frontage."""

    lots = {f"S{k}": Polygon([(50 * k, 0), (50 * k + 50, 0), (50 * k - 50, -100), (50 * k - 100, -100)]) for k in range(5)} | row(
        "N", 0, 50, 50, 100, 5
    )

    def test_what_only_the_extension_finds_is_listed_for_review(self):
        found, named = ask(self.lots, ["S2"])
        listed = {named([one.index])[0]: one.review for one in found.neighbours if one.relation == "opposite"}
        assert listed["N4"] == ("methods_differ",)
        assert named(remark(found, "methods_differ").parcels) == ["N4"]

    def test_what_lies_straight_across_is_listed_without_a_length_but_with_its_distance(self):
        found, named = ask(self.lots, ["S2"])
        (one,) = [one for one in found.neighbours if "straight_across" in one.review]
        assert (named([one.index]), one.relation, one.opposite_ft, round(one.across_ft), one.frontages) == (
            ["N3"], "opposite", None, 50, (found.frontages[-1].n,),
        )  # fmt: skip
        assert named(remark(found, "straight_across").parcels) == ["N3"]
        assert [round(line.geometry.length) for line in found.evidence if line.kind == "straight_across"] == [50]

    @pytest.mark.parametrize(("width", "reason"), [(9.0, "straight_short"), (11.0, "")])
    def test_over_less_than_10_ft_it_is_a_near_miss(self, width, reason):
        front = {"N3": box(100, 50, 100 + width, 150), "N4": box(100 + width, 50, 400, 150), "N2": box(-100, 50, 100, 150)}
        found, named = ask({key: lot for key, lot in self.lots.items() if key[0] == "S"} | front, ["S2"])
        listed = {named([one.index])[0]: one.review for one in found.neighbours}
        assert [one.reason for one in found.near_misses if named([one.index]) == ["N3"]] == ([reason] if reason else [])
        assert listed.get("N3") == (None if reason else ("straight_across",))

    @pytest.mark.parametrize(("depth", "reason"), [(101.0, "straight_far"), (99.0, "")])
    def test_beyond_twice_the_usual_distance_across_it_is_a_near_miss(self, depth, reason):
        front = {"N3": box(100, depth, 120, 250), "N4": box(120, 50, 400, 150), "N2": box(-100, 50, 100, 150)}
        found, named = ask({key: lot for key, lot in self.lots.items() if key[0] == "S"} | front, ["S2"])
        listed = {named([one.index])[0]: one.review for one in found.neighbours}
        assert [one.reason for one in found.near_misses if named([one.index]) == ["N3"]] == ([reason] if reason else [])
        assert listed.get("N3") == (None if reason else ("straight_across",))

    @pytest.mark.parametrize(
        ("feet", "listed", "reason"),
        [(0.4, None, "met_barely"), (0.6, ("borderline",), ""), (1.9, ("borderline",), ""), (2.1, (), "")],
    )
    def test_met_over_a_little_of_the_frontage(self, feet, listed, reason):
        found, named = ask({**SOUTH, "N1": box(0, 150, 100 + feet, 250), "N2": box(100 + feet, 150, 200, 250)}, ["S2"])
        reviews = {named([one.index])[0]: one.review for one in found.neighbours if one.relation == "opposite"}
        assert reviews.get("N1") == listed
        assert [one.reason for one in found.near_misses if named([one.index]) == ["N1"]] == ([reason] if reason else [])

    def test_where_they_agree_nothing_is_said(self):
        found, _ = ask({**SOUTH, **NORTH, "R": box(0, -100, 300, 0)}, ["S2"])
        assert (found.remarks, found.near_misses) == ((), ())


class TestRemarks:
    def test_the_diagonal_lot_at_a_crossing_is_offered_not_listed(self):
        found, named = ask(CROSSING, ["A"])
        assert named(found.related("opposite")) == ["E", "N"]
        assert named(remark(found, "diagonal_lot").parcels) == ["D"]
        assert [(named([one.index]), one.reason) for one in found.near_misses] == [(["D"], "diagonal_lot")]

    def test_lot_lines_too_short_or_too_curved_to_extend(self):
        bent = [(100, 100), (103, 97), (100, 94), (103, 91), (100, 88)]
        lots = {
            "A": Polygon([(0, 0), (bent[-1][0], 0), *bent[::-1], (0, 100)]),
            "E": Polygon([*bent, (bent[-1][0], 0), (250, 0), (250, 100)]),
            "W": box(-100, 0, 0, 100), "N": box(0, 150, 100, 250), "NE": box(100, 150, 250, 250), "R": box(0, -100, 250, 0),
        }  # fmt: skip
        found, named = ask(lots, ["A"])
        assert "lines_too_short" in codes(found)
        assert "N" in named(found.related("opposite"))
        assert found.frontages[0].ends[0] == "perpendicular"

    def test_a_private_road_abuts_and_is_looked_through_with_a_warning(self):
        lots = {**SOUTH, "RD": box(0, 100, 300, 120), **row("N", 0, 120, 100, 100, 3)}
        found, named = ask(lots, ["S2"], roles={"RD": "right_of_way"})
        assert named(remark(found, "private_road").parcels) == ["RD"]

    @pytest.mark.parametrize(("jurisdiction", "said"), [("TOWN", False), ("PRIVATE", True), ("", True)])
    def test_a_parcel_in_which_a_public_street_runs_is_no_private_road(self, jurisdiction, said):
        lots = {**SOUTH, "RD": box(0, 100, 300, 120), **row("N", 0, 120, 100, 100, 3)}
        found, _ = ask(lots, ["S2"], roles={"RD": "right_of_way"}, streets=[([(0, 110), (300, 110)], "Fern Ln", jurisdiction)])
        assert ("private_road" in codes(found)) is said

    def test_a_space_too_narrow_for_a_right_of_way_is_listed_for_review(self):
        lots = {
            "A": box(0, 0, 100, 100),
            "W": box(-100, 0, 0, 100),
            "E": box(102.5, 0, 200, 100),
            "R": box(0, -100, 200, 0),
            "N": box(0, 150, 100, 250),
        }
        found, named = ask(lots, ["A"])
        listed = {named([one.index])[0]: (one.relation, one.review) for one in found.neighbours}
        assert listed["E"] == ("opposite", ("narrow_gap",))
        assert named(remark(found, "narrow_gap").parcels) == ["E"]

    def test_a_gap_along_part_of_a_shared_line_makes_nobody_opposite(self):
        ragged = Polygon([(100, 0), (200, 0), (200, 100), (100, 100), (100, 70), (103, 50), (100, 30)])
        lots = {
            "A": box(0, 0, 100, 100),
            "W": box(-100, 0, 0, 100),
            "E": ragged,
            "R": box(0, -100, 200, 0),
            "N": box(0, 150, 100, 250),
        }
        found, named = ask(lots, ["A"])
        assert (named(found.related("abutting")), named(found.related("opposite"))) == (["E", "R", "W"], ["N"])
        assert "narrow_gap" in codes(found)

    def test_lots_met_across_water_are_listed_for_review(self):
        found, named = ask({**SOUTH, **NORTH, "R": box(0, -100, 300, 0)}, ["S2"], water=[box(-100, 110, 400, 140)])
        assert {named([one.index])[0]: one.review for one in found.neighbours if one.relation == "opposite"} == {
            "N2": ("across_water",)
        }


class TestMeasures:
    def test_a_shared_run_is_as_long_as_the_lot_line(self):
        found, named = ask({**SOUTH, **NORTH}, ["S2"])
        assert {named([one.index])[0]: round(one.shared_ft, 1) for one in found.neighbours if one.shared_ft} == {
            "S1": 100.0,
            "S3": 100.0,
        }

    def test_over_how_much_frontage_each_is_opposite_and_how_far_across(self):
        found, named = ask({**SOUTH, **row("N", 70, 150, 100, 100, 3)}, ["S2"])
        measures = {
            named([one.index])[0]: (round(one.opposite_ft, 2), round(one.across_ft, 2))
            for one in found.neighbours
            if one.opposite_ft
        }
        assert measures == {"N1": (70.0, 50.0), "N2": (30.0, 50.0)}

    def test_relation_is_the_first_that_holds_and_also_has_the_rest(self):
        streets = [([(-300, 100), (600, 100)], "Hill Rd", "TOWN")]
        found, named = ask({**SOUTH, **row("N", 0, 100, 100, 100, 3)}, ["S2"], streets=streets)
        one = next(one for one in found.neighbours if named([one.index]) == ["N2"])
        assert (one.relation, one.also) == ("abutting", ("opposite",))

    def test_stacked_units_say_so(self):
        found, named = ask({"U1": box(0, 0, 100, 100), "U2": box(0, 0, 100, 100), "N": box(0, 150, 100, 250)}, ["U1"])
        assert [(named([one.index]), one.relation, one.stacked) for one in found.neighbours] == [
            (["U2"], "abutting", True),
            (["N"], "opposite", False),
        ]


class TestEvidence:
    """Evidence is part of the result: the extended lines, the shared runs, the frontages, the signs."""

    def test_lines_and_points_of_every_kind(self):
        streets = [([(-300, 125), (600, 125)], "Main St", "TOWN")]
        found, named = ask({**SOUTH, **NORTH, "R": box(0, -100, 300, 0), "C": box(100, -300, 300, -100)}, ["S2"], streets=streets)
        kinds = {
            kind: [one for one in found.evidence if one.kind == kind]
            for kind in ("extension", "across", "shared_run", "frontage", "sign")
        }
        assert [len(kinds[kind]) for kind in kinds] == [2, 1, 3, 1, 1]
        assert [round(one.geometry.length) for one in kinds["extension"]] == [50, 50]
        assert named([kinds["across"][0].parcel]) == ["N2"]
        assert sorted(round(one.geometry.length) for one in kinds["shared_run"]) == [100, 100, 100]

    def test_the_point_of_a_corner(self):
        found, named = ask({**SOUTH, **NORTH, "R1": box(0, -100, 100, 0), "R2": box(100, -100, 200, 0)}, ["S2"])
        (corner,) = [one for one in found.evidence if one.kind == "corner"]
        assert named([corner.parcel]) == ["R1"]
        assert shapely.get_coordinates(corner.geometry).tolist() == [[1_400_100.0, 250_000.0]]


def test_parcels_must_be_given_as_far_as_a_line_aslant_may_reach():
    assert search_ft() == 800
    assert search_ft(right_of_way_max_ft=300, right_of_way_max_state_ft=100) == 500


def test_a_parcel_at_exactly_the_widest_is_met():
    for degrees in range(0, 90, 7):
        found, named = ask({**SOUTH, **row("N", 0, 300, 100, 100, 3)}, ["S2"], moved=lambda drawn, by=degrees: turned(drawn, by))
        assert named(found.related("opposite")) == ["N2"]
