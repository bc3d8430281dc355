"""Blocks at bends, corners and bulbs, drawn in words, with the answers decided by hand before the program was asked.

The bend: a street 50 ft wide comes from the west along y = 0, and at (0, 0) turns to the right. ``P`` lies inside it, 100 ft along each leg, between
``W`` and ``E``. ``OUT`` lies outside, 60 ft along each leg, between ``NA`` on the first and ``NB`` on the second.
"""

import itertools

import numpy as np
import shapely
from adjacency_toys import Block, arc
from shapely import Polygon, box

WIDE = 50.0
ARM = 60.0


def _leg(degrees):
    """Return the direction of the second leg, and the direction across it to the outside."""
    a = np.radians(degrees)
    return np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])


def _turn(degrees, off):
    """Return the place where the line ``off`` outside the inner street line turns."""
    return np.array([off * np.tan(np.radians(degrees) / 2), off])


def _ring(*points):
    return Polygon([tuple(point) for point in points])


def bend(degrees, *, inner=((0.0, 0.0),)):
    """Return the lots at a bend; ``inner`` are the vertices of P's corner."""
    u, n = _leg(degrees)
    out = _turn(degrees, WIDE)
    return {
        "P": _ring((-100, -80), (-100, 0), *inner, 100 * u, 100 * u - 80 * n),
        "W": box(-200, -80, -100, 0),
        "E": _ring(100 * u, 200 * u, 200 * u - 80 * n, 100 * u - 80 * n),
        "NA": box(-200, WIDE, out[0] - ARM, WIDE + 100),
        "OUT": _ring((out[0] - ARM, WIDE), out, out + ARM * u, out + ARM * u + 100 * n, _turn(degrees, WIDE + 100), (out[0] - ARM, WIDE + 100)),
        "NB": _ring(out + ARM * u, out + 240 * u, out + 240 * u + 100 * n, out + ARM * u + 100 * n),
    }  # fmt: skip


def center(degrees, *names):
    """Return the centerline round the bend: one record, or two that meet at the bend where two names are given."""
    u, _ = _leg(degrees)
    mid = _turn(degrees, WIDE / 2)
    first, last = (-400.0, WIDE / 2), tuple(mid + 400 * u)
    if len(names) == 1:
        return (([first, tuple(mid), last], names[0], "TOWN"),)
    return (([first, tuple(mid)], names[0], "TOWN"), ([tuple(mid), last], names[1], "TOWN"))


def street(degrees):
    """Return the street as a parcel."""
    u, n = _leg(degrees)
    return _ring((-200, 0), (0, 0), 200 * u, 200 * u + WIDE * n, _turn(degrees, WIDE), (-200, WIDE))


def rounded(degrees, radius):
    """Return the vertices of P's corner, rounded."""
    back = radius * np.tan(np.radians(degrees) / 2)
    return arc(-back, -radius, radius, 90, 90 - degrees, 9)


def cut_in_two(degrees):
    """Return the bend with P in two parcels that meet along the line through its corner."""
    lots = bend(degrees)
    whole = lots.pop("P")
    a = np.radians(degrees) / 2
    back = -300 * np.array([np.sin(a), np.cos(a)])
    west = shapely.intersection(whole, _ring((0, 0), back, (-400, back[1]), (-400, 0)))
    return {"P1": west, "P2": shapely.difference(whole, west), **lots}


def inside(says, degrees, **more):
    return Block(
        f"inside a bend of {degrees} degrees: {says}", bend(degrees), ("P",), ("E", "W"), (), ("NA", "NB", "OUT"), **more
    )


def outside(says, degrees, **more):
    return Block(f"outside a bend of {degrees} degrees: {says}", bend(degrees), ("OUT",), ("NA", "NB"), (), ("P",), **more)


