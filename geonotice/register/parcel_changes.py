"""Parcels change between rolls: which parcels with permits have another number or another shape today."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from geonotice.errors import UsageError
from geonotice.register.land_history import Slivers, same_lands
from geonotice.register.permit_check import DEFAULT_SLIVERS
from geonotice.register.rows import land_key, shape_of
from geonotice.register.tables_and_columns import PERMIT_PARCELS, PERMITS, fetch

if TYPE_CHECKING:
    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.store import Store

__all__ = ["ChangedParcel", "changed_parcels", "parcels_today"]

Change = Literal["renumbered", "reshaped", "subdivided", "merged", "gone", "unknown_shape"]


class ChangedParcel(Struct, frozen=True, kw_only=True):
    """A parcel with permits that is not today what it was when they were issued.

    Parameters
    ----------
    parcel
        Its number then.
    permits
        Numbers of the permits issued on it.
    change
        ``renumbered``: the same land has another number; ``subdivided``: it is several parcels; ``merged``: it is part of a larger one;
        ``reshaped``: its lines moved; ``gone``: no parcel is there; ``unknown_shape``: it was kept by its number only, which is no more.
    now
        Numbers of the parcels that have the land today, and on which the permits count.
    text
        The same in a sentence.
    """

    parcel: str
    permits: tuple[str, ...]
    change: Change
    now: tuple[str, ...]
    text: str


def changed_parcels(register: "Register", store: "Store", *, slivers: Slivers = DEFAULT_SLIVERS) -> tuple[ChangedParcel, ...]:
    """List the parcels with permits whose number or shape is another today. ``import`` prints them.

    Parameters
    ----------
    register
        An open register.
    store
        The town's store, as it is now.
    slivers
        What is too little to count as a change.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    crs = store.meta["crs"]
    found = []
    for (parcel, geometry, drawn_in), numbers in _snapshots(register).items():
        changed = _changed(store, parcel, geometry if drawn_in == crs else None, slivers)
        if changed:
            change, now, text = changed
            found.append(ChangedParcel(parcel=parcel, permits=tuple(numbers), change=change, now=now, text=text))
    return tuple(sorted(found, key=lambda item: (land_key(item.parcel), item.permits)))


def _snapshots(register: "Register") -> dict[tuple[str, bytes | None, str], list[str]]:
    """Return each parcel as it was drawn, with the numbers of its permits; void ones were never permits."""
    found: dict[tuple[str, bytes | None, str], list[str]] = {}
    asked = (
        "SELECT parcel, geometry, crs, number FROM permit_parcels JOIN permits ON permits.id = permit_parcels.permit_id "
        "WHERE status <> 'void' ORDER BY permit_parcels.id"
    )
    with register.reading() as connection:
        for parcel, geometry, crs, number in fetch(connection, asked, PERMIT_PARCELS, PERMITS):
            found.setdefault((parcel, geometry, crs), []).append(number)
    return found


def _changed(store: "Store", parcel: str, geometry: bytes | None, slivers: Slivers) -> tuple[Change, tuple[str, ...], str] | None:
    if geometry is None:
        if _by_number(store, parcel):
            return None
        return (
            "unknown_shape",
            (),
            f"{parcel} is not in the layer, and its shape is not known: its permits count on no parcel of today",
        )
    (today,) = parcels_today(store, [geometry], slivers)
    ids = tuple(item.id for item, _ in today)
    if not today:
        return "gone", (), f"{parcel}: no parcel of the layer lies where it was; its permits count on none"
    if len(today) > 1:
        return "subdivided", ids, f"{parcel} is {len(ids)} parcels now: {', '.join(ids)}; its permits count on each"
    change, text = _moved(parcel, geometry, *today[0], slivers=slivers)
    return (change, ids, text) if change else None


def _moved(parcel: str, geometry: bytes, now: "Parcel", now_shape: Any, *, slivers: Slivers) -> tuple[Change | None, str]:  # noqa: ANN401  # a shape
    """Compare a parcel with the one that has its land today: the number, and what its lines lost and gained."""
    import shapely

    shape = shape_of(geometry, parcel)
    lost = float(shapely.area(shapely.difference(shape, now_shape)))
    gained = float(shapely.area(shapely.difference(now_shape, shape)))
    least = max(slivers.sq_ft, slivers.share * float(shape.area))
    same_number = land_key(now.id) == land_key(parcel)
    named = parcel if same_number else f"{parcel} is {now.id} now"
    if gained > least and lost <= least:
        return (
            "merged",
            f"{named}{':' if same_number else ','} larger by {gained:,.0f} sq ft; its permits count on the whole of it",
        )
    if gained > least or lost > least:
        return "reshaped", f"{named}: its lines moved ({lost:,.0f} sq ft lost, {gained:,.0f} sq ft gained)"
    return (None, "") if same_number else ("renumbered", f"{named}; its permits count there")


def parcels_today(
    store: "Store", geometries: Sequence[bytes], slivers: Slivers = DEFAULT_SLIVERS
) -> "list[list[tuple[Parcel, Any]]]":
    """Find, for each snapshot, the parcels of the town's own layer that have its land today, with their shapes, by more than a sliver."""
    import numpy as np
    import shapely

    shapes = [shape_of(geometry, "a permit's parcel") for geometry in geometries]
    if not shapes:
        return []
    block = store.parcels_in(*(shape.bounds for shape in shapes))
    snapshot, today = shapely.STRtree(block.geometries).query(np.array([*shapes, None], dtype=object)[:-1])
    pairs = sorted(zip(snapshot.tolist(), today.tolist(), strict=True))
    pairs = [(n, m) for n, m in pairs if block.parcels[m].layer == 0]
    same = same_lands([shapes[n] for n, _ in pairs], [block.geometries[m] for _, m in pairs], slivers)
    found: list[list[tuple[Parcel, Any]]] = [[] for _ in shapes]
    for (n, m), counts in zip(pairs, same.tolist(), strict=True):
        if counts:
            found[n].append((block.parcels[m], block.geometries[m]))
    return found


def _by_number(store: "Store", parcel: str) -> "Parcel | None":
    try:
        return store.find(parcel)
    except UsageError:
        return None
