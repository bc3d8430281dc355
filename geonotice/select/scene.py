"""All that was given and measured of one premises, before it is put together as an answer."""

from collections.abc import Sequence
from typing import NamedTuple

from geonotice.select.abutting import Abutter
from geonotice.select.lot_lines import GeometryArray
from geonotice.select.opposite import Across, OppositeBy, Sight, gap_ft
from geonotice.select.streets import Facing, InsideRoad, StreetAbutted, StreetLayer

__all__ = ["Scene"]


class Scene(NamedTuple):
    """All that was given and measured of one premises."""

    premises: GeometryArray
    geometries: GeometryArray
    roles: GeometryArray
    streets: StreetLayer
    water: GeometryArray
    tolerance_ft: float
    look_beyond_ft: float
    view: Sight
    beside: tuple[Abutter, ...]
    across: tuple[Across, ...]
    faced: Sequence[Sequence[Facing]]
    inside: tuple[InsideRoad, ...]
    abutted: tuple[StreetAbutted, ...]
    railroads: tuple[StreetAbutted, ...]
    by: OppositeBy = "extension"

    @property
    def gap_ft(self) -> float:
        """Width up to which a space between two lots is a gap, not a right-of-way."""
        return gap_ft(self.tolerance_ft)
