"""From a notice to what its map draws."""

from typing import TYPE_CHECKING

import shapely

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.facts.drawings import shape_of
from geonotice.facts.surroundings import grown
from geonotice.packet.notice_gpkg import Evidence
from geonotice.select.within import nearest_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.maps import EvidenceLine, MapFeature, MapLayers, MapNotice, MapParcel
    from geonotice.opened_town import Opened
    from geonotice.workflow.notice import Noticed


__all__ = [
    "draw_notice",
    "evidence_of",
    "layers_in",
]


def evidence_of(noticed: "Noticed") -> tuple[Evidence, ...]:
    """Return the extended lines, shared runs, signs and ways to municipal boundaries; and the nearest points of the close cases."""
    measured = noticed.measured
    made: list[Evidence] = []
    if noticed.adjoining:
        signs = bool(noticed.notice.signs)
        for one in measured.near.evidence:
            if one.kind == "sign" and not signs:
                continue
            id_ = measured.records[measured.around[one.parcel]].id if one.parcel is not None else ""
            words = _words(one.kind, id_, one.frontage, noticed)
            made.append(Evidence(kind=one.kind, id=id_, text=words, geometry=one.geometry))
    if noticed.places.found is not None and noticed.notice.municipalities:
        told = [one for one in noticed.places.found.others if one.notified]
        for other, place in zip(told, noticed.notice.municipalities, strict=True):
            text = f"{place.name}: {place.distance_ft:,.0f} ft"
            made.append(Evidence(kind="boundary", id="", text=text, geometry=other.line))
    if measured.line is not measured.land and noticed.radius_ft is not None:
        reach = measured.line.buffer(noticed.radius_ft, quad_segs=64).boundary
        made.append(
            Evidence(kind="distance from the contiguous land", id="", text=f"{noticed.radius_ft:,.0f} ft", geometry=reach)
        )
    return (*made, *_second_place(noticed), *_close_cases(noticed))


def _second_place(noticed: "Noticed") -> "list[Evidence]":
    """Draw the second place that was measured from, as lines, and how far that reaches."""
    if noticed.notice.around is None:
        return []
    place = shape_of(noticed.notice.around)
    outline = shapely.union_all(
        [
            {0: part.buffer(_POINT_FT).boundary, 1: part}.get(shapely.get_dimensions(part), part.boundary)
            for part in shapely.get_parts(place)
        ]
    )
    made = [Evidence(kind="second place", id="", text=noticed.notice.around.name, geometry=outline)]
    if noticed.radius_ft is not None:
        reach = place.buffer(noticed.radius_ft, quad_segs=64).boundary
        made.append(Evidence(kind="distance from the second place", id="", text=f"{noticed.radius_ft:,.0f} ft", geometry=reach))
    return made


def _close_cases(noticed: "Noticed") -> list[Evidence]:
    """Draw the nearest points of the borderline parcels and the near misses: the distances that somebody will ask about."""
    measured = noticed.measured
    close = {
        parcel.id: parcel.distance_ft
        for parcel in noticed.notice.parcels
        # Where the doubt is over how much frontage a lot is met, its distance settles nothing.
        if "borderline" in parcel.review and "within" in (parcel.relation, *parcel.also)
    }
    close |= {miss.id: miss.distance_ft for miss in noticed.notice.near_misses}
    fids = {record.id: fid for fid, record in measured.records.items()}
    return [
        Evidence(
            kind="nearest",
            id=id_,
            text=f"{id_}: {distance:,.2f} ft",
            geometry=nearest_line(measured.line, measured.geometries[fids[id_]]),
        )
        for id_, distance in close.items()
    ]


def _words(kind: str, id_: str, frontage: int | None, noticed: "Noticed") -> str:
    name = next((one.street for one in noticed.notice.frontages if one.n == frontage), "")
    where = f"frontage {frontage}" + (f", {name}" if name else "") if frontage is not None else ""
    return {
        "extension": f"lot line extended from {where}",
        "across": f"across {where} to {id_}",
        "straight_across": f"straight across {where} to {id_}, which the extended lot lines do not meet",
        "shared_run": f"lot line shared with {id_}",
        "corner": f"touches {id_}",
        "sign": "sign facing the street",
    }.get(kind, where)


_POINT_FT = 10.0
"""The radius of the circle that shows a point."""

