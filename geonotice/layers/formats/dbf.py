"""Look at a .dbf before GDAL does: is it whole, which of its records are deleted, in which encoding is its text, what of it does not read.

Format: dBASE level 5 table headers.
"""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.source import Note

__all__ = ["AGAIN", "DbfLook", "beside", "cut_short", "examine", "from_bytes", "text_of"]

AGAIN = "download or export it again, with all its parts (.shp, .shx, .dbf, .prj)"

_HEADER, _FIELD, _END_OF_FIELDS = 32, 32, 0x0D
_SAMPLE = 32_000_000
_UNDECLARED = {0x00, 0x03, 0x57}  # language bytes that programs write whatever the text is in
_DELETED, _STAR = ord("*"), ord("*")
_NAMED = 5
_NOT_WINDOWS = (0x81, 0x8D, 0x8F, 0x90, 0x9D)


@dataclass(frozen=True, slots=True)
class DbfLook:
    """What a .dbf turned out to be.

    Parameters
    ----------
    count
        How many records it has, the deleted ones among them.
    kept
        How many are not marked as deleted: what GDAL reads.
    encoding
        The encoding to tell GDAL; None where it finds it by itself.
    memos
        Its columns whose text is in another file (.dbt, .fpt), which is not read.
    notes
        What the reader should know.
    """

    count: int
    kept: int
    encoding: str | None
    memos: tuple[str, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    kind: str
    start: int
    width: int


def examine(file: str, dbf: Path) -> DbfLook:
    """Look at a .dbf; ``UnreadableLayer`` where it was cut off. ``file`` is what messages call it."""
    with dbf.open("rb") as stream:
        head = stream.read(_HEADER)
    size = dbf.stat().st_size
    if len(head) < _HEADER:
        raise cut_short(file, "dbf", _HEADER, size)
    count = int.from_bytes(head[4:8], "little")
    start, each = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    if size < start + count * each:
        raise cut_short(file, "dbf", start + count * each, size)
    encoding, notes = _text_encoding(dbf, head[29])
    if not count or not each:
        return DbfLook(count, count, encoding, (), tuple(notes))
    records = np.memmap(dbf, dtype=np.uint8, mode="r", offset=start, shape=(count, each))
    kept = records[:, 0] != _DELETED
    gone = count - int(kept.sum())
    if gone:
        notes.append(
            Note(
                "deleted_records",
                f"Records left out because the .dbf file marks them as deleted, as other programs do: {gone:,} of {count:,}"
                f" (record {_numbers(np.flatnonzero(~kept) + 1)}).",
            )
        )
    fields = _fields(dbf, start)
    for field in fields:
        if field.kind in "NF" and field.start + field.width <= each:
            notes += _overflow(field, records[:, field.start : field.start + field.width], kept)
    memos = tuple(field.name for field in fields if field.kind == "M")
    if memos:
        notes.append(
            Note(
                "memo",
                f"The text of {', '.join(memos)} is in a memo file (.dbt or .fpt), which is not read; the column was left out."
                " If it holds owners or addresses, export the layer again as GeoPackage or CSV.",
            )
        )
    return DbfLook(count, int(kept.sum()), encoding, memos, tuple(notes))


def _fields(dbf: Path, start: int) -> list[_Field]:
    with dbf.open("rb") as stream:
        data = stream.read(start)
    fields: list[_Field] = []
    at, place = _HEADER, 1
    while at + _FIELD <= len(data) and data[at] != _END_OF_FIELDS:
        name = data[at : at + 11].split(b"\x00")[0].decode("utf-8", "replace")
        kind, width = chr(data[at + 11]).upper(), data[at + 16]
        if kind == "C":
            width += data[at + 17] << 8  # texts wider than 255 bytes keep the rest where numbers have their decimals
        fields.append(_Field(name, kind, place, width))
        place += width
        at += _FIELD
    return fields


def _overflow(field: _Field, cells: "np.ndarray[tuple[int, int], np.dtype[np.uint8]]", kept: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[Note]:  # fmt: skip
    """Note numbers that were wider than their column: programs write stars in their place, and they are lost."""
    rows = np.flatnonzero((cells[:, -1] == _STAR) & kept) + 1
    if not len(rows):
        return []
    text = (
        f"Numbers that did not fit into the column {field.name} stand in the file as stars, and are blank here: {len(rows):,}"
        f" (record {_numbers(rows)}). Ask for the layer in another format, with {field.name} whole."
    )
    return [Note("number_overflow", text)]


def _numbers(rows: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> str:
    more = f", and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    return ", ".join(f"{row:,}" for row in rows[:_NAMED].tolist()) + more


def beside(path: Path, ending: str) -> Path | None:
    """Return the part beside a file, whatever the case of its ending."""
    return next((part for part in (path.with_suffix(ending), path.with_suffix(ending.upper())) if part.exists()), None)


def cut_short(file: str, part: str, length: int, size: int) -> UnreadableLayer:
    """Make the error for a part that has fewer bytes than its header states."""
    return UnreadableLayer(
        Fault(
            what=f"the file was cut off: its .{part} should have {length:,} bytes and has {size:,}",
            why="part of the layer would be missing without a word",
            remedy=AGAIN,
            file=file,
        )
    )


# --- in which encoding the text is -----------------------------------------------------------------------------------------------


def _text_encoding(dbf: Path, language: int) -> tuple[str | None, list[Note]]:
    """Find the encoding of the text where GDAL would not, or where the file states a wrong one: text that reads as UTF-8 is UTF-8.

    Returns
    -------
    tuple
        the encoding to tell GDAL (None: it finds it by itself), and notes.
    """
    guess, high = from_bytes(text_of(dbf))
    cpg = beside(dbf, ".cpg")
    said = cpg.read_bytes()[:64].decode("ascii", "replace").strip("\x00 \r\n\t\ufeff") if cpg is not None else ""
    codec = _codec(said) if said else None
    if high and guess == "UTF-8" and codec != "UTF-8" and (codec or (cpg is None and language not in _UNDECLARED)):
        where = f"The .cpg file says {said!r}" if codec else "The .dbf file says another encoding"
        return guess, [Note("encoding_wrong", f"{where}, but the text is in UTF-8, and was read so. Look at names with accents.")]
    if codec:
        return codec, []
    if said:
        text = f"The .cpg file says {said!r}, which is no encoding that is known; by its letters the text is {guess}. Look at names with accents."
        return guess, [Note("encoding_unknown", text)]
    if cpg is None and language not in _UNDECLARED:
        return None, []
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


def text_of(dbf: Path) -> bytes:
    """Return what stands in the columns of text of a table, of so many of its records as fit into a sample: other columns may hold bytes of any kind."""
    with dbf.open("rb") as stream:
        head = stream.read(_HEADER)
    count = int.from_bytes(head[4:8], "little")
    start, each = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    count = min(count, (dbf.stat().st_size - start) // max(each, 1), _SAMPLE // max(each, 1))
    if count <= 0 or not each:
        return b""
    records = np.memmap(dbf, dtype=np.uint8, mode="r", offset=start, shape=(count, each))
    columns = [field for field in _fields(dbf, start) if field.kind == "C"]
    return b"".join(records[:, field.start : field.start + field.width].tobytes() for field in columns)


def from_bytes(data: bytes) -> tuple[str, bool]:
    """Tell UTF-8 from Windows-1252 by the bytes of a text; and whether there are any letters beyond ASCII at all."""
    if data.isascii():
        return "CP1252", False
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(1 for letter in text if letter > "\x7f") - broken
    # a field cut in the middle of a letter breaks one now and then; text in another encoding breaks nearly everywhere
    if whole > 9 * broken:
        return "UTF-8", True
    # bytes that are no letter in Windows-1252: the text is from DOS
    return ("CP850" if any(byte in data for byte in _NOT_WINDOWS) else "CP1252"), True
