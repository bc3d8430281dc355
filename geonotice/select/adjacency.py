"""Everything adjacency finds about one premises, in one call."""

from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import Around, Lots, abutting
from geonotice.select.adjacency_answer import Scene, assemble
from geonotice.select.adjacency_facts import (
    Neighbours,
)
from geonotice.select.extended_lines import SIDEWAYS_FT
from geonotice.select.frontage import faces
from geonotice.select.inside_roads import inside_roads
from geonotice.select.lot_lines import GeometryArray, outline, rings_of
from geonotice.select.opposite import RIGHT_OF_WAY_MAX_FT, OppositeBy, opposite
from geonotice.select.opposite_distance import JUST_BEYOND_FT
from geonotice.select.right_of_way import with_what_strips_hide
from geonotice.select.sight import sight
from geonotice.select.street_corners import StreetCorners
from geonotice.select.streets import (
    StreetLayer,
    along_state_road,
    facing,
    jurisdiction_of,
    streets_abutted,
)

__all__ = [
    "RIGHT_OF_WAY_MAX_STATE_FT",
    "neighbours",
    "search_ft",
]

RIGHT_OF_WAY_MAX_STATE_FT: Final = 600.0
"""Widest right-of-way along a State road."""


def search_ft(
    *,
    right_of_way_max_ft: float = RIGHT_OF_WAY_MAX_FT,
    right_of_way_max_state_ft: float = RIGHT_OF_WAY_MAX_STATE_FT,
    opposite_distance_ft: float | None = None,
) -> float:
    """Return how far from the premises parcels must be given to :func:`neighbours`: what a line aslant across the widest may reach."""
    return max(max(right_of_way_max_ft, right_of_way_max_state_ft) + SIDEWAYS_FT, (opposite_distance_ft or 0.0) + JUST_BEYOND_FT)


