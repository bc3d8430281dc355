"""The owners of condominium units whose common land is on a list, and what is uncertain about them."""

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.decide.unit_owners import CommonLot, with_common_land
from geonotice.facts.surroundings import with_parcels
from geonotice.model import ResultWarning

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.decide.notice import Decision
    from geonotice.facts.surroundings import Measured
    from geonotice.model import CommonLand, NoticeParcel
    from geonotice.opened_town import Opened


__all__ = ["Joined", "common_land_warnings", "join_units"]


_QUESTION = "question"
"""How a lot is marked that import did not tie."""


class Joined(Struct, frozen=True, eq=False):
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
            " it, or belongs to the premises: the lots named here (what is known of a property names the others that may share them). If the owners do, write"
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
