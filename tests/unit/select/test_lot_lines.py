"""More blocks drawn by hand, of the kinds that a real tax map has; the answers follow from the words, the sentence beside each says how."""

from math import cos, hypot, radians, sin, sqrt, tan

import numpy as np
import pytest
from adjacency_toys import WAYS, Block, answers, arc, ask, codes, relations, row, wedge
from shapely import MultiPolygon, Point, Polygon, box, difference, union_all

from geonotice.select.lot_lines import rings_of, rings_of_each

SOUTH, NORTH = row("S", 0, 0, 100, 100, 3), row("N", 0, 150, 100, 100, 3)
BETWEEN = ("S1", "S3")
SIDES = {"W": box(-100, 0, 0, 100), "E": box(100, 0, 200, 100)}
LOT = {"A": box(0, 0, 100, 100), **SIDES}
THROUGH = row("S", -150, -100, 50, 100, 6)
STEM = {"NL": box(-100, 50, 0, 150), "NR": box(50, 50, 150, 150)}
LEAN = tan(radians(30))
FARM = box(0, 0, 1000, 1000)
COURT = {f"C{k + 1}": wedge(-60 + 37.5 * k, -22.5 + 37.5 * k, 60, 180) for k in range(8)}
COMMON = {"C": box(0, 150, 300, 250), "U1": box(0, 150, 150, 250), "U2": box(150, 150, 300, 250)}
COMMON_LAST = {key: COMMON[key] for key in ("U2", "U1", "C")}


def bend(degrees):
    """Lots on both sides of a 50-ft street that bends to the south in the middle of A's frontage; their lines meet it at right angles."""
    turn = radians(-degrees)

    def along(s, off):
        return (s * cos(turn) - off * sin(turn), s * sin(turn) + off * cos(turn))

    def middle(off):
        return (-off * tan(turn / 2), off)

    return {
        "W": box(-150, -100, -50, 0),
        "A": Polygon([(-50, -100), middle(-100), along(50, -100), along(50, 0), (0, 0), (-50, 0)]),
        "E": Polygon([along(50, -100), along(150, -100), along(150, 0), along(50, 0)]),
        "N0": box(-150, 50, -50, 150),
        "N1": Polygon([(-50, 50), middle(50), middle(150), (-50, 150)]),
        "N2": Polygon([middle(50), along(50, 50), along(50, 150), middle(150)]),
        "N3": Polygon([along(50, 50), along(150, 50), along(150, 150), along(50, 150)]),
    }


def gore(radius):
    """A triangle between two streets that cross at 30 degrees at (200, 0), its tip rounded, and the lots across either street."""
    top, along, out = np.array([0, 200 / sqrt(3)]), np.array([sqrt(3) / 2, -0.5]), np.array([0.5, sqrt(3) / 2])

    def across(a, b):
        return Polygon([tuple(top + along * s + out * o) for s, o in ((a, 50), (b, 50), (b, 150), (a, 150))])

    centre = np.array([200, 0]) + radius / sin(radians(15)) * np.array([cos(radians(165)), sin(radians(165))])
    tip = arc(*centre, radius, -90, 60) if radius else [(200, 0)]
    return {
        "T": Polygon([(0, 0), *tip, tuple(top)]), "W": box(-100, 0, 0, 115),
        "S1": box(-100, -150, 50, -50), "S2": box(50, -150, 150, -50), "S3": box(150, -150, 250, -50), "S4": box(250, -150, 400, -50),
        "H1": across(-100, 100), "H2": across(100, 231), "H3": across(231, 300),
    }  # fmt: skip


def dogleg(a, b):
    """A lot whose side lines lean to the east by 30 degrees over their last 20 ft."""
    lean = 20 * LEAN
    return Polygon([(a, 0), (b, 0), (b, 80), (b + lean, 100), (a + lean, 100), (a, 80)])


def set_back(feet):
    """A lot whose neighbour to the west is set back, and the next one is not."""
    return {**LOT, "W": box(-100, 0, 0, 100 - feet), "WW": box(-200, 0, -100, 100), **row("N", -200, 150, 100, 100, 4)}


