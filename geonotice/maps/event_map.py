"""The event map: a year's permits, what is left on each parcel, what is on in each week."""

from collections import defaultdict
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

import shapely
from msgspec.structs import replace
from shapely import Polygon

from geonotice.errors import Fault, OutputError
from geonotice.io.palette import DISTRICT_FILLS
from geonotice.maps.label_places import Label
from geonotice.maps.lot_layer import encode_columns, encode_outlines
from geonotice.maps.map_data import MapFeature, MapLayers
from geonotice.maps.map_layers import Projector, Sheet, refuse_empty
from geonotice.maps.page import Basemap, attach, escape, offline_map, panel_html, search_html
from geonotice.maps.titles_and_badges import EVENT_LOOKS, LOOKS, badges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import folium
    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.map_data import EventLand, EventLot, EventParade, EventParcel, EventPermit, MapYear


__all__ = [
    "BACKGROUND_DECIMALS",
    "box_around",
    "days_in_words",
    "draw_town",
    "event_map",
    "panel",
    "week_of",
    "weeks_of",
]


def panel(year: "MapYear", *, lots: "Sequence[EventLot]", projector: Projector, public: bool, basemap: Basemap | None) -> str:
    """Return the HTML beside the map, and the packed list of all lots."""
    counts = {state: sum(parcel.state == state for parcel in year.parcels) for state in EVENT_LOOKS}
    full = counts["full"] + counts["charity"]
    undated = sum(permit.starts is None for permit in year.permits)
    notes = (
        [f"{undated} permit{'s have' if undated != 1 else ' has'} no date yet: in the list of all permits, in no week."]
        if undated
        else []
    )
    open_zone = sum(year.lands[lot.land].state == "decide" for lot in lots) if year.lands else 0
    aside = "".join(f'<p class="aside">{escape(note)}</p>' for note in notes)
    week = """<section class="screen" id="week"><h2>What is on</h2>
<div id="bars" aria-hidden="true"></div>
<input id="slider" type="range" min="0" step="1" aria-label="Week of the year">
<div class="pager"><button type="button" id="before" aria-label="Week before"><span aria-hidden="true">&#9664;</span></button><strong id="days" role="status"></strong><button type="button" id="after" aria-label="Week after"><span aria-hidden="true">&#9654;</span></button></div>
<label class="only"><input type="checkbox" id="only"> Only parcels with an event in this week</label>
<ul class="plain events" id="on"></ul></section>"""
    question = (
        f'<span class="question" aria-hidden="true">?</span><span>a lot on which what is left is for an official to decide ({open_zone:,})</span>'
        if open_zone
        else ""
    )
    marks = f"""
<div class="marks">{question}<span class="ringed" aria-hidden="true"></span><span>an event in the chosen week</span>
<span class="overmark" aria-hidden="true">!</span><span>issued past the cap by an official</span></div>"""
    listed = f"""
<div class="paper-only"><h2>On in the chosen week: <span id="paper-days"></span></h2><ul class="plain events" id="paper-on"></ul></div>
<h2>No permit left ({full:,})</h2><div class="scroll" tabindex="0" role="region" aria-label="Parcels with no permit left"><table class="list"><thead><tr><th scope="col">Parcel</th><th scope="col">Used</th><th scope="col">Next</th></tr></thead><tbody id="full"></tbody></table></div>
<details class="all"><summary>All permits ({len(year.permits) + len(year.parades):,})</summary><table class="list"><thead><tr><th scope="col">Permit</th><th scope="col">Days</th><th scope="col">Parcel</th></tr></thead><tbody id="permits"></tbody></table></details>"""
    framed = panel_html(
        town=year.town,
        title=f"Events of {year.year}",
        lines=(f"As of {days_in_words(year.on)}", *year.subtitle),
        public=public,
        warnings=() if public else year.warnings,
        sources=year.sources,
        above=(search_html(public=public, permits=True), week),
        layers_title="What is left on each parcel",
        marks=marks,
        below=(aside,),
        listed=listed,
        basemap=basemap,
    )
    drawn = {parcel.fid: number for number, parcel in enumerate(year.parcels)}
    parts = {"index": encode_columns(lots, public=public, drawn=drawn), "outlines": encode_outlines(lots, projector)}
    return "\n".join([framed, *(f'<script type="text/plain" id="{name}">{text}</script>' for name, text in parts.items())])