def neighbours(
    premises: GeometryArray,
    geometries: GeometryArray,
    roles: GeometryArray,
    *,
    premises_roles: GeometryArray | None = None,
    in_doubt: NDArray[np.object_] | None = None,
    streets: StreetLayer | None = None,
    railroads: StreetLayer | None = None,
    water: GeometryArray | None = None,
    tolerance_ft: float = 1.5,
    right_of_way_max_ft: float = RIGHT_OF_WAY_MAX_FT,
    right_of_way_max_state_ft: float = RIGHT_OF_WAY_MAX_STATE_FT,
    opposite_by: OppositeBy = "extension",
    opposite_distance_ft: float | None = None,
    around: Around | None = None,
    evidence: bool = True,
) -> Neighbours:
    """Find who abuts, who is directly opposite, and which streets the premises face.

    Parameters
    ----------
    premises
        The premises' parcels: polygons or multipolygons, valid, in US survey feet.
    geometries
        The parcels around them, without the premises' own, at least those within :func:`search_ft`.
    roles
        For each of them ``lot``, ``right_of_way``, ``railroad`` or ``water``. Right-of-way and railroad parcels are looked through.
    premises_roles
        The same for each parcel of the premises; without, they are lots.
    in_doubt
        For each of ``geometries`` whether it is a lot that may be a street (it is looked through, and listed as a lot all the same), or
        surely is none; None where nothing is known. Without, nothing is in doubt.
    streets
        Centerlines near the premises; without them frontages have no names.
    railroads
        Tracks near the premises, their owners as ``jurisdictions``.
    water
        Polygons of water near the premises.
    tolerance_ft
        What digitizing moves a lot line.
    right_of_way_max_ft, right_of_way_max_state_ft
        Widest right-of-way looked across, in general and along a State road.
    opposite_by, opposite_distance_ft
        How opposite parcels are found, and by distance how far from a frontage.
    around
        The same ``geometries`` taken apart, where the caller has that already: a screen, which asks about one parcel after the other.
    evidence
        Whether all is wanted that is drawn or told: without it there are no lines, near misses, remarks, bearings and places for signs; distances are not
        measured, and ``across_ft`` is the distance from the frontage. Who stands in which relation, with what doubt, which streets are abutted and how
        long the frontages are is the same.

    Examples
    --------
    The middle one of three 100-ft lots; across a 50-ft street lots shifted by 40 ft; nothing behind.

    >>> import numpy as np, shapely
    >>> lots = [shapely.box(x, 0, x + 100, 100) for x in (-100, 100)] + [shapely.box(x, 150, x + 100, 250) for x in (-160, -60, 40, 140)]
    >>> found = neighbours([shapely.box(0, 0, 100, 100)], lots, ["lot"] * 6)
    >>> found.related("abutting"), found.related("opposite")
    ((0, 1), (3, 4))
    >>> [(one.n, one.status, round(one.length_ft)) for one in found.frontages]
    [(1, 'open', 100), (2, 'answered', 100)]
    >>> [(one.code, one.frontage, round(one.length_ft), round(one.bearing_deg)) for one in found.remarks]
    [('open_run', 1, 100, 180)]
    """
    premises, geometries, roles = _array(premises), _array(geometries), np.asarray(roles, dtype=object)
    streets = streets if streets is not None else StreetLayer(_array(None), (), ())
    railroads = railroads if railroads is not None else StreetLayer(_array(None), (), ())
    closed = (around.outline() if around else None) or outline(premises, tolerance_ft=tolerance_ft)
    rings = (around.rings(closed) if around else None) or rings_of(closed)
    around = around or Around(Lots(geometries, tolerance_ft=tolerance_ft), np.arange(len(geometries)))
    beside = abutting(premises, geometries, tolerance_ft=tolerance_ft, closed=closed, around=around, rings=rings)
    solid = np.asarray((roles == "lot") | (roles == "water"), dtype=bool)
    stops = solid.copy()
    stops[[one.index for one in beside if one.stacked]] = False
    view = sight(closed, geometries, stops, around=around)
    widths = {"right_of_way_max_ft": right_of_way_max_ft, "right_of_way_max_state_ft": right_of_way_max_state_ft}
    corners = StreetCorners(view, streets, **widths)
    found = faces(closed, beside, solid, tolerance_ft=tolerance_ft, two_streets=corners.between, rings=rings)
    faced = [facing(face, view, streets, **widths) for face in found]
    depths = [
        right_of_way_max_state_ft
        if any(jurisdiction_of(streets.jurisdictions[one.street]) == "state" for one in many)
        or along_state_road(face, view, streets, right_of_way_max_ft=right_of_way_max_ft)
        else right_of_way_max_ft
        for face, many in zip(found, faced, strict=True)
    ]
    ways = _ways(premises, premises_roles, geometries, roles)
    water = _array(water)
    across = opposite(
        found,
        view,
        geometries,
        depth_ft=depths,
        tolerance_ft=tolerance_ft,
        by=opposite_by,
        distance_ft=opposite_distance_ft,
        beside={one.index for one in beside},
        lines=evidence or len(water) > 0,
    )
    scene = Scene(
        premises=premises,
        geometries=geometries,
        roles=roles,
        streets=streets,
        water=water,
        tolerance_ft=tolerance_ft,
        look_beyond_ft=right_of_way_max_state_ft,
        view=view,
        beside=beside,
        across=across,
        faced=faced,
        inside=inside_roads(around.with_a_street_between(beside), closed, geometries, streets, ways=ways),
        abutted=streets_abutted(closed, found, faced, streets, lots=geometries[solid], ways=ways, rings=rings, signs=evidence),
        railroads=streets_abutted(
            closed,
            found,
            [facing(face, view, railroads, **widths) for face in found],
            railroads,
            lots=geometries[solid],
            rings=rings,
            signs=evidence,
        ),
        by=opposite_by,
    )
    made = assemble(scene, evidence=evidence)
    if in_doubt is None:
        return made

    def again(others: GeometryArray) -> Neighbours:
        return neighbours(
            premises,
            geometries,
            others,
            premises_roles=premises_roles,
            streets=streets,
            railroads=railroads,
            water=water,
            tolerance_ft=tolerance_ft,
            right_of_way_max_ft=right_of_way_max_ft,
            right_of_way_max_state_ft=right_of_way_max_state_ft,
            opposite_by=opposite_by,
            opposite_distance_ft=opposite_distance_ft,
            around=around,
            evidence=evidence,
        )

    return with_what_strips_hide(made, geometries, roles, in_doubt, again)


def _ways(
    premises: GeometryArray, premises_roles: GeometryArray | None, geometries: GeometryArray, roles: GeometryArray
) -> BaseGeometry | None:
    """Unite the right-of-way parcels, those of the premises among them; None where there are none."""
    own = np.asarray([] if premises_roles is None else premises_roles, dtype=object) == "right_of_way"
    some = [*(premises[own] if len(own) else ()), *geometries[np.asarray(roles == "right_of_way", dtype=bool)]]
    return shapely.union_all(some) if some else None


def _array(values: GeometryArray | None) -> GeometryArray:
    made = np.empty(0 if values is None else len(values), dtype=object)
    if values is not None:
        made[:] = values
    return made
