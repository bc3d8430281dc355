"""Draw a plausible cadastre: roads, lots along them, farm lots behind, every line shared by the lots on both its sides.

All coordinates are feet on a local grid; :func:`finish` nodes everything on a grid of 0.01 ft, so that neighbours have the very same
vertices along their common line. Nothing here is random but through the ``random.Random`` that is handed in: one seed, one map.
"""

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

GRID_FT = 0.01
"""What coordinates are rounded to: finer than any survey, coarse enough to print."""

SQ_FT_PER_ACRE = 43560.0
LEAST_FRONTAGE_FT = 15.0
LOST_SQ_FT = 20.0
"""What noding may cut off a lot."""


@dataclass(frozen=True)
class Road:
    """A street: its centerline, how wide its right-of-way is, who keeps it, and how its strip is drawn.

    ``drawn`` is ``gap`` (no parcel: the usual way), ``parcel`` (the strip is a parcel of its own) or ``inside`` (the lots run to the
    centerline, and no strip is seen).
    """

    name: str
    line: LineString
    width_ft: float
    jurisdiction: str
    drawn: str = "gap"
    first_number: int = 1000
    per_number_ft: float = 10.56

    @property
    def strip(self) -> Polygon:
        """The right-of-way."""
        return self.line.buffer(self.width_ft / 2, cap_style="flat", join_style="mitre")

    def number(self, *, station: float, left: bool) -> int:
        """Return the house number at a station: even on the left, odd on the right."""
        return self.first_number + 2 * int(station / self.per_number_ft / 2) + (0 if left else 1)

    def offset(self, station: float, distance: float) -> tuple[float, float]:
        """Return the point beside the road: to the left of its direction where the distance is positive."""
        ahead, behind = min(station + 1.0, self.line.length), max(station - 1.0, 0.0)
        a, b, here = (self.line.interpolate(s) for s in (behind, ahead, station))
        run = math.hypot(b.x - a.x, b.y - a.y)
        return here.x - (b.y - a.y) / run * distance, here.y + (b.x - a.x) / run * distance


@dataclass
class Lot:
    """One lot on the sheet, before it has a number and an owner."""

    shape: Polygon
    use: str
    road: str = ""
    number: int | None = None
    facts: dict[str, object] = field(default_factory=dict)


