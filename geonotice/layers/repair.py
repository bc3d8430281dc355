"""Make geometries fit to measure, and find parcels that overlap."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.layers.shapes import Figures, Shapes, geometries
from geonotice.model import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from geonotice.layers.spill import Piece


__all__ = [
    "Repair",
    "Repaired",
    "layer_lines",
    "repair_features",
    "repair_layer",
    "repair_polygons",
    "stacked",
]


SLIVER_SQ_FT = 1.0
"""A piece of land smaller than this is a slip of the pen, not land."""
CHUNK = 50_000

_POLYGON, _MULTIPOLYGON = 3, 6


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done to one row, or why it could not be kept: the row, a code of the store's ``problems``, and a sentence."""

    row: int
    code: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Repaired:
    """Geometries made fit, None where nothing is left, and what was done."""

    geometry: "NDArray[np.object_]"
    repairs: tuple[Repair, ...]

    @property
    def kept(self) -> "NDArray[np.bool_]":
        """Which rows still have a geometry."""
        return ~shapely.is_missing(self.geometry)


def repair_polygons(geometry: "NDArray[np.object_]") -> Repaired:
    """Make polygons valid; keep only areas.

    Parameters
    ----------
    geometry
        Shapely geometries, two-dimensional, in the town's CRS.

    Returns
    -------
    Repaired
        Polygons and MultiPolygons, valid. A row of which nothing is left is None, with a ``dropped``.

    Notes
    -----
    Rings that cross or overlap are rebuilt by GEOS's *structure* method: shells are united and holes taken from them, so that an area drawn
    twice counts once and is never turned into a hole.
    """
    made = geometry.copy()
    repairs: list[Repair] = []
    kinds = shapely.get_type_id(made)
    missing = shapely.is_missing(made) | shapely.is_empty(made)
    for row in np.flatnonzero(missing).tolist():
        made[row] = None
        repairs.append(Repair(row, "dropped", "it has no geometry"))
    for row in np.flatnonzero(~missing & (kinds != _POLYGON) & (kinds != _MULTIPOLYGON)).tolist():
        areas = _areas_only(made[row])
        if areas is None:
            repairs.append(Repair(row, "dropped", f"it is a {made[row].geom_type}, not a polygon"))
        else:
            repairs.append(Repair(row, "repaired", "points and lines among its polygons were left out"))
        made[row] = areas
    present = np.flatnonzero(~shapely.is_missing(made))
    invalid = present[~_in_threads(shapely.is_valid, made[present]).astype(bool)]
    for row in invalid.tolist():
        made[row], found = _made_valid(row, made[row])
        repairs.append(found)
    repairs += _slivers(shapely.area(made))
    repairs.sort(key=lambda item: item.row)
    return Repaired(made, tuple(repairs))


def repair_layer(
    shapes: Shapes, move: "Callable[[NDArray[np.object_]], NDArray[np.object_]] | None" = None
) -> "tuple[Shapes, tuple[Repair, ...]]":
    """Make the polygons of a layer valid, piece by piece (:func:`repair_polygons`).

    Parameters
    ----------
    shapes
        As the source has them.
    move
        Brings geometries to the town's CRS; None where they are in it.
    """
    if move is None and shapes.sound is not None and shapes.sound.all():
        return shapes, tuple(_slivers(shapes.area))
    repairs: list[Repair] = []

    def made(start: int, figures: Figures, written: "Piece") -> "tuple[NDArray[np.object_] | Figures, Piece | None]":
        if move is None and shapes.sound is not None and shapes.sound[start : start + len(written)].all():
            # most pieces are: nothing can be said of them but what their areas say
            repairs.extend(replace(item, row=item.row + start) for item in _slivers(figures.area))
            return figures, written
        geometry = geometries(written.load())
        repaired = repair_polygons(geometry if move is None else move(geometry))
        repairs.extend(replace(item, row=item.row + start) for item in repaired.repairs)
        same = move is None and all(item.code == "sliver" for item in repaired.repairs)
        return repaired.geometry, written if same else None

    fit = Shapes.gathered(made(*piece) for piece in shapes.in_figures())
    return fit, tuple(repairs)


def _slivers(area: "NDArray[np.float64]") -> list[Repair]:
    """Name the polygons that are too small to be land; those that are not there have no area."""
    places = np.flatnonzero(area < SLIVER_SQ_FT).tolist()
    return [Repair(row, "sliver", f"its area is {area[row]:.2f} sq ft; it was kept") for row in places]


def repair_features(geometry: "NDArray[np.object_]") -> Repaired:
    """Make the geometries of another layer valid, whatever their kind; null and empty ones are dropped."""
    made = geometry.copy()
    repairs = []
    for row in np.flatnonzero(shapely.is_missing(made) | shapely.is_empty(made)).tolist():
        made[row] = None
        repairs.append(Repair(row, "dropped", "it has no geometry"))
    present = np.flatnonzero(~shapely.is_missing(made))
    for row in present[~shapely.is_valid(made[present])].tolist():
        kind = shapely.get_dimensions(made[row])
        if kind == 2:  # noqa: PLR2004  # areas
            made[row], found = _made_valid(row, made[row])
            repairs.append(found)
        else:
            made[row] = shapely.make_valid(made[row])
            repairs.append(Repair(row, "repaired", "its line was made valid"))
    return Repaired(made, tuple(repairs))


