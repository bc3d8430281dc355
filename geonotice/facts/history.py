"""The premises as the permit register takes them, and what the register holds of their land and of the owner's land next door."""

from typing import TYPE_CHECKING, Any

import shapely
from msgspec.structs import replace

from geonotice.decide.cap_checks import cap_rules, permit_rules
from geonotice.decide.cap_count import UNCOUNTED_KINDS, PastPermit, PropertyHistory
from geonotice.decide.caps import exempt_owner
from geonotice.decide.exemptions import sale_days
from geonotice.decide.hours import sunset
from geonotice.errors import UsageError
from geonotice.facts.contiguous import non_contiguous_warnings
from geonotice.facts.municipalities import LOCATION_CODES, measure_municipalities
from geonotice.facts.parade_routes import along
from geonotice.facts.surroundings import boxes_around, measure_zone
from geonotice.model import ResultWarning
from geonotice.recipients.owners import names_of
from geonotice.register.conflicts import conflict_warnings
from geonotice.register.held_hours import GivenHours, day_of_session, sessions_on_days, with_hours
from geonotice.register.land_history import Slivers, history_of
from geonotice.register.permit_check import parades_in_town
from geonotice.register.session import read_town_register
from geonotice.register.values import Application, Land

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from geonotice.config.application import Event
    from geonotice.facts.parade_routes import Route
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.database import AnyConnection
    from geonotice.register.held_hours import Session
    from geonotice.register.session import Register


__all__ = [
    "application_of",
    "beside_of",
    "describe_land",
    "history_for_check",
    "history_within",
    "read_history",
    "side_by_side",
    "slivers_of",
    "snapshot",
    "sunset_on",
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
    return tuple(land), (*non_contiguous_warnings(opened, listed), *warnings)


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
    block = opened.store.parcels_in(*boxes_around(land, tolerance))
    mine = {parcel.fid for parcel in own}
    near = shapely.dwithin(block.geometries, land, tolerance)
    return [parcel for parcel, touches in zip(block.parcels, near, strict=True) if touches and parcel.fid not in mine]


def history_for_check(
    opened: "Opened", register: "Register", land: tuple[Land, ...], *, owned_by: str | None
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Return the register's history as an event's check takes it.

    Returns
    -------
    tuple
        A history for each parcel; the parades of the whole town, for the days between parades; what was noticed.
    """
    with register.reading() as connection:
        properties, past, said = history_within(opened, connection, land, owned_by=owned_by, recorded=register.there)
    return properties, past, (*register.warnings, *said)


def history_within(
    opened: "Opened",
    connection: "AnyConnection",
    land: tuple[Land, ...],
    *,
    owned_by: str | None,
    recorded: bool = True,
    without: str = "",
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Do what :func:`history_for_check` does, within a transaction.

    ``recorded`` says whether there is a register at all; ``without`` is the number of a permit that is about to change, and does not count.
    """
    exempt = exempt_owner(owned_by, rules=permit_rules(opened.profile).caps)
    found = [history_of(connection, item, slivers_of(opened), without=without) for item in land]
    properties = tuple(
        PropertyHistory(parcel=item.parcel, zone=item.zone, permits=history.permits, exempt_owner=exempt, recorded=recorded)
        for item, history in zip(land, found, strict=True)
    )
    past = tuple(
        PastPermit(issued=None, starts=one.span[0], ends=one.span[1], kind="parade", number=one.number, streets=one.streets)
        for one in parades_in_town(connection, without=without)
    )
    return properties, past, tuple(warning for history in found for warning in history.warnings)


def beside_of(opened: "Opened", register: "Register", application: "Application", *, on: "date") -> tuple[ResultWarning, ...]:
    """Point out permits on the owner's land next door, where a cap for each property applies."""
    caps = permit_rules(opened.profile).caps
    if caps is None or application.kind in UNCOUNTED_KINDS or exempt_owner(application.owned_by, rules=caps):
        return ()
    return side_by_side(opened, register, [item.parcel for item in application.land], on=on, starts=application.starts)


def application_of(event: "Event", land: tuple[Land, ...]) -> Application:
    """Take from an event file what the register asks; what the file does not answer stays unknown.

    A parade's route is not read here, for it is a file beside the event's: :func:`geonotice.facts.parade_routes.route_of` reads it.
    """
    about, applicant = event.event, event.applicant
    days = sale_days(event)
    return Application(
        kind=about.kind or "other",
        title=about.title or "",
        applicant=applicant.name or "",
        charitable=applicant.charitable,
        primarily_benefits_applicant=event.benefit.primarily_benefits_applicant,
        owned_by=event.premises.owned_entirely_by,
        distinct_events=about.distinct_events or 1,
        starts=about.first_day or min(days, default=None),
        ends=about.last_day or (max(days, default=None) if about.first_day is None else None),
        night=about.night,
        persons=about.persons_at_once if about.persons_at_once is not None else about.persons_total,
        land=land,
        yard_sale_days=days,
        hours=_hours_of(event, days),
        contact=about.contact or "",
    )


def _hours_of(event: "Event", days: "Sequence[date]") -> "tuple[Session, ...]":
    """Return the hours of an event on its days: those of a yard sale's own answer, or those that the event states."""
    sale = event.yard_sale.hours
    if sale is not None and days:
        return sessions_on_days([GivenHours(opens=sale[0], closes=sale[1])], days)
    return tuple(one for one in with_hours(event.event.sessions) if not days or day_of_session(one) in days)


def sunset_on(opened: "Opened", land: Land, day: "date") -> "datetime | None":
    """Return when the sun sets on a parcel; None where that is not known."""
    from geonotice.units import lon_lat_bounds

    if land.geometry is None:
        return None
    middle = shapely.from_wkb(land.geometry).centroid
    degrees = lon_lat_bounds((middle.x, middle.y, middle.x, middle.y), opened.crs)
    return None if degrees is None else sunset(degrees[1], degrees[0], day)


def read_history(
    opened: "Opened", parcels: "Sequence[Parcel]", event: "Event", route: "Route | None", *, on: "date"
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Return each parcel's permits out of the register, and the town's parades; where there is no register yet, that is said.

    So are the events that it would be in the way of: near in place on the same days, or parades along the same street.
    """
    rules = cap_rules(opened.profile)
    owned_by = event.premises.owned_entirely_by
    land, _ = describe_land(opened, parcels)
    if rules is None and permit_rules(opened.profile).parade is None:
        free = exempt_owner(owned_by, rules=rules)
        return tuple(PropertyHistory(parcel=one.parcel, zone=one.zone, exempt_owner=free) for one in land), (), ()
    with read_town_register(opened.town) as register:
        properties, parades, said = history_for_check(opened, register, land, owned_by=owned_by)
        asked = application_of(event, land)
        if route is not None:
            asked = along(asked, route, crs=opened.crs)
        beside = beside_of(opened, register, asked, on=on)
        conflicts = conflict_warnings(register, asked)
        return properties, parades, (*said, *beside, *conflicts)
