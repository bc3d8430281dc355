"""Name the record that stops a layer from being read."""

from typing import TYPE_CHECKING

import shapely

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.gdal import fiona_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyarrow import Table

    from geonotice.layers.preflight import Source

__all__ = ["bad_geometry", "lost_records", "lost_shapes", "unreadable_record"]

NAMED = 5
"""How many records a message names; the others are counted."""

SEARCHED = 200_000
"""How many records are looked through one by one for the bad one: some ten seconds."""

_REASONS = (
    ("closed linestring", "its outline does not close: it was cut off"),
    ("Unknown WKB type", "it is a surface in three dimensions (multipatch or TIN), not an outline"),
    ("Invalid number of points", "its outline has too few corners"),
    ("Nonlinear", "it has curves that cannot be read"),
)


def bad_geometry(
    source: "Source", layer: str, wkb: "Sequence[bytes | None]", rows: "Sequence[int]", table: "Table"
) -> UnreadableLayer:
    """Make the error for records whose geometry cannot be made: each named by its number, its first attributes and the reason."""
    named = [f"record {row + 1}{_label(table, row)}: {_reason(wkb[row])}" for row in rows[:NAMED]]
    more = f", and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return UnreadableLayer(
        Fault(
            what=f"{len(rows)} of {len(wkb):,} records cannot be read: {'; '.join(named)}{more}",
            why="their owners would be left off every list",
            remedy="ask for the layer again; or repair or delete these records in QGIS, and note who they are",
            file=str(source.path),
            layer=layer,
        )
    )


def _reason(data: bytes | None) -> str:
    try:
        shapely.from_wkb(data)
    except (shapely.errors.GEOSException, NotImplementedError, TypeError) as error:
        said = " ".join(str(error).split())
        return next((words for sign, words in _REASONS if sign in said), said)
    return "its geometry is damaged"


def _label(table: "Table", row: int) -> str:
    for name in table.column_names[:6]:
        value = table.column(name)[row].as_py()
        if value not in (None, ""):
            return f" ({name} {str(value)[:40]})"
    return ""


def unreadable_record(source: "Source", layer: str, error: Exception) -> UnreadableLayer:
    """Make the error for a bulk read that failed, naming the first record that fiona cannot read, with the reason."""
    said = " ".join(str(error).split()).rstrip(".;")
    found = _first_bad(source, layer)
    return UnreadableLayer(
        Fault(
            what=f"{found}: {said}" if found else f"the layer cannot be read to its end: {said}",
            why="part of the layer would be missing without a word",
            remedy="download or export it again; the file was cut off or damaged",
            file=str(source.path),
            layer=layer,
        )
    )


def _first_bad(source: "Source", layer: str) -> str:
    """Read record by record; say which could not be read. Empty where fiona is not installed, or can read them all."""
    try:
        from fiona.errors import FionaError
    except ImportError:
        return ""

    number = 0
    try:
        with fiona_features(source, layer) as features:
            expected = len(features)
            for number, _ in enumerate(features, start=1):  # how far it came is what is asked
                if number >= SEARCHED:
                    return ""
    except (FionaError, ValueError, TypeError, OSError, RuntimeError, UnicodeError):
        return f"record {number + 1} cannot be read"
    return f"record {number + 1} of {expected:,} cannot be read" if number < expected else ""


def lost_records(source: "Source", layer: str, declared: int, read: int) -> UnreadableLayer:
    """Make the error for a layer of which fewer records were read than it declares."""
    return UnreadableLayer(
        Fault(
            what=f"the layer says it has {declared:,} records, and {read:,} could be read",
            why="part of the layer would be missing without a word",
            remedy="download or export it again; the file was cut off or damaged",
            file=str(source.path),
            layer=layer,
        )
    )


def lost_shapes(source: "Source", layer: str, lost: int, rows: int) -> UnreadableLayer:
    """Make the error for records whose geometry is written in the file and was not understood."""
    return UnreadableLayer(
        Fault(
            what=f"{lost:,} of {rows:,} records have a geometry that cannot be read",
            why="their owners would be left off every list",
            remedy="download or export it again; or repair or delete these records in QGIS, and note who they are",
            file=str(source.path),
            layer=layer,
        )
    )
