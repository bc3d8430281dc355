"""How the map for the record is cut into sheets: its scale, what each sheet shows, and where the numbers stand. All of it is in feet or points; nothing is drawn."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from geonotice.packet.pdf_text import width_pt as measured_pt
from geonotice.packet.printed_map import Label, Spot, Written, box_of, label_of_line, place_labels

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["MARK_PT", "SCALES", "Numbered", "Place", "Plan", "Sheet", "plan_sheets"]

SCALES = tuple(step * power for power in (1, 10, 100, 1000) for step in (10, 20, 30, 40, 50, 60))
"""Feet to an inch, as an engineer's scale has them."""

NUMBER_PT, SMALLER_PT = 8.0, (7.0, 6.0)
"""The type of the numbers: none is under 6 points."""

_PREMISES_PT = 9.0
_STREET_PT = 6.5

_OVERLAP_PT = 16.0
"""A sheet shows so much beyond its match lines, for whoever lays two sheets side by side."""

_FEW_LEADERS, _SHARE_OF_LEADERS = 6, 0.15
"""So many numbers, or such a share of them, may stand beside their parcels on a sheet that is still easy to read."""

MARK_PT = 7.0
"""The type of a sheet's name on the index."""

_LARGER = 1.5
"""A part of the map is drawn so much larger at least."""
_TRIES = 6
_MOST_SHEETS = 120
_LEVEL_DEG = 5.0
_SAME_FT = 0.5
"""Parcels whose middles and extents are as near as this are drawn one over the other: the units of a building."""


class Numbered(Struct, frozen=True, eq=False):
    """A parcel and what is written on it; ``premises`` are written first and larger."""

    text: str
    geometry: "BaseGeometry"
    premises: bool = False


