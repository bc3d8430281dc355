"""Nobody straight across, and nobody whom the extended lot lines meet, is without a row: real layers, measured a second time in another way.

The second way is plain: the boundary of a lot less what lies by other lots, taken apart into straight pieces, and lines of 200 ft from every foot of
them. It sees only the clear cases. What it sees must have a row.
"""

from itertools import groupby, pairwise

import numpy as np
import pytest
import shapely

from geonotice.select.adjacency import neighbours, search_ft

pytestmark = pytest.mark.shared

LAYERS = {
    "bellerose-ny": ("parcels.geojson", 2263, None),
    "washington-nh": ("parcels.geojson", 3437, 300),
    "forest-city-nc": ("parcels.topojson", 2264, 300),
}
"""File, CRS in feet, and how many premises are drawn at random; None for all."""
WIDEST_FT = 200.0
CLEAR_FT = 0.6
"""A line starts so far out: past what a hand that drew two lots apart may have left."""
STRAIGHT_FT = 25.0
"""A piece that is shorter may be part of a rounded corner or of a curve."""
CORNER_DEG = 40.0
LETTERS_PER_100 = {"straight_across": 8, "borderline": 15}
"""More would be a flood."""


def lots_of(shared, layer):
    import pyogrio

    name, crs, _ = LAYERS[layer]
    frame = pyogrio.read_dataframe(shared / "data" / layer / name)
    frame = (frame if frame.crs else frame.set_crs("EPSG:4326")).to_crs(f"EPSG:{crs}")
    shapes = shapely.make_valid(frame.geometry.to_numpy())
    shapes = shapes[[shape is not None and shape.area > 1 for shape in shapes]]
    parts = [shapely.union_all([one for one in shapely.get_parts(shape) if one.area > 0]) for shape in shapes]
    made = np.empty(len(parts), dtype=object)
    made[:] = parts
    return made


class Around:
    """One lot and those around it."""

    def __init__(self, lot, others):
        self.lot, self.others, self.tree = lot, others, shapely.STRtree(others)
        shapely.prepare(lot)

    def is_stacked(self):
        overlap = shapely.area(shapely.intersection(self.lot, self.others))
        return bool((overlap > 0.5 * np.minimum(self.lot.area, shapely.area(self.others))).any())

    def open_lines(self):
        """Return the runs of the boundary that lie by no other lot, walked with the lot on the left."""
        near = self.others[self.tree.query(self.lot, predicate="dwithin", distance=3)]
        bands = shapely.union_all(shapely.buffer(near, 1.5, join_style="mitre"))
        for ring in shapely.get_rings(shapely.orient_polygons(shapely.get_parts(self.lot))):
            left = shapely.line_merge(shapely.difference(shapely.LineString(ring), bands), directed=True)
            yield from (one for one in shapely.get_parts(left) if one.length > STRAIGHT_FT)

    def first_met(self, starts, ways):
        """Return the lot that each line meets first, and how far on; -1 for none, -2 for the lot itself."""
        lines = shapely.linestrings(np.stack([starts + CLEAR_FT * ways, starts + WIDEST_FT * ways], axis=1))
        of, other = self.tree.query(lines, predicate="intersects")
        points = shapely.points(starts)
        far = shapely.distance(points[of], shapely.intersection(lines[of], self.others[other]))
        back = np.flatnonzero(shapely.intersects(self.lot, lines))  # the few that meet the lot itself
        met, reached = np.full(len(lines), -1), np.full(len(lines), np.inf)
        reached[back] = shapely.distance(points[back], shapely.intersection(lines[back], self.lot))
        met[np.isfinite(reached)] = -2
        for n in np.lexsort((-far, of)):
            if far[n] < reached[of[n]]:
                met[of[n]], reached[of[n]] = other[n], far[n]
        return met, reached


def bends(xy):
    step = np.diff(xy, axis=0)
    return np.degrees(np.arctan2(step[:-1, 0] * step[1:, 1] - step[:-1, 1] * step[1:, 0], (step[:-1] * step[1:]).sum(axis=1)))


def between_corners(line):
    xy = shapely.get_coordinates(shapely.simplify(line, 0.5))
    cuts = [0, *(np.flatnonzero(np.abs(bends(xy)) > CORNER_DEG) + 1), len(xy) - 1] if len(xy) > 2 else [0, len(xy) - 1]
    return [xy[a : b + 1] for a, b in pairwise(cuts)]


def straight_across(around):
    """Find the lots that perpendiculars from straight pieces of one frontage meet first over more than 10 ft."""
    found = set()
    for line in around.open_lines():
        for piece in between_corners(line):
            seen, distances = [], []
            for a, b in pairwise(piece):
                length = np.hypot(*(b - a))
                if length < STRAIGHT_FT:
                    continue
                along = (b - a) / length
                at = np.arange(0.5, length, 1.0)
                met, far = around.first_met(a + at[:, None] * along, np.tile([along[1], -along[0]], (len(at), 1)))
                seen.append(met)
                distances.append(far[met >= 0])
            if not seen or not sum(map(len, distances)):
                continue
            usual = np.median(np.concatenate(distances))
            runs = ((int(lot), len(list(many))) for met in seen for lot, many in groupby(met))
            own = shapely.LineString(piece)
            found |= {lot for lot, feet in runs if lot >= 0 and feet >= 12 and around.others[lot].distance(own) < 2 * usual - 1}
    return found