def stepped(feet):
    """Premises of two lots of which one stands out farther."""
    return {
        **row("S", 0, 0, 100, 100, 2), "S3": box(200, 0, 300, 100 - feet), "S4": box(300, 0, 400, 100 - feet), **row("N", 0, 150, 100, 100, 4),
    }  # fmt: skip


def corner_run(feet):
    """Rear lots that reach past the premises' corners by so much."""
    return {
        **SOUTH,
        **NORTH,
        "R1": box(0, -100, 100 + feet, 0),
        "R2": box(100 + feet, -100, 200 - feet, 0),
        "R3": box(200 - feet, -100, 300, 0),
    }


BLOCKS = {
    # -- gaps, overlaps and strips ----------------------------------------------------------------------------------------------
    "corner_run_of_3_ft": Block("no run longer than four tolerances, 6 ft: a corner", corner_run(3), ("S2",), (*BETWEEN, "R2"), ("R1", "R3"), ("N2",)),
    "corner_run_of_7_ft": Block("a run of 7 ft abuts", corner_run(7), ("S2",), (*BETWEEN, "R1", "R2", "R3"), (), ("N2",)),
    "gaps_of_1_3_and_2_ft": Block(
        "1.3 ft is within tolerance; 2 ft is not, so that run is a frontage, and what lies across it is met",
        {"A": LOT["A"], "L": box(-100, 0, -1.3, 100), "R": box(102, 0, 200, 100), "B": box(-100, -100, 200, -0.5), "N": box(0, 150, 100, 250)},
        ("A",), ("L", "B"), (), ("R", "N"),
    ),
    "walkway_of_5_ft": Block(
        "a walkway between two lots is a right-of-way",
        {**LOT, "E": box(105, 0, 200, 100), "R": box(-100, -100, 200, 0), **row("N", -100, 150, 100, 100, 3)}, ("A",), ("W", "R"), (), ("E", "N2"),
    ),
    "rear_gap_of_3_ft": Block(
        "two subdivisions that miss each other by 3 ft: beyond tolerance, so the rear lot is met across the gap",
        {**LOT, "R": box(-100, -100, 200, -3), "N": box(0, 150, 100, 250)}, ("A",), ("W", "E"), (), ("R", "N"),
    ),
    "gap_that_opens": Block(
        "a gap from 0 to 4 ft along a lot line: the lot beyond shares a run of it, and nobody is met across",
        {**LOT, "E": Polygon([(100, 0), (200, 0), (200, 100), (104, 100)]), "R": box(-100, -100, 200, 0), **row("N", -100, 150, 100, 100, 3)},
        ("A",), ("W", "E", "R"), (), ("N2",),
    ),
    "triangle_between_three_lots": Block(
        "a wedge 8 ft wide at its mouth, between two lots that both abut: nobody is met across",
        {**LOT, "W": Polygon([(-100, 0), (0, 8), (0, 100), (-100, 100)]), "R": box(-100, -100, 200, 0), "N": box(0, 150, 100, 250)},
        ("A",), ("W", "E", "R"), (), ("N",),
    ),
    "chord_against_arc": Block(
        "one line digitized as a chord and as an arc 3 ft off it: shared at either end, and nobody is met in between",
        {**LOT, "E": Polygon([*[(100 + 3 * sin(radians(1.8 * y)), y) for y in range(0, 101, 5)], (200, 100), (200, 0)]), "R": box(-100, -100, 200, 0), **row("N", -100, 150, 100, 100, 3)},
        ("A",), ("W", "E", "R"), (), ("N2",),
    ),
    "overlaps_of_half_a_foot": Block(
        "lots drawn half a foot over their neighbours abut",
        {"A": LOT["A"], "L": box(-100, 0, 0.5, 100), "R": box(99.5, 0, 200, 100), "B1": box(-100, -100, 50, 0.5), "B2": box(50, -100, 200, 0.5), **row("N", -100, 150, 100, 100, 3)},
        ("A",), ("L", "R", "B1", "B2"), (), ("N2",),
    ),
    "overlaps_of_2_ft": Block(
        "drawn over by more than the tolerance they abut all the same, and are not met across anything",
        {"A": LOT["A"], "L": box(-100, 0, 2, 100), "R": box(98, 0, 200, 100), "B": box(-100, -100, 200, 2), **row("N", -100, 150, 100, 100, 3)},
        ("A",), ("L", "R", "B"), (), ("N2",),
    ),
    "reserve_strip": Block(
        "a strip 1 ft wide that is a lot takes the frontage away", {**SOUTH, "X": box(0, 100, 300, 101), **row("N", 0, 151, 100, 100, 3)}, ("S2",), (*BETWEEN, "X"),
    ),
    "reserve_strip_of_the_street": Block(
        "a strip that is a right-of-way parcel is looked through",
        {**SOUTH, "X": box(0, 100, 300, 101), **row("N", 0, 151, 100, 100, 3)}, ("S2",), (*BETWEEN, "X"), (), ("N2",), {"X": "right_of_way"},
    ),
    "reserve_strip_along_a_part": Block(
        "what it leaves of the frontage, 40 ft, meets N4",
        {**SOUTH, "X": box(100, 100, 160, 101), **row("N", 0, 151, 50, 100, 6)}, ("S2",), (*BETWEEN, "X"), (), ("N4",),
    ),
    "reserve_strip_behind": Block(
        "the lot behind a strip narrower than the tolerance abuts as well as the strip",
        {**SOUTH, **NORTH, "X": box(0, -1, 300, 0), "R": box(0, -100, 300, -1)}, ("S2",), (*BETWEEN, "X", "R"), (), ("N2",),
    ),
    # -- rights-of-way ----------------------------------------------------------------------------------------------------------
    "street_parcel_2_ft_off": Block(
        "beyond tolerance: it does not abut, and is looked through",
        {**SOUTH, "RD": box(-300, 102, 600, 152), **row("N", 0, 152, 100, 100, 3)}, ("S2",), BETWEEN, (), ("N2",), {"RD": "right_of_way"},
    ),
    "street_parcel_drawn_over_the_lots": Block(
        "a street parcel drawn 10 ft over the lots abuts, and is looked through",
        {**SOUTH, "RD": box(-300, 90, 600, 150), **NORTH}, ("S2",), (*BETWEEN, "RD"), (), ("N2",), {"RD": "right_of_way"},
    ),
    "street_parcels_round_the_block": Block(
        "one street parcel with a hole, the block in it",
        {"A": box(0, 0, 100, 100), "B": box(100, 0, 200, 100), "C": box(0, -100, 200, 0), "RD": difference(box(-50, -150, 250, 150), box(0, -100, 200, 100)), "N1": box(0, 150, 100, 250), "N2": box(100, 150, 200, 250), "W": box(-150, 0, -50, 100)},
        ("A",), ("B", "C", "RD"), (), ("N1", "W"), {"RD": "right_of_way"},
    ),
    "street_parcel_with_branches": Block(
        "one street parcel for both streets of a crossing",
        {"A": box(0, 0, 100, 100), "W": SIDES["W"], "N": box(0, 150, 100, 250), "E": box(150, 0, 250, 100), "D": box(150, 150, 250, 250), "RD": union_all([box(-100, 100, 400, 150), box(100, -100, 150, 400)])},
        ("A",), ("W", "RD"), (), ("N", "E"), {"RD": "right_of_way"},
    ),
    "street_parcel_that_ends_at_a_corner": Block(
        "a right-of-way parcel that touches at a corner only is a corner, as itself",
        {**LOT, "Y": box(0, 100, 100, 200), "RD": box(100, 100, 150, 400)}, ("A",), ("W", "E", "Y"), ("RD",), (), {"RD": "right_of_way"},
    ),
    "railroad_across_a_street": Block(
        "a street and then a railroad: the railroad does not touch, and is looked through",
        {**SOUTH, "RR": box(-300, 140, 600, 206), **row("N", 0, 206, 100, 100, 3)}, ("S2",), BETWEEN, (), ("N2",), {"RR": "railroad"},
    ),
    "two_railroads": Block(
        "two railroad parcels side by side: the nearer one abuts, both are looked through",
        {**SOUTH, "RR1": box(-100, 100, 400, 150), "RR2": box(-100, 150, 400, 200), **row("N", 0, 200, 100, 100, 3)},
        ("S2",), (*BETWEEN, "RR1"), (), ("N2",), {"RR1": "railroad", "RR2": "railroad"},
    ),
    "railroad_as_premises": Block(
        "across the street that crosses it, it looks up and down that street, and meets nothing in 200 ft",
        {"RR": box(-300, 0, 300, 66), "NW": box(-300, 66, 0, 266), "NE": box(50, 66, 300, 400), "SW": box(-300, -200, 0, 0), "SE": box(50, -200, 300, 0)},
        ("RR",), ("NW", "NE", "SW", "SE"),
    ),
    "highway_190_ft_across_with_its_service_road": Block(
        "a gap, a right-of-way parcel and a gap, 190 ft in all",
        {**SOUTH, "HWY": box(-300, 140, 600, 260), **row("N", 0, 290, 100, 100, 3)}, ("S2",), BETWEEN, (), ("N2",), {"HWY": "right_of_way"},
    ),
    "highway_210_ft_across": Block(
        "nothing is looked for beyond 200 ft", {**SOUTH, "HWY": box(-300, 140, 600, 270), **row("N", 0, 310, 100, 100, 3)}, ("S2",), BETWEEN, (), (), {"HWY": "right_of_way"},
    ),
    "state_highway_behind_its_service_road": Block(
        "600 ft along a State road, though a town's service road runs before it",
        {**SOUTH, "HWY": box(-300, 140, 600, 330), **row("N", 0, 360, 100, 100, 3)}, ("S2",), BETWEEN, (), ("N2",), {"HWY": "right_of_way"},
        (([(-300, 120), (600, 120)], "Service Rd", "TOWN"), ([(-300, 230), (600, 230)], "NY 27", "STATE")),
    ),
    "state_road_far_beyond_the_street": Block(
        "a State road 250 ft off is none along the frontage of another street",
        {**SOUTH, **row("N", 0, 450, 100, 100, 3)}, ("S2",), BETWEEN, (), (), {},
        (([(-300, 120), (600, 120)], "Main St", "TOWN"), ([(-300, 350), (600, 350)], "NY 27", "STATE")),
    ),
    "alleys_beside_and_behind": Block(
        "alleys of 12 ft are rights-of-way like the street",
        {"A": box(0, 0, 50, 100), "B": box(62, 0, 112, 100), "W": box(-50, 0, 0, 100), "R": box(-50, -112, 112, -12), "N": box(-50, 150, 112, 250)},
        ("A",), ("W",), (), ("B", "R", "N"),
    ),
    "stub_street": Block(
        "a street parcel that ends beside the lot: the lot across it is opposite",
        {**LOT, "E": box(150, 0, 250, 100), "RD": box(100, 0, 150, 100), "R": box(-100, -100, 250, 0), "N1": box(0, 150, 100, 250), "N2": box(100, 150, 250, 250)},
        ("A",), ("W", "R", "RD"), (), ("E", "N1"), {"RD": "right_of_way"},
    ),
    # -- intersections ----------------------------------------------------------------------------------------------------------
    "part_of_a_lot_at_the_head_of_a_t": Block(
        "20 ft of it meet the corner lot, 30 ft look up the side street",
        {"A": box(20, -100, 70, 0), "W": box(-50, -100, 20, 0), "E": box(70, -100, 150, 0), **STEM}, ("A",), ("W", "E"), (), ("NR",),
    ),
    "head_of_a_t_in_street_parcels": Block(
        "both streets are parcels: one abuts, both are looked through",
        {**THROUGH, **STEM, "RD1": box(-400, 0, 400, 50), "RD2": box(0, 50, 50, 600)}, ("S4",), ("S3", "S5", "RD1"), (), (), {"RD1": "right_of_way", "RD2": "right_of_way"},
    ),
    "head_of_a_t_whose_side_street_ends": Block(
        "the lot at the end of the side street, 150 ft on, is first met", {**THROUGH, **STEM, "END": box(-100, 150, 150, 250)}, ("S4",), ("S3", "S5"), (), ("END",),
    ),
    "roundabout": Block(
        "its island is met over 40 ft of the frontage; the rest looks past it",
        {"A": box(-60, -200, 60, -80), "W": box(-160, -200, -60, -80), "E": box(60, -200, 160, -80), "I": Point(0, 0).buffer(20), **row("N", -160, 80, 100, 100, 1), "N": box(-60, 80, 60, 180)},
        ("A",), ("W", "E"), (), ("I", "N"),
    ),
    "bend_of_20_degrees": Block("a bend up to 40 degrees breaks nothing", bend(20), ("A",), ("W", "E"), (), ("N1", "N2")),
    "bend_of_35_degrees": Block("a bend up to 40 degrees breaks nothing", bend(35), ("A",), ("W", "E"), (), ("N1", "N2")),
    "l_round_a_corner_lot": Block(
        "each leg that reaches a street is frontage",
        {"B": box(50, 50, 100, 100), "A": Polygon([(0, 0), (100, 0), (100, 50), (50, 50), (50, 100), (0, 100)]), "W": SIDES["W"], "R": box(0, -100, 100, 0), "N1": box(0, 150, 50, 250), "N2": box(50, 150, 100, 250), "E1": box(150, 0, 250, 50), "E2": box(150, 50, 250, 100)},
        ("A",), ("B", "W", "R"), (), ("N1", "E1"),
    ),
    "three_lots_at_a_crossing": Block(
        "premises of three lots round a corner: every lot facing them, not the one diagonally across",
        {"A": box(0, 0, 100, 100), "B": SIDES["W"], "C": box(0, -100, 100, 0), "X": box(-100, -100, 0, 0), "W": box(-200, 0, -100, 100), "Z": box(0, -200, 100, -100), "NA": box(0, 160, 100, 260), "NB": box(-100, 160, 0, 260), "EA": box(160, 0, 260, 100), "EC": box(160, -100, 260, 0), "D": box(160, 160, 260, 260)},
        ("A", "B", "C"), ("X", "W", "Z"), (), ("NA", "NB", "EA", "EC"),
    ),
    "island_in_a_court": Block(
        "every line goes to the centre, so the island is first met", COURT | {"I": Point(0, 0).buffer(15)}, ("C5",), ("C4", "C6"), (), ("I",),
    ),
    "island_of_a_court_that_is_street": Block(
        "C5 spans 90 to 127.5 degrees, so its lines reach 270 to 307.5: the mouth, and 7.5 degrees of C1",
        COURT | {"I": Point(0, 0).buffer(15)}, ("C5",), ("C4", "C6"), (), ("C1",), {"I": "right_of_way"},
    ),
    # -- lot lines --------------------------------------------------------------------------------------------------------------
    "dogleg": Block(
        "over its last straight run: 20 ft that lean by 30 degrees, to 40 and 140 ft across the street",
        {"W": dogleg(-100, 0), "A": dogleg(0, 100), "E": dogleg(100, 200), "N1": box(-60, 150, 30, 250), "N2": box(30, 150, 100, 250), "N3": box(100, 150, 130, 250), "N4": box(130, 150, 200, 250)},
        ("A",), ("W", "E"), (), ("N2", "N3", "N4"), straight=("N1",),
    ),
    "diverging_lot_lines": Block(
        "from 0 to 129 ft across the street",
        {"W": SIDES["W"], "A": Polygon([(0, 0), (100 - 100 * LEAN, 0), (100, 100), (0, 100)]), "E": Polygon([(100 - 100 * LEAN, 0), (250, 0), (250, 100), (100, 100)]), **row("N", -50, 150, 50, 100, 6)},
        ("A",), ("W", "E"), (), ("N2", "N3", "N4"),
    ),
    "converging_lot_lines": Block(
        "from 0 to 71 ft across the street",
        {"W": SIDES["W"], "A": Polygon([(0, 0), (100 + 100 * LEAN, 0), (100, 100), (0, 100)]), "E": Polygon([(100 + 100 * LEAN, 0), (250, 0), (250, 100), (100, 100)]), **row("N", -50, 150, 50, 100, 6)},
        ("A",), ("W", "E"), (), ("N2", "N3"),
    ),
    "lot_line_15_degrees_off_the_street": Block(
        "more than 12 degrees: extended, it reaches 187 ft along the street; the neighbour's tolerance takes no part of the sharp corner away",
        {"W": SIDES["W"], "A": Polygon([(0, 0), (25.36, 80), (100, 100), (0, 100)]), "E": Polygon([(25.36, 80), (25.36, 0), (400, 0), (400, 100), (100, 100)]), "N0": box(-100, 150, 0, 250), "N1": box(0, 150, 100, 250), "N2": box(100, 150, 200, 250), "N3": box(200, 150, 300, 250), "N4": box(300, 150, 400, 250)},
        ("A",), ("W", "E"), (), ("N1", "N2", "N3"),
    ),
    "neighbour_set_back_10_ft": Block("the bare piece of the lot line is lot line still", set_back(10), ("A",), ("W", "E"), (), ("N3",)),
    "neighbour_set_back_15_ft": Block(
        "15 ft that no lot shares are a frontage of their own: it looks along the street, and meets the next lot that stands out",
        set_back(15), ("A",), ("W", "E"), (), ("N3", "WW"),
    ),
    "premises_stepped_by_30_ft": Block("a step up to 30 ft breaks nothing", stepped(30), ("S2", "S3"), ("S1", "S4"), (), ("N2", "N3")),
    "premises_stepped_by_40_ft": Block(
        "a step of 40 ft is a frontage of its own, and meets nothing along the street in 200 ft", stepped(40), ("S2", "S3"), ("S1", "S4"), (), ("N2", "N3"),
    ),
    "lots_of_12_ft": Block("rowhouse lots", {**row("S", 0, 0, 12, 100, 5), **row("N", 0, 150, 12, 100, 5)}, ("S3",), ("S2", "S4"), (), ("N3",)),
    "flag_lots_whose_poles_adjoin": Block(
        "only the pole reaches the street",
        {"F1": union_all([box(100, 0, 110, 100), box(0, -100, 110, 0)]), "F2": union_all([box(110, 0, 120, 100), box(110, -100, 220, 0)]), "W": box(0, 0, 100, 100), "E": box(120, 0, 220, 100), **NORTH},
        ("F1",), ("F2", "W"), (), ("N2",),
    ),
    "pole_of_15_ft_across": Block(
        "the pole of a flag lot across the street is met over 15 ft",
        {**SOUTH, "N1": box(100, 150, 140, 250), "F": union_all([box(140, 150, 155, 260), box(90, 250, 210, 350)]), "N2": box(155, 150, 200, 250), "N0": box(0, 150, 100, 250), "N3": box(200, 150, 300, 250)},
        ("S2",), BETWEEN, (), ("N1", "F", "N2"),
    ),
    "lot_drawn_over_the_front": Block(
        "a lot drawn 10 ft into the front along 60 ft of it abuts; the 40 ft left meet N",
        {**LOT, "X": box(40, 90, 160, 110), "N": box(0, 150, 100, 250)}, ("A",), ("W", "E", "X"), (), ("N",),
    ),
    # -- premises ---------------------------------------------------------------------------------------------------------------
    "premises_of_three_round_a_street": Block(
        "a parcel of the premises answers; N3 of the premises faces S3",
        {**row("S", 0, 0, 50, 100, 5), **row("N", 0, 150, 50, 100, 5)}, ("S2", "N2", "N3"), ("S1", "S3", "N1", "N4"), (), ("S3",),
    ),
    "premises_on_both_sides_of_a_street_parcel": Block(
        "the street parcel between them abuts", {**SOUTH, "RD": box(0, 100, 300, 150), **NORTH}, ("S2", "N2"), ("S1", "S3", "N1", "N3", "RD"), (), (), {"RD": "right_of_way"},
    ),
    "premises_that_touch_at_a_corner": Block(
        "two lots that touch at a corner: the lots beside both abut", {"A": box(0, 0, 100, 100), "B": box(100, 100, 200, 200), "X": box(100, 0, 200, 100), "Y": box(0, 100, 100, 200)}, ("A", "B"), ("X", "Y"),
    ),
    "premises_in_two_parts_across_a_road": Block(
        "a parcel in two parts: each part answers the other",
        {"M": MultiPolygon([box(100, 0, 200, 100), box(100, 150, 200, 250)]), **{key: SOUTH[key] for key in BETWEEN}, "N1": NORTH["N1"], "N3": NORTH["N3"], "R": box(0, -150, 300, -50)},
        ("M",), ("S1", "S3", "N1", "N3"), (), ("R",),
    ),
    "neighbour_in_two_parts": Block(
        "a parcel in two parts, one behind the premises and one across the street: it abuts and is opposite",
        {**SOUTH, "M": MultiPolygon([box(100, 150, 200, 250), box(100, -100, 200, 0)]), "N1": NORTH["N1"], "N3": NORTH["N3"]}, ("S2",), (*BETWEEN, "M"), (), ("M",),
    ),
    "hole_that_is_no_parcel": Block(
        "land in the middle of the premises that the layer does not have: the premises answer",
        {"F": difference(FARM, box(400, 400, 500, 500)), "N": box(0, 1050, 1000, 1150)}, ("F",), (), (), ("N",),
    ),
    "enclave_in_a_gap": Block(
        "an enclave with 20 ft of no parcel all round it is met across that",
        {"F": difference(FARM, box(400, 400, 500, 500)), "H": box(420, 420, 480, 480), "N": box(0, 1050, 1000, 1150)}, ("F",), (), (), ("H", "N"),
    ),
    "lane_to_an_enclave": Block(
        "the two sides of a lane through the premises face each other: the premises answer",
        {"F": difference(difference(box(0, 0, 400, 400), box(150, 0, 170, 250)), box(120, 250, 200, 330)), "H": box(120, 250, 200, 330), "S": box(0, -150, 400, -50)},
        ("F",), ("H",), (), ("S",),
    ),
    "landlocked_behind_a_flag": Block(
        "the pole beside it and the lot behind it are one lot, and abut",
        {"A": box(0, 0, 100, 100), "F": union_all([box(-15, 0, 0, 220), box(-15, 100, 100, 120)]), "N": box(0, 120, 100, 220), "E": box(100, 0, 200, 220), "R": box(-100, -100, 200, 0), "W": box(-100, 0, -15, 220)},
        ("A",), ("F", "E", "R"),
    ),
    # -- stacks -----------------------------------------------------------------------------------------------------------------
    "units_of_two_sizes": Block("stacked parcels count all: the common lot and both halves", {**SOUTH, **COMMON}, ("S2",), BETWEEN, (), ("C", "U1", "U2")),
    "units_of_two_sizes_from_one_end": Block(
        "the common lot is met as well as U1, and U2 lies on it", {**SOUTH, **COMMON}, ("S1",), ("S2",), (), ("C", "U1", "U2"),
    ),
    "units_of_two_sizes_the_common_lot_last": Block(
        "whichever of them the layer has first", {**SOUTH, **COMMON_LAST}, ("S1",), ("S2",), (), ("C", "U1", "U2"),
    ),
    "two_stacks_side_by_side": Block(
        "a stack beside the one that is met is not met",
        {**SOUTH, "U1": COMMON["U1"], "V1": COMMON["U1"], "U2": COMMON["U2"], "V2": COMMON["U2"]}, ("S1",), ("S2",), (), ("U1", "V1"),
    ),
    "premises_of_two_units": Block(
        "two of three units on one polygon: the third abuts",
        {**{f"U{k}": box(0, 0, 100, 100) for k in (1, 2, 3)}, **SIDES, "N": box(0, 150, 100, 250)}, ("U1", "U3"), ("U2", "W", "E"), (), ("N",),
    ),
    "unit_drawn_on_its_common_lot": Block(
        "the common lot under the premises abuts and takes no frontage away: another unit, and the lots across, are met",
        {"C": box(0, 0, 300, 200), "U1": box(20, 20, 80, 80), "U2": box(120, 20, 180, 80), "N": box(0, 250, 300, 350), "S": box(0, -150, 300, -50)},
        ("U1",), ("C",), (), ("U2", "N", "S"),
    ),
    "pond_across_the_street": Block("only rights-of-way and railroads are looked through", {**SOUTH, "P": box(-300, 150, 600, 500)}, ("S2",), BETWEEN, (), ("P",), {"P": "water"}),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BLOCKS)
