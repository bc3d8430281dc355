"""Look at a shapefile's parts before GDAL does: are they whole, do they count the same records, in which encoding is their text.

Formats: ESRI Shapefile Technical Description (1998); dBASE level 5 table headers.
"""

import codecs
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ShapefileLook", "examine", "examine_dbf", "workspace"]

_HEADER = 100
_FILE_CODE = 9994
_DBF_HEADER = 32
_SAMPLE = 32_000_000
_UNDECLARED = {0x00, 0x03, 0x57}  # language bytes that programs write whatever the text is in
_AGAIN = "download or export it again, with all its parts (.shp, .shx, .dbf, .prj)"


@dataclass(frozen=True, slots=True)
class ShapefileLook:
    """What a shapefile or .dbf turned out to be: the file to open, the encoding to tell GDAL, and notes."""

    path: Path
    encoding: str | None
    notes: tuple[Note, ...]


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
        raise UnreadableLayer(Fault(what="the file is named like a shapefile, but is none", remedy=_AGAIN, file=file))
    length = int.from_bytes(head[24:28], "big") * 2
    if size < length:
        raise _short(file, "shp", length, size)
    records = None
    shx = _beside(shp, ".shx")
    if shx is not None:
        records = _check_index(file, shx, size)
    dbf = _beside(shp, ".dbf")
    encoding = None
    if dbf is None:
        notes.append(
            Note("no_dbf", "There is no .dbf file beside the shapefile: it has shapes only, no owners and no tax map numbers.")
        )
    else:
        count = _check_dbf(file, dbf)
        if records is not None and count != records:
            raise UnreadableLayer(
                Fault(
                    what=f"its parts do not belong together: {records:,} shapes (.shx), but {count:,} records (.dbf)",
                    why="owners would be put on parcels of others",
                    remedy=_AGAIN,
                    file=file,
                )
            )
        encoding, said = text_encoding(dbf)
        notes += said
    if shx is None:
        shp = _with_index(shp, room)
        notes.append(
            Note(
                "shx_restored",
                "The index (.shx) is missing beside the shapefile; it was made anew for this reading, away from your folder.",
            )
        )
    return ShapefileLook(path=shp, encoding=encoding, notes=tuple(notes))


def examine_dbf(shown: Path, dbf: Path) -> ShapefileLook:
    """Look at a .dbf table; ``UnreadableLayer`` where it was cut off.

    It stands alone in its folder: GDAL would open the shapefile beside it instead.
    """
    _check_dbf(str(shown), dbf)
    encoding, notes = text_encoding(dbf)
    return ShapefileLook(path=dbf, encoding=encoding, notes=tuple(notes))


def _read(path: Path, size: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(size)


def _beside(shp: Path, ending: str) -> Path | None:
    return next((part for part in (shp.with_suffix(ending), shp.with_suffix(ending.upper())) if part.exists()), None)


def _short(file: str, part: str, length: int, size: int) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(
            what=f"the file was cut off: its .{part} should have {length:,} bytes and has {size:,}",
            why="part of the layer would be missing without a word",
            remedy=_AGAIN,
            file=file,
        )
    )


def _check_index(file: str, shx: Path, shp_size: int) -> int:
    data = shx.read_bytes()
    length = int.from_bytes(data[24:28], "big") * 2 if len(data) >= _HEADER else _HEADER
    if len(data) < max(length, _HEADER):
        raise _short(file, "shx", length, len(data))
    if length < _HEADER or (length - _HEADER) % 8:
        raise UnreadableLayer(Fault(what="its index (.shx) is damaged", remedy=_AGAIN, file=file))
    entries = np.frombuffer(data[_HEADER:length], dtype=">i4").reshape(-1, 2).astype(np.int64)
    ends = entries[:, 0] * 2 + entries[:, 1] * 2 + 8
    if len(ends) and int(ends.max()) > shp_size:
        raise _short(file, "shp", int(ends.max()), shp_size)
    return len(entries)


def _check_dbf(file: str, dbf: Path) -> int:
    head, size = _read(dbf, _DBF_HEADER), dbf.stat().st_size
    if len(head) < _DBF_HEADER:
        raise _short(file, "dbf", _DBF_HEADER, size)
    count = int.from_bytes(head[4:8], "little")
    start, each = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    if size < start + count * each:
        raise _short(file, "dbf", start + count * each, size)
    return count


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


# --- in which encoding the text is -----------------------------------------------------------------------------------------------


def text_encoding(dbf: Path) -> tuple[str | None, list[Note]]:
    """Find the encoding of a .dbf's text where GDAL would not: from the .cpg, else from the bytes.

    Returns
    -------
    tuple
        the encoding to tell GDAL (None: it finds it by itself), and notes.
    """
    cpg = _beside(dbf, ".cpg")
    if cpg is not None:
        said = cpg.read_bytes()[:64].decode("ascii", "replace").strip("\x00 \r\n\t\ufeff")
        codec = _codec(said)
        text = f"The .cpg file says {said!r}, which is no encoding that is known. Look at names with accents."
        return codec, [] if codec else [Note("encoding_unknown", text)]
    if _read(dbf, _DBF_HEADER)[29] not in _UNDECLARED:
        return None, []
    guess, high = _from_bytes(dbf)
    if not high:
        return guess, []
    text = (
        f"There is no .cpg file to say in which encoding the text is; by its letters it is {guess}. Look at names with accents."
    )
    return guess, [Note("encoding_guessed", text)]


def _codec(said: str) -> str | None:
    """Return an encoding's name as iconv knows it."""
    name = re.sub(r"^(?:ansi|oem|windows|win|cp)[ _-]*(?=\d)", "", said.strip(), flags=re.IGNORECASE)
    if name.isdigit():
        name = {"65001": "utf-8", "28591": "latin-1", "20866": "koi8-r", "88591": "latin-1"}.get(name, f"cp{name}")
    name = re.sub(r"^iso[ _-]*8859[ _-]*(\d+)$", r"iso8859-\1", name, flags=re.IGNORECASE)
    codec = next(
        (
            found
            for spelling in (name, name.replace("-", ""), re.sub(r"^koi8[ _-]?", "koi8-", name))
            if (found := _lookup(spelling))
        ),
        "",
    )
    if not codec or codec.startswith("utf-16"):
        return None
    return re.sub(r"^iso8859-", "ISO-8859-", codec).upper().replace("EUC_", "EUC-")


def _lookup(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def _from_bytes(dbf: Path) -> tuple[str, bool]:
    """Tell UTF-8 from Windows-1252 by the bytes of the records; and whether there are any letters beyond ASCII at all."""
    start = int.from_bytes(_read(dbf, 12)[8:10], "little")
    with dbf.open("rb") as stream:
        stream.seek(start)
        data = stream.read(_SAMPLE)
    if data.isascii():
        return "CP1252", False
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(1 for letter in text if letter > "\x7f") - broken
    # a field cut in the middle of a letter breaks one now and then; text in another encoding breaks nearly everywhere
    return ("UTF-8" if whole > 9 * broken else "CP1252"), True
