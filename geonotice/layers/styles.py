"""How the store looks in QGIS: a style for each layer, parcels coloured by their role."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["StyleRows", "style_rows"]

_COLUMNS = (
    "f_table_catalog", "f_table_schema", "f_table_name", "f_geometry_column", "styleName", "styleQML", "styleSLD", "useAsDefault", "description",
    "owner", "ui", "update_time",
)  # fmt: skip
"""The columns of ``layer_styles`` as QGIS reads it."""

_ROLES = {
    "lot": ("#f7f3e8", "Lot"),
    "right_of_way": ("#d9d9d9", "Right-of-way"),
    "railroad": ("#b8a9c9", "Railroad"),
    "water": ("#a6cee3", "Water"),
}
_PLAIN = {
    "zoning": ("#e8d5a3", "#8a6d1f"),
    "municipalities": ("#00000000", "#7b3294"),
    "streets": ("", "#6b6b6b"),
    "railroads": ("", "#3a3a3a"),
    "water": ("#a6cee3", "#4a90b8"),
    "address_points": ("#d7301f", "#7f0000"),
}
_FROM = "2026-01-01T00:00:00.000Z"
"""The time of the styles: a constant, so that the same sources make the same store."""


@dataclass(frozen=True, slots=True)
class StyleRows:
    """The rows of ``layer_styles``."""

    columns: tuple[str, ...]
    values: tuple[tuple[object, ...], ...]


def style_rows(layers: "Sequence[tuple[str, str]]") -> StyleRows:
    """Return the rows of ``layer_styles`` for the layers: name and type of geometry (``MULTIPOLYGON``, ``POINT`` …) of each."""
    rows = []
    for name, geometry in layers:
        shape = (
            "fill"
            if "POLYGON" in geometry
            else "line"
            if "LINE" in geometry
            else "marker"
            if "POINT" in geometry
            else _guess(name)
        )
        classes = [(value, color, label) for value, (color, label) in _ROLES.items()] if name == "parcels" else []
        color, stroke = _PLAIN.get(name, ("#ffffff", "#7a7a7a"))
        qml = _qml(shape, color, stroke, classes, label="id" if name == "parcels" else "")
        sld = _sld(name, shape, color, stroke, classes)
        rows.append(("", "", name, "geom", "geonotice", qml, sld, 1, "", "", "", _FROM))
    return StyleRows(_COLUMNS, tuple(rows))


def _guess(name: str) -> str:
    return "line" if name in {"streets", "railroads", "water"} else "fill"


def _rgba(color: str) -> str:
    """Write ``#rrggbb`` or ``#rrggbbaa`` as QGIS does: 247,243,232,255."""
    digits = color.lstrip("#")
    parts = [int(digits[place : place + 2], 16) for place in range(0, len(digits), 2)]
    return ",".join(str(part) for part in (*parts, 255)[:4])


def _qml(shape: str, color: str, stroke: str, classes: "Sequence[tuple[str, str, str]]", *, label: str) -> str:
    root = ET.Element("qgis", version="3.22.0", styleCategories="Symbology|Labeling", labelsEnabled="1" if label else "0")
    kind = "categorizedSymbol" if classes else "singleSymbol"
    renderer = ET.SubElement(root, "renderer-v2", type=kind, enableorderby="0", forceraster="0", symbollevels="0")
    if classes:
        renderer.set("attr", "role")
        categories = ET.SubElement(renderer, "categories")
        for place, (value, _, text) in enumerate(classes):
            ET.SubElement(categories, "category", value=value, symbol=str(place), label=text, render="true", type="string")
    symbols = ET.SubElement(renderer, "symbols")
    for place, fill in enumerate([item[1] for item in classes] or [color]):
        _symbol(symbols, str(place), shape, fill, stroke)
    if label:
        labels = ET.SubElement(ET.SubElement(root, "labeling", type="simple"), "settings", calloutType="simple")
        ET.SubElement(labels, "text-style", fieldName=label, fontSize="7", textColor="60,60,60,255", isExpression="0")
        ET.SubElement(labels, "rendering", scaleVisibility="1", scaleMin="5000", scaleMax="0", drawLabels="1")
    return "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n" + ET.tostring(root, encoding="unicode")


def _symbol(symbols: ET.Element, name: str, shape: str, color: str, stroke: str) -> None:
    symbol = ET.SubElement(symbols, "symbol", name=name, type=shape, alpha="1", clip_to_extent="1", force_rhr="0")
    made = {
        "fill": (
            "SimpleFill",
            {"color": color and _rgba(color), "outline_color": _rgba(stroke), "outline_width": "0.2", "style": "solid"},
        ),
        "line": ("SimpleLine", {"line_color": _rgba(stroke), "line_width": "0.4", "line_style": "solid"}),
        "marker": (
            "SimpleMarker",
            {"color": color and _rgba(color), "outline_color": _rgba(stroke), "name": "circle", "size": "1.4"},
        ),
    }
    kind, options = made[shape]
    layer = ET.SubElement(symbol, "layer", {"class": kind, "enabled": "1", "locked": "0", "pass": "0"})
    listed = ET.SubElement(layer, "Option", type="Map")
    for key, value in options.items():
        ET.SubElement(listed, "Option", name=key, value=value, type="QString")
        ET.SubElement(layer, "prop", k=key, v=value)


def _sld(name: str, shape: str, color: str, stroke: str, classes: "Sequence[tuple[str, str, str]]") -> str:
    space = {"xmlns": "http://www.opengis.net/sld", "xmlns:ogc": "http://www.opengis.net/ogc", "version": "1.0.0"}
    root = ET.Element("StyledLayerDescriptor", space)
    named = ET.SubElement(root, "NamedLayer")
    ET.SubElement(named, "Name").text = name
    style = ET.SubElement(ET.SubElement(named, "UserStyle"), "FeatureTypeStyle")
    for value, fill, label in classes or [("", color, "")]:
        rule = ET.SubElement(style, "Rule")
        if label:
            ET.SubElement(rule, "Name").text = label
            equal = ET.SubElement(ET.SubElement(rule, "ogc:Filter"), "ogc:PropertyIsEqualTo")
            ET.SubElement(equal, "ogc:PropertyName").text = "role"
            ET.SubElement(equal, "ogc:Literal").text = value
        _symbolizer(rule, shape, fill, stroke)
    return ET.tostring(root, encoding="unicode")


def _symbolizer(rule: ET.Element, shape: str, color: str, stroke: str) -> None:
    if shape == "marker":
        mark = ET.SubElement(ET.SubElement(ET.SubElement(rule, "PointSymbolizer"), "Graphic"), "Mark")
        ET.SubElement(mark, "WellKnownName").text = "circle"
        ET.SubElement(ET.SubElement(mark, "Fill"), "CssParameter", name="fill").text = color[:7]
        return
    symbolizer = ET.SubElement(rule, "PolygonSymbolizer" if shape == "fill" else "LineSymbolizer")
    if shape == "fill" and len(color) == 7:  # noqa: PLR2004  # #rrggbb: not transparent
        ET.SubElement(ET.SubElement(symbolizer, "Fill"), "CssParameter", name="fill").text = color
    ET.SubElement(ET.SubElement(symbolizer, "Stroke"), "CssParameter", name="stroke").text = stroke[:7]
