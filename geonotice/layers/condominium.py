"""Which parcels a county calls part of a condominium, and which lots lie in the outline of another."""

import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.layers.columns.expression import field_text
from geonotice.layers.columns.text import each_distinct
from geonotice.layers.shapes import Shapes

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.columns.recognize import FieldMap


__all__ = [
    "CONTAINED_SHARE",
    "Outlines",
    "condominium_column",
    "is_condominium_class",
    "is_condominium_ownership",
]


_WORD = re.compile(r"CONDO(?!LE)|\bCNDO\b")
_SUFFIX = re.compile(r"[2347]\d\d(?:\.\d+)?[ -]*C(?:\b.*)?")
"""A class of the State's followed by the suffix of a condominium (``411-C``): homes, vacant land, commerce, industry."""
_NO = frozenset({"N", "NO", "F", "FALSE", "0", "NONE", "NULL", "<NULL>", "N/A", "NA", "-"})


def is_condominium_class(text: str) -> bool:
    """Return whether a property class is a condominium's.

    Examples
    --------
    >>> [is_condominium_class(text) for text in ("411-C", "210C", "R-CONDO", "102 - Residential Condominium", "210-C Condo")]
    [True, True, True, True, True]
    >>> [is_condominium_class(text) for text in ("411", "210-W", "C", "910-C", "210 CAPE")]
    [False, False, False, False, False]
    """
    plain = text.upper().strip()
    return bool(_WORD.search(plain) or _SUFFIX.fullmatch(plain))


def is_condominium_ownership(text: str, *, column: str) -> bool:
    """Return whether a code of ownership is a condominium's; in a column named for condominiums any entry that is not a "no" is.

    Examples
    --------
    >>> is_condominium_ownership("C", column="OWNERSHIP_CODE"), is_condominium_ownership("Y", column="OWNERSHIP_CODE")
    (True, False)
    >>> is_condominium_ownership("Harbor Walk", column="CONDO_NAME"), is_condominium_ownership("N", column="CONDO")
    (True, False)
    """
    plain = text.upper().strip()
    if "CONDO" in column.upper():
        return plain not in _NO and bool(plain.strip("0"))
    return plain == "C" or bool(_WORD.search(plain))


def condominium_column(table: "pa.Table", fields: "FieldMap", *, new_york: bool = True) -> "pa.ChunkedArray":
    """Return for each row ``condominium`` where its class or its code of ownership is a condominium's, else null.

    Without ``new_york`` a class is one by its words only: a suffix of another State's code may mean anything.
    """
    import pyarrow.compute as pc

    name = fields.column("ownership") or ""
    classed = each_distinct(
        field_text(table, fields.column("property_class")),
        lambda text: "condominium" if is_condominium_class(text) and (new_york or _WORD.search(text.upper())) else None,
    )
    owned = each_distinct(
        field_text(table, name or None),
        lambda text: "condominium" if is_condominium_ownership(text, column=name) else None,
    )
    return pc.coalesce(classed, owned)


CONTAINED_SHARE = 0.9
"""A lot lies in another where at least this share of its area does: lines drawn by different hands are off by a little."""


_FEW = 4_096
"""Of so many lots the outlines are looked at at once."""

MULTIPOLYGON = 6
"""Shapely's number of the type."""


