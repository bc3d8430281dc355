"""In which encoding a text is: UTF-8, or Windows-1252 where it cannot be that; never half of the one and half of the other."""

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import UnreadableLayer
from geonotice.io.csv_tables import decoded
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from pyarrow import Table

__all__ = ["repaired_table", "utf8_copy", "xml_copy"]

RECODED = "Its text is not in UTF-8, as it should be; it was read as Windows-1252. Look at names with accents."
_BLOCK = 4 << 20
_UTF_16 = {b"\xff\xfe", b"\xfe\xff"}
_UTF_8 = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
_LATIN_1 = frozenset({"iso-8859-1", "latin1", "latin-1", "iso8859-1"})
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def utf8_copy(shown: Path, path: Path, room: Path) -> tuple[Path, tuple[Note, ...]]:
    """Return a file as it is where its text is UTF-8, else a copy of it in UTF-8 in ``room``, with a note.

    Raises
    ------
    UnreadableLayer
        As :func:`geonotice.io.csv_tables.decoded`.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as stream:
            if stream.read(2) in _UTF_16:
                return path, ()
            stream.seek(0)
            while block := stream.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        text, guessed = decoded(path.read_bytes(), str(shown), UnreadableLayer)
        target = room / path.name
        target.unlink(missing_ok=True)  # what stands there may be a link to the file itself, which is never written to
        target.write_bytes(text.encode())
        return target, (Note("encoding_guessed", RECODED),) if guessed else ()
    return path, ()


def xml_copy(shown: Path, path: Path, room: Path, declared: str) -> tuple[Path, tuple[Note, ...]]:
    """Return an XML document as it is where it is in the encoding that it declares, and GDAL knows that; else a copy of it in UTF-8.

    Text that reads as UTF-8 is UTF-8, whatever the document declares, and a note says so.

    Raises
    ------
    UnreadableLayer
        As :func:`geonotice.io.csv_tables.decoded`.
    """
    name = declared.lower()
    with path.open("rb") as stream:
        head = stream.read(4)
    if head[:2] in _UTF_16:
        text, _ = decoded(path.read_bytes(), str(shown), UnreadableLayer)
        found = _DECLARATION.match(text)
        wrong = found is not None and "encoding" in found[0] and "utf-16" not in found[0].lower()
        return _written(text, path, room, ()) if wrong else (path, ())
    if not name or name in _UTF_8:
        return utf8_copy(shown, path, room)
    data = path.read_bytes()
    if b"\x00" in head or (name in _LATIN_1 and data.isascii()):
        return path, ()
    return _undeclared(shown, path, room, data, declared)


def _undeclared(shown: Path, path: Path, room: Path, data: bytes, declared: str) -> tuple[Path, tuple[Note, ...]]:
    """Write a document in UTF-8 that declares another encoding, rightly or wrongly."""
    whole = _in_utf8(data)
    if whole is not None:
        said = f"It declares its text to be in {declared}, but it is in UTF-8, and was read so. Look at names with accents."
        return _written(whole, path, room, () if data.isascii() else (Note("encoding_wrong", said),))
    # letters between 0x80 and 0x9F are Windows', not Latin-1's, whatever is declared
    codec = "cp1252" if declared.lower() in _LATIN_1 else declared
    try:
        return _written(data.decode(codec), path, room, ())
    except (LookupError, UnicodeDecodeError):
        said = (
            f"It declares its text to be in {declared}, which it is not; it was read as Windows-1252. Look at names with accents."
        )
        return _written(decoded(data, str(shown), UnreadableLayer)[0], path, room, (Note("encoding_guessed", said),))


def _in_utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _written(text: str, path: Path, room: Path, notes: tuple[Note, ...]) -> tuple[Path, tuple[Note, ...]]:
    """Write an XML document in UTF-8, and let it declare that."""
    target = room / path.name
    target.unlink(missing_ok=True)  # what stands there may be a link to the file itself, which is never written to
    target.write_bytes(_DECLARATION.sub('<?xml version="1.0" encoding="UTF-8"?>', text, count=1).encode())
    return target, notes


def repaired_table(table: "Table", given: str) -> "tuple[Table, tuple[Note, ...]]":
    """Make sure that the text of an arrow table is UTF-8: values that are not are read as Windows-1252, each for itself, with a note.

    Raises
    ------
    UnreadableLayer
        A value is in neither.
    """
    import pyarrow as pa

    recoded: list[str] = []
    for at, column in enumerate(table.schema):
        if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            continue
        try:
            table.column(at).validate(full=True)
        except pa.ArrowInvalid:
            raw = table.column(at).cast(pa.large_binary() if pa.types.is_large_string(column.type) else pa.binary()).to_pylist()
            known = {
                value: decoded(value, f"{given}, column {column.name}", UnreadableLayer)[0]
                for value in set(raw)
                if value is not None
            }
            made = pa.array([None if value is None else known[value] for value in raw], column.type)
            table = table.set_column(at, pa.field(column.name, column.type), pa.chunked_array([made]))
            recoded.append(column.name)
    if not recoded:
        return table, ()
    text = (
        f"Text in {', '.join(recoded)} is not in UTF-8, as it should be; it was read as Windows-1252. Look at names with accents."
    )
    return table, (Note("encoding_guessed", text),)