ONE_STREET = "one street, one frontage, and the lot across from the bend is opposite"
BENDS = {
    **{f"inside_{degrees}": inside(ONE_STREET, degrees) for degrees in (30, 40, 42, 46, 60, 75, 90)},
    **{f"outside_{degrees}": outside(ONE_STREET, degrees) for degrees in (30, 46, 60, 90)},
    "outside_75": outside("perpendiculars from each leg look down the other, past P, and meet the lot behind it over 12 ft, within twice the median of 81 ft", 75, straight=("E", "W")),
    **{f"inside_{degrees}_named": inside("the centerline runs through", degrees, streets=center(degrees, "Elm Street")) for degrees in (46, 90)},
    **{f"outside_{degrees}_named": outside("the centerline runs through", degrees, streets=center(degrees, "Elm Street")) for degrees in (46, 90)},
    "inside_split_at_the_bend": inside("two records of one name are one street", 46, streets=center(46, "Elm Street", "ELM  STREET")),
    "inside_spelled_in_two_ways": inside("two spellings of one name are one street", 46, streets=center(46, "North Elm Street", "N. ELM ST")),
    "outside_split_at_the_bend": outside("two records of one name are one street", 60, streets=center(60, "Elm Street", "Elm Street")),
    "inside_without_a_name": inside("one line that runs through is one street", 46, streets=center(46, "")),
    "inside_two_records_without_names": inside("they join end to end, and no third joins them", 46, streets=center(46, "", "")),
    "inside_one_name_missing": inside("a missing name is not another street", 46, streets=center(46, "Elm Street", "")),
    "two_names_at_the_bend": Block(
        "two streets meet at a turn of 46 degrees: a street corner; the lines lean away by 44 degrees, and OUT lies straight across 39 ft of each leg",
        bend(46), ("P",), ("E", "W"), (), ("NA", "NB"), streets=center(46, "Elm Street", "Oak Street"), straight=("OUT",),
    ),
    **{
        f"two_parcels_inside_{degrees}": Block("premises of two parcels at a bend are one frontage", cut_in_two(degrees), ("P1", "P2"), ("E", "W"), (), ("NA", "NB", "OUT"))
        for degrees in (46, 90)
    },
    "one_of_two_parcels_inside": Block(
        "P1 ends at the bend, where the line to P2 leans by 23 degrees: it looks to NA and to OUT",
        cut_in_two(46), ("P1",), ("P2", "W"), (), ("NA", "OUT"),
    ),
    **{
        f"rounded_inside_{radius}": Block(
            "a rounded corner counts as its point of intersection, at a bend too", bend(90, inner=rounded(90, radius)), ("P",), ("E", "W"), (), ("NA", "NB", "OUT")
        )
        for radius in (10, 25, 40)
    },
    **{
        f"street_as_a_parcel_{degrees}": Block(
            "the street is a parcel of class 692: it abuts and is looked through",
            bend(degrees) | {"RW": street(degrees)}, ("P",), ("E", "RW", "W"), (), ("NA", "NB", "OUT"), {"RW": "right_of_way"},
        )
        for degrees in (46, 90)
    },
}  # fmt: skip


def across(*edges, y=60.0):
    """Lots side by side north of a street: N1 between the first two edges, and so on."""
    return {f"N{k + 1}": box(a, y, b, y + 100) for k, (a, b) in enumerate(itertools.pairwise(edges))}


def front_with_corner(*corner, foot=(-20.0, -80.0)):
    """P along y = 0 from -100 to 0, then the given vertices of a corner; its east line goes to ``foot``. W is west of it, S east."""
    return {
        "P": _ring((-100, -80), (-100, 0), (0, 0), *corner, foot),
        "W": box(-200, -80, -100, 0),
        "S": _ring(corner[-1], foot, (40, -80), (40, corner[-1][1])),
    }


_U, _N = _leg(46)
_S1, _S2 = np.array([21.22, 50.0]), np.array([91.22, -22.49])
_V = np.array([70.0, -72.49])
_MID = (_S1 + _S2) / 2
LOOP = {
    "L1": box(-100, 0, 0, 100), "L2": box(0, 0, 100, 100), "N": box(-240, 140, 240, 240), "S": box(-240, -140, 240, -40),
    "W": box(-240, -40, -140, 140), "E": box(140, -40, 240, 140),
}  # fmt: skip
CROSSING = {
    "A": box(0, 0, 100, 100), "A2": box(-100, 0, 0, 100), "A3": box(0, -100, 100, 0), "N": box(0, 160, 100, 260),
    "E": box(160, 0, 260, 100), "D": box(160, 160, 260, 260),
}  # fmt: skip


def bulb(edges, radius, inner):
    """Lots round a bulb between these angles, each with so many vertices between its lot lines."""
    return {
        f"C{k + 1}": Polygon(arc(0, 0, radius, a, b, inner + 2) + arc(0, 0, radius + 130, b, a, 10))
        for k, (a, b) in enumerate(itertools.pairwise(edges))
    }


