"""What the adjacency tests share: toy blocks, and the ways in which a layer may differ without its answer differing."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import shapely

from geonotice.select.adjacency import neighbours
from geonotice.select.streets import StreetLayer

ORIGIN = np.array([1_400_000.0, 250_000.0])
"""Toys lie where Southampton does, so that coordinates have the size of real ones."""


@dataclass(frozen=True)
class Block:
    """Lots by key, the premises among them, and the answer decided by hand; ``says`` is why."""

    says: str
    lots: dict[str, shapely.Polygon | shapely.MultiPolygon]
    premises: tuple[str, ...]
    abutting: tuple[str, ...] = ()
    corner: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    streets: tuple = ()
    borderline: tuple[str, ...] = ()
    straight: tuple[str, ...] = ()

    def answer(self):
        """Return who stands how; ``opposite`` are those without a doubt, ``borderline`` and ``straight_across`` are opposite with that review."""
        return {
            "abutting": sorted(self.abutting),
            "corner": sorted(self.corner),
            "opposite": sorted(self.opposite),
            "borderline": sorted(self.borderline),
            "straight_across": sorted(self.straight),
        }


def array(geometries):
    listed = list(geometries)
    made = np.empty(len(listed), dtype=object)
    made[:] = listed
    return made


def row(prefix, x, y, width, depth, count):  # noqa: PLR0917  # read as a line of figures
    """Lots side by side, eastward: ``prefix1``, ``prefix2`` and so on."""
    return {f"{prefix}{k + 1}": shapely.box(x + k * width, y, x + (k + 1) * width, y + depth) for k in range(count)}


def arc(cx, cy, radius, start, end, count=12):  # noqa: PLR0917  # read as a line of figures
    angle = np.radians(np.linspace(start, end, count))
    return [(cx + radius * np.cos(a), cy + radius * np.sin(a)) for a in angle]


def wedge(start, end, inner, outer, count=12):
    """A lot between two circles round (0, 0) and two of their radii."""
    return shapely.Polygon(arc(0, 0, inner, start, end, count) + arc(0, 0, outer, end, start, count))


def ask(lots, premises, roles=None, *, streets=None, water=None, railroads=None, moved=lambda geometries: geometries, **settings):
    """Ask who neighbours the premises; gives the answer and a function from places to keys.

    ``lots`` are polygons by key, ``streets`` triples of coordinates, name and jurisdiction.
    """
    keys = list(lots)
    lines = {"streets": streets or [], "railroads": railroads or []}
    drawn = [*lots.values(), *(shapely.LineString(xy) for many in lines.values() for xy, _, _ in many), *(water or [])]
    placed = moved(shapely.transform(array(drawn), lambda xy: xy + ORIGIN))
    own = np.array([key in premises for key in keys])
    parcels = placed[: len(keys)]
    at = len(keys)
    layers = {}
    for name, many in lines.items():
        layers[name] = StreetLayer(placed[at : at + len(many)], tuple(n for _, n, _ in many), tuple(j for _, _, j in many))
        at += len(many)
    others = [key for key in keys if key not in premises]
    role = np.array([(roles or {}).get(key, "lot") for key in others], dtype=object)
    found = neighbours(parcels[own], parcels[~own], role, water=placed[at:], **layers, **settings)
    return found, lambda places: sorted(others[place] for place in places)


def relations(*args, **kwargs):
    """Return who stands how, without the rows of doubtful cases."""
    every = answers(*args, **kwargs)
    return {relation: every[relation] for relation in ("abutting", "corner", "opposite")}


def answers(*args, **kwargs):
    """Return who stands how, in the form of :meth:`Block.answer`."""
    found, named = ask(*args, **kwargs)
    made = {relation: named(found.related(relation)) for relation in ("abutting", "corner")}
    doubts = {
        code: named(one.index for one in found.neighbours if code in one.review) for code in ("borderline", "straight_across")
    }
    doubtful = {key for keys in doubts.values() for key in keys}
    return made | {"opposite": [key for key in named(found.related("opposite")) if key not in doubtful]} | doubts


def codes(found):
    return {remark.code for remark in found.remarks}


def turned(geometries, degrees):
    centre = ORIGIN
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return shapely.transform(geometries, lambda xy: (xy - centre) @ np.array([[c, s], [-s, c]]) + centre)


def there_and_back(geometries, crs):
    """Reproject from New York Long Island, US survey feet, and back."""
    import pyproj

    out = pyproj.Transformer.from_crs("EPSG:2263", crs, always_xy=True)
    back = pyproj.Transformer.from_crs(crs, "EPSG:2263", always_xy=True)
    return shapely.transform(geometries, lambda xy: np.column_stack(back.transform(*out.transform(*xy.T))))


def with_vertices(geometries, seed):
    """Add vertices at random places along every straight line, well apart, so that rings stay valid."""
    random = np.random.default_rng(seed)

    def ring(xy):
        made = []
        for a, b in pairwise(xy):
            count = random.integers(0, 6)
            share = (np.arange(count) + random.uniform(0.3, 0.7, count)) / max(count, 1)
            made += [a, *(a + share[:, None] * (b - a))]
        return np.array([*made, xy[-1]])

    def polygon(one):
        if shapely.get_type_id(one) != shapely.GeometryType.POLYGON:
            return one
        return shapely.Polygon(
            ring(shapely.get_coordinates(one.exterior)), [ring(np.array(hole.coords)) for hole in one.interiors]
        )

    return array([polygon(one) for one in geometries])


def jiggled(geometries, seed, by=0.2):
    """Move every vertex by up to ``by``, those that parcels share together."""
    random = np.random.default_rng(seed)
    moved = {}

    def move(xy):
        for place in map(tuple, np.round(xy, 4)):
            if place not in moved:
                angle, far = random.uniform(0, 2 * np.pi), by * np.sqrt(random.uniform())
                moved[place] = np.array([far * np.cos(angle), far * np.sin(angle)])
        return xy + np.array([moved[place] for place in map(tuple, np.round(xy, 4))])

    return shapely.transform(geometries, move)


def begun_elsewhere(geometries):
    """Begin rings at another vertex, and walk every other one the other way round."""

    def again(one, k):
        if shapely.get_type_id(one) != shapely.GeometryType.POLYGON or one.interiors:
            return one
        xy = shapely.get_coordinates(one)[:-1]
        return shapely.Polygon(np.roll(xy[:: 1 if k % 2 else -1], k, axis=0))

    return array([again(one, k) for k, one in enumerate(geometries)])


WAYS = {
    "as drawn": lambda geometries: geometries,
    "turned by 123.4 degrees": lambda geometries: turned(geometries, 123.4),
    "mirrored": lambda geometries: shapely.transform(geometries, lambda xy: (xy - ORIGIN) * [-1, 1] + ORIGIN),
    "with vertices added": lambda geometries: with_vertices(geometries, 1),
    "with a vertex on every foot": lambda geometries: shapely.segmentize(geometries, 1.0),
    "begun elsewhere": begun_elsewhere,
    "far away": lambda geometries: shapely.transform(geometries, lambda xy: xy + np.array([2.5e6, 3.1e6])),
    "jiggled": lambda geometries: shapely.make_valid(jiggled(geometries, 1)),
}
"""Ways in which a layer may differ without its answer differing."""
