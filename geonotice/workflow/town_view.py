"""A piece of the town for a map that is moved about: parcels and the town's other layers by box, no finer than a pixel; and a search over all of it."""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.errors import Fault, UsageError
from geonotice.opened_town import may_have_permits
from geonotice.search import Entry, rank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication
    from geonotice.register.values import Permit
    from geonotice.search import Index

__all__ = ["MOST_PARCELS", "Box", "Found", "TownView", "packed", "permits_of_year", "search_town", "town_box", "view_of"]

Box = tuple[float, float, float, float]
"""West, south, east, north, in the town's CRS."""

MOST_PARCELS = 6_000
"""Parcels of one view: what a browser without a graphics card draws in a blink. Above it the view has none and says how many there are."""

_LAYERS = ("water", "zoning", "municipalities", "railroads", "streets")
_LABELS = {"zoning": "district"}
_MOST_FEATURES = 8_000
_FINE_FT = 0.1
"""No finer than this is a coordinate sent: on a screen it cannot be seen."""

Shape = list[list[list[int]]]
"""Parts, each of rings (or one line), each a flat list of numbers: the first point, then steps from point to point."""


class TownView(Struct, frozen=True):
    """What a map draws of a box.

    Parameters
    ----------
    unit_ft
        One step of the numbers in the shapes, in feet.
    parcels
        By parcel: id, role, shape; none where there are more than :data:`MOST_PARCELS`.
    count
        How many parcels meet the box.
    layers
        By layer: the label of each feature with its shape. A layer that has too many features here is left out and named in ``left_out``.
    """

    unit_ft: float
    parcels: list[tuple[str, str, Shape]]
    count: int
    layers: dict[str, list[tuple[str, Shape]]]
    left_out: list[str]


def town_box(opened: "Opened") -> Box:
    """Return the box round the town's parcels."""
    return opened.store.bounds()


def view_of(opened: "Opened", box: Box, *, pixel_ft: float) -> TownView:
    """Return what a map of a box shows, where a pixel is so many feet.

    Raises
    ------
    UsageError
        The box or the pixel is none.
    """
    west, south, east, north = box
    if not (np.isfinite([*box, pixel_ft]).all() and west < east and south < north and pixel_ft > 0):
        raise UsageError(Fault(what="this is no piece of a map", remedy="load the page again"))
    store = opened.store
    unit = _FINE_FT if pixel_ft < 1 else 1.0
    count = store.count_in("parcels", box)
    parcels: list[tuple[str, str, Shape]] = []
    if count <= MOST_PARCELS:
        named, geometries = store.outlines_in(box)
        shapes = _shapes(geometries, pixel_ft, unit)
        parcels = [(id_, role, shape) for (id_, role), shape in zip(named, shapes, strict=True)]
    layers: dict[str, list[tuple[str, Shape]]] = {}
    left_out: list[str] = []
    for kind in _LAYERS:
        if not store.has(kind):
            continue
        if store.count_in(kind, box) > _MOST_FEATURES:
            left_out.append(kind)
            continue
        found = store.features_in(kind, box)
        name = _LABELS.get(kind, "name")
        shapes = _shapes(found.geometries, pixel_ft, unit)
        layers[kind] = [(row[name], shape) for row, shape in zip(found.rows, shapes, strict=True)]
    return TownView(unit, parcels, count, layers, left_out)


def packed(geometries: "Iterable[Any]", *, unit_ft: float = _FINE_FT) -> list[Shape]:
    """Return geometries as a map takes them, every point of them."""
    return _shapes(np.array(list(geometries), dtype=object), 0.0, unit_ft)


def _shapes(geometries: "NDArray[Any]", pixel_ft: float, unit_ft: float) -> list[Shape]:
    """Return each geometry's shape; all of them at once, since a view has thousands."""
    if not len(geometries):
        return []
    drawn = geometries
    if pixel_ft:
        # By less than half a pixel: where the simplified shape is nothing, the whole one is drawn. No lot is left out.
        coarse = shapely.simplify(geometries, pixel_ft / 2, preserve_topology=False)
        drawn = np.where(shapely.is_empty(coarse), geometries, coarse)
    parts, owner = shapely.get_parts(drawn, return_index=True)
    made: list[Shape] = [[] for _ in range(len(drawn))]
    polygons = np.flatnonzero(shapely.get_dimensions(parts) == _AREA)
    rings, polygon = shapely.get_rings(parts[polygons], return_index=True)
    shape_of_polygon: list[list[list[int]]] = [[] for _ in polygons]
    for place, line in zip(polygon.tolist(), _lines(rings, unit_ft), strict=True):
        shape_of_polygon[place].append(line)
    for place, shape in zip(owner[polygons].tolist(), shape_of_polygon, strict=True):
        made[place].append(shape)
    lines = np.flatnonzero(shapely.get_dimensions(parts) == 1)
    for place, line in zip(owner[lines].tolist(), _lines(parts[lines], unit_ft), strict=True):
        made[place].append([line])
    return made


_AREA = 2


