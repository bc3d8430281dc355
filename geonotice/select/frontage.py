"""The premises' frontages: runs of its boundary that no other lot shares, broken at street corners.

A frontage here is a line with two ends; what lies across it is found in :mod:`geonotice.select.opposite`.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from geonotice.select.abutting import RUN_TOLERANCES, Abutter
from geonotice.select.bends_and_rounded_corners import (
    SHORT_RUN_FT,
    ahead,
    break_at_corners,
    corner_near,
    length_ft,
    round_at_end,
    rounded_corners,
    simplify,
    unit,
)
from geonotice.select.lot_lines import HAIR_FT, FloatArray, Interval, Ring, join, left_open, rings_of

__all__ = ["MEETS_FT", "PARALLEL_DEG", "Face", "FaceEnd", "TwoStreets", "faces"]

MEETS_FT: Final = 2.0
"""Over how much frontage a parcel must be met; a frontage shorter than this can meet none."""
PARALLEL_DEG: Final = 12.0
"""A lot line this close to the frontage's own direction gives way to the perpendicular."""
_PARALLEL_SINE: Final = float(np.sin(np.radians(PARALLEL_DEG)))
LOT_LINE_FT: Final = 500.0
"""How much of a lot line is looked at for its last straight run."""

EndKind = Literal["lot_corner", "street_corner", "no_corner", "closed"]
TwoStreets = Callable[[FloatArray, FloatArray], bool]
"""Whether two streets meet where one piece of boundary ends and the next begins."""


def _any_turn(_before: FloatArray, _after: FloatArray) -> bool:
    """Take every sharp turn for a street corner: what can be said without looking at what lies across."""
    return True


class FaceEnd(NamedTuple):
    """One end of a frontage.

    Parameters
    ----------
    kind
        ``lot_corner``: a lot line ends the frontage; ``street_corner``: another frontage begins; ``no_corner``: the boundary runs on
        straight; ``closed``: the frontage goes all round.
    point
        Where it is, shape (2,).
    direction
        Unit vector in which the line that ends the frontage is extended outward, shape (2,).
    perpendicular
        Whether the direction is the perpendicular, for want of a usable line.
    run_ft
        Length of the straight run whose direction was taken; 0 where none was.
    too_short
        Whether there was a line, but too short or too curved to extend.
    """

    kind: EndKind
    point: FloatArray
    direction: FloatArray
    perpendicular: bool
    run_ft: float
    too_short: bool


class Face(NamedTuple):
    """A frontage as a line, walked with the premises on the left.

    Parameters
    ----------
    xy
        Vertices, shape (n, 2).
    start, end
        Its two ends.
    round_ft
        How much of it at its start, and at its end, is the arc or chord of a rounded street corner that ends at a lot corner.
    """

    xy: FloatArray
    start: FaceEnd
    end: FaceEnd
    round_ft: tuple[float, float] = (0.0, 0.0)

    @property
    def length_ft(self) -> float:
        """Length along the line."""
        return length_ft(self.xy)


