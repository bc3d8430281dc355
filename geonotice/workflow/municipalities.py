"""One municipality of several records: a layer may draw it in parts, or list it twice; its clerk gets one letter."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.model import Caution
from geonotice.postal import normal_line
from geonotice.select.boundary import is_village
from geonotice.store import FeatureBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["one_of_each"]

_KINDS = {
    "town": "town", "t": "town", "tn": "town", "twn": "town", "village": "village", "v": "village", "vil": "village", "vlg": "village",
    "city": "city", "c": "city",
}  # fmt: skip
_FILLING = frozenset({"of", "the", "part", "inc", "incorporated", *(word for word in _KINDS if len(word) > 1)})
_SWIS_DIGITS = 6
_TOWN_DIGITS = 4
"""A SWIS code is county, town or city, village: two digits each; the parts of one town differ in the last two only."""


def one_of_each(block: "FeatureBlock", land: "shapely.Geometry") -> "tuple[FeatureBlock, tuple[tuple[str, Caution], ...]]":
    """Put the records of one municipality together.

    Parameters
    ----------
    block
        Records of the municipalities layer.
    land
        The premises: where records differ, what the nearest of them says stands.

    Returns
    -------
    block, cautions
        One record for each municipality, its polygons united; and, by its name, a caution where its records have several addresses of the
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
    cautions = [
        (row["name"], caution)
        for row, group in zip(rows, groups, strict=True)
        for caution in _differing(row, [block.rows[place] for place in group])
    ]
    return FeatureBlock(rows, np.array(shapes, dtype=object)), tuple(cautions)


def _row(rows: "Sequence[Mapping[str, str]]") -> dict[str, str]:
    """Return what the nearest record says, filled from the others where it says nothing; the clerk's name and address are taken together."""
    clerk = next((row for row in rows if row["clerk_address"].strip()), rows[0])
    filled = {name: next((row[name] for row in rows if row[name].strip()), "") for name in rows[0]}
    named = clerk["clerk_name"] or filled["clerk_name"]
    return {**filled, "clerk_name": named, "clerk_address": clerk["clerk_address"]}


def _differing(used: "Mapping[str, str]", rows: "Sequence[Mapping[str, str]]") -> "Iterator[Caution]":
    """Yield a warning where the records of one municipality name several addresses of its clerk, and one where they name several clerks."""
    others = _others("clerk_address", used, rows)
    if others:
        yield Caution(
            "clerk_addresses_differ",
            f"The municipalities layer has several addresses for the clerk of {rows[0]['name']}. The letter goes to:"
            f" {_in_one_line(used['clerk_address'])}. Not used: {'; '.join(others)}. Find out which is right before mailing, and correct the layer.",
        )
    others = _others("clerk_name", used, rows)
    if others:
        yield Caution(
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
