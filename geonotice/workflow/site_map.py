"""The site of an event as shapes, and as a map for the browser."""

from typing import TYPE_CHECKING

import shapely
from msgspec import Struct

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.decide.headline import headline
from geonotice.decide.setbacks_and_capacity import buffer_of
from geonotice.facts.surroundings import grown
from geonotice.ordinance.profile import District
from geonotice.select.layout import both_sides_ft, is_parking, lot_sides, within_setbacks
from geonotice.workflow.notice_map import layers_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from shapely.geometry.base import BaseGeometry

    from geonotice.config.application import Event
    from geonotice.facts.parade_routes import Route
    from geonotice.facts.premises import GatheredEvent
    from geonotice.maps import MapSite
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.select.layout import LotSides
    from geonotice.workflow.check_event import Checked


__all__ = [
    "Drawn",
    "FrontageLine",
    "Setback",
    "SitePlan",
    "draw_site",
    "event_title",
    "named_premises",
    "site_page",
    "site_plan",
]


_SIDES = ("front", "side", "rear")

BUFFER = "buffer"
"""What stands in the place of a district's code for the buffer that the officials or the law ask for."""


class FrontageLine(Struct, frozen=True, eq=False):
    """A frontage: its number, the street where one is known, its length in feet, and the run of lot line."""

    n: int
    street: str
    length_ft: float
    line: "BaseGeometry"


class Setback(Struct, frozen=True, eq=False):
    """The setbacks of one district, or the buffer: the widths in words, the line, and the ground between the lot lines and it."""

    code: str
    widths: str
    line: "BaseGeometry"
    ground: "BaseGeometry"

    @property
    def name(self) -> str:
        """What a map calls its line."""
        return self.code if self.code == BUFFER else f"setback {self.code}"


class Drawn(Struct, frozen=True, eq=False):
    """A thing of the applicant's drawing: what was measured of it, and which setbacks it does not keep, one sentence each."""

    what: str
    geometry: "BaseGeometry"
    measured: str = ""
    inside: tuple[str, ...] = ()
    parking: bool = False


class SitePlan(Struct, frozen=True, eq=False):
    """What there is to draw of a site; ``unknown`` are the districts on it for which no table gives every width."""

    frontages: tuple[FrontageLine, ...]
    setbacks: tuple[Setback, ...]
    things: tuple[Drawn, ...]
    unknown: tuple[str, ...]
    route: "Route | None" = None

    def remark(self) -> str:
        """Return where no setback line is drawn; empty where all are."""
        if not self.unknown:
            return ""
        return f"No setback line is drawn for {', '.join(self.unknown)}: the profile's district table gives no widths."


def event_title(event: "Event") -> str:
    """Return what an event is called on its papers: its title, or else its kind."""
    return event.event.title or (event.event.kind or "event").replace("_", " ")


def named_premises(checked: "Checked") -> str:
    """Name the parcels of the premises with their own addresses; for a parade without any, its route."""
    if checked.gathered.measured is None:
        return checked.gathered.route.in_words if checked.gathered.route else "not named, nor a parcel"
    each = ((parcel.id, parcel.situs.text) for parcel in checked.gathered.measured.premises)
    return ", ".join(f"{id_} ({situs})" if situs else id_ for id_, situs in each)


def site_plan(opened: "Opened", checked: "Checked") -> SitePlan:
    """Gather the shapes of a checked event's site."""
    return _plan(opened, checked.gathered)


def setback_lines(opened: "Opened", premises: "Sequence[Parcel]") -> "tuple[BaseGeometry, ...]":
    """Return the lines that something drawn on some premises must keep, of each district and of the buffer; none where no table has them."""
    from geonotice.config.application import Event, Premises
    from geonotice.facts.premises import gather_event

    event = Event(premises=Premises(parcels=tuple(parcel.id for parcel in premises)))
    return tuple(one.line for one in _plan(opened, gather_event(opened, event, sunset_too=False)).setbacks)


def _plan(opened: "Opened", gathered: "GatheredEvent") -> SitePlan:
    measured = gathered.measured
    # A law without a rule on setbacks has no table of widths, and nothing to say of it; nor is a route held to any.
    asked = any(rule.check == "setbacks" for rule in opened.profile.rules)
    if measured is None:
        return SitePlan((), (), (), (), gathered.route)
    lines = [part for frontage in measured.near.frontages for part in shapely.get_parts(frontage.line)]
    sides = lot_sides(measured.land, lines, tolerance_ft=opened.town.settings.tolerance_ft)
    codes = [one.code for one in gathered.facts.districts] if asked else []
    table = {code: opened.profile.district(code) for code in codes}
    known = {code: district for code, district in table.items() if district and _widths(district)}
    unknown = tuple(filter(None, (_without_width(code, known.get(code)) for code in codes)))
    buffers = [buffer_of(rule, gathered.facts.buffer_ft) for rule in opened.profile.rules if rule.check == "setbacks"]
    if widest := max((one.width_ft for one in buffers if one), default=0.0):
        known[BUFFER] = District(BUFFER, "undetermined", front_ft=widest, side_ft=widest, rear_ft=widest)
    if asked and not codes:
        unknown = ("a district that is not known",)
    reach = measured.land.buffer(opened.town.settings.tolerance_ft)
    return SitePlan(
        frontages=tuple(FrontageLine(one.n, one.name, one.length_ft, one.line) for one in measured.near.frontages),
        setbacks=tuple(_setback(code, district, measured.land, sides) for code, district in known.items()),
        things=tuple(_drawn(what, shape, reach, sides, known) for what, shape in gathered.layout),
        unknown=unknown,
        route=gathered.route,
    )


