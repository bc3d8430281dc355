"""The site map of an event: from a check to the page."""

from typing import TYPE_CHECKING

from geonotice.decide.days import calendar_day
from geonotice.decide.headline import headline
from geonotice.workflow.drawing import layers_in
from geonotice.workflow.measuring import grown
from geonotice.workflow.site_plan import event_title, named_premises, site_plan

if TYPE_CHECKING:
    from datetime import date

    from geonotice.event import Event
    from geonotice.webmap import MapSite
    from geonotice.workflow.opening import Opened
    from geonotice.workflow.premises import Checked

__all__ = ["draw_site", "site_page"]

_AROUND_FT = 600.0
"""How far round the premises parcels and streets are drawn, for orientation."""


def site_page(opened: "Opened", checked: "Checked", event: "Event", *, on: "date") -> bytes:
    """Make the site map's page: one file that works with no internet, without owners."""
    from geonotice.webmap import render, site_map

    return render(site_map(draw_site(opened, checked, event, on=on), layers_in(opened, _box(checked))))


def _box(checked: "Checked") -> "tuple[float, float, float, float]":
    """Give the box of what is drawn of the surroundings; none where the event names neither parcels nor a route."""
    ground = checked.measured.land if checked.measured else checked.route.line if checked.route else None
    return grown(ground.bounds, _AROUND_FT) if ground is not None else (0.0, 0.0, 0.0, 0.0)


def draw_site(opened: "Opened", checked: "Checked", event: "Event", *, on: "date") -> "MapSite":
    """Give what the site map draws: premises and neighbours, frontages, setback lines, and what the applicant drew."""
    from geonotice.webmap import MapParcel, MapSite, SiteLine, SiteThing

    plan, route = site_plan(opened, checked), checked.route
    own = {parcel.fid for parcel in checked.measured.premises} if checked.measured else set()
    block = opened.store.parcels_in(_box(checked))
    return MapSite(
        town=opened.town.name,
        title=event_title(event),
        premises=named_premises(checked) if checked.measured else f"Route: {named_premises(checked)}",
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
        cautions=checked.result.warnings,
        sources=tuple(f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in opened.store.sources()),
        subtitle=(
            headline(checked.result).text,
            f"{opened.profile.chapter}. As of {calendar_day(on)}",
            opened.town.clerk.line,
        ),
    )
