"""Measure how the land around the premises stands to them: the facts that the law is then applied to."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.decide.notice import ParcelFacts
from geonotice.decide.zone import DistrictArea, ZoneDecision, decide_zone
from geonotice.model import Frontage, Municipality, ResultWarning, Sign
from geonotice.postal import normal_line
from geonotice.select.adjacency import neighbours, search_ft
from geonotice.select.boundary import BOUNDARY_ACCURACY_FT, INSIDE_SHARE, boundary, is_village
from geonotice.select.streets import StreetLayer
from geonotice.select.within import within
from geonotice.select.zoning import zoning
from geonotice.store import FeatureBlock, ParcelBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from geonotice.model import Parcel
    from geonotice.select.adjacency_facts import Neighbours
    from geonotice.select.boundary import Boundary
    from geonotice.select.zoning import District as FoundDistrict
    from geonotice.workflow.open_town import Opened

    Polygonal = shapely.Polygon | shapely.MultiPolygon


__all__ = [
    "LOCATION_CODES",
    "ROLE_CODES",
    "Measured",
    "Municipalities",
    "grown",
    "is_own",
    "measure",
    "measure_municipalities",
    "measure_zone",
    "one_of_each",
    "scattered",
    "with_parcels",
]


_NAMED = 12
"""Most parcels named in the warning."""


def scattered(opened: "Opened", parcels: "Sequence[Parcel]") -> tuple[ResultWarning, ...]:
    """Name the parcels that lie farther from the rest of the premises than the widest right-of-way.

    LAW: DIGEST, readings: the premises are all tax parcels the event uses, together. They may lie on both sides of a street; a lot that
    lies farther off is as often a slip.
    """
    if len(parcels) < 2:  # noqa: PLR2004  # one lot is no several
        return ()
    shapes = np.array(opened.store.geometries([parcel.fid for parcel in parcels]), dtype=object)
    group = _groups(shapes, opened.town.settings.right_of_way_max_ft)
    most = np.bincount(group).argmax()
    away = np.flatnonzero(group != most)
    if not away.size:
        return ()
    feet = float(shapely.distance(shapely.union_all(shapes[away]), shapely.union_all(shapes[group == most])))
    named = tuple(parcels[place].id for place in away.tolist())
    listed = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} more" if len(named) > _NAMED else "")
    text = f"The premises are not contiguous: {listed} {'lies' if len(named) == 1 else 'lie'} {feet:,.0f} ft or more from the rest. Look whether the right parcels are named."
    return (ResultWarning("premises_apart", text, named),)


def _groups(
    shapes: "np.ndarray[tuple[int], np.dtype[np.object_]]", reach_ft: float
) -> "np.ndarray[tuple[int], np.dtype[np.int_]]":
    """Return each shape the number of its group: those within reach of each other, one by way of the next."""
    tree = shapely.STRtree(shapes)
    group = np.full(len(shapes), -1)
    for start in range(len(shapes)):
        if group[start] >= 0:
            continue
        number = group.max() + 1
        group[start] = number
        edge = [start]
        while edge:
            near = tree.query(shapes[edge.pop()], predicate="dwithin", distance=reach_ft)
            fresh = near[group[near] < 0]
            group[fresh] = number
            edge += fresh.tolist()
    return group


_KINDS = {
    "town": "town", "t": "town", "tn": "town", "twn": "town", "village": "village", "v": "village", "vil": "village", "vlg": "village",
    "city": "city", "c": "city",
}  # fmt: skip
_FILLING = frozenset({"of", "the", "part", "inc", "incorporated", *(word for word in _KINDS if len(word) > 1)})
_SWIS_DIGITS = 6
_TOWN_DIGITS = 4
"""A SWIS code is county, town or city, village: two digits each; the parts of one town differ in the last two only."""


def one_of_each(block: "FeatureBlock", land: "shapely.Geometry") -> "tuple[FeatureBlock, tuple[tuple[str, ResultWarning], ...]]":
    """Put the records of one municipality together.

    Parameters
    ----------
    block
        Records of the municipalities layer.
    land
        The premises: where records differ, what the nearest of them says stands.

    Returns
    -------
    block, warnings
        One record for each municipality, its polygons united; and, by its name, a warning where its records have several addresses of the
        clerk.

    Notes
    -----
    Records are one municipality by their SWIS code, else by name and kind: a Town and a Village of one name stay two. One code for two
    names that have nothing in common is a slip of the layer: they stay two, for a letter too many is better than one too few.
    """
    if len(block.rows) < 2:  # noqa: PLR2004  # nothing to put together
        return block, ()
    order = np.argsort(shapely.distance(land, block.geometries), kind="stable").tolist()
    groups: list[list[int]] = []
    for place in order:
        row = block.rows[place]
        home = next((group for group in groups if any(_same(row, block.rows[other]) for other in group)), None)
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    if len(groups) == len(block.rows):
        return block, ()
    groups.sort(key=min)
    rows = tuple(_row([block.rows[place] for place in group]) for group in groups)
    shapes: list[Any] = [
        block.geometries[group[0]] if len(group) == 1 else shapely.union_all(block.geometries[group]) for group in groups
    ]
    warnings = [
        (row["name"], warning)
        for row, group in zip(rows, groups, strict=True)
        for warning in _differing(row, [block.rows[place] for place in group])
    ]
    return FeatureBlock(rows, np.array(shapes, dtype=object)), tuple(warnings)


def _row(rows: "Sequence[Mapping[str, str]]") -> dict[str, str]:
    """Return what the nearest record says, filled from the others where it says nothing; the clerk's name and address are taken together."""
    clerk = next((row for row in rows if row["clerk_address"].strip()), rows[0])
    filled = {name: next((row[name] for row in rows if row[name].strip()), "") for name in rows[0]}
    named = clerk["clerk_name"] or filled["clerk_name"]
    return {**filled, "clerk_name": named, "clerk_address": clerk["clerk_address"]}


