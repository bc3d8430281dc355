"""History follows the land: which permits count on a parcel, whatever number it had when they were issued."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from sqlalchemy import and_, select, union

from geonotice.decide.cap_count import PastPermit
from geonotice.model import ResultWarning
from geonotice.register.rows import days_of, land_key, plain_values, readable, search_ranges, shape_of
from geonotice.register.tables import permit_cells, permit_parcels, permits
from geonotice.register.values import Land

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry
    from sqlalchemy import Connection

__all__ = ["History", "Slivers", "history_of", "ids_on", "same_land"]

_COUNTED = ("issued", "starts", "ends", "night", "status", "distinct_events", "charitable", "number", "kind", "override")
"""What of a permit bears on a cap."""

MOSTLY = 0.5
"""A parcel smaller than the smallest sliver counts as overlapped from this share on."""


class Slivers(Struct, frozen=True, kw_only=True):
    """What is too little overlap to count: parcel lines of two years are drawn by different hands.

    Parameters
    ----------
    share
        Part of the smaller of the two areas.
    sq_ft
        Area; an overlap counts only above both.
    """

    share: float = 0.02
    sq_ft: float = 500.0


class History(Struct, frozen=True, kw_only=True):
    """The permits that count on one parcel, and what was noticed on the way."""

    permits: tuple[PastPermit, ...]
    warnings: tuple[ResultWarning, ...] = ()


def same_land(one: "BaseGeometry", other: "BaseGeometry", slivers: Slivers) -> bool:
    """Return whether two parcels, of whatever year, are the same land, or one is part of the other, by more than a sliver.

    The share is taken of the smaller of the two: a lot that was merged into a farm is all of itself, though little of the farm.
    """
    import shapely

    if not shapely.intersects(one, other):
        return False
    one, other = _sound(one), _sound(other)
    overlap = shapely.intersection(one, other).area
    smaller = min(one.area, other.area)
    if smaller <= 0 or overlap < slivers.share * smaller:
        return False
    return bool(overlap >= slivers.sq_ft or overlap >= MOSTLY * smaller)


def _sound(shape: "BaseGeometry") -> "BaseGeometry":
    import shapely

    return shape if shape.is_valid else shapely.make_valid(shape)


def ids_on(connection: "Connection", land: Land) -> dict[int, Any]:
    """Find the register's parcels that may be this land, by number or by place, as rows by their id."""
    found = select(permit_parcels.c.id).where(permit_parcels.c.key == land_key(land.parcel))
    asked = [found]
    if land.geometry is not None:
        minx, miny, maxx, maxy = shape_of(land.geometry, land.parcel).bounds
        cells = permit_cells.c
        asked += [
            select(cells.permit_parcel_id).where(
                and_(cells.level == level, cells.ix.between(left, right), cells.iy.between(low, high))
            )
            for level, left, right, low, high in search_ranges((minx, miny, maxx, maxy))
        ]
    rows = connection.execute(select(permit_parcels).where(permit_parcels.c.id.in_(union(*asked).scalar_subquery())))
    return {row.id: row for row in rows}


def history_of(connection: "Connection", land: Land, slivers: Slivers, *, without: str = "") -> History:
    """Put together the permits that count on a parcel.

    A permit whose snapshot has a shape counts where that shape overlaps the parcel by more than a sliver; one without a shape counts by
    its number. A number that stands for other land now does not carry its permits along, and that is said. ``without`` is the number of a
    permit that is about to change: what it was does not count beside what it becomes.
    """
    own = connection.execute(select(permits.c.id).where(permits.c.number == without)).scalar() if without else None
    counting: dict[int, str] = {}
    warnings: list[ResultWarning] = []
    shape = None if land.geometry is None else shape_of(land.geometry, land.parcel)
    for row in ids_on(connection, land).values():
        if row.permit_id == own:
            continue
        by_number = row.key == land_key(land.parcel) and (not row.swis or not land.swis or row.swis == land.swis)
        if shape is None or row.geometry is None or row.crs != land.crs:
            counts = by_number
            if by_number and shape is not None and row.geometry is not None:
                warnings.append(_other_crs(land, row.crs))
        else:
            counts = same_land(shape, shape_of(row.geometry, row.parcel), slivers)
            if by_number and not counts:
                warnings.append(_other_land(connection, land, row))
        if counts:
            counting[row.permit_id] = "" if by_number else row.parcel
    return History(permits=tuple(_past(connection, counting)), warnings=tuple(dict.fromkeys(warnings)))


def _past(connection: "Connection", counting: dict[int, str]) -> Iterable[PastPermit]:
    ids = sorted(counting)
    for start in range(0, len(ids), 400):
        asked = select(permits).where(permits.c.id.in_(ids[start : start + 400])).order_by(permits.c.id)
        with readable("a permit on this land"):
            for row in connection.execute(asked):
                values = plain_values(row)
                yield PastPermit(
                    **{name: values[name] for name in _COUNTED},
                    recorded_as=counting[row.id],
                    days=days_of(row.yard_sale_days),
                )


def _other_crs(land: Land, crs: str) -> ResultWarning:
    text = (
        f"permits on {land.parcel} were drawn in {crs}, the layers are in {land.crs} now: they are counted by number only, "
        "and permits under an earlier number of this land are not seen"
    )
    return ResultWarning("snapshot_crs", text, (land.parcel,))


def _other_land(connection: "Connection", land: Land, row: Any) -> ResultWarning:  # noqa: ANN401  # a row of SQLAlchemy
    number = connection.execute(select(permits.c.number).where(permits.c.id == row.permit_id)).scalar_one()
    text = (
        f"permit {number} was issued on {row.parcel}, but on other land than the parcel of that number today; "
        "it is counted on the land it was issued for"
    )
    return ResultWarning("number_reused", text, (land.parcel,))
