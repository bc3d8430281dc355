"""From a year of permits to the event map."""

from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.facts.municipalities import is_own
from geonotice.io.output_files import write_file
from geonotice.model import ResultWarning
from geonotice.register.rows import shape_of
from geonotice.select.boundary import is_village
from geonotice.workflow.notice_map import layers_in
from geonotice.workflow.outputs import check_output
from geonotice.workflow.permits import year_of_permits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from geonotice.maps import EventParade, EventParcel, EventPermit, MapFeature, MapLayers, MapYear, SearchRow
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Permit
    from geonotice.register.year import EventYear, YearParcel, YearPermit
    from geonotice.store import ParcelBlock


__all__ = [
    "draw_year",
    "write_event_map",
    "year_page",
]


ZONE_WORDS = {"residential": "residential", "other": "not residential", "split": "split", "undetermined": "to be determined"}

EVERYWHERE = (-1e12, -1e12, 1e12, 1e12)
"""A box that holds every town, in feet of any zone."""


def year_page(opened: "Opened", year: "EventYear", *, public: bool = False) -> bytes:
    """Make the event map's page: one file that works with no internet; the public one without owners and applicants."""
    from geonotice.maps import event_map, render

    drawn, layers = draw_year(opened, year)
    return render(event_map(drawn, layers, public=public))


def draw_year(opened: "Opened", year: "EventYear") -> "tuple[MapYear, MapLayers]":
    """Return what the event map draws: parcels with what is left and why, permits, parades, and a line for every parcel of the town."""
    from geonotice.maps import EventConflict, MapYear

    store = opened.store
    block = store.parcels_in(EVERYWHERE)
    ids = {item.parcel.fid: item.parcel.id for item in year.parcels}
    drawn = MapYear(
        town=opened.town.name,
        year=year.year,
        on=year.on,
        crs=opened.crs,
        parcels=_parcels(opened, year.parcels),
        permits=tuple(_permit(item, ids) for item in year.permits if _route(opened, item.permit) is None),
        rows=_rows(opened, block),
        parades=tuple(_parade(item.permit, route) for item in year.permits if (route := _route(opened, item.permit)) is not None),
        conflicts=tuple(EventConflict(permits=one.numbers, text=one.text) for one in year.conflicts),
        lots=tuple(block.geometries),
        neighbours=_neighbours(opened),
        boundary_ft=_boundary_ft(opened),
        warnings=(*year.warnings, *_routes_elsewhere(opened, year)),
        sources=tuple(f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in store.sources()),
        subtitle=(opened.town.clerk.line,),
    )
    return drawn, layers_in(opened, EVERYWHERE)


def _route(opened: "Opened", permit: "Permit") -> bytes | None:
    """Return the route that a permit is drawn as; a parade rescinded, without a route or with one in another CRS is in the list only."""
    return permit.route if permit.status == "issued" and permit.route_crs == opened.crs else None


def _routes_elsewhere(opened: "Opened", year: "EventYear") -> tuple[ResultWarning, ...]:

    permits = [item.permit for item in year.permits]
    return tuple(
        ResultWarning(
            "route_crs",
            f"The route of {one.number} is in {one.route_crs or 'unknown coordinates'}, not in the town's: not drawn.",
        )
        for one in permits
        if one.status == "issued" and one.route is not None and one.route_crs != opened.crs
    )


def _names(opened: "Opened", fids: "list[int]") -> dict[int, tuple[str, ...]]:
    found = opened.store.owners_of(fids)
    return {fid: tuple(" & ".join(owner.names) for owner in owners if owner.names) for fid, owners in found.items()}


def _parcels(opened: "Opened", parcels: "tuple[YearParcel, ...]") -> "tuple[EventParcel, ...]":
    from geonotice.maps import EventParcel

    fids = [item.parcel.fid for item in parcels]
    shapes = opened.store.geometries(fids)
    names = _names(opened, fids)
    return tuple(
        EventParcel(
            fid=item.parcel.fid,
            id=item.parcel.id,
            geometry=shape,
            situs=item.parcel.situs.text,
            owners=names.get(item.parcel.fid, ()),
            zone=", ".join([*dict.fromkeys(district.code for district in item.land.districts), ZONE_WORDS[item.land.zone]]),
            used=item.used,
            cap=item.cap,
            left=item.left,
            why=_with_citation(item),
            night_left=item.night_left,
            charity_left=item.charity_left,
            exempt=item.exempt,
            uncapped=item.cap is None and not item.exempt and not item.decide,
            decide=item.decide,
            next_date=item.next_date,
        )
        for item, shape in zip(parcels, shapes, strict=True)
    )


