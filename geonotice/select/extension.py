"""The sweep of lines across a right-of-way from one frontage, and over how much frontage each parcel is met.

Two sweeps: by *extension of lot lines* (the direction turns evenly from that of the line that ends the frontage on one side to that on
the other) and, as a second opinion, by *perpendicular projection*.
"""

from typing import Final, NamedTuple

import numpy as np

from geonotice.select.frontage import PARALLEL_DEG, Face
from geonotice.select.lot_lines import HAIR_FT, FloatArray, IntArray, jogs
from geonotice.select.rays import Edges, Rays, cast

__all__ = ["Stretch", "Sweep", "depth_reach", "measure"]

STEP_FT: Final = 1.0
"""Rays start this far apart at most, where a parcel must be met over 2 ft or more."""
FINE_STEP_FT: Final = 0.45
"""The same where a parcel is listed from 0.5 ft on: less than that, so that none can fall between."""
END_FT: Final = 0.02
"""How far from the ends of a frontage the outermost rays start: what is met over little is mostly met there."""
FEWEST: Final = 16
"""Rays from the shortest frontage."""
PARTS: Final = 32
REFININGS: Final = 2
"""Between two rays that meet different parcels the place where it changes is found by cutting the step in 32 parts, twice: to 0.001 ft."""
JOG_STEP_FT: Final = 1e-6
"""What the step of a jog counts along the frontage: next to nothing."""
SIDEWAYS_FT: Final = 200.0
"""How much farther than the right-of-way is wide a line may run that crosses it aslant."""


class Stretch(NamedTuple):
    """A stretch of frontage, feet from its start, whose lines meet one thing first: an owner as in :mod:`geonotice.select.rays`."""

    start_ft: float
    end_ft: float
    owner: int

    @property
    def length_ft(self) -> float:
        """Length of frontage."""
        return self.end_ft - self.start_ft


class Sweep:
    """The lines across from one frontage.

    Parameters
    ----------
    face
        The frontage.
    origin
        What is subtracted from coordinates, so that products of them stay exact.
    perpendicular
        Whether the lines run at right angles to the frontage, instead of turning evenly between the extended lot lines.
    step_ft
        How far apart the lines start at most.
    """

    def __init__(self, face: Face, origin: FloatArray, *, perpendicular: bool = False, step_ft: float = STEP_FT) -> None:
        self._step_ft = step_ft
        self.face = face
        self.origin = origin
        self.perpendicular = perpendicular
        self._xy = face.xy - origin
        self._step = np.diff(self._xy, axis=0)
        length = np.hypot(*self._step.T)
        heading = np.arctan2(self._step[:, 1], self._step[:, 0])
        # Unwrapped, so that a frontage that turns past south (a bulb) keeps turning the same way instead of jumping by a full circle.
        heading = heading[0] + np.concatenate([[0.0], np.cumsum(_wrap(np.diff(heading)))])
        if len(length) > 2:  # noqa: PLR2004  # a jog has a segment before it and one after
            jog = jogs(face.xy)
            # A jog is where a widening of the street ended. Its step faces along the street, and lines from it would meet lots that nobody
            # would call opposite.
            straight = np.flatnonzero(~jog)
            heading = np.interp(np.arange(len(length)), straight, heading[straight])
            length = np.where(jog, JOG_STEP_FT, length)
        self._length = length
        self._begins = np.concatenate([[0.0], np.cumsum(length)])
        self._square = heading - np.pi / 2
        # Kept as an angle from the perpendicular, below 90 degrees to either side: a line can lean along the street but never back into the
        # lot.
        self._first = self._square[0] + self._lean(face.start.direction, heading[0])
        self._last = self._square[-1] + self._lean(face.end.direction, heading[-1])

    @property
    def length_ft(self) -> float:
        """Length of the frontage along its own direction: the step of a jog adds nothing, since no line goes across from it."""
        return float(self._begins[-1])

    def starts(self) -> FloatArray:
        """Return where the rays start, feet along the frontage: the middles of equal steps."""
        length = self.length_ft
        count = max(FEWEST, int(np.ceil(length / self._step_ft)))
        return np.asarray((np.arange(count) + 0.5) * (length / count), dtype=np.float64)

    def rays(self, at: FloatArray, depth_ft: float) -> Rays:
        """Return the rays from places along the frontage, looking ``depth_ft`` across."""
        k = np.clip(np.searchsorted(self._begins, at, side="right") - 1, 0, len(self._length) - 1)
        start = self._xy[k] + ((at - self._begins[k]) / self._length[k])[:, None] * self._step[k]
        square = self._square[k]
        if self.perpendicular:
            angle, sine = square, np.ones(len(at))
        else:
            # LAW: Southampton 283-3 and 283-9 say "by extension of lot lines", of which a frontage has two. What lies between them is not
            # stated. The direction turns evenly from one to the other: then no owner between the two extended lines is passed over.
            angle = self._first + (self._last - self._first) * at / self._begins[-1]
            # A line that would run along the frontage, or back into the premises, gives way to the perpendicular.
            angle = np.where(np.abs(angle - square) > np.radians(90 - PARALLEL_DEG), square, angle)
            sine = np.cos(angle - square)
        return Rays(start, np.column_stack([np.cos(angle), np.sin(angle)]), depth_reach(depth_ft, sine), sine)

    @staticmethod
    def _lean(direction: FloatArray, heading: float) -> float:
        """Return the angle from the perpendicular to a direction, between -90 and 90 degrees."""
        return float(_wrap(np.arctan2(direction[1], direction[0]) - (heading - np.pi / 2)))


