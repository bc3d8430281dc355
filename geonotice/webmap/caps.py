"""From the annual cap's answers to what the event map says of a parcel."""

from typing import TYPE_CHECKING

from geonotice.webmap.event_values import EventParcel

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.decide.cap_values import CapFinding

__all__ = ["event_parcel"]


def event_parcel(
    *,
    fid: int,
    id: str,  # noqa: A002  # the field's name, as everywhere
    geometry: "BaseGeometry",
    private: "CapFinding",
    charity: "CapFinding | None" = None,
    situs: str = "",
    owners: tuple[str, ...] = (),
    zone: str = "",
) -> EventParcel:
    """Give the parcel with what is left on it.

    Parameters
    ----------
    fid, id, geometry, situs, owners, zone
        The parcel, as :class:`EventParcel` has it.
    private
        The cap's answer to one more event by day, of an applicant that is no charity, on this parcel alone.
    charity
        The answer to the same event of a charity that it primarily benefits, where the ordinance makes a difference.

    Returns
    -------
        What is left is that of ``private``; where nothing is, ``charity_left`` says whether the charity could have one.
    """
    counted = private.parcels[0]
    capped = counted.cap is not None
    decide = private.status == "decide"
    refused = private.status == "not_met"
    left = 0 if refused else counted.left
    night_left = None
    if counted.night_cap is not None and counted.night_used is not None:
        night_left = max(0, counted.night_cap - counted.night_used)
    return EventParcel(
        fid=fid,
        id=id,
        geometry=geometry,
        situs=situs,
        owners=owners,
        zone=zone,
        used=counted.used,
        cap=counted.cap,
        left=None if decide else left,
        why=f"{counted.why} ({counted.citation})" if counted.citation and counted.citation not in counted.why else counted.why,
        night_left=night_left,
        charity_left=refused and charity is not None and charity.status == "met",
        exempt=not capped and not decide,
        decide=decide,
        next_date=private.next_date if refused else None,
        next_date_of=private.next_date_of or "issue",
    )
