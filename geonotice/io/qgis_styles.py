"""Styles for QGIS, in the table ``layer_styles`` of a GeoPackage: the palette's paints as QML, and as SLD for other programs."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from geonotice.io.palette import HATCHES, Hatch, Paint

__all__ = ["Classes", "LayerStyle", "Shape", "add_styles", "qml", "shape_of_type"]

Shape = Literal["fill", "line", "marker"]

_MM = 0.26
"""A pixel on a screen, in millimeters, which QGIS measures in."""

_TABLE = """
CREATE TABLE layer_styles (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256),
  f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30),
  ui TEXT(30), update_time DATETIME
)
"""
"""The table as QGIS creates it."""


@dataclass(frozen=True, slots=True)
class Classes:
    """One paint for each value of a column, and what the legend calls it."""

    column: str
    paints: Mapping[str, tuple[Paint, str]]


@dataclass(frozen=True, slots=True)
class LayerStyle:
    """How QGIS draws a layer when it is opened.

    Parameters
    ----------
    layer
        The table; its geometry column is ``geom``.
    paint
        One look for all, or one for each value of a column.
    opacity
        Of the fills, beside the paint's own: below 1, an aerial photograph shows through.
    label
        The column that names a feature on the map; empty for none.
    label_scale
        The smallest scale that names are written at, as its denominator; 0 for any.
    """

    layer: str
    shape: Shape
    paint: Paint | Classes
    opacity: float = 1.0
    label: str = ""
    label_size: int = 8
    label_scale: int = 0


def shape_of_type(geometry_type: str, *, otherwise: Shape) -> Shape:
    """Return what a geometry type such as ``MULTIPOLYGON`` is drawn as; ``otherwise`` where it tells nothing."""
    kinds: tuple[tuple[str, Shape], ...] = (("POLYGON", "fill"), ("LINE", "line"), ("POINT", "marker"))
    return next((shape for sign, shape in kinds if sign in geometry_type.upper()), otherwise)


def add_styles(db: sqlite3.Connection, styles: Iterable[LayerStyle], *, updated: str) -> None:
    """Add the table of styles to a GeoPackage that has none, and list it.

    Parameters
    ----------
    updated
        The time of the styles, ``2026-07-04T00:00:00.000Z``: an argument, so that the same input makes the same file.
    """
    db.execute(_TABLE)
    rows = [(None, "", "", style.layer, "geom", style.layer, qml(style), _sld(style), 1, "", "", "", updated) for style in styles]
    db.executemany(f"INSERT INTO layer_styles VALUES ({', '.join('?' * 13)})", rows)  # noqa: S608  # marks only
    db.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change)"
        " VALUES ('layer_styles', 'attributes', 'layer_styles', 'the styles QGIS opens the layers with', ?)",
        (updated,),
    )


def qml(style: LayerStyle) -> str:
    """Write a style as QGIS reads it (QML 3.22)."""
    root = ET.Element("qgis", version="3.22.0", styleCategories="Symbology|Labeling", labelsEnabled=str(int(bool(style.label))))
    kind = "categorizedSymbol" if isinstance(style.paint, Classes) else "singleSymbol"
    renderer = ET.SubElement(root, "renderer-v2", type=kind, enableorderby="0", forceraster="0", symbollevels="0")
    if isinstance(style.paint, Classes):
        renderer.set("attr", style.paint.column)
        categories = ET.SubElement(renderer, "categories")
        for number, (value, (_, title)) in enumerate(style.paint.paints.items()):
            ET.SubElement(categories, "category", value=value, symbol=str(number), label=title, render="true", type="string")
    symbols = ET.SubElement(renderer, "symbols")
    for number, (_, paint, _) in enumerate(_paints(style)):
        _symbol(symbols, str(number), style, paint)
    if style.label:
        labels = ET.SubElement(ET.SubElement(root, "labeling", type="simple"), "settings", calloutType="simple")
        size = str(style.label_size)
        ET.SubElement(labels, "text-style", fieldName=style.label, fontSize=size, textColor="40,40,40,255", isExpression="0")
        if style.label_scale:
            scale = str(style.label_scale)
            ET.SubElement(labels, "rendering", scaleVisibility="1", scaleMin=scale, scaleMax="0", drawLabels="1")
    return "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n" + ET.tostring(root, encoding="unicode")


def _paints(style: LayerStyle) -> Sequence[tuple[str, Paint, str]]:
    """Return each value of a style with its paint and its title; of a single look, both are empty."""
    if isinstance(style.paint, Classes):
        return [(value, paint, title) for value, (paint, title) in style.paint.paints.items()]
    return [("", style.paint, "")]


def _symbol(symbols: ET.Element, name: str, style: LayerStyle, paint: Paint) -> None:
    symbol = ET.SubElement(symbols, "symbol", name=name, type=style.shape, alpha="1", clip_to_extent="1", force_rhr="0")
    outline = _rgba(paint.stroke)
    if style.shape == "line":
        _layer(symbol, "SimpleLine", {"line_color": outline, "line_width": _mm(paint.weight), **_dash(paint)})
        return
    if style.shape == "marker":
        color = _rgba(paint.fill or paint.stroke)
        _layer(symbol, "SimpleMarker", {"color": color, "outline_color": outline, "name": "circle", "size": "1.4"})
        return
    hatch = HATCHES.get(paint.hatch)
    ground = "" if hatch is not None and hatch.ground == "none" else hatch.ground if hatch is not None else paint.fill
    fill = {"color": _rgba(ground or "#ffffff", paint.opacity * style.opacity), "style": "solid" if ground else "no"}
    line = {"outline_color": outline, "outline_width": _mm(paint.weight), "outline_style": "dash" if paint.dash else "solid"}
    if hatch is None:
        _layer(symbol, "SimpleFill", fill | line)
        return
    _layer(symbol, "SimpleFill", fill | {"outline_style": "no"})
    _marks(symbol, name, hatch)
    _layer(symbol, "SimpleFill", {"style": "no"} | line)


def _marks(symbol: ET.Element, name: str, hatch: Hatch) -> None:
    """Draw the marks of a hatch; each layer of a pattern has a symbol of its own within it, for one mark."""
    apart = _mm(hatch.size)
    if hatch.marks == "dots":
        pattern = _layer(symbol, "PointPatternFill", {"distance_x": apart, "distance_y": apart})
        dot = ET.SubElement(pattern, "symbol", name=f"@{name}@1", type="marker", alpha="1", clip_to_extent="1", force_rhr="0")
        size = _mm(hatch.width * 2)
        _layer(dot, "SimpleMarker", {"color": _rgba(hatch.ink), "outline_style": "no", "name": "circle", "size": size})
        return
    # A hatch counts clockwise from an upright stripe, QGIS the other way from a flat one.
    upright, flat = (90 - hatch.angle) % 180, -hatch.angle % 180
    angles = {"stripes": (upright,), "rungs": (flat,), "crossed": (upright, flat)}[hatch.marks]
    for number, angle in enumerate(angles, start=1):
        pattern = _layer(symbol, "LinePatternFill", {"angle": str(angle), "distance": apart})
        line = ET.SubElement(
            pattern, "symbol", name=f"@{name}@{number}", type="line", alpha="1", clip_to_extent="1", force_rhr="0"
        )
        _layer(line, "SimpleLine", {"line_color": _rgba(hatch.ink), "line_width": _mm(hatch.width), "line_style": "solid"})


def _layer(symbol: ET.Element, kind: str, options: Mapping[str, str]) -> ET.Element:
    layer = ET.SubElement(symbol, "layer", {"class": kind, "enabled": "1", "locked": "0", "pass": "0"})
    listed = ET.SubElement(layer, "Option", type="Map")
    for key, value in options.items():
        ET.SubElement(listed, "Option", name=key, value=value, type="QString")
        ET.SubElement(layer, "prop", k=key, v=value)  # QGIS before 3.18 reads these
    return layer


def _dash(paint: Paint) -> dict[str, str]:
    if not paint.dash:
        return {"line_style": "solid"}
    parts = ";".join(_mm(float(part)) for part in paint.dash.split())
    return {"line_style": "solid", "use_custom_dash": "1", "customdash": parts}


def _mm(pixels: float) -> str:
    return f"{pixels * _MM:.2f}"


def _rgba(color: str, opacity: float = 1.0) -> str:
    """Write ``#rrggbb`` as QGIS does: 247,243,232,255."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"{red},{green},{blue},{round(255 * opacity)}"