def depth_reach(depth_ft: float, sine: FloatArray) -> FloatArray:
    """Return how far a line may run across a right-of-way ``depth_ft`` wide: farther when aslant, but not without end.

    A parcel at exactly that depth is met: a hair is added, so that rounding does not decide.
    """
    depth_ft += HAIR_FT
    made: FloatArray = np.minimum(depth_ft / np.maximum(sine, 1e-9), depth_ft + SIDEWAYS_FT)
    return made


def measure(
    sweep: Sweep, edges: Edges, depth_ft: float, *, first: IntArray, alike: IntArray, premises_from_ft: float
) -> list[Stretch]:
    """Find over which stretches of the frontage each parcel is first met.

    Parameters
    ----------
    sweep
        The lines.
    edges
        Edges of the parcels that may stop a line, as owners of which there are fewer than ``len(alike)``.
    depth_ft
        How wide a right-of-way is looked across.
    first
        What the lines from ``sweep.starts()`` meet first.
    alike
        For each owner the one that stands for it: parcels stacked on each other count as one here. Two more entries at the end serve
        the owners ``PREMISES`` (-2) and ``NOTHING`` (-1).
    premises_from_ft
        Where on its way a line begins to see the premises themselves.
    """
    # A lot met over an inch or two is met at an end of the frontage, where two lot lines nearly line up across the street. Without these two
    # rays it would fall outside the first step.
    ends = np.array([END_FT, sweep.length_ft - END_FT])
    outermost = cast(sweep.rays(ends, depth_ft), edges, premises_from_ft=premises_from_ft)[0]
    at = np.concatenate([ends[:1], sweep.starts(), ends[1:]])
    owner = alike[np.concatenate([outermost[:1], first, outermost[1:]])]
    change = np.flatnonzero(owner[1:] != owner[:-1])
    low, high = at[change], at[change + 1]
    for _ in range(REFININGS if len(change) else 0):
        share = (np.arange(PARTS - 1) + 1) / PARTS
        between = low[:, None] + (high - low)[:, None] * share
        found = alike[cast(sweep.rays(between.ravel(), depth_ft), edges, premises_from_ft=premises_from_ft)[0]]
        same = found.reshape(between.shape) == owner[change][:, None]
        # The last of the places that still meet what the lower end meets, and the next one.
        count = np.where(same.all(axis=1), PARTS - 1, np.argmin(same, axis=1))
        width = (high - low) / PARTS
        low = low + count * width
        high = low + width
    cuts = np.concatenate([[0.0], (low + high) / 2, [sweep.length_ft]])
    kept = owner[np.concatenate([change, [len(owner) - 1]])]
    return [Stretch(float(a), float(b), int(o)) for a, b, o in zip(cuts[:-1], cuts[1:], kept, strict=True)]


def _wrap(angle: FloatArray) -> FloatArray:
    """Bring angles into -pi to pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
