"""History follows the land: which permits count on a parcel, whatever number it had when they were issued."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice.decide.cap_count import PastPermit
from geonotice.model import ResultWarning
from geonotice.register.rows import days_of, land_key, plain_values, readable, search_ranges, shape_of
from geonotice.register.tables_and_columns import PERMIT_PARCELS, PERMITS, fetch
from geonotice.register.values import Land

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.register.database import AnyConnection

__all__ = ["History", "Slivers", "histories_of", "history_of", "ids_on", "same_land", "same_lands"]

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
    return bool(same_lands([one], [other], slivers)[0])


def same_lands(ones: "Sequence[BaseGeometry]", others: "Sequence[BaseGeometry]", slivers: Slivers) -> "NDArray[np.bool_]":
    """Return of each pair whether it is the same land, as :func:`same_land` says of one."""
    import numpy as np
    import shapely

    made = np.zeros(len(ones), bool)
    one, other = (np.array([*some, None], dtype=object)[:-1] for some in (ones, others))
    meeting = np.flatnonzero(shapely.intersects(one, other))
    one, other = _sound(one[meeting]), _sound(other[meeting])
    overlap = shapely.area(shapely.intersection(one, other))
    smaller = np.minimum(shapely.area(one), shapely.area(other))
    enough = (overlap >= slivers.sq_ft) | (overlap >= MOSTLY * smaller)
    made[meeting] = (smaller > 0) & (overlap >= slivers.share * smaller) & enough
    return made


def _sound(shapes: "NDArray[Any]") -> "NDArray[Any]":
    import shapely

    crossed = ~shapely.is_valid(shapes)
    shapes[crossed] = shapely.make_valid(shapes[crossed])
    return shapes


def ids_on(connection: "AnyConnection", land: Land) -> dict[int, Any]:
    """Find the register's parcels that may be this land, by number or by place, as rows by their id."""
    asked = ["SELECT id FROM permit_parcels WHERE key = :key"]
    if land.geometry is not None:
        minx, miny, maxx, maxy = shape_of(land.geometry, land.parcel).bounds
        asked += [
            f"SELECT permit_parcel_id FROM permit_cells WHERE level = {level:d} "  # noqa: S608  # whole numbers
            f"AND ix BETWEEN {left:d} AND {right:d} AND iy BETWEEN {low:d} AND {high:d}"
            for level, left, right, low, high in search_ranges((minx, miny, maxx, maxy))
        ]
    listed = PERMIT_PARCELS.select(f"WHERE id IN ({' UNION '.join(asked)})")
    rows = fetch(connection, listed, PERMIT_PARCELS, key=land_key(land.parcel))
    return {row.id: row for row in rows}


def history_of(connection: "AnyConnection", land: Land, slivers: Slivers, *, without: str = "") -> History:
    """Put together the permits that count on a parcel.

    A permit whose snapshot has a shape counts where that shape overlaps the parcel by more than a sliver; one without a shape counts by
    its number. A number that stands for other land now does not carry its permits along, and that is said. ``without`` is the number of a
    permit that is about to change: what it was does not count beside what it becomes.
    """
    named = fetch(connection, "SELECT id FROM permits WHERE number = :without", PERMITS, without=without) if without else ()
    own = next((row.id for row in named), None)
    shape = None if land.geometry is None else shape_of(land.geometry, land.parcel)

    def number_of(permit_id: int) -> str:
        (found,) = fetch(connection, "SELECT number FROM permits WHERE id = :permit_id", PERMITS, permit_id=permit_id)
        number: str = found.number
        return number

    rows = [row for row in ids_on(connection, land).values() if row.permit_id != own]
    drawn = [None if row.geometry is None else shape_of(row.geometry, row.parcel) for row in rows]
    (same,) = _same([(land, shape, [*range(len(rows))])], rows, drawn, slivers)
    counting, warnings = _counting(land, zip(rows, same, strict=True), number_of)
    return History(permits=tuple(_past(_rows_of(connection, counting), counting)), warnings=warnings)


