"""Directions, corners and bends of lot lines digitized by hand."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.lot_lines import HAIR_FT, FloatArray, Ring, line_along

__all__ = [
    "CORNER_DEG",
    "SHORT_RUN_FT",
    "SIMPLIFY_FT",
    "ahead",
    "break_at_corners",
    "corner_near",
    "jogs",
    "length_ft",
    "round_at_end",
    "rounded_corners",
    "simplify",
    "turns",
    "unit",
]

SIMPLIFY_FT: Final = 0.5
"""A line's direction is that of the line simplified to this."""
CORNER_DEG: Final = 40.0
"""A street turns a corner where its line turns by more than this."""
BEND_DEG: Final = 12.0
"""Below this, two runs of a line are one line."""
SHARP_DEG: Final = 65.0
"""A single turn beyond this is a corner of its own, never one end of a cut or rounded corner."""
ROUND_MAX_DEG: Final = 135.0
"""A rounded corner turns no more than this in all; more is two corners close together (the narrow end of a block) ..."""
POINTED_MAX_DEG: Final = 160.0
"""... unless it is the tip of land between two streets that meet at an acute angle: round all along, with no straight piece in it."""
ROUND_RADIUS_FT: Final = 60.0
"""Largest radius of a rounded street corner; a wider bend is a curve of the street. Usual corner radii are 15 to 30 ft."""
BULB_RADIUS_FT: Final = 65.0
"""Largest radius of the bulb of a cul-de-sac; 40 to 60 ft are usual."""
CHORD_FT: Final = 15.0
"""Longest chord of a rounded corner that ends at a lot corner, or last step of its arc: of a radius of 20 ft through 45 degrees. A longer piece may
be a frontage."""
SHORT_RUN_FT: Final = 10.0
"""A piece between corners no longer than this is a jog of the line, not a frontage of its own."""
JOG_FT: Final = 31.0
"""Longest step of a street line that turns out and back again: less than the width of any street that could run there. Streets are widened
by round figures: a step of 30 ft is one, however it was drawn."""
ACUTE_DEG: Final = 30.0
"""Below this angle of a corner a neighbour along one side is within tolerance of the other side for more than two tolerances."""
WINDOW_FT: Final = 15.0
"""How far to each side of a point its corner is judged."""


def length_ft(xy: FloatArray) -> float:
    """Return the length of a line."""
    # By hand: most have two vertices, and numpy takes ten times as long over them.
    return sum(math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(xy.tolist()))


def unit(vector: FloatArray) -> FloatArray:
    """Return the unit vector of a direction."""
    east, north = vector.tolist()
    length = math.hypot(east, north)
    return np.array([east / length, north / length])


def simplify(xy: FloatArray) -> FloatArray:
    """Simplify a line to 0.5 ft, its ends kept.

    What Douglas and Peucker's method leaves may still hold a vertex in the middle of a straight run, where several were equally far from
    its first chord; such a one is dropped, so that vertices added along a line change nothing.
    """
    if len(xy) < 3:  # noqa: PLR2004  # two points are straight
        return xy
    if len(xy) == 3:  # noqa: PLR2004  # one point may go: most corners are looked at so
        return xy if _off_chord(*xy.tolist()) > SIMPLIFY_FT else xy[::2]
    # Lot lines are digitized with a foot's wobble. A direction taken from a raw segment of 3 ft can be 15 degrees off, which is 50 ft across
    # a wide street. 0.5 ft is below what a tax map is good to and above what wobble makes of a straight line.
    kept: FloatArray = shapely.get_coordinates(shapely.simplify(line_along(xy), SIMPLIFY_FT, preserve_topology=False))
    if len(kept) < 3:  # noqa: PLR2004  # as above
        return kept
    # Number by number: what is left has a few vertices, and an array costs more than all of them.
    points = kept.tolist()
    off = [_off_chord(*points[n - 1 : n + 2]) for n in range(1, len(points) - 1)]
    while off and (least := min(off)) < SIMPLIFY_FT:
        n = off.index(least)
        del points[n + 1], off[n]
        for m in (n - 1, n):
            if 0 <= m < len(off):
                off[m] = _off_chord(*points[m : m + 3])
    return kept if len(points) == len(kept) else np.array(points)


