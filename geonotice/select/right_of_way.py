"""Lots that may be streets: lists look through them, and keep what they say with the lot as a lot.

Layers draw streets, trails and railroads as lots like any other. As a lot such a strip takes the frontage away, or is met first itself; who
lies across it is then found by nobody. As a street it is looked through, and is not opposite itself. Where only a person can say which it
is, neither answer may cost an owner the letter: both are listed, and what stands in one of them only is marked.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray

from geonotice.select.adjacency_facts import Neighbour, Neighbours, Relation, Remark
from geonotice.select.lot_lines import GeometryArray

__all__ = ["REVIEW", "is_strip", "with_what_strips_hide"]

REVIEW: Final = "street_or_lot"
"""Code of a parcel that is on the list, or in this relation, only if a lot in doubt is a street, or only if it is none."""
STRIP_WIDTH_FT: Final = 100.0
"""The usual widest right-of-way of a street or railroad: farm land is cut into strips wider than that."""
STRIP_LENGTH_FT: Final = 200.0
STRIP_RATIO: Final = 7.0
"""At least so many times as long as wide: a street from crossing to crossing is 7, and a lot of 50 by 100 ft 4.5."""
RELATIONS: Final[tuple[Relation, ...]] = ("abutting", "corner", "opposite")


def is_strip(geometries: GeometryArray) -> NDArray[np.bool_]:
    """Return of each polygon whether it has the shape of a right-of-way.

    Twice the area over the perimeter is a strip's width, half the perimeter its length, branches included.

    Examples
    --------
    >>> import numpy as np, shapely
    >>> is_strip(np.array([shapely.box(0, 0, 300, 50), shapely.box(0, 0, 50, 100), shapely.box(0, 0, 2000, 150)])).tolist()
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
    in_doubt: NDArray[np.object_],
    again: Callable[[GeometryArray], Neighbours],
) -> Neighbours:
    """Return what adjacency says with the lots in doubt as lots, and with them looked through: both, as one answer.

    Parameters
    ----------
    found
        What adjacency says with them as lots.
    geometries, roles, in_doubt
        The parcels around the premises, their roles, and which lots may be streets; None where nothing is known.
    again
        Asks once more, with other roles.

    Notes
    -----
    Premises that face nothing but other lots have no way out, or it is drawn as one of the lots: then strips that abut are looked through
    too, though import did not ask about them; but not one that surely is a lot.
    """
    doubt = np.asarray(in_doubt == True, dtype=bool) & np.asarray(roles == "lot", dtype=bool)  # noqa: E712  # of each; None is not known
    if not found.frontages:
        beside = np.array(
            [one.index for one in found.neighbours if one.relation == "abutting" and not one.stacked], dtype=np.intp
        )
        unknown = np.asarray([said is None for said in in_doubt[beside]], dtype=bool)
        doubt[beside] |= unknown & is_strip(geometries[beside]) & (roles[beside] == "lot")
    if not doubt.any():
        return found
    others = roles.copy()
    others[doubt] = "right_of_way"
    through = again(others)
    if _same(found, through):
        return found
    listed, marked = _both(found, through)
    only_as_lots = {one.index for one in listed} - {one.index for one in through.neighbours}
    named = _named(through, geometries, doubt, marked)
    taken = {one.index for one in listed}
    misses = {one.index: one for one in (*found.near_misses, *through.near_misses) if one.index not in taken}
    return replace(
        through,
        neighbours=listed,
        near_misses=tuple(sorted(misses.values(), key=lambda one: (one.distance_ft, one.index))),
        remarks=(
            Remark(REVIEW, parcels=named),
            *(one for one in through.remarks if not (one.code == "private_road" and doubt[list(one.parcels)].any())),
        ),
        evidence=(
            *through.evidence,
            *(replace(one, frontage=None) for one in found.evidence if one.parcel in only_as_lots),
        ),
    )


def _stands(found: Neighbours) -> dict[int, set[Relation]]:
    return {one.index: {one.relation, *one.also} for one in found.neighbours}


def _same(found: Neighbours, through: Neighbours) -> bool:
    """Return whether it makes no difference what the lots in doubt are."""
    lengths = [sorted(round(one.length_ft, 1) for one in many.frontages) for many in (found, through)]
    return _stands(found) == _stands(through) and lengths[0] == lengths[1]


def _both(found: Neighbours, through: Neighbours) -> tuple[tuple[Neighbour, ...], set[int]]:
    """Return the parcels of both answers, each in all relations of either, and which of them differ; those that do are marked."""
    first, second = ({one.index: one for one in many.neighbours} for many in (found, through))
    stands = _stands(found), _stands(through)
    made, marked = [], set()
    for index in sorted({*first, *second}):
        mine, theirs = first.get(index), second.get(index)
        every = stands[0].get(index, set()) | stands[1].get(index, set())
        ordered = [relation for relation in RELATIONS if relation in every]
        one = theirs or mine
        assert one is not None  # noqa: S101  # it is of one of the two
        if mine is None or theirs is None or stands[0][index] != stands[1][index]:
            marked.add(index)
            as_lots = mine or one
            one = replace(
                one,
                relation=ordered[0],
                also=tuple(ordered[1:]),
                opposite_ft=one.opposite_ft if one.opposite_ft is not None else as_lots.opposite_ft,
                across_ft=one.across_ft if one.opposite_ft is not None else as_lots.across_ft,
                shared_ft=one.shared_ft if one.shared_ft is not None else as_lots.shared_ft,
                frontages=one.frontages if theirs is not None else (),
                review=tuple(dict.fromkeys((*one.review, REVIEW))),
            )
        made.append(one)
    return tuple(made), marked


def _named(through: Neighbours, geometries: GeometryArray, doubt: NDArray[np.bool_], marked: set[int]) -> tuple[int, ...]:
    """Return the lots in doubt that make the difference: those beside the premises, on the way across, or met as lots themselves."""
    places = np.flatnonzero(doubt)
    lines = [one.geometry for one in through.evidence if one.kind in {"across", "extension", "frontage"}]
    crossed = shapely.intersects(geometries[places], shapely.union_all(lines)) if lines else np.zeros(len(places), dtype=bool)
    beside = {one.index for one in through.neighbours}
    found = [int(one) for one, on in zip(places, crossed, strict=True) if on or one in beside or one in marked]
    return tuple(found) or tuple(places.tolist())
