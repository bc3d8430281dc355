"""Parcels as the permit register takes them: shape, area, districts and their class, and what is to be said of where they lie."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from geonotice.model import Caution
from geonotice.register.land import Slivers
from geonotice.register.values import Land
from geonotice.workflow.measuring import LOCATION_CODES, measure_municipalities, measure_zone
from geonotice.workflow.scattered import scattered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["describe_land", "slivers_of", "snapshot"]

_NO_MUNICIPALITIES = "The town file names no municipalities layer, so whether the premises lie in a village, which the town's law may not reach, is not known."


def slivers_of(opened: "Opened") -> Slivers:
    """Give what overlap is too little to count, from the town's settings."""
    return Slivers(share=opened.town.settings.sliver_share, sq_ft=opened.town.settings.sliver_sq_ft)


def describe_land(opened: "Opened", parcels: "Iterable[Parcel]") -> tuple[tuple[Land, ...], tuple[Caution, ...]]:
    """Take the snapshot of parcels that a permit is issued on: shape, area, districts and their class; and what is to be said of these."""
    listed = tuple(parcels)
    land: list[Land] = []
    cautions: list[Caution] = []
    for parcel, shape in zip(listed, opened.store.geometries([parcel.fid for parcel in listed]), strict=True):
        one, said = snapshot(opened, parcel, shape)
        land.append(one)
        cautions += [replace(caution, parcels=(parcel.id,)) for caution in said]
    return tuple(land), (*scattered(opened, listed), *cautions)


def snapshot(opened: "Opened", parcel: "Parcel", shape: Any) -> tuple[Land, tuple[Caution, ...]]:  # noqa: ANN401  # a polygon
    """Take the snapshot of one parcel, whose shape is given; and what is to be said of where it lies and of its districts."""
    import shapely

    places = measure_municipalities(opened, shape, (parcel,), distance_ft=0.0, rule="")
    cautions = tuple(caution for caution in places.cautions if caution.code in LOCATION_CODES)
    if not opened.store.has("municipalities"):
        cautions = (Caution("no_municipalities_layer", _NO_MUNICIPALITIES), *cautions)
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
    return land, (*cautions, *zoned.cautions)