def extended(around):
    """Find the lots that lines turning from one lot line to the other meet first, from straight frontages between two clear lot corners."""
    found = set()
    ring = shapely.get_coordinates(shapely.simplify(shapely.orient_polygons(shapely.get_parts(around.lot))[0].exterior, 0.5))
    for line in around.open_lines():
        ends = shapely.get_coordinates(line)[[0, -1]]
        at = [int(np.argmin(np.hypot(*(ring[:-1] - end).T))) for end in ends]
        if (
            shapely.simplify(line, 0.5).length < line.length - 0.1
            or max(np.hypot(*(ring[k] - end)) for k, end in zip(at, ends, strict=True)) > 2.5
        ):
            continue
        a, b, before, after = ring[at[0]], ring[at[1]], ring[at[0] - 1 if at[0] else -2], ring[(at[1] + 1) % (len(ring) - 1)]
        if (at[0] + 1) % (len(ring) - 1) != at[1] or min(np.hypot(*(a - before)), np.hypot(*(after - b))) < 40:
            continue
        heading = np.arctan2(*(b - a)[::-1])
        leans = [(np.arctan2(*way[::-1]) - heading + np.pi / 2 + np.pi) % (2 * np.pi) - np.pi for way in (a - before, b - after)]
        if max(map(abs, leans)) > np.radians(70):
            continue
        length = np.hypot(*(b - a))
        s = np.arange(0.1, length, 0.2)
        angle = heading - np.pi / 2 + leans[0] + (leans[1] - leans[0]) * s / length
        ways = np.column_stack([np.cos(angle), np.sin(angle)])
        met, _ = around.first_met(a + s[:, None] * (b - a) / length, ways)
        lots, samples = np.unique(met[met >= 0], return_counts=True)
        found |= set(lots[samples >= 5].tolist())  # 0.8 ft at least, since either end may lie a little elsewhere
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_every_owner_across_has_a_row(shared, layer):
    lots = lots_of(shared, layer)
    tree = shapely.STRtree(lots)
    count = LAYERS[layer][2]
    drawn = range(len(lots)) if count is None else np.random.default_rng(9).permutation(len(lots))[:count].tolist()
    letters = dict.fromkeys(LETTERS_PER_100, 0)
    missing, checked = [], 0
    for place in drawn:
        near = tree.query(lots[place], predicate="dwithin", distance=search_ft())
        near = near[near != place]
        found = neighbours(lots[place : place + 1], lots[near], np.full(len(near), "lot", dtype=object))
        for code in letters:
            letters[code] += sum(code in one.review for one in found.neighbours)
        around = Around(lots[place], lots[near])
        if around.is_stacked():
            continue
        rows = {one.index for one in found.neighbours}
        for way in (straight_across, extended):
            seen = way(around)
            checked += len(seen)
            missing += [(way.__name__, place, int(near[one])) for one in sorted(seen - rows)]
    print(layer, len(drawn), letters)  # noqa: T201  # what the doubts add, with pytest -rP
    assert not missing
    assert checked > 2 * len(drawn) / 3, "the second way must see something"
    assert all(letters[code] <= most * len(drawn) / 100 for code, most in LETTERS_PER_100.items()), letters


HANDED = {
    "bend_46": ("P", None, {"A1": (), "BEND": (), "A5": ()}),
    "bend_46, named": ("P", "bend_46_streets", {"A1": (), "BEND": (), "A5": ()}),
    "bend_real": ("32 029 02080", None, {"32 034 01680": ("straight_across",), "32 034 01690": ("straight_across",)}),
    "rounded_corner_synth": ("P", None, {"A": (), "B": ()}),
    "two_ft": ("P", None, {"A": ("borderline",), "B": (), "C": ("borderline",)}),
}
"""Premises, centerlines, and who must be opposite, with what review."""


@pytest.mark.parametrize("name", HANDED)
def test_blocks_on_which_an_owner_was_left_out(shared, name):
    import pyogrio

    from geonotice.select.streets import StreetLayer

    premises, centerlines, expected = HANDED[name]
    folder = shared / "faults" / "geometry"
    frame = pyogrio.read_dataframe(folder / f"{name.split(',')[0]}.gpkg")
    streets = None
    if centerlines:
        lines = pyogrio.read_dataframe(folder / f"{centerlines}.gpkg")
        streets = StreetLayer(lines.geometry.to_numpy(), tuple(lines["NAME"]), tuple(lines["JURISDICTION"]))
    keys, shapes = frame["PRINT_KEY"].to_numpy(), frame.geometry.to_numpy()
    own = keys == premises
    found = neighbours(shapes[own], shapes[~own], np.full((~own).sum(), "lot", dtype=object), streets=streets)
    opposite = {str(keys[~own][one.index]): one.review for one in found.neighbours if one.relation == "opposite"}
    assert expected.items() <= opposite.items()
