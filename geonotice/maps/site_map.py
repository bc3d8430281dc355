"""The site map: an event's premises with frontages, setback lines and what the applicant drew."""

from itertools import pairwise
from typing import TYPE_CHECKING

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon

from geonotice.errors import Fault, OutputError
from geonotice.maps.label_places import Label
from geonotice.maps.map_data import MapLayers
from geonotice.maps.map_layers import Projector, Sheet, refuse_empty
from geonotice.maps.notice_map import draw_background
from geonotice.maps.page import attach, escape, offline_map, panel_html
from geonotice.maps.titles_and_badges import EVIDENCE_LOOKS, LOOKS, SITE_LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import folium
    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.map_data import MapParcel
    from geonotice.maps.map_layers import Shape
    from geonotice.model import ResultWarning


__all__ = [
    "MapSite",
    "SiteLine",
    "SiteThing",
    "site_map",
]


class SiteLine(Struct, frozen=True, kw_only=True):
    """A line of the site, such as a frontage or a setback, with the ground between the lot lines and it where it bounds some."""

    label: str
    detail: str
    geometry: "BaseGeometry"
    ground: "BaseGeometry | None" = None


class SiteThing(Struct, frozen=True, kw_only=True):
    """A thing of the applicant's drawing: what it is, what was measured of it, and what it does not keep, one sentence each."""

    what: str
    geometry: "BaseGeometry"
    measured: str = ""
    inside: tuple[str, ...] = ()
    parking: bool = False


class MapSite(Struct, frozen=True, kw_only=True):
    """The site of one event, as its map shows it.

    Parameters
    ----------
    town, title, premises
        The town's name, what the event is called, and the premises in words.
    crs
        The CRS of all geometries, in feet.
    parcels
        The premises, and neighbours for orientation.
    frontages, setbacks
        The runs of lot line along a street; the setback line of each district that the profile's table has widths for.
    things
        What the applicant drew.
    route
        A parade's route.
    remark
        What is to be said of the setbacks, such as that no table gives them.
    warnings, sources, subtitle
        The warnings of the check, one line a source, and further lines of the title box.
    """

    town: str
    title: str
    premises: str
    crs: str
    parcels: "tuple[MapParcel, ...]"
    frontages: tuple[SiteLine, ...] = ()
    setbacks: tuple[SiteLine, ...] = ()
    things: tuple[SiteThing, ...] = ()
    route: SiteLine | None = None
    remark: str = ""
    warnings: "tuple[ResultWarning, ...]" = ()
    sources: tuple[str, ...] = ()
    subtitle: tuple[str, ...] = ()


LEAST_MARGIN_FT, MARGIN_SHARE = 40.0, 0.25
"""Around the premises: what the map opens on."""


def site_map(site: "MapSite", layers: MapLayers | None = None) -> "folium.Map":
    """Draw an event's site. No owner is on it: anyone may see it.

    Returns
    -------
        A folium map; :func:`geonotice.maps.render` makes the file of it.

    Raises
    ------
    OutputError
        There are no premises to draw, or something has no geometry: all of it is named.
    """
    layers = layers or MapLayers()
    premises = [parcel for parcel in site.parcels if parcel.status == "premises"]
    if not premises and site.route is None:
        remedy = "name the event's parcels under [premises], or a parade's route under [parade]"
        raise OutputError(Fault(what="the map has no premises to draw", remedy=remedy))
    refuse_empty([(f"parcel {parcel.id}", parcel.geometry) for parcel in site.parcels])
    made = offline_map(title=f"{site.title}, {site.town}", panel=_panel(site), scripts=("notice.js",))
    drawn = [*(parcel.geometry for parcel in premises), *(thing.geometry for thing in site.things)]
    sheet = Sheet(made, Projector(site.crs), _view([*drawn, *([site.route.geometry] if site.route else [])]))
    _draw_parcels(sheet, site, clear=bool(layers.zoning))
    _draw_setbacks(sheet, site)
    _draw_frontages(sheet, site)
    _draw_things(sheet, site)
    _draw_route(sheet, site)
    draw_background(sheet, layers)
    attach(made, start="geonotice.notice", data=sheet.data, names=sheet.names)
    return made


def _view(shapes: "Sequence[BaseGeometry]") -> Polygon:
    west, south, east, north = (float(value) for value in shapely.total_bounds(shapes))
    margin = max(LEAST_MARGIN_FT, MARGIN_SHARE * max(east - west, north - south))
    return Polygon.from_bounds(west - margin, south - margin, east + margin, north + margin)


def _draw_parcels(sheet: Sheet, site: "MapSite", *, clear: bool) -> None:
    sheet.data |= {"parcels": [], "list": []}
    grouped: dict[str, list[Shape]] = {"context": [], "premises": []}
    parcels = sorted(site.parcels, key=lambda one: (one.id, one.fid))
    labels = []
    for number, (parcel, at) in enumerate(zip(parcels, sheet.points_seen([one.geometry for one in parcels]), strict=True)):
        kind = "premises" if parcel.status == "premises" else "context"
        grouped[kind].append((number, parcel.geometry, f"parcel {parcel.id}"))
        words = {"id": parcel.id, "situs": parcel.situs, "status": "Premises" if kind == "premises" else ""}
        sheet.data["parcels"].append({**words, "at": at})
        labels.append(Label(geometry=parcel.geometry, text=parcel.id, kind="parcel", of=kind))
    sheet.label(*labels)
    for kind in ("premises", "context"):
        if grouped[kind]:
            look = replace(LOOKS[kind], fill_opacity=0.0) if clear and kind == "context" else SITE_LOOKS.get(kind, LOOKS[kind])
            sheet.add("parcels", kind, look, grouped[kind], pane=kind)


