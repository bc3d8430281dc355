"""Gather what is known of the premises: once, and the same for a notice, a check and a permit."""

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import shapely
from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.case import PremisesFacts
from geonotice.decide.zone import ZoneDecision
from geonotice.errors import EventFileError, Fault, UsageError
from geonotice.facts.drawings import read_layout
from geonotice.facts.municipalities import LOCATION_CODES, Municipalities, measure_municipalities
from geonotice.facts.surroundings import frontage_ft, measure, measure_zone
from geonotice.model import ResultWarning
from geonotice.opened_town import find_premises
from geonotice.select.boundary import BOUNDARY_FT
from geonotice.select.ride_site import siting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

    from geonotice.config.application import Event
    from geonotice.facts.drawings import Drawing
    from geonotice.facts.parade_routes import Route
    from geonotice.facts.surroundings import Measured
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened

__all__ = [
    "Gathered",
    "GatheredEvent",
    "clerk_ft",
    "gather",
    "gather_event",
]


class Gathered(Struct, frozen=True, eq=False):
    """What is known of some premises, gathered once: the parcels around them, the municipalities near them, and their zoning."""

    measured: "Measured"
    places: Municipalities
    zoned: ZoneDecision


class GatheredEvent(Struct, frozen=True, eq=False):
    """What the layers and the files beside the event file hold of an event, before the register is asked: the slow part of a check.

    ``measured`` is None for a parade that names no parcel: it goes along streets. ``layout`` are the shapes of the applicant's drawing in the
    town's CRS, each with what it is; empty where there is none. ``route`` is a parade's, where its file is named; ``route_warnings`` are
    those of ``warnings`` that are to be said of it.
    """

    parcels: "tuple[Parcel, ...]"
    measured: "Measured | None"
    facts: PremisesFacts
    layout: "tuple[tuple[str, BaseGeometry], ...]"
    route: "Route | None"
    warnings: tuple[ResultWarning, ...]
    route_warnings: tuple[ResultWarning, ...] = ()


def gather(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    *,
    clerk_distance_ft: float | None,
    clerk_rule: str = "",
    reach_ft: float = 0.0,
    also: "Sequence[int]" = (),
    contiguous: "Sequence[int]" = (),
    around: "BaseGeometry | None" = None,
    measured: "Measured | None" = None,
) -> Gathered:
    """Gather what is known of some premises; notice, check and permit read the same.

    Parameters
    ----------
    opened, premises
        The town, and the parcels that the event uses; one at least.
    clerk_distance_ft, clerk_rule
        How far other municipalities are looked for, and the rule that asks for it; None where no clerk is notified, so that only where the
        premises themselves lie matters.
    reach_ft, also, contiguous, around
        As :func:`geonotice.facts.surroundings.measure` takes them.
    measured
        What it gave before for the very same: it is not measured again.
    """
    if measured is None:
        measured = measure(opened, premises, reach_ft=reach_ft, also=also, contiguous=contiguous, around=around)
    places = measure_municipalities(
        opened, measured.land, measured.premises, distance_ft=clerk_distance_ft or 0.0, rule=clerk_rule
    )
    if clerk_distance_ft is None:
        of_premises = tuple(item for item in places.warnings if item.code in LOCATION_CODES - {"partly_in_village"})
        places = replace(places, near=(), warnings=of_premises)
    # A village's district codes are its own: they are looked up under its name.
    zoned = measure_zone(opened, measured.land, village=next(iter(places.villages), ""))
    return Gathered(measured, places, zoned)