@dataclass
class Sheet:
    """The land still free, and the lots taken from it."""

    land: BaseGeometry
    rng: random.Random
    lots: list[Lot] = field(default_factory=list)
    free: list[Polygon] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Keep the free land as blocks: a lot is cut out of the few it lies in."""
        self.free = polygons(self.land)

    def remove(self, shape: BaseGeometry) -> None:
        """Take land off the sheet: a street laid out later, or a lot."""
        x0, y0, x1, y1 = shape.bounds
        blocks: list[Polygon] = []
        for block in self.free:
            a0, b0, a1, b1 = block.bounds
            apart = a0 > x1 or a1 < x0 or b0 > y1 or b1 < y0
            blocks += [block] if apart else polygons(block.difference(shape))
        self.free = blocks

    def take(self, shape: BaseGeometry, use: str, *, near: Point | None = None, road: str = "", number: int | None = None,
             least: float = 0.0, **facts: object) -> Lot | None:  # fmt: skip
        """Take a lot out of the free land: the part of ``shape`` that is free and nearest to ``near``; None when too little is left."""
        parts = [part for block in self.free if shapely.intersects(block, shape) for part in polygons(block.intersection(shape))]
        if not parts:
            return None
        if near is None:
            piece = max(parts, key=lambda part: part.area)
        else:
            piece = min(parts, key=lambda part: (round(part.distance(near), 3), -part.area))
        if piece.area < least or piece.area < 1.0:
            return None
        lot = Lot(piece, use, road, number, dict(facts))
        self.lots.append(lot)
        self.remove(piece)
        return lot

    def along(self, road: Road, *, left: bool, stations: Sequence[float], depth_ft: float | Sequence[float], use: str = "house",
              share: float = 0.7, **facts: object) -> list[Lot]:  # fmt: skip
        """Take lots along one side of a road, between the stations given; a lot that lost more than ``1 - share`` of itself is not made."""
        made = []
        sign = 1.0 if left else -1.0
        half = 0.0 if road.drawn == "inside" else road.width_ft / 2
        for index, (start, wanted) in enumerate(itertools.pairwise(stations)):
            end = min(wanted, road.line.length)
            if end - start < LEAST_FRONTAGE_FT:
                continue
            depth = depth_ft if isinstance(depth_ft, (int, float)) else depth_ft[index % len(depth_ft)]
            front = substring(road.line, start, end)
            back = [road.offset(s, sign * (half + depth)) for s in (end, start)]
            ring = Polygon([*front.coords, *back])
            if not ring.is_valid:
                continue
            middle = (start + end) / 2
            near = Point(road.offset(middle, sign * (half + 1.0)))
            nominal = (end - start) * depth
            lot = self.take(ring, use, near=near, road=road.name, number=road.number(station=middle, left=left),
                            least=share * nominal, frontage_ft=end - start, depth_ft=depth, **facts)  # fmt: skip
            if lot is not None:
                lot.facts["door"] = Point(road.offset(middle, sign * (half + min(45.0, depth * 0.4))))
                made.append(lot)
        return made

    def divide(self, *, most_acres: float, use: str = "farm", angle: float = 0.0, within: BaseGeometry | None = None) -> None:
        """Divide the free land into lots of at most so many acres, by lines along the grid of the old survey."""
        land = [
            part for block in self.free for part in (polygons(block) if within is None else polygons(block.intersection(within)))
        ]
        for whole in sorted(land, key=lambda part: (round(part.bounds[0]), round(part.bounds[1]))):
            for piece in self._halves(whole, most_acres * SQ_FT_PER_ACRE, angle):
                self.lots.append(Lot(piece, use))
        self.free = [] if within is None else [part for block in self.free for part in polygons(block.difference(within))]

    def _halves(self, piece: Polygon, most: float, angle: float) -> list[Polygon]:
        if piece.area <= most:
            return _solid(piece)
        turned = shapely.affinity.rotate(piece, -angle, origin=(0.0, 0.0))
        x0, y0, x1, y1 = turned.bounds
        share = self.rng.choice((0.5, 0.5, 0.45, 0.55, 0.4, 0.6))
        if x1 - x0 >= y1 - y0:
            at = x0 + share * (x1 - x0)
            halves = (shapely.box(x0 - 9, y0 - 9, at, y1 + 9), shapely.box(at, y0 - 9, x1 + 9, y1 + 9))
        else:
            at = y0 + share * (y1 - y0)
            halves = (shapely.box(x0 - 9, y0 - 9, x1 + 9, at), shapely.box(x0 - 9, at, x1 + 9, y1 + 9))
        found = []
        for half in halves:
            for part in polygons(piece.intersection(shapely.affinity.rotate(half, angle, origin=(0.0, 0.0)))):
                found += self._halves(part, most, angle)
        return found

    def tidy(self, *, least_acres: float, least_width_ft: float = 40.0, uses: Iterable[str] = ("farm",)) -> None:
        """Return left-over pieces, too small or too narrow to be a lot, to the neighbour with the longest common line."""
        small, width = least_acres * SQ_FT_PER_ACRE, least_width_ft / 2
        mergeable = set(uses)
        waiting = sorted(
            (lot for lot in self.lots if lot.use in mergeable and not lot.facts.get("fixed")),
            key=lambda lot: (lot.shape.area, lot.shape.bounds),
        )
        for scrap in waiting:
            if scrap.shape.area >= small and (scrap.shape.area > 40 * small or not scrap.shape.buffer(-width).is_empty):
                continue
            best, whole, longest = None, scrap.shape, 5.0
            for lot in self.lots:
                if lot is scrap or lot.facts.get("fixed") or not shapely.dwithin(lot.shape, scrap.shape, 0.1):
                    continue
                shared = scrap.shape.boundary.intersection(lot.shape.buffer(0.1)).length
                if shared > longest:
                    grown = [shape.buffer(0.02, join_style="mitre") for shape in (lot.shape, scrap.shape)]
                    merged = shapely.union_all(grown).buffer(-0.02, join_style="mitre")
                    if len(polygons(merged.buffer(-2.0))) == len(polygons(lot.shape.buffer(-2.0))):  # joined by more than a neck
                        best, whole, longest = lot, max(polygons(merged), key=lambda part: part.area), shared
            if best is None:
                continue
            best.shape = whole
            self.lots = [lot for lot in self.lots if lot is not scrap]


def _solid(piece: Polygon) -> list[Polygon]:
    """Take a piece apart where only a needle, left over from cutting, holds it together."""
    cores = polygons(piece.buffer(-0.5, join_style="mitre"))
    if len(cores) < 2:
        return [piece]
    grown = (polygons(core.buffer(0.52, join_style="mitre").intersection(piece)) for core in cores)
    return [max(parts, key=lambda part: part.area) for parts in grown]


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a geometry, without slivers of less than 1 sq ft, from west to east."""
    if isinstance(shape, Polygon):
        parts = [shape]
    else:
        parts = [part for part in getattr(shape, "geoms", ()) if isinstance(part, (Polygon, MultiPolygon))]
        parts = [inner for part in parts for inner in (part.geoms if isinstance(part, MultiPolygon) else (part,))]
    kept = [part for part in parts if part.area > 1.0]
    return sorted(kept, key=lambda part: tuple(round(value, 1) for value in part.bounds))