# -- SLD -----------------------------------------------------------------------------------------------------------------------


def _sld(style: LayerStyle) -> str:
    space = {"xmlns": "http://www.opengis.net/sld", "xmlns:ogc": "http://www.opengis.net/ogc", "version": "1.0.0"}
    root = ET.Element("StyledLayerDescriptor", space)
    named = ET.SubElement(root, "NamedLayer")
    ET.SubElement(named, "Name").text = style.layer
    made = ET.SubElement(ET.SubElement(named, "UserStyle"), "FeatureTypeStyle")
    for value, paint, title in _paints(style):
        rule = ET.SubElement(made, "Rule")
        if isinstance(style.paint, Classes):
            ET.SubElement(rule, "Name").text = title
            equal = ET.SubElement(ET.SubElement(rule, "ogc:Filter"), "ogc:PropertyIsEqualTo")
            ET.SubElement(equal, "ogc:PropertyName").text = style.paint.column
            ET.SubElement(equal, "ogc:Literal").text = value
        _symbolizer(rule, style, paint)
    return ET.tostring(root, encoding="unicode")


def _symbolizer(rule: ET.Element, style: LayerStyle, paint: Paint) -> None:
    """Write a paint for programs other than QGIS: a hatch is its ground, because few read patterns."""
    if style.shape == "marker":
        mark = ET.SubElement(ET.SubElement(ET.SubElement(rule, "PointSymbolizer"), "Graphic"), "Mark")
        ET.SubElement(mark, "WellKnownName").text = "circle"
        ET.SubElement(ET.SubElement(mark, "Fill"), "CssParameter", name="fill").text = paint.fill or paint.stroke
        return
    symbolizer = ET.SubElement(rule, "PolygonSymbolizer" if style.shape == "fill" else "LineSymbolizer")
    ground = HATCHES[paint.hatch].ground if paint.hatch else paint.fill
    if style.shape == "fill" and ground not in {"", "none"}:
        fill = ET.SubElement(symbolizer, "Fill")
        ET.SubElement(fill, "CssParameter", name="fill").text = ground
        if paint.opacity * style.opacity != 1:
            ET.SubElement(fill, "CssParameter", {"name": "fill-opacity"}).text = f"{paint.opacity * style.opacity:.2f}"
    ET.SubElement(ET.SubElement(symbolizer, "Stroke"), "CssParameter", name="stroke").text = paint.stroke
