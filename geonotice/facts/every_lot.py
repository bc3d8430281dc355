"""Zone and village of every lot of the town at once: what a snapshot says of one, without measuring each by itself."""

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import shapely
from msgspec.structs import replace

from geonotice.decide.zone import DistrictArea, decide_zone
from geonotice.facts.municipalities import measure_municipalities
from geonotice.facts.surroundings import measure_zone
from geonotice.select.boundary import is_village
from geonotice.select.zoning import counting_codes
from geonotice.store import EVERYWHERE

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from geonotice.decide.cap_count import Zone
    from geonotice.decide.zone import ZoneDecision
    from geonotice.model import District, ResultWarning
    from geonotice.opened_town import Opened
    from geonotice.store import ParcelBlock

__all__ = ["LotZone", "zones_of"]


class LotZone(NamedTuple):
    """The class of a lot's districts together, their codes, the village that it lies in, if any, and the class of each district.

    ``by_town`` says which of the districts are classed by the town file, and not by the law's own table. The areas of ``districts`` are not measured:
    they are nought.
    """

    zone: "Zone"
    codes: tuple[str, ...]
    village: str
    by_town: "tuple[ResultWarning, ...]" = ()
    districts: "tuple[District, ...]" = ()


def zones_of(opened: "Opened", block: "ParcelBlock", *, tree: shapely.STRtree | None = None) -> list[LotZone]:
    """Return zone, districts and village of each lot, in the order of the block: those of its snapshot (:func:`geonotice.facts.history.snapshot`).

    ``tree`` is one of the block's lots, where the caller has it already.

    Notes
    -----
    A lot within one district and in no village, or within one, needs no measuring. What districts cover of the others is measured for all
    of them at once. Only where several records of one district, or several villages, meet a lot, it is measured by itself.
    """
    tree = tree or shapely.STRtree(block.geometries)
    villages = _villages(opened, block, tree)
    if not opened.store.has("zoning"):
        zone = decide_zone(opened.profile, None).zone
        return [LotZone(zone, (), village) for village in villages]
    layer = opened.store.features_in("zoning", EVERYWHERE)
    lots, areas = _overlaps(tree, layer.geometries)
    decided: dict[tuple[str, ...], tuple[ZoneDecision, tuple[ResultWarning, ...]]] = {}
    settings = opened.town.settings

    def of_keys(keys: tuple[str, ...]) -> "tuple[ZoneDecision, tuple[ResultWarning, ...]]":
        if keys not in decided:
            parts = [key.split("\n") for key in keys]
            found = decide_zone(opened.profile, [DistrictArea(code, place, 0.0, 0.0) for code, place in parts])
            decided[keys] = found, _by_town(found)
        return decided[keys]

    whole = shapely.area(block.geometries)
    made = []
    within: dict[tuple[int, str], LotZone] = {}
    for n, village in enumerate(villages):
        records, sizes = lots[n], areas[n]
        if len(records) == 1 and (records[0], village) in within:  # nearly all
            made.append(within[records[0], village])
            continue
        keys = [f"{layer.rows[at]['district']}\n{layer.rows[at]['municipality'] or village}" for at in records]
        if len(set(keys)) < len(keys):  # records of one district may lie over each other: their union counts
            found = measure_zone(opened, block.geometries[n], village=village)
            codes = tuple(dict.fromkeys(district.code for district in found.districts))
            of_one = tuple(replace(district, area_sq_ft=0.0, share=0.0) for district in found.districts)
            made.append(LotZone(found.zone, codes, village, _by_town(found), of_one))
            continue
        counting = (
            keys
            if len(keys) == 1
            else counting_codes(
                dict(zip(keys, sizes, strict=True)),
                float(whole[n]),
                sliver_share=settings.sliver_share,
                sliver_sq_ft=settings.sliver_sq_ft,
            )
        )
        found, by_town = of_keys(tuple(counting))
        codes = tuple(dict.fromkeys(key.split("\n")[0] for key in counting))
        made.append(LotZone(found.zone, codes, village, by_town, found.districts))
        if len(records) == 1:
            within[records[0], village] = made[-1]
    return made


def _by_town(found: "ZoneDecision") -> "tuple[ResultWarning, ...]":
    return tuple(warning for warning in found.warnings if warning.code == "district_by_town")


def _meeting(tree: shapely.STRtree, others: "NDArray[Any]", predicate: Literal["intersects", "covers"]) -> "NDArray[np.int64]":
    """Return the pairs (other, lot of the tree) of which the predicate holds, by lot, then by other."""
    pairs = tree.query(others, predicate=predicate)
    ordered: NDArray[np.int64] = pairs[:, np.lexsort((pairs[0], pairs[1]))]
    return ordered


def _overlaps(tree: shapely.STRtree, districts: "NDArray[Any]") -> tuple[list[list[int]], list[list[float]]]:
    """Return for each lot of a tree the records that cover more than nothing of it, and how much."""
    lots = tree.geometries
    found: list[list[int]] = [[] for _ in lots]
    areas: list[list[float]] = [[] for _ in lots]
    district, lot = _meeting(tree, districts, "intersects")
    covering, covered = _meeting(tree, districts, "covers")
    once = np.bincount(lot, minlength=len(lots)) == 1
    whole = np.isin(district * len(lots) + lot, covering * len(lots) + covered) & once[lot]
    sizes = np.ones(len(lot))
    sizes[~whole] = shapely.area(shapely.intersection(lots[lot[~whole]], districts[district[~whole]]))
    for at, n, size in zip(district.tolist(), lot.tolist(), sizes.tolist(), strict=True):
        if size > 0:
            found[n].append(at)
            areas[n].append(size)
    return found, areas


def _villages(opened: "Opened", block: "ParcelBlock", tree: shapely.STRtree) -> list[str]:
    """Return the village that each lot lies in by more than half; empty where in none."""
    made = [""] * len(block.parcels)
    layer = opened.store.features_in("municipalities", EVERYWHERE)
    records = [n for n, row in enumerate(layer.rows) if is_village(row["kind"])]
    if not records:
        return made
    shapes = layer.geometries[records]
    village, lot = _meeting(tree, shapes, "intersects")
    covered = {*zip(*_meeting(tree, shapes, "covers").tolist(), strict=True)}
    once = np.bincount(lot, minlength=len(made)) == 1
    for at, n in zip(village.tolist(), lot.tolist(), strict=True):
        if once[n] and (at, n) in covered:
            made[n] = layer.rows[records[at]]["name"]
        else:
            places = measure_municipalities(opened, block.geometries[n], (block.parcels[n],), distance_ft=0.0, rule="")
            made[n] = next(iter(places.villages), "")
    return made
