"""From a notice to what its map draws."""

from typing import TYPE_CHECKING

from geonotice.decide.days import calendar_day
from geonotice.workflow.evidence import evidence_of
from geonotice.workflow.measuring import grown

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.webmap import EvidenceLine, MapFeature, MapLayers, MapNotice, MapParcel
    from geonotice.workflow.noticing import Noticed
    from geonotice.workflow.opening import Opened

__all__ = ["draw_notice", "layers_in", "notice_pages"]

_CONTEXT_FT = 300.0
"""How far beyond the search area the map shows neighbouring parcels, for orientation."""


def notice_pages(opened: "Opened", noticed: "Noticed") -> dict[str, bytes]:
    """Make the notice map's pages by file name, each a file that works with no internet; the public one without owners and list."""
    from geonotice.webmap import notice_map, render

    drawn, layers = draw_notice(opened, noticed)
    return {
        "map.html": render(notice_map(drawn, layers)),
        "public-map.html": render(notice_map(drawn, layers, public=True)),
    }


def draw_notice(opened: "Opened", noticed: "Noticed") -> "tuple[MapNotice, MapLayers]":
    """Give what the notice map draws: the parcels with their reasons, the evidence, and the town's other layers round them."""
    from geonotice.webmap import MapNotice

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
        cautions=notice.cautions,
        sources=tuple(f"{source.layer}: {source.path}, {source.as_of or 'date unknown'}" for source in notice.sources),
        subtitle=(
            *(f"{clause.citation} ({clause.rule})" for clause in notice.clauses),
            f"List made on {calendar_day(notice.on)}",
            opened.town.clerk.line,
        ),
        recipients=notice.recipients,
    )
    return drawn, layers_in(opened, grown(noticed.measured.line.bounds, noticed.search_ft + _CONTEXT_FT))


def _parcels(noticed: "Noticed") -> "tuple[MapParcel, ...]":
    from geonotice.webmap import MapParcel

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
                        f"{on_list.rule}, {on_list.citation}: {words.get(on_list.rule, '')}",
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
    from geonotice.webmap import EvidenceLine

    return tuple(EvidenceLine(kind=one.kind, geometry=one.geometry, label=one.text) for one in evidence_of(noticed))


def layers_in(opened: "Opened", box: "tuple[float, float, float, float]") -> "MapLayers":
    """Give the town's other layers, as far as their features meet a box in the town's CRS."""
    from geonotice.webmap import MapFeature, MapLayers

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
