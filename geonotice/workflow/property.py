"""All that is known of one property."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import shapely

if TYPE_CHECKING:
    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["describe_parcel"]


def describe_parcel(opened: "Opened", parcel: "Parcel") -> dict[str, Any]:
    """Gather what the store holds of a parcel, as plain values.

    ``districts`` and ``municipalities`` are those whose area meets the parcel; None where the town has no such layer. ``problems`` is
    what import had to say of it.
    """
    store = opened.store
    geometry = store.geometries([parcel.fid])[0]
    points = store.address_points_of([parcel.fid])[parcel.fid] if store.has("address_points") else None
    owners = [
        {
            "names": list(owner.names),
            "address": list(owner.address),
            "city": owner.city,
            "state": owner.state,
            "zip": owner.zip,
            "country": owner.country,
            "source": owner.source,
            "roll_year": owner.roll_year,
            "mailable": owner.mailable,
        }
        for owner in store.owners_of([parcel.fid])[parcel.fid]
    ]
    names = {parcel.id, parcel.tax_map_number} - {""}
    return {
        "id": parcel.id,
        "tax_map_number": parcel.tax_map_number,
        "swis": parcel.swis,
        "municipality": parcel.municipality,
        "role": parcel.role,
        "situs": asdict(parcel.situs),
        "property_class": parcel.property_class,
        "roll_year": parcel.roll_year,
        "area_sq_ft": round(parcel.area_sq_ft),
        "acres": round(parcel.area_sq_ft / 43_560, 2),
        "owners": owners,
        "address_points": None if points is None else [asdict(point) for point in points],
        "districts": _meeting(opened, "zoning", "district", geometry),
        "municipalities": _meeting(opened, "municipalities", "name", geometry),
        "problems": [asdict(problem) for problem in store.problems() if problem.key in names],
        "crs": opened.crs,
        "bounds": [round(value, 2) for value in geometry.bounds],
    }


def _meeting(opened: "Opened", kind: str, name: str, geometry: Any) -> list[str] | None:  # noqa: ANN401  # a polygon
    """Name the features of a layer whose inside meets the parcel's."""
    if not opened.store.has(kind):
        return None
    found = opened.store.features_in(kind, geometry.bounds)
    shared = shapely.area(shapely.intersection(found.geometries, geometry))
    return sorted({row[name] for row, area in zip(found.rows, shared, strict=True) if area > 0})