def _off_chord(a: Sequence[float], p: Sequence[float], b: Sequence[float]) -> float:
    """Return how far a vertex lies from the segment between its neighbors."""
    (ax, ay), (px, py), (bx, by) = a, p, b
    dx, dy, wx, wy = bx - ax, by - ay, px - ax, py - ay
    share = min(max((wx * dx + wy * dy) / max(dx * dx + dy * dy, 1e-12), 0.0), 1.0)
    return math.hypot(wx - share * dx, wy - share * dy)


def turns(xy: FloatArray) -> FloatArray:
    """Return the turn at each inner vertex, degrees, positive to the left, shape (n - 2,)."""
    return np.array(_turns_deg(xy))


def _turns_deg(xy: FloatArray) -> list[float]:
    # Number by number: a simplified line has a few vertices, for which an array costs ten times as much.
    step = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(xy.tolist())]
    return [math.degrees(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) for (ux, uy), (vx, vy) in pairwise(step)]


def corner_near(ring: Ring, at: float, *, tolerance_ft: float) -> tuple[float, bool]:
    """Find the corner of a ring nearest in meaning to a place on it, where the tolerance of a neighbour's line left off.

    At a sharp corner that sticks out the neighbour stays within tolerance farther along the other side, up to the tolerance over the sine
    of its angle.

    Returns
    -------
    tuple
        Where on the ring the sharpest bend within two tolerances (or that) lies, and True; or the place itself, and False where the line
        runs on straight.
    """
    window = min(WINDOW_FT, ring.length / 4)
    path = ring.path(at - window, at + window)
    kept = simplify(path)
    if len(kept) < 3:  # noqa: PLR2004  # no inner vertex
        return at, False
    if len(path) == 3:  # noqa: PLR2004  # one corner, and it was kept
        places = [length_ft(path[:2])]
    else:
        places = np.asarray(shapely.line_locate_point(line_along(path), shapely.points(kept[1:-1]))).tolist()
    best, sharpest = 0.0, BEND_DEG
    for along, turn in zip(places, _turns_deg(kept), strict=True):
        place = along - window
        # Along a sharp tip the neighbor stays within tolerance of both sides: the sine says how far.
        sine = math.sin(math.radians(min(max(180 - turn, 1), 90))) if turn > 180 - ACUTE_DEG else 1.0
        if abs(place) <= tolerance_ft / sine + tolerance_ft and abs(turn) > sharpest:
            best, sharpest = place, abs(turn)
    return at + best, sharpest > BEND_DEG


def ahead(xy: FloatArray, *, at_least_ft: float, skip_ft: float = SHORT_RUN_FT) -> tuple[FloatArray, float]:
    """Return the direction of a line's first straight run, going from its first vertex, and the run's length.

    Runs shorter than ``at_least_ft`` that lie in the first ``skip_ft`` (a cut corner, a monument's jog) are passed over.
    Where no run is long enough the first one's direction is given with its length, for the caller to judge.
    """
    begins = 0.0
    first: tuple[FloatArray, float] | None = None
    for (ax, ay), (bx, by) in pairwise(simplify(xy).tolist()):
        length = math.hypot(bx - ax, by - ay)
        if begins > skip_ft and first:
            break
        if first is None or length >= at_least_ft:
            run = unit(np.array([bx - ax, by - ay])), length
            if length >= at_least_ft:
                return run
            first = run
        begins += length
    assert first is not None  # noqa: S101  # a line has two vertices
    return first


