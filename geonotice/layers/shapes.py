"""The polygons of a layer in little memory: as well-known binary, made into shapely's only where they are looked at.

A polygon of shapely takes three times the memory of its corners, and a county has half a million. What is asked of all of them (box, area,
length) is measured once, in pieces; a grid of the boxes finds the few that lie near others, and only these are made.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from geonotice.layers.spill import Piece, Spill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["AT_ONCE", "MISSING", "Figures", "Shapes", "geometries"]

AT_ONCE = 16_384
"""So many geometries are made at once, about: some 10 MB."""
MISSING = -1
"""The kind of a geometry that is not there."""
_POLYGONS = (3, 6)
"""Shapely's numbers of the types that have an area."""
_PAIRS = 16_384
"""So many pairs are measured at once."""
_ASKED = 4_096
"""So many geometries are asked at once what lies near them: each has some eight others beside it, which are made with it."""


class Figures(NamedTuple):
    """What is measured of each geometry of a piece, as :class:`Shapes` has it of all."""

    kind: "NDArray[np.int8]"
    bounds: "NDArray[np.float64]"
    area: "NDArray[np.float64]"
    length: "NDArray[np.float64]"

    @classmethod
    def of(cls, geometry: "NDArray[np.object_]") -> "Figures":
        """Measure geometries of shapely's."""
        return cls(
            shapely.get_type_id(geometry).astype(np.int8),
            shapely.bounds(geometry).reshape(-1, 4),
            shapely.area(geometry),
            shapely.length(geometry),
        )


