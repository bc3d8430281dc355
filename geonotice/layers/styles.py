"""How the store looks in QGIS: a style for each layer, parcels colored by their role."""

from typing import TYPE_CHECKING

from geonotice.io.palette import PAINTS
from geonotice.io.qgis_styles import Classes, LayerStyle, shape_of_type

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["UPDATED", "store_styles"]

UPDATED = "2026-01-01T00:00:00.000Z"
"""The time of the styles: a constant, so that the same sources make the same store."""

_ROLES = Classes(
    "role",
    {
        "lot": (PAINTS["lots"], "Lot"),
        "right_of_way": (PAINTS["right_of_way"], "Right-of-way"),
        "railroad": (PAINTS["railroad"], "Railroad"),
        "water": (PAINTS["water_parcel"], "Water"),
    },
)
_LINES = {"streets", "railroads", "water"}
_NAMES_FROM_SCALE = 5000
"""Numbers of all the town's parcels are legible from this scale on."""


def store_styles(layers: "Mapping[str, str]") -> list[LayerStyle]:
    """Return a style for each layer of a store, by its name and its type of geometry (``MULTIPOLYGON``, ``POINT`` …)."""
    made = []
    for name, geometry in layers.items():
        shape = shape_of_type(geometry, otherwise="line" if name in _LINES else "fill")
        if name == "parcels":
            made.append(LayerStyle(name, shape, _ROLES, label="id", label_size=7, label_scale=_NAMES_FROM_SCALE))
        else:
            made.append(LayerStyle(name, shape, PAINTS.get(name, PAINTS["context"])))
    return made