def _differing(used: "Mapping[str, str]", rows: "Sequence[Mapping[str, str]]") -> "Iterator[ResultWarning]":
    """Yield a warning where the records of one municipality name several addresses of its clerk, and one where they name several clerks."""
    others = _others("clerk_address", used, rows)
    if others:
        yield ResultWarning(
            "clerk_addresses_differ",
            f"The municipalities layer has several addresses for the clerk of {rows[0]['name']}. The letter goes to:"
            f" {_in_one_line(used['clerk_address'])}. Not used: {'; '.join(others)}. Find out which is right before mailing, and correct the layer.",
        )
    others = _others("clerk_name", used, rows)
    if others:
        yield ResultWarning(
            "clerk_names_differ",
            f"The municipalities layer has several names for the clerk of {rows[0]['name']}. The letter names:"
            f" {_in_one_line(used['clerk_name'])}. Not used: {'; '.join(others)}. Find out who is the clerk before mailing, and correct the layer.",
        )


def _others(column: str, used: "Mapping[str, str]", rows: "Sequence[Mapping[str, str]]") -> list[str]:
    """Return what the records have in a column beside what is used, each spelling of one text once."""
    found = {normal_line(row[column]): _in_one_line(row[column]) for row in reversed(rows) if row[column].strip()}
    found.pop(normal_line(used[column]), None)
    return list(reversed(found.values()))


def _in_one_line(text: str) -> str:
    return text.replace("\n", ", ")


def _same(one: "Mapping[str, str]", other: "Mapping[str, str]") -> bool:
    """Return whether two records are of one municipality."""
    kinds = {kind for row in (one, other) if (kind := _kind(row))}
    if len(kinds) > 1 or is_village(one["kind"]) != is_village(other["kind"]):
        return False
    names = _words(one["name"]), _words(other["name"])
    first, second = (row["swis"].strip() for row in (one, other))
    if first and second:
        if len(first) == len(second) == _SWIS_DIGITS and first == second:
            return not all(names) or names[0] <= names[1] or names[1] <= names[0]
        short = min(len(first), len(second), _TOWN_DIGITS)
        if first[:short] != second[:short]:
            return False
    return bool(names[0]) and names[0] == names[1]


def _kind(row: "Mapping[str, str]") -> str:
    """Return town, village or city; from the name where the layer does not state it; empty where neither does."""
    stated = _KINDS.get(row["kind"].strip().casefold().rstrip("."), "")
    if stated:
        return stated
    if is_village(row["kind"]):
        return "village"
    found = re.search(r"\b(town|village|city)\b(?: of\b|,|$|\s*\()", row["name"].casefold())
    return found[1] if found else ""


