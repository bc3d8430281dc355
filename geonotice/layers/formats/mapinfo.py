"""Look at a MapInfo table (TAB, MIF) before GDAL does: GDAL stops at the first record that it does not understand, and says nothing.

Format: MapInfo Interchange Format, appendix J of the MapInfo Professional user guide; a .dat is a dBASE table, an .id holds four bytes a record.
"""

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from geonotice.errors import Fault, UnreadableLayer
from geonotice.io.source_files import files_of
from geonotice.layers.formats.dbf import from_bytes, text_of
from geonotice.layers.source import Note

__all__ = ["MapInfoLook", "examine"]

_HEAD = 1 << 20
_SAMPLE = 32_000_000
_CHARSET = re.compile(rb"(charset\s+\"?)([\w-]+)(\"?)", re.IGNORECASE)
_DBF_HEADER = 32
_DELETED = ord("*")
_QUOTES, _XY = 2, 2
_OBJECTS = frozenset(
    {"point", "line", "pline", "region", "arc", "text", "rect", "roundrect", "ellipse", "multipoint", "collection", "none"}
)
_PARTS_OF_COLLECTION = frozenset({"region", "pline", "multipoint"})
_STYLES = frozenset({"pen", "brush", "symbol", "font", "smooth", "center", "spacing", "justify", "angle", "label", "multiple"})
_AGAIN = "download or export it again, with all its parts"


@dataclass(frozen=True, slots=True)
class MapInfoLook:
    """How many records stand in the files, and how many of them have a shape; None where the files do not tell."""

    records: int | None
    placed: int | None
    notes: tuple[Note, ...] = ()


def examine(shown: Path, path: Path) -> MapInfoLook:
    """Look at a MapInfo table.

    Raises
    ------
    UnreadableLayer
        It stands for other files, a part of it is missing or was cut off, or a number in it is none.
    """
    notes = _settled_charset(path)
    look = _interchange(shown, path) if path.suffix.lower() == ".mif" else _native(shown, path)
    return replace(look, notes=notes)


def _settled_charset(path: Path) -> tuple[Note, ...]:
    """Write the head of a table anew, in the temporary folder that it is laid out in, where it states a wrong character set or has names in another.

    GDAL recodes text from the character set that is stated, and leaves it alone where that is "Neutral"; names of columns must be in UTF-8 then.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    stated = _CHARSET.search(head)
    charset = stated[2].decode("latin-1").lower() if stated else "neutral"
    neutral = charset in {"neutral", "utf-8", "utf8"}
    in_utf_8 = any(
        from_bytes(_text_of(part)) == ("UTF-8", True) for part in files_of(path) if part.suffix.lower() in {".dat", ".mid"}
    )
    try:
        head.decode()
        names_in_utf_8 = True
    except UnicodeDecodeError:
        names_in_utf_8 = False
    if (names_in_utf_8 or not neutral) and charset not in {"utf-8", "utf8"} and not (in_utf_8 and not neutral):
        return ()
    whole = path.read_bytes()
    if not names_in_utf_8:
        whole = whole.decode("cp1252", "replace").encode()
    path.unlink()  # what stands there may be a link to the file itself, which is never written to
    path.write_bytes(_CHARSET.sub(rb"\1Neutral\3", whole) if neutral or in_utf_8 else whole)
    if neutral:
        return ()
    said = (
        f"It states the character set {stated[2].decode('latin-1') if stated else ''}, but the text is in UTF-8, and was read so."
    )
    return (Note("encoding_wrong", f"{said} Look at names with accents."),)


def _text_of(part: Path) -> bytes:
    if part.suffix.lower() == ".dat":
        return text_of(part)
    with part.open("rb") as stream:
        return stream.read(_SAMPLE)


def _native(shown: Path, path: Path) -> MapInfoLook:
    _refuse_linked(shown, path)
    parts = {part.suffix.lower(): part for part in files_of(path)}
    if ".dat" not in parts:
        if ".dbf" in parts:
            return MapInfoLook(None, None)
        raise UnreadableLayer(
            Fault(
                what="there is no .dat file beside the .tab, in which its records are",
                remedy="copy it with all its parts (.tab, .dat, .map, .id)",
                file=str(shown),
            )
        )
    records = _kept_records(shown, parts[".dat"])
    if ".id" not in parts:
        return MapInfoLook(int(records.sum()), None)
    data = parts[".id"].read_bytes()
    if len(data) < 4 * len(records):
        raise UnreadableLayer(
            Fault(
                what=f"the file was cut off: its .id should have {4 * len(records):,} bytes and has {len(data):,}",
                why="part of the layer would be missing without a word",
                remedy=_AGAIN,
                file=str(shown),
            )
        )
    places = np.frombuffer(data[: 4 * len(records)], dtype="<u4")
    return MapInfoLook(int(records.sum()), int(((places != 0) & records).sum()))


def _refuse_linked(shown: Path, path: Path) -> None:
    """Refuse a table whose rows are in other files than its parts: a seamless table, a view, a link to a database."""
    with path.open("rb") as stream:
        data = stream.read(_HEAD)
    # below the fields it may be the name of one of them
    above = re.split(rb"^\s*fields\s+\d+", data, maxsplit=1, flags=re.IGNORECASE | re.MULTILINE)[0]
    kinds = {kind.upper() for kind in re.findall(rb"^\s*type\s+\"?(\w+)", above, re.IGNORECASE | re.MULTILINE)}
    linked = re.search(rb"create\s+view|isseamless|^\s*file\s+\"", data, re.IGNORECASE | re.MULTILINE)
    if kinds <= {b"NATIVE", b"DBF"} and not linked:
        return
    raise UnreadableLayer(
        Fault(
            what="the MapInfo table stands for other files (a seamless table, a view or a link)",
            why="what is in them can change without this file, and nobody would see it",
            remedy="save it in MapInfo or QGIS as a table or a GeoPackage of its own, and name that",
            file=str(shown),
        )
    )


def _kept_records(shown: Path, dat: Path) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return for each record of a .dat whether it is kept (not marked as deleted)."""
    data = np.memmap(dat, dtype=np.uint8, mode="r") if dat.stat().st_size else np.zeros(0, dtype=np.uint8)
    head = bytes(data[:_DBF_HEADER])
    count = int.from_bytes(head[4:8], "little")
    start, each = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    if len(head) < _DBF_HEADER or not each or len(data) < start + count * each:
        raise UnreadableLayer(
            Fault(
                what=f"the file was cut off or is damaged: its .dat should have {start + count * each:,} bytes and has {len(data):,}",
                why="part of the layer would be missing without a word",
                remedy=_AGAIN,
                file=str(shown),
            )
        )
    marks = np.asarray(data[start : start + count * each : each])
    return np.asarray(marks != _DELETED, dtype=np.bool_)