FORK = {
    key: lot for key, lot in bend(46).items() if key in {"P", "W", "E"}
} | {
    "N1": box(-200, 50, -60, 150), "N2": box(-60, 50, 100, 150), "N3": box(100, 50, 300, 150),
    "G": _ring((WIDE / np.sin(np.radians(46)), 0), (300, 0), 250 * _U + WIDE * _N),
}  # fmt: skip
CORNERS = {
    "chord_at_a_lot_corner": Block(
        "a rounded corner drawn as a chord of 13 ft that ends at the lot line has no second frontage; the line leans to 38 ft across",
        front_with_corner((10, -8)) | across(-150, -50, 60, 200), ("P",), ("S", "W"), (), ("N1", "N2"),
    ),
    "arc_at_a_lot_corner": Block(
        "the same drawn as an arc of 15 ft radius that turns by 60 degrees",
        front_with_corner(*arc(0, -15, 15, 90, 30, 8)[1:]) | across(-150, -50, 70, 200), ("P",), ("S", "W"), (), ("N1", "N2"),
    ),
    "flared_mouth_of_a_street_drawn_as_a_lot": Block(
        "the flare of 14 ft is the chord of a rounded corner, and the street S is a lot: the lot line is extended straight on",
        front_with_corner((9, -11), foot=(9, -80)) | across(-150, -40, 80, 200), ("P",), ("S", "W"), (), ("N1", "N2"),
    ),
    "reverse_bends": Block(
        "an S of two bends of 46 degrees: the lot lines at both ends run north, and so do the lines between",
        {
            "P": _ring((-100, -160), (-100, 0), (0, 0), _V, (170, _V[1]), (170, -160)), "W": box(-200, -160, -100, 0), "E": box(170, -160, 270, _V[1]),
            "N1": box(-200, 50, -40, 150), "N2": _ring((-40, 150), (-40, 50), _S1, _MID, (_MID[0], 150)),
            "N3": _ring((_MID[0], 150), _MID, _S2, (131, _S2[1]), (131, 150)), "N4": box(131, _S2[1], 300, 150),
        },
        ("P",), ("E", "W"), (), ("N1", "N2", "N3", "N4"),
    ),
    "fork": Block(
        "the street runs on where a branch leaves it at 46 degrees: a street corner; along the street to N1 and N2, along the branch to the gore",
        FORK, ("P",), ("E", "W"), (), ("G", "N1", "N2"),
    ),
    "loop": Block("the lot at one end of a loop street's block looks out on three sides, round two bends", LOOP, ("L1",), ("L2",), (), ("N", "S", "W")),
    "loop_named": Block(
        "the same, named", LOOP, ("L1",), ("L2",), (), ("N", "S", "W"),
        streets=(([(0, 120), (-120, 120), (-120, -20), (120, -20), (120, 120), (0, 120)], "Oval Drive", "TOWN"),),
    ),
    "island_in_a_loop": Block("a block that is one lot looks out on all sides", LOOP, ("L1", "L2"), (), (), ("E", "N", "S", "W")),
    "crossing": Block("two streets that cross make a corner: the lot diagonally across is not opposite", CROSSING, ("A",), ("A2", "A3"), (), ("E", "N")),
    "crossing_at_which_the_name_turns": Block(
        "Main Street turns at the crossing, so one street lies on both sides: a bend, and the lot outside it is opposite",
        CROSSING, ("A",), ("A2", "A3"), (), ("D", "E", "N"),
        streets=(([(-400, 130), (130, 130), (130, -400)], "Main Street", "TOWN"), ([(130, 130), (500, 130)], "Oak Street", "TOWN"), ([(130, 130), (130, 500)], "Oak Street", "TOWN")),
    ),
    "alley_at_a_street": Block(
        "an alley of 12 ft runs into a street: a corner, for the street runs on",
        {
            "P": box(0, 0, 100, 100), "W": box(-100, 0, 0, 100), "R": box(0, -100, 100, 0), "Q": box(112, -100, 212, 100),
            **across(-50, 50, 112, 300, y=150),
        },
        ("P",), ("R", "W"), (), ("N1", "N2", "Q"),
    ),
    "across_from_a_stem": Block(
        "on the bar of a T, twice as wide as the stem: both lots at the stem's mouth",
        {
            "P": box(-50, -100, 50, 0), "W": box(-150, -100, -50, 0), "E": box(50, -100, 150, 0), "R": box(-150, -200, 150, -100),
            "NL": box(-150, 50, -25, 150), "NR": box(25, 50, 150, 150),
        },
        ("P",), ("E", "R", "W"), (), ("NL", "NR"),
    ),
    "beside_a_stem": Block(
        "on the stem of a T, behind the corner lot: only across the stem",
        {
            "C": box(-125, 50, -25, 150), "P": box(-125, 150, -25, 250), "B": box(-125, 250, -25, 350), "R": box(-225, 50, -125, 350),
            "C2": box(25, 50, 125, 150), "P2": box(25, 150, 125, 250), "B2": box(25, 250, 125, 350), "S": box(-225, -100, 125, 0),
        },
        ("P",), ("B", "C", "R"), (), ("P2",),
    ),
    "bulb_of_chords": Block(
        "a bulb drawn as chords that turn by 50 degrees is one curve: its radial lines meet the far ends of both neighbors",
        bulb([-60, 40, 140, 240], 50, 1), ("C2",), ("C1", "C3"), (), ("C1", "C3"),
    ),
    "eyebrow": Block(
        "a pocket of 30 ft in the street line, with turns of 56 degrees, belongs to its street",
        {
            "P": _ring((-50, -120), (-50, 0), (-30, -30), (30, -30), (50, 0), (50, -120)), "W": box(-150, -120, -50, 0), "E": box(50, -120, 150, 0),
            "R": box(-150, -220, 150, -120), **across(-150, 0, 150, y=50),
        },
        ("P",), ("E", "R", "W"), (), ("N1", "N2"),
    ),
}  # fmt: skip
BLOCKS = BENDS | CORNERS
