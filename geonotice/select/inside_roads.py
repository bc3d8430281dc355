"""Lot lines along which a street runs though no gap shows it: lots drawn to the middle of the road."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import Abutter, Lots
from geonotice.select.bends_and_rounded_corners import SIMPLIFY_FT, simplify
from geonotice.select.extended_lines import distinct
from geonotice.select.lot_lines import FloatArray, GeometryArray, IntArray

if TYPE_CHECKING:
    from geonotice.select.streets import StreetLayer

__all__ = [
    "ALONG_FT",
    "HALF_ROAD_FT",
    "SEEN_FT",
    "InsideRoad",
    "along_of",
    "inside_roads",
    "length_beside_ft",
    "lots_with_a_street_between",
    "runs_beside",
]

ALONG_FT: Final = 20.0
"""Along how much of its length a street must lie by the premises."""
SEEN_FT: Final = 2.0
"""A centerline lies in what a frontage looks across when it comes this close to one of its lines."""
HALF_ROAD_FT: Final = 33.0
"""Half of the usual four-rod right-of-way: how near a centerline must lie where no gap shows the street."""
PARALLEL_DEG: Final = 30.0
"""A centerline runs along a lot line when their directions differ by no more."""
END_FT: Final = 0.1
"""A place whose nearest point on a centerline is so near to its end lies past the end."""


class InsideRoad(Struct, frozen=True, eq=False):
    """A lot line along which a street runs though the parcels leave no gap: the parcel across it, the centerline, and the line shared."""

    index: int
    street: int
    length_ft: float
    line: BaseGeometry


def inside_roads(
    abutters: Sequence[Abutter],
    closed: BaseGeometry,
    geometries: GeometryArray,
    streets: "StreetLayer",
    *,
    ways: BaseGeometry | None = None,
) -> tuple[InsideRoad, ...]:
    """Find the lot lines along which a street runs though no gap shows it: lots drawn to the centerline.

    The centerline lies within 33 ft of the shared line, runs along it for 20 ft or more, and lies in one of the two parcels.

    Parameters
    ----------
    abutters, closed, geometries
        Who shares lot lines with the premises, the premises' outline, and the parcels that the abutters' indexes point to.
    streets
        The centerlines.
    ways
        The right-of-way parcels: a street that runs in one of them is shown by it.
    """
    found: list[InsideRoad] = []
    if not len(streets.lines):
        return ()
    # A line shorter than that has no street along it for so long: mere corners are passed over without a look.
    runs = [
        (abutter, run)
        for abutter in abutters
        if not abutter.stacked and abutter.relation == "abutting"
        for run in abutter.runs
        if run.line.length >= ALONG_FT
    ]
    if not runs:
        return ()
    of, street_of = shapely.STRtree(streets.lines).query(
        [run.line for _, run in runs], predicate="dwithin", distance=HALF_ROAD_FT
    )
    may = _may_runalong_of([run.line for _, run in runs], streets.lines, of, street_of)
    for n, (abutter, run) in enumerate(runs):
        if not may[n]:
            continue
        near = street_of[of == n]
        along = along_of(run.line)
        # A street that meets the line at its end comes near a few places of it. Only where enough of them are near is the rest worth its time.
        close = shapely.dwithin(streets.lines[near][:, None], along.places, HALF_ROAD_FT).any(axis=0)
        if np.count_nonzero(close) * along.step_ft < ALONG_FT:
            continue
        both = shapely.union_all([closed, geometries[abutter.index]])
        lots = both if ways is None else shapely.difference(both, ways)
        beside: dict[str, NDArray[np.bool_]] = {}
        pieces: dict[str, tuple[float, int]] = {}
        for street in near.tolist():
            there, feet = runs_beside(streets.lines[street], along)
            there[there] = shapely.dwithin(lots, shapely.points(feet[there]), SEEN_FT)
            key = streets.key(street)
            beside[key] = beside.get(key, False) | there
            pieces[key] = max(pieces.get(key, (0.0, street)), (float(np.count_nonzero(there)), street), key=lambda one: one[0])
        length, key = max((float(np.count_nonzero(there) * along.step_ft), key) for key, there in beside.items())
        if length >= ALONG_FT:
            found.append(InsideRoad(abutter.index, pieces[key][1], length, run.line))
    return tuple(found)


def lots_with_a_street_between(lots: Lots, streets: "StreetLayer") -> frozenset[tuple[int, int]]:
    """Return the pairs of lots along whose shared line a street may run: only these have to be looked at by :func:`inside_roads`."""
    pairs = [(pair, run.line) for pair, run in lots.runs() if run.length_ft >= ALONG_FT - SEEN_FT]
    if not pairs or not len(streets.lines):
        return frozenset()
    lines = [line for _, line in pairs]
    of, street_of = shapely.STRtree(streets.lines).query(lines, predicate="dwithin", distance=HALF_ROAD_FT)
    may = _may_runalong_of(lines, streets.lines, of, street_of)
    return frozenset(pairs[n][0] for n in np.flatnonzero(may).tolist())


def _may_runalong_of(lines: Sequence[LineString], streets: GeometryArray, of: IntArray, street_of: IntArray) -> NDArray[np.bool_]:
    """Return which lot lines may have a street along them for long enough; ``of`` and ``street_of`` say which street is near which.

    Most lot lines end at a street: a few feet of them are near it. They are separated from the others all at once, and roughly.
    """
    some = distinct(of)[0]
    which = np.searchsorted(some, of)
    may = np.zeros(len(lines), dtype=bool)
    if not len(some):
        return may
    chosen = np.array([lines[n] for n in some.tolist()], dtype=object)
    lengths = shapely.length(chosen)
    counts = np.ceil(lengths / SEEN_FT).astype(np.intp)
    first = np.cumsum(counts) - counts
    mine = np.repeat(np.arange(len(chosen)), counts)
    at = (np.arange(counts.sum()) - first[mine] + 0.5) * (lengths / counts)[mine]
    places = _places_along(chosen, lengths, mine, at)
    # Each place of a lot line against each street near that line.
    pair = np.repeat(np.arange(len(of)), counts[which])
    place = np.arange(len(pair)) - np.repeat(np.cumsum(counts[which]) - counts[which], counts[which]) + first[which][pair]
    close = np.zeros(len(places), dtype=bool)
    # A line is looked at closely once it is simplified, which moves it by half a foot or so.
    near_ft = HALF_ROAD_FT + 2 * SIMPLIFY_FT
    # Most places lie outside the box around the street: a point is made of the others only.
    boxes, xy = shapely.bounds(streets)[street_of[pair]], places[place]
    inside = ((xy >= boxes[:, :2] - near_ft) & (xy <= boxes[:, 2:] + near_ft)).all(axis=1)
    pair, place = pair[inside], place[inside]
    close[place[shapely.dwithin(streets[street_of[pair]], shapely.points(places[place]), near_ft)]] = True
    along_ft = np.bincount(mine, weights=close * (lengths / counts)[mine], minlength=len(chosen))
    may[some] = along_ft >= ALONG_FT - 3 * SEEN_FT
    return may


def _places_along(lines: GeometryArray, lengths: FloatArray, mine: IntArray, at: FloatArray) -> FloatArray:
    """Return places along lines, each given by its line's place and how far along it lies.

    Nearly all lot lines are straight, and a share of the way is then quicker than walking the line for every point.
    """
    straight = shapely.get_num_coordinates(lines) == 2  # noqa: PLR2004  # its two ends
    places = np.empty((len(mine), 2))
    quick = straight[mine]
    places[~quick] = shapely.get_coordinates(shapely.line_interpolate_point(lines[mine[~quick]], at[~quick]))
    ends = np.zeros((len(lines), 2, 2))
    ends[straight] = shapely.get_coordinates(lines[straight]).reshape(-1, 2, 2)
    own = mine[quick]
    share = (at[quick] / lengths[own])[:, None]
    places[quick] = ends[own, 0] + share * (ends[own, 1] - ends[own, 0])
    return places


class Along(NamedTuple):
    """Points along a line about every two feet, the line's heading at each, and their spacing."""

    places: GeometryArray
    headings: FloatArray
    step_ft: float


