"""Premises that do not hang together: mostly a number with a slip in it, which names a lot somewhere else."""

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.model import Caution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import Parcel
    from geonotice.workflow.opening import Opened

__all__ = ["scattered"]

_NAMED = 12
"""Most parcels named in the warning."""


def scattered(opened: "Opened", parcels: "Sequence[Parcel]") -> tuple[Caution, ...]:
    """Name the parcels that lie farther from the rest of the premises than the widest right-of-way.

    LAW: DIGEST, readings: the premises are all tax parcels the event uses, together. They may lie on both sides of a street; a lot that
    lies farther off is as often a slip.
    """
    if len(parcels) < 2:  # noqa: PLR2004  # one lot is no several
        return ()
    shapes = np.array(opened.store.geometries([parcel.fid for parcel in parcels]), dtype=object)
    group = _groups(shapes, opened.town.settings.right_of_way_max_ft)
    most = np.bincount(group).argmax()
    away = np.flatnonzero(group != most)
    if not away.size:
        return ()
    feet = float(shapely.distance(shapely.union_all(shapes[away]), shapely.union_all(shapes[group == most])))
    named = tuple(parcels[place].id for place in away.tolist())
    listed = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} more" if len(named) > _NAMED else "")
    text = f"The premises do not hang together: {listed} {'lies' if len(named) == 1 else 'lie'} {feet:,.0f} ft or more from the rest. Look whether the right parcels are named."
    return (Caution("premises_apart", text, named),)


def _groups(
    shapes: "np.ndarray[tuple[int], np.dtype[np.object_]]", reach_ft: float
) -> "np.ndarray[tuple[int], np.dtype[np.int_]]":
    """Give each shape the number of its group: those within reach of each other, one by way of the next."""
    tree = shapely.STRtree(shapes)
    group = np.full(len(shapes), -1)
    for start in range(len(shapes)):
        if group[start] >= 0:
            continue
        number = group.max() + 1
        group[start] = number
        edge = [start]
        while edge:
            near = tree.query(shapes[edge.pop()], predicate="dwithin", distance=reach_ft)
            fresh = near[group[near] < 0]
            group[fresh] = number
            edge += fresh.tolist()
    return group
