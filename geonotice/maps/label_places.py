"""Where the labels of a map stand, and what room they have there: placed for all of them at once."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.maps.map_layers import Projector

__all__ = ["FOOT_M", "Label", "place_labels", "seen_parts"]

FOOT_M = 1200 / 3937
"""Metres in a US survey foot."""
STREET_REACH_FT = 60.0
"""Along a street to both sides of its label: the stretch that gives the label its direction."""
ENDLESS_M = 1e6
"""Room across a line for the label along it: there is always enough."""

LABEL_SHAPES = (8.0, 4.0, 2.0, 1.0)
"""Width to height of what labels are: a long number in one line, a short one, one in two or three lines, the number of a row."""
_SPOT_SHARES = np.array([0.15, -0.15, 0.3, -0.3])
"""Where else in its lot a label may stand, as parts of the lot's length from its middle."""
_SPOT_INSIDE_FT = 3.0
"""Not on the lot line itself, where the label could be taken for the neighbour's."""
_RING_OF_FOUR = 5
"""Corners of a closed ring with four sides."""


class Label(Struct, frozen=True, kw_only=True):
    """A label that is wanted.

    Parameters
    ----------
    geometry, text, kind
        What is labelled, with what, and in which of the page's styles.
    of
        The layer with which the label is shown and hidden.
    always
        Show it even where its feature has no room for it.
    first
        What stands above the text, and alone where there is no room for both.
    short
        What to show where there is no room for anything else.
    """

    geometry: "BaseGeometry"
    text: str
    kind: str
    of: str
    always: bool = False
    first: str = ""
    short: str = ""


def seen_parts(geometries: "Sequence[BaseGeometry] | NDArray[Any]", view: "BaseGeometry") -> "NDArray[Any]":
    """Return the largest part of each geometry inside the view, so that the label of a large farm stands where one looks."""
    seen = np.array([*geometries, None], dtype=object)[:-1]  # None keeps numpy from looking into them
    parts, whose = shapely.get_parts(shapely.intersection(seen, view), return_index=True)
    areas, lengths = shapely.area(parts), shapely.length(parts)
    order = np.lexsort((-lengths, -areas, whose))
    order = order[(areas[order] > 0) | (lengths[order] > 0)]
    largest = order[np.diff(whose[order], prepend=-1) > 0]
    seen[whose[largest]] = parts[largest]
    return seen


def place_labels(labels: "Sequence[Label]", view: "BaseGeometry", projector: "Projector") -> list[dict[str, Any]]:
    """Return each label as the page's script takes it: its words, its place in degrees, the room there, other places for it."""
    if not labels:
        return []
    seen = seen_parts([label.geometry for label in labels], view)
    areas, lengths = shapely.area(seen), shapely.length(seen)
    standing = np.flatnonzero((areas > 0) | (lengths == 0))
    middles = shapely.get_coordinates(shapely.point_on_surface(seen[standing]))
    rooms = dict(zip(standing.tolist(), _rooms(seen[standing], middles), strict=True))
    at = dict(zip(standing.tolist(), projector.points(middles), strict=True))
    elsewhere = np.flatnonzero([bool(labels[n].short) and areas[n] > 0 for n in standing.tolist()])
    spots = dict(zip(standing[elsewhere].tolist(), _spots(seen[standing[elsewhere]], middles[elsewhere], projector), strict=True))
    made = []
    for n, label in enumerate(labels):
        words: dict[str, Any] = {"text": label.text, "kind": label.kind, "of": label.of}
        words |= {name: text for name, text in (("first", label.first), ("short", label.short)) if text}
        words |= {"at": at[n], "room": rooms[n]} if n in at else _along(seen[n], projector)
        if label.always or not lengths[n]:
            words.pop("room")
        if spots.get(n):
            words["spots"] = spots[n]
        made.append(words)
    return made


