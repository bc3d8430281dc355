"""Measure how the land around the premises stands to them: the facts that the law is then applied to."""

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from geonotice.decide.notice import ParcelFacts
from geonotice.decide.zone import DistrictArea, ZoneDecision, decide_zone
from geonotice.model import Frontage, Sign
from geonotice.select.adjacency import neighbours, search_ft
from geonotice.select.streets import StreetLayer
from geonotice.select.within import within
from geonotice.select.zoning import zoning
from geonotice.store import FeatureBlock, ParcelBlock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.select.abutting import Around
    from geonotice.select.adjacency_facts import Neighbour, Neighbours
    from geonotice.select.zoning import District as FoundDistrict

    Polygonal = shapely.Polygon | shapely.MultiPolygon


__all__ = [
    "LinesBeside",
    "Measured",
    "Roles",
    "adjacency",
    "adjacency_reach_ft",
    "boxes_around",
    "frontage_ft",
    "grown",
    "measure",
    "measure_zone",
    "parcel_facts",
    "with_parcels",
]


class Measured(Struct, frozen=True, eq=False):
    """The premises and what stands round them.

    ``land`` is the premises as one geometry, ``line`` what distances are measured from: the same, but where a law moves it out; ``records`` and ``geometries`` are all parcels within reach, by fid, the premises among
    them; ``facts`` the others, nearest first. ``near`` is what adjacency says, its indexes places in ``around``, which are fids.
    """

    premises: "tuple[Parcel, ...]"
    land: "Polygonal"
    line: "Polygonal"
    records: "Mapping[int, Parcel]"
    geometries: "Mapping[int, Any]"
    facts: "tuple[ParcelFacts, ...]"
    around: tuple[int, ...]
    near: "Neighbours"
    streets: StreetLayer

    def frontages(self) -> tuple[Frontage, ...]:
        """Return the frontages as the record has them."""
        return tuple(
            Frontage(n=one.n, length_ft=one.length_ft, status=one.status, street=one.name, jurisdiction=one.jurisdiction)
            for one in self.near.frontages
        )

    def public_streets(self) -> tuple[Sign, ...]:
        """Return the public streets that the premises abut: one sign faces each."""
        return tuple(
            Sign(street=one.name, jurisdiction=one.jurisdiction, frontage_ft=one.frontage_ft)
            for one in self.near.streets
            if one.jurisdictions != ("private",)
        )


def measure(
    opened: "Opened",
    premises: "Sequence[Parcel]",
    *,
    reach_ft: float,
    also: "Sequence[int]" = (),
    contiguous: "Sequence[int]" = (),
    around: "BaseGeometry | None" = None,
) -> Measured:
    """Measure every parcel within ``reach_ft`` of the premises, farther where adjacency needs it, and those ``also`` named by fid.

    ``contiguous`` are fids of land that moves out the line which distances are measured from; adjacency is that of the premises alone.
    ``around`` is a second place of the event: the parcels within ``reach_ft`` of it are measured too.
    """
    store = opened.store
    own = [parcel.fid for parcel in premises]
    shapes = store.geometries(own)
    land: Polygonal = shapely.union_all(shapes)  # type: ignore[assignment]  # parcels are polygons, and so is their union
    adjacency_ft = adjacency_reach_ft(opened)
    line: Polygonal = shapely.union_all([land, *store.geometries(contiguous)]) if contiguous else land  # type: ignore[assignment]  # as above
    block = store.parcels_in(*boxes_around(line, max(reach_ft, adjacency_ft)))
    held = {parcel.fid for parcel in block.parcels}
    more = list(also)
    if around is not None:
        more += [parcel.fid for parcel in store.parcels_in(grown(around.bounds, reach_ft)).parcels]
    block = _joined(block, store.parcels([fid for fid in dict.fromkeys(more) if fid not in held]))
    others = np.array([parcel.fid not in own for parcel in block.parcels], dtype=bool)
    parcels = [parcel for parcel, other in zip(block.parcels, others, strict=True) if other]
    geometries = block.geometries[others]
    found = within(line, geometries, distance_ft=np.inf)
    beside = found if line is land else within(land, geometries, distance_ft=adjacency_ft)
    close = beside.index[beside.distance_ft <= adjacency_ft]
    layers = LinesBeside.read(opened, *boxes_around(land, adjacency_ft))
    beside_land = ParcelBlock(tuple(parcels[index] for index in close.tolist()), geometries[close])
    near = adjacency(opened, Roles.of(ParcelBlock(tuple(premises), shapes)), Roles.of(beside_land), layers)
    stands = {int(close[one.index]): one for one in near.neighbours}
    around_ft = [None] * len(geometries) if around is None else shapely.distance(around, geometries).tolist()
    by_distance = opened.profile.opposite[0] == "distance"
    facts = [
        parcel_facts(parcels[place], distance, stands.get(place), by_distance=by_distance, around_ft=around_ft[place])
        for place, distance in zip(found.index.tolist(), found.distance_ft.tolist(), strict=True)
    ]
    return Measured(
        premises=tuple(premises),
        land=land,
        line=line,
        records={parcel.fid: parcel for parcel in (*block.parcels, *premises)},
        geometries={parcel.fid: geometry for parcel, geometry in zip(block.parcels, block.geometries, strict=True)},
        facts=tuple(facts),
        around=tuple(parcels[index].fid for index in close),
        near=near,
        streets=layers.streets,
    )