def _draw_setbacks(sheet: Sheet, site: "MapSite") -> None:
    grounds = [one for one in site.setbacks if one.ground is not None and not shapely.is_empty(one.ground)]
    if grounds:
        shapes = [(n, one.ground, f"setback {one.label}") for n, one in enumerate(grounds) if one.ground is not None]
        sheet.add("others", "setback ground", SITE_LOOKS["setback_ground"], shapes, pane="ring")
        sheet.data["others"]["setback ground"] = [[one.label, one.detail] for one in grounds]
    lines = [one for one in site.setbacks if not shapely.is_empty(one.geometry)]
    if lines:
        shapes = [(n, one.geometry, f"setback {one.label}") for n, one in enumerate(lines)]
        sheet.add("others", "setback", SITE_LOOKS["setback"], shapes, pane="evidence")
        sheet.data["others"]["setback"] = [[one.label, one.detail] for one in lines]
        runs = [(_longest_run(one.geometry), one.label) for one in lines]
        sheet.label(*(Label(geometry=run, text=text, kind="evidence", of="setback", always=True) for run, text in runs))


def _longest_run(line: "BaseGeometry") -> "BaseGeometry":
    """Return the longest straight piece of a line: a name stands along it, and not across a corner."""
    corners = [shapely.get_coordinates(part) for part in shapely.get_parts(line)]
    runs = [shapely.LineString(pair) for xy in corners for pair in pairwise(xy)]
    return max(runs, key=lambda run: run.length, default=line)


def _draw_frontages(sheet: Sheet, site: "MapSite") -> None:
    if not site.frontages:
        return
    shapes = [(n, one.geometry, one.label) for n, one in enumerate(site.frontages)]
    sheet.add("others", "frontage", EVIDENCE_LOOKS["frontage"], shapes, pane="evidence")
    sheet.data["others"]["frontage"] = [[one.label, one.detail] for one in site.frontages]
    sheet.label(*(Label(geometry=one.geometry, text=one.label, kind="street", of="frontage") for one in site.frontages))


def _draw_route(sheet: Sheet, site: "MapSite") -> None:
    if site.route is None:
        return
    sheet.add(
        "others",
        "route",
        replace(LOOKS["parades"], title="Route of the parade"),
        [(0, site.route.geometry, "the route")],
        pane="evidence",
    )
    sheet.data["others"]["route"] = [[site.route.label, site.route.detail]]
    sheet.label(Label(geometry=site.route.geometry, text=site.route.label, kind="parade", of="route"))


def _draw_things(sheet: Sheet, site: "MapSite") -> None:
    """Draw the applicant's things by what they are, what keeps no setback apart and with a mark."""
    for kind in ("parking", "thing", "inside"):  # the last lies over the others
        things = [(n + 1, thing) for n, thing in enumerate(site.things) if _kind(thing) == kind]
        if not things:
            continue
        shapes = [(place, thing.geometry, f"drawn: {thing.what}") for place, (_, thing) in enumerate(things)]
        sheet.add("others", kind, SITE_LOOKS[kind], shapes, pane="evidence")
        sheet.data["others"][kind] = [
            [f"{n}. {thing.what}", "; ".join([*thing.inside, *filter(None, [thing.measured])])] for n, thing in things
        ]
        mark = " !" if kind == "inside" else ""
        sheet.label(
            *(
                Label(geometry=thing.geometry, text=f"{n}. {thing.what}{mark}", kind="premises", of=kind, short=f"{n}{mark}")
                for n, thing in things
            )
        )


def _kind(thing: "SiteThing") -> str:
    return "inside" if thing.inside else "parking" if thing.parking else "thing"


def _panel(site: "MapSite") -> str:
    inside = any(one.inside for one in site.things)
    mark = '<div class="marks"><strong>!</strong><span>after a name: it stands too near to a lot line</span></div>'
    return panel_html(
        town=site.town,
        title=site.title,
        lines=(site.premises, *site.subtitle),
        public=True,
        warnings=site.warnings,
        sources=site.sources,
        marks=mark if inside else "",
        listed=f"{_route_html(site)}{_setbacks_html(site)}{_things_html(site)}{_frontages_html(site)}",
    )


def _route_html(site: "MapSite") -> str:
    return f"<h2>Route</h2><p>{escape(site.route.detail)}</p>" if site.route else ""


def _setbacks_html(site: "MapSite") -> str:
    lines = [*(f"{one.label}: {one.detail}" for one in site.setbacks), *([site.remark] if site.remark else [])]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<h2>Setbacks</h2><ul class="plain">{items}</ul>' if lines else ""


def _things_html(site: "MapSite") -> str:
    if not site.things and site.route is not None:
        return ""
    if not site.things:
        return "<h2>Drawn by the applicant</h2><p>No drawing is named in the event file.</p>"
    rows = "".join(
        f'<tr><td class="row">{n}</td><td>{escape(thing.what)}</td><td>'
        + "".join(f'<div><span class="tag">too near</span> {escape(text)}</div>' for text in thing.inside)
        + f"<div>{escape(thing.measured)}</div></td></tr>"
        for n, thing in enumerate(site.things, 1)
    )
    head = '<thead><tr><th scope="col" class="row">No.</th><th scope="col">What</th><th scope="col">Measured</th></tr></thead>'
    return f'<h2>Drawn by the applicant</h2><table class="list">{head}<tbody>{rows}</tbody></table>'


def _frontages_html(site: "MapSite") -> str:
    if not site.frontages and site.route is not None:
        return ""
    items = "".join(f"<li>{escape(one.label)}: {escape(one.detail)}</li>" for one in site.frontages)
    return f'<h2>Frontages</h2><ul class="plain">{items or "<li>none found</li>"}</ul>'
