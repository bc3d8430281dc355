"""Draw the curves of an Esri JSON document as short straight lines: GDAL passes over ``curveRings`` and ``curvePaths``, and over the parcels in them.

Format: Esri, "Geometry objects", ArcGIS REST API: an arc ``{"a": [end, center, minor, clockwise, rotation, axis, ratio]}`` (of a circle without
the last three), an arc by a point on it ``{"c": [end, through]}``, a Bézier ``{"b": [end, control, control]}``.
"""

import json
import math
import mmap
from pathlib import Path
from typing import Any

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.source import Note

__all__ = ["STRAY", "straightened"]

STRAY = 0.003
"""How far a straight line may stray from its curve, in the layer's unit: a hundredth of a foot where that is the meter."""

_STRAY_DEGREES = 2.5e-8
"""The same in degrees."""

_MARKS = (b'"curveRings"', b'"curvePaths"')
_PLAIN = {"curveRings": "rings", "curvePaths": "paths"}
_WORLD = 360.0
_FULL = 2 * math.pi
_NAMED = 5
_MOST = 100_000
"""Most lines for one curve."""

_LARGEST = 1 << 30
"""Most bytes of a document with curves: it is held in memory."""

_Point = tuple[float, float]


def straightened(shown: Path, path: Path, room: Path) -> tuple[Path, tuple[Note, ...]]:
    """Return a document as it is where it has no curves, else a copy in ``room`` with its curves drawn as straight lines, and a note.

    Raises
    ------
    UnreadableLayer
        A curve of it is none that is known; the records are named.
    """
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if all(data.find(mark) < 0 for mark in _MARKS):
            return path, ()
        if len(data) > _LARGEST:
            raise UnreadableLayer(
                Fault(
                    what=f"the file has curves and more than {_LARGEST >> 30} GB",
                    why="curves are drawn as straight lines in memory, and this computer may not have so much",
                    remedy="ask for the layer as a file geodatabase or GeoPackage",
                    file=str(shown),
                )
            )
        text = data[:]
    try:
        # bytes that are not UTF-8 are kept as they are, for whoever looks at the text
        document = json.loads(text.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return path, ()  # damaged: counting its entries comes next, and tells where
    features = document.get("features") if isinstance(document, dict) else None
    changed, faults = 0, []
    for number, feature in enumerate(features if isinstance(features, list) else [], start=1):
        shape: Any = feature.get("geometry") if isinstance(feature, dict) else None
        name = next((name for name in _PLAIN if isinstance(shape, dict) and shape.get(name)), None)
        if name is None:
            continue
        try:
            shape[_PLAIN[name]] = [_line(part) for part in shape.pop(name)]
        except (TypeError, ValueError, KeyError, IndexError, OverflowError, ZeroDivisionError) as error:
            faults.append(f"record {number}{_label(feature)}: {error}")
        changed += 1
    if faults:
        more = f", and {len(faults) - _NAMED} more" if len(faults) > _NAMED else ""
        raise UnreadableLayer(
            Fault(
                what=f"{len(faults):,} records have curves that cannot be drawn ({'; '.join(faults[:_NAMED])}{more})",
                why="their owners would be left off every list",
                remedy="ask for the layer with true curves off (returnTrueCurves=false), or as a file geodatabase",
                file=str(shown),
            )
        )
    if not changed:
        return path, ()
    target = room / f"{path.stem}{path.suffix}"
    target.unlink(missing_ok=True)  # what stands there may be a link to the file itself, which is never written to
    target.write_bytes(_encoded(json.dumps(document, ensure_ascii=False)))
    note = f"Records with curves: {changed:,}. Each curve was drawn as straight lines that stray less than 0.01 ft from it."
    return target, (Note("curve", note),)


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a letter that is written in two halves
        return text.encode("utf-8", "replace")


def _label(feature: dict[str, Any]) -> str:
    attributes = feature.get("attributes")
    for name, value in (attributes if isinstance(attributes, dict) else {}).items():
        if value not in (None, ""):
            return f" ({name} {str(value)[:40]})"
    return ""


def _line(part: Any) -> list[list[float]]:  # noqa: ANN401  # whatever a file has
    """Draw a ring or a path of points and curves."""
    line: list[_Point] = []
    for piece in part:
        if isinstance(piece, dict):
            if not line:
                raise ValueError("it begins with a curve, and so has no start")
            line += _curve(line[-1], piece)
        else:
            line.append(_point(piece))
    return [list(point) for point in line]


def _point(values: Any) -> _Point:  # noqa: ANN401  # whatever a file has
    x, y = float(values[0]), float(values[1])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a corner of it is not a number")
    return x, y


def _curve(start: _Point, curve: dict[str, Any]) -> list[_Point]:
    """Draw a curve from where the line has come to, without that point."""
    if set(curve) == {"c"}:
        return _through(start, _point(curve["c"][0]), _point(curve["c"][1]))
    if set(curve) == {"b"}:
        return _bezier(start, _point(curve["b"][1]), _point(curve["b"][2]), _point(curve["b"][0]))
    if set(curve) == {"a"}:
        values = curve["a"]
        end, center = _point(values[0]), _point(values[1])
        minor, clockwise = bool(values[2]), bool(values[3])
        if len(values) > 4:  # noqa: PLR2004  # an ellipse
            return _ellipse(start, end, center, minor=minor, clockwise=clockwise, shape=tuple(float(v) for v in values[4:7]))
        return _ellipse(start, end, center, minor=minor, clockwise=clockwise, shape=(0.0, math.dist(start, center), 1.0))
    raise ValueError(f"a curve of the kind {', '.join(map(str, curve))[:40] or 'nothing'} is not known")


def _stray(point: _Point) -> float:
    return _STRAY_DEGREES if max(map(abs, point)) <= _WORLD else STRAY


def _through(start: _Point, end: _Point, middle: _Point) -> list[_Point]:
    """Draw the arc of the circle through three points; a whole circle where it ends where it began."""
    if start == end:
        center = ((start[0] + middle[0]) / 2, (start[1] + middle[1]) / 2)
        return _swept(start, end, center, sweep=_FULL, shape=(0.0, math.dist(start, center), 1.0))
    # from the start, so that large coordinates do not cost digits
    ax, ay = middle[0] - start[0], middle[1] - start[1]
    bx, by = end[0] - start[0], end[1] - start[1]
    cross = ax * by - ay * bx
    if abs(cross) <= 1e-12 * math.hypot(ax, ay) * math.hypot(bx, by):
        return [middle, end]  # they stand in one line
    a, b = ax * ax + ay * ay, bx * bx + by * by
    center = (start[0] + (by * a - ay * b) / (2 * cross), start[1] + (ax * b - bx * a) / (2 * cross))
    first, last = _angle(start, center), _angle(end, center)
    sweep = (last - first) % _FULL
    if (_angle(middle, center) - first) % _FULL > sweep:
        sweep -= _FULL
    return _swept(start, end, center, sweep=sweep, shape=(0.0, math.dist(start, center), 1.0))


def _angle(point: _Point, center: _Point) -> float:
    return math.atan2(point[1] - center[1], point[0] - center[0])


def _ellipse(start: _Point, end: _Point, center: _Point, *, minor: bool, clockwise: bool, shape: tuple[float, ...]) -> list[_Point]:  # fmt: skip
    """Draw the arc of an ellipse (rotation of its long axis, half of that axis, how much shorter the other is) around its center."""
    rotation, axis, ratio = shape
    if not (axis > 0 and 0 < ratio <= 1):
        raise ValueError("an arc of it has no radius")
    first, last = (_parameter(point, center, rotation, ratio) for point in (start, end))
    if start == end:
        return _swept(start, end, center, sweep=-_FULL if clockwise else _FULL, shape=(rotation, axis, ratio))
    sweep = (last - first) % _FULL
    if clockwise:
        sweep -= _FULL
    # where both are given they must agree; a half circle is either
    if minor != (abs(sweep) <= math.pi) and abs(abs(sweep) - math.pi) > 1e-3:  # noqa: PLR2004  # radians
        raise ValueError("an arc of it is called both the shorter and the longer way round")
    return _swept(start, end, center, sweep=sweep, shape=(rotation, axis, ratio))


def _parameter(point: _Point, center: _Point, rotation: float, ratio: float) -> float:
    dx, dy = point[0] - center[0], point[1] - center[1]
    along, across = dx * math.cos(rotation) + dy * math.sin(rotation), dy * math.cos(rotation) - dx * math.sin(rotation)
    return math.atan2(across / ratio, along)


def _swept(start: _Point, end: _Point, center: _Point, *, sweep: float, shape: tuple[float, ...]) -> list[_Point]:
    """Draw an arc by chords; its ends are the points that the file has, for the neighbors' lines end there, too."""
    rotation, axis, ratio = shape
    step = 2 * math.acos(max(1 - _stray(center) / axis, -1.0)) if axis > _stray(center) else math.pi / 2
    many = max(1, math.ceil(abs(sweep) / step))
    if many > _MOST:
        raise ValueError("a curve of it is too large to be drawn")
    first = _parameter(start, center, rotation, ratio)
    drawn = []
    for place in range(1, many):
        angle = first + sweep * place / many
        along, across = axis * math.cos(angle), axis * ratio * math.sin(angle)
        drawn.append(
            (
                center[0] + along * math.cos(rotation) - across * math.sin(rotation),
                center[1] + along * math.sin(rotation) + across * math.cos(rotation),
            )
        )
    return [*drawn, end]


def _bezier(start: _Point, one: _Point, two: _Point, end: _Point) -> list[_Point]:
    """Draw a Bézier by chords of equal parts of its parameter: its second difference bounds how far they stray."""
    bend = max(math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]) for a, b, c in ((start, one, two), (one, two, end)))
    many = max(1, math.ceil(math.sqrt(6 * bend / (8 * _stray(start)))))
    if many > _MOST:
        raise ValueError("a curve of it is too large to be drawn")
    drawn = []
    for place in range(1, many):
        t = place / many
        s = 1 - t
        drawn.append(
            tuple(
                s**3 * start[axis] + 3 * s * s * t * one[axis] + 3 * s * t * t * two[axis] + t**3 * end[axis] for axis in (0, 1)
            )
        )
    return [*((x, y) for x, y in drawn), end]