class LinesBeside(Struct, frozen=True, eq=False):
    """Streets, railroads and water around some land: what adjacency asks for besides the parcels."""

    streets: StreetLayer
    railroads: StreetLayer
    water: "NDArray[Any]"

    @classmethod
    def read(cls, opened: "Opened", *boxes: "tuple[float, float, float, float]") -> "LinesBeside":
        """Read what meets one of some boxes."""
        streets, railroads, water = (opened.store.features_in(kind, *boxes) for kind in ("streets", "railroads", "water"))
        return cls(_lines(streets, "jurisdiction"), _lines(railroads, "owner"), water.geometries)


def _lines(block: "FeatureBlock", of: str) -> StreetLayer:
    return StreetLayer(block.geometries, tuple(row["name"] for row in block.rows), tuple(row[of] for row in block.rows))


class Roles(Struct, frozen=True, eq=False):
    """Parcels as adjacency asks for them: their shapes, what each is, and whether it is a lot that may be a street; arrays of one length."""

    geometries: "NDArray[Any]"
    roles: "NDArray[Any]"
    in_doubt: "NDArray[Any]"

    @classmethod
    def of(cls, block: ParcelBlock) -> "Roles":
        """Take them from parcels of the store."""
        return cls(
            block.geometries,
            np.array([parcel.role for parcel in block.parcels], dtype=object),
            np.array([parcel.may_be_street for parcel in block.parcels], dtype=object),
        )

    def part(self, places: "NDArray[Any] | list[int]") -> "Roles":
        """Return some of them."""
        return Roles(self.geometries[places], self.roles[places], self.in_doubt[places])


def adjacency_reach_ft(opened: "Opened") -> float:
    """Return how far from premises parcels matter to who is adjacent."""
    settings = opened.town.settings
    return search_ft(
        right_of_way_max_ft=settings.right_of_way_max_ft,
        right_of_way_max_state_ft=settings.right_of_way_max_state_ft,
        opposite_distance_ft=opened.profile.opposite[1],
    )


def adjacency(
    opened: "Opened",
    premises: "Roles",
    others: "Roles",
    layers: LinesBeside,
    *,
    around: "Around | None" = None,
    evidence: bool = True,
) -> "Neighbours":
    """Return who is adjacent, by the town's settings and its law: for one list and for a screen of the whole town.

    Parameters
    ----------
    opened
        The town.
    premises
        The premises' parcels.
    others
        Those within :func:`adjacency_reach_ft`, nearest first.
    layers
        Streets, railroads and water there.
    around, evidence
        As :func:`geonotice.select.adjacency.neighbours` takes them.
    """
    settings = opened.town.settings
    opposite_by, opposite_distance_ft = opened.profile.opposite
    return neighbours(
        premises.geometries,
        others.geometries,
        others.roles,
        premises_roles=premises.roles,
        in_doubt=others.in_doubt,
        streets=layers.streets,
        railroads=layers.railroads,
        water=layers.water,
        tolerance_ft=settings.tolerance_ft,
        right_of_way_max_ft=settings.right_of_way_max_ft,
        right_of_way_max_state_ft=settings.right_of_way_max_state_ft,
        opposite_by=opposite_by,
        opposite_distance_ft=opposite_distance_ft,
        around=around,
        evidence=evidence,
    )


