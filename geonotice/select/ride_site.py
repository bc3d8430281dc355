"""What the premises are next to and who owns them, as far as the siting of carnival rides turns on it.

Facts only: municipal ownership, a State or county road abutted, property of the Long Island Rail Road abutted. Owners are known by their
names as rolls write them, so every answer can be yes, no, or not known.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from geonotice.select.adjacency_facts import Neighbours

__all__ = ["Siting", "is_long_island_rail_road", "is_municipal", "siting"]

_RAIL_ROAD: Final = re.compile(
    r"\bLIRR\b|\bL I R ?R\b|\b(?:LONG ISLAND|LONG IS|L I|LI) (?:RAIL ?ROAD|RAIL RD|R ?R)\b"
    r"|\bMETRO(?:POLITAN)? TRANS(?:P|PORT|PORTATION)? ?(?:AU\w*)?$|\bMETRO(?:POLITAN)? TRANS(?:P|PORT|PORTATION)? AU|\bMTA\b"
)
"""The Long Island Rail Road and its owner, the Metropolitan Transportation Authority, cut short or whole."""
_PRIVATE: Final = re.compile(r"\b(?:LLC|L L C|LLP|LP|INC(?! VIL)|CORP|TRUST|ASSOC\w*|CLUB|CHURCH|REALTY|PROPERTIES|HOLDINGS)\b")
_MUNICIPAL: Final = re.compile(
    r"^(?:THE )?(?:(?:INC|INCORPORATED) )?(?:TOWN|VILLAGE|VILL?|VLG|CITY|COUNTY|CO) OF (?!\w+ (?:LLC|INC|CORP)\b)\w"
    r"|^\w+(?: \w+)? (?:TOWN|VILLAGE|CITY|COUNTY) OF$"
    r"|^\w+ COUNTY$"
)
_PUBLIC_BODY: Final = re.compile(
    r"\b(?:AUTHORITY|AUTH|DISTRICT|DIST|SCHOOL|HOUSING|LIBRARY|AGENCY|TRUSTEES?|STATE OF|U S A|UNITED STATES)\b"
)


class Siting(Struct, frozen=True):
    """The facts; None where they are not known.

    Parameters
    ----------
    municipal_owner
        Whether a town, village, city or county owns all of the premises.
    state_or_county_road
        Whether the premises abut a State or county road.
    long_island_rail_road
        Whether property of the Long Island Rail Road abuts.
    """

    municipal_owner: bool | None
    state_or_county_road: bool | None
    long_island_rail_road: bool | None


@lru_cache(maxsize=4096)
def is_long_island_rail_road(name: str) -> bool:
    """Return whether an owner's name, as a roll writes it, is that of the Long Island Rail Road.

    Examples
    --------
    >>> names = "LIRR", "Long Island Rail Road Co.", "METROPOLITAN TRANSPORTATION AUTHORITY", "M.T.A.", "LONG ISLAND REALTY", "MTA HOMES LLC"
    >>> [is_long_island_rail_road(name) for name in names]
    [True, True, True, True, False, False]
    """
    plain = _plain(name)
    return bool(_RAIL_ROAD.search(plain)) and not ("MTA" in plain and _PRIVATE.search(plain))


@lru_cache(maxsize=4096)
def is_municipal(name: str) -> bool | None:
    """Return whether an owner's name is that of a town, village, city or county; None for another public body, which may belong to one.

    Examples
    --------
    >>> [is_municipal(name) for name in ("TOWN OF SOUTHAMPTON", "Suffolk County", "SOUTHAMPTON TOWN OF", "TOWNSEND JOHN", "FIRE DISTRICT")]
    [True, True, True, False, None]
    """
    plain = _plain(name)
    if _PRIVATE.search(plain):
        return False
    if _PUBLIC_BODY.search(plain):
        return None
    return bool(_MUNICIPAL.search(plain))


def siting(
    found: Neighbours,
    *,
    owners: Sequence[str],
    neighbour_owners: Sequence[Sequence[str]] | Mapping[int, Sequence[str]],
    streets_known: bool,
) -> Siting:
    """Gather the facts.

    Parameters
    ----------
    found
        The premises' neighbours.
    owners
        Names of the owners of record of the premises.
    neighbour_owners
        Of each parcel of the arrays that ``found`` points into, by its place, its owners' names; at least of those that abut.
    streets_known
        Whether there is a streets layer.

    Examples
    --------
    >>> import shapely
    >>> from geonotice.select.adjacency import neighbours
    >>> lots = [shapely.box(0, 100, 100, 166), shapely.box(100, 0, 200, 100)]
    >>> found = neighbours([shapely.box(0, 0, 100, 100)], lots, ["railroad", "lot"])
    >>> facts = siting(found, owners=["TOWN OF SOUTHAMPTON"], neighbour_owners=[["MTA - LIRR"], ["SMITH J"]], streets_known=False)
    >>> facts.municipal_owner, facts.state_or_county_road, facts.long_island_rail_road
    (True, None, True)
    """
    kinds = [is_municipal(name) for name in owners if name.strip()]
    municipal: bool | None
    if not kinds:
        municipal = None
    elif all(kinds):
        municipal = True
    else:
        municipal = None if all(kind is not False for kind in kinds) else False
    road = any({"state", "county"} & set(street.jurisdictions) for street in found.streets)
    doubtful = not streets_known or any(not street.jurisdictions for street in found.streets) or _unnamed(found)
    beside = found.related("abutting")
    rail = any(is_long_island_rail_road(name) for index in beside for name in neighbour_owners[index])
    lines = [
        line for line in found.railroads if is_long_island_rail_road(line.name) or is_long_island_rail_road(line.jurisdiction)
    ]
    unowned = any(not any(name.strip() for name in neighbour_owners[index]) for index in beside) or len(found.railroads) > len(
        lines
    )
    return Siting(
        municipal_owner=municipal,
        state_or_county_road=True if road else (None if doubtful else False),
        long_island_rail_road=True if rail or lines else (None if unowned else False),
    )


def _unnamed(found: Neighbours) -> bool:
    """Return whether a frontage is answered across a right-of-way whose street is not known."""
    return any(front.status == "answered" and front.street is None and front.answered_by for front in found.frontages)


def _plain(name: str) -> str:
    """Bring a name to capitals and single spaces, abbreviations' full stops dropped."""
    return " ".join(re.sub(r"[^A-Z0-9 ]", " ", name.upper().replace(".", "").replace("'", "")).split())
