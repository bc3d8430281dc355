"""Long thin lots that may be a street, a trail or a railroad: what they would hide.

Layers without property classes draw roads and rail trails as lots like any other. As a lot such a strip takes the frontage away, or is met
first itself; who lies across it is then found by nobody.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.facts import JustBeyond, Neighbours, Remark
from geonotice.select.outline import GeometryArray

__all__ = ["is_strip", "with_what_strips_hide"]

STRIP_WIDTH_FT: Final = 100.0
"""The usual widest right-of-way of a street or railroad: farm land is cut into strips wider than that."""
STRIP_LENGTH_FT: Final = 200.0
STRIP_RATIO: Final = 12.0
"""At least so many times as long as wide: a rectangle ten times as long as wide is 12, a lot of 25 by 150 ft is 8."""


def is_strip(geometries: GeometryArray) -> NDArray[np.bool_]:
    """Say of each polygon whether it has the shape of a right-of-way.

    Twice the area over the perimeter is a strip's width, half the perimeter its length, branches included.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> is_strip(np.array([shapely.box(0, 0, 1000, 50), shapely.box(0, 0, 25, 150), shapely.box(0, 0, 2000, 150)])).tolist()
    [True, False, False]
    """
    perimeter, area = shapely.length(geometries), shapely.area(geometries)
    width = np.divide(2 * area, perimeter, out=np.zeros(len(area)), where=perimeter > 0)
    length = perimeter / 2
    return np.asarray(
        (width > 0) & (width <= STRIP_WIDTH_FT) & (length >= STRIP_LENGTH_FT) & (length >= STRIP_RATIO * width), dtype=bool
    )


def with_what_strips_hide(
    found: Neighbours,
    geometries: GeometryArray,
    roles: GeometryArray,
    unclassed: NDArray[np.bool_],
    again: Callable[[GeometryArray], Neighbours],
) -> Neighbours:
    """Add the parcels that would be opposite were the strips among the neighbours rights-of-way; nothing where there are none.

    Parameters
    ----------
    found
        What adjacency says with the strips as lots.
    geometries, roles, unclassed
        The parcels around the premises, their roles, and whether nothing says what a lot is.
    again
        Asks once more, with other roles.
    """
    named = [one.index for one in found.neighbours if unclassed[one.index] and roles[one.index] == "lot" and not one.stacked]
    strips = np.array(named, dtype=np.intp)
    strips = strips[is_strip(geometries[strips])] if len(strips) else strips
    if not len(strips):
        return found
    others = roles.copy()
    others[strips] = "right_of_way"
    known = {one.index for one in found.neighbours}
    hidden = [one for one in again(others).neighbours if one.index not in known]
    if not hidden:
        return found
    beyond = [JustBeyond(one.index, "across_strip", one.across_ft or one.distance_ft, 0) for one in hidden]
    taken = {one.index for one in beyond}
    misses = [*beyond, *(one for one in found.near_misses if one.index not in taken)]
    return replace(
        found,
        near_misses=tuple(sorted(misses, key=lambda one: (one.distance_ft, one.index))),
        remarks=(*found.remarks, Remark("strip_of_land", parcels=tuple(strips.tolist()))),
    )
