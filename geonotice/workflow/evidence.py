"""What a list rests on, as lines and points: for the map and the GeoPackage alike."""

from typing import TYPE_CHECKING

from geonotice.packet.gpkg import Evidence
from geonotice.select.within import nearest_line

if TYPE_CHECKING:
    from geonotice.workflow.noticing import Noticed

__all__ = ["evidence_of"]


def evidence_of(noticed: "Noticed") -> tuple[Evidence, ...]:
    """Give the extended lines, shared runs, signs and ways to municipal boundaries; and the nearest points of the close cases."""
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
    return (*made, *_close_cases(noticed))


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
