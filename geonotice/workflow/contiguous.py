"""The applicant's contiguous land, where a law measures its distance from the edge of all of it."""

from typing import TYPE_CHECKING

import shapely

from geonotice.model import Caution
from geonotice.postal import normal_name
from geonotice.workflow.measuring import grown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["contiguous_cautions", "contiguous_land"]


def contiguous_land(opened: "Opened", premises: "Sequence[Parcel]") -> "tuple[Parcel, ...]":
    """Find the land of the premises' owners that touches them, and what touches that in turn.

    LAW: Brookhaven 85-55: the applicant's contiguous land moves the line out. Owners are taken for the same where their names
    are, in one spelling; the address may differ, for a letter too many is better than one too few.
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
            if parcel.fid not in found and shapely.dwithin(land, shape, tolerance_ft)
        ]
        owned = [(parcel, shape) for parcel, shape in near if names & _names(opened, [parcel.fid])]
        found |= {parcel.fid: parcel for parcel, _ in owned}
        edge = [shape for _, shape in owned]
    return tuple(parcel for fid, parcel in found.items() if fid not in {one.fid for one in premises})


def contiguous_cautions(parcels: "Sequence[Parcel]") -> tuple[Caution, ...]:
    """Say from which land the distance was measured."""
    if not parcels:
        return ()
    text = (
        "The owner of the premises owns land that touches them, and the law measures from the edge of all of it: these parcels move the"
        " line out. If they are not the applicant's, name the premises in a town file without this rule, or drop the far parcels by hand."
    )
    return (Caution("contiguous_land", text, tuple(parcel.id for parcel in parcels)),)


def _names(opened: "Opened", fids: "Sequence[int]") -> set[str]:
    owners = opened.store.owners_of(fids)
    return {normal_name(owner.names) for fid in fids for owner in owners[fid]} - {""}
