"""From a year of permits to the event map."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, UsageError
from geonotice.facts.every_lot import zones_of
from geonotice.facts.municipalities import is_own
from geonotice.io.output_files import write_file
from geonotice.model import ResultWarning
from geonotice.register.permits import list_permits
from geonotice.register.rows import shape_of
from geonotice.select.boundary import is_village
from geonotice.store import EVERYWHERE
from geonotice.workflow.notice_map import layers_in
from geonotice.workflow.outputs import check_output
from geonotice.workflow.permits import year_of_permits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from geonotice.decide.cap_count import Zone
    from geonotice.maps import EventLand, EventLot, EventParade, EventParcel, EventPermit, MapFeature, MapLayers, MapYear
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.register.values import Permit
    from geonotice.register.year import EventYear, Left, YearParcel, YearPermit
    from geonotice.store import ParcelBlock


__all__ = [
    "draw_year",
    "hidden_titles",
    "write_event_map",
    "year_page",
]


ZONE_WORDS = {"residential": "residential", "other": "not residential", "split": "split", "undetermined": "to be determined"}


def year_page(
    opened: "Opened", year: "EventYear", *, public: bool = False, private_titles: "Collection[str] | None" = ()
) -> bytes:
    """Make the event map's page: one file that works with no internet; the public one without owners and applicants.

    Parameters
    ----------
    private_titles
        Numbers of the permits whose title stays off the map, beside those that are so marked; None is all of them.

    Raises
    ------
    UsageError
        The year has no permit of such a number.
    """
    from geonotice.maps import event_map, render

    _require_of_year(year, private_titles or ())
    if private_titles is not None:
        private_titles = {*private_titles, *(item.permit.number for item in year.permits if item.permit.private_title)}
    drawn, layers = draw_year(opened, year)
    return render(event_map(drawn, layers, public=public, private_titles=private_titles))


def _require_of_year(year: "EventYear", numbers: "Collection[str]") -> None:
    """Refuse the number of a permit that the year does not have: a slip in it would make a private title public.

    Raises
    ------
    UsageError
        There is one.
    """
    unknown = set(numbers) - {item.permit.number for item in year.permits}
    if unknown:
        raise UsageError(
            [
                Fault(
                    what=f"{year.year} has no permit {number!r}",
                    why="its title would stay on the map if the number is a slip",
                    remedy="give the number as permit list prints it",
                )
                for number in sorted(unknown)
            ]
        )


def draw_year(opened: "Opened", year: "EventYear") -> "tuple[MapYear, MapLayers]":
    """Return what the event map draws: parcels with what is left and why, permits, parades, and every lot of the town."""
    from geonotice.maps import EventConflict, MapYear

    store = opened.store
    block = store.parcels_in(EVERYWHERE)
    ids = {item.parcel.fid: item.parcel.id for item in year.parcels}
    lots, lands = _lots(opened, block, year)
    notes = {lot.fid: lands[lot.land].note for lot in lots}
    drawn = MapYear(
        town=opened.town.name,
        year=year.year,
        on=year.on,
        crs=opened.crs,
        parcels=_parcels(opened, year.parcels, notes),
        permits=tuple(_permit(item, ids) for item in year.permits if _route(opened, item.permit) is None),
        parades=tuple(_parade(item.permit, route) for item in year.permits if (route := _route(opened, item.permit)) is not None),
        conflicts=tuple(EventConflict(permits=one.numbers, text=one.text) for one in year.conflicts),
        lots=lots,
        lands=lands,
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


def _parcels(opened: "Opened", parcels: "tuple[YearParcel, ...]", notes: "Mapping[int, str]") -> "tuple[EventParcel, ...]":
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
            **_left(item, item.land.zone, item.codes),
            note=notes.get(item.parcel.fid, ""),
        )
        for item, shape in zip(parcels, shapes, strict=True)
    )


def _left(left: "Left", zone: "Zone", codes: "Iterable[str]") -> "dict[str, Any]":
    """Return what the map says of a year's permits on land, as the fields of its values."""
    return {
        "zone": ", ".join([*dict.fromkeys(codes), ZONE_WORDS[zone]]),
        "used": left.used,
        "cap": left.cap,
        "left": left.left,
        "why": _with_citation(left.why, left.citation),
        "why_in_public": _with_citation(left.why_in_public, left.citation),
        "night_left": left.night_left,
        "charity_left": left.charity_left,
        "exempt": left.exempt,
        "uncapped": left.cap is None and not left.exempt and not left.decide,
        "decide": left.decide,
        "next_date": left.next_date,
    }


