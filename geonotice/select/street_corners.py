"""Whether a turn of the premises' boundary is a street corner: a corner needs two streets.

Where both sides of a turn face the same street it is a bend of that street, and one frontage. Centerlines say so by their names, or because one line runs
through. Without them the right-of-way decides: it forks at a corner, and at a bend it does not.
"""

from typing import Final, NamedTuple

import numpy as np
import shapely

from geonotice.select.bends_and_rounded_corners import ahead, turns
from geonotice.select.extended_lines import Rays, Sweep, cast, median
from geonotice.select.frontage import Face, FaceEnd
from geonotice.select.inside_roads import SEEN_FT
from geonotice.select.lot_lines import FloatArray
from geonotice.select.sight import Sight
from geonotice.select.streets import StreetLayer, facing

__all__ = ["StreetCorners"]

NEAR_FT: Final = 100.0
"""How much of a frontage, from a turn on, says which street it faces there: the far end of a long one may face another."""
WIDTH_NEAR_FT: Final = 150.0
"""The same for the width of its right-of-way: longer, because the mouth of a side street opens in it."""
RUNS_ON: Final = 2.0
"""A street runs on past a corner where no lot lies in its middle for so many times its width: at a bend the lot outside lies nearer."""
STRAIGHT_FT: Final = 6.0
"""A run shorter than four tolerances has no direction of its own."""


class StreetCorners(NamedTuple):
    """Decide which turns are street corners.

    Parameters
    ----------
    view
        What may stop a line (:func:`geonotice.select.sight.sight`).
    streets
        Centerlines near the premises, possibly none.
    right_of_way_max_ft, right_of_way_max_state_ft
        Widest right-of-way looked across, in general and along a State road.
    """

    view: Sight
    streets: StreetLayer
    right_of_way_max_ft: float
    right_of_way_max_state_ft: float

    def between(self, before: FloatArray, after: FloatArray) -> bool:
        """Return whether two streets meet where one piece of boundary ends and the next begins, walked with the premises on the left.

        Examples
        --------
        The lot inside a 90-degree bend, without and with a leg of the street that runs on past it.

        >>> import numpy as np, shapely
        >>> from geonotice.select.sight import sight
        >>> lot, south, east = shapely.box(0, 0, 100, 100), shapely.box(-50, -150, 200, -50), shapely.box(150, -50, 250, 200)
        >>> front, side = np.array([[0.0, 0], [100, 0]]), np.array([[100.0, 0], [100, 100]])
        >>> def corner(*lots):
        ...     view = sight(lot, np.array(lots), np.ones(len(lots), dtype=bool))
        ...     return StreetCorners(view, StreetLayer(np.array([]), (), ()), 200, 600).between(front, side)
        >>> corner(south, east), corner(south, shapely.box(150, 0, 250, 200), shapely.box(150, -150, 250, -50))
        (False, True)
        """
        # Why it matters: at a corner each frontage is looked across by its own two lines, and the lot diagonally across is not opposite. At a
        # bend the lot on the outside faces the premises across one street, and its owner must be notified.
        same = self._same_street(before, after)
        return self._forks(before, after) if same is None else not same

    def _same_street(self, before: FloatArray, after: FloatArray) -> bool | None:
        """Return whether the centerlines show one street on both sides of a turn; None where they do not say."""
        if not len(self.streets.lines):
            return None
        one, other = self._faced(before[::-1], backward=True), self._faced(after)
        if one is None or other is None:
            return None
        if self.streets.key(one) == self.streets.key(other):
            return True
        # Two different names are two streets even where the line runs through: the name changes at a corner.
        if self.streets.names[one].strip() and self.streets.names[other].strip():
            return False
        # A missing name is not another street: one line runs through where two pieces join end to end and no third one joins them.
        return True if _run_through(self.streets, one, other) else None

    def _faced(self, path: FloatArray, *, backward: bool = False) -> int | None:
        """Return the street that a frontage faces next to the turn from which ``path`` goes."""
        xy = _first_ft(path, NEAR_FT)
        face = _square_face(xy[::-1] if backward else xy)
        found = facing(
            face,
            self.view,
            self.streets,
            right_of_way_max_ft=self.right_of_way_max_ft,
            right_of_way_max_state_ft=self.right_of_way_max_state_ft,
        )
        return found[0].street if found else None

    def _forks(self, before: FloatArray, after: FloatArray) -> bool:
        """Return whether the right-of-way forks at a turn: past it one of the two streets runs on in its own direction.

        It runs on where no lot lies in its middle for twice its width.
        """
        at = before[-1]
        sides = (before[::-1], self._width_ft(before[::-1], backward=True), 1.0), (after, self._width_ft(after), -1.0)
        if any(width is None for _, width, _ in sides):
            # Nothing lies across from one of them: a step of the boundary, or land that the layer lacks. Neither shows that one street bends here.
            return True
        if turns(np.array([before[-2], at, after[1]]))[0] <= 0:
            # The premises themselves lie where either street would run on.
            return False
        for path, width, side in sides:
            along, _ = ahead(path, at_least_ft=STRAIGHT_FT)
            onward = -along
            # The street lies on the right of the boundary as it is walked: forward along the first piece, backward along the second.
            out = side * np.array([onward[1], -onward[0]])
            start = at + out * (width or 0.0) / 2 - self.view.origin
            # From the middle of the street, so that a lot cut back at the far corner does not stop it.
            ray = Rays(start[None], onward[None], np.array([RUNS_ON * (width or 0.0)]), np.ones(1))
            if not np.isfinite(cast(ray, self.view.edges, premises_from_ft=0.0)[1][0]):
                return True
        return False

    def _width_ft(self, path: FloatArray, *, backward: bool = False) -> float | None:
        """Return the median width of the right-of-way along a piece of boundary next to a turn; None where nothing lies across."""
        # The median, since a side street across the way lets some of the lines run on.
        xy = _first_ft(path, WIDTH_NEAR_FT)
        sweep = Sweep(_square_face(xy[::-1] if backward else xy), self.view.origin, perpendicular=True)
        rays = sweep.rays(sweep.starts(), self.right_of_way_max_ft)
        _, across = cast(rays, self.view.edges, premises_from_ft=SEEN_FT)
        across = across[np.isfinite(across)]
        return median(across) if len(across) else None


def _run_through(streets: StreetLayer, one: int, other: int) -> bool:
    """Return whether two pieces of centerline join end to end, and no third one meets them there."""
    ends = [shapely.get_coordinates(streets.lines[index])[[0, -1]] for index in (one, other)]
    for end in ends[0]:
        if np.hypot(*(ends[1] - end).T).min() <= SEEN_FT:
            there = np.flatnonzero(shapely.dwithin(streets.lines, shapely.Point(end), SEEN_FT))
            return set(there.tolist()) <= {one, other}
    return False


def _first_ft(path: FloatArray, length_ft: float) -> FloatArray:
    """Return the first part of a line, up to a length."""
    begins = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    if begins[-1] <= length_ft:
        return path
    end = [np.interp(length_ft, begins, path[:, n]) for n in (0, 1)]
    return np.vstack([path[begins < length_ft], end])


def _square_face(xy: FloatArray) -> Face:
    """Return a piece of boundary as a frontage that is looked across at right angles."""
    first, last = xy[1] - xy[0], xy[-1] - xy[-2]
    ends = [
        FaceEnd("no_corner", at, np.array([step[1], -step[0]]) / np.hypot(*step), perpendicular=True, run_ft=0.0, too_short=False)
        for at, step in ((xy[0], first), (xy[-1], last))
    ]
    return Face(xy, ends[0], ends[1])
