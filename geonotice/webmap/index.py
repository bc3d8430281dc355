"""A line for every parcel of a town, small enough to travel with a map.

The lines stand column by column (numbers, addresses, owners, places), which are alike among themselves and so compress well; the
browser takes them apart when somebody first searches (zlib's format, which browsers call ``deflate``).
"""

import base64
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.webmap.event_values import SearchRow
    from geonotice.webmap.geojson import Projector

__all__ = ["COLUMN", "LINE", "encode_index"]

COLUMN = "\x1d"
LINE = "\x1e"
_OWNER = "\x1f"
STEPS_PER_DEGREE = 100_000
"""Of the places: a step is about 3.6 ft, enough to point at a parcel."""


def encode_index(rows: "Sequence[SearchRow]", projector: "Projector", *, public: bool, drawn: "dict[int, int]") -> str:
    """Give the rows as base64 text.

    Parameters
    ----------
    rows
        The parcels, in any order.
    projector
        From the town's CRS.
    public
        Leave the owners out.
    drawn
        Number on the map of the parcels that have a shape there, by ``fid``: such a row leads to its shape.

    Returns
    -------
        Columns parted by :data:`COLUMN`: numbers, addresses, owners, latitudes, longitudes (whole steps, each from the one before),
        numbers on the map (empty where there is none); lines in a column are parted by :data:`LINE`.
    """
    ordered = sorted(rows, key=lambda row: (row.id, row.fid))
    if not ordered:
        return ""
    places = projector.places(np.array([(row.x, row.y) for row in ordered], dtype=float))
    steps = np.rint(places * STEPS_PER_DEGREE).astype(np.int64)
    change = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    columns = (
        (_word(row.id) for row in ordered),
        (_word(row.situs) for row in ordered),
        ("" if public else _OWNER.join(_word(name) for name in row.owners) for row in ordered),
        (str(value) for value in change[:, 1].tolist()),
        (str(value) for value in change[:, 0].tolist()),
        (str(drawn[row.fid]) if row.fid in drawn else "" for row in ordered),
    )
    text = COLUMN.join(LINE.join(column) for column in columns)
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 6)).decode("ascii")


_PARTING = {ord(sign): " " for sign in (COLUMN, LINE, _OWNER)}


def _word(text: str) -> str:
    """Keep the signs that part lines and columns out of the words."""
    return text if text.isprintable() else text.translate(_PARTING)
