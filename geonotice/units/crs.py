"""Recognize a coordinate reference system (CRS) however it is written, and bring coordinates from one to another, all layers in the same way."""

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UnknownCRS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray
    from pyproj import CRS, Transformer


US_SURVEY_FOOT_M = 1200 / 3937
"""The US survey foot in metres (exactly 1200/3937): the foot of New York's State plane, and of everything here."""

INTERNATIONAL_FOOT_M = 0.3048
"""The international foot in metres, shorter by two parts in a million: 2 ft at a coordinate of 1,000,000 ft."""

UNIT_TOLERANCE = 1e-9
FEET_M = (US_SURVEY_FOOT_M, INTERNATIONAL_FOOT_M)
_SAME_PLACE_M = 0.001
_OTHER_FOOT_M = 20.0  # a false easting of 8,000,000 ft, taken in the other foot, is 5 m off; no two zones are so near each other


@lru_cache(maxsize=64)
def crs_of(text: str) -> "CRS":
    """Return pyproj's CRS of a code or WKT known to be good; kept, for it takes a millisecond to make."""
    from pyproj import CRS

    return CRS.from_user_input(text)


def parse_crs(text: str, place: dict[str, str]) -> "CRS":
    """Parse a CRS as a user or a file wrote it: its horizontal part, two axes, tied to the earth; else ``UnknownCRS`` for ``place``."""
    from pyproj.exceptions import CRSError

    wanted = text.strip()
    if wanted.lower().endswith(".prj") and Path(wanted).is_file():
        wanted = Path(wanted).read_text(encoding="utf-8", errors="replace").strip()
    if wanted.isdigit():
        wanted = f"EPSG:{wanted}"
    try:
        crs = crs_of(wanted)
    except CRSError as error:
        raise UnknownCRS(
            Fault(
                what=f"no coordinate reference system (CRS) is known as {_short(text)!r}",
                remedy="write its code, such as EPSG:2263, or the path of its .prj file",
                **place,
            )
        ) from error
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    if crs.is_bound and crs.source_crs is not None and not any(_to_wgs84(crs)):
        crs = crs.source_crs
    if crs.is_geocentric or not (crs.is_projected or crs.is_geographic):
        raise UnknownCRS(
            Fault(
                what=f"its coordinate reference system, {crs.name}, is tied to no place on earth's surface",
                remedy=f"ask whoever made the layer which State-plane zone it is in, and {_where(place)}",
                **place,
            )
        )
    if len(crs.axis_info) > 2:  # noqa: PLR2004  # two axes make a map
        crs = crs.to_2d()
    return crs


def _where(place: dict[str, str]) -> str:
    return f"write that as {place['key']}" if place.get("key") else "give that with --crs"


def _to_wgs84(crs: "CRS") -> list[float]:
    operation = crs.coordinate_operation
    return list(operation.towgs84) if operation is not None else []


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004  # a line of a message


@lru_cache(maxsize=16)
def spelled(crs: "CRS") -> str:
    """Write a CRS as the EPSG code that means exactly the same, else as its ESRI code, else as WKT."""
    code = crs.to_epsg()
    if code is None:
        same = {"CRS84": 4326, "CRS83": 4269}
        authority = crs.to_authority()
        zone = zone_like(crs)
        code = same.get(authority[1]) if authority and authority[0] == "OGC" else zone.code if zone and zone.same_unit else None
        if code is None and authority:
            return ":".join(authority)
    return f"EPSG:{code}" if code is not None else str(crs.to_wkt())


@dataclass(frozen=True, slots=True)
class ZoneLike:
    """A State-plane zone that a CRS is, but perhaps for its unit."""

    code: int
    name: str
    unit_m: float
    same_unit: bool


@lru_cache(maxsize=16)
def zone_like(crs: "CRS") -> ZoneLike | None:
    """Find the State-plane zone in feet that puts every place where ``crs`` does, to a millimetre, whatever the unit of ``crs``.

    PROJ does not recognise some that differ in the last digit of a false easting (ESRI:102716 and 102717, and the .prj files that
    ArcGIS writes for them), so places are compared, not parameters.
    """
    from pyproj.aoi import AreaOfInterest
    from pyproj.database import query_crs_info
    from pyproj.enums import PJType

    if not crs.is_projected or not is_modern(crs) or not any(abs(unit_m_of(crs) / foot - 1) < UNIT_TOLERANCE for foot in FEET_M):
        return None
    origin = projection_origin(crs)
    if origin is None:
        return None
    lon, lat = origin
    places = [(lon + dx, lat + dy) for dx in (-0.7, 0.9) for dy in (0.3, 2.9)]
    unit_m = unit_m_of(crs)
    ours = [(x * unit_m, y * unit_m) for x, y in _project(crs, places)]
    around = AreaOfInterest(lon - 3, lat - 1, lon + 3, lat + 8)
    found: list[ZoneLike] = []
    for info in query_crs_info(auth_name="EPSG", pj_types=[PJType.PROJECTED_CRS], area_of_interest=around):
        if not (info.name.startswith("NAD83 / ") and info.name.endswith(("(ftUS)", "(ft)"))) or "BLM" in info.name:
            continue
        candidate = crs_of(f"EPSG:{info.code}")
        its_m = unit_m_of(candidate)
        theirs = [(x * its_m, y * its_m) for x, y in _project(candidate, places)]
        same_unit = abs(its_m / unit_m - 1) < UNIT_TOLERANCE
        near_m = _SAME_PLACE_M if same_unit else _OTHER_FOOT_M
        if all(math.dist(here, there) < near_m for here, there in zip(ours, theirs, strict=True)):
            found.append(ZoneLike(int(info.code), info.name, its_m, same_unit))
    return max(found, key=lambda zone: zone.same_unit, default=None)


