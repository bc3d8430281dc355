"""The permits on a parcel: those of its number, and those that its land had under an earlier one."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.errors import ParcelNotFound, StoreError
from geonotice.model import Caution
from geonotice.register.land import history_of
from geonotice.register.permits import list_permits
from geonotice.register.rows import land_key
from geonotice.workflow.opening import open_store
from geonotice.workflow.permitting import describe_land, open_register_of, read_town_register, slivers_of

if TYPE_CHECKING:
    from geonotice.model import Parcel
    from geonotice.register.session import Register
    from geonotice.register.values import Permit
    from geonotice.workflow.opening import Opened

__all__ = ["ListedPermits", "permits_of_parcel", "permits_on_land"]


@dataclass(frozen=True, slots=True)
class ListedPermits:
    """Permits, and what is to be said of the list."""

    permits: "tuple[Permit, ...]"
    cautions: tuple[Caution, ...] = ()


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
    with open_register_of(place) as register:
        try:
            with open_store(place) as opened:
                parcel = opened.store.find(number)
                found = _on(opened, register, parcel, year=year, status=status)
        except StoreError as error:
            said = f"permits under an earlier number of this land are not listed: {error.faults[0].what}"
            found = ListedPermits(
                list_permits(register, year=year, parcel=number, status=status), (Caution("by_number", said, (number,)),)
            )
        except ParcelNotFound:
            if not list_permits(register, parcel=number):
                raise
            said = f"{number} is not in the layer: permits under another number of its land are not listed"
            found = ListedPermits(
                list_permits(register, year=year, parcel=number, status=status), (Caution("by_number", said, (number,)),)
            )
        return ListedPermits(found.permits, (*register.cautions, *found.cautions))


def permits_of_parcel(opened: "Opened", parcel: "Parcel") -> list[dict[str, Any]] | None:
    """Give the permits on a parcel as plain values; None where the town has no register.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    with read_town_register(opened.town) as register:
        if not register.there:
            return None
        found = _on(opened, register, parcel).permits
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


def _on(
    opened: "Opened", register: "Register", parcel: "Parcel", *, year: int | None = None, status: str | None = None
) -> ListedPermits:
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
        Caution(
            "renumbered",
            f"permit {permit.number} was issued on {recorded_as[permit.number]}, whose land {parcel.id} has",
            (parcel.id,),
        )
        for permit in found
        if recorded_as.get(permit.number)
    )
    return ListedPermits(found, (*history.cautions, *moved))