def faces(
    closed: BaseGeometry,
    abutters: tuple[Abutter, ...],
    shares_away: NDArray[np.bool_],
    *,
    tolerance_ft: float = 1.5,
    two_streets: TwoStreets = _any_turn,
    rings: Sequence[Ring] | None = None,
) -> list[Face]:
    """Divide the premises' boundary and give what no other lot shares, as frontages.

    Parameters
    ----------
    closed
        The premises' outline, gaps closed (:func:`geonotice.select.lot_lines.outline`).
    abutters
        From :func:`geonotice.select.abutting.abutting`, measured on the same outline.
    shares_away
        For each geometry that the abutters' indexes point to, whether it takes frontage away: True for lots and water, False for right-of-way and railroad parcels.
        Stacked parcels never do.
    two_streets
        Decides which sharp turns are street corners (:class:`geonotice.select.street_corners.StreetCorners`); without, all are.
    rings
        The rings of the outline, where the caller has them already.

    Examples
    --------
    A corner lot: neighbours to the left and behind, streets above and to the right. The longest frontage comes first.

    >>> import numpy as np, shapely
    >>> from geonotice.select.abutting import abutting
    >>> lot, lots = shapely.box(0, 0, 100, 100), np.array([shapely.box(-100, 0, 0, 100), shapely.box(0, -100, 100, 0)])
    >>> found = faces(lot, abutting([lot], lots), np.array([True, True]))
    >>> [(round(face.length_ft), face.start.kind, face.end.kind) for face in found]
    [(100, 'lot_corner', 'street_corner'), (100, 'street_corner', 'lot_corner')]
    """
    found: list[Face] = []
    for n, ring in enumerate(rings or rings_of(closed)):
        shared: list[tuple[Interval, Interval]] = [
            ((run.start, run.end), (run.first, run.last))
            # Only lots and water take frontage away. Behind a right-of-way or railroad parcel the street goes on, and a stacked unit lies on
            # the premises, not beside them.
            for abutter in abutters
            if shares_away[abutter.index] and not abutter.stacked
            for run in abutter.runs
            if run.ring == n
        ]
        open_runs = left_open(join([raw for raw, _ in shared], ring.length), ring.length)
        ends = [_true_run(ring, run, shared, tolerance_ft) for run in open_runs]
        for k, (start, end, corner_at_start, corner_at_end) in enumerate(ends):
            if end - start >= ring.length - tolerance_ft and not shared:
                found += _closed(ring, tolerance_ft, two_streets)
                continue
            # A sliver between two neighbors that nearly meet is a slip of the drawing. Nothing can be met over 2 ft from less than 2 ft.
            if end - start < MEETS_FT:
                continue
            # A lot line is looked at only as far as the next frontage: beyond that it bounds another street.
            before = ends[k - 1][1] - (ring.length if ends[k - 1][1] > start else 0.0)
            after = ends[(k + 1) % len(ends)][0]
            after += ring.length if after < end else 0.0
            behind = ring.path(max(before, start - LOT_LINE_FT), start)[::-1] if start - before > tolerance_ft else None
            beyond = ring.path(end, min(after, end + LOT_LINE_FT)) if after - end > tolerance_ft else None
            found += _pieces(
                ring.path(start, end),
                behind if corner_at_start else None,
                beyond if corner_at_end else None,
                tolerance_ft,
                two_streets,
            )
    if len(found) < 2:  # noqa: PLR2004  # most lots have one
        return found
    # An order that does not depend on where a ring begins: the longest first.
    return sorted(found, key=lambda face: (-round(face.length_ft, 1), *np.round(face.xy[0], 1).tolist()))


def _true_run(
    ring: Ring, run: Interval, shared: list[tuple[Interval, Interval]], tolerance_ft: float
) -> tuple[float, float, bool, bool]:
    """Move the ends of an open run from where the tolerance left off to the lot corners, or to where the neighbour's line ends."""
    start, end = run
    at_start, at_end = start, end
    for (raw_start, raw_end), (first, last) in shared:
        if _same(raw_end, start, ring.length):
            at_start = min(at_start, start - (raw_end - last))
        if _same(raw_start, end, ring.length):
            at_end = max(at_end, end + (first - raw_start))
    if not shared:
        return start, end, False, False
    at_start, corner_at_start = corner_near(ring, at_start, tolerance_ft=tolerance_ft)
    at_end, corner_at_end = corner_near(ring, at_end, tolerance_ft=tolerance_ft)
    return at_start, max(at_end, at_start), corner_at_start, corner_at_end


def _same(a: float, b: float, length: float) -> bool:
    apart = abs(a - b) % length
    return min(apart, length - apart) < 0.01  # noqa: PLR2004  # the same place on the ring, but for rounding


def _pieces(
    path: FloatArray, behind: FloatArray | None, beyond: FloatArray | None, tolerance_ft: float, two_streets: TwoStreets
) -> list[Face]:
    """Break an open run between two lot lines (given going away from it; None where the boundary runs on straight) into frontages."""
    kept = simplify(path)
    # A rounded corner that ends at a lot corner has no second frontage: its arc stays with the first.
    head, tail = round_at_end(kept[::-1], behind, backward=True), round_at_end(kept, beyond)
    if head + tail >= len(kept) - 1:
        head = tail = 0
    core = kept[head : len(kept) - tail]
    # Corners first, streets after: a turn is a candidate by its angle alone, and whether two streets meet there is asked only of those few.
    parts = break_at_corners(rounded_corners(core))
    if head:
        parts[0] = np.vstack([kept[:head], parts[0]])
    if tail:
        parts[-1] = np.vstack([parts[-1], kept[len(kept) - tail :]])
    # A short piece at either end is where a neighbour's lot is set back: it belongs to the lot line. A set-back of just so much may have been
    # drawn a tolerance longer.
    short_ft = SHORT_RUN_FT + tolerance_ft + HAIR_FT
    while len(parts) > 1 and length_ft(parts[0]) <= short_ft:
        short = parts.pop(0)[::-1]
        behind = short if behind is None else np.vstack([short, behind[1:]])
    while len(parts) > 1 and length_ft(parts[-1]) <= short_ft:
        short = parts.pop()
        beyond = short if beyond is None else np.vstack([short, beyond[1:]])
    parts = _joined(parts, two_streets)
    made = []
    for k, part in enumerate(parts):
        away_start = behind if k == 0 else parts[k - 1][::-1]
        away_end = beyond if k == len(parts) - 1 else parts[k + 1]
        made.append(
            Face(
                xy=part,
                start=_end(part, away_start, "lot_corner" if k == 0 else "street_corner", tolerance_ft),
                end=_end(
                    part[::-1], away_end, "lot_corner" if k == len(parts) - 1 else "street_corner", tolerance_ft, backward=True
                ),
                round_ft=(
                    length_ft(kept[: head + 1]) if k == 0 else 0.0,
                    length_ft(kept[len(kept) - tail - 1 :]) if k == len(parts) - 1 else 0.0,
                ),
            )
        )
    return made


