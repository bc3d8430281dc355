"""Which zoning districts the premises lie in, and with what share of their area."""

from typing import TYPE_CHECKING, Final

import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from geonotice.select.lot_lines import GeometryArray

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SLIVER_SHARE", "SLIVER_SQ_FT", "District", "Zoning", "counting_codes", "zoning"]

SLIVER_SHARE: Final = 0.02
SLIVER_SQ_FT: Final = 500.0
"""A district is a sliver under 2 % of the area or under 500 sq ft: zoning and parcel lines are drawn by different hands."""
COVER_SHARE: Final = 0.02
"""Share of the premises in no district, or in two, from which it is said."""
ROUNDING: Final = 1e-9
"""By how much of itself an area that was cut out may fall short of a limit and still be it."""


class District(Struct, frozen=True, eq=False):
    """A district on the premises: its records in the layer, its area there, its share of the premises, and the part that it covers."""

    code: str
    indexes: tuple[int, ...]
    area_sq_ft: float
    share: float
    part: BaseGeometry


class Zoning(Struct, frozen=True, eq=False):
    """The districts on the premises, the largest first.

    Parameters
    ----------
    districts
        Those that count.
    slivers
        Those ignored, to be said; not those that are nowhere wider than the tolerance, where the district's line is the lot line.
    unzoned_sq_ft, unzoned_share
        What no district covers; 0 where it is a sliver.
    overlap_sq_ft
        What two districts cover at once (an overlay, or lines that cross); 0 where it is a sliver.
    """

    districts: tuple[District, ...]
    slivers: tuple[District, ...]
    unzoned_sq_ft: float
    unzoned_share: float
    overlap_sq_ft: float


def counting_codes(
    areas: "Mapping[str, float]", whole: float, *, sliver_share: float = SLIVER_SHARE, sliver_sq_ft: float = SLIVER_SQ_FT
) -> tuple[str, ...]:
    """Return which districts on land of an area count, the largest first: those that are no sliver; the largest where all are.

    Parameters
    ----------
    areas
        Area on the land by code; all above 0.
    whole
        The land's area.
    sliver_share, sliver_sq_ft
        As :func:`zoning` takes them.

    Examples
    --------
    >>> counting_codes({"R-20": 6000.0, "LI-40": 200.0, "VB": 3800.0}, 10_000.0)
    ('R-20', 'VB')
    """
    exact = 1 - ROUNDING
    ordered = sorted(areas, key=lambda code: (-areas[code], code))
    shares = {code: areas[code] / whole if whole else 0.0 for code in ordered}
    return tuple(
        code for code in ordered if shares[code] >= sliver_share * exact and areas[code] >= sliver_sq_ft * exact
    ) or tuple(ordered[:1])


def zoning(
    premises: BaseGeometry,
    geometries: GeometryArray,
    codes: GeometryArray,
    *,
    sliver_share: float = SLIVER_SHARE,
    sliver_sq_ft: float = SLIVER_SQ_FT,
    tolerance_ft: float = 1.5,
) -> Zoning:
    """Measure every district on the premises.

    Parameters
    ----------
    premises
        Their plain union, in US survey feet.
    geometries, codes
        The districts' polygons and their codes; records of one code are one district.
    sliver_share, sliver_sq_ft
        Under either, a district is a sliver; the only one there is never one.
    tolerance_ft
        What digitizing moves a lot line.

    Examples
    --------
    A 100-ft lot: 60 ft of it residential, 38 ft business, and two feet of a third district.

    >>> import numpy as np, shapely
    >>> districts = np.array([shapely.box(-900, 0, 60, 100), shapely.box(60, 0, 98, 100), shapely.box(98, 0, 900, 100)])
    >>> found = zoning(shapely.box(0, 0, 100, 100), districts, np.array(["R-20", "VB", "LI-40"], dtype=object))
    >>> [(item.code, item.area_sq_ft, item.share) for item in found.districts], [item.code for item in found.slivers]
    ([('R-20', 6000.0, 0.6), ('VB', 3800.0, 0.38)], ['LI-40'])
    """
    area = float(shapely.area(premises))
    near = shapely.STRtree(geometries).query(premises, predicate="intersects")
    by_code: dict[str, list[int]] = {}
    for index in sorted(near.tolist()):
        by_code.setdefault(str(codes[index]), []).append(index)
    found = []
    for code, indexes in by_code.items():
        cut = shapely.intersection(premises, geometries[indexes]).tolist()
        part = cut[0] if len(cut) == 1 else shapely.union_all(cut)
        size = float(shapely.area(part))
        if size > 0:
            found.append(District(code, tuple(indexes), size, size / area if area else 0.0, part))
    found.sort(key=lambda district: (-district.area_sq_ft, district.code))
    counting = counting_codes(
        {one.code: one.area_sq_ft for one in found}, area, sliver_share=sliver_share, sliver_sq_ft=sliver_sq_ft
    )
    kept = [one for one in found if one.code in counting]
    covered = float(shapely.area(shapely.union_all([one.part for one in found]))) if found else 0.0
    least = max(COVER_SHARE * area, sliver_sq_ft) if found else 0.0
    unzoned, twice = area - covered, sum(one.area_sq_ft for one in found) - covered
    return Zoning(
        districts=tuple(kept),
        slivers=tuple(
            one for one in found if one not in kept and not shapely.is_empty(shapely.buffer(one.part, -tolerance_ft / 2))
        ),
        unzoned_sq_ft=unzoned if unzoned > least else 0.0,
        unzoned_share=unzoned / area if area and unzoned > least else 0.0,
        overlap_sq_ft=twice if twice > least else 0.0,
    )
