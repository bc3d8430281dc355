"""Land that goes with the premises or the list: the applicant's contiguous land, and the units of condominiums."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from geonotice.decide.unit_owners import CommonLot, with_common_land
from geonotice.errors import Fault, UsageError
from geonotice.model import Override, ResultWarning
from geonotice.recipients.owners import names_of
from geonotice.workflow.measuring import grown, with_parcels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from geonotice.decide.notice import Decision
    from geonotice.model import CommonLand, NoticeParcel, Parcel
    from geonotice.workflow.measuring import Measured
    from geonotice.workflow.open_town import Opened


__all__ = [
    "Joined",
    "common_land_warnings",
    "contiguous_land",
    "contiguous_warnings",
    "join_units",
    "land_apart",
]


_QUESTION = "question"
"""How a lot is marked that import did not tie."""


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """A decision with the owners of units, what was measured with their lots, and what import found of the common lots."""

    decision: "Decision"
    measured: "Measured"
    found: "tuple[CommonLand, ...]"


def join_units(opened: "Opened", measured: "Measured", decision: "Decision", *, added: "Mapping[int, str]") -> Joined:
    """Put the owners of units on the list where their common land is on it, or belongs to the premises.

    Parameters
    ----------
    opened, measured, decision
        The town, what was measured, and what the rules make of it.
    added
        Parcels that an official adds to the list, by fid.
    """
    own = [parcel.fid for parcel in measured.premises]
    asked = dict.fromkeys([*own, *(parcel.fid for parcel in decision.parcels), *added, *decision.schedule])
    found = opened.store.common_land_of(asked)
    tied = [one for one in found if one.how != _QUESTION and one.unit_fid not in own]
    if not tied or not opened.town.settings.common_land:
        return Joined(decision, measured, found)
    measured = with_parcels(opened, measured, [one.unit_fid for one in tied])
    facts = {parcel.fid: parcel for parcel in measured.facts}
    units: dict[int, list[int]] = defaultdict(list)
    stated = {one.lot_fid for one in tied if one.how == "town_file"}
    for one in tied:
        units[one.lot_fid].append(one.unit_fid)
    lots = [
        CommonLot(fid, measured.records[fid].id, tuple(some), stated=fid in stated, facts=facts.get(fid))
        for fid, some in units.items()
    ]
    return Joined(with_common_land(decision, lots, facts, added=added), measured, found)


def common_land_warnings(opened: "Opened", joined: Joined, parcels: "Sequence[NoticeParcel]") -> tuple[ResultWarning, ...]:
    """Return which lots of the list may be common land, and where the town's setting leaves the owners of units out."""
    measured = joined.measured
    here = {parcel.fid for parcel in parcels} | {parcel.fid for parcel in measured.premises}
    doubtful, left_out = (
        _missing([one for one in joined.found if (one.how == _QUESTION) is question and one.lot_fid in here], here)
        for question in (True, False)
    )
    made = []
    if doubtful:
        count = sum(doubtful.values())
        text = (
            f"{_of_lots(count)} that may be units of a condominium {'is' if count == 1 else 'are'} NOT on this list, though the land that their owners may own in common is on"
            " it, or belongs to the premises: the lots named here (`geonotice parcel` shows which others may share them). If the owners do, write"
            " [[common_land]] into the town file and import again; if not, write it with units = [], and this warning ends."
        )
        made.append(ResultWarning("common_land_question", text, tuple(measured.records[fid].id for fid in doubtful)))
    if left_out and not opened.town.settings.common_land:
        text = (
            f"The town's setting is not to notify the owners of units for their common land (common_land = false): {_of_lots(sum(left_out.values()))} of"
            " these common lots are NOT on this list."
        )
        made.append(ResultWarning("common_land_off", text, tuple(measured.records[fid].id for fid in left_out)))
    return tuple(made)


def _missing(found: "Sequence[CommonLand]", here: set[int]) -> dict[int, int]:
    """Count by common lot the units that are not on the list."""
    count: dict[int, int] = {}
    for one in found:
        if one.unit_fid not in here:
            count[one.lot_fid] = count.get(one.lot_fid, 0) + 1
    return count


def _of_lots(count: int) -> str:
    return "1 lot" if count == 1 else f"{count:,} lots"


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
        block = store.parcels_in(grown(land.bounds, tolerance_ft))
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
            raise UsageError(Fault(what=what, remedy="take out --apart"))
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
            faults.append(Fault(what=what, parcel=parcel.id, remedy="take out this --apart"))
        if not reasons[number].strip():
            why = "a list changed by hand must say why a year later"
            faults.append(Fault(what="no reason is given", parcel=parcel.id, why=why, remedy='write --apart "PARCEL=REASON"'))
    if faults:
        raise UsageError(faults)
    said = tuple(Override(parcel.id, "apart", reasons[number]) for number, parcel in found.items())
    return contiguous_land(opened, premises, apart={parcel.fid for parcel in found.values()}), said


def contiguous_warnings(parcels: "Sequence[Parcel]") -> tuple[ResultWarning, ...]:
    """Say from which land the distance was measured."""
    if not parcels:
        return ()
    text = (
        "The owner of the premises owns land that touches them, and the law measures from the edge of all of it: these parcels move the"
        ' line out. Of one that is not the applicant\'s, say so with its reason: --apart "PARCEL=REASON".'
    )
    return (ResultWarning("contiguous_land", text, tuple(parcel.id for parcel in parcels)),)


def _names(opened: "Opened", fids: "Sequence[int]") -> set[str]:
    owners = opened.store.owners_of(fids)
    return names_of(owner for fid in fids for owner in owners[fid])