def test_block(name, way):
    block = BLOCKS[name]
    found = answers(block.lots, block.premises, block.roles, streets=list(block.streets), moved=WAYS[way])
    assert found == block.answer(), block.says


@pytest.mark.parametrize("name", BLOCKS)
def test_in_any_order(name):
    block = BLOCKS[name]
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(list(block.lots))
        lots = {str(key): block.lots[str(key)] for key in order}
        found = answers(lots, block.premises[::-1], block.roles, streets=list(block.streets))
        assert found == block.answer(), block.says


@pytest.mark.parametrize("radius", [0, 4, 8, 15])
def test_the_rounded_tip_of_land_between_two_streets_counts_as_their_point_of_intersection(radius):
    found = relations(gore(radius), ("T",))
    assert found == {"abutting": ["W"], "corner": [], "opposite": ["H1", "H2", "H3", "S1", "S2", "S3", "S4"]}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("vertices", [4, 8, 13])
@pytest.mark.parametrize("radius", [0, 5, 10, 14])
def test_the_narrow_end_of_a_block_is_two_corners_however_round(radius, vertices, way):
    """28 ft wide: a radius of 14 ft makes it a half circle. The lots diagonally across either crossing are not met."""
    left, right = arc(radius, 100 - radius, radius, 90, 180, vertices), arc(28 - radius, 100 - radius, radius, 0, 90, vertices)
    end = [*right, *left[1:]] if radius == 14 else [*right, *left] if radius else [(28, 100), (0, 100)]
    lots = {
        "A": Polygon([(0, 0), (28, 0), *end]), "B": box(0, -100, 28, 0), "W": box(-150, 0, -50, 100), "E": box(78, 0, 178, 100),
        "N": box(-50, 150, 78, 250), "NW": box(-250, 150, -51, 250), "NE": box(79, 150, 250, 250),
    }  # fmt: skip
    assert relations(lots, ("A",), moved=WAYS[way]) == {"abutting": ["B"], "corner": [], "opposite": ["E", "N", "W"]}