def rounded_corners(xy: FloatArray) -> FloatArray:
    """Replace each rounded or cut corner of a simplified frontage by its point of intersection.

    Only corners that stick out count (the land on the left, a turn to the left): a bulb of a cul-de-sac bends inward and stays a curve.

    Examples
    --------
    >>> import numpy as np
    >>> rounded_corners(np.array([[0.0, 0], [80, 0], [94, 6], [100, 20], [100, 100]])).tolist()
    [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0]]
    """
    if len(xy) < 4:  # noqa: PLR2004  # a rounded corner has two inner vertices
        return xy
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    made = [xy[:1]]
    i = 1
    while i < len(xy) - 1:
        j = _end_of_round(i, turn, length)
        met = _points_of_intersection(xy, turn, i, j) if turn[i - 1 : j].sum() > CORNER_DEG else None
        made.append(xy[i : j + 1] if met is None else met)
        i = j + 1
    made.append(xy[-1:])
    return np.concatenate(made)


def round_at_end(xy: FloatArray, lot_line: FloatArray | None, *, backward: bool = False) -> int:
    """Count the last segments of a simplified frontage that are the arc or chord of a rounded corner with no street line past it.

    Such a corner ends at a lot corner: the neighbor's lot begins on the curve. A piece that goes on into the lot line is none, but a bare run of that line.

    Parameters
    ----------
    xy
        The frontage, going to that end.
    lot_line
        The lot line that ends it, going on from there; None where the boundary runs on straight.
    backward
        Whether the frontage is walked with the land on the right.

    Examples
    --------
    >>> import numpy as np
    >>> round_at_end(np.array([[0.0, 0], [100, 0], [109, -9]])[:, ::1] * [1, -1], np.array([[109.0, 9], [60, 50]]))
    1
    """
    if lot_line is None or len(xy) < 3:  # noqa: PLR2004  # one segment has no turn
        return 0
    turn = turns(xy) * (-1 if backward else 1)
    length = np.hypot(*np.diff(xy, axis=0).T)
    first = last = len(turn) - 1
    if not BEND_DEG / 3 < turn[last] < SHARP_DEG:
        return 0
    while first and BEND_DEG / 3 < turn[first - 1] < SHARP_DEG:
        if length[first] > ROUND_RADIUS_FT * np.radians(max(turn[first - 1], turn[first])):
            break
        first -= 1
    if turn[first:].sum() <= CORNER_DEG:
        return 0
    away, run_ft = ahead(lot_line, at_least_ft=HAIR_FT)
    into = unit(xy[-1] - xy[-2])
    goes_on = run_ft > HAIR_FT and float(away @ into) > np.cos(np.radians(BEND_DEG))
    return 0 if length[-1] > CHORD_FT or goes_on else len(turn) - first


def _end_of_round(i: int, turn: FloatArray, length: FloatArray) -> int:
    """Return the last vertex of the rounded corner that begins at vertex ``i`` (``turn[k - 1]`` is at vertex ``k``)."""
    j = i
    if not BEND_DEG / 3 < turn[i - 1] < SHARP_DEG:
        return i
    while j < len(turn):
        step = turn[j]
        # At its two ends a rounded corner turns by half of what it does between.
        # The radius tells a rounded corner (15 to 30 ft, for trucks to turn) from a curve of the street itself, which is no corner however
        # far it turns.
        radius = length[j] / np.radians(max(turn[j - 1], step))
        if not BEND_DEG / 3 < step < SHARP_DEG or radius > ROUND_RADIUS_FT:
            break
        j += 1
    return j


def _points_of_intersection(xy: FloatArray, turn: FloatArray, i: int, j: int) -> FloatArray | None:
    """Return the point that the rounded corner from vertex ``i`` to ``j`` counts as, shape (1, 2); two where it is two corners; None where it is none."""
    if i == j:
        return None
    total = float(turn[i - 1 : j].sum())
    longest = float(np.hypot(*np.diff(xy[i : j + 1], axis=0).T).max())
    # The surveyor's point of intersection, where the two street lines would meet: from there both frontages have the length that the deed
    # gives them, and the arc belongs to neither.
    if total <= ROUND_MAX_DEG or (total <= POINTED_MAX_DEG and longest <= SHORT_RUN_FT + HAIR_FT):
        met = [_intersection(xy[i - 1], xy[i], xy[j], xy[j + 1])]
    else:
        middle, along = _middle(xy, turn, i, j)
        met = [
            _intersection(xy[i - 1], xy[i], middle, middle + along),
            _intersection(middle - along, middle, xy[j], xy[j + 1]),
        ]
    found = [point for point in met if point is not None]
    reach = 2 * ROUND_RADIUS_FT
    if len(found) < len(met) or any(np.hypot(*(xy[[i, j]] - point).T).max() >= reach for point in found):
        return None
    return np.array(found)


