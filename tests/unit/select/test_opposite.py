"""Blocks drawn by hand, with the answers that the words give; each also turned, with vertices added, and jiggled.

What each case says is a sentence of the definitions, or what follows from one.
"""

from itertools import pairwise
from math import radians, sqrt, tan

import numpy as np
import pytest
import shapely
from adjacency_toys import WAYS, Block, answers, arc, relations, row, wedge
from shapely import Polygon, box

SOUTH = row("S", 0, 0, 100, 100, 3)
NORTH = row("N", 0, 150, 100, 100, 3)
BETWEEN = ("S1", "S3")
CROSSING = {
    "A2": box(-100, 0, 0, 100), "A3": box(0, -100, 100, 0), "N": box(0, 160, 100, 260), "N2": box(-100, 160, 0, 260),
    "E": box(160, 0, 260, 100), "E3": box(160, -100, 260, 0), "D": box(160, 160, 260, 260),
}  # fmt: skip
ROUNDED = Polygon([(0, 0), (100, 0), (100, 80), *arc(80, 80, 20, 0, 90)[1:-1], (80, 100), (0, 100)])
CURVE = {f"I{k + 1}": wedge(60 + 12 * k, 72 + 12 * k, 200, 300) for k in range(5)}
OUTER = {f"O{k + 1}": wedge(60 + 12 * k, 72 + 12 * k, 350, 450) for k in range(5)}
SHIFTED = {f"O{k + 1}": wedge(66 + 12 * k, 78 + 12 * k, 350, 450) for k in range(5)}
STEM = {"NL": box(-100, 50, 0, 150), "NR": box(50, 50, 150, 150), "NL2": box(-100, 150, 0, 250), "NR2": box(50, 150, 150, 250)}
DEAD_END = {
    "D": box(-50, 0, 100, 100), "W1": box(-100, -100, 0, 0), "E1": box(50, -100, 150, 0),
    "W2": box(-100, -200, 0, -100), "E2": box(50, -200, 150, -100),
}  # fmt: skip
BEND = {
    "O": Polygon([(-100, -100), (100, -100), (100, 100), (0, 100), (0, 0), (-100, 0)]),
    "I": box(-150, 50, -50, 150), "W": box(-250, -100, -100, 0), "N": box(0, 100, 100, 250), "I2": box(-250, 50, -150, 150),
}  # fmt: skip
FARM = {
    "F": shapely.difference(box(0, 0, 1000, 1000), box(400, 400, 500, 500)), "H": box(400, 400, 500, 500), "N": box(0, 1050, 1000, 1150),
}  # fmt: skip
CENTERLINE = {
    "A": box(0, 0, 100, 200), "B": box(0, 200, 100, 400), "W": box(-100, 0, 0, 200), "E": box(100, 0, 200, 200),
    "BW": box(-100, 200, 0, 400), "BE": box(100, 200, 200, 400),
}  # fmt: skip


def bulb(radius, step, first, count):
    return {
        f"C{k + 1}": Polygon(
            arc(0, 0, radius, first + step * k, first + step * (k + 1), 10)
            + arc(0, 0, 180, first + step * (k + 1), first + step * k, 10)
        )
        for k in range(count)
    }


def acute():
    """A triangle between a street to the south and one along its long side, which cross at 30 degrees at (200, 0)."""
    top, along, out = np.array([0, 200 / sqrt(3)]), np.array([sqrt(3) / 2, -0.5]), np.array([0.5, sqrt(3) / 2])

    def lot(a, b):
        return Polygon([tuple(top + along * s + out * o) for s, o in ((a, 50), (b, 50), (b, 150), (a, 150))])

    south = {f"S{k + 1}": box(x, -150, x2, -50) for k, (x, x2) in enumerate([(-100, 50), (50, 150), (150, 250), (250, 400)])}
    return {
        "T": Polygon([(0, 0), (200, 0), tuple(top)]),
        "W": box(-100, 0, 0, 115),
        **south,
        "H1": lot(-100, 100),
        "H2": lot(100, 231),
        "H3": lot(231, 300),
    }


