"""In which encoding a text is: UTF-8, or Windows-1252 where it cannot be that; never half of the one and half of the other."""

import codecs
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import UnreadableLayer
from geonotice.io.tables import decoded
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from pyarrow import Table

__all__ = ["repaired_table", "utf8_copy"]

RECODED = "Its text is not in UTF-8, as it should be; it was read as Windows-1252. Look at names with accents."
_BLOCK = 4 << 20
_UTF_16 = {b"\xff\xfe", b"\xfe\xff"}


def utf8_copy(shown: Path, path: Path, room: Path) -> tuple[Path, tuple[Note, ...]]:
    """Return a file as it is where its text is UTF-8, else a copy of it in UTF-8 in ``room``, with a note.

    Raises
    ------
    UnreadableLayer
        As :func:`geonotice.io.tables.decoded`.
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