def parcel_facts(
    parcel: "Parcel",
    distance_ft: float,
    one: "Neighbour | None",
    *,
    by_distance: bool,
    around_ft: float | None = None,
) -> ParcelFacts:
    """Return how one parcel stands to the premises as the law asks it.

    ``one`` is what adjacency says of it, if anything; ``by_distance`` whether the law finds who is opposite by a distance.
    """
    relations = (one.relation, *one.also) if one else ()
    return ParcelFacts(
        fid=parcel.fid,
        id=parcel.id,
        swis=parcel.swis,
        situs=parcel.situs.text,
        distance_ft=distance_ft,
        shared_ft=one.shared_ft if one and "abutting" in relations else None,
        corner="corner" in relations,
        opposite_ft=one.opposite_ft if one and "opposite" in relations else None,
        across_ft=one.across_ft if one and (by_distance or "straight_across" in one.review) else None,
        review=one.review if one else (),
        around_ft=around_ft,
    )


def frontage_ft(near: "Neighbours") -> float | None:
    """Return how long the frontages are in all, open runs left out; None where there is none."""
    found = [one.length_ft for one in near.frontages if one.status != "open"]
    return sum(found) if found else None


def with_parcels(opened: "Opened", measured: Measured, fids: "Sequence[int]") -> Measured:
    """Measure more parcels, by fid, beside those that were in reach: by their distance, without adjacency."""
    missing = [fid for fid in dict.fromkeys(fids) if fid not in measured.records]
    if not missing:
        return measured
    block = opened.store.parcels(missing)
    far = shapely.distance(measured.line, block.geometries).tolist()
    more = [
        ParcelFacts(fid=parcel.fid, id=parcel.id, swis=parcel.swis, situs=parcel.situs.text, distance_ft=distance)
        for parcel, distance in zip(block.parcels, far, strict=True)
    ]
    return replace(
        measured,
        records={**measured.records, **{parcel.fid: parcel for parcel in block.parcels}},
        geometries={**measured.geometries, **dict(zip((parcel.fid for parcel in block.parcels), block.geometries, strict=True))},
        facts=tuple(sorted((*measured.facts, *more), key=lambda parcel: parcel.distance_ft)),
    )


def _joined(first: ParcelBlock, second: ParcelBlock) -> ParcelBlock:
    return ParcelBlock((*first.parcels, *second.parcels), np.concatenate([first.geometries, second.geometries]))


def measure_zone(opened: "Opened", land: "Polygonal", *, village: str = "") -> ZoneDecision:
    """Measure the zoning districts on the premises, and class them; ``village`` is the one whose code reaches them, if any."""
    if not opened.store.has("zoning"):
        return decide_zone(opened.profile, None)
    block = opened.store.features_in("zoning", *boxes_around(land, 0.0))
    places = [row["municipality"] or village for row in block.rows]
    keys = np.array([f"{row['district']}\n{place}" for row, place in zip(block.rows, places, strict=True)], dtype=object)
    settings = opened.town.settings
    found = zoning(
        land,
        block.geometries,
        keys,
        sliver_share=settings.sliver_share,
        sliver_sq_ft=settings.sliver_sq_ft,
        tolerance_ft=settings.tolerance_ft,
    )
    areas, slivers = (tuple(_district_area(one) for one in group) for group in (found.districts, found.slivers))
    return decide_zone(
        opened.profile, areas, slivers=slivers, unzoned_share=found.unzoned_share, overlap_sq_ft=found.overlap_sq_ft
    )


def _district_area(found: "FoundDistrict") -> DistrictArea:
    code, municipality = found.code.split("\n")
    return DistrictArea(code, municipality, found.area_sq_ft, found.share)


def boxes_around(land: "BaseGeometry", by_ft: float) -> "list[tuple[float, float, float, float]]":
    """Return the boxes in which all lies that is at most ``by_ft`` from the land.

    Land in parts far from one another has a box for each: one around all of them could hold the whole town.

    Examples
    --------
    >>> boxes_around(shapely.union_all(shapely.box([0, 30, 900], 0, [10, 40, 910], 10)), 20)
    [(-20.0, -20.0, 60.0, 30.0), (880.0, -20.0, 930.0, 30.0)]
    """
    boxes: list[tuple[float, float, float, float]] = []
    for part in shapely.get_parts(land):
        box = grown(part.bounds, by_ft)
        while met := [other for other in boxes if _meet(box, other)]:
            boxes = [other for other in boxes if other not in met]
            minx, miny, maxx, maxy = zip(box, *met, strict=True)
            box = min(minx), min(miny), max(maxx), max(maxy)
        boxes.append(box)
    return sorted(boxes)


def _meet(one: "tuple[float, float, float, float]", other: "tuple[float, float, float, float]") -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def grown(bounds: "tuple[float, float, float, float]", by_ft: float) -> "tuple[float, float, float, float]":
    """Widen a box by a distance on every side."""
    minx, miny, maxx, maxy = bounds
    return minx - by_ft, miny - by_ft, maxx + by_ft, maxy + by_ft
