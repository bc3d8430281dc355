"""Draw a sheet of the map for the record on a page: areas with their hatches, lines and numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.io.palette import HATCHES, Hatch
from geonotice.maps.titles_and_badges import EVIDENCE_LOOKS, LOOKS, Look, other_evidence
from geonotice.packet.pdf_pages import color_of
from geonotice.packet.pdf_text import FONT, width_pt

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.packet.exhibit_sheets import Place, Sheet
    from geonotice.packet.printed_map import Written

__all__ = ["Layer", "draw_sheet", "draw_swatch", "look_of"]

_DARK, _WHITE = "#1a1a1a", "#ffffff"
_PT_OF_PIXEL = 0.55
"""Lines and hatches of the screen, as paper has them."""
_CONTEXT_PT = 0.35
_FRAME_PT = 1.0
_MATCH_PT = 6.5
_DETAIL_PT = 0.05
"""Nothing smaller is seen on paper: a lake shore of thousands of points is drawn with fewer."""
_DOT_PT = 2.6


class Layer(Struct, frozen=True, eq=False):
    """Shapes of one kind, in feet; ``kind`` is one of :data:`LOOKS` or, with ``evidence``, of what a finding rests on."""

    kind: str
    shapes: "Sequence[BaseGeometry]"
    evidence: bool = False

    @property
    def look(self) -> Look:
        """Return how it is drawn."""
        return look_of(self.kind, evidence=self.evidence)


def look_of(kind: str, *, evidence: bool = False) -> Look:
    """Return how a kind is drawn, as the map in the browser has it."""
    if evidence:
        return EVIDENCE_LOOKS.get(kind) or other_evidence(kind)
    return LOOKS[kind]


def draw_sheet(
    canvas: Any,  # noqa: ANN401  # reportlab ships no types
    sheet: "Sheet",
    layers: Iterable[Layer],
    *,
    parts: "Sequence[Sheet]" = (),
    x: float,
    y: float,
) -> None:
    """Draw the map of a sheet; ``x`` and ``y`` are the lower left corner of its frame on the page, ``parts`` the sheets that an index names."""
    place = sheet.place
    canvas.saveState()
    canvas.translate(x, y)
    canvas.saveState()
    frame = canvas.beginPath()
    frame.rect(0, 0, place.width_pt, place.height_pt)
    canvas.clipPath(frame, stroke=0, fill=0)
    for layer in layers:
        _draw_layer(canvas, layer, place)
    _draw_match_lines(canvas, sheet)
    _draw_parts(canvas, sheet, parts)
    for one in sheet.written:
        if one.leader is not None:
            _draw_leader(canvas, one)
    for one in sheet.written:
        _write(canvas, one)
    canvas.restoreState()
    canvas.setStrokeColor(color_of(_DARK))
    canvas.setLineWidth(_FRAME_PT)
    canvas.rect(0, 0, place.width_pt, place.height_pt, stroke=1, fill=0)
    canvas.restoreState()


def _draw_layer(canvas: Any, layer: Layer, place: "Place") -> None:  # noqa: ANN401
    seen = _seen(layer.shapes, place)
    if not len(seen):
        return
    look = layer.look
    if look.point:
        for shape in seen:
            middle = shape.centroid
            _dot(canvas, middle.x, middle.y, look)
        return
    kinds = shapely.get_dimensions(seen)
    _draw_shapes(canvas, seen, look, thin=layer.kind in ("context", "lots"), filled=bool((kinds == 2).any()))  # noqa: PLR2004  # areas


def _seen(shapes: "Sequence[BaseGeometry]", place: "Place") -> "Any":  # noqa: ANN401  # an array of geometries
    """Return what of the shapes is on the sheet, in points, area by area and line by line."""
    found = np.array(list(shapes), dtype=object)
    if not len(found):
        return found
    west, south, east, north = place.window
    pad = 12 / place.per_foot  # an outline along the frame must not be seen where the frame cuts an area
    box = shapely.box(west - pad, south - pad, east + pad, north + pad)
    found = found[shapely.intersects(found, box)]
    inside = shapely.contains_properly(box, found)
    found[~inside] = shapely.intersection(found[~inside], box)
    parts = shapely.get_parts(found)
    parts = parts[shapely.get_num_coordinates(parts) > 0]
    on_paper = shapely.transform(shapely.force_2d(parts), lambda xy: (xy - (west, south)) * place.per_foot)
    big = shapely.get_num_coordinates(on_paper) > 200  # noqa: PLR2004  # vertices
    on_paper[big] = shapely.simplify(on_paper[big], _DETAIL_PT)
    return on_paper


def _draw_shapes(canvas: Any, shapes: "Any", look: Look, *, thin: bool = False, filled: bool = True) -> None:  # noqa: ANN401
    """Fill and hatch all shapes of a kind at once, then draw their outlines."""
    areas = [shape for shape in shapes if shape.geom_type == "Polygon"]
    canvas.saveState()
    if filled and areas and not look.line:
        path = _path(canvas, shapely.orient_polygons(np.array(areas, dtype=object)))
        hatch = HATCHES[look.hatch.removeprefix("hatch-")] if look.hatch else None
        ground = hatch.ground if hatch else look.fill
        if ground and ground != "none" and (look.fill_opacity or hatch):
            canvas.setFillColor(color_of(ground))
            canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
        if hatch:
            canvas.saveState()
            canvas.clipPath(path, stroke=0, fill=0, fillMode=1)
            _draw_hatch(canvas, hatch, shapely.total_bounds(np.array(areas, dtype=object)).tolist())
            canvas.restoreState()
    canvas.setStrokeColor(color_of(look.stroke))
    canvas.setLineWidth(_CONTEXT_PT if thin else max(look.weight * _PT_OF_PIXEL, 0.4))
    canvas.setLineJoin(1)
    if look.dash:
        canvas.setDash([float(part) * _PT_OF_PIXEL for part in look.dash.split()])
    canvas.drawPath(_path(canvas, shapes), stroke=1, fill=0)
    canvas.restoreState()


def _path(canvas: Any, shapes: "Iterable[BaseGeometry]") -> Any:  # noqa: ANN401
    """Return the outlines as a path, to a hundredth of a point; a map has tens of thousands of corners, and the library writes each by itself."""
    path = canvas.beginPath()
    code = path._code  # noqa: SLF001  # reportlab has no other way to write many corners at once
    for shape in shapes:
        for ring, closed in _lines(shape):
            (x, y), *rest = ring
            code.append(f"{x:.2f} {y:.2f} m")
            code += [f"{x:.2f} {y:.2f} l" for x, y in rest]
            if closed:
                code.append("h")
    return path


def _lines(shape: "BaseGeometry") -> Iterator[tuple[list[tuple[float, float]], bool]]:
    if isinstance(shape, shapely.Polygon):
        for ring in (shape.exterior, *shape.interiors):
            yield shapely.get_coordinates(ring)[:-1].tolist(), True
    elif shape.geom_type in ("LineString", "LinearRing"):
        yield shapely.get_coordinates(shape).tolist(), False


def _draw_hatch(canvas: Any, hatch: Hatch, bounds: "Sequence[float]") -> None:  # noqa: ANN401
    """Draw the marks of a pattern over an extent; what is to be hatched is the clip."""
    step = hatch.size * _PT_OF_PIXEL * 1.3
    canvas.setStrokeColor(color_of(hatch.ink))
    if hatch.marks == "dots":
        canvas.setLineCap(1)
        canvas.setLineWidth(max(2 * hatch.width * _PT_OF_PIXEL, 0.7))
        canvas.setDash([0.01, step])
        _stripes(canvas, bounds, hatch.angle + 90, step)
        return
    canvas.setLineWidth(max(hatch.width * 0.28, 0.35))
    if hatch.marks in ("stripes", "crossed"):
        _stripes(canvas, bounds, hatch.angle, step)
    if hatch.marks in ("rungs", "crossed"):
        _stripes(canvas, bounds, hatch.angle + 90, step)


def _stripes(canvas: Any, bounds: "Sequence[float]", angle: int, step: float) -> None:  # noqa: ANN401
    """Draw parallel lines; upright at an angle of 0, turned clockwise. They begin at the page's own corner, so that neighbours fit together."""
    west, south, east, north = bounds
    along = np.array([np.sin(np.radians(angle)), np.cos(np.radians(angle))])
    across = np.array([along[1], -along[0]])
    corners = np.array([(west, south), (west, north), (east, south), (east, north)])
    first, last = (corners @ across).min(), (corners @ across).max()
    low, high = (corners @ along).min(), (corners @ along).max()
    low = np.floor(low / step) * step
    path = canvas.beginPath()
    for n in range(int(np.ceil(first / step)), int(last // step) + 1):
        start, end = n * step * across + low * along, n * step * across + high * along
        path.moveTo(*start.tolist())
        path.lineTo(*end.tolist())
    canvas.drawPath(path, stroke=1, fill=0)


def _dot(canvas: Any, x: float, y: float, look: Look) -> None:  # noqa: ANN401
    canvas.setFillColor(color_of(look.fill or _WHITE))
    canvas.setStrokeColor(color_of(look.stroke))
    canvas.setLineWidth(1.0)
    canvas.circle(x, y, _DOT_PT, stroke=1, fill=1)


def _draw_leader(canvas: Any, one: "Written") -> None:  # noqa: ANN401
    if one.leader is None:
        return
    x, y = one.leader
    canvas.setStrokeColor(color_of(_DARK))
    canvas.setFillColor(color_of(_DARK))
    canvas.setLineWidth(0.5)
    canvas.line(one.spot.x, one.spot.y, x, y)
    canvas.circle(x, y, 0.9, stroke=0, fill=1)


def _write(canvas: Any, one: "Written") -> None:  # noqa: ANN401
    half, size = width_pt(one.text, one.size_pt) / 2, one.size_pt
    canvas.saveState()
    canvas.translate(one.spot.x, one.spot.y)
    if one.spot.angle:
        canvas.rotate(one.spot.angle)
    canvas.setFillColor(color_of(_WHITE))
    canvas.setStrokeColor(color_of(_DARK))
    canvas.setLineWidth(0.4)
    canvas.rect(-half - 0.8, -size * 0.5, 2 * half + 1.6, size, stroke=int(one.leader is not None), fill=1)
    canvas.setFillColor(color_of(_DARK))
    canvas.setFont(FONT, size)
    canvas.drawCentredString(0, -size * 0.36, one.text)
    canvas.restoreState()


def _draw_match_lines(canvas: Any, sheet: "Sheet") -> None:  # noqa: ANN401
    """Draw the lines along which sheets meet, each with the number of the sheet beyond it."""
    west, south, east, north = sheet.inner_pt
    ends = {
        "west": ((west, south), (west, north), (west - 8, (south + north) / 2), 90),
        "east": ((east, south), (east, north), (east + 8, (south + north) / 2), 90),
        "south": ((west, south), (east, south), ((west + east) / 2, south - 8), 0),
        "north": ((west, north), (east, north), ((west + east) / 2, north + 8), 0),
    }
    for side, number in sheet.beyond.items():
        start, end, (x, y), angle = ends[side]
        canvas.saveState()
        canvas.setStrokeColor(color_of(_DARK))
        canvas.setLineWidth(1.2)
        canvas.setDash([14, 3, 3, 3])
        canvas.line(*start, *end)
        canvas.setDash()
        canvas.translate(x, y)
        canvas.rotate(angle)
        words = f"MATCH LINE: SEE SHEET {number}"
        half = width_pt(words, _MATCH_PT) / 2 + 3
        canvas.setFillColor(color_of(_WHITE))
        canvas.rect(-half, -4, 2 * half, 8, stroke=0, fill=1)
        canvas.setFillColor(color_of(_DARK))
        canvas.setFont(FONT, _MATCH_PT)
        canvas.drawCentredString(0, -_MATCH_PT * 0.36, words)
        canvas.restoreState()


def draw_swatch(canvas: Any, look: Look, *, x: float, y: float, width: float = 20.0, height: float = 9.0) -> None:  # noqa: ANN401
    """Draw a sample of a kind, its lower left corner at ``x`` and ``y``."""
    canvas.saveState()
    if look.point:
        _dot(canvas, x + width / 2, y + height / 2, look)
    else:
        line = shapely.LineString([(x, y + height / 2), (x + width, y + height / 2)])
        shape = line if look.line else shapely.box(x, y, x + width, y + height)
        _draw_shapes(canvas, np.array([shape], dtype=object), look)
    canvas.restoreState()


def _draw_parts(canvas: Any, index: "Sheet", sheets: "Sequence[Sheet]") -> None:  # noqa: ANN401
    """Draw on the index what each sheet shows, with its name."""
    canvas.saveState()
    canvas.setLineWidth(1.4)
    canvas.setStrokeColor(color_of(_DARK))
    frame = shapely.box(0, 0, index.place.width_pt, index.place.height_pt)
    for sheet in sheets:
        west, south, east, north = shapely.intersection(index.place.on_paper(shapely.box(*sheet.cell_ft)), frame).bounds
        canvas.rect(west, south, east - west, north - south, stroke=1, fill=0)
    for mark in index.marks:
        half, size = width_pt(mark.text, mark.size_pt) / 2 + 2, mark.size_pt
        canvas.setFillColor(color_of(_DARK))  # turned round, so that nobody takes it for a number of the list
        canvas.rect(mark.spot.x - half, mark.spot.y - size * 0.6, 2 * half, size * 1.2, stroke=0, fill=1)
        canvas.setFillColor(color_of(_WHITE))
        canvas.setFont(FONT, size)
        canvas.drawCentredString(mark.spot.x, mark.spot.y - size * 0.36, mark.text)
    canvas.restoreState()
