"""Find the parcels that a user names: by tax map number, by address, by owner."""

from typing import TYPE_CHECKING

from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["find_premises"]

_LISTED = 12
"""Most parcels named in a message about several."""


def find_premises(opened: "Opened", sought: "Sequence[str]", *, find: "Sequence[str]" = ()) -> "tuple[Parcel, ...]":
    """Find the parcels of the premises by tax map number, and by address or owner.

    Raises
    ------
    UsageError
        None is named, or one of them is not found or is several; all of them at once.
    """
    faults: list[Fault] = []
    found: dict[int, Parcel] = {}
    for number in sought:
        try:
            parcel = opened.store.find(number)
        except UsageError as error:
            faults.extend(error.faults)
        else:
            found[parcel.fid] = parcel
    for text in find:
        matches = opened.store.search(text)
        if len(matches) == 1:
            found[matches[0].fid] = matches[0]
        else:
            faults.append(_search_fault(text, matches))
    if not found and not faults:
        faults.append(Fault(what="no parcel is named", remedy="give a tax map number, or --find with an address or an owner"))
    if faults:
        raise UsageError(faults)
    return tuple(found.values())


def _search_fault(text: str, matches: "Sequence[Parcel]") -> Fault:
    if not matches:
        return Fault(
            what=f"no parcel has {text!r} in its address or among its owners", remedy="give fewer words, or the tax map number"
        )
    named = "; ".join(f"{parcel.id} ({parcel.situs.text})" if parcel.situs.text else parcel.id for parcel in matches[:_LISTED])
    more = f"; and {len(matches) - _LISTED:,} more" if len(matches) > _LISTED else ""
    return Fault(
        what=f"{text!r} is found in {len(matches):,} parcels: {named}{more}",
        why="the list would be that of whichever came first",
        remedy="give more words, or the tax map number of the one meant",
    )