def _words(name: str) -> frozenset[str]:
    """Return the words of a name that tell municipalities apart."""
    return frozenset(re.findall(r"[^\W\d_]+", name.casefold())) - _FILLING


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
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
) -> Measured:
    """Measure every parcel within ``reach_ft`` of the premises, farther where adjacency needs it, and those ``also`` named by fid.

    ``contiguous`` are fids of land that moves out the line which distances are measured from; adjacency is that of the premises alone.
    """
    store, settings = opened.store, opened.town.settings
    own = [parcel.fid for parcel in premises]
    shapes = store.geometries(own)
    land: Polygonal = shapely.union_all(shapes)  # type: ignore[assignment]  # parcels are polygons, and so is their union
    widest = {
        "right_of_way_max_ft": settings.right_of_way_max_ft,
        "right_of_way_max_state_ft": settings.right_of_way_max_state_ft,
    }
    opposite_by, opposite_distance_ft = opened.profile.opposite
    adjacency_ft = search_ft(**widest, opposite_distance_ft=opposite_distance_ft)
    line: Polygonal = shapely.union_all([land, *store.geometries(contiguous)]) if contiguous else land  # type: ignore[assignment]  # as above
    block = store.parcels_in(grown(line.bounds, max(reach_ft, adjacency_ft)))
    held = {parcel.fid for parcel in block.parcels}
    block = _joined(block, store.parcels([fid for fid in also if fid not in held]))
    others = np.array([parcel.fid not in own for parcel in block.parcels], dtype=bool)
    parcels = [parcel for parcel, other in zip(block.parcels, others, strict=True) if other]
    geometries = block.geometries[others]
    found = within(line, geometries, distance_ft=np.inf)
    beside = found if line is land else within(land, geometries, distance_ft=adjacency_ft)
    close = beside.index[beside.distance_ft <= adjacency_ft]
    streets = _streets(store.features_in("streets", grown(land.bounds, adjacency_ft)))
    near = neighbours(
        shapes,
        geometries[close],
        np.array([parcels[index].role for index in close], dtype=object),
        premises_roles=np.array([parcel.role for parcel in premises], dtype=object),
        in_doubt=np.array([parcels[index].may_be_street for index in close], dtype=object),
        streets=streets,
        railroads=_railroads(store.features_in("railroads", grown(land.bounds, adjacency_ft))),
        water=store.features_in("water", grown(land.bounds, adjacency_ft)).geometries,
        tolerance_ft=settings.tolerance_ft,
        opposite_by=opposite_by,
        opposite_distance_ft=opposite_distance_ft,
        **widest,
    )
    stands = {int(close[one.index]): one for one in near.neighbours}
    facts = []
    for place, distance in zip(found.index.tolist(), found.distance_ft.tolist(), strict=True):
        parcel, one = parcels[place], stands.get(place)
        relations = (one.relation, *one.also) if one else ()
        facts.append(
            ParcelFacts(
                fid=parcel.fid,
                id=parcel.id,
                swis=parcel.swis,
                situs=parcel.situs.text,
                distance_ft=distance,
                shared_ft=one.shared_ft if one and "abutting" in relations else None,
                corner="corner" in relations,
                opposite_ft=one.opposite_ft if one and "opposite" in relations else None,
                across_ft=one.across_ft if one and (opposite_by == "distance" or "straight_across" in one.review) else None,
                review=one.review if one else (),
            )
        )
    return Measured(
        premises=tuple(premises),
        land=land,
        line=line,
        records={parcel.fid: parcel for parcel in (*block.parcels, *premises)},
        geometries={parcel.fid: geometry for parcel, geometry in zip(block.parcels, block.geometries, strict=True)},
        facts=tuple(facts),
        around=tuple(parcels[index].fid for index in close),
        near=near,
        streets=streets,
    )


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
    block = opened.store.features_in("zoning", land.bounds)
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


@dataclass(frozen=True, slots=True, eq=False)
class Municipalities:
    """The other municipalities near the premises, the villages that the premises lie in, and what is to be said of both."""

    near: tuple[Municipality, ...]
    villages: tuple[str, ...]
    warnings: tuple[ResultWarning, ...]
    found: "Boundary | None"


ROLE_CODES: "Mapping[str, str]" = {"right_of_way": "on_right_of_way", "railroad": "on_railroad", "water": "on_water"}
"""The code of what is said of premises that are no lot, by their role."""

_ROLE_WORDS = {
    "right_of_way": "a street or another right-of-way",
    "railroad": "a railroad",
    "water": "water",
}

LOCATION_CODES = frozenset({"in_village", "partly_in_village", "outside_town", "premises_apart", *ROLE_CODES.values()})
"""Codes of what is said of where the premises themselves lie: whether the town's law reaches them at all."""