class Shapes:
    """Geometries as well-known binary, in pieces.

    Parameters
    ----------
    pieces
        Where their binary is kept; null where there is no geometry.
    kind
        Shapely's number of the type of each, :data:`MISSING` for none.
    bounds
        The box of each: least x and y, greatest x and y; not numbers where there is none.
    area, length
        Measured, where they are known.
    doubtful
        Which have a corner that is no number or whose numbers are alike, as all marks for "no place" are; where it was looked at.
    sound
        Which are valid polygons, where it was looked at.
    """

    def __init__(
        self,
        pieces: "Sequence[Piece]",
        *,
        kind: "NDArray[np.int8]",
        bounds: "NDArray[np.float64]",
        area: "NDArray[np.float64] | None" = None,
        length: "NDArray[np.float64] | None" = None,
        doubtful: "NDArray[np.bool_] | None" = None,
        sound: "NDArray[np.bool_] | None" = None,
    ) -> None:
        self.pieces = tuple(piece for piece in pieces if piece.size)
        self.kind = kind
        self.bounds = bounds
        if area is not None:
            self.area = area
        if length is not None:
            self.length = length
        self.doubtful = doubtful
        self.sound = sound
        self._starts = np.cumsum([0, *(piece.size for piece in self.pieces)])

    @classmethod
    def of(cls, geometry: "NDArray[np.object_] | Shapes") -> "Shapes":
        """Return shapely geometries in this form; what is in it already as it is."""
        if isinstance(geometry, Shapes):
            return geometry
        starts = range(0, len(geometry), AT_ONCE)
        return cls.gathered((geometry[start : start + AT_ONCE], None) for start in starts)

    @classmethod
    def gathered(cls, pieces: "Iterable[tuple[NDArray[np.object_] | Figures, Piece | pa.Array | None]]") -> "Shapes":
        """Return pieces as one, each measured while it is there as shapely's: its geometries, and their binary where it is the same.

        What was measured may stand in the place of the geometries, where their binary is there.
        """
        import pyarrow as pa

        binary: list[Piece] = []
        kept = Spill()
        figures: list[Figures] = []
        for measured, written in pieces:
            found = measured if isinstance(measured, Figures) else Figures.of(measured)
            figures.append(found)
            if isinstance(written, Piece):
                binary.append(written)
            elif written is not None:
                binary.append(kept.add(written.cast(pa.binary())))
            else:
                assert not isinstance(measured, Figures)  # noqa: S101  # what is not written is there as shapely's
                binary.append(kept.add(_binary(measured)))
        if not figures:
            none = np.zeros(0)
            return cls((), kind=none.astype(np.int8), bounds=none.reshape(0, 4), area=none, length=none)
        kind, bounds, area, length = (np.concatenate(parts) for parts in zip(*figures, strict=True))
        return cls(binary, kind=kind, bounds=bounds, area=area, length=length)

    @classmethod
    def stacked(cls, several: "Sequence[Shapes]") -> "Shapes":
        """Return several under each other."""
        return cls(
            [piece for shapes in several for piece in shapes.pieces],
            **{
                name: np.concatenate([getattr(shapes, name) for shapes in several])
                for name in ("kind", "bounds", "area", "length")
            },
        )

    def __len__(self) -> int:
        """Count them."""
        return len(self.kind)

    def __iter__(self) -> "Iterator[Any]":
        """Return them one by one."""
        for _, geometry, _ in self.in_pieces():
            yield from geometry

    def __array__(self, dtype: Any = None, copy: Any = None) -> "NDArray[np.object_]":  # noqa: ANN401  # as numpy calls it
        """Return all of them as shapely's: for layers that are small."""
        made = [geometry for _, geometry, _ in self.in_pieces()]
        return np.concatenate(made) if made else np.zeros(0, dtype=object)

    def __getitem__(self, places: Any) -> Any:  # noqa: ANN401  # a place, or whatever numpy takes for many
        """Return some of them as shapely's, or one where one place is given."""
        if isinstance(places, int | np.integer):
            return self._made(np.array([int(places) % len(self)], dtype=np.int64))[0]
        if isinstance(places, slice):
            return self._made(np.arange(len(self))[places])
        at = np.asarray(places)
        at = np.flatnonzero(at) if at.dtype == bool else at.astype(np.int64)
        if (np.diff(at) > 0).all():
            return self._made(at)
        every, inverse = np.unique(at, return_inverse=True)
        return self._made(every)[inverse]

    @classmethod
    def read(cls, pieces: "Iterable[pa.Array]") -> "tuple[Shapes, bool]":
        """Return pieces of binary as a source has them, without heights, and whether there were any.

        Raises
        ------
        shapely.errors.GEOSException, NotImplementedError
            One of them is no geometry that shapely can make.
        """
        doubtful: list[NDArray[np.bool_]] = []
        sound: list[NDArray[np.bool_]] = []
        high = False

        def looked_at(piece: "pa.Array") -> "tuple[NDArray[np.object_], pa.Array | None]":
            nonlocal high
            geometry = geometries(piece)
            heights = bool(shapely.has_z(geometry).any())
            high |= heights
            geometry = shapely.force_2d(geometry) if heights else geometry
            doubtful.append(_doubtful(geometry))
            # looked at while they are there: to make them once more would cost as much
            sound.append(
                np.isin(shapely.get_type_id(geometry), _POLYGONS) & ~shapely.is_empty(geometry) & shapely.is_valid(geometry)
            )
            return geometry, piece if not heights and _is_plain(piece) else None

        parts = (piece.slice(start, AT_ONCE) for piece in pieces for start in range(0, len(piece), AT_ONCE))
        made = cls.gathered(looked_at(part) for part in parts)
        made.doubtful = np.concatenate([np.zeros(0, dtype=bool), *doubtful])
        made.sound = np.concatenate([np.zeros(0, dtype=bool), *sound])
        return made, high

    @property
    def absent(self) -> "NDArray[np.bool_]":
        """Which are not there, or empty."""
        found: NDArray[np.bool_] = np.asarray(~np.isfinite(self.bounds).all(axis=1))
        odd = np.flatnonzero(found & (self.kind != MISSING))
        found[odd] = shapely.is_empty(self[odd])
        return found

    @property
    def missing(self) -> "NDArray[np.bool_]":
        """Which are not there."""
        return np.asarray(self.kind == MISSING)

    @cached_property
    def area(self) -> "NDArray[np.float64]":
        """The area of each, in the square of the unit."""
        return np.concatenate([np.zeros(0), *(shapely.area(geometry) for _, geometry, _ in self.in_pieces())])

    @cached_property
    def length(self) -> "NDArray[np.float64]":
        """The length of each outline, holes included."""
        return np.concatenate([np.zeros(0), *(shapely.length(geometry) for _, geometry, _ in self.in_pieces())])

    @cached_property
    def twins(self) -> "list[NDArray[np.int64]]":
        """The groups of places whose polygons are one and the same, each sorted, in the order of their first.

        Polygons are the same where box, area and length are, to a hundredth of a foot.
        """
        if not len(self):
            return []
        # most polygons differ in their first corner already: only those that share it are compared in full
        corner = self.bounds[:, 0].round(2) * 1e9 + self.bounds[:, 1].round(2)
        order = np.argsort(corner)
        twin = np.diff(corner[order]) == 0
        some = order[np.r_[twin, False] | np.r_[False, twin]]
        figures = np.column_stack([self.bounds[some], self.length[some]]).round(2)
        rank = np.lexsort(figures.T)
        order, figures = some[rank], figures[rank]
        same = (np.diff(figures, axis=0) == 0).all(axis=1)
        groups = np.split(order, np.flatnonzero(~same) + 1)
        return sorted((np.sort(group) for group in groups if len(group) > 1), key=lambda group: int(group[0]))

    def in_pieces(self) -> "Iterator[tuple[int, NDArray[np.object_], Piece]]":
        """Return them piece by piece: the place of the first, the geometries as shapely's, where their binary is kept."""
        for start, piece in zip(self._starts.tolist(), self.pieces, strict=False):
            yield start, geometries(piece.load()), piece

    def in_figures(self) -> "Iterator[tuple[int, Figures, Piece]]":
        """Return what is measured of them piece by piece: the place of the first, the figures, where their binary is kept."""
        for start, piece in zip(self._starts.tolist(), self.pieces, strict=False):
            here = slice(start, start + piece.size)
            yield start, Figures(self.kind[here], self.bounds[here], self.area[here], self.length[here]), piece

    def binary(self) -> "Iterator[tuple[int, pa.Array]]":
        """Return their binary piece by piece, with the place of the first."""
        for start, piece in zip(self._starts.tolist(), self.pieces, strict=False):
            yield start, piece.load()

    def take(self, places: "NDArray[np.int64]") -> "Shapes":
        """Return some of them, in the order of their places."""
        if len(places) == len(self) and (places == np.arange(len(self))).all():
            return self
        import pyarrow as pa

        made, kept = [], Spill()
        for start in range(0, len(places), AT_ONCE):
            some = places[start : start + AT_ONCE]
            order = np.argsort(some, kind="stable")
            taken = pa.concat_arrays(self._taken(some[order]))
            made.append(kept.add(taken.take(pa.array(np.argsort(order)))))
        return Shapes(
            made, kind=self.kind[places], bounds=self.bounds[places], area=self.area[places], length=self.length[places]
        )

    def replaced(self, made: "dict[int, shapely.Geometry]") -> "Shapes":
        """Return them with others in some places."""
        if not made:
            return self
        import pyarrow.compute as pc

        places = np.array(sorted(made), dtype=np.int64)
        new = Shapes.of(np.array([made[place] for place in places.tolist()], dtype=object))
        figures = {name: getattr(self, name).copy() for name in ("kind", "bounds", "area", "length")}
        for name, column in figures.items():
            column[places] = getattr(new, name)
        pieces, kept = [], Spill()
        for start, piece in zip(self._starts.tolist(), self.pieces, strict=False):
            here = (places >= start) & (places < start + piece.size)
            mask = np.zeros(piece.size, dtype=bool)
            mask[places[here] - start] = True
            pieces.append(kept.add(pc.replace_with_mask(piece.load(), mask, _binary(new[here]))) if here.any() else piece)
        return Shapes(pieces, **figures)

    def query(self, geometry: Any, predicate: str) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":  # noqa: ANN401  # an array, which shapely's stubs do not promise
        """Return which geometries stand to which of these as a predicate of shapely's says (``within``, ``intersects``), as a tree does; sorted."""
        at, place = self.boxes_near(shapely.bounds(geometry).reshape(-1, 4))
        return self._holding(at, place, lambda asked: geometry[asked], getattr(shapely, predicate))

    def near(self, places: "NDArray[np.int64]", distance: float) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return which of some places lie within a distance of which, as places of ``places`` and of all, sorted; each lies near itself."""
        found = [(np.zeros(0, dtype=np.int64),) * 2]
        for start in range(0, len(places), _ASKED):
            some = places[start : start + _ASKED]
            at, place = self._near(some, distance)
            found.append((at + start, place))
        at, place = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return at, place

    def _near(self, places: "NDArray[np.int64]", distance: float) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        at, place = self.boxes_near(self.bounds[places], distance)
        return self._holding(
            at, place, lambda asked: self[places[asked]], lambda mine, other: shapely.dwithin(mine, other, distance)
        )

    def _holding(
        self,
        at: "NDArray[np.int64]",
        place: "NDArray[np.int64]",
        asked_for: "Callable[[NDArray[np.int64]], NDArray[np.object_]]",
        holds: "Callable[[NDArray[np.object_], NDArray[np.object_]], NDArray[np.bool_]]",
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return the pairs for which a predicate holds, some at once."""
        held = np.zeros(len(at), dtype=bool)
        for start in range(0, len(at), _PAIRS):
            some = slice(start, start + _PAIRS)
            asked, index = np.unique(at[some], return_inverse=True)
            mine = asked_for(asked)
            shapely.prepare(mine)
            held[some] = holds(mine[index], self[place[some]])
            shapely.destroy_prepared(mine)
        return at[held], place[held]

    def boxes_near(self, boxes: "NDArray[np.float64]", distance: float = 0.0) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return which boxes come within a distance of the box of which of these, sorted."""
        return self._grid.meeting(boxes + np.array([-distance, -distance, distance, distance]))

    @cached_property
    def _grid(self) -> "_Grid":
        return _Grid(self.bounds)

    def let_go(self) -> None:
        """Let go of the grid, and of what is kept at hand, once nothing is asked any more of what lies where."""
        self.__dict__.pop("_grid", None)
        for kept in {piece.kept for piece in self.pieces}:
            kept.let_go()

    def _made(self, places: "NDArray[np.int64]") -> "NDArray[np.object_]":
        made = [geometries(piece) for piece in self._taken(places)]
        return np.concatenate(made) if made else np.zeros(0, dtype=object)

    def _taken(self, places: "NDArray[np.int64]") -> "list[pa.Array]":
        """Return the binary of places in rising order."""
        import pyarrow as pa

        ends = np.searchsorted(places, self._starts)
        return [
            piece.load().take(pa.array(places[low:high] - start))
            for piece, start, low, high in zip(
                self.pieces, self._starts.tolist(), ends[:-1].tolist(), ends[1:].tolist(), strict=False
            )
            if high > low
        ]


def _binary(geometry: "NDArray[np.object_]") -> "pa.Array":
    import pyarrow as pa

    return pa.array(shapely.to_wkb(geometry, byte_order=1), pa.binary())


def _is_plain(piece: "pa.Array") -> bool:
    """Return whether all of it is little-endian and in two dimensions, as shapely writes it."""
    wide = np.int64 if str(piece.type).startswith("large") else np.int32
    _, offsets, data = piece.buffers()
    if data is None:
        return True
    ends = np.frombuffer(offsets, dtype=wide)[piece.offset : piece.offset + len(piece) + 1].astype(np.int64)
    start = ends[:-1][np.diff(ends) >= _HEAD_BYTES]
    head = np.frombuffer(data, dtype=np.uint8)[start[:, None] + np.arange(_HEAD_BYTES)]
    return bool((head[:, 0] == 1).all() and (head[:, 1] <= _LAST_KIND).all() and not head[:, 2:].any())


_HEAD_BYTES = 5
"""The order of bytes, and the type in four."""
_LAST_KIND = 7
"""The last of the types in two dimensions; others are of three, or curves."""


def _doubtful(geometry: "NDArray[np.object_]") -> "NDArray[np.bool_]":
    """Return which geometries have a corner that is no number or whose two numbers are alike but for their signs."""
    found = np.zeros(len(geometry), dtype=bool)
    corners, of = shapely.get_coordinates(geometry, return_index=True)
    size = np.abs(corners)
    found[of[(size[:, 0] == size[:, 1]) | ~(np.isfinite(size[:, 0]) & np.isfinite(size[:, 1]))]] = True
    return found


def geometries(piece: "pa.Array") -> "NDArray[np.object_]":
    """Return binary as shapely's geometries."""
    return np.asarray(shapely.from_wkb(piece.to_numpy(zero_copy_only=False)), dtype=object)


