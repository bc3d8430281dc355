"""Records that lie nowhere: programs write 0, -9999 or the largest number there is where they know no place."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.shapes import Shapes
from geonotice.layers.source import Note, RawLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["EARTH", "without_nowhere"]

EARTH = 2e8
"""More than any coordinate on Earth, in feet, in any projection in use."""

_DEGREES = 360.0
_MARKS = (-1.0, *(sign * (10.0**digits - 1) for digits in range(3, 9) for sign in (1, -1)))
"""What programs write into both coordinates, besides 0, where they know no place: -1, 999, -9999 and so on."""

_NAMED = 20
_SHARE = 0.5
"""Where as many records as these lie nowhere, the layer itself is wrong, or its CRS."""


def without_nowhere(raw: RawLayer, *, degrees: bool) -> RawLayer:
    """Return a layer in which the records that lie nowhere have no place, with a note that names them; the rest is as it was.

    Zeros and nines count only where no other record lies around them.

    Parameters
    ----------
    degrees
        Whether the layer's coordinates are longitude and latitude.

    Raises
    ------
    UnreadableLayer
        Half of the records or more have a corner that is no number, or that lies nowhere on Earth.
    """
    if raw.geometry is None or not len(raw.geometry):
        return raw
    if isinstance(raw.geometry, Shapes) and _all_placed(raw.geometry, _DEGREES if degrees else EARTH):
        return raw
    corners, of = shapely.get_coordinates(raw.geometry, return_index=True)
    if not len(corners):
        return raw
    wrong = ~np.isfinite(corners).all(axis=1) | (np.abs(corners) > EARTH).any(axis=1)
    if degrees and wrong.mean() < _SHARE:
        # whole layers of feet that are called degrees are not for this place: the CRS is asked about
        far = (np.abs(corners) > _DEGREES).any(axis=1)
        wrong = wrong | far if len(np.unique(of[far])) < _SHARE * len(np.unique(of)) else wrong
    rows = np.unique(of[wrong])
    placed = len(np.unique(of))
    if len(rows) >= max(_SHARE * placed, 1) and not (np.abs(corners) > EARTH).all():
        raise _too_many(raw, rows, placed)
    if len(rows) >= _SHARE * placed:
        return raw  # not one is on Earth: the message about the CRS says more
    rows = np.union1d(rows, _marked(corners, of, rows))
    if not len(rows):
        return raw
    geometry = np.array(raw.geometry, dtype=object)
    geometry[rows] = None
    text = (
        f"Records with a coordinate that is no place (such as 0, -9999 or no number): {len(rows):,} of {len(raw):,}, {_named(raw, rows)}."
        " They are on no map and on no list. Find out where they lie, and who is to be notified for them."
    )
    return replace(raw, geometry=geometry, notes=(*raw.notes, Note("nowhere", text)))


def _all_placed(shapes: Shapes, most: float) -> bool:
    """Return whether no corner is beyond a most, no number, or one of the marks for "no place": so are most layers."""
    if shapes.doubtful is None or shapes.doubtful.any():
        return False
    boxes = shapes.bounds[np.isfinite(shapes.bounds).all(axis=1)]
    return bool((np.abs(boxes) <= most).all())


def _marked(corners: "NDArray[np.float64]", of: "NDArray[np.int64]", wrong: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return the records with a corner at 0,0 or at another mark for "no place", unless the layer lies around it."""
    x, y = corners.T
    marks = ((x == 0) & (y == 0)) | ((np.abs(x) == np.abs(y)) & np.isin(x, _MARKS) & np.isin(y, _MARKS))
    rows = np.unique(of[marks])
    others = corners[~np.isin(of, np.union1d(rows, wrong))]
    if not len(rows) or not len(others) or len(rows) >= _SHARE * len(np.unique(of)):
        return np.zeros(0, dtype=np.int64)
    low, high = others.min(axis=0), others.max(axis=0)
    around = ((corners >= low) & (corners <= high)).all(axis=1)
    return np.unique(of[marks & ~around])


def _named(raw: RawLayer, rows: "NDArray[np.int64]") -> str:
    label = raw.table.column(0) if raw.table.num_columns else None
    named = [
        f"record {raw.fid[row]}" + (f" ({str(label[row].as_py())[:40]})" if label is not None else "")
        for row in rows[:_NAMED].tolist()
    ]
    more = f", and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    return ", ".join(named) + more


def _too_many(raw: RawLayer, rows: "NDArray[np.int64]", placed: int) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(
            what=f"{len(rows):,} of {placed:,} records lie nowhere on Earth, or have a corner that is no number ({_named(raw, rows[:5])})",
            why="the layer is damaged; so many owners cannot be left off every list",
            remedy="download or export it again; or correct these records in QGIS",
            file=str(raw.path),
            layer=raw.layer,
        )
    )
