"""Lines across a right-of-way from one frontage: what each of them meets first, and over how much frontage each parcel is met.

Rays are intersected with the edges of polygons in plain numpy: a frontage has a hundred rays and its surroundings some hundred edges,
too many pairs for one geometry call each.
"""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from geonotice.select.bends_and_rounded_corners import jogs
from geonotice.select.frontage import PARALLEL_DEG, Face
from geonotice.select.lot_lines import HAIR_FT, FloatArray, GeometryArray, IntArray, line_along

__all__ = [
    "NOTHING",
    "PREMISES",
    "Edges",
    "Rays",
    "Stretch",
    "Sweep",
    "cast",
    "crossings",
    "depth_reach",
    "distinct",
    "edges_between",
    "measure",
    "median",
]


NOTHING: Final = -1
"""The answer of a ray that meets no parcel."""
PREMISES: Final = -2
"""The answer of a ray that meets a parcel of the premises."""
BACK_FT: Final = 1.0
"""How far behind its start a ray already sees a parcel: frontages are simplified to 0.5 ft, so a start may lie that far past a line."""
BLOCK: Final = 100
"""Rays taken together: neighbours along a frontage look at the same few edges, and only those are computed."""


class Edges(NamedTuple):
    """Straight edges, each owned by a parcel or line.

    ``start`` and ``step`` have shape (m, 2), relative to ``origin``; ``owner`` has shape (m,). Polygons keep their land on the left. ``compiled`` is what
    looks along rays in the place of numpy, with the same answer: a screen has it.
    """

    start: FloatArray
    step: FloatArray
    owner: IntArray
    origin: FloatArray
    compiled: "Compiled | None" = None

    def near(self, rays: "Rays") -> "Edges":
        """Keep the edges that reach into the box of some rays; what is compiled passes over the others by itself."""
        if self.compiled:
            return self
        box, end = rays.box(), self.start + self.step
        low, high = np.minimum(self.start, end), np.maximum(self.start, end)
        kept = (high >= box[:2]).all(axis=1) & (low <= box[2:]).all(axis=1)
        return Edges(self.start[kept], self.step[kept], self.owner[kept], self.origin, self.compiled)


class Compiled(NamedTuple):
    """What a screen has compiled, with the answers that numpy gives; :mod:`geonotice.screen.look_kernel` has the parameters.

    Parameters
    ----------
    first_met
        Finds the first edge on each ray's way.
    edges_of
        Gathers the edges of lots.
    look, changes
        Do what :meth:`Sweep.look` and :func:`measure` do.
    faced
        Counts from how many places the lines across cross each street first.
    """

    first_met: Callable[..., tuple[IntArray, FloatArray]]
    edges_of: Callable[..., tuple[FloatArray, FloatArray, IntArray]]
    look: Callable[..., tuple[IntArray, FloatArray, FloatArray, FloatArray, FloatArray, IntArray]]
    changes: Callable[..., tuple[FloatArray, IntArray]]
    faced: Callable[..., IntArray]


class Rays(NamedTuple):
    """Rays: where they start (n, 2), their unit directions (n, 2), how far they look (n,), and the sine of their angle to the frontage (n,)."""

    start: FloatArray
    direction: FloatArray
    reach: FloatArray
    sine: FloatArray

    def part(self, some: slice) -> "Rays":
        """Return some of the rays."""
        return Rays(self.start[some], self.direction[some], self.reach[some], self.sine[some])

    def lines(self, reached: FloatArray, origin: FloatArray) -> GeometryArray:
        """Draw each ray as far as it reached, in the CRS whose ``origin`` was taken off."""
        ends = self.start + reached[:, None] * self.direction
        return np.asarray(shapely.linestrings(np.stack([self.start, ends], axis=1) + origin), dtype=object)

    def box(self) -> FloatArray:
        """Return the box that holds every ray."""
        both = np.vstack([self.start - BACK_FT * self.direction, self.start + self.reach[:, None] * self.direction])
        return np.concatenate([both.min(axis=0), both.max(axis=0)])