def slanted(x, y, width, height):
    """A lot in a grid whose crossing lines lean to 60 degrees."""
    lean = 1 / tan(radians(60))
    return Polygon(
        [
            (x + y * lean, y),
            (x + width + y * lean, y),
            (x + width + (y + height) * lean, y + height),
            (x + (y + height) * lean, y + height),
        ]
    )


def winding(x1, x2, south, north):
    """A lot along a street that curves one way and then the other."""
    xs = np.linspace(x1, x2, 11)
    return Polygon([(x, 30 * np.sin(x / 120) + south) for x in xs] + [(x, 30 * np.sin(x / 120) + north) for x in xs[::-1]])


def moved_up(lots, by):
    return {key: shapely.box(*(np.array(lot.bounds) + np.array([0, by, 0, 0]))) for key, lot in lots.items()}


BLOCKS = {
    # -- who abuts --------------------------------------------------------------------------------------------------------------
    "shared_5_and_8_ft": Block(
        "shares a run of lot line longer than four tolerances: 8 ft abuts, 5 ft is a corner",
        {**SOUTH, **NORTH, "R1": box(0, -100, 105, 0), "R2": box(105, -100, 192, 0), "R3": box(192, -100, 300, 0)},
        ("S2",), ("S1", "S3", "R2", "R3"), ("R1",), ("N2",),
    ),
    "corner_overlap": Block(
        "within tolerance, but no such run: a corner drawn 1.2 ft into the premises is still a corner",
        {**SOUTH, **NORTH, "R1": box(0, -100, 101.2, 1.2), "R2": box(101.2, -100, 300, 0)},
        ("S2",), ("S1", "S3", "R2"), ("R1",), ("N2",),
    ),
    "enclave_round": Block("an enclave abuts", FARM, ("F",), ("H",), (), ("N",)),
    "enclave": Block("an enclave has no frontage of its own", FARM, ("H",), ("F",)),
    "landlocked": Block(
        "what other lots share all round is no frontage",
        {"A": box(0, 0, 100, 100), "W": box(-100, 0, 0, 100), "E": box(100, 0, 200, 100), "N": box(-100, 100, 200, 200), "S": box(-100, -100, 200, 0), "F": box(-100, 250, 200, 350)},
        ("A",), ("W", "E", "N", "S"),
    ),
    "spite_strip": Block(
        "a strip that is a lot takes the frontage away",
        {**SOUTH, **NORTH, "X": box(100, 100, 200, 102)}, ("S2",), (*BETWEEN, "X"),
    ),
    "water_parcel": Block(
        "right-of-way and railroad parcels are looked through; a water parcel is not",
        {**SOUTH, **NORTH, "W": box(-50, -80, 350, 0), **row("X", 0, -180, 100, 100, 3)},
        ("S2",), (*BETWEEN, "W"), (), ("N2",), {"W": "water"},
    ),
    # -- premises ---------------------------------------------------------------------------------------------------------------
    "premises_with_a_gap": Block(
        "frontage and abutting close gaps up to the tolerance; N4 is met over 1.2 ft only, so it is a borderline case",
        {**row("S", 0, 0, 50, 100, 2), "S3": box(101.2, 0, 151.2, 100), "S4": box(151.2, 0, 200, 100), **row("N", 0, 150, 50, 100, 4)},
        ("S2", "S3"), ("S1", "S4"), (), ("N2", "N3"), borderline=("N4",),
    ),
    "premises_apart": Block(
        "premises: the parcels that the event uses, taken together, contiguous or not",
        {**row("S", 0, 0, 50, 100, 7), **row("N", 0, 150, 50, 100, 7)},
        ("S2", "S5"), ("S1", "S3", "S4", "S6"), (), ("N2", "N5"),
    ),
    "premises_across_the_street_from_themselves": Block(
        "a parcel of the premises stops a line and counts as its answer",
        {**SOUTH, **NORTH}, ("S2", "N2"), ("S1", "S3", "N1", "N3"),
    ),
    "premises_across_and_shifted": Block(
        "a parcel of the premises stops a line: the rest of each frontage still meets others",
        {**SOUTH, **row("N", 50, 150, 100, 100, 3)}, ("S2", "N2"), ("S1", "S3", "N1", "N3"), (), ("N1", "S3"),
    ),
    "premises_on_both_sides_of_an_alley": Block(
        "the alley between two lots of the premises is answered by the premises",
        {**SOUTH, **NORTH, **row("R", 0, -112, 100, 100, 3)}, ("S2", "R2"), ("S1", "S3", "R1", "R3"), (), ("N2",),
    ),
    "premises_two_deep": Block(
        "the line between two lots of the premises is not extended",
        {**SOUTH, **NORTH, **row("R", 0, -100, 100, 100, 3)}, ("S2", "R2"), ("R1", "R3", *BETWEEN), (), ("N2",),
    ),
    "premises_with_their_road": Block(
        "a road parcel of the premises is premises: what lies beyond it abuts",
        {**SOUTH, **row("N", 0, 120, 100, 100, 3), "RD": box(0, 100, 300, 120)}, ("S2", "RD"), (*BETWEEN, "N1", "N2", "N3"),
    ),
    # -- across a street --------------------------------------------------------------------------------------------------------
    "alley_and_street": Block(
        "an alley is a right-of-way like a street",
        {**row("S", 0, 0, 50, 100, 5), **row("N", 0, 160, 50, 100, 5), **row("R", 0, -112, 50, 100, 5)}, ("S3",), ("S2", "S4"), (), ("N3", "R3"),
    ),
    "curve_from_inside": Block("on a curve the radial lot lines are extended", CURVE | OUTER, ("I3",), ("I2", "I4"), (), ("O3",)),
    "curve_from_outside": Block("on a curve the radial lot lines are extended", CURVE | OUTER, ("O3",), ("O2", "O4"), (), ("I3",)),
    "curve_shifted": Block("the extended lot lines take in two", CURVE | SHIFTED, ("I3",), ("I2", "I4"), (), ("O2", "O3")),
    "reverse_curve": Block(
        "in between, the direction turns evenly: parallel lot lines stay parallel along a winding street; N1 lies straight across its slope",
        {f"S{k}": winding(-200 + 100 * k, -100 + 100 * k, -120, -25) for k in range(4)} | {f"N{k}": winding(-200 + 100 * k, -100 + 100 * k, 25, 120) for k in range(4)},
        ("S2",), ("S1", "S3"), (), ("N2",), straight=("N1",),
    ),
    "boulevard": Block(
        "where both occur: a gap, a right-of-way parcel, and a gap again",
        {**SOUTH, **row("N", 0, 200, 100, 100, 3), "M": box(-200, 130, 500, 170)}, ("S2",), BETWEEN, (), ("N2",), {"M": "right_of_way"},
    ),
    "median_that_is_a_lot": Block(
        "the parcels first met",
        {**SOUTH, **row("N", 0, 180, 100, 100, 3), "M": box(-200, 130, 500, 150)}, ("S2",), BETWEEN, (), ("M",),
    ),
    "private_road": Block(
        "a private road that is a parcel of its own abuts, and is looked through",
        {**SOUTH, **row("N", 0, 120, 100, 100, 3), "RD": box(0, 100, 300, 120)}, ("S2",), (*BETWEEN, "RD"), (), ("N2",), {"RD": "right_of_way"},
    ),
    "shared_driveway": Block(
        "a right-of-way parcel that touches abuts, as itself; along it the rear lot looks to the street",
        {"A": box(0, 100, 100, 200), "F1": box(0, 0, 40, 100), "F2": box(60, 0, 100, 100), "D": box(40, 0, 60, 100), "S1": box(0, -150, 50, -50), "S2": box(50, -150, 100, -50), "W": box(-100, 0, 0, 200), "E": box(100, 0, 200, 200), "R": box(0, 200, 100, 300)},
        ("A",), ("F1", "F2", "D", "W", "E", "R"), (), ("S1", "S2"), {"D": "right_of_way"},
    ),
    "railroad_and_road": Block(
        "right-of-way and railroad parcels are looked through: a railroad, then a road beside it",
        {**SOUTH, **row("N", 0, 216, 100, 100, 3), "RR": box(-100, 100, 400, 166)}, ("S2",), (*BETWEEN, "RR"), (), ("N2",), {"RR": "railroad"},
    ),
    "strip_across_the_street": Block(
        "the parcels first met: a strip 2 ft deep hides the lot behind it",
        {**SOUTH, **moved_up(NORTH, 2), "X": box(100, 150, 200, 152)}, ("S2",), BETWEEN, (), ("X",),
    ),
    "units_on_a_common_lot": Block(
        "stacked parcels count all: units drawn on a common lot, near its front or far behind",
        {**SOUTH, "C": box(0, 150, 300, 350), "U1": box(20, 160, 60, 200), "U2": box(120, 160, 160, 200), "U3": box(220, 300, 260, 340)},
        ("S2",), BETWEEN, (), ("C", "U1", "U2", "U3"),
    ),
    "two_feet": Block(
        "over at least 2 ft of frontage: N1 is met over 3 ft, N3 over 1 ft, which makes it a borderline case",
        {**SOUTH, "N1": box(0, 150, 103, 250), "N2": box(103, 150, 199, 250), "N3": box(199, 150, 300, 250)}, ("S2",), BETWEEN, (), ("N1", "N2"), borderline=("N3",),
    ),
    "state_road": Block(
        "200 ft by default; 600 along a State road",
        {**SOUTH, **row("N", 0, 400, 100, 100, 3)}, ("S2",), BETWEEN, (), ("N2",), {}, (([(-300, 250), (600, 250)], "Sunrise Hwy", "STATE"),),
    ),
    "town_road_as_wide": Block(
        "nothing is looked for beyond the widest right-of-way: 200 ft",
        {**SOUTH, **row("N", 0, 400, 100, 100, 3)}, ("S2",), BETWEEN, (), (), {}, (([(-300, 250), (600, 250)], "Main St", "TOWN"),),
    ),
    "drawn_to_the_centerline": Block(
        "the lot across such a line is abutting and also opposite",
        CENTERLINE, ("A",), ("B", "W", "E"), ("BW", "BE"), ("B",), {}, (([(-300, 200), (300, 200)], "Hill Rd", "TOWN"),),
    ),
    # -- corners and crossings --------------------------------------------------------------------------------------------------
    "rounded_corner": Block("a rounded corner counts as its point of intersection", CROSSING | {"A": ROUNDED}, ("A",), ("A2", "A3"), (), ("E", "N")),
    "cut_corner": Block(
        "a corner cut for sight counts as its point of intersection too",
        CROSSING | {"A": Polygon([(0, 0), (100, 0), (100, 75), (75, 100), (0, 100)])}, ("A",), ("A2", "A3"), (), ("E", "N"),
    ),
    "all_corners_rounded": Block(
        "the lot across the crossing is not met, however its corner is rounded",
        CROSSING | {
            "A": ROUNDED,
            "N": Polygon([(0, 160), (80, 160), *arc(80, 180, 20, -90, 0)[1:], (100, 260), (0, 260)]),
            "E": Polygon([(180, 100), *arc(180, 80, 20, 90, 180)[1:], (160, 0), (260, 0), (260, 100)]),
            "D": Polygon([(180, 160), (260, 160), (260, 260), (160, 260), (160, 180), *arc(180, 180, 20, 180, 270)[1:-1]]),
        },
        ("A",), ("A2", "A3"), (), ("E", "N"),
    ),
    "offset_crossing": Block(
        "a street whose legs do not face each other: the lot west of the leg is met, the one east of it is not",
        {"A": box(0, 0, 100, 100), "A2": box(-100, 0, 0, 100), "A3": box(0, -100, 100, 0), "NW": box(-100, 150, 60, 250), "NE": box(110, 150, 210, 250), "E": box(150, 0, 250, 100)},
        ("A",), ("A2", "A3"), (), ("E", "NW"),
    ),
    "leaning_crossing": Block(
        "at a street corner, the other street line: it leans, and the lot lines across lean with it; N2 lies straight across 29 ft",
        {"A": slanted(0, 0, 100, 100), "W": slanted(-100, 0, 100, 100), "S": slanted(0, -100, 100, 100), "N": slanted(0, 150, 100, 100), "N2": slanted(-100, 150, 100, 100), "E": slanted(157.7, 0, 100, 100), "D": slanted(157.7, 150, 100, 100)},
        ("A",), ("W", "S"), (), ("N", "E"), straight=("N2",),
    ),
    "acute_crossing": Block(
        "at a street corner, the other street line: at an acute crossing it reaches far along both streets",
        acute(), ("T",), ("W",), (), ("S1", "S2", "S3", "S4", "H1", "H2", "H3"),
    ),
    "block_end": Block(
        "two corners 28 ft apart are two corners: the narrow end of a block has three frontages",
        {"A": box(0, 0, 28, 100), "B": box(0, -100, 28, 0), "W": box(-150, 0, -50, 100), "E": box(78, 0, 178, 100), "N": box(-50, 150, 78, 250)},
        ("A",), ("B",), (), ("W", "E", "N"),
    ),
    "island": Block(
        "a lot that no other touches faces all round",
        {"I": box(0, 0, 60, 40), "N1": box(-40, 90, 30, 190), "N2": box(30, 90, 130, 190), "S1": box(-40, -150, 130, -50), "E1": box(110, -50, 210, 90), "W1": box(-150, -50, -50, 90)},
        ("I",), (), (), ("N1", "N2", "S1", "E1", "W1"),
    ),
    "head_of_a_t": Block(
        "lot lines extended along the sides of a side street meet nothing in 200 ft",
        {**row("S", -150, -100, 50, 100, 6), **STEM}, ("S4",), ("S3", "S5"),
    ),
    "wide_head_of_a_t": Block(
        "a lot wider than the side street meets the lots on both its corners",
        {"A": box(-20, -100, 80, 0), "W": box(-120, -100, -20, 0), "E": box(80, -100, 180, 0), "NL": STEM["NL"], "NR": STEM["NR"]},
        ("A",), ("W", "E"), (), ("NL", "NR"),
    ),
    "corner_of_a_t": Block(
        "the corner lot of a T: across the through street and across the side street",
        {"S1": box(-150, -100, 0, 0), "S2": box(0, -100, 150, 0), **STEM, "NW": box(-200, 50, -100, 150)}, ("NL",), ("NL2", "NW"), (), ("S1", "NR"),
    ),
    "end_of_a_dead_end": Block("the lot at the head of a dead end looks down the street", DEAD_END, ("D",), ("W1", "E1")),
    "beside_a_dead_end": Block("a lot beside a dead end looks across it", DEAD_END, ("E1",), ("D", "E2"), (), ("W1",)),
    "outside_of_a_bend": Block("a single street's 90-degree bend is one frontage, outside it too", BEND, ("O",), ("W", "N"), (), ("I",)),
    "inside_of_a_bend": Block("the lot inside a bend has one frontage, and the lot outside the bend is opposite", BEND, ("I",), ("I2",), (), ("O", "N", "W")),
    "bulb_of_50_ft": Block("the extensions cross at the centre and reach beyond", bulb(50, 50, -60, 6), ("C2",), ("C1", "C3"), (), ("C5", "C6")),
    # -- frontages that are not one straight line -------------------------------------------------------------------------------
    "l_shaped": Block(
        "only the leg that reaches the street is frontage",
        {"A": Polygon([(0, 0), (200, 0), (200, 60), (100, 60), (100, 150), (0, 150)]), "B": box(100, 60, 200, 150), "W": box(-100, 0, 0, 150), "E": box(200, 0, 300, 150), "N1": box(0, 200, 100, 300), "N2": box(100, 200, 200, 300), "N3": box(200, 200, 300, 300), "R": box(0, -100, 200, 0)},
        ("A",), ("B", "W", "E", "R"), (), ("N1",),
    ),
    "jog": Block(
        "a step of 10 ft in the street line breaks nothing, and nobody is met from it",
        {"A": Polygon([(0, 0), (100, 0), (100, 90), (50, 90), (50, 100), (0, 100)]), "W": box(-100, 0, 0, 100), "E": box(100, 0, 200, 90), "N0": box(-100, 150, 0, 250), "N1": box(0, 150, 50, 250), "N2": box(50, 150, 100, 250), "N3": box(100, 150, 200, 250)},
        ("A",), ("W", "E"), (), ("N1", "N2"),
    ),
    "jog_beside_a_lot_that_stands_out": Block(
        "a neighbour beside a step in the street line is not opposite for it",
        {"A": Polygon([(0, 0), (100, 0), (100, 90), (50, 90), (50, 100), (0, 100)]), "W": box(-100, 0, 0, 100), "E": box(100, 0, 200, 100), "N0": box(-100, 150, 0, 250), "N1": box(0, 150, 50, 250), "N2": box(50, 150, 100, 250), "N3": box(100, 150, 200, 250)},
        ("A",), ("W", "E"), (), ("N1", "N2"),
    ),
    "neighbours_set_back_and_forward": Block(
        "where a neighbour is set back 5 ft, the bare piece of the lot line is lot line still",
        {"A": box(0, 0, 100, 100), "W": box(-100, 0, 0, 95), "E": box(100, 0, 200, 106), "N1": box(-100, 150, 0, 250), "N2": box(0, 150, 100, 250), "N3": box(100, 150, 200, 250), "WW": box(-200, 0, -100, 100)},
        ("A",), ("W", "E"), (), ("N2",),
    ),
    "no_lot_corner": Block(
        "an end that is no lot corner gives way to the perpendicular: the side line goes on along a street",
        {"A": box(0, 0, 100, 200), "E": box(100, 0, 200, 100), "W": box(-100, 0, 0, 200), "X": box(150, 100, 250, 200), "R": box(0, -100, 100, 0)},
        ("A",), ("E", "W", "R"), (), ("X",),
    ),
    "nearly_along_the_street": Block(
        "a line within 12 degrees of the frontage's own direction gives way to the perpendicular",
        {
            "A": Polygon([(0, 0), (0, -100), (200, -100), (200, -20), (100, 0)]), "B": Polygon([(100, 0), (200, -20), (300, -20), (300, 0)]),
            "W": box(-100, -100, 0, 0), "N1": box(-100, 50, 0, 150), "N2": box(0, 50, 100, 150), "N3": box(100, 50, 300, 150),
        },
        ("A",), ("W", "B"), (), ("N2",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BLOCKS)
def test_block(name, way):
    block = BLOCKS[name]
    found = answers(block.lots, block.premises, block.roles, streets=list(block.streets), moved=WAYS[way])
    assert found == block.answer(), block.says


@pytest.mark.parametrize("radius", [8, 15, 25, 30, 40])
@pytest.mark.parametrize("vertices", [3, 5, 10, 30])
def test_a_rounded_corner_of_any_radius_counts_as_its_point_of_intersection(radius, vertices):
    corner = arc(100 - radius, 100 - radius, radius, 0, 90, vertices)[1:-1]
    lot = Polygon([(0, 0), (100, 0), (100, 100 - radius), *corner, (100 - radius, 100), (0, 100)])
    assert relations(CROSSING | {"A": lot}, ("A",)) == {"abutting": ["A2", "A3"], "corner": [], "opposite": ["E", "N"]}


@pytest.mark.parametrize("radius", [40, 50, 60])
@pytest.mark.parametrize(("count", "vertices"), [(6, 3), (6, 10), (7, 4), (8, 6)])
def test_in_a_bulb_the_extensions_cross_at_the_centre_and_reach_beyond(radius, count, vertices):
    step = 300 / count
    edges = [-60 + step * k for k in range(count + 1)]
    lots = {
        f"C{k + 1}": Polygon(arc(0, 0, radius, a, b, vertices) + arc(0, 0, radius + 120, b, a, vertices))
        for k, (a, b) in enumerate(pairwise(edges))
    }

    def facing(me, other):
        low, high = edges[me] + 180, edges[me + 1] + 180
        return max(min(high + turn, edges[other + 1]) - max(low + turn, edges[other]) for turn in (-360, 0, 360))

    for me in range(1, count - 1):
        shares = {other: radians(facing(me, other)) * radius for other in range(count) if other != me}
        if any(1 < share < 3 for share in shares.values()):
            continue
        assert relations(lots, (f"C{me + 1}",))["opposite"] == sorted(
            f"C{other + 1}" for other, share in shares.items() if share >= 2
        )
