"""How every candidate stands to the parcels around it: who adjoins it, its frontage and its streets, measured for many at once.

The answer for each is that of :func:`geonotice.facts.surroundings.adjacency`, which a list of one premises asks too. What many of them share is made once: a
lot is taken apart once for the eight that it lies beside, and two lots are held against each other once for both.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from msgspec import Struct

from geonotice.facts.surroundings import (
    LinesBeside,
    adjacency,
    adjacency_reach_ft,
    boxes_around,
    frontage_ft,
    grown,
    parcel_facts,
)
from geonotice.screen.join import Layer, compiled_rays
from geonotice.select.abutting import Around, Lots
from geonotice.select.ride_site import Siting, siting
from geonotice.select.streets import StreetLayer
from geonotice.store import ParcelBlock

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from geonotice.decide.notice import ParcelFacts
    from geonotice.opened_town import Opened
    from geonotice.screen.join import Neighbors

__all__ = ["Adjoining", "adjoining_of"]


class Adjoining(Struct, frozen=True):
    """What adjoins one candidate.

    Parameters
    ----------
    others
        How the parcels that abut it, touch it at a corner or lie opposite stand to it; none of the others.
    frontage_ft
        Its frontage, as a check has it; None where it has none.
    streets
        The streets it abuts: name and jurisdiction as the layer has them, and along how many feet.
    site
        Who owns it and what it is next to.
    """

    others: "tuple[ParcelFacts, ...]"
    frontage_ft: float | None
    streets: tuple[tuple[str, str, float], ...]
    site: Siting


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

    ``row`` has the place of a parcel among the wanted; ``near`` and ``beside`` their neighbors within the reach, and within tolerance of them.
    """

    opened: "Opened"
    block: "ParcelBlock"
    lots: Lots
    row: dict[int, int]
    near: "Neighbors"
    beside: "Neighbors"
    reach_ft: float
    lines: LinesBeside
    boxes: "tuple[NDArray[np.float64], ...]"
    names: "Sequence[list[str]]"

    @classmethod
    def of(
        cls, opened: "Opened", block: "ParcelBlock", wanted: "NDArray[np.int64]", reach_ft: float, lines: LinesBeside
    ) -> "_Tile":
        """Measure the distances, and hold the lots that lie beside each other against each other."""
        tolerance_ft = opened.town.settings.tolerance_ft
        # GEOS measures here: the kernel's threads would end a process that was forked from one in which they have run.
        layer = Layer(block.geometries, compiled=False)
        near = layer.neighbors(reach_ft, wanted=wanted, measure=True)
        beside = layer.neighbors(tolerance_ft, wanted=wanted, measure=True)
        lots = Lots(block.geometries, tolerance_ft=tolerance_ft)
        mine = np.repeat(wanted, np.diff(beside.start))
        pairs = np.unique(np.sort(np.column_stack([mine, beside.others]), axis=1), axis=0)
        lots.meet(pairs[:, 0], pairs[:, 1])
        boxes = tuple(shapely.bounds(some).reshape(-1, 4) for some in (lines.streets.lines, lines.railroads.lines, lines.water))
        owners = opened.store.owners_of([parcel.fid for parcel in block.parcels])
        names = [[name for owner in owners[parcel.fid] for name in owner.names] for parcel in block.parcels]
        return cls(
            opened, block, lots, {n: row for row, n in enumerate(wanted.tolist())}, near, beside, reach_ft, lines, boxes, names
        )

    def adjoining(self, candidate: tuple[int, ...]) -> Adjoining:
        """Measure what adjoins one candidate."""
        opened, block = self.opened, self.block
        others, distance_ft = self._others(candidate)
        parcels = [block.parcels[n] for n in others.tolist()]
        own = candidate[0] if len(candidate) == 1 else None
        premises = ParcelBlock(tuple(block.parcels[n] for n in candidate), block.geometries[list(candidate)])
        near = adjacency(
            opened,
            premises,
            ParcelBlock(tuple(parcels), block.geometries[others]),
            self._lines(premises.geometries),
            around=Around(self.lots, others, own, distance_ft, compiled_rays()),
        )
        return Adjoining(
            others=tuple(parcel_facts(opened, parcels[one.index], one.distance_ft, one) for one in near.neighbours),
            frontage_ft=frontage_ft(near),
            streets=tuple((street.name, street.jurisdiction, street.frontage_ft) for street in near.streets),
            site=siting(
                near,
                owners=[name for n in candidate for name in self.names[n]],
                neighbour_owners=[self.names[n] for n in others.tolist()],
                streets_known=opened.store.has("streets"),
            ),
        )

    def _others(self, candidate: tuple[int, ...]) -> "tuple[NDArray[np.int64], NDArray[np.float64]]":
        """Return the parcels around a candidate, nearest first as a list has them, and how far they are: of those beside it only."""
        rows = [self.row[n] for n in candidate]
        near = [slice(self.near.start[row], self.near.start[row + 1]) for row in rows]
        others = np.concatenate([self.near.others[part] for part in near])
        far = np.concatenate([_known(self.near)[part] for part in near])
        if len(candidate) > 1:
            apart = ~np.isin(others, candidate)
            others, far = others[apart], far[apart]
            order = np.lexsort((far, others))
            others, far = others[order], far[order]
            first = np.append(True, others[1:] != others[:-1])[: len(others)]
            others, far = others[first], far[first]
        order = np.argsort(far, kind="stable")
        others = others[order]
        exact: dict[int, float] = {}
        for row in rows:
            part = slice(self.beside.start[row], self.beside.start[row + 1])
            for n, feet in zip(self.beside.others[part].tolist(), _known(self.beside)[part].tolist(), strict=True):
                exact[n] = min(feet, exact.get(n, np.inf))
        return others, np.array([exact.get(n, np.inf) for n in others.tolist()])

    def _lines(self, shapes: "NDArray[Any]") -> LinesBeside:
        """Return the streets, railroads and water around a candidate."""
        west, south, east, north = grown(tuple(shapely.total_bounds(shapes).tolist()), self.reach_ft)
        streets, railroads, water = (
            np.flatnonzero((box[:, 0] <= east) & (box[:, 2] >= west) & (box[:, 1] <= north) & (box[:, 3] >= south))
            for box in self.boxes
        )
        return LinesBeside(_some(self.lines.streets, streets), _some(self.lines.railroads, railroads), self.lines.water[water])


def _some(layer: StreetLayer, places: "NDArray[np.int64]") -> StreetLayer:
    return StreetLayer(
        layer.lines[places],
        tuple(layer.names[n] for n in places.tolist()),
        tuple(layer.jurisdictions[n] for n in places.tolist()),
    )


def _known(found: "Neighbors") -> "NDArray[np.float64]":
    assert found.distance_ft is not None  # noqa: S101  # it was asked for
    return found.distance_ft
