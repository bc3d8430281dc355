"""A layer as its source has it, before anything is made of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.layers.note import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Table

__all__ = ["KINDS", "RawLayer", "geometry_kinds"]


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
        Shapely geometries in ``crs``, two-dimensional, as an object array of the table's length; None where a row has no geometry.
        The whole is None for a table.
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
    geometry: "NDArray[np.object_] | None"
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


def geometry_kinds(geometry: "NDArray[np.object_]") -> dict[str, int]:
    """Count the rows of each kind (``polygon``, ``line``, ``point``, ``collection``); rows without geometry are not counted."""
    types, counts = np.unique(shapely.get_type_id(geometry), return_counts=True)
    kinds: dict[str, int] = {}
    for number, count in zip(types.tolist(), counts.tolist(), strict=True):
        if number >= 0:
            kinds[KINDS[number]] = kinds.get(KINDS[number], 0) + count
    return dict(sorted(kinds.items(), key=lambda item: -item[1]))
