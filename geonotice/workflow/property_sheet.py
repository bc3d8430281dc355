"""A property on one sheet: what the layers hold, how the law classes it, what is left of its caps, its permits and its applications."""

from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.errors import RegisterError, UsageError
from geonotice.facts.contiguous import contiguous_land
from geonotice.facts.premises import clerk_ft, gather
from geonotice.model import ResultWarning
from geonotice.opened_town import may_have_permits
from geonotice.warning_ranks import worst_first
from geonotice.workflow.property import describe_parcel

if TYPE_CHECKING:
    from geonotice.model import District, Frontage, Municipality, Owner, Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication
    from geonotice.register.session import Register
    from geonotice.register.values import Permit, PermitCheck

__all__ = ["PropertySheet", "property_sheet"]


class PropertySheet(Struct, frozen=True, kw_only=True):
    """All that is known of one property, for a page.

    Parameters
    ----------
    parcel, known
        The parcel, and what :func:`geonotice.workflow.property.describe_parcel` returns of it.
    owners
        Its owners of record, corrected where a person has put them right.
    districts, zone
        The districts on it with their shares, and the class of the land.
    frontages
        Its runs along streets.
    near, near_ft
        Other municipalities within ``near_ft``, the distance at which the law asks for their clerks.
    beside
        Land of the same owner that touches it, and what touches that.
    check
        What the caps make of an ordinary event on the day of the sheet; None where the register cannot be read.
    permits, applications
        Those on its land; None where there is no register.
    warnings
        What could not be seen, the worst first.
    """

    parcel: "Parcel"
    known: dict[str, Any]
    owners: "tuple[Owner, ...]"
    districts: "tuple[District, ...]"
    zone: str
    frontages: "tuple[Frontage, ...]"
    near: "tuple[Municipality, ...]"
    near_ft: float
    beside: "tuple[Parcel, ...]"
    check: "PermitCheck | None" = None
    permits: "tuple[Permit, ...] | None" = None
    applications: "tuple[FiledApplication, ...] | None" = None
    warnings: tuple[ResultWarning, ...] = ()


def property_sheet(opened: "Opened", number: str, *, on: date) -> PropertySheet:
    """Gather the sheet of a property.

    Raises
    ------
    UsageError
        No parcel has that number, or several have.
    """
    parcel = opened.store.find(number)
    near_ft = clerk_ft(opened)
    known = gather(opened, [parcel], clerk_distance_ft=near_ft)
    warnings = [*known.zoned.warnings, *known.places.warnings]
    check: PermitCheck | None = None
    permits: tuple[Permit, ...] | None = None
    filed: tuple[FiledApplication, ...] | None = None
    try:
        if opened.profile.of_kind("cap") or may_have_permits(opened.town.file):
            check, permits, filed, more = _of_register(opened, parcel, on=on)
            warnings += more
    except RegisterError as error:  # what the layers hold is known all the same
        warnings.append(ResultWarning("register_unreadable", f"Its permits are not known: {error.at_desk}"))
    except UsageError as error:  # a road or a railroad may not be asked for a permit
        warnings.append(ResultWarning("no_permit_rule", error.at_desk))
    return PropertySheet(
        parcel=parcel,
        known=describe_parcel(opened, parcel),
        owners=opened.store.owners_of([parcel.fid])[parcel.fid],
        districts=known.zoned.districts,
        zone=known.zoned.zone,
        frontages=known.measured.frontages(),
        near=known.places.near,
        near_ft=near_ft,
        beside=contiguous_land(opened, [parcel]),
        check=check,
        permits=permits,
        applications=filed,
        # One thing once: the layers and the register may both say it.
        warnings=worst_first({(one.code, one.text): one for one in reversed(warnings)}.values()),
    )


def _of_register(
    opened: "Opened", parcel: "Parcel", *, on: date
) -> "tuple[PermitCheck, tuple[Permit, ...] | None, tuple[FiledApplication, ...] | None, list[ResultWarning]]":
    """Read what the register has of a parcel, and count its caps for an ordinary event: by day, of an applicant who is no charity."""
    from geonotice.register.session import read_town_register
    from geonotice.workflow.application import Options
    from geonotice.workflow.permit_request import PermitRequestOptions, read_request
    from geonotice.workflow.permits import check_permit
    from geonotice.workflow.property import permits_on_parcel

    asked = read_request(opened, PermitRequestOptions(parcels=(parcel.id,), given=Options(starts=on, night=False)))
    with read_town_register(opened.town) as register:
        check = check_permit(opened, register, asked, on=on)
        warnings = [*register.warnings, *check.warnings]
        if not register.there:
            return check, None, None, warnings
        found = permits_on_parcel(opened, register, parcel)
        return check, found.permits, _filed_on(register, parcel), [*warnings, *found.warnings]


def _filed_on(register: "Register", parcel: "Parcel") -> "tuple[FiledApplication, ...]":
    from geonotice.register.applications import list_applications
    from geonotice.taxmap import comparable

    own = {comparable(parcel.id), comparable(parcel.tax_map_number)}
    return tuple(
        one
        for one in list_applications(register)
        if isinstance(premises := one.event.get("premises"), dict)
        and any(comparable(str(number)) in own for number in premises.get("parcels") or ())
    )
