"""Whether the premises are contiguous, and the applicant's contiguous land that moves the line out."""

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, UsageError
from geonotice.facts.surroundings import boxes_around
from geonotice.model import Override, ResultWarning
from geonotice.recipients.owners import names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened


__all__ = ["contiguous_land", "contiguous_warnings", "land_apart", "non_contiguous_warnings"]


_NAMED = 12
"""Most parcels named in the warning."""


def non_contiguous_warnings(opened: "Opened", parcels: "Sequence[Parcel]") -> tuple[ResultWarning, ...]:
    """Name the parcels that lie farther from the rest of the premises than the widest right-of-way.

    LAW: DIGEST, readings: the premises are all tax parcels the event uses, together. They may lie on both sides of a street; a lot that
    lies farther off is as often a slip.
    """
    if len(parcels) < 2:  # noqa: PLR2004  # one lot is no several
        return ()
    shapes = np.array(opened.store.geometries([parcel.fid for parcel in parcels]), dtype=object)
    group = _groups(shapes, opened.town.settings.right_of_way_max_ft)
    most = np.bincount(group).argmax()
    away = np.flatnonzero(group != most)
    if not away.size:
        return ()
    feet = float(shapely.distance(shapely.union_all(shapes[away]), shapely.union_all(shapes[group == most])))
    named = tuple(parcels[place].id for place in away.tolist())
    listed = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} more" if len(named) > _NAMED else "")
    text = f"The premises are not contiguous: {listed} {'lies' if len(named) == 1 else 'lie'} {feet:,.0f} ft or more from the rest. Look whether the right parcels are named."
    return (ResultWarning("premises_apart", text, named),)


def _groups(
    shapes: "np.ndarray[tuple[int], np.dtype[np.object_]]", reach_ft: float
) -> "np.ndarray[tuple[int], np.dtype[np.int_]]":
    """Return each shape the number of its group: those within reach of each other, one by way of the next."""
    tree = shapely.STRtree(shapes)
    group = np.full(len(shapes), -1)
    for start in range(len(shapes)):
        if group[start] >= 0:
            continue
        number = group.max() + 1
        group[start] = number
        edge = [start]
        while edge:
            near = tree.query(shapes[edge.pop()], predicate="dwithin", distance=reach_ft)
            fresh = near[group[near] < 0]
            group[fresh] = number
            edge += fresh.tolist()
    return group


def contiguous_land(opened: "Opened", premises: "Sequence[Parcel]", *, apart: "Collection[int]" = ()) -> "tuple[Parcel, ...]":
    """Find the land of the premises' owners that touches them, and what touches that in turn.

    LAW: Brookhaven 85-55: the applicant's contiguous land moves the line out. Owners are taken for the same where their names
    are, in one spelling; the address may differ, for a letter too many is better than one too few. ``apart`` are fids of parcels
    that are not the applicant's after all: neither they nor what only they join to the premises is of this land.
    """
    store, tolerance_ft = opened.store, opened.town.settings.tolerance_ft
    found = {parcel.fid: parcel for parcel in premises}
    names = _names(opened, list(found))
    edge = list(store.geometries(list(found)))
    while edge and names:
        land = shapely.union_all(edge)
        block = store.parcels_in(*boxes_around(land, tolerance_ft))
        near = [
            (parcel, shape)
            for parcel, shape in zip(block.parcels, block.geometries, strict=True)
            if parcel.fid not in found and parcel.fid not in apart and shapely.dwithin(land, shape, tolerance_ft)
        ]
        owned = [(parcel, shape) for parcel, shape in near if names & _names(opened, [parcel.fid])]
        found |= {parcel.fid: parcel for parcel, _ in owned}
        edge = [shape for _, shape in owned]
    return tuple(parcel for fid, parcel in found.items() if fid not in {one.fid for one in premises})


def land_apart(
    opened: "Opened", premises: "Sequence[Parcel]", reasons: "Mapping[str, str]", *, asked: bool
) -> "tuple[tuple[Parcel, ...], tuple[Override, ...]]":
    """Return the contiguous land without the parcels that an official keeps apart, and what the record says of these.

    Parameters
    ----------
    opened, premises
        As for :func:`contiguous_land`.
    reasons
        Tax map numbers that are not the applicant's land, each with the reason.
    asked
        Whether the law measures from contiguous land on this occasion; if not there is none.

    Raises
    ------
    UsageError
        The law measures from the premises alone, a reason is empty, or a parcel is not of this land; all of them at once.
    """
    if not asked:
        if reasons:
            what = "this law measures from the premises alone on this occasion, so no parcel can be kept apart from them"
            raise UsageError(Fault(what=what, remedy="keep none apart", command="take out --apart"))
        return (), ()
    whole = contiguous_land(opened, premises)
    if not reasons:
        return whole, ()
    known = {parcel.fid for parcel in whole}
    found = {number: opened.store.find(number, any_layer=True) for number in reasons}
    faults = []
    for number, parcel in found.items():
        if parcel.fid not in known:
            what = "it is not of the owner's land that touches the premises, so it moves no line"
            faults.append(Fault(what=what, parcel=parcel.id, remedy="undo this change by hand", command="take out this --apart"))
        if not reasons[number].strip():
            why = "a list changed by hand must say why a year later"
            faults.append(
                Fault(
                    what="no reason is given",
                    parcel=parcel.id,
                    why=why,
                    remedy="type the reason",
                    command='write --apart "PARCEL=REASON"',
                )
            )
    if faults:
        raise UsageError(faults)
    said = tuple(Override(parcel.id, "apart", reasons[number]) for number, parcel in found.items())
    return contiguous_land(opened, premises, apart={parcel.fid for parcel in found.values()}), said


def contiguous_warnings(parcels: "Sequence[Parcel]") -> tuple[ResultWarning, ...]:
    """Return from which land the distance was measured."""
    if not parcels:
        return ()
    text = (
        "The owner of the premises owns land that touches them, and the law measures from the edge of all of it: these parcels move the"
        " line out. Keep one apart by hand that is not the applicant's, with the reason."
    )
    return (ResultWarning("contiguous_land", text, tuple(parcel.id for parcel in parcels)),)


def _names(opened: "Opened", fids: "Sequence[int]") -> set[str]:
    owners = opened.store.owners_of(fids)
    return names_of(owner for fid in fids for owner in owners[fid])
