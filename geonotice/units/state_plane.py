"""The State-plane zone of a place."""

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from geonotice.errors import Fault, UnknownCRS
from geonotice.units.crs import US_SURVEY_FOOT_M, crs_of
from geonotice.units.measuring_crs import feet_per_unit

if TYPE_CHECKING:
    from shapely import MultiPolygon

NEAR_ZONE_DEGREES = 0.05
"""How far from a State-plane zone's own counties a place may lie and still get that zone: islands, and outlines drawn coarsely."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The CRS that ``init`` proposes for measuring at a place.

    Parameters
    ----------
    crs
        ``EPSG:2261`` and the like: what is written in the town file.
    name
        The zone in words.
    unit_to_ft
        How many US survey feet its unit is; 1 for a zone in US feet.
    warning
        What the clerk should know of the choice; empty where it is the plain one.
    """

    crs: str
    name: str
    unit_to_ft: float = 1.0
    warning: str = ""


def propose_measure_crs(lon: float, lat: float) -> Proposal:
    """Propose the CRS to measure in at a place.

    In the United States it is the State-plane zone of the place's county: in US feet; where the State has none in US feet, in its own
    foot or metre, which :func:`measuring_crs` brings to US feet. Elsewhere it is a UTM zone, with a warning.

    Parameters
    ----------
    lon, lat
        The place, in degrees.

    Examples
    --------
    >>> propose_measure_crs(-77.1, 42.6).crs          # Italy, Yates County, New York
    'EPSG:2261'
    >>> propose_measure_crs(-72.4, 40.9).crs          # Southampton, Suffolk County
    'EPSG:2263'
    """
    if not (math.isfinite(lon) and math.isfinite(lat) and abs(lon) <= 180 and abs(lat) <= 90):  # noqa: PLR2004  # degrees on a globe
        raise UnknownCRS(Fault(what=f"{lon}, {lat} is no place on earth: degrees of longitude and latitude were expected"))
    zone = _state_plane_zone(lon, lat)
    if zone is None:
        return _utm(lon, lat)
    code, name = zone
    unit = feet_per_unit(f"EPSG:{code}")
    if unit == 1.0:
        return Proposal(crs=f"EPSG:{code}", name=name)
    kind = "international feet" if abs(unit - 1) < 1e-5 else "metres"  # noqa: PLR2004  # 2 parts in a million apart, or a metre
    return Proposal(
        crs=f"EPSG:{code}",
        name=name,
        unit_to_ft=unit,
        warning=f"{name} has no form in US survey feet; its coordinates are in {kind}, and are brought to US survey feet.",
    )


def _utm(lon: float, lat: float) -> Proposal:
    number = min(60, int((lon + 180) // 6) + 1)
    code = (32600 if lat >= 0 else 32700) + number
    return Proposal(
        crs=f"EPSG:{code}",
        name=crs_of(f"EPSG:{code}").name,
        unit_to_ft=1 / US_SURVEY_FOOT_M,
        warning="No State-plane zone of the United States covers the place: a UTM zone is proposed, in which 1,000 ft measure up to 1 ft off. "
        "If the country has a national grid in use for its parcels, name that as crs instead.",
    )


def _state_plane_zone(lon: float, lat: float) -> tuple[int, str] | None:
    """Find the zone whose counties the place is in, or nearly, and give its best form: in US feet, else in feet, else in metres."""
    from shapely import Point

    place = Point(lon, lat)
    far, name = min((outline.distance(place), name) for name, outline in _zone_outlines().items())
    if far > NEAR_ZONE_DEGREES:
        return None
    forms = _zone_forms()
    for ending in (" (ftUS)", " (ft)", ""):
        code = forms.get(f"NAD83 / {name}{ending}")
        if code is not None:
            return code, f"NAD83 / {name}{ending}"
    return None


@lru_cache(maxsize=1)
def _zone_outlines() -> "dict[str, MultiPolygon]":
    """Read the zones' outlines, in degrees."""
    from itertools import accumulate

    from shapely import MultiPolygon, Polygon

    zones = json.loads(resources.files("geonotice.units").joinpath("zones.json").read_text(encoding="utf-8"))["zones"]
    return {
        name: MultiPolygon(
            [
                Polygon(zip((x / 100 for x in accumulate(ring[::2])), (y / 100 for y in accumulate(ring[1::2])), strict=True))
                for ring in rings
            ]
        )
        for name, rings in zones.items()
    }


@lru_cache(maxsize=1)
def _zone_forms() -> dict[str, int]:
    """List the EPSG registry's projected CRSs on NAD 83 by name."""
    from pyproj.database import query_crs_info
    from pyproj.enums import PJType

    return {
        info.name: int(info.code)
        for info in query_crs_info(auth_name="EPSG", pj_types=[PJType.PROJECTED_CRS])
        if info.name.startswith("NAD83 / ")
    }