class Place(Struct, frozen=True):
    """Where a sheet's frame lies in the town's CRS, in feet, and its scale; the frame's lower left corner is the origin in points."""

    left: float
    bottom: float
    feet_per_inch: int
    width_pt: float
    height_pt: float

    @property
    def per_foot(self) -> float:
        """Return how many points a foot has."""
        return 72.0 / self.feet_per_inch

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Return the extent of the frame, in feet."""
        return (self.left, self.bottom, self.left + self.width_pt / self.per_foot, self.bottom + self.height_pt / self.per_foot)

    def spot(self, point: "shapely.Point") -> Spot:
        """Return a point of the town in points."""
        return Spot((point.x - self.left) * self.per_foot, (point.y - self.bottom) * self.per_foot)

    def on_paper(self, geometry: Any) -> Any:  # noqa: ANN401  # a geometry or an array of them
        """Return a geometry, or several, in points."""
        return shapely.transform(geometry, lambda xy: (xy[:, :2] - (self.left, self.bottom)) * self.per_foot)


class Sheet(Struct, frozen=True, kw_only=True):
    """A sheet of the map.

    Parameters
    ----------
    number
        From 1; the index is the first where there is one.
    place
        Its frame.
    written
        The numbers and names on it.
    beyond
        The sheets beside it, by side: ``west``, ``east``, ``south``, ``north``.
    unnumbered
        The numbers that found no room on it.
    marks
        On the index: where each other sheet is named, in the order of the sheets.
    """

    number: int
    place: Place
    written: Sequence[Written] = ()
    beyond: Mapping[str, int] = {}
    unnumbered: Sequence[str] = ()
    marks: Sequence[Written] = ()

    @property
    def inner_pt(self) -> tuple[float, float, float, float]:
        """Return what lies within the match lines, in points."""
        edges = {"west": 0.0, "south": 0.0, "east": self.place.width_pt, "north": self.place.height_pt}
        inward = {"west": _OVERLAP_PT, "south": _OVERLAP_PT, "east": -_OVERLAP_PT, "north": -_OVERLAP_PT}
        west, south, east, north = (edges[side] + (inward[side] if side in self.beyond else 0.0) for side in edges)
        return west, south, east, north

    @property
    def cell_ft(self) -> tuple[float, float, float, float]:
        """Return its part of the map, in feet: what it shows but for the overlap with its neighbours."""
        west, south, east, north = self.place.window
        inward = _OVERLAP_PT / self.place.per_foot
        return west + inward, south + inward, east - inward, north - inward


class Plan(Struct, frozen=True):
    """The sheets: one with all numbers; or one with those that it has room for, and a sheet at a larger scale for each part where it has not."""

    sheets: Sequence[Sheet]

    @property
    def index(self) -> Sheet | None:
        """Return the sheet of the whole, which shows where the others lie; None where it is the only one."""
        return self.sheets[0] if len(self.sheets) > 1 else None


class _Group(Struct, frozen=True, eq=False):
    """Parcels drawn at one place, with the middle of their widest part and how far it is from their lot lines, their center, and how they are turned."""

    text: str
    geometry: "BaseGeometry"
    middle: "shapely.Point"
    radius_ft: float
    premises: bool
    heart: "shapely.Point | None"
    angle_deg: float


def plan_sheets(
    parcels: Sequence[Numbered],
    *,
    extent: tuple[float, float, float, float],
    frame_pt: tuple[float, float],
    streets: Mapping[str, "BaseGeometry"] | None = None,
) -> Plan:
    """Choose the scale at which every parcel of the extent has its number, and cut the map into as many sheets as that takes."""
    groups = _groups(parcels, shapely.box(*extent))
    names = streets or {}
    whole = Sheet(number=1, place=_centered(extent, _least_scale(extent, frame_pt), frame_pt))
    premises = [group for group in groups if group.premises]
    index, missing = _written(whole, groups, owned=premises, streets={})
    one = None
    if len(missing) <= _leaders(len(groups)):
        one, _ = _written(whole, groups, owned=groups, streets=names)
        if not one.unnumbered:
            return Plan((one,))
    left = [group for group in missing if not group.premises or group.text in index.unnumbered]
    best = _parts(groups, left, whole.place, names)
    if not best or (one is not None and _unnumbered(best) >= len(one.unnumbered)):
        return Plan((one or _written(whole, groups, owned=groups, streets=names)[0],))
    return Plan((_with_marks(index, best), *best))


def _parts(
    groups: Sequence[_Group], left_out: Sequence[_Group], whole: Place, streets: Mapping[str, "BaseGeometry"]
) -> list[Sheet]:
    """Return the sheets of the first scale that has room for all numbers and is easy to read, or else of the scale that leaves out the fewest."""
    scales = list(_finer(left_out, whole.feet_per_inch))
    begun: list[tuple[list[Sheet], Iterator[Sheet]]] = []
    for scale in scales:
        drawing = _tiles(groups, left_out, whole, scale, streets, thorough=scale == scales[-1])
        if drawing is None:
            break
        sheets: list[Sheet] = []
        for sheet in drawing:
            sheets.append(sheet)
            if sheet.unnumbered or not _easy(sheet):
                begun.append((sheets, drawing))  # its other sheets are needed only where no scale has room for all
                break
        else:
            return sheets
    return min(([*sheets, *rest] for sheets, rest in begun), key=_unnumbered, default=[])


def _unnumbered(sheets: Sequence[Sheet]) -> int:
    return sum(len(sheet.unnumbered) for sheet in sheets)


def _with_marks(index: Sheet, sheets: Sequence[Sheet]) -> Sheet:
    """Name each sheet on the index, within what it shows and over no number."""
    window = shapely.box(0, 0, index.place.width_pt, index.place.height_pt)
    taken = [box_of(one) for one in index.written]
    marks: list[Written] = []
    for sheet in sheets:
        text = f"SHEET {sheet.number}"
        cell = index.place.on_paper(shapely.box(*sheet.cell_ft)).intersection(window)
        west, south, east, north = cell.bounds
        half, high = measured_pt(text, MARK_PT) / 2 + 3, MARK_PT * 0.75
        xs = np.linspace(west + half, max(east - half, west + half), 8).tolist()
        ys = np.linspace(north - high, min(south + high, north - high), 12).tolist()
        spots = tuple(Spot(x, y) for y in ys for x in xs)
        placed = place_labels([Label(text, MARK_PT, spots)], window=window, taken=taken).written
        mark = placed[0] if placed else Written(text, MARK_PT, spots[0])
        taken.append(box_of(mark).buffer(2))
        marks.append(mark)
    return replace(index, marks=tuple(marks))


def _groups(parcels: Sequence[Numbered], extent: "BaseGeometry") -> list[_Group]:
    """Put parcels that are drawn one over the other under one number, and find the place for it in what of each is on the map."""
    at: dict[tuple[int, ...], list[Numbered]] = {}
    for one in parcels:
        seen = shapely.intersection(one.geometry, extent)
        if shapely.area(seen) > 0:
            key = tuple(round(edge / _SAME_FT) for edge in (*one.geometry.bounds, one.geometry.area**0.5))
            at.setdefault((int(one.premises), *key), []).append(one)
    tree = shapely.STRtree([those[0].geometry for those in at.values()])
    made = []
    for n, those in enumerate(at.values()):
        shape = those[0].geometry
        # The number of common land must not stand on a unit that lies in it.
        inside = [k for k in tree.query(shape, predicate="contains") if k != n]
        rest = shapely.difference(shape, shapely.union_all(tree.geometries[inside])) if inside else shape
        rest = shape if shapely.area(rest) < shape.area / 50 else rest
        middle, radius_ft = _middle(shapely.intersection(rest, extent))
        texts = list(dict.fromkeys(one.text for one in those))
        text = texts[0] if len(texts) == 1 else _several(texts)
        heart = shapely.centroid(rest)
        made.append(
            _Group(
                text,
                rest,
                middle,
                radius_ft,
                those[0].premises,
                heart if shapely.contains(rest, heart) else None,
                _long_side(rest),
            )
        )
    return made


def _several(texts: Sequence[str]) -> str:
    """Return the numbers of parcels that lie one over the other: all where they are few, else the first and the last of a run or a plus sign."""
    numbers = [int(text) for text in texts if text.isdecimal()]
    if len(numbers) == len(texts):
        from geonotice.recipients import numbers_label

        return numbers_label(numbers)
    return ", ".join(texts) if len(texts) == 2 else f"{texts[0]}+"  # noqa: PLR2004  # a pair is short


def _middle(shape: "BaseGeometry") -> "tuple[shapely.Point, float]":
    """Return the middle of the largest circle in a shape, and its radius; a lake shore of thousands of points is simplified first."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > 0]
    if not parts:
        return shapely.point_on_surface(shape), 0.0
    widest = max(parts, key=lambda part: part.area)
    if shapely.get_num_coordinates(widest) > 200:  # noqa: PLR2004  # vertices
        plainer = shapely.simplify(widest, widest.area**0.5 / 100)
        widest = plainer if plainer.is_valid and plainer.geom_type == "Polygon" and not plainer.is_empty else widest
    circle = shapely.maximum_inscribed_circle(widest, tolerance=max(widest.area**0.5 / 50, 0.05))
    return shapely.get_point(circle, 0), float(circle.length)


