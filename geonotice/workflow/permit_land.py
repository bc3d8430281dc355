"""Parcels as the permit register takes them, and permits on land of the same owner next door."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shapely

from geonotice.decide.cap_count import UNCOUNTED_KINDS
from geonotice.errors import UsageError
from geonotice.model import ResultWarning
from geonotice.recipients.owners import names_of
from geonotice.register.land_history import Slivers, history_of
from geonotice.register.values import Land
from geonotice.workflow.measuring import LOCATION_CODES, grown, measure_municipalities, measure_zone, scattered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.workflow.open_town import Opened


__all__ = [
    "describe_land",
    "side_by_side",
    "slivers_of",
    "snapshot",
]


_NO_MUNICIPALITIES = "The town file names no municipalities layer, so whether the premises lie in a village, which the town's law may not reach, is not known."


def slivers_of(opened: "Opened") -> Slivers:
    """Return what overlap is too little to count, from the town's settings."""
    return Slivers(share=opened.town.settings.sliver_share, sq_ft=opened.town.settings.sliver_sq_ft)


def describe_land(opened: "Opened", parcels: "Iterable[Parcel]") -> tuple[tuple[Land, ...], tuple[ResultWarning, ...]]:
    """Take the snapshot of parcels that a permit is issued on: shape, area, districts and their class; and what is to be said of these."""
    listed = tuple(parcels)
    land: list[Land] = []
    warnings: list[ResultWarning] = []
    for parcel, shape in zip(listed, opened.store.geometries([parcel.fid for parcel in listed]), strict=True):
        one, said = snapshot(opened, parcel, shape)
        land.append(one)
        warnings += [replace(warning, parcels=(parcel.id,)) for warning in said]
    return tuple(land), (*scattered(opened, listed), *warnings)


def snapshot(opened: "Opened", parcel: "Parcel", shape: Any) -> tuple[Land, tuple[ResultWarning, ...]]:  # noqa: ANN401  # a polygon
    """Take the snapshot of one parcel, whose shape is given; and what is to be said of where it lies and of its districts."""
    import shapely

    places = measure_municipalities(opened, shape, (parcel,), distance_ft=0.0, rule="")
    warnings = tuple(warning for warning in places.warnings if warning.code in LOCATION_CODES)
    if not opened.store.has("municipalities"):
        warnings = (ResultWarning("no_municipalities_layer", _NO_MUNICIPALITIES), *warnings)
    zoned = measure_zone(opened, shape, village=next(iter(places.villages), ""))
    land = Land(
        parcel=parcel.id,
        swis=parcel.swis,
        zone=zoned.zone,
        districts=zoned.districts,
        geometry=shapely.to_wkb(shape),
        crs=opened.crs,
        area_sq_ft=float(shapely.area(shape)),
    )
    return land, (*warnings, *zoned.warnings)


def side_by_side(
    opened: "Opened", register: "Register", premises: "Sequence[str]", *, on: "date", starts: "date | None"
) -> tuple[ResultWarning, ...]:
    """Return which permits of the year the owner's land beside the premises has.

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
            said.append(ResultWarning("side_by_side", text, (parcel.id,)))
    return tuple(said)


def _found(opened: "Opened", number: str) -> "Parcel | None":
    try:
        return opened.store.find(number)
    except UsageError:
        return None


def _touching(opened: "Opened", own: "Sequence[Parcel]") -> "list[Parcel]":
    """Return the parcels that touch the premises, within the town's tolerance."""
    if not own:
        return []
    land = shapely.union_all(opened.store.geometries([parcel.fid for parcel in own]))
    tolerance = opened.town.settings.tolerance_ft
    block = opened.store.parcels_in(grown(land.bounds, tolerance))
    mine = {parcel.fid for parcel in own}
    near = shapely.dwithin(block.geometries, land, tolerance)
    return [parcel for parcel, touches in zip(block.parcels, near, strict=True) if touches and parcel.fid not in mine]