def test_a_gap_at_a_corner_is_measured_corner_to_corner():
    lots = {"A": box(0, 0, 100, 100), "W": SIDES["W"], "X": box(101, 101, 200, 200), "Y": box(-100, -100, -1.2, -1.2)}
    assert hypot(1, 1) < 1.5 < hypot(1.2, 1.2)
    assert relations(lots, ("A",)) == {"abutting": ["W"], "corner": ["X"], "opposite": []}


def test_what_is_only_stacked_on_a_lot_that_is_met_is_listed_for_review():
    found, named = ask({**SOUTH, **COMMON}, ["S1"])
    assert {named([one.index])[0]: one.review for one in found.neighbours if one.opposite_ft} == {
        "C": (),
        "U1": (),
        "U2": ("stacked",),
    }


def test_a_highway_too_wide_to_look_across_is_said():
    found, named = ask(
        {**SOUTH, "HWY": box(-300, 140, 600, 270), **row("N", 0, 310, 100, 100, 3)}, ["S2"], roles={"HWY": "right_of_way"}
    )
    assert [named([one.index]) for one in found.near_misses] == [["N2"]]
    assert "right_of_way_cut_off" in codes(found)


def test_rings_of_many_are_those_of_each():
    lots = [
        box(0, 0, 100, 100),
        MultiPolygon([box(0, 0, 10, 10), box(20, 0, 30, 10)]),
        difference(box(0, 0, 90, 90), box(30, 30, 60, 60)),
        Polygon([(0, 0), (0, 0.0004), (50, 0), (50, 0), (50, 50), (0, 50)]),
        Polygon([(0, 0), (0.0003, 0), (0.0003, 0.0004)]),
    ]
    together = rings_of_each(lots)
    assert [len(some) for some in together] == [1, 2, 2, 1, 0]
    for lot, rings in zip(lots, together, strict=True):
        for ring, alone in zip(rings, rings_of(lot), strict=True):
            assert ring.xy.tolist() == alone.xy.tolist()
            assert ring.xy[0].tolist() == ring.xy[-1].tolist()
            assert ring.marks == alone.marks
            assert ring.length == ring.at[-1] == pytest.approx(ring.line.length)
            assert Polygon(ring.xy).exterior.is_ccw == (ring is rings[0] or lot.geom_type == "MultiPolygon")
