"""The printed map: the premises and the land around them, drawn to scale, with names placed where there is room."""

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely
from msgspec import Struct

from geonotice.io.palette import PAPER, Ink
from geonotice.packet.pdf_text import FONT, width_pt
from geonotice.packet.pdf_text import width_pt as measured_pt

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry


__all__ = [
    "DrawnMap",
    "Label",
    "Placement",
    "ReportMap",
    "Shown",
    "Spot",
    "Written",
    "box_of",
    "label_of_area",
    "label_of_line",
    "place_labels",
    "report_map",
]


_NUMBER_PT = 7.0
"""The type of a number that stands for a name."""

_CLEAR_OF_FRONTAGE_PT = 1.2
"""How far a name keeps from a line of frontage."""

_HEIGHT = 1.1
"""Height of a line of type, in parts of its size."""

_LEADERS_PT = (11.0, 17.0, 26.0, 38.0)
"""How far from its lot a number may stand, with a line to it."""

_LONGER_LEADERS_PT = (12.0, 18.0, 25.0, 33.0, 42.0, 54.0, 68.0, 85.0)
"""The same for a number that may stand in no other way."""

_SEEN_PT = 3.0
"""So much of a leader must be seen."""

_DIRECTIONS = 8

_FRACTIONS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""Where along a line its name may stand, best first."""

_ROUNDED_PT = 1e-6
"""More than computing rounds, and less than anybody sees."""

_STRAIGHT = 0.98
"""Chord over length of a line that a name can stand on."""


class Spot(NamedTuple):
    """The middle of a text, in points, and how it is turned, in degrees."""

    x: float
    y: float
    angle: float = 0.0


class Label(Struct, frozen=True, eq=False):
    """A name to be written.

    Parameters
    ----------
    spots
        Where it may stand, best first.
    within
        What the whole text must lie in (a lot); None where it may run over.
    keyed
        Whether a number may stand for it; then ``spots[0]`` is where a leader ends.
    aside
        Whether the text itself may stand aside, with a leader to ``spots[0]`` that crosses nothing written.
    smaller_pt
        Other sizes that it may be written in, best first.
    """

    text: str
    size_pt: float
    spots: tuple[Spot, ...]
    within: "BaseGeometry | None" = None
    keyed: bool = False
    aside: bool = False
    smaller_pt: tuple[float, ...] = ()


class Written(Struct, frozen=True):
    """A text on the map; ``leader`` is where the line from it ends, None where it needs none."""

    text: str
    size_pt: float
    spot: Spot
    leader: tuple[float, float] | None = None


class Placement(Struct):
    """What is written on the map, the numbers with what they stand for, and the names that found no room, with their places among the labels."""

    written: list[Written] = []
    key: list[tuple[str, str]] = []
    left_out: list[str] = []
    left_at: list[int] = []


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
    # Beside the line where it finds no room on it.
    beside = [_aside(spot, size_pt * side) for side in (1, -1) for spot in straight]
    return Label(text, size_pt, (*straight, *beside) or (_along(parts[0], parts[0].length / 2, half),))


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
    boxes = _Taken(taken)
    shapely.prepare(window)
    # What a leader will point to must not lie under another's text.
    ends = np.array([label.spots[0][:2] for label in labels if label.aside]).reshape(-1, 2)
    edges = window.bounds
    for n, label in enumerate(labels):
        if label.within is not None:
            shapely.prepare(label.within)
        inner = edges if label.within is None else label.within.bounds
        for one in _tries(label, str(len(made.key) + 1)):
            # By extents first: most numbers are too wide for most lots.
            if not _may_lie_in(one, edges if one.leader is not None or one.text != label.text else inner):
                continue
            box = box_of(one)
            whole = one.leader is not None or one.text != label.text or label.within is None or label.within.covers(box)
            if whole and window.covers(box) and boxes.free(box):
                leader = _leader(one, box) if label.aside else None
                if leader is not None and (leader.length < _SEEN_PT or not boxes.free(leader) or _covers_any(box, ends)):
                    continue
                boxes.add(box)
                if leader is not None:
                    boxes.add(leader)
                made.written.append(one)
                if one.text != label.text:
                    made.key.append((one.text, label.text))
                break
        else:
            made.left_out.append(label.text)
            made.left_at.append(n)
    return made


def _may_lie_in(one: Written, bounds: tuple[float, float, float, float]) -> bool:
    """Return whether the place of a text lies in an extent, but for what computing rounds."""
    spot, (half_width, half_height) = one.spot, _halves(one)
    if spot.angle:
        turned = radians(spot.angle)
        across, up = abs(cos(turned)), abs(sin(turned))
        half_width, half_height = half_width * across + half_height * up, half_width * up + half_height * across
    left, low, right, high = bounds
    return (
        spot.x - half_width >= left - _ROUNDED_PT
        and spot.x + half_width <= right + _ROUNDED_PT
        and spot.y - half_height >= low - _ROUNDED_PT
        and spot.y + half_height <= high + _ROUNDED_PT
    )


class _Taken:
    """What is taken on the map: asked by extents first, since a map may have thousands of numbers."""

    def __init__(self, shapes: "Sequence[BaseGeometry]") -> None:
        self._shapes = list(shapes)
        self._bounds = np.full((max(64, 2 * len(self._shapes)), 4), np.nan)
        if self._shapes:
            self._bounds[: len(self._shapes)] = shapely.bounds(self._shapes)

    def add(self, shape: "BaseGeometry") -> None:
        if len(self._shapes) == len(self._bounds):
            self._bounds = np.vstack([self._bounds, np.full_like(self._bounds, np.nan)])
        self._bounds[len(self._shapes)] = shape.bounds
        self._shapes.append(shape)

    def free(self, shape: "BaseGeometry") -> bool:
        left, low, right, high = shape.bounds
        rows = self._bounds[: len(self._shapes)]
        near = (rows[:, 0] <= right) & (rows[:, 2] >= left) & (rows[:, 1] <= high) & (rows[:, 3] >= low)
        return not any(shape.intersects(self._shapes[n]) for n in np.flatnonzero(near))


def _tries(label: Label, number: str) -> Iterator[Written]:
    for size_pt in (label.size_pt, *label.smaller_pt):
        for spot in label.spots:
            yield Written(label.text, size_pt, spot)
    x, y, _ = label.spots[0]
    if label.keyed:
        yield Written(number, _NUMBER_PT, Spot(x, y))
        yield from _around(number, _NUMBER_PT, (x, y), _LEADERS_PT, _DIRECTIONS)
    if label.aside:
        size_pt = min((label.size_pt, *label.smaller_pt), key=lambda size: abs(size - _NUMBER_PT))
        yield from _around(label.text, size_pt, (x, y), _LONGER_LEADERS_PT, 2 * _DIRECTIONS)


def _around(text: str, size_pt: float, end: tuple[float, float], leaders: Sequence[float], directions: int) -> Iterator[Written]:
    x, y = end
    for away in leaders:
        for turn in np.linspace(0, 2 * np.pi, directions, endpoint=False):
            spot = Spot(x + away * float(np.cos(turn)), y + away * float(np.sin(turn)))
            yield Written(text, size_pt, spot, leader=end)


def _covers_any(box: "BaseGeometry", points: "NDArray[np.float64]") -> bool:
    left, low, right, high = box.bounds
    x, y = points[:, 0], points[:, 1]
    return bool(((x >= left - 1) & (x <= right + 1) & (y >= low - 1) & (y <= high + 1)).any())


def _leader(one: Written, box: "BaseGeometry") -> "BaseGeometry | None":
    """Return the line from beside a text to what it stands for; None where the text stands on it."""
    if one.leader is None:
        return None
    return shapely.difference(shapely.LineString([(one.spot.x, one.spot.y), one.leader]), shapely.buffer(box, 0.2))


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


def _aside(spot: Spot, by_pt: float) -> Spot:
    """Move a text away from its line, to the side that ``by_pt`` has the sign of."""
    turned = float(np.radians(spot.angle + 90))
    return Spot(spot.x + by_pt * float(np.cos(turned)), spot.y + by_pt * float(np.sin(turned)), spot.angle)


def box_of(one: Written) -> "BaseGeometry":
    """Return the place that a text takes, in points."""
    spot, (half_width, half_height) = one.spot, _halves(one)
    if not spot.angle:
        return shapely.box(spot.x - half_width, spot.y - half_height, spot.x + half_width, spot.y + half_height)
    across, up = cos(radians(spot.angle)), sin(radians(spot.angle))
    corners = [(half_width * x, half_height * y) for x, y in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
    return shapely.Polygon([(spot.x + x * across - y * up, spot.y + x * up + y * across) for x, y in corners])


def _halves(one: Written) -> tuple[float, float]:
    """Return half the width and half the height of the place that a text takes."""
    return width_pt(one.text, one.size_pt) / 2 + 0.8, one.size_pt * _HEIGHT / 2


_SCALES = (20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000, 10000)
"""Feet to an inch that an engineer's scale or a plain multiple of it has."""