def _with_citation(item: "YearParcel") -> str:
    return item.why if not item.citation or item.citation in item.why else f"{item.why} ({item.citation})"


def _permit(item: "YearPermit", ids: "Mapping[int, str]") -> "EventPermit":
    from geonotice.maps import EventPermit

    permit = item.permit
    today = {ids[fid] for fid in item.fids}
    moved = [number for number in permit.parcels if number not in today]
    return EventPermit(
        number=permit.number,
        kind=permit.kind,
        parcels=item.fids,
        starts=permit.starts,
        ends=permit.ends,
        title=permit.title,
        applicant=permit.applicant,
        status=permit.status,
        night=permit.night,
        charitable=permit.charitable,
        persons=permit.persons,
        distinct_events=permit.distinct_events,
        issued=permit.issued,
        override=permit.override,
        note=f"recorded on {', '.join(moved)}" if moved else "",
    )


def _parade(permit: "Permit", route: bytes) -> "EventParade":
    from geonotice.maps import EventParade

    return EventParade(
        number=permit.number,
        title=permit.title or f"Parade {permit.number}",
        geometry=shape_of(route, f"the route of permit {permit.number}"),
        starts=permit.starts,
        ends=permit.ends,
        detail=", ".join(permit.streets),
    )


def _rows(opened: "Opened", block: "ParcelBlock") -> "tuple[SearchRow, ...]":
    import shapely

    from geonotice.maps import SearchRow

    names = _names(opened, [parcel.fid for parcel in block.parcels])
    also = opened.store.also_known()
    places = shapely.get_coordinates(shapely.point_on_surface(block.geometries)).tolist()
    return tuple(
        SearchRow(parcel.fid, parcel.id, parcel.situs.text, names.get(parcel.fid, ()), x, y, also.get(parcel.fid, ()))
        for parcel, (x, y) in zip(block.parcels, places, strict=True)
    )


def _neighbours(opened: "Opened") -> "tuple[MapFeature, ...]":
    """Return the other municipalities: a village inside the town is one."""
    from geonotice.maps import MapFeature

    block = opened.store.features_in("municipalities", EVERYWHERE)
    return tuple(
        MapFeature(geometry=geometry, label=row["name"])
        for row, geometry in zip(block.rows, block.geometries, strict=True)
        if is_village(row["kind"]) or not is_own(row, opened.town.swis, opened.town.name)
    )


def _boundary_ft(opened: "Opened") -> float | None:
    """Return how near another municipality must be for notice to its clerk; None where the ordinance asks for none."""
    reaches = [rule.notice.distance_ft for rule in opened.profile.of_kind("clerk_notice") if rule.notice]
    return max((reach for reach in reaches if reach), default=None)


def write_event_map(
    opened: "Opened", register: "Register", *, year: int, on: "date", public: bool = False, out: Path | None = None
) -> "tuple[Path, tuple[ResultWarning, ...]]":
    """Draw the event map of a year and write it: whole, or not at all; give its file, and what it could not see.

    Parameters
    ----------
    out
        The file; by itself ``maps/`` of the current folder, named after the town's folder and the year.

    Raises
    ------
    UsageError
        ``out`` does not end in ``.html``.
    OutputError
        The file cannot be written, or one is there that is no such map.
    RegisterError
        The register cannot be read.
    """
    name = f"{opened.town.folder.name}-{year}{'-public' if public else ''}.html"
    file = out or Path("maps") / name
    check_output(file, ".html", ".htm", option="--out")
    found = year_of_permits(opened, register, year=year, on=on)
    write_file(file, year_page(opened, found, public=public))
    return file, found.warnings
