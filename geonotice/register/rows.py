"""Permits to rows and back; a value that cannot be one is reported, never passed over."""

import gc
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from math import floor, isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from geonotice.errors import Fault, RegisterError
from geonotice.model import District, DistrictClass
from geonotice.register.held_hours import Session, sessions_json, sessions_of
from geonotice.register.tables_and_columns import PERMIT_PARCELS, PERMITS, fetch
from geonotice.register.values import Land, Permit
from geonotice.taxmap import comparable

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry
    from sqlalchemy import Connection

    from geonotice.register.database import AnyConnection


__all__ = [
    "FARTHEST_FT",
    "LEVELS",
    "MOST_LISTED_CHARACTERS",
    "Bounds",
    "add",
    "cells_of",
    "cells_of_shape",
    "change",
    "days_of",
    "districts_of",
    "hours_of",
    "land_key",
    "load",
    "many_values",
    "parts_of_districts",
    "plain_values",
    "readable",
    "search_ranges",
    "serial_of",
    "shape_of",
    "streets_of",
    "unreadable",
]


FARTHEST_FT = 1.0e8
"""The largest coordinate of a shape: nearly the way around the Earth, in feet. One beyond is damage, and a shape that reaches so far would be
put into as many cells of the grid as there are drops in a lake."""