def measure_municipalities(
    opened: "Opened", land: "Polygonal", parcels: "Sequence[Parcel]", *, distance_ft: float, rule: str
) -> Municipalities:
    """Measure the distance to every other municipality, for the notice to its clerk; and say where the premises lie themselves.

    A municipality is the town's own by its SWIS prefix, or by its name where the town file gives no prefix.
    """
    town = opened.town
    if not opened.store.has("municipalities"):
        text = f"The town file names no municipalities layer, so whether another municipality lies within {distance_ft:,.0f} ft is not known."
        away = (*_outside_town(opened, parcels, ()), *_no_lot(parcels), *scattered(opened, parcels))
        return Municipalities((), (), (ResultWarning("no_municipalities_layer", text), *away), None)
    block = opened.store.features_in("municipalities", grown(land.bounds, distance_ft + BOUNDARY_ACCURACY_FT))
    block, said_twice = one_of_each(block, land)
    villages = np.array([is_village(row["kind"]) for row in block.rows], dtype=bool)
    own = np.array([is_own(row, town.swis, town.name) for row in block.rows], dtype=bool) & ~villages
    found = boundary(land, block.geometries, own=own, villages=villages, distance_ft=distance_ft)
    near = tuple(
        Municipality(
            name=block.rows[one.index]["name"],
            swis=block.rows[one.index]["swis"],
            distance_ft=one.distance_ft,
            kind=block.rows[one.index]["kind"],
            clerk_name=block.rows[one.index]["clerk_name"],
            clerk_address=block.rows[one.index]["clerk_address"],
            rule=rule,
            review=one.review,
        )
        for one in found.others
        if one.notified
    )
    inside = tuple(block.rows[index]["name"] for index in found.inside)
    towns = tuple(block.rows[one.index]["name"] for one in found.others if one.share > INSIDE_SHARE and not villages[one.index])
    warnings = [*(_in_village(name) for name in inside), *_outside_town(opened, parcels, towns)]
    warnings += [*_no_lot(parcels), *scattered(opened, parcels)]
    warnings += [
        ResultWarning(
            "partly_in_village",
            f"A part of the premises lies in the {block.rows[index]['name']}, which counts as another municipality.",
        )
        for index in found.partly
    ]
    told = {one.name for one in near}
    warnings += [warning for name, warning in said_twice if name in told]
    doubtful = [one.name for one in near if one.review]
    if doubtful:
        text = f"Close to the limit of {distance_ft:,.0f} ft, within what a municipal line on the map can be off by: {', '.join(doubtful)}. Notice is addressed; have the distance checked."
        warnings.append(ResultWarning("boundary_accuracy", text))
    if not town.swis:
        text = (
            "The town file gives no SWIS prefix (swis), so the town's own municipality is told from the others by its name only."
        )
        warnings.append(ResultWarning("swis_unknown", text))
    return Municipalities(near, inside, tuple(warnings), found)


def _in_village(name: str) -> ResultWarning:
    text = f"The premises lie in the {name}. A town's chapter may not reach land inside an incorporated village: ask the town attorney whose law applies."
    return ResultWarning("in_village", text)


def _outside_town(opened: "Opened", parcels: "Sequence[Parcel]", towns: "Sequence[str]") -> tuple[ResultWarning, ...]:
    """State that land lies in another town: the layer of an adjoining one holds its parcels too, and any of them can be named."""
    own = opened.town.swis
    away = tuple(parcel for parcel in parcels if own and parcel.swis and not parcel.swis.startswith(own))
    if not away and not towns:
        return ()
    named = ", ".join(towns) or f"another town (SWIS {', '.join(dict.fromkeys(parcel.swis for parcel in away))})"
    text = (
        f"Premises lie in {named}, not in {opened.town.name}: its law does not reach them, and its permit register does not hold their "
        "permits. Look whether the right parcel is named."
    )
    return (ResultWarning("outside_town", text, tuple(parcel.id for parcel in away or parcels)),)


def _no_lot(parcels: "Sequence[Parcel]") -> "Iterator[ResultWarning]":
    """Return which of the premises are a street, a railroad or water in the layer: an official decides whether anything is held there."""
    for role, code in ROLE_CODES.items():
        found = tuple(parcel.id for parcel in parcels if parcel.role == role)
        if found:
            text = (
                f"Premises are {_ROLE_WORDS[role]} by the parcel layer, not a lot ({', '.join(found)}): who controls it decides whether "
                "an event may be held there. Look whether the right parcel is named."
            )
            yield ResultWarning(code, text, found)


def is_own(row: "Mapping[str, str]", swis: "Sequence[str]", name: str) -> bool:
    """Return whether a municipality is the town's own: by its SWIS prefix, or by its name where the town file gives none."""
    if swis:
        return row["swis"].startswith(tuple(swis))
    return row["name"].casefold().removeprefix("town of ") == name.casefold().removeprefix("town of ")


def _streets(block: "FeatureBlock") -> StreetLayer:
    return StreetLayer(
        block.geometries, tuple(row["name"] for row in block.rows), tuple(row["jurisdiction"] for row in block.rows)
    )


def _railroads(block: "FeatureBlock") -> StreetLayer:
    return StreetLayer(block.geometries, tuple(row["name"] for row in block.rows), tuple(row["owner"] for row in block.rows))


def grown(bounds: "tuple[float, float, float, float]", by_ft: float) -> "tuple[float, float, float, float]":
    """Widen a box by a distance on every side."""
    minx, miny, maxx, maxy = bounds
    return minx - by_ft, miny - by_ft, maxx + by_ft, maxy + by_ft
