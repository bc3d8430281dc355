"""What the layers and the register know of the premises of an event: the facts that a check needs beside the application."""

from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import shapely

from geonotice.decide.cap_checks import cap_rules, permit_rules
from geonotice.decide.cap_count import PastPermit, PropertyHistory
from geonotice.decide.caps import exempt_owner
from geonotice.decide.check import CheckResult, check
from geonotice.decide.facts import PremisesFacts
from geonotice.errors import EventFileError, Fault, UsageError
from geonotice.model import ResultWarning
from geonotice.select.boundary import BOUNDARY_FT
from geonotice.select.ride_site import siting
from geonotice.workflow.drawings import read_layout
from geonotice.workflow.measuring import LOCATION_CODES, measure, measure_municipalities, measure_zone
from geonotice.workflow.open_town import find_premises, open_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from shapely.geometry.base import BaseGeometry

    from geonotice.config.application import Event
    from geonotice.model import Parcel
    from geonotice.workflow.drawings import Drawing, Route
    from geonotice.workflow.measuring import Measured
    from geonotice.workflow.open_town import Opened

__all__ = [
    "Checked",
    "Gathered",
    "check_event",
    "check_measured",
    "check_opened",
    "clerk_ft",
    "gather_event",
    "judge_event",
    "premises_facts",
]


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A check, and what was measured for it: whoever draws the premises need not measure them again.

    ``measured`` is None for a parade that names no parcel: it goes along streets. ``layout`` are the shapes of the applicant's drawing in the
    town's CRS, each with what it is; empty where there is none. ``route`` is a parade's, where its file is named.
    """

    result: CheckResult
    measured: "Measured | None"
    facts: PremisesFacts
    layout: "tuple[tuple[str, BaseGeometry], ...]" = ()
    route: "Route | None" = None


def check_event(town: Path, event_file: Path, *, on: "date", buffer_ft: float | None = None) -> CheckResult:
    """Check an event file against a town's law, layers and register.

    Parameters
    ----------
    town, event_file
        The town file or its folder, and the event file.
    on
        The date that is taken as today.
    buffer_ft
        The buffer from every lot line that the officials set for this event, in feet; None where they set none.

    Raises
    ------
    EventFileError
        The event file has faults, or names no parcel.
    UsageError
        A parcel is not found, or is several; a buffer is no length, or the law has no rule that it could be held against.
    StoreError
        The store is missing or out of date.
    """
    from geonotice.config.read_application import read_event_file

    event = read_event_file(event_file)
    with open_store(town) as opened:
        return check_opened(opened, event, on=on, buffer_ft=buffer_ft, file=str(event_file), folder=event_file.parent)


def check_opened(
    opened: "Opened",
    event: "Event",
    *,
    on: "date",
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
) -> CheckResult:
    """Check an event in a town that is open; ``file`` is what faults call the event, ``folder`` where the drawing's path starts."""
    return check_measured(opened, event, on=on, buffer_ft=buffer_ft, file=file, folder=folder).result


