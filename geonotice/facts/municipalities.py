"""The municipalities around the premises: which clerks are notified, and whose land the premises are."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from msgspec import Struct

from geonotice.address_spelling import normal_line, normal_text
from geonotice.facts.contiguous import non_contiguous_warnings
from geonotice.facts.surroundings import grown
from geonotice.model import Municipality, ResultWarning
from geonotice.select.boundary import BOUNDARY_ACCURACY_FT, INSIDE_SHARE, boundary, is_village
from geonotice.store import EVERYWHERE, FeatureBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from geonotice.config.town import Town
    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.select.boundary import Boundary

    Polygonal = shapely.Polygon | shapely.MultiPolygon


__all__ = [
    "LOCATION_CODES",
    "ROLE_CODES",
    "Municipalities",
    "is_own",
    "measure_municipalities",
    "one_of_each",
    "other_municipalities",
]


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


class Municipalities(Struct, frozen=True, eq=False):
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
        away = (*_outside_town(opened, parcels, ()), *_no_lot(parcels), *non_contiguous_warnings(opened, parcels))
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
    warnings += [*_no_lot(parcels), *non_contiguous_warnings(opened, parcels)]
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
            "The town file gives no SWIS prefix (swis), so the town's own municipality is known from the others by its name only."
        )
        warnings.append(ResultWarning("swis_unknown", text))
    return Municipalities(near, inside, tuple(warnings), found)


def other_municipalities(opened: "Opened") -> "FeatureBlock | None":
    """Return all municipalities but the town itself, villages inside it among them; None where the town has no such layer."""
    if not opened.store.has("municipalities"):
        return None
    block = opened.store.features_in("municipalities", EVERYWHERE)
    other = [is_village(row["kind"]) or not is_own(row, opened.town.swis, opened.town.name) for row in block.rows]
    rows = tuple(row for row, kept in zip(block.rows, other, strict=True) if kept)
    return FeatureBlock(rows, block.geometries[np.array(other, dtype=bool)])


def _in_village(name: str) -> ResultWarning:
    text = f"The premises lie in the {name}. A town's chapter may not reach land inside an incorporated village: ask the town attorney whose law applies."
    return ResultWarning("in_village", text)


def is_elsewhere(town: "Town", parcel: "Parcel") -> bool:
    """Return whether a parcel is another town's by its SWIS code, or by its municipality where a code does not settle it."""
    if town.swis and parcel.swis:
        return not parcel.swis.startswith(town.swis)
    ours = {normal_text(name) for name in town.municipality}
    return bool(ours and parcel.municipality) and normal_text(parcel.municipality) not in ours


def _outside_town(opened: "Opened", parcels: "Sequence[Parcel]", towns: "Sequence[str]") -> tuple[ResultWarning, ...]:
    """State that land lies in another town: the layer of an adjoining one holds its parcels too, and any of them can be named."""
    away = tuple(parcel for parcel in parcels if is_elsewhere(opened.town, parcel))
    if not away and not towns:
        return ()
    codes = ", ".join(dict.fromkeys(parcel.swis for parcel in away if parcel.swis))
    called = ", ".join(dict.fromkeys(parcel.municipality for parcel in away if parcel.municipality))
    named = ", ".join(towns) or called or "another town"
    if codes and not towns:
        named += f" (SWIS {codes})"
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