def _interchange(shown: Path, path: Path) -> MapInfoLook:
    """Go through the lines of a .mif after DATA: objects are counted, their corners looked at, and both held against the rows of the .mid."""
    walk = _Walk(shown)
    delimiter = "\t"
    with path.open(encoding="latin-1") as stream:
        for number, line in enumerate(stream, start=1):
            words = line.split()
            if not words:
                continue
            if walk.begun:
                walk.line(number, line, words)
            elif words[0].lower() == "data":
                walk.begun = True
            elif words[0].lower() == "delimiter" and line.count('"') == _QUOTES:
                delimiter = line.split('"')[1] or delimiter
    if not walk.begun:
        raise UnreadableLayer(Fault(what="the .mif has no DATA section, so it holds no records", remedy=_AGAIN, file=str(shown)))
    walk.ended()
    mid = next((part for part in files_of(path) if part.suffix.lower() == ".mid"), None)
    if mid is not None:
        with mid.open(encoding="latin-1", newline="") as stream:
            try:
                rows = sum(1 for row in csv.reader(stream, delimiter=delimiter) if row)
            except csv.Error as error:
                raise UnreadableLayer(Fault(what=f"the .mid is damaged ({error})", remedy=_AGAIN, file=str(shown))) from error
        if rows != walk.objects:
            raise UnreadableLayer(
                Fault(
                    what=f"its parts do not belong together: {walk.objects:,} objects (.mif), but {rows:,} rows (.mid)",
                    why="owners would be put on parcels of others, or be missing",
                    remedy=_AGAIN,
                    file=str(shown),
                )
            )
    return MapInfoLook(walk.objects, walk.placed)


class _Walk:
    """The state between two lines of a .mif: how many parts and corners are still to come."""

    def __init__(self, shown: Path) -> None:
        self.shown = shown
        self.begun = False
        self.objects = self.placed = 0
        self._of_collection = self._sections = self._corners = 0
        self._counted = False

    def line(self, number: int, line: str, words: list[str]) -> None:
        """Take a line; refuse one that stands where it cannot."""
        first = words[0].lower()
        if first in _OBJECTS:
            self._complete(number, line)
            self._object(first, [word.lower() for word in words])
        elif first in _STYLES or line.lstrip().startswith('"'):
            self._complete(number, line)
        elif not _are_numbers(words):
            raise self._wrong(number, line, "is no number and no object")
        elif not self._counted:
            return
        elif self._corners:
            self._corners -= 1
            if len(words) < _XY:
                raise self._wrong(number, line, "lacks a coordinate")
        elif self._sections and len(words) == 1 and words[0].isdigit():
            self._sections -= 1
            self._corners = int(words[0])
        else:
            raise self._wrong(number, line, "is a corner too many")

    def ended(self) -> None:
        """Refuse a file that ends in an object."""
        self._complete(0, "the end of the file")

    def _object(self, first: str, words: list[str]) -> None:
        if self._of_collection and first in _PARTS_OF_COLLECTION:
            self._of_collection -= 1
        else:
            self._of_collection = int(words[1]) if first == "collection" and len(words) > 1 and words[1].isdigit() else 0
            self.objects += 1
            self.placed += first != "none"
        many = next((int(word) for word in words[1:] if word.isdigit()), 0)
        self._counted = first in {"region", "pline", "multipoint"}
        sections = first == "region" or "multiple" in words
        self._sections, self._corners = (many, 0) if sections else (0, many if self._counted else 0)

    def _complete(self, number: int, line: str) -> None:
        if self._counted and (self._sections or self._corners):
            raise self._wrong(number, line, "stands where a corner is missing")
        self._counted = False

    def _wrong(self, number: int, line: str, what: str) -> UnreadableLayer:
        where = f"line {number:,}, in record {self.objects:,}" if number else f"record {self.objects:,}"
        return UnreadableLayer(
            Fault(
                what=f"{where} cannot be read: {line.strip()[:60]!r} {what}",
                why="the parcels there, and all that come after them, would be missing without a word",
                remedy="download or export it again; or correct this line",
                file=str(self.shown),
            )
        )


def _are_numbers(words: list[str]) -> bool:
    return all(re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", word) for word in words)
