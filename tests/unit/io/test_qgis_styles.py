"""Tests of the palette, and of the styles for QGIS that are written from it."""

import sqlite3
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest

from geonotice.io.palette import HATCHES, PAINTS, Paint
from geonotice.io.qgis_styles import Classes, LayerStyle, add_styles, qml, shape_of_type
from geonotice.maps.titles_and_badges import LOOKS, patterns


def read(style: LayerStyle) -> ET.Element:
    return ET.fromstring(qml(style))  # noqa: S314  # our own text


def options(element: ET.Element) -> dict[str, str]:
    return {one.get("name", ""): one.get("value", "") for one in element.findall("Option/Option")}


def rgb(color: str) -> str:
    return ",".join(str(int(color[place : place + 2], 16)) for place in (1, 3, 5))


def test_every_hatch_that_a_paint_names_is_in_the_table():
    assert {paint.hatch for paint in PAINTS.values() if paint.hatch} == set(HATCHES)


@pytest.mark.parametrize("kind", ["premises", "abutting", "corner", "opposite", "within", "common_land", "near_miss"])
def test_a_kind_has_the_same_colors_in_qgis_as_on_the_map(kind: str):
    look = LOOKS[kind]
    layers = read(LayerStyle("any", "fill", PAINTS[kind])).findall("renderer-v2/symbols/symbol/layer")
    assert options(layers[-1])["outline_color"] == f"{rgb(look.stroke)},255"
    if not look.hatch:
        assert options(layers[0])["color"].startswith(rgb(look.fill))
        return
    hatch = HATCHES[look.hatch.removeprefix("hatch-")]
    assert f'<rect width="{hatch.size}" height="{hatch.size}" fill="{hatch.ground}"/>' in patterns()
    assert options(layers[0])["color"] == f"{rgb(hatch.ground)},255"
    marks = [options(layer) for one in layers[1:-1] for layer in one.iter("layer") if layer.get("class", "").startswith("Simple")]
    assert {mark.get("line_color") or mark["color"] for mark in marks} == {f"{rgb(hatch.ink)},255"}
    assert len(marks) == (2 if hatch.marks == "crossed" else 1)


def test_stripes_that_rise_on_the_map_rise_in_qgis():
    def angles(kind: str) -> list[str]:
        found = read(LayerStyle("any", "fill", PAINTS[kind])).iter("layer")
        return [options(one)["angle"] for one in found if one.get("class") == "LinePatternFill"]

    assert (angles("abutting"), angles("opposite"), angles("common_land")) == (["45"], ["135"], ["0"])
    assert angles("premises") == ["45", "135"]


def test_a_fill_that_shows_what_is_below_and_a_dashed_line():
    paint = Paint("#102030", 2, fill="#ffffff", opacity=0.5, dash="6 4")
    (fill,) = read(LayerStyle("any", "fill", paint, 0.5)).iter("layer")
    assert options(fill) | {"color": "255,255,255,64", "outline_style": "dash"} == options(fill)
    (line,) = read(LayerStyle("any", "line", paint)).iter("layer")
    assert options(line)["customdash"] == "1.56;1.04"


def test_styles_are_listed_in_the_file_with_their_time():
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE gpkg_contents (table_name, data_type, identifier, description, last_change)")
        classes = Classes("role", {"lot": (PAINTS["lots"], "Lot"), "railroad": (PAINTS["railroad"], "Railroad & yard")})
        add_styles(db, [LayerStyle("parcels", "fill", classes, label="id")], updated="2026-07-04T00:00:00.000Z")
        (row,) = db.execute(
            "SELECT f_table_name, f_geometry_column, styleQML, styleSLD, useAsDefault, update_time FROM layer_styles"
        )
        assert row[:2] == ("parcels", "geom")
        assert row[4:] == (1, "2026-07-04T00:00:00.000Z")
        assert [(one.get("value"), one.get("label")) for one in ET.fromstring(row[2]).iter("category")] == [  # noqa: S314
            ("lot", "Lot"),
            ("railroad", "Railroad & yard"),
        ]
        assert len(list(ET.fromstring(row[3]).iter("{http://www.opengis.net/sld}Rule"))) == 2  # noqa: S314
        assert db.execute("SELECT table_name, last_change FROM gpkg_contents").fetchall() == [
            ("layer_styles", "2026-07-04T00:00:00.000Z")
        ]


def test_what_a_type_of_geometry_is_drawn_as():
    types = ("MULTIPOLYGON", "LineString", "POINT", "GEOMETRY")
    assert [shape_of_type(kind, otherwise="line") for kind in types] == ["fill", "line", "marker", "line"]
