"""Property classes: which layers have New York's, and New York's three digits of them.

Every State numbers its classes its own way: 905 is a church in one and a forest in another, 325 a vacant lot here and a shop there. What depends
on the class (who lives there, what is a street) is decided by New York's codes only, and only where the layer is known to have them.
"""

import re
from typing import TYPE_CHECKING

from geonotice.layers.columns.placeholders import field_value
from geonotice.layers.columns.text import each_distinct, plain_name
from geonotice.layers.countries_and_zip_codes import state_code

if TYPE_CHECKING:
    import pyarrow as pa

    from geonotice.config.town import Town
    from geonotice.layers.columns.recognize import FieldMap

__all__ = ["class_code", "has_new_york_classes", "town_says"]

_CODES = """
100 105 110-117 120 129 130 140 150-152 160 170 180-184 190 | 200 210 215 220 230 240-242 250 260 270 271 280 281 283 | 300 310-315 320-323 330 331
340 341 350-352 380 | 400 410 411 414-418 420-426 430-444 446-449 450-457 460-465 470-475 480-486 | 500 510-515 520-522 530-535 540-546 550-557 560 570 580-583
590-593 | 600 610-615 620 630-633 640-642 650-653 660-662 670 680-682 690-695 | 700 710 712 714 715 720-729 730-736 740-749 | 800 810-819 820-827 830-839 840-847
850-854 860-885 | 900 910-912 920 930-934 940-942 950 960-963 970-972 980 990-994
"""
"""The codes of the Assessor's Manual, property type classification codes (Office of Real Property Tax Services)."""

_KNOWN = frozenset(str(code) for part in _CODES.replace("|", " ").split() for code in range(int(part[:3]), int(part[-3:]) + 1))
_MOST = 0.9
"""Of the classes that a layer fills in, this share must be New York's: a slip or a code of the town's own is no other State's system."""
_SCHEMA = frozenset({"SWIS", "SWISCODE", "SBL", "PRINTKEY", "SWISSBLID", "SWISPRINTKEYID", "MUNICODESWIS", "CITYTOWNSWIS"})
"""Columns that only New York's assessors have."""
_ZONES = frozenset(
    {2260, 2261, 2262, 2263, 2829, 2830, 2831, 3625, 3627, 3629, 3736, 4456, 6536, 6537, 6538, 6539, 32115, 32116, 32117, 32118}
)
_ZONE_NAME = re.compile(r"\bNew York\b", re.IGNORECASE)


def class_code(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return New York's three digits of its property classes (``210.01``, ``210-W``, ``692 - Roads``, ``210W``); null for what is no such code.

    Examples
    --------
    >>> import pyarrow as pa
    >>> class_code(pa.chunked_array([["210.01", "692 - Roads", "210W", "R1", "1010", None]])).to_pylist()
    ['210', '692', '210', None, None, None]
    """
    return each_distinct(column, _code)


def _code(text: str) -> str | None:
    found = re.match(r"\s*([1-9]\d\d)(?!\d)", text)
    return found[1] if found else None


def town_says(town: "Town", index: int) -> bool | None:
    """Return what the town file says of a parcel layer's classes: New York's, another State's, or nothing.

    A town in New York may have a layer of another system: its State alone does not make a code New York's, only another State rules it out.

    Parameters
    ----------
    town
        The town file.
    index
        The place of the layer among the parcel layers. What the file says of the town holds for the town's own layer, the first.
    """
    spec = town.parcels[index]
    if spec.property_classes:
        return spec.property_classes == "new_york"
    elsewhere = index == 0 and town.town.state and state_code(town.town.state) != "NY"
    return False if elsewhere else None


def has_new_york_classes(table: "pa.Table", fields: "FieldMap", *, crs: str, says: bool | None) -> bool:
    """Return whether the classes of a layer or a roll are New York's.

    Parameters
    ----------
    table, fields
        Its attributes, and how its columns map.
    crs
        The CRS that the town is measured in.
    says
        What the town file says (:func:`town_says`); it stands before anything else.

    Notes
    -----
    A column of SWIS codes or another that only New York's assessors have settles it. Else the town must be measured in one of New York's zones, and
    nine of ten classes must be codes of New York's manual: a residents' letter too many costs a stamp.
    """
    if says is not None:
        return says
    if any(plain_name(name) in _SCHEMA for name in table.column_names) or fields.column("swis"):
        return True
    return in_new_york(crs) and _are_known(field_value(table, fields.column("property_class")))


def in_new_york(crs: str) -> bool:
    """Whether a CRS is one of New York's State plane zones.

    Examples
    --------
    >>> in_new_york("EPSG:2261"), in_new_york("EPSG:2249")
    (True, False)
    """
    code = re.fullmatch(r"EPSG:(\d+)", crs.strip(), re.IGNORECASE)
    return int(code[1]) in _ZONES if code else bool(_ZONE_NAME.search(crs))


def _are_known(classes: "pa.ChunkedArray") -> bool:
    import pyarrow.compute as pc

    counts = pc.value_counts(classes.drop_null()).to_pylist()
    known = sum(item["counts"] for item in counts if (_code(item["values"]) or "") in _KNOWN)
    every = sum(item["counts"] for item in counts)
    return bool(every) and known >= _MOST * every