_DAYS = 7


def weeks_of(year: int) -> list[date]:
    """Return the Mondays of all weeks that have a day in the year.

    >>> weeks = weeks_of(2026)
    >>> weeks[0], weeks[-1], len(weeks)
    (datetime.date(2025, 12, 29), datetime.date(2026, 12, 28), 53)
    """
    first = date(year, 1, 1)
    monday = first - timedelta(days=first.weekday())
    mondays = []
    while monday <= date(year, 12, 31):
        mondays.append(monday)
        monday += timedelta(days=_DAYS)
    return mondays


def week_of(day: date, mondays: "Sequence[date]") -> int:
    """Return the place of the day's week in the list; the first or the last where the day lies outside."""
    return min(max((day - mondays[0]).days // _DAYS, 0), len(mondays) - 1)


def days_in_words(starts: date | None, ends: date | None = None, days: "Sequence[date]" = ()) -> str:
    """Return the days of an event as a clerk writes them; ``days`` where they are not all from first to last.

    >>> days_in_words(date(2026, 7, 4)), days_in_words(date(2026, 7, 30), date(2026, 8, 2))
    ('Sat, July 4, 2026', 'Thu, July 30 to Sun, August 2, 2026')
    >>> days_in_words(date(2026, 7, 4), date(2026, 8, 1), [date(2026, 7, 4), date(2026, 7, 11), date(2026, 8, 1)])
    'Sat, July 4; Sat, July 11; Sat, August 1, 2026'
    """
    if days:
        return "; ".join(
            "; ".join(f"{day:%a}, {day:%B} {day.day}" for day in of_year) + f", {year}"
            for year, of_year in groupby(sorted(set(days)), key=lambda day: day.year)
        )
    if starts is None:
        return "no date yet"
    if ends is None or ends <= starts:
        return f"{starts:%a}, {starts:%B} {starts.day}, {starts.year}"
    year = "" if starts.year == ends.year else f", {starts.year}"
    return f"{starts:%a}, {starts:%B} {starts.day}{year} to {ends:%a}, {ends:%B} {ends.day}, {ends.year}"


SMOOTH_FT = 2.0
"""How far the outlines of background layers may be smoothed, on a map that measures nothing."""

BACKGROUND_DECIMALS = 6
QUAD_SEGMENTS = 64
MARGIN_FT = 500.0


def event_map(
    year: "MapYear",
    layers: MapLayers | None = None,
    *,
    public: bool = False,
    private_titles: "Iterable[str] | None" = (),
    basemap: Basemap | None = None,
) -> "folium.Map":
    """Draw a year of events.

    Parameters
    ----------
    year
        The permits, their parcels, and every lot of the town.
    layers
        The town's other layers.
    public
        Draw the version anyone may see: without owners, applicants, notes, conflicts, an override's reason, warnings, and without
        permits that were rescinded or are void.
    private_titles
        Numbers of the permits whose title stays off the map; None is all of them.
    basemap
        A tile provider from the internet to draw below; none unless asked for.

    Returns
    -------
        A folium map; :func:`geonotice.maps.render` makes the file of it.

    Raises
    ------
    OutputError
        Parcels have no geometry, permits are on parcels that are not given, or there is nothing at all to draw.
    """
    layers = layers or MapLayers()
    _refuse_unfit(year)
    year = _shown(year, public=public, private_titles=None if private_titles is None else frozenset(private_titles))
    projector = Projector(year.crs)
    parcels, permits = year.parcels, year.permits
    place = {parcel.fid: number for number, parcel in enumerate(parcels)}
    mondays = weeks_of(year.year)
    weeks = _weeks(mondays, permits, year.parades)
    lots = sorted(year.lots, key=lambda lot: (lot.id, lot.fid))
    made = offline_map(
        title=f"Events of {year.year}, {year.town}",
        panel=panel(year, lots=lots, projector=Projector(year.crs, decimals=BACKGROUND_DECIMALS), public=public, basemap=basemap),
        scripts=("lots.js", "events.js"),
        styles=("events.css",),
        basemap=basemap,
    )
    sheet = Sheet(made, projector, _view(year, layers))
    conflicts = defaultdict(list)
    for conflict in year.conflicts:
        for number in conflict.permits:
            conflicts[number].append(conflict.text)
    places = projector.points_inside([parcel.geometry for parcel in parcels])
    sheet.data |= {
        "year": year.year,
        "public": public,
        "packed": {},
        "badges": badges(),
        "parcels": [_parcel_words(parcel, at, public=public) for parcel, at in zip(parcels, places, strict=True)],
        "lands": [_land_words(land, public=public) for land in year.lands],
        "permits": [_permit_words(permit, place, conflicts[permit.number], public=public) for permit in permits],
        "parades": [_parade_words(parade) for parade in year.parades],
        "weeks": weeks,
        "week": _first_shown(year, mondays, weeks),
    }
    _draw_parcels(sheet, parcels)
    _draw_parades(sheet, year.parades)
    _draw_background(sheet, year, layers)
    attach(made, start="geonotice.events", data=sheet.data, names=sheet.names)
    return made


def _shown(year: "MapYear", *, public: bool, private_titles: frozenset[str] | None) -> "MapYear":
    """Return the year as it is drawn, in order: of the public's map only what anyone may see."""

    def title(number: str, text: str) -> str:
        return "" if private_titles is None or number in private_titles else text

    permits = [
        replace(permit, title=title(permit.number, permit.title))
        for permit in sorted(year.permits, key=lambda permit: (permit.starts or date.max, permit.number))
        if permit.status == "issued" or not public
    ]
    parcels = sorted(year.parcels, key=lambda parcel: (parcel.id, parcel.fid))
    if public:
        on = {fid for permit in permits for fid in permit.parcels}
        # A parcel that has nothing but what the public does not see is drawn as any lot, unless it counts.
        parcels = [parcel for parcel in parcels if parcel.fid in on or parcel.used or parcel.decide]
    return replace(
        year,
        permits=tuple(permits),
        parcels=tuple(parcels),
        parades=tuple(replace(parade, title=title(parade.number, parade.title)) for parade in year.parades),
        conflicts=() if public else year.conflicts,
    )


def _refuse_unfit(year: "MapYear") -> None:
    refuse_empty([(f"parcel {parcel.id}", parcel.geometry) for parcel in year.parcels])
    refuse_empty([(f"parade {parade.number}", parade.geometry) for parade in year.parades])
    known = {parcel.fid for parcel in year.parcels}
    faults = [
        Fault(
            what=f"permit {permit.number} is on a parcel that the map was not given",
            remedy="give each permit's parcels with their geometry",
        )
        for permit in year.permits
        if not known.issuperset(permit.parcels)
    ]
    if faults:
        raise OutputError(faults)


def _view(year: "MapYear", layers: MapLayers) -> "BaseGeometry":
    """Return what the map opens on: the parcels with permits and the parades; the town where there are none."""
    shapes = [parcel.geometry for parcel in year.parcels] + [parade.geometry for parade in year.parades]
    shapes = shapes or [lot.geometry for lot in year.lots]
    shapes = shapes or [feature.geometry for feature in (*layers.municipalities, *layers.streets)]
    if not shapes:
        raise OutputError(Fault(what="the event map has nothing to draw", remedy="import the town's parcels first"))
    return box_around(shapes)


def _yes(value: bool | None, yes: str, no: str, unknown: str) -> str:  # noqa: FBT001  # an answer of the register, not a switch
    return unknown if value is None else yes if value else no


def _used(parcel: "EventLand") -> str:
    if parcel.cap is None:
        return f"{parcel.used}, no cap"
    return f"{parcel.used} of {parcel.cap}" if parcel.used <= parcel.cap else f"{parcel.used}, the cap is {parcel.cap}"


def _land_words(land: "EventLand", *, public: bool) -> dict[str, Any]:
    return {
        "zone": land.zone,
        "state": land.state,
        "left": land.left,
        "used": _used(land),
        "night": "" if land.night_left is None else "none left" if land.night_left == 0 else f"{land.night_left} left",
        "why": (land.why_in_public if public else "") or land.why,
        "next": days_in_words(land.next_date) if land.next_date else "",
        "note": land.note,
    }


def _parcel_words(parcel: "EventParcel", at: list[float], *, public: bool) -> dict[str, Any]:
    return {
        "id": parcel.id,
        "situs": parcel.situs,
        **_land_words(parcel, public=public),
        "at": at,
        **({} if public else {"owners": list(parcel.owners)}),
    }


def _permit_words(permit: "EventPermit", place: dict[int, int], conflicts: list[str], *, public: bool) -> dict[str, Any]:
    words: dict[str, Any] = {
        "number": permit.number,
        "kind": permit.kind.replace("_", " "),
        "title": permit.title,
        "days": days_in_words(permit.starts, permit.ends, permit.days),
        "night": _yes(permit.night, "at night", "by day", "day or night not known"),
        "charitable": _yes(permit.charitable, "charitable applicant", "", ""),
        "persons": permit.persons,
        "distinct": permit.distinct_events if permit.distinct_events > 1 else None,
        "status": permit.status,
        "parcels": [place[fid] for fid in permit.parcels],
        "over": bool(permit.override),
    }
    if not public:
        words |= {
            "applicant": permit.applicant,
            "issued": days_in_words(permit.issued) if permit.issued else "",
            "override": permit.override,
            "note": permit.note,
            "conflicts": conflicts,
        }
    return words


def _parade_words(parade: "EventParade") -> dict[str, Any]:
    return {
        "number": parade.number,
        "title": parade.title,
        "days": days_in_words(parade.starts, parade.ends, parade.days),
        "detail": parade.detail,
    }


def _weeks(mondays: list[date], permits: "Sequence[EventPermit]", parades: "Sequence[EventParade]") -> list[dict[str, Any]]:
    """List the weeks with the places of the permits and parades that are on; rescinded and void permits are not."""

    def on(event: "EventPermit | EventParade", monday: date) -> bool:
        sunday = monday + timedelta(days=_DAYS - 1)
        if event.days:
            return any(monday <= day <= sunday for day in event.days)
        return event.starts is not None and event.starts <= sunday and (event.ends or event.starts) >= monday

    return [
        {
            "days": days_in_words(monday, monday + timedelta(days=_DAYS - 1)),
            "permits": [n for n, permit in enumerate(permits) if permit.status == "issued" and on(permit, monday)],
            "parades": [n for n, parade in enumerate(parades) if on(parade, monday)],
        }
        for monday in mondays
    ]


def _first_shown(year: "MapYear", mondays: list[date], weeks: list[dict[str, Any]]) -> int:
    """Return the week that the map opens on: today's, in another year the first with something on."""
    today = week_of(year.on, mondays)
    if mondays[0] <= year.on < mondays[-1] + timedelta(days=7):
        return today
    return next((n for n, week in enumerate(weeks) if week["permits"] or week["parades"]), today)


def _draw_parcels(sheet: Sheet, parcels: "Sequence[EventParcel]") -> None:
    for state, look in EVENT_LOOKS.items():
        shapes = [(n, parcel.geometry, f"parcel {parcel.id}") for n, parcel in enumerate(parcels) if parcel.state == state]
        if shapes:
            sheet.add("parcels", state, look, shapes, pane="notified")
    sheet.label(*(Label(geometry=one.geometry, text=one.id, kind="permitted", of=one.state) for one in parcels))


def _draw_parades(sheet: Sheet, parades: "tuple[EventParade, ...]") -> None:
    if not parades:
        return
    shapes = [(n, parade.geometry, f"parade {parade.number}") for n, parade in enumerate(parades)]
    sheet.add("others", "parades", LOOKS["parades"], shapes, pane="evidence")
    sheet.data["others"]["parades"] = [
        [
            parade.title or f"Parade {parade.number}",
            "; ".join(
                part for part in (f"Permit {parade.number}", days_in_words(parade.starts, parade.ends), parade.detail) if part
            ),
        ]
        for parade in parades
    ]
    titles = [parade.title or f"Parade {parade.number}" for parade in parades]
    sheet.label(
        *(
            Label(geometry=parade.geometry, text=title, kind="parade", of="parades")
            for parade, title in zip(parades, titles, strict=True)
        )
    )


def _draw_background(sheet: Sheet, year: "MapYear", layers: MapLayers) -> None:
    sheet.projector = Projector(year.crs, decimals=BACKGROUND_DECIMALS)
    if year.lots:
        # The layer is empty: the page draws the lots on a canvas, and switches it with this one. Districts show through the lots.
        look = replace(LOOKS["lots"], fill_opacity=0.0) if layers.zoning else LOOKS["lots"]
        sheet.add_packed("lots", look, [], pane="context", count=len(year.lots))
    if year.boundary_ft and year.neighbours:
        others = shapely.union_all([feature.geometry for feature in year.neighbours])
        line = shapely.difference(shapely.boundary(others.buffer(year.boundary_ft, quad_segs=QUAD_SEGMENTS)), others)
        line = shapely.simplify(shapely.intersection(line, _town(year, layers)), SMOOTH_FT)
        if not shapely.is_empty(line):
            title = f"{year.boundary_ft:,.0f} ft from another municipality"
            sheet.add_packed("reach", LOOKS["reach"], [line], pane="municipal", title=title)
    draw_town(sheet, layers)


def draw_town(sheet: Sheet, layers: MapLayers) -> None:
    """Draw the town's other layers below its lots."""
    for kind, pane in (
        ("municipalities", "municipal"),
        ("streets", "ways"),
        ("railroads", "ways"),
        ("water", "ground"),
        ("zoning", "ground"),
    ):
        features: tuple[MapFeature, ...] = getattr(layers, kind)
        if features:
            _draw_features(sheet, kind, features, pane=pane)


def _draw_features(sheet: Sheet, kind: str, features: tuple[MapFeature, ...], *, pane: str) -> None:
    codes = sorted({feature.label for feature in features}) if kind == "zoning" else []
    fills = [DISTRICT_FILLS[codes.index(feature.label) % len(DISTRICT_FILLS)] for feature in features] if codes else []
    shapes = shapely.simplify([feature.geometry for feature in features], SMOOTH_FT)
    sheet.add_packed(kind, LOOKS[kind], shapes, pane=pane, fills=fills)
    sheet.data["others"][kind] = [[feature.label, feature.detail] for feature in features]
    if kind not in {"streets", "railroads"}:  # the page labels lines itself: there are thousands of them
        sheet.label_features(kind, features)


def _town(year: "MapYear", layers: MapLayers) -> "BaseGeometry":
    """Return the box of the town's parcels: beyond it the line off other municipalities is no concern of the map."""
    shapes = [parcel.geometry for parcel in year.parcels] + [lot.geometry for lot in year.lots]
    return box_around(shapes or [feature.geometry for feature in layers.municipalities])


def box_around(shapes: "Sequence[BaseGeometry]") -> "BaseGeometry":
    """Return the box of some shapes, with a margin."""
    west, south, east, north = (float(value) for value in shapely.total_bounds(shapes))
    return Polygon.from_bounds(west - MARGIN_FT, south - MARGIN_FT, east + MARGIN_FT, north + MARGIN_FT)