_ROOM, _ROOM_DRAWN = 2.0, 1.4
"""The map shows so many times the extent of the premises, for orientation; less where the applicant drew something on them."""

_LEGEND_PT = 15.0
"""The strip below the frame that says what the lines mean."""


_NAMED = ("premises", "layout", "abutting", "setback", "street", "water")
"""What is named on the map, what matters most first."""

_LEGEND = {
    "premises": "premises",
    "frontage": "frontage",
    "abutting": "adjoining",
    "setback": "setback or buffer line",
    "layout": "drawn by the applicant",
    "route": "route of the parade",
    "sign": "place for the sign",
}
"""What the legend calls what is shown; the rest needs no word."""


class Shown(Struct, frozen=True):
    """A shape on the map: what it is (a key of :data:`geonotice.io.palette.PAPER`, such as ``premises`` or ``setback``), and its label."""

    what: str
    geometry: "BaseGeometry"
    label: str = ""


class ReportMap(Struct, frozen=True):
    """What the map shows; all in US survey feet, in the town's CRS. ``remarks`` are said below it."""

    premises: "BaseGeometry"
    shown: Sequence[Shown]
    remarks: Sequence[str] = ()


class DrawnMap(Struct, frozen=True):
    """The map as a reportlab drawing, and what is to be said below it: numbers with their names, names without room."""

    drawing: Any
    key: Sequence[tuple[str, str]] = ()
    left_out: Sequence[str] = ()


