"""Hold a layer's coordinates against its CRS: do they lie where it says they can.

A wrong CRS moves a whole town, and swapped axes move it to Antarctica; both read without a murmur. What cannot be true is refused, with
what to do; what is merely odd is noted.
"""

import math
from typing import TYPE_CHECKING

from geonotice.errors import Fault, UnknownCRS
from geonotice.layers.note import Note

if TYPE_CHECKING:
    from geonotice.units.move import Bounds

__all__ = ["check_place", "looks_swapped"]

FAR_DEGREES = 10.0
"""Ten degrees outside a CRS's area of use is another part of the world: the CRS is not the layer's."""

ODD_DEGREES = 0.5
"""Half a degree outside is odd, and may still be right: areas of use are drawn along counties."""

_WORLD_LON, _WORLD_LAT = 180.0, 90.0
_ROUNDING = 1e-6
# Where the United States are, Alaska and Hawaii included: what is in the window the other way round has its axes swapped.
_US_LON, _US_LAT = (-180.0, -64.0), (15.0, 72.0)


def looks_swapped(bounds: "Bounds", crs: str) -> bool:
    """Tell whether latitudes stand where longitudes belong.

    Parameters
    ----------
    bounds
        xmin, ymin, xmax, ymax as read, x being the longitude.
    crs
        The layer's CRS; only one in degrees can be swapped.

    Examples
    --------
    >>> looks_swapped((42.1, -77.3, 42.2, -77.1), "EPSG:4326")
    True
    >>> looks_swapped((-77.3, 42.1, -77.1, 42.2), "EPSG:4326")
    False
    """
    from geonotice.units.parse import parse_crs

    if not parse_crs(crs, {}).is_geographic:
        return False
    xmin, ymin, xmax, ymax = bounds
    fits_swapped = xmin >= -_WORLD_LAT and xmax <= _WORLD_LAT and ymin >= -_WORLD_LON and ymax <= _WORLD_LON
    impossible = ymin < -_WORLD_LAT or ymax > _WORLD_LAT
    in_the_us = _US_LAT[0] <= xmin and xmax <= _US_LAT[1] and _US_LON[0] <= ymin and ymax <= _US_LON[1]
    return fits_swapped and (impossible or in_the_us)


def check_place(bounds: "Bounds", crs: str, *, file: str = "", layer: str = "", given: bool = False) -> tuple[Note, ...]:
    """Refuse coordinates that contradict their CRS; note what is odd.

    Parameters
    ----------
    bounds
        xmin, ymin, xmax, ymax as read.
    crs
        The CRS they are said to be in.
    file, layer
        For the message.
    given
        Whether the user said so (``--crs``), not the file.

    Raises
    ------
    UnknownCRS
        Latitude and longitude are swapped, the numbers are no degrees, or they are degrees in a CRS of feet or metres, or far from
        where the CRS is used.
    """
    from geonotice.units.parse import parse_crs

    place = {"file": file, "layer": layer}
    parsed = parse_crs(crs, place)
    said = f"--crs says {crs}" if given else f"the layer says it is in {parsed.name}"
    spread = f"x from {_n(bounds[0])} to {_n(bounds[2])}, y from {_n(bounds[1])} to {_n(bounds[3])}"
    if parsed.is_geographic:
        if looks_swapped(bounds, crs):
            raise UnknownCRS(
                Fault(
                    what=f"latitude and longitude are swapped ({spread})",
                    why="every parcel would lie in another part of the world",
                    remedy="have it exported again with longitude before latitude (x before y), or swap them in QGIS (Swap X and Y coordinates)",
                    **place,
                )
            )
        if max(abs(bounds[0]), abs(bounds[2])) > 2 * _WORLD_LON or max(abs(bounds[1]), abs(bounds[3])) > _WORLD_LAT + _ROUNDING:
            raise UnknownCRS(
                Fault(
                    what=f"{said}, which is in degrees, but the numbers are none ({spread})",
                    why="they are feet or metres of some projected CRS",
                    remedy="find out which (the .prj file, or whoever made it), and give it with --crs, for example --crs EPSG:2263",
                    **place,
                )
            )
        return ()
    if _are_degrees(bounds):
        raise UnknownCRS(
            Fault(
                what=f"{said}, which is in feet or metres, but the numbers are degrees ({spread})",
                remedy="give --crs EPSG:4326 if they are longitude and latitude",
                **place,
            )
        )
    return _check_area(bounds, crs, said, place, spread)


def _check_area(bounds: "Bounds", crs: str, said: str, place: dict[str, str], spread: str) -> tuple[Note, ...]:
    from geonotice.units.move import lon_lat_bounds
    from geonotice.units.parse import parse_crs

    here = lon_lat_bounds(bounds, crs)
    area = parse_crs(crs, place).area_of_use
    if here is None:
        raise UnknownCRS(
            Fault(
                what=f"{said}, but its numbers lie nowhere in it ({spread})",
                remedy="find out the layer's own CRS, and give it with --crs",
                **place,
            )
        )
    if area is None or area.east < area.west:
        return ()
    beyond = max(area.west - here[2], here[0] - area.east, area.south - here[3], here[1] - area.north)
    where = f"longitude {(here[0] + here[2]) / 2:.1f}, latitude {(here[1] + here[3]) / 2:.1f}"
    if beyond > FAR_DEGREES:
        raise UnknownCRS(
            Fault(
                what=f"{said}, but in it the numbers ({spread}) lie at {where}, far from where it is used ({_first(area.name)})",
                why="the layer is in another CRS than it says",
                remedy="find out its own CRS, and give it with --crs",
                **place,
            )
        )
    if beyond > ODD_DEGREES:
        text = f"In the CRS that it says, the layer lies at {where}, outside the area it is made for ({_first(area.name)}). Check the CRS."
        return (Note("outside_area", text),)
    return ()


def _are_degrees(bounds: "Bounds") -> bool:
    """Tell whether numbers that should be feet or metres are longitude and latitude in the United States, either way round."""
    xmin, ymin, xmax, ymax = bounds
    straight = _US_LON[0] <= xmin and xmax <= _US_LON[1] and _US_LAT[0] <= ymin and ymax <= _US_LAT[1]
    swapped = _US_LON[0] <= ymin and ymax <= _US_LON[1] and _US_LAT[0] <= xmin and xmax <= _US_LAT[1]
    return straight or swapped


def _first(area: str) -> str:
    return area if len(area) <= 80 else f"{area[:77]}..."  # noqa: PLR2004  # the EPSG registry lists every county


def _n(value: float) -> str:
    if not math.isfinite(value):
        return "nothing"
    if abs(value) >= 1e12:  # noqa: PLR2004  # so many digits tell nobody anything
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004  # feet and metres need no decimals in a message