def _widths(district: "District") -> "dict[str, float]":
    return {name: width for name in _SIDES if (width := getattr(district, f"{name}_ft"))}


def _setback(code: str, district: "District", land: "BaseGeometry", sides: "LotSides") -> Setback:
    widths = _widths(district)
    inner = within_setbacks(land, sides, **{f"{name}_ft": widths.get(name) for name in _SIDES})
    words = ", ".join(f"{name} {width:g} ft" for name, width in widths.items())
    if len(widths) == len(_SIDES) and len({*widths.values()}) == 1:
        words = f"{widths['front']:g} ft from every lot line"
    # How wide the two side yards are together turns on what stands between them: no line can show it.
    words += f", both sides together {district.both_sides_ft:g} ft" if district.both_sides_ft else ""
    words += "" if district.yards_verified else f"; not verified: {district.yards_source or 'read elsewhere'}"
    return Setback(code, words, inner.boundary, land.difference(inner))


def _called(code: str) -> str:
    return code if code == BUFFER else f"setback of {code}"


def _without_width(code: str, district: "District | None") -> str:
    """Name a district, and the lot lines along which its table gives no width; empty where it gives all."""
    missing = [name for name in _SIDES if district is None or getattr(district, f"{name}_ft") is None]
    return "" if not missing else code if len(missing) == len(_SIDES) else f"{code} ({' and '.join(missing)})"


def _drawn(what: str, shape: "BaseGeometry", reach: "BaseGeometry", sides: "LotSides", table: "Mapping[str, District]") -> Drawn:
    """Return how far a structure stands from each sort of lot line, and which setbacks it does not keep; of parking, its area."""
    if is_parking(what):
        return Drawn(what, shape, f"{shapely.area(shapely.intersection(shape, reach)):,.0f} sq ft on the premises", parking=True)
    if not shapely.intersects(shape, reach):
        return Drawn(what, shape, "not on the premises")
    lines = [(name, line) for name, line in zip(_SIDES, sides, strict=True) if not line.is_empty]
    far = {name: float(shapely.distance(shape, line)) for name, line in lines}
    inside = tuple(
        f"{far[name]:,.1f} ft from the {name} line, {width:g} ft are the {_called(code)}"
        for code, district in table.items()
        for name, width in _widths(district).items()
        if name in far and far[name] < width
    )
    both = both_sides_ft(shape, sides.side)
    inside += tuple(
        f"{both:,.1f} ft from both side lines together, {district.both_sides_ft:g} ft are the {_called(code)}"
        for code, district in table.items()
        if both is not None and district.both_sides_ft and both < district.both_sides_ft
    )
    return Drawn(what, shape, ", ".join(f"{distance:,.1f} ft from the {name} line" for name, distance in far.items()), inside)


_AROUND_FT = 600.0
"""How far round the premises parcels and streets are drawn, for orientation."""


def site_page(opened: "Opened", checked: "Checked", event: "Event", *, on: "date") -> bytes:
    """Make the site map's page: one file that works with no internet, without owners."""
    from geonotice.maps import render, site_map

    return render(site_map(draw_site(opened, checked, event, on=on), layers_in(opened, _box(checked))))


def _box(checked: "Checked") -> "tuple[float, float, float, float]":
    """Return the box of what is drawn of the surroundings; none where the event names neither parcels nor a route."""
    ground = (
        checked.gathered.measured.land
        if checked.gathered.measured
        else checked.gathered.route.line
        if checked.gathered.route
        else None
    )
    return grown(ground.bounds, _AROUND_FT) if ground is not None else (0.0, 0.0, 0.0, 0.0)


def draw_site(opened: "Opened", checked: "Checked", event: "Event", *, on: "date") -> "MapSite":
    """Return what the site map draws: premises and neighbours, frontages, setback lines, and what the applicant drew."""
    from geonotice.maps import MapParcel, MapSite, SiteLine, SiteThing

    plan, route = site_plan(opened, checked), checked.gathered.route
    own = {parcel.fid for parcel in checked.gathered.measured.premises} if checked.gathered.measured else set()
    block = opened.store.parcels_in(_box(checked))
    return MapSite(
        town=opened.town.name,
        title=event_title(event),
        premises=named_premises(checked) if checked.gathered.measured else f"Route: {named_premises(checked)}",
        crs=opened.crs,
        parcels=tuple(
            MapParcel(
                fid=parcel.fid,
                id=parcel.id,
                geometry=geometry,
                situs=parcel.situs.text,
                status="premises" if parcel.fid in own else "context",
                role=parcel.role,
            )
            for parcel, geometry in zip(block.parcels, block.geometries, strict=True)
        ),
        frontages=tuple(
            SiteLine(
                label=f"Frontage {one.n}",
                detail=f"{one.length_ft:,.1f} ft{f' on {one.street}' if one.street else ', no street known'}",
                geometry=one.line,
            )
            for one in plan.frontages
        ),
        setbacks=tuple(
            SiteLine(label=f"{one.name[:1].upper()}{one.name[1:]}", detail=one.widths, geometry=one.line, ground=one.ground)
            for one in plan.setbacks
        ),
        things=tuple(
            SiteThing(what=one.what, geometry=one.geometry, measured=one.measured, inside=one.inside, parking=one.parking)
            for one in plan.things
        ),
        route=SiteLine(label=event_title(event), detail=route.in_words, geometry=route.line) if route else None,
        remark=plan.remark(),
        warnings=checked.result.warnings,
        sources=tuple(f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in opened.store.sources()),
        subtitle=(
            headline(checked.result).text,
            f"{opened.profile.chapter}. As of {calendar_day(on)}",
            opened.town.clerk.line,
        ),
    )
