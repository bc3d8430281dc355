"""In which encoding a text is: UTF-8, or Windows-1252 where it cannot be that; never half of the one and half of the other."""

import codecs
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from pyarrow import Table

__all__ = ["decoded", "repaired_table", "utf8_copy"]

RECODED = "Its text is not in UTF-8, as it should be; it was read as Windows-1252. Look at names with accents."
_BLOCK = 4 << 20
_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def decoded(data: bytes, given: str) -> tuple[str, bool]:
    """Decode a text: UTF-8 with or without its mark, UTF-16, else Windows-1252, which Excel in the West writes.

    Returns
    -------
    text, guessed
        The text; whether it was taken for Windows-1252.

    Raises
    ------
    UnreadableLayer
        It is in none of them, or in UTF-8 but for a few places, which are damaged.
    """
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "")
    if not encoding and b"\x00" in data[:400]:
        # text of Latin letters in UTF-16 has a zero in every other byte
        even, odd = data[:400:2].count(0), data[1:400:2].count(0)
        encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        if encoding:
            return data.decode(encoding), False
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError as error:
        if encoding:
            raise _damaged(given, "UTF-16", error.start) from error
        whole, broken = _letters(data)
        if whole > broken:
            raise _damaged(given, "UTF-8", error.start, data[: error.start].count(b"\n") + 1) from error
    try:
        return data.decode("cp1252"), True
    except UnicodeDecodeError as error:
        raise _damaged(given, "UTF-8 or Windows-1252", error.start, data[: error.start].count(b"\n") + 1) from error


def utf8_copy(shown: Path, path: Path, room: Path) -> tuple[Path, tuple[Note, ...]]:
    """Return a file as it is where its text is UTF-8, else a copy of it in UTF-8 in ``room``, with a note.

    Raises
    ------
    UnreadableLayer
        As :func:`decoded`.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as stream:
            if stream.read(2) in {mark for mark, _ in _BOMS}:
                return path, ()
            stream.seek(0)
            while block := stream.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        text, guessed = decoded(path.read_bytes(), str(shown))
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
            known = {value: decoded(value, f"{given}, column {column.name}")[0] for value in set(raw) if value is not None}
            made = pa.array([None if value is None else known[value] for value in raw], column.type)
            table = table.set_column(at, pa.field(column.name, column.type), pa.chunked_array([made]))
            recoded.append(column.name)
    if not recoded:
        return table, ()
    text = (
        f"Text in {', '.join(recoded)} is not in UTF-8, as it should be; it was read as Windows-1252. Look at names with accents."
    )
    return table, (Note("encoding_guessed", text),)


def _letters(data: bytes) -> tuple[int, int]:
    """Count the letters beyond ASCII that are whole in UTF-8, and the places that are none."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return sum(1 for letter in text if letter > "\x7f") - broken, broken


def _damaged(given: str, encoding: str, place: int, line: int | None = None) -> UnreadableLayer:
    where = f"line {line:,}" if line is not None else f"byte {place:,}"
    return UnreadableLayer(
        Fault(
            what=f"its text is damaged at {where}: it is not in {encoding}",
            why="names there would be wrong",
            remedy="download or export it again, in UTF-8",
            file=given,
        )
    )