def projection_origin(crs: "CRS") -> tuple[float, float] | None:
    """Return the longitude and latitude that a projection is built around."""
    values = (
        {parameter.name.lower(): parameter.value for parameter in crs.coordinate_operation.params}
        if crs.coordinate_operation
        else {}
    )
    lon = next((value for name, value in values.items() if name.startswith("longitude of")), None)
    lat = next((value for name, value in values.items() if name.startswith("latitude of") and "origin" in name), None)
    return None if lon is None or lat is None else (float(lon), float(lat))


def transformer(source: "CRS | None", target: "CRS | None", *, allow_ballpark: bool = True) -> "Transformer":
    """Make PROJ's transformation between two CRS, x before y.

    Raises
    ------
    UnknownCRS
        PROJ cannot compute with one of them, though it can be read: a number in a .prj file is damaged, say.
    """
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    try:
        return Transformer.from_crs(source, target, always_xy=True, allow_ballpark=allow_ballpark)
    except ProjError as error:
        name = source.name if source is not None else ""
        raise UnknownCRS(
            Fault(
                what=f"nothing can be computed in the coordinate reference system (CRS) {name} as it is written: a number of it is wrong",
                why="the layer would lie elsewhere",
                remedy="find out the layer's CRS, and write its code (EPSG:2263, say); or have the .prj file made anew",
            )
        ) from error


def _project(crs: "CRS", places: "Iterable[tuple[float, float]]") -> list[tuple[float, float]]:
    to = transformer(crs.geodetic_crs, crs)
    return [to.transform(lon, lat) for lon, lat in places]


def unit_m_of(crs: "CRS") -> float:
    """Return the unit of a projected CRS in metres."""
    return float(crs.axis_info[0].unit_conversion_factor)


def is_modern(crs: "CRS") -> bool:
    """Tell whether the datum is one of the geocentric ones that are taken as one: on the GRS 80 or WGS 84 ellipsoid, from Greenwich."""
    ellipsoid, meridian = crs.ellipsoid, crs.prime_meridian
    return (
        ellipsoid is not None
        and abs(ellipsoid.semi_major_metre - 6378137) < 0.5  # noqa: PLR2004  # metres: GRS 80, WGS 84
        and abs(ellipsoid.inverse_flattening - 298.2572) < 0.001  # noqa: PLR2004  # the same
        and (meridian is None or abs(meridian.longitude) < 1e-9)  # noqa: PLR2004  # degrees
        and not crs.is_bound
    )


# ---- coordinates from one CRS to another


Bounds = tuple[float, float, float, float]
"""An extent: xmin, ymin, xmax, ymax."""


def to_measure(geometry: "NDArray[np.object_]", source: str, target: str) -> "NDArray[np.object_]":
    """Bring geometries from a source's CRS to the measuring CRS, all layers in the same way.

    Where both datums are modern ones (module docstring) only the projections are undone and done, and longitude and latitude are
    kept as they are, whatever grids this computer has; else PROJ's best operation is used.

    Parameters
    ----------
    geometry
        Shapely geometries, two-dimensional, x before y (longitude before latitude) as GDAL gives them; None stays None.
    source, target
        From :attr:`SourceCrs.crs` and :attr:`MeasureCrs.crs`.

    Raises
    ------
    UnknownCRS
        A coordinate cannot be brought over: it is none of the source's CRS.
    """
    import numpy as np
    import shapely

    if source == target:
        return geometry
    steps = _steps(source, target)

    def move(x: "NDArray[np.float64]", y: "NDArray[np.float64]") -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        for step in steps:
            x, y = step(x, y)
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            wrong = int((~(np.isfinite(x) & np.isfinite(y))).sum())
            raise UnknownCRS(
                Fault(
                    what=f"{wrong} coordinates cannot be brought from {crs_of(source).name} to {crs_of(target).name}",
                    why="they lie nowhere in that coordinate reference system, so it is not the layer's",
                    remedy="give the layer's own with --crs",
                )
            )
        return x, y

    moved: NDArray[np.object_] = shapely.transform(geometry, move, interleaved=False)  # type: ignore[arg-type]  # the stubs know one array only
    return moved


def _steps(source: str, target: str) -> "list[Callable[..., Any]]":
    here, there = parse_crs(source, {}), parse_crs(target, {})
    pairs: list[tuple[CRS | None, CRS | None]]
    if is_modern(here) and is_modern(there):
        pairs = [(here, here.geodetic_crs)] if here.is_projected else []
        pairs += [(there.geodetic_crs, there)] if there.is_projected else []
    else:
        pairs = [(here, there)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of grids that are not installed: resolve_crs refuses what needs them
        return [transformer(one, other, allow_ballpark=False).transform for one, other in pairs]


def lon_lat_bounds(bounds: Bounds, crs: "CRS | str") -> Bounds | None:
    """Return an extent (xmin, ymin, xmax, ymax) in degrees; None where it cannot be."""
    if not all(math.isfinite(value) for value in bounds):
        return None
    parsed = parse_crs(crs, {}) if isinstance(crs, str) else crs
    if parsed.is_geographic:
        return bounds
    back = transformer(parsed, parsed.geodetic_crs)
    xs, ys = (bounds[0], (bounds[0] + bounds[2]) / 2, bounds[2]), (bounds[1], (bounds[1] + bounds[3]) / 2, bounds[3])
    # an extent's corner may lie off the edge of a map of the world, though every feature lies on it
    places = [place for x in xs for y in ys if all(map(math.isfinite, place := back.transform(x, y)))]
    if not places:
        return None
    lons, lats = zip(*places, strict=True)
    return min(lons), min(lats), max(lons), max(lats)