class Outlines:
    """The outlines of lots, and which lie in which.

    Parameters
    ----------
    shapes
        Polygons of all parcels, in US survey feet.
    lots
        Which of them are lots: a street or a lake holds nothing.
    units
        Which lots may be units, whose holders are looked for; all where it is not given.
    """

    def __init__(self, shapes: Shapes, lots: "NDArray[np.bool_]", *, units: "NDArray[np.bool_] | None" = None) -> None:
        self.shapes = shapes
        self.lots = lots
        self._may_be_units = lots if units is None else units & lots
        self.area = shapes.area
        self._filled: dict[int, shapely.Geometry] = {}
        self._held: dict[tuple[int, int], bool] = {}
        self._holes: dict[int, shapely.STRtree] = {}

    @cached_property
    def _twins(self) -> "dict[int, list[int]]":
        """The lots drawn as one and the same polygon, by each of them."""
        made: dict[int, list[int]] = {}
        for group in self.shapes.twins:
            members = [place for place in group.tolist() if self.lots[place]]
            made.update(dict.fromkeys(members, members))
        return made

    @cached_property
    def _holders(self) -> "dict[int, list[int]]":
        """For each lot with a point in the outline of others these others, the smallest outline first; of lots drawn as one only the first is looked at."""
        first = np.zeros(len(self.shapes), dtype=bool)
        first[self._first(np.flatnonzero(self.lots))] = True
        units = self._first(np.flatnonzero(self._may_be_units))
        none = np.zeros(0, dtype=np.int64)
        found: list[tuple[NDArray[Any], ...]] = [(none, none, np.zeros(0, dtype=object))]
        for start in range(0, len(units), _FEW):
            few = units[start : start + _FEW]
            points = shapely.point_on_surface(self.shapes[few])
            # most points have no outline round their box but that of their own lot
            at, lot = self.shapes.boxes_near(shapely.bounds(points).reshape(-1, 4))
            other = first[lot] & (lot != few[at])
            found.append((few[at[other]], lot[other], points[at[other]]))
        inside, lot, point = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((inside, lot))
        inside, lot, point = inside[order], lot[order], point[order]
        made: dict[int, list[int]] = defaultdict(list)
        for start in range(0, len(lot), _FEW):
            some = slice(start, start + _FEW)
            holding, index = np.unique(lot[some], return_inverse=True)
            filled = self.shapes[holding]
            for place in np.flatnonzero(_have_holes(filled)).tolist():
                filled[place] = self.filled(int(holding[place]))
            shapely.prepare(filled)
            holds = shapely.contains(filled[index], point[some])
            for outer, unit in zip(lot[some][holds].tolist(), inside[some][holds].tolist(), strict=True):
                made[unit].append(outer)
        for lots in made.values():
            if len(lots) > 1:
                lots.sort(key=lambda lot: (shapely.area(self.filled(lot)), lot))
        return made

    def _first(self, places: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """Return the lots of which none before is drawn as the same polygon."""
        head = np.arange(len(self.shapes))
        for place, twins in self._twins.items():
            head[place] = twins[0]
        found = np.zeros(len(head), dtype=bool)
        found[head[places]] = True
        return np.flatnonzero(found)

    def filled(self, lot: int) -> shapely.Geometry:
        """Return the outline of a lot with its holes filled."""
        made = self._filled.get(lot)
        if made is None:
            shape = self.shapes[lot]
            parts = shapely.get_parts(shape)
            if not shapely.get_num_interior_rings(parts).any():
                made = shape
            else:
                whole = np.atleast_1d(np.asarray(shapely.polygons(shapely.get_exterior_ring(parts)), dtype=object))
                made = whole[0] if len(whole) == 1 else shapely.union_all(whole)
            self._filled[lot] = made
        return made

    def holds(self, lot: int, unit: int) -> bool:
        """Return whether at least 90 % of a unit lies in the outline of a lot."""
        if lot == unit:
            return False
        known = self._held.get((lot, unit))
        if known is None:
            outline, shape = self.filled(lot), self.shapes[unit]
            shapely.prepare(outline)
            if not shapely.intersects(outline, shape):
                known = False
            else:
                known = bool(shapely.contains(outline, shape)) or bool(
                    shapely.area(shapely.intersection(outline, shape)) >= CONTAINED_SHARE * self.area[unit]
                )
            self._held[lot, unit] = known
        return known

    def holders(self, unit: int) -> list[int]:
        """Return the lots in whose outline a unit lies, the smallest first; of lots drawn as one the first."""
        like = self._twins.get(unit, [unit])[0]
        return [lot for lot in self._holders.get(like, ()) if self.holds(lot, like)]

    def innermost(self, unit: int, *, larger: float) -> int | None:
        """Return the smallest outline that holds a unit and is at least so many times as large; None where there is none."""
        for lot in self.holders(unit):
            if shapely.area(self.filled(lot)) >= larger * self.area[unit]:
                return lot
        return None

    def small_inside(self, most_sq_ft: float, *, larger: float) -> dict[int, int]:
        """Return the lots smaller than an area that lie in the outline of another, each with the innermost."""
        made = {}
        for like in self._holders:
            if self.area[like] < most_sq_ft and (lot := self.innermost(like, larger=larger)) is not None:
                made.update(dict.fromkeys(self._twins.get(like, [like]), lot))
        return made

    def hole_sq_ft(self, lot: int, unit: int) -> float:
        """Return the area of the hole of a lot that a unit lies in; 0 where it lies on the lot's own ground."""
        tree = self._holes.get(lot)
        if tree is None:
            parts = shapely.get_parts(self.shapes[lot])
            rings, ring_of = shapely.get_rings(parts, return_index=True)
            # the first ring of each part is its outline
            inner = np.r_[False, np.diff(ring_of) == 0]
            tree = self._holes[lot] = shapely.STRtree(np.asarray(shapely.polygons(rings[inner]), dtype=object))
        found = tree.query(shapely.point_on_surface(self.shapes[unit]), predicate="within")
        return float(shapely.area(tree.geometries[found]).max(initial=0.0))


def _have_holes(geometry: "NDArray[np.object_]") -> "NDArray[np.bool_]":
    """Return which polygons have a hole in any of their parts."""
    found = np.asarray(shapely.get_num_interior_rings(geometry) > 0)
    several = np.flatnonzero(shapely.get_type_id(geometry) == MULTIPOLYGON)
    parts, at = shapely.get_parts(geometry[several], return_index=True)
    found[several[at[shapely.get_num_interior_rings(parts) > 0]]] = True
    return found