def _least_scale(extent: tuple[float, float, float, float], frame_pt: tuple[float, float]) -> int:
    west, south, east, north = extent
    needed = max((east - west) / (frame_pt[0] / 72), (north - south) / (frame_pt[1] / 72))
    return next((scale for scale in SCALES if scale >= needed), SCALES[-1])


def _centered(extent: tuple[float, float, float, float], scale: int, frame_pt: tuple[float, float]) -> Place:
    west, south, east, north = extent
    left = (west + east) / 2 - frame_pt[0] / 72 * scale / 2
    bottom = (south + north) / 2 - frame_pt[1] / 72 * scale / 2
    return Place(left, bottom, scale, *frame_pt)


def _easy(sheet: Sheet) -> bool:
    return sum(one.leader is not None for one in sheet.written) <= _leaders(len(sheet.written))


def _leaders(numbers: int) -> float:
    """Return how many of the numbers of a sheet may stand beside their parcels."""
    return max(_FEW_LEADERS, _SHARE_OF_LEADERS * numbers)


def _finer(groups: Sequence[_Group], whole: int) -> Iterator[int]:
    """Return the scales to try, from the one at which many of the numbers should stand in their parcels."""
    # Along a narrow lot a number needs no more than its height.
    fits = sorted(72 * group.radius_ft / (SMALLER_PT[-1] * 0.55) for group in groups)
    wanted = fits[len(fits) // 2]
    below = [scale for scale in SCALES if _LARGER * scale <= whole]
    fitting = [scale for scale in below if scale <= wanted] or below[:1]
    # From the smallest scale on: it takes the fewest sheets.
    yield from reversed(fitting[-_TRIES:])


def _tiles(
    groups: Sequence[_Group],
    left_out: Sequence[_Group],
    whole: Place,
    scale: int,
    streets: Mapping[str, "BaseGeometry"],
    *,
    thorough: bool,
) -> Iterator[Sheet] | None:
    """Cut into sheets of a scale, from the north-west on, the parts where the whole has no room for numbers; None where they are too many.

    Each sheet is written on as it is asked for.

    Unless it is to be ``thorough``, a sheet with far too many numbers that would stand beside their parcels is left as it is.
    """
    west, south, east, north = shapely.total_bounds([group.middle for group in left_out]).tolist()
    frame_pt = (whole.width_pt, whole.height_pt)
    pitch = [(side - 2 * _OVERLAP_PT) / 72 * scale for side in frame_pt]
    columns, rows = max(ceil((east - west) / pitch[0]), 1), max(ceil((north - south) / pitch[1]), 1)
    left, top = (west + east - columns * pitch[0]) / 2, (south + north + rows * pitch[1]) / 2
    margin = _OVERLAP_PT / 72 * scale

    def cell_of(group: _Group) -> tuple[int, int]:
        row, column = int((top - group.middle.y) // pitch[1]), int((group.middle.x - left) // pitch[0])
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    owned: dict[tuple[int, int], list[_Group]] = {}
    for group in left_out:
        owned.setdefault(cell_of(group), []).append(group)
    if len(owned) > _MOST_SHEETS:
        return None
    tree = shapely.STRtree([group.geometry for group in groups])
    numbers = {cell: n for n, cell in enumerate(sorted(owned), 2)}

    def sheets() -> Iterator[Sheet]:
        for (row, column), number in numbers.items():
            sides = {"west": (row, column - 1), "south": (row + 1, column), "east": (row, column + 1), "north": (row - 1, column)}
            place = Place(left + column * pitch[0] - margin, top - (row + 1) * pitch[1] - margin, scale, *frame_pt)
            sheet = Sheet(number=number, place=place)
            ends = dict(zip(("west", "south", "east", "north"), sheet.cell_ft, strict=True))
            of_whole = dict(zip(ends, whole.window, strict=True))
            on_whole = {
                side: ends[side] > of_whole[side] if side in ("west", "south") else ends[side] < of_whole[side] for side in ends
            }
            beyond = {side: numbers.get(cell, 1) for side, cell in sides.items() if cell in numbers or on_whole[side]}
            sheet = replace(sheet, beyond=beyond)
            found = [groups[n] for n in sorted(tree.query(shapely.box(*sheet.cell_ft), predicate="intersects"))]
            yield _written(sheet, found, owned=owned[row, column], streets=streets, thorough=thorough)[0]

    return sheets()


def _written(
    sheet: Sheet,
    groups: Sequence[_Group],
    *,
    owned: Sequence[_Group],
    streets: Mapping[str, "BaseGeometry"],
    thorough: bool = True,
) -> tuple[Sheet, list[_Group]]:
    """Write on a sheet what it has room for: in the parcels, and beside them for those that are the sheet's ``owned``; then the streets' names.

    Return with it what stands in no parcel of its own.
    """
    window = shapely.box(*sheet.inner_pt)
    room = window.buffer(-1.5, join_style="mitre")
    must = {id(group) for group in owned}
    labels = [
        (group, label) for group, label in zip(groups, _labels(groups, sheet.place, window), strict=True) if label is not None
    ]
    labels.sort(key=lambda pair: not pair[0].premises)
    inside = place_labels([label for _, label in labels], window=room)
    missing = [labels[n] for n in inside.left_at]
    wanted = [replace(label, aside=True) for group, label in missing if id(group) in must]
    if not thorough and len(wanted) > 2 * _leaders(len(labels)):
        return replace(sheet, written=inside.written, unnumbered=tuple(label.text for label in wanted)), []
    aside = place_labels(wanted, window=room, taken=[box_of(one) for one in inside.written])
    if aside.left_at:  # these may cover what others point to
        taken = [box_of(one) for one in (*inside.written, *aside.written)]
        taken += [_leader_of(one) for one in aside.written]
        more = place_labels([wanted[n] for n in aside.left_at], window=room, taken=taken)
        aside = replace(more, written=[*aside.written, *more.written])
    written = [*inside.written, *aside.written]
    names = [label_of_line(name, _STREET_PT, part) for name, part in _streets_on(sheet, streets, room)]
    taken = [box_of(one) for one in written]
    taken += [_leader_of(one) for one in aside.written]
    made = replace(
        sheet,
        written=(*written, *place_labels(names, window=room, taken=taken).written),
        unnumbered=tuple(aside.left_out),
    )
    return made, [group for group, _ in missing]


def _leader_of(one: Written) -> "BaseGeometry":
    return shapely.LineString([(one.spot.x, one.spot.y), one.leader or (one.spot.x, one.spot.y)])


def _labels(groups: Sequence[_Group], place: Place, window: "BaseGeometry") -> Iterator[Label | None]:
    """Yield the label of each parcel on a sheet, None for one that is not on it."""
    shapes = place.on_paper(np.array([group.geometry for group in groups], dtype=object))
    shapely.prepare(window)
    for group, shape, whole in zip(groups, shapes, shapely.contains_properly(window, shapes), strict=True):
        if whole:
            spots = [place.spot(one) for one in (group.heart, group.middle) if one is not None]
            yield _label(group, shape, spots, group.angle_deg)
            continue
        part = shapely.intersection(shape, window)
        if shapely.area(part) <= 0:
            yield None
            continue
        middle, heart = _middle(part)[0], shapely.centroid(part)
        yield _label(
            group, part, [Spot(one.x, one.y) for one in (heart, middle) if one is middle or part.contains(one)], _long_side(part)
        )


def _label(group: _Group, part: "BaseGeometry", spots: Sequence[Spot], angle: float) -> Label:
    size = _PREMISES_PT if group.premises else NUMBER_PT
    smaller = (NUMBER_PT, *SMALLER_PT) if group.premises else SMALLER_PT
    # In the middle of a plain lot, and in the widest place of another; along a narrow lot last.
    along = tuple(Spot(spot.x, spot.y, angle) for spot in spots) if abs(angle) > _LEVEL_DEG else ()
    return Label(group.text, size, (*spots, *along), part, smaller_pt=smaller)


def _long_side(part: "BaseGeometry") -> float:
    """Return how far the longer side of a lot is turned from level, from -90 to 90 degrees."""
    around = shapely.minimum_rotated_rectangle(part)
    if around.geom_type != "Polygon":
        return 0.0
    corners = shapely.get_coordinates(around)
    sides = np.diff(corners[:3], axis=0)
    x, y = sides[int(np.hypot(*sides.T).argmax())].tolist()
    return (float(np.degrees(np.arctan2(y, x))) + 90) % 180 - 90


def _streets_on(sheet: Sheet, streets: Mapping[str, "BaseGeometry"], room: "BaseGeometry") -> list[tuple[str, "BaseGeometry"]]:
    found = []
    for name, line in streets.items():
        seen = shapely.intersection(sheet.place.on_paper(line), room)
        parts = [part for part in shapely.get_parts(seen) if part.geom_type == "LineString" and part.length > 1]
        if parts:
            found.append((name, shapely.union_all(parts)))
    return found
