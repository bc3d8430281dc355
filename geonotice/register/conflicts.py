"""Which permits are in each other's way, or in an application's: by the distance between their land and routes, and by their days."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from geonotice.decide.season import BESIDE_FT, Conflict, Happening, Nearness, Span, conflict_of
from geonotice.register.land_history import Slivers, same_land
from geonotice.register.rows import load, shape_of
from geonotice.register.tables import permits
from geonotice.register.values import Application, Permit

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.register.session import Register
    from geonotice.store import Store

__all__ = ["conflicts_between", "conflicts_with", "events_on", "streets_of_route"]

DEFAULT_NEARNESS = Nearness()

ROUTE_TO_CENTERLINE_FT = 33.0
"""A route drawn within half a customary street (four rods, 66 ft) of a centerline runs along it."""

ALONG_FT = 50.0
"""A route that only crosses a street lies near its centerline for less."""

TURN_FT = 2 * ROUTE_TO_CENTERLINE_FT
"""What a crossing route has within reach of the centerline, at a right angle."""


def conflicts_with(
    register: "Register", application: Application, *, nearness: Nearness = DEFAULT_NEARNESS, without: str = ""
) -> tuple[Conflict, ...]:
    """Find the permits that an event would be in the way of.

    Parameters
    ----------
    register
        An open register.
    application
        The event; without a day it is in nobody's way.
    nearness
        How near in feet and days.
    without
        The number of a permit that is about to change: it is not in its own way.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    if application.starts is None:
        return ()
    span = (application.starts, application.ends or application.starts)
    around = timedelta(days=nearness.within_days)
    mine = _happening(application, "", span)
    found = []
    for permit in _held(register, span[0] - around, span[1] + around):
        if permit.number == without:
            continue
        distance_ft, shared = _apart(application, permit)
        conflict = conflict_of(
            mine, _happening(permit, permit.number, _span(permit)), distance_ft=distance_ft, shared=shared, nearness=nearness
        )
        if conflict:
            found.append(conflict)
    return tuple(found)


def conflicts_between(
    register: "Register", *, first: date, last: date, nearness: Nearness = DEFAULT_NEARNESS
) -> tuple[Conflict, ...]:
    """Find all permits that are in each other's way from ``first`` to ``last``.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    held = sorted(_held(register, first, last), key=lambda permit: (_span(permit), permit.number))
    around = timedelta(days=nearness.within_days)
    found = []
    for n, one in enumerate(held):
        span = _span(one)
        for other in held[n + 1 :]:
            if _span(other)[0] > span[1] + around:
                break
            distance_ft, shared = _apart(one, other)
            conflict = conflict_of(
                _happening(one, one.number, span),
                _happening(other, other.number, _span(other)),
                distance_ft=distance_ft,
                shared=shared,
                nearness=nearness,
            )
            if conflict:
                found.append(conflict)
    return tuple(found)


def events_on(register: "Register", first: date, last: date) -> "list[list[tuple[str, BaseGeometry]]]":
    """Return of every permit with a day from ``first`` to ``last`` the shapes of its land and route, each with its CRS; none where none is recorded."""
    return [
        _shapes(permit)
        for permit in _held(register, first, last)
        if any(starts <= last and ends >= first for starts, ends in _happening(permit, permit.number, _span(permit)).spans)
    ]


def _held(register: "Register", first: date, last: date) -> list[Permit]:
    """Load the permits whose event takes place between two days: those that were not rescinded or voided."""
    columns = permits.c
    with register.reading() as connection:
        ids = connection.execute(
            select(columns.id)
            .where(columns.status == "issued", columns.starts <= last, func.coalesce(columns.ends, columns.starts) >= first)
            .order_by(columns.starts, columns.id)
        )
        return load(connection, list(ids.scalars()))


def _span(permit: Permit) -> Span:
    starts = permit.starts or date.max
    return starts, permit.ends or starts


def _happening(event: Application, number: str, span: Span) -> Happening:
    return Happening(
        number=number, kind=event.kind, title=event.title, span=span, streets=event.streets, days=event.yard_sale_days
    )


def _apart(one: Application, other: Application) -> tuple[float | None, bool]:
    """Measure between the land and routes of two events, and say whether they share any; None where no shapes can be compared."""
    import shapely

    least, shared = None, False
    theirs = _shapes(other)
    for crs, shape in _shapes(one):
        comparable = [item for their_crs, item in theirs if their_crs == crs]
        if comparable:
            distances = shapely.distance(shape, comparable)
            nearest = float(distances.min())
            least = nearest if least is None else min(least, nearest)
            shared = shared or any(_shared(shape, item) for item, far in zip(comparable, distances, strict=True) if far == 0)
    return least, shared


def _shared(one: Any, other: Any) -> bool:  # noqa: ANN401  # a lot or a route
    """Return whether two lots are the same land by more than a sliver, or a route runs over a lot or along another route."""
    import shapely

    if min(shapely.get_dimensions([one, other])) == 1:
        return float(shapely.length(shapely.intersection(one, other))) > BESIDE_FT
    return same_land(one, other, Slivers())


def _shapes(event: Application) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = [
        (land.crs, shape_of(land.geometry, land.parcel)) for land in event.land if land.geometry is not None
    ]
    if event.route is not None:
        found.append((event.route_crs, shape_of(event.route, "a route")))
    return found


def streets_of_route(store: "Store", route: bytes) -> tuple[str, ...]:
    """Name the streets that a parade's route runs along, in their order on the layer.

    Parameters
    ----------
    store
        The town's store; without a layer of streets no street is named.
    route
        The route as WKB lines, in the store's CRS.

    Notes
    -----
    A street counts where the route lies within half a customary street of its centerline for longer than crossing it would take.
    """
    import shapely

    line = shapely.from_wkb(route)
    minx, miny, maxx, maxy = line.bounds
    reach = ROUTE_TO_CENTERLINE_FT
    block = store.features_in("streets", (minx - reach, miny - reach, maxx + reach, maxy + reach))
    along: dict[str, float] = {}
    for row, centerline in zip(block.rows, block.geometries, strict=True):
        if row["name"]:
            # A straight-ended strip: a rounded one would reach into the side streets it ends at.
            strip = shapely.buffer(centerline, reach, cap_style="flat")
            along[row["name"]] = along.get(row["name"], 0.0) + float(shapely.length(shapely.intersection(line, strip)))
    return tuple(name for name, length in along.items() if length > TURN_FT + ALONG_FT)