def _joined(parts: list[FloatArray], two_streets: TwoStreets) -> list[FloatArray]:
    """Join the pieces between which a street only bends."""
    made = parts[:1]
    for part in parts[1:]:
        if two_streets(made[-1], part):
            made.append(part)
        else:
            made[-1] = np.vstack([made[-1], part[1:]])
    return made


def _closed(ring: Ring, tolerance_ft: float, two_streets: TwoStreets) -> list[Face]:
    """Break a ring that no lot shares at all: it begins in the middle of its longest straight run, where there is no corner."""
    centre = shapely.get_coordinates(shapely.centroid(ring.line))[0]
    # Simplifying keeps both ends of what it is given. The farthest vertex is a true corner, whichever vertex the ring was digitized from,
    # so the same lot gives the same frontages.
    far = float(ring.at[int(np.argmax(np.hypot(*(ring.xy - centre).T)))])
    kept = simplify(ring.path(far, far + ring.length))
    length = np.hypot(*np.diff(kept, axis=0).T)
    longest = int(np.argmax(length))
    middle = (kept[longest] + kept[longest + 1]) / 2
    path = np.vstack([middle[None], kept[longest + 1 : -1], kept[: longest + 1], middle[None]])
    parts = break_at_corners(rounded_corners(path))
    parts = _joined(parts, two_streets)
    if len(parts) == 1:
        return [
            Face(
                xy=parts[0],
                start=_end(parts[0], None, "closed", 0.0),
                end=_end(parts[0][::-1], None, "closed", 0.0, backward=True),
            )
        ]
    parts[0] = np.vstack([parts.pop(), parts[0][1:]])
    parts = [part for part in parts if length_ft(part) > SHORT_RUN_FT + HAIR_FT] or parts
    return [
        Face(
            xy=part,
            start=_end(part, parts[k - 1][::-1], "street_corner", tolerance_ft),
            end=_end(part[::-1], parts[(k + 1) % len(parts)], "street_corner", tolerance_ft, backward=True),
        )
        for k, part in enumerate(parts)
    ]


def _end(part: FloatArray, away: FloatArray | None, kind: EndKind, tolerance_ft: float, *, backward: bool = False) -> FaceEnd:
    """Find how the line that ends a frontage is extended.

    ``part`` is the frontage going from this end, ``away`` the line that ends it going from here too; ``backward`` says that the premises
    then lie on the right.
    """
    along, _ = ahead(part, at_least_ft=RUN_TOLERANCES * tolerance_ft)
    outward = np.array([-along[1], along[0]]) if backward else np.array([along[1], -along[0]])
    if away is None:
        return FaceEnd(
            "no_corner" if kind == "lot_corner" else kind, part[0], outward, perpendicular=True, run_ft=0.0, too_short=False
        )
    # The last straight run, not the whole lot line: a lot line that bends 200 ft back says nothing about where it would cross the street.
    line, run_ft = ahead(away, at_least_ft=RUN_TOLERANCES * tolerance_ft)
    if run_ft < RUN_TOLERANCES * tolerance_ft:
        return FaceEnd(kind, part[0], outward, perpendicular=True, run_ft=run_ft, too_short=True)
    # LAW: Southampton 283-3 and 283-9, "by extension of lot lines": the line is carried on beyond the corner, away from the land it bounds.
    extended = -line
    sine = float(extended @ outward)
    # A lot line nearly parallel to the street would run along it for hundreds of feet and name a lot on another block.
    if abs(sine) < _PARALLEL_SINE:
        return FaceEnd(kind, part[0], outward, perpendicular=True, run_ft=run_ft, too_short=False)
    return FaceEnd(kind, part[0], unit(extended if sine > 0 else -extended), perpendicular=False, run_ft=run_ft, too_short=False)
