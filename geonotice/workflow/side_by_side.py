"""Land of the same owner beside the premises that has permits of its own: the way round a cap for each property.

LAW: Southampton 283-6B counts for "an individual property", and each parcel of the premises is counted by itself. Whether an event goes
on next door, too, only the application says; so this is pointed out, and nothing is added.
"""

from typing import TYPE_CHECKING

import shapely

from geonotice.decide.cap_values import UNCOUNTED_KINDS
from geonotice.errors import UsageError
from geonotice.model import Caution
from geonotice.recipients.owners import names_of
from geonotice.register.land import history_of
from geonotice.workflow.land import describe_land, slivers_of
from geonotice.workflow.measuring import grown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.workflow.opening import Opened

__all__ = ["side_by_side"]


def side_by_side(
    opened: "Opened", register: "Register", premises: "Sequence[str]", *, on: "date", starts: "date | None"
) -> tuple[Caution, ...]:
    """Say which permits of the year the owner's land beside the premises has.

    Parameters
    ----------
    premises
        Ids of the parcels of the premises; one that the layers do not have is left out.
    on, starts
        The day a permit would be issued, and the first day of the event: permits issued or held in either's year are named.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    if not register.there:
        return ()
    own = [parcel for number in premises if (parcel := _found(opened, number))]
    beside = _touching(opened, own)
    owners = opened.store.owners_of([parcel.fid for parcel in (*own, *beside)])
    names = names_of(owner for parcel in own for owner in owners[parcel.fid])
    years = {on.year, *([starts.year] if starts else [])}
    said = []
    for parcel in beside:
        if not names & names_of(owners[parcel.fid]):
            continue
        (land,), _ = describe_land(opened, [parcel])
        with register.reading() as connection:
            history = history_of(connection, land, slivers_of(opened)).permits
        counted = [
            permit.number
            for permit in history
            if permit.status != "void"
            and permit.kind not in UNCOUNTED_KINDS
            and years & {day.year for day in (permit.issued, permit.starts) if day}
        ]
        if counted:
            text = (
                f"{parcel.id} beside the premises has the same owner, and permits of this year: {', '.join(counted)}. If the event uses that "
                "land too, name it: each parcel of the premises counts."
            )
            said.append(Caution("side_by_side", text, (parcel.id,)))
    return tuple(said)


def _found(opened: "Opened", number: str) -> "Parcel | None":
    try:
        return opened.store.find(number)
    except UsageError:
        return None


def _touching(opened: "Opened", own: "Sequence[Parcel]") -> "list[Parcel]":
    """Give the parcels that touch the premises, within the town's tolerance."""
    if not own:
        return []
    land = shapely.union_all(opened.store.geometries([parcel.fid for parcel in own]))
    tolerance = opened.town.settings.tolerance_ft
    block = opened.store.parcels_in(grown(land.bounds, tolerance))
    mine = {parcel.fid for parcel in own}
    near = shapely.dwithin(block.geometries, land, tolerance)
    return [parcel for parcel, touches in zip(block.parcels, near, strict=True) if touches and parcel.fid not in mine]
