"""Parcels that lie on one another: stacked ones (condominium units), and the lines where two layers meet without matching."""

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.model import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["layer_lines", "same_polygons", "stacked"]

OVERLAP_SQ_FT = 100.0
"""Parcels of two layers that overlap by more than this are named."""
GAP_FT = 20.0
"""A gap between two layers narrower than this is no street."""
TOUCH_FT = 0.1
"""Parcels nearer than this meet."""
NAMED = 12


def same_polygons(geometry: "NDArray[np.object_]") -> "list[NDArray[np.int64]]":
    """Return the groups of places whose polygons are one and the same, each sorted, in the order of their first.

    Polygons are the same where box, area and length are, to a hundredth of a foot.
    """
    if not len(geometry):
        return []
    figures = np.column_stack([shapely.bounds(geometry), shapely.length(geometry)]).round(2)
    # most polygons differ in their first corner already: only those that share it are compared in full
    corner = figures[:, 0] * 1e9 + figures[:, 1]
    order = np.argsort(corner)
    twin = np.diff(corner[order]) == 0
    some = order[np.r_[twin, False] | np.r_[False, twin]]
    order = some[np.lexsort(figures[some].T)]
    same = (np.diff(figures[order], axis=0) == 0).all(axis=1)
    groups = np.split(order, np.flatnonzero(~same) + 1)
    return sorted((np.sort(group) for group in groups if len(group) > 1), key=lambda group: int(group[0]))


def stacked(
    geometry: "NDArray[np.object_]", ids: "pa.Array", layer: "NDArray[np.int64]", names: "Sequence[str]"
) -> tuple[Problem, ...]:
    """Name the parcels that are drawn as one and the same polygon; each stays, with its own owners."""
    import pyarrow as pa

    problems = []
    for group in same_polygons(geometry):
        called = ids.take(pa.array(group)).to_pylist()
        more = f" and {len(called) - NAMED} more" if len(called) > NAMED else ""
        text = (
            f"{len(called)} parcels are drawn as one polygon ({'; '.join(called[:NAMED])}{more}); each stays, with its own owners"
        )
        problems.append(Problem(names[layer[group[0]]], called[0], "stacked", text))
    return tuple(problems)


def layer_lines(
    geometry: "NDArray[np.object_]", ids: "pa.Array", layer: "NDArray[np.int64]", names: "Sequence[str]"
) -> tuple[Problem, ...]:
    """Say where adjoining layers overlap, and how far apart their lines are where they should meet.

    Notes
    -----
    New York's layers are not matched along county lines: both are kept as they are, and a gap or an overlap is a fact for the reader.
    """
    problems: list[Problem] = []
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