def gather_event(
    opened: "Opened",
    event: "Event",
    *,
    buffer_ft: float | None = None,
    file: str = "the event",
    folder: Path | None = None,
    sunset_too: bool = True,
) -> GatheredEvent:
    """Gather what is known of an event's premises, its drawing and its route; parameters and errors as :func:`check_event`.

    ``sunset_too`` says whether it is worked out when the sun sets at the site, which loads what knows coordinates.
    """
    _refuse_idle_buffer(opened, buffer_ft)
    named = event.premises.parcels or ()
    if not named and event.event.kind != "parade":
        remedy = 'name them under [premises], for example: parcels = ["45.01-1-12"]'
        raise EventFileError(Fault(what="the event names no parcel", remedy=remedy, file=file, key="premises.parcels"))
    parcels = find_premises(opened, named) if named else ()
    known = gather(opened, parcels, clerk_distance_ft=clerk_ft(opened)) if parcels else None
    measured = known.measured if known else None
    facts, warnings = premises_facts(opened, known) if known else (PremisesFacts(), ())
    drawn, route, of_drawing, of_route = _drawn_and_route(opened, measured, event, folder or Path(), file)
    site = measured.land if measured else route.line if route else None
    facts = replace(facts, lon_lat=_lon_lat(opened, site) if sunset_too else None, buffer_ft=buffer_ft)
    if drawn:
        facts = replace(facts, layout=drawn.layout)
    if route:
        facts = replace(facts, route_ft=route.length_ft, route_streets=route.streets)
    return GatheredEvent(
        parcels, measured, facts, drawn.shapes if drawn else (), route, (*warnings, *of_drawing, *of_route), of_route
    )


def _drawn_and_route(
    opened: "Opened", measured: "Measured | None", event: "Event", folder: Path, file: str
) -> "tuple[Drawing | None, Route | None, tuple[ResultWarning, ...], tuple[ResultWarning, ...]]":
    """Read the files that the event file names, and return what is to be said of each; what is wrong with both is said at once."""
    drawn: Drawing | None = None
    route: Route | None = None
    of_drawing: tuple[ResultWarning, ...] = ()
    of_route: tuple[ResultWarning, ...] = ()
    faults: list[Fault] = []
    if event.premises.layout and measured is None:
        text = "The event file names a drawing, but no parcel to lay it on: it is not read."
        of_drawing = (ResultWarning("layout_not_measured", text),)
    elif event.premises.layout and measured is not None:
        try:
            drawn = read_layout(opened, measured, folder / event.premises.layout, event_file=file)
            of_drawing = tuple(drawn.warnings)
        except EventFileError as error:
            faults += error.faults
    if event.parade.route:
        from geonotice.facts.parade_routes import route_of

        try:
            route, of_route = route_of(opened, event, folder, file=file)
        except EventFileError as error:
            faults += error.faults
    if faults:
        raise EventFileError(faults)
    return drawn, route, of_drawing, of_route


def _refuse_idle_buffer(opened: "Opened", buffer_ft: float | None) -> None:
    """Refuse a buffer that is no length, or that no rule of the law would be held against: it would do nothing, unsaid."""
    if buffer_ft is None:
        return
    if not 0 < buffer_ft < inf:
        raise UsageError(Fault(what=f"a buffer of {buffer_ft:g} ft is no length", remedy="give the feet that the officials set"))
    if not any(rule.check == "setbacks" for rule in opened.profile.rules):
        what = f"the ordinance of {opened.profile.town} has no rule on setbacks, so a buffer changes nothing"
        raise UsageError(
            Fault(
                what=what,
                remedy="leave the buffer out, or add the rule to the profile (check = 'setbacks')",
                command="take out --buffer-ft, or add the rule to the profile (check = 'setbacks')",
            )
        )


def premises_facts(opened: "Opened", known: Gathered) -> tuple[PremisesFacts, tuple[ResultWarning, ...]]:
    """Return the facts of the premises as a check takes them, and what could not be seen."""
    store, measured, places, zoned = opened.store, known.measured, known.places, known.zoned
    parcels, land = measured.premises, measured.land
    village = next(iter(places.villages), "")
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
        frontage_ft=frontage_ft(measured.near),
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


def _owners(opened: "Opened", fids: "Sequence[int]") -> tuple[list[str], list[list[str]]]:
    """Return the owners' names of parcels: all of them, and parcel by parcel."""
    found = opened.store.owners_of(list(fids))
    each = [[name for owner in found[fid] for name in owner.names] for fid in fids]
    return [name for names in each for name in names], each