MOST_LISTED_CHARACTERS = 1_000_000
"""The longest list of streets, days or districts that is read: a thousand times what a permit has."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn what Python makes of a value that is none into an error for a clerk. Wrap nothing in it but the reading of rows.

    Raises
    ------
    RegisterError
        A date, a list or a number in the register's rows is none.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise unreadable(what, str(error)) from error


def shape_of(wkb: bytes, what: str) -> "BaseGeometry":
    """Read a stored shape; one that crosses itself is made valid, so that it can be compared with others.

    Raises
    ------
    RegisterError
        It is none, is empty, or reaches farther than the Earth.
    """
    import shapely

    try:
        shape = shapely.from_wkb(wkb)
        bounds = shapely.bounds(shape).tolist()
        if not all(isfinite(side) and abs(side) <= FARTHEST_FT for side in bounds):
            raise unreadable(f"the shape of {what}", "it is empty, or its coordinates are on no map")
        return shape if shapely.is_valid(shape) else shapely.make_valid(shape)
    except (shapely.errors.ShapelyError, TypeError, ValueError) as error:
        raise unreadable(f"the shape of {what}", str(error)) from error


def streets_of(cell: str) -> tuple[str, ...]:
    """Read the list of streets of a permit.

    Raises
    ------
    ValueError
        It is no list of texts.

    Examples
    --------
    >>> streets_of('["Main Street"]')
    ('Main Street',)
    """
    streets = _listed(cell)
    if not all(isinstance(street, str) for street in streets):
        raise ValueError(f"{cell[:40]!r} is not a list of streets")
    return tuple(streets)


def days_of(cell: str) -> tuple[date, ...]:
    """Read the list of days of a yard sale.

    Raises
    ------
    ValueError
        It is no list of days.
    """
    days = _listed(cell)
    if not all(isinstance(day, str) and _DAY.fullmatch(day) for day in days):
        raise ValueError(f"{cell[:40]!r} is not a list of days")
    return tuple(date.fromisoformat(day) for day in days)


def hours_of(cell: str) -> tuple[Session, ...]:
    """Read the hours of a permit.

    Raises
    ------
    ValueError
        It is no list of hours.
    """
    return sessions_of(cell) if _listed(cell) else ()


def districts_of(cell: str) -> tuple[District, ...]:
    """Read the zoning districts of a parcel.

    Raises
    ------
    ValueError
        It is no list of districts.
    """
    return tuple([District(*part) for part in parts_of_districts(cell)])


def parts_of_districts(cell: str) -> list[tuple[str, DistrictClass, float, float]]:
    """Read the zoning districts of a parcel as :func:`districts_of` does: code, class, area and share of each."""
    if cell == "[]":
        return []
    if len(cell) > MOST_LISTED_CHARACTERS:
        raise ValueError(f"a list of {len(cell):,} characters")
    try:
        districts = _DISTRICTS.decode(cell)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{cell[:40]!r} is not a list of zoning districts") from error
    if not all(isfinite(area) and isfinite(share) for _, _, area, share in districts):
        raise ValueError(f"{cell[:40]!r} is not a list of zoning districts")
    return districts


# Checked as it is decoded, in C: every permit of a list has such a cell.
_DISTRICTS = msgspec.json.Decoder(list[tuple[str, DistrictClass, int | float, int | float]])


def _listed(cell: str) -> list[Any]:
    if cell == "[]":  # of most permits
        return []
    if len(cell) > MOST_LISTED_CHARACTERS:
        raise ValueError(f"a list of {len(cell):,} characters")
    found = json.loads(cell)
    if not isinstance(found, list):
        raise ValueError(f"{cell[:40]!r} is not a list")  # noqa: TRY004  # as any other cell that cannot be read
    return found


def unreadable(what: str, why: str) -> RegisterError:
    """Return the error that a value of the register cannot be read, for a clerk."""
    remedy = "verify the log, which lists what was changed behind it; bring back the last sound backup"
    command = "geonotice permit log --verify lists what was changed behind the log; bring back the last sound backup"
    return RegisterError(Fault(what=f"{what} in the register cannot be read", why=why, remedy=remedy, command=command))


Bounds = tuple[float, float, float, float]

CELL_FT = 256.0
"""The width of the smallest cell: about two house lots."""

LEVELS = 16
"""Levels there are; the widest cells measure 1,600 miles, so that any shape on the map has a level."""


def cells_of(bounds: Bounds) -> tuple[tuple[int, int, int], ...]:
    """Return the cells ``(level, ix, iy)`` that a shape's box (minx, miny, maxx, maxy) is stored in.

    Examples
    --------
    >>> cells_of((10.0, 10.0, 200.0, 300.0))
    ((1, 0, 0),)
    """
    minx, miny, maxx, maxy = bounds
    span = max(maxx - minx, maxy - miny)
    level = next((level for level in range(LEVELS - 1) if span <= CELL_FT * 2**level), LEVELS - 1)
    xs, ys = _range(minx, maxx, level), _range(miny, maxy, level)
    return tuple((level, ix, iy) for ix in range(xs[0], xs[1] + 1) for iy in range(ys[0], ys[1] + 1))


def search_ranges(bounds: Bounds) -> Iterator[tuple[int, int, int, int, int]]:
    """Return, for each level, the cells a search box meets: ``(level, first ix, last ix, first iy, last iy)``."""
    minx, miny, maxx, maxy = bounds
    for level in range(LEVELS):
        yield (level, *_range(minx, maxx, level), *_range(miny, maxy, level))


def _range(low: float, high: float, level: int) -> tuple[int, int]:
    width = CELL_FT * 2**level
    return floor(low / width), floor(high / width)


PLAIN = (
    "number", "kind", "title", "applicant", "charitable", "primarily_benefits_applicant", "owned_by", "distinct_events", "issued", "starts",
    "ends", "night", "persons", "maximum_attendance", "conditions", "status", "override", "override_by", "overridden", "route", "route_crs",
    "source", "contact", "fee", "private_title",
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
    """Return the comparable number of a parcel's id, without the SWIS that stands before a number that two municipalities share.

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
    from sqlalchemy import insert

    from geonotice.register.sqlalchemy_tables import permits

    ids = connection.execute(
        insert(permits).returning(permits.c.id, sort_by_parameter_order=True), [_row(permit) for permit in new]
    )
    _add_land(connection, zip(ids.scalars().all(), new, strict=True))