def _made_valid(row: int, before: shapely.Geometry) -> "tuple[shapely.Geometry | None, Repair]":
    reason = shapely.is_valid_reason(before).split("[")[0].strip().lower()
    # All that the record encloses is kept, slivers too: land taken off a parcel can put its owner beyond a distance.
    after = _areas_only(shapely.make_valid(before))
    if after is None:
        return None, Repair(row, "dropped", f"nothing is left of its polygon once it is made valid ({reason})")
    was, now = shapely.area(before), shapely.area(after)
    change = f"its area went from {was:,.1f} to {now:,.1f} sq ft" if abs(now - was) >= 0.05 else "its area did not change"  # noqa: PLR2004  # as printed
    return after, Repair(row, "repaired", f"its polygon was made valid ({reason}); {change}")


def _areas_only(geometry: shapely.Geometry) -> "shapely.Geometry | None":
    """Return the polygons of a geometry; None where there is none."""
    if shapely.get_type_id(geometry) == _POLYGON:
        return None if shapely.is_empty(geometry) else geometry
    parts = shapely.get_parts(geometry)
    while len(parts) and (shapely.get_num_geometries(parts) > 1).any():
        parts = shapely.get_parts(parts)
    areas = parts[(shapely.get_type_id(parts) == _POLYGON) & ~shapely.is_empty(parts)]
    if not len(areas):
        parts = shapely.get_parts(parts)
        areas = parts[(shapely.get_type_id(parts) == _POLYGON) & ~shapely.is_empty(parts)]
        if not len(areas):
            return None
    return areas[0] if len(areas) == 1 else shapely.union_all(areas)


def _in_threads(function: object, geometry: "NDArray[np.object_]") -> "NDArray[np.generic]":
    """Apply a shapely function in pieces on two threads (it lets go of Python's lock)."""
    if len(geometry) <= CHUNK:
        return np.asarray(function(geometry))  # type: ignore[operator]  # a shapely ufunc
    pieces = [geometry[start : start + CHUNK] for start in range(0, len(geometry), CHUNK)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return np.concatenate(list(pool.map(function, pieces)))  # type: ignore[arg-type]  # a shapely ufunc


OVERLAP_SQ_FT = 100.0
"""Parcels of two layers that overlap by more than this are named."""
GAP_FT = 20.0
"""A gap between two layers narrower than this is no street."""
TOUCH_FT = 0.1
"""Parcels nearer than this meet."""
NAMED = 12


def stacked(shapes: Shapes, ids: "pa.Array", layer: "NDArray[np.int64]", names: "Sequence[str]") -> tuple[Problem, ...]:
    """Name the parcels that are drawn as one and the same polygon; each stays, with its own owners."""
    import pyarrow as pa

    problems = []
    for group in shapes.twins:
        called = ids.take(pa.array(group)).to_pylist()
        more = f" and {len(called) - NAMED} more" if len(called) > NAMED else ""
        text = (
            f"{len(called)} parcels are drawn as one polygon ({'; '.join(called[:NAMED])}{more}); each stays, with its own owners"
        )
        problems.append(Problem(names[layer[group[0]]], called[0], "stacked", text))
    return tuple(problems)


def layer_lines(shapes: Shapes, ids: "pa.Array", layer: "NDArray[np.int64]", names: "Sequence[str]") -> tuple[Problem, ...]:
    """Return where adjoining layers overlap, and how far apart their lines are where they should meet.

    Notes
    -----
    New York's layers are not matched along county lines: both are kept as they are, and a gap or an overlap is a fact for the reader.
    """
    problems: list[Problem] = []
    if len(names) == 1:
        return ()
    geometry = np.asarray(shapes)
    for later in range(1, len(names)):
        here, before = np.flatnonzero(layer == later), np.flatnonzero(layer < later)
        if not len(here) or not len(before):
            continue
        tree = shapely.STRtree(geometry[before])
        one, other = tree.query(geometry[here], predicate="dwithin", distance=GAP_FT)
        mine, theirs = here[one], before[other]
        overlap = shapely.area(shapely.intersection(geometry[mine], geometry[theirs]))
        problems += [
            Problem(
                names[later],
                ids[int(mine[pair])].as_py(),
                "overlap",
                f"it overlaps {ids[int(theirs[pair])].as_py()} of {names[layer[theirs[pair]]]} by {overlap[pair]:,.0f} sq ft; both stay as they are",
            )
            for pair in np.flatnonzero(overlap > OVERLAP_SQ_FT).tolist()
        ]
        nearest = np.full(len(here), np.inf)
        np.minimum.at(nearest, one, shapely.distance(geometry[mine], geometry[theirs]))
        apart = nearest[(nearest > TOUCH_FT) & (nearest <= GAP_FT)]
        if len(apart):
            text = (
                f"{len(apart)} of its parcels lie beside those of {names[0]} without touching, up to {apart.max():.1f} ft away:"
                " the layers' lines do not meet"
            )
            problems.append(Problem(names[later], "", "overlap", text))
    return tuple(problems)
