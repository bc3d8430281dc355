"""QGIS styles (QML) for the layers of a notice's GeoPackage, and the table that QGIS finds them in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import quoteattr

__all__ = ["STYLES_TABLE", "Look", "qml", "style_row"]

STYLES_TABLE = """
CREATE TABLE layer_styles (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256),
  f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30),
  ui TEXT(30), update_time DATETIME
)
"""
"""The table as QGIS creates it."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one kind of feature is drawn: fill and outline as ``r,g,b,a``, the outline's width in millimetres."""

    fill: str
    outline: str
    width_mm: float = 0.4
    dashed: bool = False


def qml(
    shape: Literal["fill", "line", "marker"],
    looks: Mapping[str, Look],
    *,
    attribute: str = "",
    label: str = "",
) -> str:
    """Write a style: one look for all, or one for each value of ``attribute``; ``label`` is the field that names a feature on the map."""
    symbols = "".join(_symbol(number, shape, look) for number, look in enumerate(looks.values()))
    if attribute:
        categories = "".join(
            f'<category symbol="{number}" value={quoteattr(value)} label={quoteattr(value)} render="true" type="string"/>'
            for number, value in enumerate(looks)
        )
        renderer = f'<renderer-v2 type="categorizedSymbol" attr={quoteattr(attribute)}><categories>{categories}</categories><symbols>{symbols}</symbols></renderer-v2>'
    else:
        renderer = f'<renderer-v2 type="singleSymbol"><symbols>{symbols}</symbols></renderer-v2>'
    labeling = ""
    if label:
        labeling = (
            f'<labeling type="simple"><settings><text-style fieldName={quoteattr(label)} fontSize="8" textColor="40,40,40,255"/>'
            "</settings></labeling>"
        )
    return (
        '<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">'
        f'<qgis version="3.22" styleCategories="Symbology|Labeling" labelsEnabled="{int(bool(label))}">{renderer}{labeling}</qgis>'
    )


def _symbol(number: int, shape: str, look: Look) -> str:
    line = "dash" if look.dashed else "solid"
    layer, properties = {
        "fill": ("SimpleFill", {"color": look.fill, "outline_color": look.outline, "outline_width": f"{look.width_mm}", "outline_style": line, "style": "solid"}),
        "line": ("SimpleLine", {"line_color": look.outline, "line_width": f"{look.width_mm}", "line_style": line}),
        "marker": ("SimpleMarker", {"color": look.fill, "outline_color": look.outline, "size": "2.5", "name": "circle"}),
    }[shape]  # fmt: skip
    options = "".join(f'<Option name="{name}" type="QString" value="{value}"/>' for name, value in properties.items())
    older = "".join(f'<prop k="{name}" v="{value}"/>' for name, value in properties.items())  # QGIS before 3.18 reads these
    return f'<symbol name="{number}" type="{shape}" alpha="1"><layer class="{layer}" enabled="1" pass="0"><Option type="Map">{options}</Option>{older}</layer></symbol>'


def style_row(layer: str, style: str, *, updated: str) -> Sequence[object]:
    """Give a row of the table for a layer whose geometry column is ``geom``."""
    return (None, "", "", layer, "geom", layer, style, "", 1, "", "", "", updated)