def change(connection: "Connection", before: Permit, after: Permit) -> None:
    """Put a permit in the place of what it was; its snapshots are written anew only where its land is another."""
    from sqlalchemy import delete, select, update

    from geonotice.register.sqlalchemy_tables import permit_cells, permit_parcels, permits

    found = connection.execute(
        update(permits).where(permits.c.number == before.number).values(**_row(after)).returning(permits.c.id)
    )
    permit_id = found.scalar_one()
    if after.land == before.land:
        return
    of_permit = permit_parcels.c.permit_id == permit_id
    parcels = select(permit_parcels.c.id).where(of_permit)
    connection.execute(delete(permit_cells).where(permit_cells.c.permit_parcel_id.in_(parcels)))
    connection.execute(delete(permit_parcels).where(of_permit))
    _add_land(connection, [(permit_id, after)])


def _add_land(connection: "Connection", of_permits: Iterable[tuple[int, Permit]]) -> None:
    land = [(item, _land_row(permit_id, n, item)) for permit_id, permit in of_permits for n, item in enumerate(permit.land)]
    if not land:
        return
    from sqlalchemy import insert

    from geonotice.register.sqlalchemy_tables import permit_cells, permit_parcels

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
        "hours": json.dumps(sessions_json(permit.hours)),
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
    """Return the cells a parcel's shape is stored in."""
    minx, miny, maxx, maxy = shape_of(wkb, parcel).bounds
    return cells_of((minx, miny, maxx, maxy))


def load(connection: "AnyConnection", ids: Sequence[int]) -> list[Permit]:
    """Load permits by their row ids, in that order."""
    with many_values():
        return _load(connection, ids)


@contextmanager
def many_values() -> Iterator[None]:
    """Put off looking for cycles while many values are made that have none: it is half the time of a long list."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _load(connection: "AnyConnection", ids: Sequence[int]) -> list[Permit]:
    found: dict[int, Permit] = {}
    for which, given in _portions(ids):
        land: dict[int, list[Land]] = {}
        with readable("a parcel of a permit"):
            of_permits = PERMIT_PARCELS.select(f"WHERE {which.replace('id', 'permit_id', 1)} ORDER BY permit_id, n")
            for row in fetch(connection, of_permits, PERMIT_PARCELS, **given):
                land.setdefault(row.permit_id, []).append(_land(row))
        with readable("a permit"):
            for row in fetch(connection, PERMITS.select(f"WHERE {which}"), PERMITS, **given):
                found[row.id] = _permit(row, land.get(row.id, ()))
    with readable("a permit"):
        return [found[permit_id] for permit_id in ids]


def _portions(ids: Sequence[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the conditions by which permits are loaded: by their ids, or by the first and last of a stretch of which all are asked for."""
    wanted = sorted(set(ids))
    for start in range(0, len(wanted), _STRETCH):
        some = wanted[start : start + _STRETCH]
        if len(some) > _AT_ONCE and some[-1] - some[0] + 1 == len(some):
            yield "id BETWEEN :first AND :last", {"first": some[0], "last": some[-1]}
        else:
            for n in range(0, len(some), _AT_ONCE):
                yield "id IN :some", {"some": some[n : n + _AT_ONCE]}


_STRETCH = 10_000
"""Permits loaded at one time by the first and the last of them."""


def _land(row: Any) -> Land:  # noqa: ANN401  # a row has its columns as attributes
    # In the order of the table's columns: id, permit, place, parcel, key, then what the snapshot says.
    _, _, _, parcel, _, swis, zone, districts, area_sq_ft, geometry, crs = row
    return Land(
        parcel=parcel, swis=swis, zone=zone, districts=districts_of(districts), geometry=geometry, crs=crs, area_sq_ft=area_sq_ft
    )


def plain_values(row: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
    """Return the columns that hold a field as it is."""
    return {name: getattr(row, name) for name in PLAIN}


def _permit(row: Any, land: Sequence[Land]) -> Permit:  # noqa: ANN401  # as above
    # All at once and in the order of the columns: a list of a hundred thousand is made of as many of these.
    values = dict(zip(row._fields, row, strict=True))
    del values["id"], values["serial_year"], values["serial"]
    for name, read in _LISTS:
        values[name] = () if values[name] == "[]" else read(values[name])
    return Permit(**values, land=tuple(land))


_LISTS = (("streets", streets_of), ("yard_sale_days", days_of), ("hours", hours_of))
"""The columns that hold a list, and what reads it."""
