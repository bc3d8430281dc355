"""How far the premises lie from other municipalities."""

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.lot_lines import GeometryArray
from geonotice.select.zoning import SLIVER_SHARE, SLIVER_SQ_FT

__all__ = ["BOUNDARY_ACCURACY_FT", "BOUNDARY_FT", "Boundary", "Municipality", "boundary", "is_village"]

BOUNDARY_FT: Final = 500.0
"""Notice to another municipality reaches this far."""
BOUNDARY_ACCURACY_FT: Final = 40.0
"""So close to that distance, on either side, a person should look: municipal lines are drawn at 1:24,000, good to about 40 ft."""
INSIDE_SHARE: Final = 0.5
"""Premises lie in a village when more than this share of their area does."""


class Municipality(Struct, frozen=True, eq=False):
    """Another municipality near the premises.

    Parameters
    ----------
    index
        Its place in the arrays given.
    distance_ft
        From the premises to its nearest point, polygon to polygon; 0 where it reaches into them.
    notified
        Whether it is to be notified: within 500 ft, or within the review band beyond.
    review
        ``boundary_accuracy`` from 460 to 540 ft: mailed, but a person should look.
    share
        Share of the premises' area that lies in it.
    line
        From the premises to its nearest point.
    """

    index: int
    distance_ft: float
    notified: bool
    review: tuple[str, ...]
    share: float
    line: LineString


class Boundary(Struct, frozen=True, eq=False):
    """The other municipalities near the premises, nearest first, and the villages that hold the premises.

    ``inside`` are places of villages in which the premises lie, so that the town's chapter may not reach them; they are not *other*.
    ``partly`` are places of villages that hold a part of them: other, and said.
    """

    others: tuple[Municipality, ...]
    inside: tuple[int, ...]
    partly: tuple[int, ...]


def is_village(kind: str) -> bool:
    """Return whether a kind of municipality, as layers write it, is a village.

    Examples
    --------
    >>> is_village("Village"), is_village("V"), is_village("Town")
    (True, True, False)
    """
    return kind.strip().casefold() in {"village", "v", "vil", "vlg", "incorporated village", "inc village", "inc. village"}


def boundary(
    premises: BaseGeometry,
    municipalities: GeometryArray,
    *,
    own: NDArray[np.bool_],
    villages: NDArray[np.bool_],
    distance_ft: float = BOUNDARY_FT,
    accuracy_ft: float = BOUNDARY_ACCURACY_FT,
) -> Boundary:
    """Measure the distance from the premises to every other municipality.

    The town's own is not other; a village inside it is, unless the premises lie in that village.

    Parameters
    ----------
    premises
        Their plain union, in US survey feet.
    municipalities
        Polygons; several records of one municipality may be given, each is measured.
    own
        For each, whether it is the town's own (by SWIS prefix) and no village.
    villages
        For each, whether it is a village.
    distance_ft, accuracy_ft
        How far notice reaches, and how close to that the accuracy of the line matters.

    Examples
    --------
    Premises 450 ft from a village and 520 ft from the next town, in a town that is its own.

    >>> import numpy as np, shapely
    >>> towns = np.array([shapely.box(-5000, -5000, 620, 5000), shapely.box(620, -5000, 9000, 5000), shapely.box(-900, 0, -450, 100)])
    >>> found = boundary(shapely.box(0, 0, 100, 100), towns, own=np.array([1, 0, 0]) == 1, villages=np.array([0, 0, 1]) == 1)
    >>> [(item.index, item.distance_ft, item.notified, item.review) for item in found.others]
    [(2, 450.0, True, ()), (1, 520.0, True, ('boundary_accuracy',))]
    """
    distance = shapely.distance(premises, municipalities)
    # LAW: Southampton 283-9 notifies the clerk where the land is "within 500 feet of the boundary of any other municipality". That line is
    # drawn far more coarsely than a lot line, so what lies up to 40 ft beyond is notified too, and marked.
    near = np.flatnonzero(distance <= distance_ft + accuracy_ft)
    area = shapely.area(premises)
    others: list[Municipality] = []
    inside: list[int] = []
    partly: list[int] = []
    for index in near[np.argsort(distance[near], kind="stable")].tolist():
        overlap = float(shapely.area(shapely.intersection(premises, municipalities[index]))) if distance[index] == 0 else 0.0
        share = overlap / area if area else 0.0
        if villages[index]:
            # Premises in a village are under the village's own code: it is not a neighbor to be notified, and the town's chapter may not
            # reach them at all. Half of the area is the test, since the two lines never agree to the foot.
            if share > INSIDE_SHARE:
                inside.append(index)
                continue
            # A village's line and the lot line are drawn by different hands, as districts are.
            if overlap > SLIVER_SQ_FT and share > SLIVER_SHARE:
                partly.append(index)
        elif own[index]:
            continue
        apart = float(distance[index])
        doubtful = distance_ft - accuracy_ft <= apart <= distance_ft + accuracy_ft
        others.append(
            Municipality(
                index=index,
                distance_ft=apart,
                notified=apart <= distance_ft or doubtful,
                review=("boundary_accuracy",) if doubtful else (),
                share=share,
                line=shapely.shortest_line(premises, municipalities[index]),
            )
        )
    return Boundary(tuple(others), tuple(sorted(inside)), tuple(sorted(partly)))
