"""Which permits are in each other's way, or in an application's: by the distance between their land and routes, and by their days."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from geonotice.decide.yard_sales_parades_nearby_events import BESIDE_FT, Conflict, Happening, Nearness, Span, conflict_of
from geonotice.model import ResultWarning
from geonotice.register.cells import read_kind
from geonotice.register.land_history import Slivers, same_land
from geonotice.register.rows import land_key, load, shape_of
from geonotice.register.tables_and_columns import PERMITS, fetch
from geonotice.register.values import Application, Permit, days_of_event

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.register.session import Register
    from geonotice.store import Store

__all__ = [
    "conflict_warnings",
    "conflicts_between",
    "conflicts_with",
    "events_on",
    "held_between",
    "own_permits",
    "streets_of_route",
]

DEFAULT_NEARNESS = Nearness()

ROUTE_TO_CENTERLINE_FT = 33.0
"""A route drawn within half a customary street (four rods, 66 ft) of a centerline runs along it."""

ALONG_FT = 50.0
"""A route that only crosses a street lies near its centerline for less."""

TURN_FT = 2 * ROUTE_TO_CENTERLINE_FT
"""What a crossing route has within reach of the centerline, at a right angle."""


def conflicts_with(
    register: "Register", application: Application, *, nearness: Nearness = DEFAULT_NEARNESS, without: Collection[str] = ()
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
        Numbers of permits of the event itself: it is not in its own way.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    if application.starts is None:
        return ()
    span = (application.starts, application.ends or application.starts)
    around = timedelta(days=nearness.within_days)
    mine, own = _happening(application, "", span), _shapes(application)
    found = []
    for permit in held_between(register, span[0] - around, span[1] + around):
        if permit.number in without:
            continue
        distance_ft, shared = _apart(own, _shapes(permit))
        conflict = conflict_of(
            mine, _happening(permit, permit.number, _span(permit)), distance_ft=distance_ft, shared=shared, nearness=nearness
        )
        if conflict:
            found.append(conflict)
    return tuple(found)


def own_permits(register: "Register", application: Application) -> tuple[str, ...]:
    """Return the permits that an event has already: of the same applicant, kind, title, days and parcels; none where no applicant is stated.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    if application.starts is None or not application.applicant:
        return ()
    held = held_between(register, application.starts, application.ends or application.starts)
    return tuple(permit.number for permit in held if _identity(permit) == _identity(application))


def _identity(event: Application) -> tuple[object, ...]:
    names = (" ".join(text.split()).casefold() for text in (event.applicant, event.title))
    return (*names, read_kind(event.kind), days_of_event(event), sorted(land_key(item.parcel) for item in event.land))


def conflict_warnings(
    register: "Register", application: Application, *, nearness: Nearness = DEFAULT_NEARNESS, own: Collection[str] = ()
) -> tuple[ResultWarning, ...]:
    """Return which permits an event would be in the way of, and which are its own; ``own`` are those of its application.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    alike = own_permits(register, application)
    near = conflicts_with(register, application, nearness=nearness, without={*own, *alike})
    said = [ResultWarning("conflict", one.text) for one in near]
    for number in dict.fromkeys((*own, *alike)):
        how = "the application has it" if number in own else "its applicant, kind, title, days and parcels are the same"
        text = f"Permit {number} is taken for this event's own ({how}): it counts among the permits of the property, and is in nobody's way."
        said.append(ResultWarning("own_permit", text))
    return tuple(said)


def conflicts_between(
    register: "Register", *, first: date, last: date, nearness: Nearness = DEFAULT_NEARNESS
) -> tuple[Conflict, ...]:
    """Find all permits that are in each other's way from ``first`` to ``last``.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    held = sorted(held_between(register, first, last), key=lambda permit: (_span(permit), permit.number))
    around = timedelta(days=nearness.within_days)
    shapes = [_shapes(permit) for permit in held]
    happenings = [_happening(permit, permit.number, _span(permit)) for permit in held]
    found = []
    for n, one in enumerate(happenings):
        for m, other in enumerate(happenings[n + 1 :], n + 1):
            if other.span[0] > one.span[1] + around:
                break
            distance_ft, shared = _apart(shapes[n], shapes[m])
            conflict = conflict_of(
                one,
                other,
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
        for permit in held_between(register, first, last)
        if any(starts <= last and ends >= first for starts, ends in _happening(permit, permit.number, _span(permit)).spans)
    ]


def held_between(register: "Register", first: date, last: date) -> list[Permit]:
    """Load the permits whose event takes place between two days: those that were not rescinded or voided.

    Raises
    ------
    RegisterError
        The database refuses.
    """
    asked = "SELECT id FROM permits WHERE status = 'issued' AND starts <= :last AND coalesce(ends, starts) >= :first ORDER BY starts, id"
    with register.reading() as connection:
        return load(connection, [row.id for row in fetch(connection, asked, PERMITS, first=first, last=last)])


def _span(permit: Permit) -> Span:
    starts = permit.starts or date.max
    return starts, permit.ends or starts


def _happening(event: Application, number: str, span: Span) -> Happening:
    return Happening(
        number=number, kind=event.kind, title=event.title, span=span, streets=event.streets, days=event.yard_sale_days
    )


def _apart(one: Sequence[tuple[str, Any]], other: Sequence[tuple[str, Any]]) -> tuple[float | None, bool]:
    """Measure between the land and routes of two events, and say whether they share any; None where no shapes can be compared."""
    import shapely

    least, shared = None, False
    for crs, shape in one:
        comparable = [item for their_crs, item in other if their_crs == crs]
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
