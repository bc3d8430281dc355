"""The town's other layers under a map of a few parcels: districts, water, boundaries, streets, railroads."""

from typing import TYPE_CHECKING

from geonotice.webmap.drawing import DISTRICT_FILLS, LOOKS

if TYPE_CHECKING:
    from geonotice.webmap.layering import Sheet
    from geonotice.webmap.values import MapFeature, MapLayers

__all__ = ["draw_background"]


def draw_background(sheet: "Sheet", layers: "MapLayers") -> None:
    """Draw the layers that there are, each with its words and labels."""
    if layers.zoning:
        codes = sorted({feature.label for feature in layers.zoning})
        fills = {code: DISTRICT_FILLS[n % len(DISTRICT_FILLS)] for n, code in enumerate(codes)}
        styles = {n: {"fillColor": fills[feature.label]} for n, feature in enumerate(layers.zoning)}
        sheet.add_features("zoning", LOOKS["zoning"], layers.zoning, pane="ground", styles=styles)
    for kind, pane in (("water", "ground"), ("municipalities", "municipal"), ("streets", "ways"), ("railroads", "ways")):
        features: tuple[MapFeature, ...] = getattr(layers, kind)
        if features:
            sheet.add_features(kind, LOOKS[kind], features, pane=pane)
