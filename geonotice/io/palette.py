"""One table of colors, dashes and hatches for everything that draws: the maps in the browser, QGIS and paper.

Colors are of the Okabe and Ito set, told apart by color-blind readers; every kind that is notified also has a hatch or a dash of its own, so that
a black-and-white print shows the same. What a kind is called on a map is not here: a map names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["DISTRICT_FILLS", "HATCHES", "PAINTS", "PAPER", "Hatch", "Ink", "Paint"]


@dataclass(frozen=True, slots=True)
class Hatch:
    """A pattern: marks in ``ink`` on a ``ground``; a ground of ``none`` lets what lies below be seen.

    Parameters
    ----------
    angle
        How far the pattern is turned, clockwise, in degrees. Stripes stand upright before they are turned.
    size
        The distance from mark to mark, in pixels.
    width
        Of a stripe; the radius of a dot.
    marks
        ``rungs`` lie flat before they are turned; ``crossed`` has both.
    """

    angle: int
    size: int
    ground: str
    ink: str
    width: float
    marks: Literal["stripes", "rungs", "crossed", "dots"] = "stripes"


HATCHES: Mapping[str, Hatch] = {
    "premises": Hatch(45, 8, "#f4b183", "#9c3c00", 1.6, "crossed"),
    "abutting": Hatch(45, 7, "#cfe4f3", "#0072b2", 1.8),
    "corner": Hatch(0, 7, "#e3f1fb", "#0072b2", 1.5, "dots"),
    "opposite": Hatch(135, 7, "#cdebdf", "#009e73", 1.8),
    "common": Hatch(90, 8, "#ece3f2", "#6a3d8a", 1.6),
    "near": Hatch(0, 10, "#f7f7f5", "#8b919b", 0.9, "dots"),
    "railroad": Hatch(0, 8, "#e9e9ea", "#4a4f57", 1.6),
    "area": Hatch(90, 5, "none", "#7a2e00", 1),
    "capped": Hatch(45, 8, "#eeb39b", "#a32d00", 2.2, "crossed"),
    "charity": Hatch(45, 8, "#f3c9b8", "#a32d00", 1.6),
    "last": Hatch(45, 8, "#fbe6b8", "#b07a00", 2),
    "decide": Hatch(0, 8, "#ece3f2", "#6a3d8a", 1.6, "dots"),
    "setback": Hatch(45, 9, "none", "#7a0177", 1),
    "inside": Hatch(135, 7, "#f6d5d8", "#a00020", 2),
    "parking": Hatch(0, 10, "#f3f1fa", "#8577b5", 1.2),
    "unknown": Hatch(20, 14, "#ffffff", "#9c2f00", 1),
    "exempt": Hatch(0, 8, "#e4e9ee", "#5a6473", 1.6, "rungs"),
    "excluded": Hatch(45, 7, "#dcdcda", "#6b6f76", 1.2, "crossed"),
}


@dataclass(frozen=True, slots=True)
class Paint:
    """How one kind of thing is drawn on a screen: an outline ``weight`` pixels wide, and a fill or a hatch of :data:`HATCHES`.

    ``dash`` is the outline's, in pixels, as SVG writes it; empty for a solid line.
    """

    stroke: str
    weight: float = 1.0
    fill: str = ""
    opacity: float = 1.0
    hatch: str = ""
    dash: str = ""


PAINTS: Mapping[str, Paint] = {
    # The notice
    "premises": Paint("#7a2e00", 3, hatch="premises"),
    "abutting": Paint("#00507d", 1.8, hatch="abutting"),
    "corner": Paint("#00507d", 1.8, hatch="corner"),
    "opposite": Paint("#00664a", 1.8, hatch="opposite"),
    "within": Paint("#7d5f00", 1.4, fill="#f7e2a0", opacity=0.85),
    "common_land": Paint("#6a3d8a", 1.6, hatch="common"),
    "no_parcels": Paint("#9c2f00", 1, hatch="unknown", dash="3 3"),
    "near_miss": Paint("#555c66", 1.4, hatch="near", dash="6 4"),
    "radius": Paint("#b3125f", 2, dash="10 5 2 5"),
    "chosen": Paint("#111827", 4.5, fill="#ffd84d", opacity=0.45),
    # The town's layers
    "context": Paint("#aab0b9", 0.8, fill="#ffffff"),
    "lots": Paint("#b9bec6", 0.7, fill="#ffffff"),
    "right_of_way": Paint("#8b919b", 0.8, fill="#e3e5e8", dash="2 2"),
    "railroad": Paint("#4a4f57", 1, hatch="railroad"),
    "water_parcel": Paint("#5d93b8", 0.8, fill="#d6e8f3"),
    "streets": Paint("#767e8a", 2.2),
    "railroads": Paint("#3a3f47", 2.4, dash="8 5"),
    "water": Paint("#5d93b8", 0.8, fill="#cfe3f0", opacity=0.9),
    "municipalities": Paint("#5b2a6e", 2.6, dash="14 4 3 4"),
    "zoning": Paint("#8d8256", 1.4, fill="#efe6c4", opacity=0.55, dash="3 3"),
    "address_points": Paint("#7f0000", 1, fill="#d7301f"),
    "municipality_line": Paint("#5b2a6e", 1.6, dash="2 5"),
    "parades": Paint("#b3125f", 5, dash="9 6"),
    # What is left of a year's permits on a parcel
    "none_left": Paint("#7a2400", 1.8, hatch="capped"),
    "charity_left": Paint("#7a2400", 1.8, hatch="charity", dash="6 3"),
    "one_left": Paint("#7d5f00", 1.6, hatch="last"),
    "several_left": Paint("#00664a", 1.4, fill="#dff3ea"),
    "official_decides": Paint("#6a3d8a", 1.6, hatch="decide"),
    "no_cap": Paint("#5a6473", 1.4, hatch="exempt"),
    # Where in town: the rank of a lot that passes, the best first, and the lots that do not
    "rank_1": Paint("#6b7480", 0.7, fill="#08519c"),
    "rank_2": Paint("#6b7480", 0.7, fill="#3182bd"),
    "rank_3": Paint("#6b7480", 0.7, fill="#6baed6"),
    "rank_4": Paint("#6b7480", 0.7, fill="#9ecae1"),
    "rank_5": Paint("#6b7480", 0.7, fill="#cfe1f2"),
    "rank_unknown": Paint("#6b7480", 0.7, hatch="unknown"),
    "passing_undecided": Paint("#6a3d8a", 0.7, hatch="decide"),
    "ruled_out": Paint("#6b7480", 0.7, fill="#f6f5f0"),
    "spoken_against": Paint("#6b7480", 0.7, hatch="excluded"),
    # Why a parcel is on the list
    "extension": Paint("#b3125f", 1.8, dash="7 4"),
    "across": Paint("#00664a", 1.2, dash="1 3"),
    "straight_across": Paint("#b3125f", 1.6, dash="2 5"),
    "shared_run": Paint("#00507d", 4.5),
    "frontage": Paint("#00664a", 4.5, dash="1 6"),
    "corner_point": Paint("#00507d", 2.5, fill="#ffffff"),
    "nearest": Paint("#8a9099", 0.9, dash="1 5"),  # pale: it is there to be looked up, and must not cross the map
    "boundary": Paint("#5b2a6e", 2.2, dash="4 3"),
    "sign": Paint("#b3125f", 3, fill="#ffffff"),
    "event_area": Paint("#7a2e00", 1.5, hatch="area", dash="4 2"),
    "other_evidence": Paint("#3a3f47", 2, dash="1 4"),
    # The applicant's drawing
    "site_premises": Paint("#7a2e00", 3, fill="#fbe3d0"),
    "setback_line": Paint("#7a0177", 2.4, dash="9 5"),
    "setback_ground": Paint("#7a0177", 0, hatch="setback"),
    "drawn_too_near": Paint("#a00020", 3.2, hatch="inside"),
    "drawn": Paint("#33236b", 2, fill="#ffffff"),
    "parking": Paint("#33236b", 1.4, hatch="parking", dash="5 3"),
}

DISTRICT_FILLS = ("#f3e3b5", "#d9e8c8", "#f5d3c4", "#d5dff0", "#e8d5ea", "#cfe9e5", "#eee0cf", "#e0e0d0")
"""Fills of zoning districts, taken in turn; the district's code is written on each, and a dotted line parts them."""


