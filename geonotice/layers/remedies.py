"""Remedies in the words of the command that runs: an option of ``init`` and ``inspect`` is a key of the town file when ``import`` reads.

The readers of layers serve several commands. What they ask for they name as the options ``--crs`` and ``--field``; where the command has no
such option, the faults and notes are put into the words of the file that can answer.
"""

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from geonotice.errors import LayerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from geonotice.errors import Fault

__all__ = ["for_drawing", "for_town_file", "reworded", "table_of", "told_in_town_file"]

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
