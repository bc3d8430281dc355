"""What a parcel is: a lot, a right-of-way, a railroad or water (the plan, section 4, in its order).

An owned right-of-way or railroad parcel is looked through when opposite lots are sought, and is notified like any other where it abuts.
"""

import re
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.layers.columns import as_bool, each_distinct

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["class_code", "is_railroad_name", "roles_of"]

CLASS_ROLES = {"692": "right_of_way", "842": "railroad", "843": "railroad", "972": "water"}
"""Property classes of the Office of Real Property Tax Services: roads, ceiling and non-ceiling railroad, land under water."""

ROLE_WORDS = {
    "lot": "lot", "parcel": "lot", "right_of_way": "right_of_way", "rightofway": "right_of_way", "row": "right_of_way", "r/w": "right_of_way",
    "road": "right_of_way", "street": "right_of_way", "highway": "right_of_way", "alley": "right_of_way", "railroad": "railroad", "rail": "railroad",
    "railway": "railroad", "rr": "railroad", "water": "water", "lake": "water", "hydro": "water",
}  # fmt: skip
"""Words that the field named ``role`` in a town file may hold."""

_RAILROAD = re.compile(
    r"""\b(?:
        RAIL[ ]?ROADS? | RAILWAYS? | LIRR | L[ ]I[ ]R[ ]R | METRO[ ]?NORTH | CONRAIL | CONSOLIDATED[ ]RAIL | AMTRAK | CSX | PENN[ ]CENTRAL
        | NORFOLK[ ]SOUTHERN | MTA | M[ ]T[ ]A | METRO(?:POLITAN)?[ ]TRANS(?:PORTATION|PORT|PORTN|P|IT)?[ ]AUTH(?:ORITY)? | (?:R[ ]?R|RY|RWY)[ ](?:CO|COMPANY|CORP|INC|LLC)
        | LONG[ ]ISLAND[ ](?:R[ ]?R|RAIL)
    )\b""",
    re.VERBOSE,
)
_NOT_RAILROAD = re.compile(
    r"\b(?:RAIL ?ROAD|RAILWAY) (?:AVE|AVENUE|ST|STREET|PL|PLACE|RD|ROAD|LN|LANE|DR|DRIVE|PLAZA|SQ|SQUARE|MUSEUM|HISTORICAL|STATION (?:LLC|INC|CAFE|REST)|TAVERN|CAFE|PUB|"
    r"INN|PROPERT|REALTY|HOLDING|ASSOC|DEVELOP|APART|WORKERS|EMPLOYEES|YMCA)"
)
_RAILROAD_HINT = (
    r"(?i)rail|l\.?\s?i\.?\s?r\.?\s?r|metro|conrail|amtrak|csx|penn central|norfolk|mta|m\.\s?t\.\s?a|r\.?\s?r\b|ry\b|rwy\b"
)

THIN_LENGTH_FT = 200.0
"""A strip without a number shorter than this may be a lot (25 by 150 ft is 175), or a remnant of one."""
THIN_RATIO = 12.0
"""A strip at least so many times as long as it is wide: a rectangle ten times as long as wide is 12."""
BARE_RATIO = 7.0
"""The same where the layer gives neither an owner nor a class: a street is often drawn in pieces from crossing to crossing, and 250 by 50 ft
is 7."""
THIN_WIDTH_FT = 200.0
"""The widest right-of-way, by the plan's setting."""


def is_railroad_name(names: str) -> bool:
    """Whether an owner's name is a railroad's.

    Examples
    --------
    >>> is_railroad_name("LONG ISLAND RAIL ROAD CO"), is_railroad_name("M.T.A."), is_railroad_name("Finger Lakes Railway Corp")
    (True, True, True)
    >>> is_railroad_name("RAILROAD AVENUE REALTY LLC"), is_railroad_name("SMITH, GARY")
    (False, False)
    """
    plain = " ".join(re.sub(r"[^A-Z0-9]+", " ", names.upper()).split())
    return bool(_RAILROAD.search(plain)) and not _NOT_RAILROAD.search(plain)


def class_code(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Give property classes as their three digits where they begin with them (``210.01``, ``210-W``, ``692 - Roads``); else as they are.

    Examples
    --------
    >>> import pyarrow as pa
    >>> class_code(pa.chunked_array([["210.01", "692 - Roads", "R1", None]])).to_pylist()
    ['210', '692', 'R1', None]
    """
    return each_distinct(column, lambda text: re.sub(r"^(\d{3})(?:\D.*)?$", r"\1", text))


def roles_of(
    *,
    given: "pa.Array",
    property_class: "pa.Array",
    names: "pa.Array",
    blank: "NDArray[np.bool_]",
    geometry: "NDArray[np.object_]",
) -> "tuple[NDArray[np.object_], NDArray[np.int64], NDArray[np.int64]]":
    """Give each parcel its role.

    Parameters
    ----------
    given
        What the field named ``role`` says; null where it says nothing.
    property_class
        Three digits, null where missing.
    names
        The names of all owners of record of the parcel, in one text; empty where there are none.
    blank
        Whether the parcel has no tax map number.
    geometry
        Its polygon, in US survey feet.

    Returns
    -------
    roles, guessed, unknown
        The role of each; the parcels whose role was guessed from their shape; those whose field ``role`` holds a word not known.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    roles = np.full(len(blank), "lot", dtype=object)
    open_ = np.ones(len(blank), dtype=bool)
    unknown = np.zeros(0, dtype=np.int64)
    if given.null_count < len(given):
        words = given.dictionary_encode()
        known = [ROLE_WORDS.get(re.sub(r"[\s-]+", "_", word.strip().lower())) for word in words.dictionary.to_pylist()]
        said = np.array(pa.array(known, pa.string()).take(words.indices).to_pylist(), dtype=object)
        found = np.array([value is not None for value in said], dtype=bool)
        roles[found] = said[found]
        open_ &= ~found
        unknown = np.flatnonzero(~found & as_bool(pc.is_valid(given)))
    for code, role in CLASS_ROLES.items():
        hit = open_ & as_bool(pc.equal(property_class, code))
        roles[hit] = role
        open_ &= ~hit
    hinted = np.flatnonzero(open_ & as_bool(pc.match_substring_regex(names, _RAILROAD_HINT)))
    rail = [
        index
        for index, text in zip(hinted.tolist(), names.take(pa.array(hinted)).to_pylist(), strict=True)
        if is_railroad_name(text)
    ]
    roles[rail] = "railroad"
    open_[rail] = False
    guessed = np.flatnonzero(open_ & blank)
    bare = as_bool(pc.is_null(property_class)) & as_bool(pc.equal(names, ""))
    guessed = guessed[_long_and_thin(geometry[guessed], np.where(bare[guessed], BARE_RATIO, THIN_RATIO))]
    roles[guessed] = "right_of_way"
    return roles, guessed, unknown


def _long_and_thin(geometry: "NDArray[np.object_]", ratio: "NDArray[np.float64]") -> "NDArray[np.bool_]":
    """Whether polygons are strips: twice the area over the perimeter is a strip's width, half the perimeter its length, branches included."""
    perimeter = shapely.length(geometry)
    area = shapely.area(geometry)
    width = np.divide(2 * area, perimeter, out=np.zeros_like(area), where=perimeter > 0)
    length = perimeter / 2
    return np.asarray((width > 0) & (width <= THIN_WIDTH_FT) & (length >= THIN_LENGTH_FT) & (length >= ratio * width))
