"""Permits to rows and back."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from geonotice.register.grid import cells_of
from geonotice.register.stored import days_of, districts_of, readable, shape_of, streets_of
from geonotice.register.tables import permit_cells, permit_parcels, permits
from geonotice.register.values import Land, Permit
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from geonotice.decide.cap_values import PermitStatus

__all__ = ["add", "cells_of_shape", "land_key", "load", "plain_values", "serial_of"]

PLAIN = (
    "number", "kind", "title", "applicant", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued", "starts",
    "ends", "night", "persons", "maximum_attendance", "conditions", "status", "override", "override_by", "overridden", "route", "route_crs",
    "source",
)  # fmt: skip
"""Columns that hold a field of the permit as it is."""

_SERIAL = re.compile(r"([0-9]{4})-([0-9]{4}|[1-9][0-9]{4,8})")
_SWIS = re.compile(r"^\d{6}/")
_AT_ONCE = 400
"""Permits loaded at one time: below the number of values that one statement can take in any database."""


def serial_of(number: str) -> tuple[int, int] | tuple[None, None]:
    """Read the year and the running number of a permit number of exactly the register's own form; any other has none.

    Examples
    --------
    >>> serial_of("2026-0007")
    (2026, 7)
    >>> serial_of("SE 7/26"), serial_of("2026-7")
    ((None, None), (None, None))
    """
    found = _SERIAL.fullmatch(number)
    return (int(found[1]), int(found[2])) if found else (None, None)


def land_key(parcel: str) -> str:
    """Give the comparable number of a parcel's id, without the SWIS that stands before a number that two municipalities share.

    Examples
    --------
    >>> land_key("573600/12-1-15")
    '12-1-15'
    """
    return comparable(_SWIS.sub("", parcel))


def add(connection: "Connection", new: Sequence[Permit]) -> None:
    """Insert permits with their parcels and the cells these lie in."""
    if not new:
        return
    ids = connection.execute(
        insert(permits).returning(permits.c.id, sort_by_parameter_order=True), [_row(permit) for permit in new]
    )
    land = [
        (item, _land_row(permit_id, n, item))
        for permit_id, permit in zip(ids.scalars().all(), new, strict=True)
        for n, item in enumerate(permit.land)
    ]
    if not land:
        return
    parcel_ids = connection.execute(
        insert(permit_parcels).returning(permit_parcels.c.id, sort_by_parameter_order=True), [row for _, row in land]
    )
    cells = [
        {"level": level, "ix": ix, "iy": iy, "permit_parcel_id": parcel_id}
        for parcel_id, (item, _) in zip(parcel_ids.scalars().all(), land, strict=True)
        if item.geometry is not None
        for level, ix, iy in cells_of_shape(item.geometry, item.parcel)
    ]
    if cells:
        connection.execute(insert(permit_cells), cells)


def _row(permit: Permit) -> dict[str, Any]:
    year, serial = serial_of(permit.number)
    values: dict[str, Any] = {name: getattr(permit, name) for name in PLAIN}
    return values | {
        "serial_year": year,
        "serial": serial,
        "streets": json.dumps(permit.streets, ensure_ascii=False),
        "yard_sale_days": json.dumps([day.isoformat() for day in permit.yard_sale_days]),
    }


def _land_row(permit_id: int, n: int, item: Land) -> dict[str, Any]:
    districts = [[part.code, part.district_class, float(part.area_sq_ft), float(part.share)] for part in item.districts]
    return {
        "permit_id": permit_id,
        "n": n,
        "parcel": item.parcel,
        "key": land_key(item.parcel),
        "swis": item.swis,
        "zone": item.zone,
        "districts": json.dumps(districts, ensure_ascii=False),
        "area_sq_ft": item.area_sq_ft,
        "geometry": item.geometry,
        "crs": item.crs,
    }


def cells_of_shape(wkb: bytes, parcel: str) -> tuple[tuple[int, int, int], ...]:
    """Give the cells a parcel's shape is stored in."""
    minx, miny, maxx, maxy = shape_of(wkb, parcel).bounds
    return cells_of((minx, miny, maxx, maxy))


def load(connection: "Connection", ids: Sequence[int]) -> list[Permit]:
    """Load permits by their row ids, in that order."""
    found: dict[int, Permit] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        land: dict[int, list[Land]] = {}
        parcels = permit_parcels
        with readable("a parcel of a permit"):
            for row in connection.execute(
                select(parcels).where(parcels.c.permit_id.in_(some)).order_by(parcels.c.permit_id, parcels.c.n)
            ):
                land.setdefault(row.permit_id, []).append(_land(row))
        with readable("a permit"):
            for row in connection.execute(select(permits).where(permits.c.id.in_(some))):
                found[row.id] = _permit(row, land.get(row.id, ()))
    with readable("a permit"):
        return [found[permit_id] for permit_id in ids]


def _land(row: Any) -> Land:  # noqa: ANN401  # a row of SQLAlchemy has its columns as attributes
    return Land(
        parcel=row.parcel,
        swis=row.swis,
        zone=row.zone,
        districts=districts_of(row.districts),
        geometry=row.geometry,
        crs=row.crs,
        area_sq_ft=row.area_sq_ft,
    )


def plain_values(row: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
    """Give the columns that hold a field as it is."""
    return {name: getattr(row, name) for name in PLAIN}


def _permit(row: Any, land: Sequence[Land]) -> Permit:  # noqa: ANN401  # as above
    values = plain_values(row)
    status: PermitStatus = row.status
    return Permit(
        **{
            **values,
            "status": status,
            "streets": streets_of(row.streets),
            "yard_sale_days": days_of(row.yard_sale_days),
            "land": tuple(land),
        }
    )