class _Grid:
    """Boxes sorted into the cells of a grid; one that lies in several cells stands in each."""

    def __init__(self, boxes: "NDArray[np.float64]") -> None:
        self._boxes = boxes
        real = np.flatnonzero(np.isfinite(boxes).all(axis=1))
        some = boxes if len(real) == len(boxes) else boxes[real]
        self._empty = not len(real)
        if self._empty:
            return
        self._origin, self._end = some[:, :2].min(axis=0), some[:, 2:].max(axis=0)
        extent = np.maximum(self._end - self._origin, 1e-6)
        sides = np.maximum(some[:, 2] - some[:, 0], some[:, 3] - some[:, 1])
        # about as wide as a box is, but no more cells than keep the table small
        self._cell = max(1.5 * float(sides.mean()), float(np.sqrt(extent.prod() / (4 * len(real)))), float(extent.max()) / 1e6)
        while (held := self._held(some)) > _MOST_CELLS * len(real):
            self._cell *= 2
        self._wide = int(extent[0] / self._cell) + 2
        # one number for a cell and a box in it, some boxes at once: sorted in their place, they take no more memory than what is kept of them
        both = np.empty(held, dtype=np.int64)
        end = 0
        for start in range(0, len(real), AT_ONCE):
            here = slice(start, start + AT_ONCE)
            low, spans = self._cells_of(some[here])
            which, cell = self._each(low, spans, spans[:, 0] * spans[:, 1])
            both[end : end + len(cell)] = cell << _BOX_BITS | real[here][which]
            end += len(cell)
        both.sort()
        self._of = (both & ((1 << _BOX_BITS) - 1)).astype(np.int32)
        both >>= _BOX_BITS
        self._cells = both.astype(np.uint32)

    def _held(self, boxes: "NDArray[np.float64]") -> int:
        """Count the cells in which boxes stand."""
        held = 0
        for start in range(0, len(boxes), AT_ONCE):
            _, spans = self._cells_of(boxes[start : start + AT_ONCE])
            held += int((spans[:, 0] * spans[:, 1]).sum())
        return held

    def _cells_of(self, boxes: "NDArray[np.float64]") -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return the first cell of boxes, across and up, and how many they span."""
        # no coordinate lies before the grid's origin, so that cutting off is rounding down
        low = ((boxes[:, :2] - self._origin) / self._cell).astype(np.int64)
        return low, ((boxes[:, 2:] - self._origin) / self._cell).astype(np.int64) - low + 1

    def _each(
        self, low: "NDArray[np.int64]", spans: "NDArray[np.int64]", held: "NDArray[np.int64]"
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return every cell that boxes span, and which box it is of."""
        which, step = _counted(held)
        return which, (low[which, 1] + step // spans[which, 0]) * self._wide + low[which, 0] + step % spans[which, 0]

    def meeting(self, boxes: "NDArray[np.float64]") -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Return which boxes meet which of the grid, sorted."""
        none = np.zeros(0, dtype=np.int64)
        real = np.flatnonzero(np.isfinite(boxes).all(axis=1))
        if self._empty or not len(real):
            return none, none
        # outside of the grid there is nothing
        clipped = np.column_stack([np.maximum(boxes[real, :2], self._origin), np.minimum(boxes[real, 2:], self._end)])
        inside = (clipped[:, :2] <= clipped[:, 2:]).all(axis=1)
        real, clipped = real[inside], clipped[inside]
        low, spans = self._cells_of(clipped)
        held = spans[:, 0] * spans[:, 1]
        found = []
        ends = np.flatnonzero(np.diff(np.cumsum(held) // _CELLS_AT_ONCE)) + 1
        for some in np.split(np.arange(len(real)), ends):
            which, cell = self._each(low[some], spans[some], held[some])
            sought = cell.astype(self._cells.dtype)
            start, stop = np.searchsorted(self._cells, sought), np.searchsorted(self._cells, sought, side="right")
            pair, step = _counted(stop - start)
            at, place = some[which[pair]], self._of[start[pair] + step]
            mine, theirs = clipped[at], self._boxes[place]
            corner = np.maximum(mine[:, :2], theirs[:, :2])
            inside = corner <= np.minimum(mine[:, 2:], theirs[:, 2:])
            meet = inside[:, 0] & inside[:, 1]
            # a pair that meets in several cells counts in that of the lower corner of what they share
            here = ((corner - self._origin) / self._cell).astype(np.int64)
            meet &= here[:, 1] * self._wide + here[:, 0] == cell[pair]
            at, place = real[at[meet]], place[meet].astype(np.int64)
            order = np.lexsort((place, at))
            found.append((at[order], place[order]))
        return np.concatenate([none, *(at for at, _ in found)]), np.concatenate([none, *(place for _, place in found)])


_MOST_CELLS = 6
"""A box stands in so many cells at most, on average."""
_BOX_BITS = 31
"""A cell and a box are one number of 63 bits: the cells are four times as many as the boxes at most, and some millions."""
_CELLS_AT_ONCE = 200_000


def _counted(counts: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return runs of so many steps: which run each step is of, and its number in it."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