_CONTEXT_FT = 300.0
"""How far beyond the search area the map shows neighbouring parcels, for orientation."""


def draw_notice(opened: "Opened", noticed: "Noticed") -> "tuple[MapNotice, MapLayers]":
    """Return what the notice map draws: the parcels with their reasons, the evidence, and the town's other layers round them."""
    from geonotice.maps import MapNotice

    notice = noticed.notice
    title = notice.occasion.capitalize()
    if notice.hearing:
        title += f" on {calendar_day(notice.hearing)}"
    if notice.event:
        title += f", event on {calendar_day(notice.event)}"
    situs = "; ".join(text for text in notice.premises_situs if text)
    drawn = MapNotice(
        town=notice.town,
        title=title,
        premises=", ".join(notice.premises) + (f" ({situs})" if situs else ""),
        crs=opened.crs,
        parcels=_parcels(noticed),
        radius_ft=noticed.radius_ft if noticed.measured.line is noticed.measured.land else None,
        evidence=_evidence(noticed),
        warnings=notice.warnings,
        sources=tuple(f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in notice.sources),
        subtitle=(
            *(clause.citation for clause in notice.clauses),
            f"List made on {calendar_day(notice.on)}",
            opened.town.clerk.line,
        ),
        recipients=notice.recipients,
    )
    return drawn, layers_in(opened, grown(noticed.measured.line.bounds, noticed.search_ft + _CONTEXT_FT))


def _parcels(noticed: "Noticed") -> "tuple[MapParcel, ...]":
    from geonotice.maps import MapParcel

    notice = noticed.notice
    own = {parcel.fid for parcel in noticed.measured.premises}
    listed = {parcel.fid: parcel for parcel in notice.parcels}
    misses = {miss.id: miss for miss in notice.near_misses}
    words = {clause.rule: clause.words for clause in notice.clauses}
    made = []
    for fid, record in noticed.measured.records.items():
        geometry = noticed.measured.geometries[fid]
        names = tuple(" / ".join(owner.names) for owner in noticed.owners.get(fid, ()) if owner.names)
        on_list, miss = listed.get(fid), misses.get(record.id)
        common = {
            "fid": fid,
            "id": record.id,
            "geometry": geometry,
            "situs": record.situs.text,
            "owners": names,
            "role": record.role,
        }
        if fid in own:
            made.append(MapParcel(**common, status="premises"))
        elif on_list:
            made.append(
                MapParcel(
                    **common,
                    status="notified",
                    relation=on_list.relation,
                    also=on_list.also,
                    distance_ft=on_list.distance_ft,
                    reasons=(
                        *((f"It {on_list.reason}.",) if on_list.reason else ()),
                        f"{on_list.citation}: {words.get(on_list.rule, '')}",
                    ),
                    review=on_list.review,
                )
            )
        elif miss:
            made.append(MapParcel(**common, status="near_miss", distance_ft=miss.distance_ft, reasons=(miss.reason,)))
        elif noticed.measured.line.distance(geometry) <= noticed.search_ft + _CONTEXT_FT:
            made.append(MapParcel(**common, status="context"))
    return tuple(made)


def _evidence(noticed: "Noticed") -> "tuple[EvidenceLine, ...]":
    from geonotice.maps import EvidenceLine

    return tuple(EvidenceLine(kind=one.kind, geometry=one.geometry, label=one.text) for one in evidence_of(noticed))


def layers_in(opened: "Opened", box: "tuple[float, float, float, float]") -> "MapLayers":
    """Return the town's other layers, as far as their features meet a box in the town's CRS."""
    from geonotice.maps import MapFeature, MapLayers

    def features(kind: str, label: "Callable[[dict[str, str]], tuple[str, str]]") -> "tuple[MapFeature, ...]":
        found = opened.store.features_in(kind, box)
        return tuple(
            MapFeature(geometry=geometry, label=label(row)[0], detail=label(row)[1])
            for row, geometry in zip(found.rows, found.geometries, strict=True)
        )

    return MapLayers(
        streets=features("streets", lambda row: (row["name"], row["jurisdiction"])),
        railroads=features("railroads", lambda row: (row["name"], row["owner"])),
        water=features("water", lambda row: (row["name"], "")),
        municipalities=features("municipalities", lambda row: (row["name"], row["kind"])),
        zoning=features("zoning", lambda row: (row["district"], row["name"])),
    )
