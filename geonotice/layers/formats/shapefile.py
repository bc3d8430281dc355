"""Look at a shapefile's parts before GDAL does: are they whole, do they count the same records. Its .dbf is looked at by :mod:`geonotice.layers.formats.dbf`.

Format: ESRI Shapefile Technical Description (1998).
"""

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.formats import dbf as tables
from geonotice.layers.formats.dbf import AGAIN, beside, cut_short
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["ShapefileLook", "examine", "examine_dbf", "workspace"]

_HEADER = 100
_FILE_CODE = 9994


@dataclass(frozen=True, slots=True)
class ShapefileLook:
    """What a shapefile or .dbf turned out to be: the file to open, the encoding to tell GDAL, notes.

    ``kept`` counts the records that are not deleted (None where there is no .dbf), ``memos`` names columns whose text is in another file.
    """

    path: Path
    encoding: str | None
    notes: tuple[Note, ...]
    kept: int | None = None
    memos: tuple[str, ...] = ()


@contextmanager
def workspace() -> "Iterator[Path]":
    """Return a temporary folder, away from the user's, that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="geonotice-") as room:
        yield Path(room)


def examine(shown: Path, shp: Path, room: Path) -> ShapefileLook:
    """Look at a shapefile.

    Parameters
    ----------
    shown
        The file as the user named it, for messages.
    shp
        Where its .shp is laid out.
    room
        The temporary folder that it is laid out in, where its index may be made anew.

    Raises
    ------
    UnreadableLayer
        A part is damaged, cut off, or counts other records than the others do.
    """
    file = str(shown)
    notes: list[Note] = []
    head, size = shp.read_bytes()[:_HEADER] if shp.stat().st_size < _HEADER else _read(shp, _HEADER), shp.stat().st_size
    if len(head) < _HEADER or int.from_bytes(head[:4], "big") != _FILE_CODE:
        raise UnreadableLayer(Fault(what="the file is named like a shapefile, but is none", remedy=AGAIN, file=file))
    length = int.from_bytes(head[24:28], "big") * 2
    if size < length:
        raise cut_short(file, "shp", length, size)
    records = None
    shx = beside(shp, ".shx")
    if shx is not None:
        records = _check_index(file, shx, size)
    dbf = beside(shp, ".dbf")
    table = None
    if dbf is None:
        notes.append(
            Note("no_dbf", "There is no .dbf file beside the shapefile: it has shapes only, no owners and no tax map numbers.")
        )
    else:
        table = tables.examine(file, dbf)
        if records is not None and table.count != records:
            raise UnreadableLayer(
                Fault(
                    what=f"its parts do not belong together: {records:,} shapes (.shx), but {table.count:,} records (.dbf)",
                    why="owners would be put on parcels of others",
                    remedy=AGAIN,
                    file=file,
                )
            )
        notes += table.notes
    if shx is None:
        shp = _with_index(shp, room)
        notes.append(
            Note(
                "shx_restored",
                "The index (.shx) is missing beside the shapefile; it was made anew for this reading, away from your folder.",
            )
        )
    return _look(shp, table, notes)


def examine_dbf(shown: Path, dbf: Path) -> ShapefileLook:
    """Look at a .dbf table; ``UnreadableLayer`` where it was cut off.

    It stands alone in its folder: GDAL would open the shapefile beside it instead.
    """
    table = tables.examine(str(shown), dbf)
    return _look(dbf, table, table.notes)


def _look(path: Path, table: tables.DbfLook | None, notes: "Iterable[Note]") -> ShapefileLook:
    if table is None:
        return ShapefileLook(path, None, tuple(notes))
    return ShapefileLook(path, table.encoding, tuple(notes), table.kept, table.memos)


def _read(path: Path, size: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(size)


def _check_index(file: str, shx: Path, shp_size: int) -> int:
    data = shx.read_bytes()
    length = int.from_bytes(data[24:28], "big") * 2 if len(data) >= _HEADER else _HEADER
    if len(data) < max(length, _HEADER):
        raise cut_short(file, "shx", length, len(data))
    if length < _HEADER or (length - _HEADER) % 8:
        raise UnreadableLayer(Fault(what="its index (.shx) is damaged", remedy=AGAIN, file=file))
    entries = np.frombuffer(data[_HEADER:length], dtype=">i4").reshape(-1, 2).astype(np.int64)
    ends = entries[:, 0] * 2 + entries[:, 1] * 2 + 8
    if len(ends) and int(ends.max()) > shp_size:
        raise cut_short(file, "shp", int(ends.max()), shp_size)
    return len(entries)


def _with_index(shp: Path, room: Path) -> Path:
    """Make the index in ``room``, where the shapefile is laid out: record headers say how long each record is."""
    data = shp.read_bytes()
    end = int.from_bytes(data[24:28], "big") * 2
    entries = bytearray()
    at = _HEADER
    while at + 8 <= end:
        words = int.from_bytes(data[at + 4 : at + 8], "big")
        entries += (at // 2).to_bytes(4, "big") + words.to_bytes(4, "big")
        at += 8 + words * 2
    length = (_HEADER + len(entries)) // 2
    (room / f"{shp.stem}.shx").write_bytes(data[:24] + length.to_bytes(4, "big") + data[28:_HEADER] + bytes(entries))
    return room / f"{shp.stem}.shp"