def along_of(line: LineString) -> Along:
    """Return points along a line, simplified."""
    xy = simplify(shapely.get_coordinates(line))
    straight = shapely.LineString(xy)
    count = max(1, int(np.ceil(straight.length / SEEN_FT)))
    at = (np.arange(count) + 0.5) * straight.length / count
    step = np.diff(xy, axis=0)
    begins = np.concatenate([[0.0], np.cumsum(np.hypot(*step.T))])
    k = np.clip(np.searchsorted(begins, at, side="right") - 1, 0, len(step) - 1)
    return Along(shapely.line_interpolate_point(straight, at), np.arctan2(step[k, 1], step[k, 0]), straight.length / count)


def runs_beside(line: BaseGeometry, along: Along) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return at which places a centerline runs beside a lot line, and where on it their feet are: not past its ends, where it only comes near.

    Feet are given of the places that are near; those of others are not a number.
    """
    shapely.prepare(line)
    # dwithin and never a buffer: a buffer's arcs are chords and lose places just inside the limit.
    near = np.flatnonzero(shapely.dwithin(line, along.places, HALF_ROAD_FT))
    there, feet = np.zeros(len(along.places), dtype=bool), np.full((len(along.places), 2), np.nan)
    if not len(near):
        return there, feet
    feet[near] = shapely.get_coordinates(shapely.shortest_line(line, along.places[near])).reshape(-1, 2, 2)[:, 0]
    lines = np.full(len(near), line, dtype=object)
    at = shapely.line_locate_point(lines, shapely.points(feet[near]))
    turn = np.abs((_headings(lines, at) - along.headings[near] + np.pi / 2) % np.pi - np.pi / 2)
    # A street that ends at the premises touches them at a point. It does not run along them.
    past = (at < END_FT) | (at > line.length - END_FT)
    there[near] = (turn <= np.radians(PARALLEL_DEG)) & ~past
    return there, feet


def _headings(lines: GeometryArray, at: FloatArray) -> FloatArray:
    """Return the headings of lines at places along them."""
    before = shapely.get_coordinates(shapely.line_interpolate_point(lines, np.maximum(at - 1, 0)))
    after = shapely.get_coordinates(shapely.line_interpolate_point(lines, np.minimum(at + 1, shapely.length(lines))))
    made: FloatArray = np.arctan2(after[:, 1] - before[:, 1], after[:, 0] - before[:, 0])
    return made


def length_beside_ft(lines: Sequence[Along], there: Sequence[NDArray[np.bool_]]) -> float:
    """Return how much of some lines that is of whose places it is known whether they count."""
    return float(sum(np.count_nonzero(some) * line.step_ft for line, some in zip(lines, there, strict=True)))