def bend(points: Sequence[tuple[float, float]], *, rounds: int = 2) -> LineString:
    """Round the corners of a line by cutting them (Chaikin), its ends kept."""
    line = [tuple(map(float, point)) for point in points]
    for _ in range(rounds):
        cut = [line[0]]
        for (ax, ay), (bx, by) in itertools.pairwise(line):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        cut.append(line[-1])
        line = cut
    return LineString([(round(x, 2), round(y, 2)) for x, y in line])


def shore(
    points: Sequence[tuple[float, float]], rng: random.Random, *, step_ft: float = 60.0, rough_ft: float = 14.0
) -> LineString:
    """Draw an irregular shore along a line: a point every few feet, each moved a little, coves and points kept smooth."""
    base = bend(points, rounds=3)
    count = max(int(base.length / step_ft), 4)
    drift, out = 0.0, []
    for index in range(count + 1):
        here = base.interpolate(index / count, normalized=True)
        drift = 0.6 * drift + rng.uniform(-rough_ft, rough_ft)
        swing = drift if 0 < index < count else 0.0
        out.append((round(here.x + swing, 2), round(here.y + swing * 0.6, 2)))
    return LineString(out)


def stations(rng: random.Random, start: float, end: float, least: float, most: float) -> list[float]:
    """Return stations from ``start`` to about ``end``, each so many feet from the last, in whole feet."""
    marks = [float(start)]
    while marks[-1] + least <= end:
        marks.append(marks[-1] + round(rng.uniform(least, most)))
    if marks[-1] > end:
        marks.pop()
    return marks


def finish(shapes: Sequence[Polygon]) -> list[Polygon]:
    """Node all lots together on the grid, so that a corner of one lot is a vertex of every lot that it touches.

    Lots that lie on one another (a condominium's units) must be left out by the caller.
    """
    lines = shapely.union_all(shapely.boundary(list(shapes)), grid_size=GRID_FT)
    faces = polygons(shapely.polygonize([lines]))
    tree = shapely.STRtree(list(shapes))
    parts: dict[int, list[Polygon]] = {}
    for face in faces:
        spot = face.representative_point()
        owners = [int(index) for index in tree.query(spot, predicate="within")]
        if owners:
            parts.setdefault(min(owners), []).append(face)
    made = []
    for index in range(len(shapes)):
        whole = polygons(shapely.union_all(parts[index]))
        largest = max(whole, key=lambda part: part.area)
        if sum(part.area for part in whole) > largest.area + LOST_SQ_FT:
            raise ValueError(f"the lot at {largest.centroid.wkt} is in pieces: fix the layout")
        made.append(snap(largest))
    return made


def snap(shape: BaseGeometry, *, dx: float = 0.0, dy: float = 0.0) -> BaseGeometry:
    """Round all coordinates to the grid, after moving the shape."""
    return shapely.transform(shape, lambda xy: np.round(xy + np.array([dx, dy]), 2))
