"""One palette: what abuts has one color on the maps, in QGIS and on paper, and what a printer without color prints is told apart."""

import pytest

from geonotice.io.palette import HATCHES, PAINTS, PAPER, Paint
from geonotice.maps.titles_and_badges import LOOKS
from geonotice.packet.notice_gpkg import _STYLES

ON_PAPER = {
    "abutting": "abutting", "premises": "premises", "frontage": "frontage", "water": "water", "street": "streets", "other": "context",
    "layout": "drawn", "route": "parades", "setback": "setback_line", "sign": "sign",
}  # fmt: skip


def ground(paint: Paint) -> str:
    return HATCHES[paint.hatch].ground if paint.hatch else paint.fill


@pytest.mark.parametrize("kind", sorted(PAPER))
def test_paper_has_the_colors_of_the_screen(kind):
    paint = PAINTS[ON_PAPER[kind]]
    assert PAPER[kind].line == paint.stroke
    assert PAPER[kind].fill in {None, ground(paint)}


@pytest.mark.parametrize("kind", ["premises", "abutting", "corner", "opposite", "within", "common_land"])
def test_the_map_and_qgis_take_a_relation_from_the_one_table(kind):
    assert (LOOKS[kind].stroke, LOOKS[kind].fill) == (PAINTS[kind].stroke, PAINTS[kind].fill)
    of_qgis = _STYLES["premises"].paint if kind == "premises" else _STYLES["notice_parcels"].paint.paints[kind][0]
    assert of_qgis is PAINTS[kind]


def test_what_is_notified_is_told_apart_without_color():
    kinds = ("premises", "abutting", "corner", "opposite", "within", "common_land")
    marks = [(h.angle, h.marks) if (h := HATCHES.get(PAINTS[kind].hatch)) else None for kind in kinds]
    assert len(set(marks)) == len(kinds)


def test_abutting_is_blue_everywhere():
    for color in (PAINTS["abutting"].stroke, HATCHES["abutting"].ink, PAPER["abutting"].line):
        red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
        assert blue > red
        assert blue > green