def _middle(xy: FloatArray, turn: FloatArray, i: int, j: int) -> tuple[FloatArray, FloatArray]:
    """Return the tangent where a rounded corner has turned by half: a point, and a unit vector."""
    turned = np.cumsum(turn[i - 1 : j])
    half = turned[-1] / 2
    k = int(np.argmax(turned > half - 1.0))
    # Half of it may lie behind when a straight piece begins, or be reached at a vertex.
    on = (xy[i + k] + xy[i + k + 1]) / 2 if turned[k] < half + 1.0 else xy[i + k]
    angle = np.radians(half)
    u = unit(xy[i] - xy[i - 1])
    return on, np.array([u[0] * np.cos(angle) - u[1] * np.sin(angle), u[0] * np.sin(angle) + u[1] * np.cos(angle)])


def _intersection(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray | None:
    """Intersect the line a-b, going on beyond b, with the line c-d, going back before c."""
    u, v = b - a, c - d
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) < 1e-9:  # noqa: PLR2004  # parallel
        return None
    w = c - b
    along = (w[0] * v[1] - w[1] * v[0]) / cross
    back = (w[0] * u[1] - w[1] * u[0]) / cross
    return None if along < -HAIR_FT or back < -HAIR_FT else b + along * u


def jogs(xy: FloatArray) -> NDArray[np.bool_]:
    """Return for each segment whether it is the step of a jog: within 30 ft the line turns out and back again, shape (n - 1,)."""
    if len(xy) < 4:  # noqa: PLR2004  # a step has a segment before it and one after
        return np.zeros(len(xy) - 1, dtype=bool)
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    found = np.zeros(len(length), dtype=bool)
    found[1:-1] = (
        (length[1:-1] <= JOG_FT + HAIR_FT)
        & (turn[:-1] * turn[1:] < 0)
        & (np.abs(turn) > CORNER_DEG)[:-1]
        & (np.abs(turn) > CORNER_DEG)[1:]
        & (np.abs(turn[:-1] + turn[1:]) <= CORNER_DEG)
    )
    return found


def break_at_corners(xy: FloatArray) -> list[FloatArray]:
    """Break a frontage at street corners: a turn over 40 degrees.

    A bulb's inward bends are one curve, and a step of the line that turns out and back again within 30 ft is a jog: neither breaks it.

    Parameters
    ----------
    xy
        The frontage, simplified, rounded corners replaced.
    """
    if len(xy) < 3:  # noqa: PLR2004  # two points are straight
        return [xy]
    turn = turns(xy)
    length = np.hypot(*np.diff(xy, axis=0).T)
    corner = np.abs(turn) > CORNER_DEG
    jog = jogs(xy)
    corner[jog[1:] | jog[:-1]] = False
    for k in range(len(turn)):
        # Inward turns of a bulb add up to more than a corner. They are one frontage on one street, so lots around the bulb are looked at from
        # the whole of it.
        curve = [n for n in (k - 1, k + 1) if 0 <= n < len(turn) and BEND_DEG < -turn[n] < SHARP_DEG]
        if -SHARP_DEG < turn[k] < 0 and any(
            length[max(n, k)] <= BULB_RADIUS_FT * np.radians(max(-turn[k], -turn[n])) for n in curve
        ):
            corner[k] = False
    cuts = [0, *(np.flatnonzero(corner) + 1).tolist(), len(xy) - 1]
    return [xy[a : b + 1] for a, b in pairwise(cuts)]
