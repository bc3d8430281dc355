"""All that is known of one property, with the permits on it: those of its number, and those its land had under an earlier one.

What a parcel is takes no register: its modules are imported where permits are asked for.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import shapely
from msgspec import Struct
from msgspec.structs import asdict

from geonotice.errors import ParcelNotFound, StoreError
from geonotice.model import ResultWarning
from geonotice.opened_town import open_store

if TYPE_CHECKING:
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Permit


__all__ = [
    "ListedPermits",
    "describe_parcel",
    "permits_of_parcel",
    "permits_on_land",
    "permits_on_parcel",
]


class ListedPermits(Struct, frozen=True):
    """Permits, and what is to be said of the list."""

    permits: "tuple[Permit, ...]"
    warnings: tuple[ResultWarning, ...] = ()


def permits_on_land(place: Path, number: str, *, year: int | None = None, status: str | None = None) -> ListedPermits:
    """List the permits on a parcel, as :func:`geonotice.register.permits.list_permits` does for all.

    Where the layers cannot be opened, or have no such parcel any more, those of the number are listed, and that is said.

    Raises
    ------
    UsageError
        Neither the layers nor the register know the number, or it is more than one parcel.
    RegisterError
        The register cannot be read.
    """
    from geonotice.register.permits import list_permits
    from geonotice.register.session import open_register_of

    with open_register_of(place) as register:
        try:
            with open_store(place) as opened:
                parcel = opened.store.find(number)
                found = permits_on_parcel(opened, register, parcel, year=year, status=status)
        except StoreError as error:
            said = f"permits under an earlier number of this land are not listed: {error.faults[0].what}"
            found = ListedPermits(
                list_permits(register, year=year, parcel=number, status=status), (ResultWarning("by_number", said, (number,)),)
            )
        except ParcelNotFound:
            if not list_permits(register, parcel=number):
                raise
            said = f"{number} is not in the layer: permits under another number of its land are not listed"
            found = ListedPermits(
                list_permits(register, year=year, parcel=number, status=status), (ResultWarning("by_number", said, (number,)),)
            )
        return ListedPermits(found.permits, (*register.warnings, *found.warnings))


def permits_of_parcel(opened: "Opened", parcel: "Parcel") -> list[dict[str, Any]] | None:
    """Return the permits on a parcel as plain values; None where the town has no register.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    from geonotice.register.session import read_town_register

    with read_town_register(opened.town) as register:
        if not register.there:
            return None
        found = permits_on_parcel(opened, register, parcel).permits
    return [
        {
            "number": permit.number,
            "status": permit.status,
            "kind": permit.kind,
            "parcels": list(permit.parcels),
            "issued": permit.issued and permit.issued.isoformat(),
            "starts": permit.starts and permit.starts.isoformat(),
            "ends": permit.ends and permit.ends.isoformat(),
        }
        for permit in found
    ]


def permits_on_parcel(
    opened: "Opened", register: "Register", parcel: "Parcel", *, year: int | None = None, status: str | None = None
) -> ListedPermits:
    """List the permits on a parcel's land, those of its number and those that the land had under an earlier one."""
    from geonotice.facts.history import describe_land, slivers_of
    from geonotice.register.land_history import history_of
    from geonotice.register.permits import list_permits
    from geonotice.register.rows import land_key

    (land,), _ = describe_land(opened, [parcel])
    with register.reading() as connection:
        history = history_of(connection, land, slivers_of(opened))
    recorded_as = {item.number: item.recorded_as for item in history.permits}
    of_number = {
        permit.number
        for permit in list_permits(register, parcel=parcel.id)
        for item in permit.land
        if land_key(item.parcel) == land_key(parcel.id) and (not item.swis or not parcel.swis or item.swis == parcel.swis)
    }
    found = list_permits(register, year=year, status=status, numbers={*recorded_as, *of_number})
    moved = tuple(
        ResultWarning(
            "renumbered",
            f"permit {permit.number} was issued on {recorded_as[permit.number]}, whose land {parcel.id} has",
            (parcel.id,),
        )
        for permit in found
        if recorded_as.get(permit.number)
    )
    return ListedPermits(found, (*history.warnings, *moved))


def describe_parcel(opened: "Opened", parcel: "Parcel") -> dict[str, Any]:
    """Gather what the store holds of a parcel, as plain values.

    ``districts`` and ``municipalities`` are those whose area meets the parcel; None where the town has no such layer. ``problems`` is
    what import had to say of it.
    """
    store = opened.store
    geometry = store.geometries([parcel.fid])[0]
    points = store.address_points_of([parcel.fid])[parcel.fid] if store.has("address_points") else None
    owners = [
        {
            "names": list(owner.names),
            "address": list(owner.address),
            "city": owner.city,
            "state": owner.state,
            "zip": owner.zip,
            "country": owner.country,
            "source": owner.source,
            "roll_year": owner.roll_year,
            "mailable": owner.mailable,
        }
        for owner in store.owners_of([parcel.fid])[parcel.fid]
    ]
    names = {parcel.id, parcel.tax_map_number} - {""}
    return {
        "id": parcel.id,
        "tax_map_number": parcel.tax_map_number,
        "swis": parcel.swis,
        "municipality": parcel.municipality,
        "role": parcel.role,
        "situs": asdict(parcel.situs),
        "property_class": parcel.property_class,
        "roll_year": parcel.roll_year,
        "area_sq_ft": round(parcel.area_sq_ft),
        "acres": round(parcel.area_sq_ft / 43_560, 2),
        "owners": owners,
        "address_points": None if points is None else [asdict(point) for point in points],
        "districts": _meeting(opened, "zoning", "district", geometry),
        "municipalities": _meeting(opened, "municipalities", "name", geometry),
        "problems": [asdict(problem) for problem in store.problems() if problem.key in names],
        "crs": opened.crs,
        "bounds": [round(value, 2) for value in geometry.bounds],
    }


def _meeting(opened: "Opened", kind: str, name: str, geometry: Any) -> list[str] | None:  # noqa: ANN401  # a polygon
    """Name the features of a layer whose inside meets the parcel's."""
    if not opened.store.has(kind):
        return None
    found = opened.store.features_in(kind, geometry.bounds)
    shared = shapely.area(shapely.intersection(found.geometries, geometry))
    return sorted({row[name] for row, area in zip(found.rows, shared, strict=True) if area > 0})
