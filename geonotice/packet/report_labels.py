"""Names on a printed map: where each may stand, which give way to a number with a key, and which find no room at all.

Nothing is left out silently: what is not written on the map comes back in the key or among those left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely import affinity

from geonotice.packet.type import width_pt

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["Label", "Placement", "Spot", "Written", "label_of_area", "label_of_line", "place_labels"]

_NUMBER_PT = 6.5
"""The type of a number that stands for a name."""

_HEIGHT = 1.1
"""Height of a line of type, in parts of its size."""

_LEADERS_PT = (11.0, 17.0, 26.0, 38.0)
"""How far from its lot a number may stand, with a line to it."""

_DIRECTIONS = 8

_FRACTIONS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Where along a line its name may stand, best first."""

_STRAIGHT = 0.98
"""Chord over length of a line that a name can stand on."""


class Spot(NamedTuple):
    """The middle of a text, in points, and how it is turned, in degrees."""

    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A name to be written.

    Parameters
    ----------
    spots
        Where it may stand, best first.
    within
        What the whole text must lie in (a lot); None where it may run over.
    keyed
        Whether a number may stand for it; then ``spots[0]`` is where a leader ends.
    """

    text: str
    size_pt: float
    spots: tuple[Spot, ...]
    within: "BaseGeometry | None" = None
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A text on the map; ``leader`` is where the line from it ends, None where it needs none."""

    text: str
    size_pt: float
    spot: Spot
    leader: tuple[float, float] | None = None


@dataclass(slots=True)
class Placement:
    """What is written on the map, the numbers with what they stand for, and the names that found no room."""

    written: list[Written] = field(default_factory=list)
    key: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def label_of_area(
    text: str, size_pt: float, shape: "BaseGeometry", *, keyed: bool, clear_of: "BaseGeometry | None" = None
) -> Label:
    """Label a lot or a thing drawn, in its widest place ``clear_of`` others as far as there is one; the whole name must lie in it."""
    rest = shape if clear_of is None else shapely.difference(shape, clear_of)
    shape = shape if rest.is_empty else rest
    widest = max(shapely.get_parts(shape), key=lambda part: (part.area, part.length))
    if shapely.get_dimensions(widest) == 2:  # noqa: PLR2004  # an area
        middle = shapely.get_point(shapely.maximum_inscribed_circle(widest), 0)
        within = shape
    else:
        middle, within = shapely.point_on_surface(widest), None
    return Label(text, size_pt, (Spot(middle.x, middle.y),), within, keyed)


def label_of_line(text: str, size_pt: float, shape: "BaseGeometry") -> Label:
    """Label a street along its line, once however many pieces it comes in."""
    merged = shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    parts: list[shapely.LineString] = sorted(shapely.get_parts(merged), key=lambda part: -part.length)
    half = width_pt(text, size_pt) / 2
    tries = [(part, part.length * fraction) for part in parts for fraction in _FRACTIONS]
    straight = [_along(part, at, half) for part, at in tries if _is_straight(part, at, half)]
    return Label(text, size_pt, tuple(straight) or (_along(parts[0], parts[0].length / 2, half),))


def place_labels(labels: Sequence[Label], *, window: "BaseGeometry", taken: Sequence["BaseGeometry"] = ()) -> Placement:
    """Place names in the order given, none over another, over what is ``taken`` or beyond the ``window``; all in points.

    Examples
    --------
    >>> lots = [shapely.box(0, 0, 90, 60), shapely.box(90, 0, 110, 60)]
    >>> labels = [label_of_area("0900-1-2", 6.5, lot, keyed=True) for lot in lots]
    >>> placed = place_labels(labels, window=shapely.box(0, 0, 200, 100))
    >>> [one.text for one in placed.written], placed.key
    (['0900-1-2', '1'], [('1', '0900-1-2')])
    """
    made = Placement()
    boxes = list(taken)

    def free(box: "BaseGeometry") -> bool:
        return bool(window.covers(box)) and not any(box.intersects(other) for other in boxes)

    for label in labels:
        for one in _tries(label, str(len(made.key) + 1)):
            box = _box(one.text, one.size_pt, one.spot)
            whole = one.text != label.text or label.within is None or label.within.covers(box)
            if whole and free(box):
                boxes.append(box)
                made.written.append(one)
                if one.text != label.text:
                    made.key.append((one.text, label.text))
                break
        else:
            made.left_out.append(label.text)
    return made


def _tries(label: Label, number: str) -> Iterator[Written]:
    for spot in label.spots:
        yield Written(label.text, label.size_pt, spot)
    if label.keyed:
        x, y, _ = label.spots[0]
        yield Written(number, _NUMBER_PT, Spot(x, y))
        for away in _LEADERS_PT:
            for turn in np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False):
                spot = Spot(x + away * float(np.cos(turn)), y + away * float(np.sin(turn)))
                yield Written(number, _NUMBER_PT, spot, leader=(x, y))


def _is_straight(line: "shapely.LineString", at: float, half: float) -> bool:
    """Whether a line runs straight under a text of which half is so long, and is longer than it."""
    if at < half or at > line.length - half:
        return False
    ends = [shapely.line_interpolate_point(line, at + way) for way in (-half, half)]
    return float(shapely.distance(*ends)) >= _STRAIGHT * 2 * half


def _along(line: "shapely.LineString", at: float, half: float) -> Spot:
    middle = shapely.line_interpolate_point(line, at)
    ends = [shapely.line_interpolate_point(line, min(max(at + way, 0.0), line.length)) for way in (-half, half)]
    angle = float(np.degrees(np.arctan2(ends[1].y - ends[0].y, ends[1].x - ends[0].x)))
    upright = (angle + 90) % 180 - 90
    return Spot(middle.x, middle.y, upright)


def _box(text: str, size_pt: float, spot: Spot) -> "BaseGeometry":
    half_width, half_height = width_pt(text, size_pt) / 2 + 0.8, size_pt * _HEIGHT / 2
    box = shapely.box(spot.x - half_width, spot.y - half_height, spot.x + half_width, spot.y + half_height)
    return affinity.rotate(box, spot.angle, origin=(spot.x, spot.y)) if spot.angle else box