@dataclass(frozen=True, slots=True)
class Ink:
    """How one kind of thing is printed: a line ``width_pt`` wide, and a fill; None for none."""

    fill: str | None
    line: str
    width_pt: float
    dashes: tuple[int, ...] | None = None


def _printed(paint: str, width_pt: float, dashes: tuple[int, ...] | None = None, *, filled: bool = True) -> Ink:
    """Return a kind as paper has it: in the colors of the screen, without its hatch."""
    of = PAINTS[paint]
    return Ink((HATCHES[of.hatch].ground if of.hatch else of.fill) if filled else None, of.stroke, width_pt, dashes)


PAPER: Mapping[str, Ink] = {
    "other": _printed("context", 0.4),
    "abutting": _printed("abutting", 0.8),
    "water": _printed("water", 0.4),
    "street": _printed("streets", 0.6, filled=False),
    "premises": _printed("premises", 1.8),
    "frontage": _printed("frontage", 3.2, filled=False),
    "layout": _printed("drawn", 0.9),
    "route": _printed("parades", 2.6, (7, 4), filled=False),
    "setback": _printed("setback_line", 0.9, (4, 2), filled=False),
    "sign": _printed("sign", 2.0),
}
"""The colors of the screen without hatches: names are printed over them, often by an office printer without color.

In the order of drawing. Lines differ in width and dashes too.
"""