def histories_of(connection: "AnyConnection", lands: Sequence[Land], slivers: Slivers) -> tuple[History, ...]:
    """Put together the permits that count on each of many parcels, as :func:`history_of` does for one, reading the register once."""
    import numpy as np
    import shapely

    if not lands:
        return ()
    asked = "SELECT id, permit_id, parcel, key, swis, geometry, crs FROM permit_parcels ORDER BY id"
    with readable("a parcel of a permit"):
        rows = fetch(connection, asked, PERMIT_PARCELS)
    drawn = [None if row.geometry is None else shape_of(row.geometry, row.parcel) for row in rows]
    by_key: dict[str, list[int]] = {}
    for n, row in enumerate(rows):
        by_key.setdefault(row.key, []).append(n)
    tree = shapely.STRtree(np.array(drawn, dtype=object))
    near: list[tuple[Land, BaseGeometry | None, list[int]]] = []
    for land in lands:
        shape = None if land.geometry is None else shape_of(land.geometry, land.parcel)
        found = [] if shape is None else tree.query(shape).tolist()
        near.append((land, shape, sorted({*by_key.get(land_key(land.parcel), ()), *found})))
    permit_ids = {rows[n].permit_id for _, _, places in near for n in places}
    with readable("a permit on this land"):
        past = {row.id: row for row in _rows_of(connection, permit_ids)}
    made = []
    for (land, _, places), same in zip(near, _same(near, rows, drawn, slivers), strict=True):
        counting, warnings = _counting(land, zip((rows[n] for n in places), same, strict=True), lambda id_: past[id_].number)
        made.append(History(permits=tuple(_past((past[id_] for id_ in sorted(counting)), counting)), warnings=warnings))
    return tuple(made)


def _same(
    near: "Sequence[tuple[Land, BaseGeometry | None, list[int]]]",
    rows: Sequence[Any],
    drawn: "Sequence[BaseGeometry | None]",
    slivers: Slivers,
) -> list[list[bool | str | None]]:
    """Return of the rows near each land whether they are the same land; None where a shape is not known, the CRS where it is another."""
    made: list[list[bool | str | None]] = []
    pairs: list[tuple[int, int, BaseGeometry, BaseGeometry]] = []
    for at, (land, shape, places) in enumerate(near):
        made.append([None] * len(places))
        for k, n in enumerate(places):
            there = drawn[n]
            if shape is not None and there is not None:
                if rows[n].crs == land.crs:
                    pairs.append((at, k, shape, there))
                else:
                    made[at][k] = rows[n].crs
    found = same_lands([pair[2] for pair in pairs], [pair[3] for pair in pairs], slivers)
    for (at, k, _, _), same in zip(pairs, found.tolist(), strict=True):
        made[at][k] = same
    return made


def _counting(
    land: Land, rows: "Iterable[tuple[Any, bool | str | None]]", number_of: Callable[[int], str]
) -> tuple[dict[int, str], tuple[ResultWarning, ...]]:
    """Return which of the register's parcels are this land: the ids of their permits, each with the number it was recorded as, if another."""
    counting: dict[int, str] = {}
    warnings: list[ResultWarning] = []
    for row, same in rows:
        by_number = row.key == land_key(land.parcel) and (not row.swis or not land.swis or row.swis == land.swis)
        counts = same if isinstance(same, bool) else by_number
        if by_number and isinstance(same, str):
            warnings.append(_other_crs(land, same))
        if by_number and same is False:
            warnings.append(_other_land(land, row, number_of(row.permit_id)))
        if counts:
            counting[row.permit_id] = "" if by_number else row.parcel
    return counting, tuple(dict.fromkeys(warnings))


def _rows_of(connection: "AnyConnection", permit_ids: Iterable[int]) -> Iterable[Any]:
    ids = sorted(permit_ids)
    for start in range(0, len(ids), 400):
        some = ids[start : start + 400]
        yield from fetch(connection, PERMITS.select("WHERE id IN :some ORDER BY id"), PERMITS, some=some)


def _past(rows: Iterable[Any], counting: dict[int, str]) -> Iterable[PastPermit]:
    with readable("a permit on this land"):
        for row in rows:
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


def _other_land(land: Land, row: Any, number: str) -> ResultWarning:  # noqa: ANN401  # a row
    text = (
        f"permit {number} was issued on {row.parcel}, but on other land than the parcel of that number today; "
        "it is counted on the land it was issued for"
    )
    return ResultWarning("number_reused", text, (land.parcel,))
