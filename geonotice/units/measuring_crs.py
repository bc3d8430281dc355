"""What a CRS is, whether it is safe to use, and the one that measuring is done in."""

import json
import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnknownCRS
from geonotice.model import ResultWarning
from geonotice.units.crs import (
    INTERNATIONAL_FOOT_M,
    UNIT_TOLERANCE,
    US_SURVEY_FOOT_M,
    crs_of,
    is_modern,
    parse_crs,
    projection_origin,
    spelled,
    unit_m_of,
    zone_like,
)
from geonotice.units.transform import Bounds, lon_lat_bounds

if TYPE_CHECKING:
    from pyproj import CRS

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
