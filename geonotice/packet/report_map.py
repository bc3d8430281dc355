"""The premises and what is round them, drawn to a true scale for print."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import shapely

from geonotice.packet.type import FONT
from geonotice.packet.type import width_pt as measured_pt

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["ReportMap", "Shown", "report_map"]

_SCALES = (20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000, 10000)
"""Feet to an inch that an engineer's scale or a plain multiple of it has."""

_ROOM = 2.0
"""The map shows so many times the extent of the premises, for orientation."""

_LOOKS = {
    "other": ("#ffffff", "#b8b8b8", 0.4),
    "abutting": ("#d7e6f5", "#31688e", 0.7),
    "water": ("#cfe3f2", "#7fa8c9", 0.4),
    "street": (None, "#666666", 0.6),
    "setback": (None, "#b15928", 0.8),
    "premises": ("#f3c6a5", "#8c2d04", 1.8),
}
"""Fill, line and its width in points by what is shown, in the order of drawing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A shape on the map: what it is (``premises``, ``abutting``, ``other``, ``street``, ``water``, ``setback``), and its label."""

    what: str
    geometry: "BaseGeometry"
    label: str = ""


@dataclass(frozen=True, slots=True)
class ReportMap:
    """What the map shows; all in US survey feet, in the town's CRS."""

    premises: "BaseGeometry"
    shown: Sequence[Shown]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the window's lower left corner lies, in feet, and how many points a foot has."""

    left: float
    bottom: float
    per_foot: float

    def on_paper(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.per_foot, (y - self.bottom) * self.per_foot


def report_map(drawn: ReportMap, *, width_pt: float, height_pt: float) -> Any:  # noqa: ANN401  # reportlab ships no types
    """Draw the map as a reportlab drawing, with a north arrow and a scale."""
    from reportlab.graphics.shapes import Drawing, Rect, String
    from reportlab.lib.colors import HexColor

    feet_per_inch = _scale(drawn.premises, width_pt, height_pt)
    per_foot = 72.0 / feet_per_inch
    minx, miny, maxx, maxy = drawn.premises.bounds
    left, bottom = (minx + maxx) / 2 - width_pt / per_foot / 2, (miny + maxy) / 2 - height_pt / per_foot / 2
    window = shapely.box(left, bottom, left + width_pt / per_foot, bottom + height_pt / per_foot)
    place = _Place(left, bottom, per_foot)
    picture = Drawing(width_pt, height_pt)
    picture.add(Rect(0, 0, width_pt, height_pt, fillColor=HexColor("#fafaf7"), strokeColor=None))
    labels: list[tuple[float, float, str, float]] = []
    for what, look in _LOOKS.items():
        for one in drawn.shown:
            if one.what == what:
                seen = shapely.intersection(one.geometry, window)
                _paths(picture, seen, place, look)
                if one.label and not seen.is_empty:
                    middle = shapely.point_on_surface(seen)
                    size = 8.0 if what == "premises" else 6.5
                    labels.append((*place.on_paper(middle.x, middle.y), one.label, size))
    for x, y, text, size in _apart(labels):
        picture.add(String(x, y, text, fontName=FONT, fontSize=size, textAnchor="middle", fillColor=HexColor("#1a1a1a")))
    picture.add(Rect(0, 0, width_pt, height_pt, fillColor=None, strokeColor=HexColor("#333333"), strokeWidth=0.8))
    _furniture(picture, width_pt, height_pt, feet_per_inch)
    return picture


def _apart(labels: "Sequence[tuple[float, float, str, float]]") -> "list[tuple[float, float, str, float]]":
    """Leave out a label that would run into another; the largest type, the premises', comes first."""
    taken: list[tuple[float, float, float, float]] = []
    kept = []
    for x, y, text, size in sorted(labels, key=lambda label: -label[3]):
        half = measured_pt(text, size) / 2
        box = (x - half, y, x + half, y + size)
        if all(box[2] < other[0] or other[2] < box[0] or box[3] < other[1] or other[3] < box[1] for other in taken):
            taken.append(box)
            kept.append((x, y, text, size))
    return kept


def _scale(premises: "BaseGeometry", width_pt: float, height_pt: float) -> int:
    minx, miny, maxx, maxy = premises.bounds
    needed = _ROOM * max((maxx - minx) / (width_pt / 72), (maxy - miny) / (height_pt / 72))
    return next((scale for scale in _SCALES if scale >= needed), _SCALES[-1])


def _paths(picture: Any, seen: "BaseGeometry", place: "_Place", look: tuple[str | None, str, float]) -> None:  # noqa: ANN401  # reportlab ships no types
    fill, line, pt = look
    from reportlab.graphics.shapes import Path
    from reportlab.lib.colors import HexColor

    for part in shapely.get_parts(seen):
        if part.is_empty or part.geom_type not in ("Polygon", "LineString"):
            continue
        area = part.geom_type == "Polygon"
        path = Path(fillColor=HexColor(fill) if fill and area else None, strokeColor=HexColor(line), strokeWidth=pt, fillMode=0)
        for ring in [part.exterior, *part.interiors] if area else [part]:
            for n, (x, y, *_) in enumerate(ring.coords):
                (path.lineTo if n else path.moveTo)(*place.on_paper(x, y))
            if area:
                path.closePath()
        picture.add(path)


def _furniture(picture: Any, width_pt: float, height_pt: float, feet_per_inch: int) -> None:  # noqa: ANN401
    from reportlab.graphics.shapes import Line, Polygon, Rect, String
    from reportlab.lib.colors import HexColor

    dark = HexColor("#1a1a1a")
    picture.add(Rect(6, 6, 160, 26, fillColor=HexColor("#ffffff"), strokeColor=None, fillOpacity=0.85))
    picture.add(Line(12, 22, 84, 22, strokeColor=dark, strokeWidth=1.5))
    for tick in (12, 84):
        picture.add(Line(tick, 18, tick, 26, strokeColor=dark, strokeWidth=1))
    picture.add(
        String(12, 9, f"{feet_per_inch:,} ft      1 in = {feet_per_inch:,} ft", fontName=FONT, fontSize=7, fillColor=dark)
    )
    x, y = width_pt - 18, height_pt - 34
    picture.add(Polygon([x, y + 24, x - 6, y, x, y + 6, x + 6, y], fillColor=dark, strokeColor=dark))
    picture.add(String(x, y - 8, "N", fontName=FONT, fontSize=8, textAnchor="middle", fillColor=dark))
