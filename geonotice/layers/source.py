"""A layer as its source has it, before anything is made of it, with what a reader should know of it and what to do."""

import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import LayerError
from geonotice.layers.shapes import Shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray
    from pyarrow import Table

    from geonotice.errors import Fault


__all__ = [
    "KINDS",
    "Note",
    "RawLayer",
    "for_drawing",
    "for_town_file",
    "geometry_kinds",
    "reworded",
    "table_of",
    "told_in_town_file",
]


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a source that its reader should know, though it can be used.

    ``code`` is stable and for programs; ``text`` is a sentence for the clerk.
    """

    code: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class RawLayer:
    """One layer as its source has it.

    Parameters
    ----------
    path
        The source, as given.
    layer
        The layer's name in it.
    driver
        The format, by GDAL's name of it (``Parquet`` for GeoParquet).
    crs
        The source's CRS, as a string pyproj takes; None only where there is no geometry.
    geometry
        Geometries in ``crs``, two-dimensional, as many as the table has rows: shapely's as an object array, None where a row has none, or
        :class:`geonotice.layers.shapes.Shapes`, which numpy and shapely take for one. The whole is None for a table.
    table
        The attributes, without geometry and feature id, in the order of the source.
    fid
        The feature id of each row, int64: what GDAL calls it by; the row's number where the format has none.
    notes
        What the reader should know.
    """

    path: Path
    layer: str
    driver: str
    crs: str | None
    geometry: "NDArray[np.object_] | Shapes | None"
    table: "Table"
    fid: "NDArray[np.int64]"
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.fid)

    @property
    def columns(self) -> tuple[str, ...]:
        """The attributes' names, in the order of the source."""
        return tuple(self.table.column_names)


KINDS = {0: "point", 1: "line", 2: "line", 3: "polygon", 4: "point", 5: "line", 6: "polygon", 7: "collection"}
"""Shapely's type numbers, in words."""


def geometry_kinds(geometry: "NDArray[np.object_] | Shapes") -> dict[str, int]:
    """Count the rows of each kind (``polygon``, ``line``, ``point``, ``collection``); rows without geometry are not counted."""
    types, counts = np.unique(
        geometry.kind if isinstance(geometry, Shapes) else shapely.get_type_id(geometry), return_counts=True
    )
    kinds: dict[str, int] = {}
    for number, count in zip(types.tolist(), counts.tolist(), strict=True):
        if number >= 0:
            kinds[KINDS[number]] = kinds.get(KINDS[number], 0) + count
    return dict(sorted(kinds.items(), key=lambda item: -item[1]))


_EXAMPLE = r"(?:,? (?:\(for example|for example) --crs (EPSG:\d+)\)?)?"
_GIVE = re.compile(rf"give (it|that|the layer's own) with --crs{_EXAMPLE}")
_CODE = re.compile(r"give --crs (EPSG:\d+)")
_FIELD = re.compile(r"--field (\w+)=([^\s,;]+)")


def for_town_file(text: str, table: str) -> str:
    """Put a sentence that names options into the keys of a table of the town file.

    Examples
    --------
    >>> for_town_file("ask whoever made it, and give it with --crs (for example --crs EPSG:2263), or add the .prj file", "[layers.zoning]")
    'ask whoever made it, and write it into the town file below [layers.zoning]: crs = "EPSG:2263", or add the .prj file'
    >>> for_town_file("give --crs EPSG:4326 if they are longitude and latitude", "[[layers.parcels]]")
    'write crs = "EPSG:4326" into the town file below [[layers.parcels]] if they are longitude and latitude'
    >>> for_town_file("Name it with --field situs=COLUMN", "[[layers.parcels]]")
    'Name it with situs = "COLUMN" below [layers.parcels.fields] of the town file'
    """
    fields = f"{table.strip('[]')}.fields"
    text = _GIVE.sub(lambda found: f'write it into the town file below {table}: crs = "{found[2] or "EPSG:…"}"', text)
    text = _CODE.sub(rf'write crs = "\1" into the town file below {table}', text)
    text = text.replace("--crs says", f"crs below {table} of the town file says")
    return _FIELD.sub(rf'\1 = "\2" below [{fields}] of the town file', text)


def for_drawing(text: str) -> str:
    """Put a sentence that names options into what can be done with a drawing, which no option describes.

    Examples
    --------
    >>> for_drawing("ask whoever made it, and give it with --crs (for example --crs EPSG:2263), or put the .prj file beside a shapefile")
    'ask whoever made it, and save the file again with it, or put the .prj file beside a shapefile'
    """
    return _CODE.sub(r"save the file again in \1", _GIVE.sub("save the file again with it", text))


def reworded(fault: "Fault", words: "Callable[[str], str]") -> "Fault":
    """Return a fault with its sentences put into other words."""
    return replace(fault, what=words(fault.what), why=words(fault.why), remedy=words(fault.remedy))


@contextmanager
def told_in_town_file(kind: str) -> "Iterator[None]":
    """Put what stops a layer from being read into the keys of the town file; ``kind`` is the layer's."""
    table = table_of(kind)
    try:
        yield
    except LayerError as error:
        raise type(error)([reworded(fault, lambda text: for_town_file(text, table)) for fault in error.faults]) from error


def table_of(kind: str) -> str:
    """Return the table of the town file that describes a layer."""
    match kind:
        case "parcels":
            return "[[layers.parcels]]"
        case "roll":
            return "[[roll]]"
        case "town":
            return "[town]"
    return f"[layers.{kind}]"