def distinct(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different numbers in order, and how often each occurs.

    So does ``np.unique``, which first imports ``numpy.ma``: a twentieth of the time of a whole query.

    Examples
    --------
    >>> [found.tolist() for found in distinct(np.array([7, 2, 7]))]
    [[2, 7], [1, 2]]
    >>> [found.tolist() for found in distinct(np.array([], dtype=np.intp))]
    [[], []]
    """
    ordered = np.sort(numbers)
    new = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    first = np.flatnonzero(new)
    return ordered[first], np.append(first[1:], len(ordered))[: len(first)] - first


def median(lengths: FloatArray) -> float:
    """Return the middle length; between two of them, their mean. ``np.median`` imports ``numpy.ma``, as :func:`distinct` explains.

    Examples
    --------
    >>> median(np.array([3.0, 1.0, 2.0])), median(np.array([4.0, 1.0]))
    (2.0, 2.5)
    """
    ordered = np.sort(lengths)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def edges_between(start: FloatArray, end: FloatArray, owner: IntArray, origin: FloatArray) -> Edges:
    """Return the edges from some points to others, relative to an origin."""
    # State-plane coordinates are near 10 to the 6th. Products of two of them lose the last thousandths of a foot, which decide at shared
    # corners.
    start = start - origin
    return Edges(start, end - origin - start, owner, origin)


def cast(rays: Rays, edges: Edges, *, premises_from_ft: float) -> tuple[IntArray, FloatArray]:
    """Find the parcel that each ray enters first.

    Only entering counts: a ray that starts a little inside the premises leaves them unseen, and sees them again where it comes back,
    at least ``premises_from_ft`` on.

    Returns
    -------
    tuple
        Owner of the edge first entered (``NOTHING`` where none), and distance along the ray (``inf`` where none), each of shape (n,).
    """
    if edges.compiled:
        owner, distance = edges.compiled.first_met(*rays[:3], *edges[:3], premises_from_ft, True)  # noqa: FBT003  # only entering
    else:
        # Entering: the ray crosses from the right of the edge to its left, where the land is.
        owner, distance = _first(
            rays,
            edges,
            lambda near, along, slope: (slope >= 0) | (along < np.where(near.owner == PREMISES, premises_from_ft, -BACK_FT)),
        )
    return owner, np.maximum(distance, 0.0)


def crossings(rays: Rays, edges: Edges) -> tuple[IntArray, FloatArray]:
    """Find the line that each ray crosses first, whichever way; as :func:`cast`."""
    if edges.compiled:
        return edges.compiled.first_met(*rays[:3], *edges[:3], 0.0, False)  # noqa: FBT003  # entering or leaving
    return _first(rays, edges, lambda _near, along, _slope: along < 0)


def _first(
    rays: Rays, edges: Edges, passed: Callable[[Edges, FloatArray, FloatArray], NDArray[np.bool_]]
) -> tuple[IntArray, FloatArray]:
    """Find the nearest edge on each ray's way; ``passed`` says which meetings (n, m), as :func:`_meet` gives them, do not count."""
    owner = np.full(len(rays.start), NOTHING, dtype=np.intp)
    distance = np.full(len(rays.start), np.inf)
    if len(rays.start) > BLOCK:
        edges = edges.near(rays)
    for low in range(0, len(rays.start), BLOCK):
        part = slice(low, low + BLOCK)
        some = rays.part(part)
        near = edges.near(some)
        if not len(near.start):
            continue
        along, slope = _meet(some, near)
        along[passed(near, along, slope) | (along > some.reach[:, None])] = np.inf
        best = np.argmin(along, axis=1)
        nearest = along[np.arange(len(best)), best]
        met = np.isfinite(nearest)
        owner[part][met] = near.owner[best[met]]
        distance[part][met] = nearest[met]
    return owner, distance


def _meet(rays: Rays, edges: Edges) -> tuple[FloatArray, FloatArray]:
    """Return the distance along each ray to each edge (inf where they miss), and the cross product of ray and edge, shapes (n, m)."""
    ux, uy = rays.direction[:, 0, None], rays.direction[:, 1, None]
    dx = edges.start[None, :, 0] - rays.start[:, 0, None]
    dy = edges.start[None, :, 1] - rays.start[:, 1, None]
    ex, ey = edges.step[None, :, 0], edges.step[None, :, 1]
    slope = ux * ey - uy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (dx * ey - dy * ex) / slope
        share = (dx * uy - dy * ux) / slope
    along[~((share >= 0.0) & (share <= 1.0))] = np.inf
    return along, slope


# ---- the sweep
#
# Two sweeps: by *extension of lot lines* (the direction turns evenly from that of the line that ends the frontage on one side to that on
# the other) and, as a second opinion, by *perpendicular projection*.


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
LEAN: Final = float(np.radians(90 - PARALLEL_DEG))
"""A line that leans farther from the perpendicular runs along the frontage."""
LEAST_SINE: Final = 1e-9


class Stretch(NamedTuple):
    """A stretch of frontage, feet from its start, whose lines meet one thing first: an owner as in :mod:`geonotice.select.extended_lines`."""

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
        self._step = self._xy[1:] - self._xy[:-1]
        length = np.hypot(self._step[:, 0], self._step[:, 1])
        heading = np.arctan2(self._step[:, 1], self._step[:, 0])
        if len(length) > 1:
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
        self._first = float(self._square[0]) + self._lean(face.start.direction, float(heading[0]))
        self._last = float(self._square[-1]) + self._lean(face.end.direction, float(heading[-1]))
        self._starts: dict[float, FloatArray] = {}
        self._places: dict[float, FloatArray] = {}
        self._own: list[shapely.LineString] = []

    def with_step(self, step_ft: float, *, perpendicular: bool = False) -> "Sweep":
        """Return the lines of the same frontage so far apart, or at right angles to it."""
        made = Sweep.__new__(Sweep)  # what copies any object takes five times as long
        made.__dict__.update(self.__dict__)
        made._step_ft, made.perpendicular = step_ft, perpendicular  # noqa: SLF001  # its own
        return made

    @property
    def length_ft(self) -> float:
        """Length of the frontage along its own direction: the step of a jog adds nothing, since no line goes across from it."""
        return float(self._begins[-1])

    @property
    def own(self) -> shapely.LineString:
        """The frontage as a line, made once."""
        if not self._own:
            self._own.append(line_along(self.face.xy))
        return self._own[0]

    def starts(self) -> FloatArray:
        """Return where the rays start, feet along the frontage: the middles of equal steps; made once, and not to be changed."""
        if self._step_ft not in self._starts:
            length = self.length_ft
            count = max(FEWEST, math.ceil(length / self._step_ft))
            made = np.asarray((np.arange(count) + 0.5) * (length / count), dtype=np.float64)
            made.flags.writeable = False
            self._starts[self._step_ft] = made
        return self._starts[self._step_ft]

    def places(self) -> FloatArray:
        """Return where lines start that find every parcel: :meth:`starts`, and one next to each end.

        A lot met over an inch or two is met at an end of the frontage, where two lot lines nearly line up across the street. Without the two at the ends
        it would fall outside the first step.
        """
        if self._step_ft not in self._places:
            made = np.concatenate([[END_FT], self.starts(), [self.length_ft - END_FT]])
            made.flags.writeable = False
            self._places[self._step_ft] = made
        return self._places[self._step_ft]

    def rays(self, at: FloatArray, depth_ft: float) -> Rays:
        """Return the rays from places along the frontage, looking ``depth_ft`` across."""
        # Most frontages are straight: then all lines start on one segment, and none has to be looked for.
        straight = len(self._length) == 1
        k = 0 if straight else np.clip(np.searchsorted(self._begins, at, side="right") - 1, 0, len(self._length) - 1)
        start = self._xy[k] + ((at - self._begins[k]) / self._length[k])[:, None] * self._step[k]
        square = np.full(len(at), self._square[0]) if straight else self._square[k]
        if self.perpendicular:
            angle, sine = square, np.ones(len(at))
        else:
            # LAW: Southampton 283-3 and 283-9 say "by extension of lot lines", of which a frontage has two. What lies between them is not
            # stated. The direction turns evenly from one to the other: then no owner between the two extended lines is passed over.
            angle = self._first + (self._last - self._first) * at / self._begins[-1]
            # A line that would run along the frontage, or back into the premises, gives way to the perpendicular.
            angle = np.where(np.abs(angle - square) > LEAN, square, angle)
            sine = np.cos(angle - square)
        direction = np.empty((len(at), 2))
        np.cos(angle, out=direction[:, 0])
        np.sin(angle, out=direction[:, 1])
        return Rays(start, direction, depth_reach(depth_ft, sine), sine)

    @property
    def line(self) -> tuple[Any, ...]:
        """The frontage as the kernel takes it."""
        return self._xy, self._step, self._length, self._begins, self._square, self._first, self._last

    def look(self, edges: Edges, depth_ft: float, *, premises_from_ft: float) -> tuple[IntArray, FloatArray, FloatArray, Edges]:
        """Return what the lines from :meth:`places` enter first, as :func:`cast` has it, the sine of each, and the edges in their reach."""
        if edges.compiled:
            across = self.line, self.perpendicular, depth_ft + HAIR_FT
            met, distance, sine, start, step, owner = edges.compiled.look(self.places(), *across, *edges[:3], premises_from_ft)
            return met, distance, sine, Edges(start, step, owner, edges.origin, edges.compiled)
        # The lines at the very ends lie outside what the others look across: they bound it, and meet nothing that counts.
        every = self.rays(np.array([0.0, *self.places(), self.length_ft]), depth_ft)
        edges, rays = edges.near(every), every.part(slice(1, -1))
        return *cast(rays, edges, premises_from_ft=premises_from_ft), rays.sine, edges

    @staticmethod
    def _lean(direction: FloatArray, heading: float) -> float:
        """Return the angle from the perpendicular to a direction, between -90 and 90 degrees."""
        return (math.atan2(direction[1], direction[0]) - (heading - math.pi / 2) + math.pi) % (2 * math.pi) - math.pi


def depth_reach(depth_ft: float, sine: FloatArray) -> FloatArray:
    """Return how far a line may run across a right-of-way ``depth_ft`` wide: farther when aslant, but not without end.

    A parcel at exactly that depth is met: a hair is added, so that rounding does not decide.
    """
    depth_ft += HAIR_FT
    made: FloatArray = np.minimum(depth_ft / np.maximum(sine, LEAST_SINE), depth_ft + SIDEWAYS_FT)
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
        What the lines from ``sweep.places()`` meet first.
    alike
        For each owner the one that stands for it: parcels stacked on each other count as one here. Two more entries at the end serve
        the owners ``PREMISES`` (-2) and ``NOTHING`` (-1).
    premises_from_ft
        Where on its way a line begins to see the premises themselves.
    """
    at, owner = sweep.places(), alike[first]
    if edges.compiled:
        across = sweep.line, sweep.perpendicular, depth_ft + HAIR_FT
        cuts, kept = edges.compiled.changes(at, owner, alike, *across, *edges[:3], premises_from_ft, PARTS, REFININGS)
        ends = cuts.tolist()
        return [Stretch(a, b, o) for a, b, o in zip(ends[:-1], ends[1:], kept.tolist(), strict=True)]
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