class _Place(Struct, frozen=True):
    """Where the window's lower left corner lies, in feet, and how many points a foot has."""

    left: float
    bottom: float
    per_foot: float
    above_pt: float = _LEGEND_PT

    def on_paper(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.per_foot, (y - self.bottom) * self.per_foot + self.above_pt

    def shape(self, geometry: "BaseGeometry") -> "BaseGeometry":
        return shapely.transform(geometry, lambda xy: (xy - (self.left, self.bottom)) * self.per_foot + (0.0, self.above_pt))


class _Named(Struct):
    """The labels of one kind: areas each by themselves, lines by name."""

    areas: list[tuple[str, "BaseGeometry"]] = []
    lines: dict[str, list["BaseGeometry"]] = {}


def report_map(drawn: ReportMap, *, width_pt: float, height_pt: float) -> DrawnMap:
    """Draw the map with a north arrow, a scale and a legend; ``height_pt`` is all of it."""
    from reportlab.graphics.shapes import Drawing, Rect
    from reportlab.lib.colors import HexColor

    frame_pt = height_pt - _LEGEND_PT
    room = _ROOM_DRAWN if any(one.what == "layout" for one in drawn.shown) else _ROOM
    feet_per_inch = _scale(drawn.premises, width_pt, frame_pt, room=room)
    per_foot = 72.0 / feet_per_inch
    minx, miny, maxx, maxy = drawn.premises.bounds
    left, bottom = (minx + maxx) / 2 - width_pt / per_foot / 2, (miny + maxy) / 2 - frame_pt / per_foot / 2
    window = shapely.box(left, bottom, left + width_pt / per_foot, bottom + frame_pt / per_foot)
    place = _Place(left, bottom, per_foot)
    picture = Drawing(width_pt, height_pt)
    picture.add(Rect(0, _LEGEND_PT, width_pt, frame_pt, fillColor=HexColor("#fafaf7"), strokeColor=None))
    named: dict[str, _Named] = {what: _Named() for what in _NAMED}
    for what, look in PAPER.items():
        for one in drawn.shown:
            if one.what != what:
                continue
            seen = place.shape(shapely.intersection(one.geometry, window))
            _paths(picture, seen, look)
            if one.label and not seen.is_empty:
                _gather(named[what], one.label, seen)
    furniture = [
        shapely.box(6, _LEGEND_PT + 6, 166, _LEGEND_PT + 32),
        shapely.box(width_pt - 30, height_pt - 46, width_pt, height_pt),
    ]
    # A street's name on a narrow street would lie on the frontage, which is what a reader looks for.
    fronts = [
        shapely.buffer(place.shape(one.geometry), _CLEAR_OF_FRONTAGE_PT)
        for one in drawn.shown
        if one.what == "frontage" and not one.geometry.is_empty
    ]
    room_for_names = shapely.box(1, _LEGEND_PT + 1, width_pt - 1, height_pt - 1)
    placed = place_labels(_labels(named), window=room_for_names, taken=[*furniture, *fronts])
    _write(picture, placed)
    picture.add(Rect(0, _LEGEND_PT, width_pt, frame_pt, fillColor=None, strokeColor=HexColor("#333333"), strokeWidth=0.8))
    _furniture(picture, width_pt, height_pt, feet_per_inch)
    _legend(picture, {one.what for one in drawn.shown})
    return DrawnMap(picture, tuple(placed.key), tuple(placed.left_out))


def _gather(named: _Named, label: str, seen: "BaseGeometry") -> None:
    if shapely.get_dimensions(seen) == 1:
        named.lines.setdefault(label, []).extend(part for part in shapely.get_parts(seen) if part.geom_type == "LineString")
    else:
        named.areas.append((label, seen))


def _labels(named: dict[str, _Named]) -> list[Label]:
    made = []
    things = shapely.union_all([shape for _, shape in named["layout"].areas])
    for what, names in named.items():
        size = 8.0 if what == "premises" else 7.0
        keyed = what in ("premises", "layout", "abutting")
        clear_of = None if what == "layout" else things
        made += [label_of_area(text, size, shape, keyed=keyed, clear_of=clear_of) for text, shape in names.areas]
        made += [label_of_line(text, size, shapely.union_all(parts)) for text, parts in names.lines.items() if parts]
    return made


def _scale(premises: "BaseGeometry", width_pt: float, height_pt: float, *, room: float) -> int:
    minx, miny, maxx, maxy = premises.bounds
    needed = room * max((maxx - minx) / (width_pt / 72), (maxy - miny) / (height_pt / 72))
    return next((scale for scale in _SCALES if scale >= needed), _SCALES[-1])


def _paths(picture: Any, seen: "BaseGeometry", look: Ink) -> None:  # noqa: ANN401  # reportlab ships no types
    from reportlab.graphics.shapes import Circle, Path
    from reportlab.lib.colors import HexColor

    line = HexColor(look.line)
    dashes = list(look.dashes) if look.dashes else None
    for part in shapely.get_parts(seen):
        if part.geom_type == "Point" and not part.is_empty:
            picture.add(Circle(part.x, part.y, max(2.2, 2 * look.width_pt), fillColor=line, strokeColor=line))
        if part.is_empty or part.geom_type not in ("Polygon", "LineString"):
            continue
        area = part.geom_type == "Polygon"
        path = Path(
            fillColor=HexColor(look.fill) if look.fill and area else None,
            strokeColor=line,
            strokeWidth=look.width_pt,
            strokeDashArray=dashes,
            fillMode=0,
        )
        for ring in [part.exterior, *part.interiors] if area else [part]:
            for n, (x, y, *_) in enumerate(ring.coords):
                (path.lineTo if n else path.moveTo)(x, y)
            if area:
                path.closePath()
        picture.add(path)


def _write(picture: Any, placed: Placement) -> None:  # noqa: ANN401  # reportlab ships no types
    """Write the names: leaders first, so that none crosses a text."""
    from reportlab.graphics.shapes import Circle, Line
    from reportlab.lib.colors import HexColor

    dark = HexColor("#1a1a1a")
    for one in placed.written:
        if one.leader is not None:
            picture.add(Line(one.spot.x, one.spot.y, *one.leader, strokeColor=dark, strokeWidth=0.5))
            picture.add(Circle(*one.leader, 1.1, fillColor=dark, strokeColor=None))
    numbers = {number for number, _ in placed.key}
    for one in placed.written:
        _text(picture, one, boxed=one.text in numbers)


def _text(picture: Any, one: Written, *, boxed: bool) -> None:  # noqa: ANN401  # reportlab ships no types
    from reportlab.graphics.shapes import Group, Rect, String
    from reportlab.graphics.transform import mmult, rotate, translate
    from reportlab.lib.colors import HexColor

    half, size = measured_pt(one.text, one.size_pt) / 2, one.size_pt
    dark = HexColor("#1a1a1a")
    behind = Rect(
        -half - 1.2,
        -size * 0.52,
        2 * half + 2.4,
        size * 1.04,
        fillColor=HexColor("#ffffff"),
        fillOpacity=1 if boxed else 0.7,
        strokeColor=dark if boxed else None,
        strokeWidth=0.4,
    )
    text = String(0, -size * 0.35, one.text, fontName=FONT, fontSize=size, textAnchor="middle", fillColor=dark)
    picture.add(Group(behind, text, transform=mmult(translate(one.spot.x, one.spot.y), rotate(one.spot.angle))))


def _furniture(picture: Any, width_pt: float, height_pt: float, feet_per_inch: int) -> None:  # noqa: ANN401
    from reportlab.graphics.shapes import Line, Polygon, Rect, String
    from reportlab.lib.colors import HexColor

    dark, low = HexColor("#1a1a1a"), _LEGEND_PT
    picture.add(Rect(6, low + 6, 160, 26, fillColor=HexColor("#ffffff"), strokeColor=None, fillOpacity=0.85))
    picture.add(Line(12, low + 22, 84, low + 22, strokeColor=dark, strokeWidth=1.5))
    for tick in (12, 84):
        picture.add(Line(tick, low + 18, tick, low + 26, strokeColor=dark, strokeWidth=1))
    words = f"{feet_per_inch:,} ft      1 in = {feet_per_inch:,} ft"
    picture.add(String(12, low + 9, words, fontName=FONT, fontSize=7, fillColor=dark))
    x, y = width_pt - 18, height_pt - 34
    picture.add(Polygon([x, y + 24, x - 6, y, x, y + 6, x + 6, y], fillColor=dark, strokeColor=dark))
    picture.add(String(x, y - 8, "N", fontName=FONT, fontSize=8, textAnchor="middle", fillColor=dark))


def _legend(picture: Any, kinds: "set[str]") -> None:  # noqa: ANN401  # reportlab ships no types
    from reportlab.graphics.shapes import String
    from reportlab.lib.colors import HexColor

    x = 0.0
    for what, words in _LEGEND.items():
        look = PAPER[what]
        if what not in kinds:
            continue
        swatch: BaseGeometry = shapely.box(x + 1, 2, x + 17, 10) if look.fill else shapely.LineString([(x + 1, 6), (x + 17, 6)])
        swatch = shapely.Point(x + 9, 6) if what == "sign" else swatch
        _paths(picture, swatch, look)
        picture.add(String(x + 21, 3.5, words, fontName=FONT, fontSize=7, fillColor=HexColor("#1a1a1a")))
        x += 21 + measured_pt(words, 7) + 14