def check_measured(
    opened: "Opened",
    event: "Event",
    *,
    on: "date",
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
) -> Checked:
    """Check as :func:`check_opened` does, and give what was measured too."""
    gathered = gather_event(opened, event, buffer_ft=buffer_ft, file=file, folder=folder)
    properties, parades, said = _histories(opened, gathered.parcels, event, gathered.route, on=on)
    result = judge_event(opened, event, gathered, on=on, properties=properties, parades=parades, said=said)
    return Checked(result, gathered.measured, gathered.facts, gathered.layout, gathered.route)


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What the layers and the files beside the event file say of an event, before the register is asked: the slow part of a check."""

    parcels: "tuple[Parcel, ...]"
    measured: "Measured | None"
    facts: PremisesFacts
    layout: "tuple[tuple[str, BaseGeometry], ...]"
    route: "Route | None"
    warnings: tuple[ResultWarning, ...]


def gather_event(
    opened: "Opened",
    event: "Event",
    *,
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
    sunset_too: bool = True,
) -> Gathered:
    """Gather what is known of an event's premises, its drawing and its route; parameters and errors as :func:`check_event`.

    ``sunset_too`` says whether it is worked out when the sun sets at the site, which loads what knows coordinates.
    """
    _refuse_idle_buffer(opened, buffer_ft)
    named = event.premises.parcels or ()
    if not named and event.event.kind != "parade":
        remedy = 'name them under [premises], for example: parcels = ["45.01-1-12"]'
        raise EventFileError(Fault(what="the event names no parcel", remedy=remedy, file=file, key="premises.parcels"))
    parcels = find_premises(opened, named) if named else ()
    measured = measure(opened, parcels, reach_ft=0.0) if parcels else None
    facts, warnings = premises_facts(opened, measured) if measured else (PremisesFacts(), ())
    drawn, route, said = _drawn_and_route(opened, measured, event, folder or Path(), file)
    site = measured.land if measured else route.line if route else None
    facts = replace(facts, lon_lat=_lon_lat(opened, site) if sunset_too else None, buffer_ft=buffer_ft)
    if drawn:
        facts = replace(facts, layout=drawn.layout)
    if route:
        facts = replace(facts, route_ft=route.length_ft, route_streets=route.streets)
    return Gathered(parcels, measured, facts, drawn.shapes if drawn else (), route, (*warnings, *said))


def judge_event(
    opened: "Opened",
    event: "Event",
    gathered: Gathered,
    *,
    on: "date",
    properties: "Sequence[PropertyHistory]",
    parades: "Sequence[PastPermit]",
    said: "Sequence[ResultWarning]" = (),
) -> CheckResult:
    """Apply the law to an event of which everything is gathered; ``said`` is what was noticed while its history was put together."""
    told = {permit.number for one in properties for permit in one.permits}
    past = tuple(parade for parade in parades if parade.number not in told)
    result = check(opened.profile, event, gathered.facts, past, on=on, properties=properties)
    warnings = (*gathered.warnings, *said)
    known = {item.code for item in warnings}
    return replace(result, warnings=(*warnings, *(item for item in result.warnings if item.code not in known)))


def _drawn_and_route(
    opened: "Opened", measured: "Measured | None", event: "Event", folder: Path, file: str
) -> "tuple[Drawing | None, Route | None, tuple[ResultWarning, ...]]":
    """Read the files that the event file names, and give what is to be said of them; what is wrong with both is said at once."""
    drawn: Drawing | None = None
    route: Route | None = None
    said: list[ResultWarning] = []
    faults: list[Fault] = []
    if event.premises.layout and measured is None:
        text = "The event file names a drawing, but no parcel to lay it on: it is not read."
        said.append(ResultWarning("layout_not_measured", text))
    elif event.premises.layout and measured is not None:
        try:
            drawn = read_layout(opened, measured, folder / event.premises.layout, event_file=file)
            said += drawn.warnings
        except EventFileError as error:
            faults += error.faults
    if event.parade.route:
        from geonotice.workflow.drawings import route_of

        try:
            route, warnings = route_of(opened, event, folder, file=file)
            said += warnings
        except EventFileError as error:
            faults += error.faults
    if faults:
        raise EventFileError(faults)
    return drawn, route, tuple(said)


def _refuse_idle_buffer(opened: "Opened", buffer_ft: float | None) -> None:
    """Refuse a buffer that is no length, or that no rule of the law would be held against: it would do nothing, unsaid."""
    if buffer_ft is None:
        return
    if not 0 < buffer_ft < inf:
        raise UsageError(Fault(what=f"a buffer of {buffer_ft:g} ft is no length", remedy="give the feet that the officials set"))
    if not any(rule.check == "setbacks" for rule in opened.profile.rules):
        what = f"the ordinance of {opened.profile.town} has no rule on setbacks, so a buffer changes nothing"
        raise UsageError(Fault(what=what, remedy="take out --buffer-ft, or add the rule to the profile (check = 'setbacks')"))


def premises_facts(opened: "Opened", measured: "Measured") -> tuple[PremisesFacts, tuple[ResultWarning, ...]]:
    """Gather the facts of the premises, and what could not be seen."""
    store = opened.store
    parcels = measured.premises
    land = measured.land
    places = measure_municipalities(opened, land, parcels, distance_ft=clerk_ft(opened), rule="")
    village = next(iter(places.villages), "")
    zoned = measure_zone(opened, land, village=village)
    streets_known = store.has("streets")
    beside = siting(
        measured.near,
        owners=_owners(opened, [parcel.fid for parcel in parcels])[0],
        neighbour_owners=_owners(opened, measured.around)[1],
        streets_known=streets_known,
    )
    facts = PremisesFacts(
        zone=zoned.zone,
        municipal_owner=beside.municipal_owner,
        adjacent_state_or_county_road=beside.state_or_county_road,
        adjacent_lirr=beside.long_island_rail_road,
        in_village=village or None,
        within_500_ft_of=tuple(one.name for one in places.near) if store.has("municipalities") else None,
        streets_abutted=tuple(sign.street for sign in measured.public_streets()) if streets_known else None,
        districts=zoned.districts,
        area_sq_ft=float(shapely.area(land)),
        frontage_ft=_frontage_ft(measured),
    )
    return facts, (*_to_the_point(opened, places.warnings, "clerk"), *_to_the_point(opened, zoned.warnings, "zone"))


def clerk_ft(opened: "Opened") -> float:
    """Return how far the law looks for other municipalities: the farthest of its rules, so that none is missed."""
    rules = opened.profile.of_kind("clerk_notice")
    # Where the law does not say, as far as Southampton 283-9 does.
    return max((rule.notice.distance_ft for rule in rules if rule.notice and rule.notice.distance_ft), default=BOUNDARY_FT)


def _lon_lat(opened: "Opened", site: "BaseGeometry | None") -> tuple[float, float] | None:
    """Return where the site is in degrees: the sun there suggests whether the event is at night, nothing more."""
    if site is None:
        return None
    from geonotice.units import lon_lat_bounds

    middle = site.centroid
    degrees = lon_lat_bounds((middle.x, middle.y, middle.x, middle.y), opened.crs)
    return None if degrees is None else (degrees[0], degrees[1])


def _to_the_point(opened: "Opened", warnings: "Sequence[ResultWarning]", matter: str) -> tuple[ResultWarning, ...]:
    """Leave out what no rule of this law turns on: a missing zoning layer where the law asks for no district."""
    rules = opened.profile.rules
    if matter == "clerk":
        wanted = any(rule.kind == "clerk_notice" for rule in rules)
    else:
        wanted = any(rule.kind == "cap" or rule.check == "rides" or (rule.notice and rule.notice.only_in) for rule in rules)
    return tuple(item for item in warnings if wanted or item.code in LOCATION_CODES)


def _frontage_ft(measured: "Measured") -> float | None:
    found = [one.length_ft for one in measured.frontages() if one.status != "open"]
    return sum(found) if found else None


def _owners(opened: "Opened", fids: "Sequence[int]") -> tuple[list[str], list[list[str]]]:
    """Return the owners' names of parcels: all of them, and parcel by parcel."""
    found = opened.store.owners_of(list(fids))
    each = [[name for owner in found[fid] for name in owner.names] for fid in fids]
    return [name for names in each for name in names], each


def _histories(
    opened: "Opened", parcels: "Sequence[Parcel]", event: "Event", route: "Route | None", *, on: "date"
) -> tuple[tuple[PropertyHistory, ...], tuple[PastPermit, ...], tuple[ResultWarning, ...]]:
    """Return each parcel's permits out of the register, and the town's parades; where there is no register yet, that is said.

    So are the events that it would be in the way of: near in place on the same days, or parades along the same street.
    """
    from geonotice.register.conflicts import conflicts_with
    from geonotice.workflow.permits import application_of, beside_of, describe_land, history_for_check, read_town_register

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
            from geonotice.workflow.drawings import along

            asked = along(asked, route, crs=opened.crs)
        beside = beside_of(opened, register, asked, on=on)
        conflicts = (ResultWarning("conflict", one.text) for one in conflicts_with(register, asked))
        return properties, parades, (*said, *beside, *conflicts)
