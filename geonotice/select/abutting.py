"""Who shares a lot line with the premises.

*Abutting*: shares a run of lot line, within tolerance, longer than four tolerances (the longer of the runs measured on either boundary).
*Corner*: within tolerance, but no such run. A parcel that overlaps the premises by more than half of the smaller area is *stacked*: it
abuts, and takes no frontage away.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from geonotice.select.lot_lines import (
    HAIR_FT,
    QUAD_SEGS,
    FloatArray,
    GeometryArray,
    IntArray,
    Interval,
    Ring,
    covered,
    ends_of_polygons,
    join,
    origins,
    outline,
    rings_of,
    rings_of_each,
)

if TYPE_CHECKING:
    from geonotice.select.extended_lines import Compiled

__all__ = ["RUN_TOLERANCES", "STACKED_SHARE", "Abutter", "Around", "Lots", "SharedRun", "abutting", "may_be_stacked"]

RUN_TOLERANCES: Final = 4
"""A shared run is longer than this many tolerances: less is a corner where lines were drawn past each other."""
SHARES_FT: Final = 2.0
"""A run shorter than this is nothing but a corner, and takes no frontage away."""
STACKED_SHARE: Final = 0.5
"""Overlap, as a share of the smaller area, beyond which two parcels lie on each other."""


class SharedRun(NamedTuple):
    """A run of the premises' boundary that a parcel shares.

    Parameters
    ----------
    ring
        On which ring of the outline.
    start, end
        From where to where on it the boundary lies within tolerance.
    first, last
        The same without what the tolerance adds round the ends.
    line
        The run from ``first`` to ``last``.
    """

    ring: int
    start: float
    end: float
    first: float
    last: float
    line: LineString

    @property
    def length_ft(self) -> float:
        """Length, without what the tolerance adds round its ends."""
        return self.last - self.first


class Abutter(Struct, frozen=True, eq=False):
    """A parcel within tolerance of the premises.

    Parameters
    ----------
    index
        Its place in the arrays given.
    relation
        ``abutting`` or ``corner``.
    distance_ft
        Polygon to polygon.
    shared_ft
        Length of the longer of the shared runs measured on either boundary, without what the tolerance adds round its ends.
    stacked
        Whether it overlaps the premises by more than half of the smaller area.
    runs
        Runs of the premises' outline that it shares, down to 2 ft; a mere corner has none.
    """

    index: int
    relation: Literal["abutting", "corner"]
    distance_ft: float
    shared_ft: float
    stacked: bool
    runs: tuple[SharedRun, ...]


class Pair(NamedTuple):
    """How two outlines lie to each other: the runs of the one that the other shares, the longest on either, and whether one lies on the other."""

    runs: tuple[SharedRun, ...]
    longest_ft: float
    stacked: bool


class _Drawn(NamedTuple):
    """Outlines taken apart, arrays of one length: their rings, and the bands in which a line runs along them."""

    outlines: GeometryArray
    rings: Sequence[Sequence[Ring]]
    bands: GeometryArray


class Lots:
    """Parcels, with what is asked of each again and again: its outline, band, rings and edges, and how it lies to those beside it.

    A list asks this of the lots around its premises, once. A screen asks it for every parcel of a town, and each lies beside eight others: what is made
    of one is then made once for all of them.

    Parameters
    ----------
    geometries
        Valid polygons or multipolygons in US survey feet.
    tolerance_ft
        What digitizing moves a lot line.
    """

    def __init__(self, geometries: GeometryArray, *, tolerance_ft: float) -> None:
        self.geometries = geometries
        self.tolerance_ft = tolerance_ft
        self.bounds: FloatArray = shapely.bounds(geometries).reshape(-1, 4)
        self._outlines = np.full(len(geometries), None, dtype=object)
        self._bands = np.full(len(geometries), None, dtype=object)
        self._rings: dict[int, list[Ring]] = {}
        self._pairs: dict[tuple[int, int], Pair] = {}
        self._edges: tuple[IntArray, FloatArray, FloatArray] | None = None
        self._origins: FloatArray | None = None
        self._whole: dict[int, shapely.Polygon | None] = {}
        self._lies: NDArray[np.bool_] | None = None

    def drawn(self, some: Sequence[int]) -> _Drawn:
        """Return some parcels taken apart: a parcel in a single piece as it is, one in several with the gaps between them closed."""
        self._take_apart(some)
        rings = [self._rings[n] for n in some]
        missing = np.array([n for n in dict.fromkeys(some) if self._bands[n] is None], dtype=np.intp)
        if len(missing):
            self._bands[missing] = _bands(self._outlines[missing], self.tolerance_ft)
        places = np.asarray(some, dtype=np.intp)
        return _Drawn(self._outlines[places], rings, self._bands[places])

    def rings(self, n: int) -> list[Ring]:
        """Return the rings of a parcel, as it is drawn as a neighbor."""
        self._take_apart([n])
        return self._rings[n]

    def _take_apart(self, some: Sequence[int]) -> None:
        """Find outline and rings of those parcels of which they are not known yet."""
        missing = [n for n in dict.fromkeys(some) if n not in self._rings]
        if not missing:
            return
        chosen = self.geometries[missing]
        self._outlines[missing] = chosen
        for n in np.flatnonzero(shapely.get_num_geometries(chosen) != 1).tolist():
            self._outlines[missing[n]] = outline(chosen[n : n + 1], tolerance_ft=self.tolerance_ft)
        self._rings.update(zip(missing, rings_of_each(self._outlines[missing]), strict=True))

    def meet(self, mine: IntArray, others: IntArray) -> None:
        """Measure how many pairs of parcels lie to each other, all at once: each pair once, for both of the two."""
        there, back = _meetings(self.drawn(mine.tolist()), self.drawn(others.tolist()), self.tolerance_ft)
        for one, other, pair, turned in zip(mine.tolist(), others.tolist(), there, back, strict=True):
            self._pairs[one, other], self._pairs[other, one] = pair, turned

    def runs(self) -> "Iterator[tuple[tuple[int, int], SharedRun]]":
        """Yield the runs of lot line that were measured, each with the lot whose line it is and the one that shares it."""
        return ((places, run) for places, pair in self._pairs.items() for run in pair.runs)

    def met(self, one: int, some: Sequence[int]) -> list[Pair] | None:
        """Return how one parcel lies to some others, where all of it was measured before; None where it was not."""
        found = [self._pairs.get((one, other)) for other in some]
        return None if None in found else found  # type: ignore[return-value]  # none is missing

    def whole(self, n: int) -> shapely.Polygon | None:
        """Return a parcel in one piece and without holes as the polygon that it is; None for any other."""
        if n not in self._whole:
            one = self.geometries[n]
            part = shapely.get_geometry(one, 0) if shapely.get_num_geometries(one) == 1 else None
            self._whole[n] = part if part is not None and not shapely.get_num_interior_rings(part) else None
        return self._whole[n]

    def find_stacked(self) -> None:
        """Find the parcels that lie on another by more than half of the smaller, all at once."""
        mine, others = shapely.STRtree(self.geometries).query(self.geometries)
        mine, others = mine[mine < others], others[mine < others]
        lies = _stacked(self.geometries[mine], self.geometries[others])
        self._lies = np.zeros(len(self.geometries), dtype=bool)
        self._lies[mine[lies]] = self._lies[others[lies]] = True

    def may_be_stacked(self, some: IntArray) -> bool:
        """Return whether one of some parcels may lie on another: so it is taken where it was not found out."""
        return self._lies is None or bool(self._lies[some].any())

    def origin(self, n: int) -> FloatArray:
        """Return what is taken off coordinates around a parcel."""
        if self._origins is None:
            self._origins = origins(self.geometries)
        made: FloatArray = self._origins[n]
        return made

    def edges(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return where the edges of each parcel begin, with one place more for the end of the last, and where each edge starts and ends."""
        if self._edges is None:
            owner, start, end = ends_of_polygons(self.geometries)
            self._edges = np.searchsorted(owner, np.arange(len(self.geometries) + 1)), start, end
        return self._edges

    def ends(self, some: IntArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return how many edges each of some parcels has, and where each edge starts and ends, the land on its left, parcel by parcel."""
        first, start, end = self.edges()
        count = first[some + 1] - first[some]
        which = np.arange(count.sum()) + np.repeat(first[some] - np.cumsum(count) + count, count)
        return count, start[which], end[which]


class Around(NamedTuple):
    """The parcels around some premises.

    Parameters
    ----------
    lots
        Parcels taken apart.
    places
        The places of those around the premises in ``lots``, in the order of the array that is given beside this.
    own
        The place of the premises, where they are one parcel of ``lots``.
    distance_ft
        Distance of each to the premises, where it is known.
    compiled
        What gathers edges and finds the first on a ray's way in the place of numpy.
    street_between
        The pairs of ``lots`` between which a street may run; None where that was not looked at.
    """

    lots: Lots
    places: IntArray
    own: int | None = None
    distance_ft: FloatArray | None = None
    compiled: "Compiled | None" = None
    street_between: Collection[tuple[int, int]] | None = None

    def with_a_street_between(self, abutters: "Sequence[Abutter]") -> "Sequence[Abutter]":
        """Return those abutters between which and the premises a street may run."""
        if self.street_between is None or self.own is None:
            return abutters
        return [one for one in abutters if (self.own, int(self.places[one.index])) in self.street_between]

    def drawn_alike(self, closed: BaseGeometry) -> bool:
        """Return whether the premises are one parcel of the lots, drawn as premises as it is as a neighbor: premises have their thin holes filled."""
        if self.own is None:
            return False
        return self.is_outline(closed) or not shapely.get_num_interior_rings(shapely.get_parts(closed)).any()

    def outline(self) -> BaseGeometry | None:
        """Return the premises' outline where it is the parcel itself: one of the lots, in one piece and without holes."""
        return None if self.own is None else self.lots.whole(self.own)

    def is_outline(self, closed: BaseGeometry) -> bool:
        """Return whether that is what the premises' outline was taken from."""
        return self.own is not None and closed is self.lots.whole(self.own)

    def rings(self, closed: BaseGeometry) -> Sequence[Ring] | None:
        """Return the rings of the premises' outline, where they are known."""
        return self.lots.rings(self.own) if self.own is not None and self.drawn_alike(closed) else None


def abutting(
    premises: GeometryArray,
    geometries: GeometryArray,
    *,
    tolerance_ft: float = 1.5,
    closed: BaseGeometry | None = None,
    around: Around | None = None,
    rings: Sequence[Ring] | None = None,
) -> tuple[Abutter, ...]:
    """Find the parcels that share a lot line or a corner with the premises.

    Roles do not matter here: a right-of-way or railroad parcel that touches abuts, as itself.

    Parameters
    ----------
    premises
        Its parcels, valid polygons or multipolygons in US survey feet.
    geometries
        Other parcels near it, without the premises' own; as ``premises``.
    tolerance_ft
        What digitizing moves a lot line.
    closed
        The premises' outline, where the caller has it already.
    around
        The same parcels taken apart, where the caller has that already.
    rings
        The rings of ``closed``, likewise.

    Returns
    -------
    tuple of Abutter
        In the order of ``geometries``.

    Examples
    --------
    A lot on a block of 100-ft lots, with lots left, right, behind, behind to the left, and across a 50-ft street.

    >>> import numpy as np, shapely
    >>> lots = np.array([shapely.box(x, y, x + 100, y + 100) for x, y in [(-100, 0), (100, 0), (0, -100), (-100, -100), (0, 150)]])
    >>> found = abutting([shapely.box(0, 0, 100, 100)], lots)
    >>> [(item.index, item.relation, round(item.shared_ft)) for item in found]
    [(0, 'abutting', 100), (1, 'abutting', 100), (2, 'abutting', 100), (3, 'corner', 0)]
    """
    premises = np.asarray(premises, dtype=object)
    geometries = np.asarray(geometries, dtype=object)
    if not len(geometries):
        return ()
    around = around or Around(Lots(geometries, tolerance_ft=tolerance_ft), np.arange(len(geometries)))
    # Roles play no part here: who owns the strip beside the premises is an owner of abutting land, whether or not it is a street. LAW:
    # Southampton 283-3 and 283-9 speak of "parcels abutting", not of lots.
    distance = around.distance_ft if around.distance_ft is not None else _distances(premises, geometries, around, tolerance_ft)
    near = np.flatnonzero(distance <= tolerance_ft)
    if not len(near):
        return ()
    closed = closed if closed is not None else outline(premises, tolerance_ft=tolerance_ft)
    return tuple(
        Abutter(
            index=index,
            relation="abutting" if pair.stacked or pair.longest_ft > RUN_TOLERANCES * tolerance_ft else "corner",
            distance_ft=float(distance[index]),
            shared_ft=pair.longest_ft if pair.stacked or pair.longest_ft > RUN_TOLERANCES * tolerance_ft else 0.0,
            stacked=pair.stacked,
            runs=pair.runs,
        )
        for index, pair in zip(near.tolist(), _pairs(closed, rings, around, around.places[near], tolerance_ft), strict=True)
    )


def _pairs(
    closed: BaseGeometry, rings: Sequence[Ring] | None, around: Around, some: IntArray, tolerance_ft: float
) -> Sequence[Pair]:
    """Return how the premises' outline lies to some parcels."""
    places = some.tolist()
    known = around.lots.met(around.own, places) if around.own is not None and around.drawn_alike(closed) else None
    if known is not None:
        return known
    own = np.full(len(places), closed, dtype=object)
    band = _bands(own[:1], tolerance_ft)[0]
    mine = _Drawn(own, [rings or rings_of(closed)] * len(places), np.full(len(places), band, dtype=object))
    return _meetings(mine, around.lots.drawn(places), tolerance_ft)[0]


def _bands(outlines: GeometryArray, tolerance_ft: float) -> GeometryArray:
    """Return the bands in which a line runs along each outline."""
    # A band is right here and wrong for a distance: it asks how long two lines run side by side, which no single distance says. Its arcs are
    # cut so fine that they move an end by 0.001 ft.
    return np.asarray(shapely.buffer(outlines, tolerance_ft + HAIR_FT, quad_segs=QUAD_SEGS), dtype=object)


def _meetings(mine: _Drawn, others: _Drawn, tolerance_ft: float) -> tuple[list[Pair], list[Pair]]:
    """Return how outlines lie to others, one to one, and how these lie to them."""
    there = _runs(mine.rings, others.bands, others.outlines, tolerance_ft)
    back = _runs(others.rings, mine.bands, mine.outlines, tolerance_ft)
    # Both boundaries are measured: a lot drawn with a notch shares a short run of its own line and a long run of ours, or the other way
    # round. The longer one is taken, since a missed neighbor costs more than a needless letter.
    longest = [max((run.length_ft for run in (*a, *b)), default=0.0) for a, b in zip(there, back, strict=True)]
    stacked = _stacked(mine.outlines, others.outlines).tolist()
    return tuple(
        [
            Pair(tuple(run for run in runs if run.length_ft >= SHARES_FT), length_ft, lies)
            for runs, length_ft, lies in zip(some, longest, stacked, strict=True)
        ]
        for some in (there, back)
    )  # type: ignore[return-value]  # two of them


def _stacked(one: GeometryArray, other: GeometryArray) -> NDArray[np.bool_]:
    """Return of each pair whether one lies on the other by more than half of the smaller."""
    areas = np.minimum(shapely.area(one), shapely.area(other))
    may = may_be_stacked(shapely.bounds(one), shapely.bounds(other), areas)
    may[may] = shapely.area(shapely.intersection(one[may], other[may])) > STACKED_SHARE * areas[may]
    return may


def may_be_stacked(one: FloatArray, other: FloatArray, areas: FloatArray) -> NDArray[np.bool_]:
    """Return of pairs of boxes whether what lies in them can overlap by more than half of the smaller area: overlays are slow, and few are needed."""
    sides = np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2])
    made: NDArray[np.bool_] = np.maximum(sides, 0.0).prod(axis=1) * (1 + HAIR_FT) > STACKED_SHARE * areas
    return made


