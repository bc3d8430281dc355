"""What may stop a line that is extended across a street: the lots around the premises, and those stacked on them."""

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import STACKED_SHARE, Around, Lots, may_be_stacked
from geonotice.select.extended_lines import (
    NOTHING,
    PREMISES,
    Edges,
    Sweep,
    distinct,
    edges_between,
)
from geonotice.select.frontage import Face
from geonotice.select.lot_lines import FloatArray, GeometryArray, IntArray, ends_of_polygons, origins

__all__ = ["Groups", "Sight", "sight", "stacked_groups"]


class Sight(NamedTuple):
    """What may stop a line: the edges of the premises and of the parcels around them, relative to an origin.

    ``sweeps`` keeps the lines across from each frontage.
    """

    edges: Edges
    origin: FloatArray
    stops: NDArray[np.bool_]
    closed: BaseGeometry
    around: Around | None = None
    sweeps: dict[int, Sweep] | None = None

    def sweep(self, face: Face) -> Sweep:
        """Return the lines across from a frontage, made once."""
        kept = {} if self.sweeps is None else self.sweeps
        if id(face) not in kept or kept[id(face)].face is not face:
            kept[id(face)] = Sweep(face, self.origin)
        return kept[id(face)]

    def may_be_stacked(self, some: IntArray) -> bool:
        """Return whether one of some parcels may lie on another: so it is taken where it was not found out."""
        return self.around is None or self.around.lots.may_be_stacked(self.around.places[some])


def sight(closed: BaseGeometry, geometries: GeometryArray, stops: NDArray[np.bool_], *, around: Around | None = None) -> Sight:
    """Prepare what may stop a line.

    Parameters
    ----------
    closed
        The premises' outline.
    geometries
        Other parcels.
    stops
        For each, whether it stops a line: False for right-of-way and railroad parcels, and for those stacked on the premises.
    around
        The same parcels taken apart, where the caller has that already.
    """
    lots = around.lots if around else Lots(geometries, tolerance_ft=0.0)
    some = np.flatnonzero(stops)
    # The premises come first and stop a line too: premises on both sides of a street are their own opposite neighbor, and the lot behind them
    # is not opposite.
    own = around.own if around and around.is_outline(closed) else None
    origin = origins(np.array([closed], dtype=object))[0] if own is None else lots.origin(own)
    if around and around.compiled and own is not None:
        # Of the lots around each premises an array at a time would be made over and over: a screen asks this for every lot.
        places = np.append(np.intp(own), around.places[some])
        made = around.compiled.edges_of(*lots.edges(), places, np.append(np.intp(PREMISES), some), origin)
        return Sight(Edges(*made, origin, around.compiled), origin, stops, closed, around, {})
    if own is not None:
        _, own_start, own_end = lots.ends(np.array([own], dtype=np.intp))
    else:
        _, own_start, own_end = ends_of_polygons(np.array([closed], dtype=object))
    count, start, end = lots.ends(around.places[some] if around else some)
    owner = np.concatenate([np.full(len(own_start), PREMISES, dtype=np.intp), np.repeat(some, count)])
    edges = edges_between(np.vstack([own_start, start]), np.vstack([own_end, end]), owner, origin)
    edges = edges._replace(compiled=around.compiled if around else None)
    return Sight(edges, origin, stops, closed, around, {})


Groups = dict[int, list[int]]
"""For the parcel that stands for a stack: its members."""


def stacked_groups(first: IntArray, geometries: GeometryArray, view: Sight) -> tuple[IntArray, Groups]:
    """Group the parcels stacked on those first met, and on those in turn: a unit, the common lot under it, and all other units on that.

    Returns
    -------
    tuple
        For each parcel the one that stands for its group, with two entries more for the premises and for nothing; and for each such one
        the members of the group.
    """
    alike = np.arange(len(geometries) + 2, dtype=np.intp)
    alike[-2:] = (PREMISES, NOTHING)
    groups: Groups = {}
    if not len(first) or not view.may_be_stacked(first):
        return alike, groups
    first, _ = distinct(first)
    candidates = np.flatnonzero(view.stops)
    tree = shapely.STRtree(geometries[candidates])
    areas, boxes = shapely.area(geometries), shapely.bounds(geometries).reshape(-1, 4)
    on: dict[int, set[int]] = {int(one): set() for one in first}
    asked: set[bytes] = set()
    frontier = first
    while len(frontier):
        # Of units drawn as one polygon, one is asked for all: they lie on the same parcels.
        frontier = np.array([one for one in frontier if not _held(shapely.to_wkb(geometries[one]), asked)], dtype=np.intp)
        of, other = tree.query(geometries[frontier])
        a, b = frontier[of], candidates[other]
        may = may_be_stacked(boxes[a], boxes[b], np.minimum(areas[a], areas[b])) & (a != b)
        a, b = a[may], b[may]
        # Units of a condominium lie on one another, and a line meets whichever is drawn first. All their owners face the street alike, so all
        # count or none does.
        overlap = shapely.area(shapely.intersection(geometries[a], geometries[b]))
        lies = overlap > STACKED_SHARE * np.minimum(areas[a], areas[b])
        frontier = np.array(sorted(set(b[lies].tolist()) - on.keys()), dtype=np.intp)
        for one, another in zip(a[lies].tolist(), b[lies].tolist(), strict=True):
            on.setdefault(one, set()).add(another)
            on.setdefault(another, set()).add(one)
    for one in first.tolist():
        if alike[one] != one or one in groups:
            continue
        group, left = {one}, [one]
        while left:
            new = on[left.pop()] - group
            group |= new
            left += sorted(new)
        groups[one] = sorted(group)
        alike[groups[one]] = one
    return alike, groups


def _held(value: bytes, seen: set[bytes]) -> bool:
    """Return whether a value was seen, and keep it."""
    held = value in seen
    seen.add(value)
    return held