def _lines(lines: "NDArray[Any]", unit_ft: float) -> list[list[int]]:
    if not len(lines):
        return []
    points, line = shapely.get_coordinates(lines, return_index=True)
    steps = np.rint(points / unit_ft).astype(np.int64)
    first = np.flatnonzero(np.diff(line, prepend=-1))
    starts = steps[first]
    steps[1:] -= steps[:-1].copy()
    steps[first] = starts
    flat = steps.ravel().tolist()
    ends = [*(2 * first[1:]).tolist(), len(flat)]
    return [flat[start:end] for start, end in zip((2 * first).tolist(), ends, strict=True)]


def permits_of_year(opened: "Opened", year: int) -> list[tuple[str, str, Shape]]:
    """Return the lots on which events of a year have a permit that stands: id, numbers of the permits, shape. A lot that is not known any more is left out.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    if not may_have_permits(opened.town.file):
        return []
    from geonotice.register.permits import list_permits
    from geonotice.register.session import read_town_register

    with read_town_register(opened.town) as register:
        permits = list_permits(register, year=year, status="issued")
    numbers: dict[int, list[str]] = {}
    ids: dict[int, str] = {}
    for permit in permits:
        for number in permit.parcels:
            try:
                parcel = opened.store.find(number)
            except UsageError:  # the register's own pages tell of it
                continue
            ids[parcel.fid] = parcel.id
            numbers.setdefault(parcel.fid, []).append(permit.number)
    fids = sorted(ids)
    shapes = packed(opened.store.geometries(fids)) if fids else []
    return [(ids[fid], ", ".join(numbers[fid]), shape) for fid, shape in zip(fids, shapes, strict=True)]


class Found(Struct, frozen=True, kw_only=True):
    """One answer of a search: what it is, what it is called, more about it, and the parcel that it lies on where that is known."""

    kind: str
    title: str
    detail: str = ""
    parcel: str = ""
    number: str = ""


def search_town(opened: "Opened", text: str, *, index: "Index | None" = None, most: int = 12) -> tuple[tuple[Found, ...], int]:
    """Find parcels by number, address or owner, and permits and applications by number, title or applicant.

    Parameters
    ----------
    opened, text
        The town, and what was typed.
    index
        The town's parcels made ready to be searched; without it they are searched where they lie, which takes longer.
    most
        Answers of each kind that are returned.

    Returns
    -------
    found, count
        The best, ``most`` of each kind at most; and how many there are in all.

    Raises
    ------
    RegisterError
        The register cannot be read.
    """
    asked = text.strip()
    if not asked:
        return (), 0
    fids = [parcel.fid for parcel in opened.store.search(asked)] if index is None else index.find(asked)
    matches = opened.store.parcels(fids[:most]).parcels
    owners = opened.store.owners_of(fids[:most])
    found = [
        Found(
            kind="parcel",
            title=parcel.id,
            detail=", ".join(
                part
                for part in (parcel.situs.text, "; ".join(" / ".join(owner.names) for owner in owners[parcel.fid] if owner.names))
                if part
            ),
            parcel=parcel.id,
        )
        for parcel in matches
    ]
    permits, filed = _in_register(opened, asked)
    found += [_of_permit(permit) for permit in permits[:most]]
    found += [_of_application(one) for one in filed[:most]]
    return tuple(found), len(fids) + len(permits) + len(filed)


def _in_register(opened: "Opened", text: str) -> "tuple[list[Permit], list[FiledApplication]]":
    if not may_have_permits(opened.town.file):
        return [], []
    from geonotice.register.applications import list_applications
    from geonotice.register.permits import list_permits
    from geonotice.register.session import read_town_register

    with read_town_register(opened.town) as register:
        permits = [
            (place, permit)
            for permit in list_permits(register)
            if (place := rank(text, Entry(permit.number, permit.title, (permit.applicant,)))) is not None
        ]
        filed = [
            (place, one)
            for one in list_applications(register)
            if (place := rank(text, Entry(one.number, stated(one, "event", "title"), (stated(one, "applicant", "name"),))))
            is not None
        ]
    return (
        [permit for _, permit in sorted(permits, key=lambda pair: (pair[0], pair[1].number))],
        [one for _, one in sorted(filed, key=lambda pair: (pair[0], pair[1].number))],
    )


def stated(filed: "FiledApplication", table: str, key: str) -> str:
    """Return what an application states, as text; empty where it does not."""
    value = filed.event.get(table)
    found = value.get(key) if isinstance(value, dict) else None
    return "" if found is None else str(found)


def _of_permit(permit: "Permit") -> Found:
    days = " to ".join(day.isoformat() for day in dict.fromkeys((permit.starts, permit.ends)) if day)
    detail = ", ".join(part for part in (permit.title, permit.applicant, days, permit.status) if part)
    return Found(
        kind="permit",
        title=f"Permit {permit.number}",
        detail=detail,
        parcel=next(iter(permit.parcels), ""),
        number=permit.number,
    )


def _of_application(filed: "FiledApplication") -> Found:
    parts = (stated(filed, "event", "title"), stated(filed, "applicant", "name"), filed.status)
    named = filed.event.get("premises")
    parcels = (named.get("parcels") if isinstance(named, dict) else None) or ()
    return Found(
        kind="application",
        title=f"Application {filed.number}",
        detail=", ".join(part for part in parts if part),
        parcel=str(next(iter(parcels), "")),
        number=filed.number,
    )