def _true_ends(runs: Sequence[tuple[Ring, float, float]], neighbors: GeometryArray, *, tolerance_ft: float) -> list[Interval]:
    """Take off runs' ends what the tolerance added: each end moves back to where the neighbor's own line ends.

    A neighbor is still within tolerance a little past its corner; the point of the neighbor nearest to the run's end shows where.
    """
    backs = [min(3 * tolerance_ft, end - start) for _, start, end in runs]
    tails = [
        path
        for (ring, start, end), back in zip(runs, backs, strict=True)
        for path in (ring.vertices(start, start + back), ring.vertices(end - back, end))
    ]
    lines = _lines(tails)
    tips = shapely.get_point(lines, np.tile([0, -1], len(runs)))
    nearest = shapely.get_point(shapely.shortest_line(np.repeat(neighbors, 2), tips), 0)
    at = shapely.line_locate_point(lines, nearest).tolist()
    made = []
    for (ring, start, end), back, head, tail in zip(runs, backs, at[::2], at[1::2], strict=True):
        first, last = start + head, end - back + tail
        # An enclave shares the whole ring and has no ends.
        whole = end - start >= ring.length
        made.append((start, end) if whole else (first, last) if first < last else ((first + last) / 2,) * 2)
    return made


def _lines(paths: Sequence[list[list[float]]]) -> GeometryArray:
    """Return a line along each path, given as its vertices."""
    counts = [len(path) for path in paths]
    vertices = np.array([vertex for path in paths for vertex in path])
    return np.asarray(shapely.linestrings(vertices, indices=np.repeat(np.arange(len(paths)), counts)), dtype=object)