def _with_citation(why: str, citation: str) -> str:
    return why if not citation or citation in why else f"{why} ({citation})"


def _lots(opened: "Opened", block: "ParcelBlock", year: "EventYear") -> "tuple[tuple[EventLot, ...], tuple[EventLand, ...]]":
    """Return every lot of the town, and the answers that hold for those without a permit: many lots share one."""
    from geonotice.maps import EventLand, EventLot

    names = _names(opened, [parcel.fid for parcel in block.parcels])
    also = opened.store.also_known()
    lands: dict[tuple[object, ...], int] = {}
    made: list[EventLand] = []
    lots = []
    for parcel, shape, known in zip(block.parcels, block.geometries, zones_of(opened, block), strict=True):
        key = (known, parcel.role, parcel.layer > 0)
        if key not in lands:
            lands[key] = len(made)
            made.append(
                EventLand(**_left(year.untouched[known.zone], known.zone, known.codes), note=_note(parcel, known.village))
            )
        at = lands[key]
        lots.append(
            EventLot(parcel.fid, parcel.id, shape, parcel.situs.text, names.get(parcel.fid, ()), also.get(parcel.fid, ()), at)
        )
    return tuple(lots), tuple(made)


def _note(parcel: "Parcel", village: str) -> str:
    """Return what to know of where a lot lies before anything is issued there."""
    said = [
        "Of the layer of an adjoining town: this town's law does not reach it." if parcel.layer > 0 else "",
        f"In the {village}: the town's chapter may not reach it. Ask the town attorney whose law applies." if village else "",
        f"{ROLE_WORDS[parcel.role]} by the parcel layer, not a lot." if parcel.role in ROLE_WORDS else "",
    ]
    return " ".join(part for part in said if part)


ROLE_WORDS = {"right_of_way": "A street or another right-of-way", "railroad": "A railroad", "water": "Water"}


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
        days=permit.yard_sale_days,
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
        title=permit.title,
        geometry=shape_of(route, f"the route of permit {permit.number}"),
        starts=permit.starts,
        ends=permit.ends,
        days=permit.yard_sale_days,
        detail=", ".join(permit.streets),
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


def hidden_titles(opened: "Opened", permits: "Sequence[Permit]", named: "Collection[str] | None" = ()) -> "frozenset[str] | None":
    """Return the permits whose title the public does not see: those named, those so marked, those of the town file; None is all of them.

    ``permits`` are all of the register.

    Raises
    ------
    UsageError
        The town file names a permit that the register does not have.
    """
    spec = opened.town.register
    kept = set(spec.private_titles) if spec else set()
    unknown = sorted(kept - {permit.number for permit in permits})
    if unknown:
        raise UsageError(
            [
                Fault(
                    what=f"register.private_titles names permit {number!r}, which the register does not have",
                    file=str(opened.town.file),
                    why="its title would be public if the number is a slip",
                    remedy="give the number as permit list prints it",
                )
                for number in unknown
            ]
        )
    if named is None or (spec is not None and not spec.public_titles):
        return None
    return frozenset({*named, *kept, *(permit.number for permit in permits if permit.private_title)})


def write_event_map(
    opened: "Opened",
    register: "Register",
    *,
    year: int,
    on: "date",
    public: bool = False,
    private_titles: "Collection[str] | None" = (),
    out: Path | None = None,
) -> "tuple[Path, tuple[ResultWarning, ...]]":
    """Draw the event map of a year and write it: whole, or not at all; give its file, and what it could not see.

    Parameters
    ----------
    private_titles
        Numbers of the permits whose title stays off the map; None is all of them.
    out
        The file; by itself ``maps/`` of the current folder, named after the town's folder and the year.

    Raises
    ------
    UsageError
        ``out`` does not end in ``.html``; the year has no permit of a number in ``private_titles``.
    OutputError
        The file cannot be written, or one is there that is no such map.
    RegisterError
        The register cannot be read.
    """
    name = f"{opened.town.folder.name}-{year}{'-public' if public else ''}.html"
    file = out or Path("maps") / name
    check_output(file, ".html", ".htm", option="--out")
    found = year_of_permits(opened, register, year=year, on=on)
    if public:
        of_year = {item.permit.number for item in found.permits}
        hidden = hidden_titles(opened, list_permits(register), private_titles)
        private_titles = (
            None if hidden is None else {number for number in hidden if number in of_year or number in (private_titles or ())}
        )
    write_file(file, year_page(opened, found, public=public, private_titles=private_titles))
    return file, found.warnings
