"""How every candidate stands to the parcels around it: who adjoins it, its frontage and its streets, measured for many at once.

The answer for each is that of :func:`geonotice.facts.surroundings.adjacency`, which a list of one premises asks too. What many of them share is made once: a
lot is taken apart once for the eight that it lies beside, and two lots are held against each other once for both.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.notice import ParcelFacts
from geonotice.facts.surroundings import (
    LinesBeside,
    Roles,
    adjacency,
    adjacency_reach_ft,
    boxes_around,
    frontage_ft,
    grown,
    parcel_facts,
)
from geonotice.screen.join import Layer, compiled_rays
from geonotice.select.abutting import Around, Lots
from geonotice.select.inside_roads import lots_with_a_street_between
from geonotice.select.ride_site import Siting, siting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.screen.join import Neighbors
    from geonotice.select.adjacency_facts import Neighbour
    from geonotice.select.extended_lines import Compiled
    from geonotice.store import ParcelBlock

__all__ = ["Adjoining", "Standing", "adjoining_of"]


class Standing(NamedTuple):
    """How a parcel adjoins a candidate: abuts, touches at a corner, is opposite by extension, only straight across or by distance; and what is doubtful."""

    abuts: bool
    corner: bool
    opposite: bool
    across: bool
    review: tuple[str, ...]

    @classmethod
    def of(cls, facts: ParcelFacts) -> "Standing":
        """Take it from the facts of one parcel."""
        return cls(
            facts.shared_ft is not None, facts.corner, facts.opposite_ft is not None, facts.across_ft is not None, facts.review
        )

    def facts(self) -> ParcelFacts:
        """Return it as the law asks it, of no parcel in particular."""
        nothing = None
        return ParcelFacts(
            0, "", "", "", 0.0, 0.0 if self.abuts else nothing, self.corner, 0.0 if self.opposite else nothing, self.review,
            0.0 if self.across else nothing,
        )  # fmt: skip


class Adjoining(Struct, frozen=True):
    """What adjoins one candidate.

    Parameters
    ----------
    others
        The parcels that abut it, touch it at a corner or lie opposite, by fid, each with how it stands to it; none of the others.
    frontage_ft
        Its frontage, as a check has it; None where it has none.
    streets
        The streets it abuts: name and jurisdiction as the layer has them, and along how many feet.
    site
        Who owns it and what it is next to.
    """

    others: tuple[tuple[int, Standing], ...]
    frontage_ft: float | None
    streets: tuple[tuple[str, str, float], ...]
    site: Siting


_SQUARE_FT = 500.0
"""Lots in the same squares of so many feet have the same streets around them."""


def adjoining_of(opened: "Opened", candidates: Iterable[Sequence[int]]) -> list[Adjoining]:
    """Measure what adjoins each of some candidates that lie near each other, given by the fids of their parcels."""
    wanted = [tuple(one) for one in candidates]
    reach_ft = adjacency_reach_ft(opened)
    box = shapely.total_bounds(opened.store.geometries(sorted({fid for one in wanted for fid in one})))
    boxes = boxes_around(shapely.box(*box), reach_ft)
    block = opened.store.parcels_in(*boxes)
    place = {parcel.fid: n for n, parcel in enumerate(block.parcels)}
    places = [tuple(place[fid] for fid in one) for one in wanted]
    tile = _Tile.of(
        opened, block, np.array(sorted({n for one in places for n in one}), np.int64), reach_ft, LinesBeside.read(opened, *boxes)
    )
    return [tile.adjoining(one) for one in places]


class _Tile(NamedTuple):
    """The parcels of a part of the town, taken apart, and how far each wanted one is from those around it.

    ``row`` has the place of a parcel among the wanted; ``near`` their neighbors within the reach, nearest first, and ``beside_ft`` how far these are:
    of those beside it only. ``squares`` are those in which each parcel lies. ``boxes`` are those of the streets, railroads and water, ``names`` the owners of each parcel; ``around`` keeps the lines around some squares. Between the
    pairs ``street_between`` a street may run.
    """

    opened: "Opened"
    parcels: "Sequence[Parcel]"
    ground: Roles
    lots: Lots
    row: dict[int, int]
    near: "Neighbors"
    beside_ft: "NDArray[np.float64]"
    reach_ft: float
    lines: LinesBeside
    squares: "NDArray[np.float64]"
    boxes: "tuple[NDArray[np.float64], ...]"
    names: "Sequence[list[str]]"
    streets_known: bool
    around: "dict[tuple[float, ...], LinesBeside]"
    street_between: frozenset[tuple[int, int]]
    compiled: "Compiled | None"

    @classmethod
    def of(
        cls, opened: "Opened", block: "ParcelBlock", wanted: "NDArray[np.int64]", reach_ft: float, lines: LinesBeside
    ) -> "_Tile":
        """Measure the distances, and hold the lots that lie beside each other against each other."""
        tolerance_ft = opened.town.settings.tolerance_ft
        near = Layer(block.geometries, alone=True).neighbors(reach_ft, wanted=wanted, measure=True)
        lots = Lots(block.geometries, tolerance_ft=tolerance_ft)
        beside = _known(near) <= tolerance_ft
        pairs = np.column_stack([np.repeat(wanted, np.diff(near.start))[beside], near.others[beside]])
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        near = _nearest_first(near)
        lots.meet(pairs[:, 0], pairs[:, 1])
        lots.find_stacked()
        boxes = tuple(shapely.bounds(some).reshape(-1, 4) for some in (lines.streets.lines, lines.railroads.lines, lines.water))
        owners = opened.store.owners_of([parcel.fid for parcel in block.parcels])
        names = [[name for owner in owners[parcel.fid] for name in owner.names] for parcel in block.parcels]
        return cls(
            opened,
            block.parcels,
            Roles.of(block),
            lots,
            {n: row for row, n in enumerate(wanted.tolist())},
            near,
            _beside(_known(near), tolerance_ft),
            reach_ft,
            lines,
            np.column_stack([np.floor(lots.bounds[:, :2] / _SQUARE_FT), np.ceil(lots.bounds[:, 2:] / _SQUARE_FT)]),
            boxes,
            names,
            opened.store.has("streets"),
            {},
            lots_with_a_street_between(lots, lines.streets),
            compiled_rays(),
        )

    def adjoining(self, candidate: tuple[int, ...]) -> Adjoining:
        """Measure what adjoins one candidate."""
        others, distance_ft = self._others(candidate)
        own = candidate[0] if len(candidate) == 1 else None
        near = adjacency(
            self.opened,
            self.ground.part([*candidate]),
            self.ground.part(others),
            self._lines(candidate),
            around=Around(self.lots, others, own, distance_ft, self.compiled, self.street_between),
            evidence=False,
        )
        beside = {one.index: int(others[one.index]) for one in near.neighbours}
        return Adjoining(
            others=tuple(self._standing(beside[one.index], one) for one in near.neighbours),
            frontage_ft=frontage_ft(near),
            streets=tuple((street.name, street.jurisdiction, street.frontage_ft) for street in near.streets),
            site=siting(
                near,
                owners=[name for n in candidate for name in self.names[n]],
                neighbour_owners={index: self.names[n] for index, n in beside.items()},
                streets_known=self.streets_known,
            ),
        )

    def _standing(self, place: int, one: "Neighbour") -> tuple[int, Standing]:
        parcel = self.parcels[place]
        return parcel.fid, Standing.of(
            parcel_facts(parcel, one.distance_ft, one, by_distance=self.opened.profile.opposite[0] == "distance")
        )

    def _others(self, candidate: tuple[int, ...]) -> "tuple[NDArray[np.int64], NDArray[np.float64]]":
        """Return the parcels around a candidate, nearest first as a list has them, and how far they are: of those beside it only."""
        rows = [self.row[n] for n in candidate]
        if len(rows) == 1:
            part = slice(self.near.start[rows[0]], self.near.start[rows[0] + 1])
            return self.near.others[part].astype(np.int64), self.beside_ft[part]
        near = [slice(self.near.start[row], self.near.start[row + 1]) for row in rows]
        others = np.concatenate([self.near.others[part] for part in near])
        far = np.concatenate([_known(self.near)[part] for part in near])
        apart = ~np.isin(others, candidate)
        others, far = others[apart], far[apart]
        order = np.lexsort((far, others))
        others, far = others[order], far[order]
        first = np.append(True, others[1:] != others[:-1])[: len(others)]
        others, far = others[first], far[first]
        order = np.argsort(far, kind="stable")
        others, far = others[order], far[order]
        return others, _beside(far, self.opened.town.settings.tolerance_ft)

    def _lines(self, candidate: tuple[int, ...]) -> LinesBeside:
        """Return the streets, railroads and water around a candidate, or some more: the same for all that lie in the same squares."""
        each = self.squares[list(candidate)]
        squares = (
            tuple(each[0].tolist()) if len(each) == 1 else (*each[:, :2].min(axis=0).tolist(), *each[:, 2:].max(axis=0).tolist())
        )
        if squares not in self.around:
            west, south, east, north = (_SQUARE_FT * side for side in squares)
            self.around[squares] = self._lines_in(grown((west, south, east, north), self.reach_ft))
        return self.around[squares]

    def _lines_in(self, box: tuple[float, float, float, float]) -> LinesBeside:
        west, south, east, north = box
        streets, railroads, water = (
            np.flatnonzero((box[:, 0] <= east) & (box[:, 2] >= west) & (box[:, 1] <= north) & (box[:, 3] >= south))
            for box in self.boxes
        )
        return LinesBeside(self.lines.streets.part(streets), self.lines.railroads.part(railroads), self.lines.water[water])


def _nearest_first(found: "Neighbors") -> "Neighbors":
    """Put the neighbors of each by their distance, as a list has them."""
    far = _known(found)
    order = np.lexsort((far, np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))))
    return replace(found, others=found.others[order], distance_ft=far[order])


def _beside(far_ft: "NDArray[np.float64]", tolerance_ft: float) -> "NDArray[np.float64]":
    """Return how far those are that lie within tolerance; the distance of others is not needed."""
    return np.where(far_ft <= tolerance_ft, far_ft, np.inf)


def _known(found: "Neighbors") -> "NDArray[np.float64]":
    assert found.distance_ft is not None  # noqa: S101  # it was asked for
    return found.distance_ft