def _distances(premises: GeometryArray, geometries: GeometryArray, around: Around, tolerance_ft: float) -> FloatArray:
    """Measure the distance to the plain union of the premises, where it may be within tolerance; inf elsewhere."""
    distance = np.full(len(geometries), np.inf)
    boxes = around.lots.bounds[around.places]
    for part in shapely.get_parts(premises):
        xmin, ymin, xmax, ymax = shapely.bounds(part)
        # Boxes first: on a whole layer the exact distance to every parcel would be most of the run time.
        may = (
            (boxes[:, 0] <= xmax + tolerance_ft)
            & (boxes[:, 2] >= xmin - tolerance_ft)
            & (boxes[:, 1] <= ymax + tolerance_ft)
            & (boxes[:, 3] >= ymin - tolerance_ft)
        )
        distance[may] = np.minimum(distance[may], shapely.distance(part, geometries[may]))
    return distance


def _runs(
    rings: Sequence[Sequence[Ring]], bands: GeometryArray, neighbors: GeometryArray, tolerance_ft: float
) -> list[list[SharedRun]]:
    """Return for each outline, given as its rings, the runs of them inside the band around its neighbor."""
    whose = np.repeat(np.arange(len(rings)), [len(some) for some in rings])
    place = [n for some in rings for n in range(len(some))]
    flat = [ring for some in rings for ring in some]
    made: list[list[SharedRun]] = [[] for _ in rings]
    if not flat:
        return made
    lines = np.empty(len(flat), dtype=object)
    lines[:] = [ring.line for ring in flat]
    inside = covered(lines, bands[whose])
    found = [
        (n, start, end)
        for n, (ring, some) in enumerate(zip(flat, inside, strict=True))
        if some
        for start, end in join(some, ring.length, bridge_ft=tolerance_ft)
    ]
    if not found:
        return made
    of = whose[[n for n, _, _ in found]]
    ends = _true_ends([(flat[n], start, end) for n, start, end in found], neighbors[of], tolerance_ft=tolerance_ft)
    paths = [
        flat[n].vertices(first, last) if last > first else flat[n].vertices(start, end)
        for (n, start, end), (first, last) in zip(found, ends, strict=True)
    ]
    for (n, start, end), (first, last), line in zip(found, ends, _lines(paths), strict=True):
        made[int(whose[n])].append(SharedRun(place[n], start, end, first, last, line))
    return made