def _along(line: "BaseGeometry", projector: "Projector") -> dict[str, Any]:
    """Place a label at the middle of a line's longest part, along it, never upside down."""
    longest = max(shapely.get_parts(line), key=lambda part: part.length)
    middle = longest.length / 2
    reach = min(middle, STREET_REACH_FT)
    start, end = (shapely.line_interpolate_point(longest, middle + step) for step in (-reach, reach))
    angle = -math.degrees(math.atan2(end.y - start.y, end.x - start.x))  # the screen's y runs down
    return {
        "at": projector.points_inside([shapely.line_interpolate_point(longest, middle)])[0],
        "angle": round((angle + 90) % 180 - 90),
        "room": [[round(longest.length * FOOT_M, 1), ENDLESS_M]],
    }


def _spots(lots: "NDArray[Any]", middles: "NDArray[np.float64]", projector: "Projector") -> list[list[list[float]]]:
    """Return places in each lot, along its longer side, where its label may stand if its neighbours' labels leave no room in the middle."""
    envelopes = shapely.oriented_envelope(lots)
    made: list[list[list[float]]] = [[] for _ in lots]
    whole = np.flatnonzero(shapely.get_num_coordinates(envelopes) == _RING_OF_FOUR)  # else no area: the envelope is a line
    corners = shapely.get_coordinates(envelopes[whole]).reshape(-1, _RING_OF_FOUR, 2)
    sides = np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1]])
    longer = np.where((np.hypot(*sides[0].T) >= np.hypot(*sides[1].T))[:, None], sides[0], sides[1])
    places = middles[whole][:, None] + _SPOT_SHARES[:, None] * longer[:, None]
    inner = shapely.buffer(lots[whole], -_SPOT_INSIDE_FT, quad_segs=16)
    inside = shapely.contains(inner[:, None], shapely.points(places))
    points = iter(projector.points(places[inside]))
    for n, many in zip(whole.tolist(), inside.sum(axis=1).tolist(), strict=True):
        made[n] = [next(points) for _ in range(many)]
    return made


def _rooms(geometries: "NDArray[Any]", places: "NDArray[np.float64]") -> list[list[list[float]]]:
    """Return widths and heights in metres of upright boxes round each label's place that lie inside its geometry: what a label has room for.

    One box for each of the shapes that labels have, from one long line to a bare number: the largest that fits.
    """
    parts, of_part = shapely.get_parts(geometries, return_index=True)
    rings, of_ring = shapely.get_rings(parts, return_index=True)
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    along = ring[:-1] == ring[1:]  # not from the last corner of one ring to the first of the next
    whose = of_part[of_ring][ring] if len(ring) else np.empty(0, np.int64)
    halves = np.zeros((len(LABEL_SHAPES), len(geometries)))
    if along.any():
        # All shapes at once: a box of one shape is a square where the axis is squeezed.
        squeezed = (corners - places[whose]) / np.array([[[shape, 1.0]] for shape in LABEL_SHAPES])
        start, end = squeezed[:, :-1][:, along], squeezed[:, 1:][:, along]
        least = _square_reach(start.reshape(-1, 2), end.reshape(-1, 2)).reshape(len(LABEL_SHAPES), -1)
        with_rings, first = np.unique(whose[:-1][along], return_index=True)
        halves[:, with_rings] = np.minimum.reduceat(least, first, axis=1)
    return [
        [
            [round(2 * half * shape * FOOT_M, 1), round(2 * half * FOOT_M, 1)]
            for half, shape in zip(of_shapes, LABEL_SHAPES, strict=True)
        ]
        for of_shapes in halves.T.tolist()
    ]


def _square_reach(start: "NDArray[np.float64]", end: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return for each segment half the side of the largest upright square round the origin that it does not enter."""
    step = end - start
    # A square grows against a segment at one of its ends, at an axis, or where one of its own corners meets it.
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.stack(
            [
                np.zeros(len(start)),
                np.ones(len(start)),
                -start[:, 0] / step[:, 0],
                -start[:, 1] / step[:, 1],
                -(start[:, 0] - start[:, 1]) / (step[:, 0] - step[:, 1]),
                -(start[:, 0] + start[:, 1]) / (step[:, 0] + step[:, 1]),
            ]
        )
    share = np.where((places >= 0) & (places <= 1), places, 0.0)[..., None]
    least: NDArray[np.float64] = np.abs(start + share * step).max(axis=2).min(axis=0)
    return least
