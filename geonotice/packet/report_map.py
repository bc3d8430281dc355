"""The premises and what is round them, drawn to a true scale for print."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import shapely

from geonotice.packet.report_labels import Label, Placement, Written, label_of_area, label_of_line, place_labels
from geonotice.packet.type import FONT
from geonotice.packet.type import width_pt as measured_pt

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["DrawnMap", "ReportMap", "Shown", "report_map"]

_SCALES = (20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000, 10000)
"""Feet to an inch that an engineer's scale or a plain multiple of it has."""

_ROOM, _ROOM_DRAWN = 2.0, 1.4
"""The map shows so many times the extent of the premises, for orientation; less where the applicant drew something on them."""

_LEGEND_PT = 15.0
"""The strip below the frame that says what the lines mean."""


@dataclass(frozen=True, slots=True)
class _Look:
    """How a kind of thing is drawn, and what the legend calls it (empty: it needs no word)."""

    fill: str | None
    line: str
    width_pt: float
    words: str = ""
    dashes: tuple[int, ...] | None = None


_LOOKS = {
    "other": _Look("#ffffff", "#b8b8b8", 0.4),
    "abutting": _Look("#d7e6f5", "#31688e", 0.8, "adjoining"),
    "water": _Look("#cfe3f2", "#7fa8c9", 0.4),
    "street": _Look(None, "#666666", 0.6),
    "premises": _Look("#f3c6a5", "#8c2d04", 1.8, "premises"),
    "frontage": _Look(None, "#1a1a1a", 3.2, "frontage"),
    "layout": _Look("#ffffff", "#54278f", 0.9, "drawn by the applicant"),
    "route": _Look(None, "#b3125f", 2.6, "route of the parade", (7, 4)),
    "setback": _Look(None, "#7a0177", 0.9, "setback or buffer line", (4, 2)),
}
"""By what is shown, in the order of drawing. Lines differ in width and dashes too, for those who print without colour."""

_NAMED = ("premises", "layout", "abutting", "setback", "street", "water")
"""What is named on the map, what matters most first."""

_NAMED_IN_LEGEND = ("premises", "frontage", "abutting", "setback", "layout", "route")


@dataclass(frozen=True, slots=True)
class Shown:
    """A shape on the map: what it is (a key of the looks above, such as ``premises`` or ``setback``), and its label."""

    what: str
    geometry: "BaseGeometry"
    label: str = ""


@dataclass(frozen=True, slots=True)
class ReportMap:
    """What the map shows; all in US survey feet, in the town's CRS. ``remarks`` are said below it."""

    premises: "BaseGeometry"
    shown: Sequence[Shown]
    remarks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """The map as a reportlab drawing, and what is to be said below it: numbers with their names, names without room."""

    drawing: Any
    key: Sequence[tuple[str, str]] = ()
    left_out: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the window's lower left corner lies, in feet, and how many points a foot has."""

    left: float
    bottom: float
    per_foot: float
    above_pt: float = _LEGEND_PT

    def on_paper(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.per_foot, (y - self.bottom) * self.per_foot + self.above_pt

    def shape(self, geometry: "BaseGeometry") -> "BaseGeometry":
        return shapely.transform(geometry, lambda xy: (xy - (self.left, self.bottom)) * self.per_foot + (0.0, self.above_pt))


@dataclass(slots=True)
class _Named:
    """The labels of one kind: areas each by themselves, lines by name."""

    areas: list[tuple[str, "BaseGeometry"]] = field(default_factory=list)
    lines: dict[str, list["BaseGeometry"]] = field(default_factory=dict)


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
    for what, look in _LOOKS.items():
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
    placed = place_labels(_labels(named), window=shapely.box(1, _LEGEND_PT + 1, width_pt - 1, height_pt - 1), taken=furniture)
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
        size = 8.0 if what == "premises" else 6.5
        keyed = what in ("premises", "layout", "abutting")
        clear_of = None if what == "layout" else things
        made += [label_of_area(text, size, shape, keyed=keyed, clear_of=clear_of) for text, shape in names.areas]
        made += [label_of_line(text, size, shapely.union_all(parts)) for text, parts in names.lines.items() if parts]
    return made


def _scale(premises: "BaseGeometry", width_pt: float, height_pt: float, *, room: float) -> int:
    minx, miny, maxx, maxy = premises.bounds
    needed = room * max((maxx - minx) / (width_pt / 72), (maxy - miny) / (height_pt / 72))
    return next((scale for scale in _SCALES if scale >= needed), _SCALES[-1])


def _paths(picture: Any, seen: "BaseGeometry", look: _Look) -> None:  # noqa: ANN401  # reportlab ships no types
    from reportlab.graphics.shapes import Circle, Path
    from reportlab.lib.colors import HexColor

    line = HexColor(look.line)
    dashes = list(look.dashes) if look.dashes else None
    for part in shapely.get_parts(seen):
        if part.geom_type == "Point" and not part.is_empty:
            picture.add(Circle(part.x, part.y, 2.2, fillColor=line, strokeColor=line))
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
    for what in _NAMED_IN_LEGEND:
        look = _LOOKS[what]
        if what not in kinds:
            continue
        swatch = shapely.box(x + 1, 2, x + 17, 10) if look.fill else shapely.LineString([(x + 1, 6), (x + 17, 6)])
        _paths(picture, swatch, look)
        picture.add(String(x + 21, 3.5, look.words, fontName=FONT, fontSize=7, fillColor=HexColor("#1a1a1a")))
        x += 21 + measured_pt(look.words, 7) + 14
