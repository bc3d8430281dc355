"""What a CRS is, whether it is safe to use, the one that measuring is done in, and the State-plane zone of a place."""

import json
import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnknownCRS
from geonotice.model import ResultWarning
from geonotice.units.crs import (
    INTERNATIONAL_FOOT_M,
    UNIT_TOLERANCE,
    US_SURVEY_FOOT_M,
    Bounds,
    crs_of,
    is_modern,
    lon_lat_bounds,
    parse_crs,
    projection_origin,
    spelled,
    unit_m_of,
    zone_like,
)

if TYPE_CHECKING:
    from pyproj import CRS
    from shapely import MultiPolygon


SCALE_REFUSED = 0.002
"""A CRS in which 1,000 ft on the ground are off by more than 2 ft does not serve for measuring notices."""

SCALE_CAUTION = 0.0002
"""Above this (0.2 ft in 1,000 ft, twice what a State-plane zone is made to keep) it serves, with a warning."""

_ROUGH_M = 1.0
_TOO_ROUGH_M = 8.0


@dataclass(frozen=True, slots=True)
class SourceCrs:
    """A source's CRS, recognised: an ``EPSG:`` code where one fits exactly, else WKT."""

    crs: str
    name: str
    warnings: tuple[ResultWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureCrs:
    """The CRS that all measuring is done in, in US survey feet.

    Parameters
    ----------
    crs
        What the store's geometry is declared in: the code of a zone in US survey feet, else the WKT of the zone with its unit changed.
    given
        The zone as the town file names it, normalised.
    name
        The zone in words.
    unit_to_ft
        How many US survey feet the unit of ``given`` is.
    warnings
        What the clerk should know.
    """

    crs: str
    given: str
    name: str
    unit_to_ft: float = 1.0
    warnings: tuple[ResultWarning, ...] = ()


def resolve_crs(text: str, *, file: str = "", layer: str = "", key: str = "", bounds: "Bounds | None" = None) -> SourceCrs:
    """Recognise a CRS however it is written, and refuse one that cannot be transformed safely.

    Parameters
    ----------
    text
        An EPSG or ESRI code, WKT, PROJ string, PROJJSON, or the path of a ``.prj`` file.
    file, layer, key
        Where it was written, for the message.
    bounds
        The layer's extent in it, where known: the transformation is chosen for that place.

    Raises
    ------
    UnknownCRS
        It cannot be parsed, is local (no place on earth), or its datum can only be guessed at (NAD 27 without a grid).
    """
    place = {"file": file, "layer": layer, "key": key}
    crs = parse_crs(text, place)
    warnings = [*_foot_warnings(crs, bounds), *_datum_warnings(crs, bounds, place)]
    return SourceCrs(crs=spelled(crs), name=crs.name, warnings=tuple(warnings))


def measuring_crs(text: str, *, lon: float | None = None, lat: float | None = None, key: str = "town.crs") -> MeasureCrs:
    """Make the CRS that all measuring is done in from the one the town file names.

    Parameters
    ----------
    text
        The town file's ``crs``, or ``--measure-crs``.
    lon, lat
        Where the town lies, in degrees: how true lengths are there is looked at. Without, over the CRS's whole area of use.
    key
        Where it was written, for the message.

    Raises
    ------
    UnknownCRS
        It is in degrees, of the web (EPSG:3857), stretches lengths, or is refused by :func:`resolve_crs`.
    """
    source = resolve_crs(text, key=key)
    crs = crs_of(source.crs)
    remedy = "name the State-plane zone in US feet (EPSG:2260 to 2263 in New York), or leave it to init"
    if not crs.is_projected:
        raise UnknownCRS(
            Fault(what=f"{source.name} ({text}) is in degrees, and feet are measured", why=_WHY_MEASURE, remedy=remedy, key=key)
        )
    stretch = _stretch(crs, lon, lat)
    if stretch is None or abs(stretch) > SCALE_REFUSED:
        off = "by amounts that are not known" if stretch is None else f"by {abs(stretch) * 1000:,.0f} ft in 1,000"
        raise UnknownCRS(
            Fault(what=f"{source.name} ({text}) stretches lengths {off}", why=_WHY_MEASURE, remedy=remedy, key=key),
        )
    warnings = list(source.warnings)
    if abs(stretch) > SCALE_CAUTION:
        warnings.append(
            ResultWarning(
                "measure_scale",
                f"In {source.name}, 1,000 ft on the ground measure up to {abs(stretch) * 1000:.1f} ft off; "
                "the State-plane zone of the place, in US feet, does better where there is one.",
            )
        )
    unit_m = unit_m_of(crs)
    if abs(unit_m / US_SURVEY_FOOT_M - 1) < UNIT_TOLERANCE:
        return MeasureCrs(crs=source.crs, given=source.crs, name=source.name, warnings=tuple(warnings))
    return MeasureCrs(
        crs=_in_us_feet(crs),
        given=source.crs,
        name=f"{source.name} in US survey feet",
        unit_to_ft=unit_m / US_SURVEY_FOOT_M,
        warnings=tuple(warnings),
    )


_WHY_MEASURE = "a distance measured in it would leave owners out or draw others in"


def feet_per_unit(crs: str) -> float:
    """Return how many US survey feet one unit of a projected CRS is.

    Raises
    ------
    UnknownCRS
        It is not projected, or not known.

    Examples
    --------
    >>> feet_per_unit("EPSG:2263")
    1.0
    >>> round(feet_per_unit("EPSG:26918"), 6)
    3.280833
    """
    parsed = parse_crs(crs, {})
    if not parsed.is_projected:
        raise UnknownCRS(Fault(what=f"{parsed.name} is in degrees, which have no length in feet"))
    ratio = unit_m_of(parsed) / US_SURVEY_FOOT_M
    return 1.0 if abs(ratio - 1) < UNIT_TOLERANCE else ratio


def _in_us_feet(crs: "CRS") -> str:
    """Write the WKT of a projected CRS with its unit changed to the US survey foot; GDAL and QGIS read it as a custom CRS."""
    from pyproj import CRS

    parts: dict[str, Any] = json.loads(crs.to_json())
    foot = {"type": "LinearUnit", "name": "US survey foot", "conversion_factor": US_SURVEY_FOOT_M}
    for axis in parts["coordinate_system"]["axis"]:
        axis["unit"] = foot
    parts.pop("id", None)
    parts["name"] = f"{crs.name} in US survey feet"
    return str(CRS.from_json_dict(parts).to_wkt())


def _foot_warnings(crs: "CRS", bounds: "Bounds | None") -> list[ResultWarning]:
    """Report where a zone's coordinates are in the other foot than the one the zone is published in."""
    if not crs.is_projected:
        return []
    unit_m = unit_m_of(crs)
    feet = {US_SURVEY_FOOT_M: "US survey", INTERNATIONAL_FOOT_M: "international"}
    kind = next((name for foot, name in feet.items() if abs(unit_m / foot - 1) < UNIT_TOLERANCE), None)
    if kind is None or crs.to_epsg() is not None:
        return []
    zone = zone_like(crs)
    if zone is None or zone.same_unit:
        return []
    other = next((name for foot, name in feet.items() if name != kind))
    reach = max((abs(value) for value in bounds if math.isfinite(value)), default=0.0) if bounds else 1_000_000.0
    return [
        ResultWarning(
            "foot_kind",
            f"Its CRS says {kind} feet, but {zone.name} (EPSG:{zone.code}) is in {other} feet. It is read as it says; "
            f"if that is a mistake, everything lies about {reach * 2e-6:.1f} ft off: then give --crs EPSG:{zone.code}.",
        )
    ]


def _datum_warnings(crs: "CRS", bounds: "Bounds | None", place: dict[str, str]) -> list[ResultWarning]:
    """Refuse a datum that can only be guessed at; say how exact the transformation of another old one is."""
    if is_modern(crs):
        return []
    from pyproj.transformer import TransformerGroup

    datum = crs.datum.name if crs.datum is not None else crs.name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyproj warns of every grid it lacks; what is lacking is decided below
        group = TransformerGroup(crs, "EPSG:4326", always_xy=True, area_of_interest=_area(crs, bounds), allow_ballpark=False)
    best = group.transformers[0] if group.transformers else None
    if best is None or "allpark" in best.description or not 0 <= best.accuracy <= _TOO_ROUGH_M:
        lacking = any(not grid.available for operation in group.unavailable_operations for grid in operation.grids)
        fetch = (
            "; or fetch NOAA's grids once with `pyproj sync --source-id us_noaa`, where it is in the United States"
            if lacking
            else ""
        )
        raise UnknownCRS(
            Fault(
                what=f"its coordinates are on the datum {datum} ({crs.name}), which cannot be brought to today's without guessing",
                why="a guess may be off by 100 ft or more",
                remedy=f"ask for the layer in NAD 83, best in the State-plane zone in US feet{fetch}",
                **place,
            )
        )
    if best.accuracy > _ROUGH_M:
        feet = best.accuracy / US_SURVEY_FOOT_M
        return [
            ResultWarning(
                "datum_accuracy", f"It is on the datum {datum}; bringing it to today's is exact to about {feet:,.0f} ft only."
            )
        ]
    return []


def _area(crs: "CRS", bounds: "Bounds | None") -> Any:  # noqa: ANN401  # pyproj's AreaOfInterest, imported late
    from pyproj.aoi import AreaOfInterest

    here = lon_lat_bounds(bounds, crs) if bounds else None
    return AreaOfInterest(*here) if here else None


def _stretch(crs: "CRS", lon: float | None, lat: float | None) -> float | None:
    """Return by how much lengths in a projected CRS are off (0.0004: 0.4 ft in 1,000), at a place or at worst over its area of use."""
    from pyproj import Proj

    if lon is not None and lat is not None:
        places = [(lon, lat)]
    elif crs.area_of_use is not None:
        area = crs.area_of_use
        places = [
            (area.west + (area.east - area.west) * i / 4, area.south + (area.north - area.south) * j / 4)
            for i in range(5)
            for j in range(5)
        ]
    else:
        origin = projection_origin(crs)
        if origin is None:
            return None
        places = [origin]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyproj warns that a PROJ string says less than the CRS; the scale is all that is asked
        proj = Proj(crs)
    worst = 0.0
    for place in places:
        factors = proj.get_factors(*place)
        for scale in (factors.meridional_scale, factors.parallel_scale):
            if not math.isfinite(scale):
                return None
            worst = max(worst, scale - 1, 1 - scale)
    return worst


# ---- the State-plane zone of a place


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
