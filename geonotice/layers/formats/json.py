"""Look at a JSON document before GDAL does, and count what it has, entry by entry, against what GDAL read of it."""

import json
import math
import mmap
import re
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geonotice.errors import CutOffLayer, Fault, UnreadableLayer
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


__all__ = [
    "JsonLook",
    "JsonRecords",
    "check_records",
    "examine",
    "records_of",
]


CHUNK = 4 << 20
MAX_ENTRY = 150 << 20
"""Most letters of one entry: in memory it takes some ten times as much."""

NAMED = 5
"""How many entries a message names."""

_TOPOLOGY = 200 << 20
_START = re.compile(r"(?:\xef\xbb\xbf)?[\s\x1e]*(?:\w+\()?\s*")
_SPACE = re.compile(r"[\s]*")
_BROKEN = object()


_NO_SHAPE = "no shape"
"""What takes the place of the type of an entry of a topology that has none."""
_SHOWN_PROPERTIES = 300
"""Characters of such an entry that a note quotes."""


_TWICE = "\0twice"
"""Where an object that was read keeps the names that stood in it twice, with different values."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs as any reader does, the last value of a name counting; note the names with two values."""
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = dict.fromkeys(name for name, value in pairs if value != made[name])
        if twice:
            made[_TWICE] = list(twice)
    return made


def _twice_in(entry: Any) -> list[str]:  # noqa: ANN401  # whatever a file has
    if not isinstance(entry, dict):
        return []
    parts = (entry.get(name) for name in ("properties", "attributes"))
    return [name for part in parts if isinstance(part, dict) for name in part.pop(_TWICE, ())]


@dataclass(slots=True)
class JsonRecords:
    """The entries of a document, from 1: how many coordinates each has written (-1: none), which are no features, which have no number as coordinate."""

    corners: "array[int]" = field(default_factory=lambda: array("q"))
    no_features: list[tuple[int, str]] = field(default_factory=list)
    no_shape: list[tuple[int, str]] = field(default_factory=list)
    nowhere: "list[int]" = field(default_factory=list)
    twice: list[tuple[int, str]] = field(default_factory=list)
    typed: bool = False

    def add(self, entry: Any) -> None:  # noqa: ANN401  # whatever a file has
        """Count an entry."""
        shape = entry.get("geometry") if isinstance(entry, dict) else None
        for name in _twice_in(entry):
            self.twice.append((len(self.corners) + 1, name))
        if _without_numbers(shape):
            self.nowhere.append(len(self.corners) + 1)
            shape = None
        self.corners.append(_corners(shape))
        if entry is not _BROKEN and isinstance(entry, dict) and entry.get("type") == _NO_SHAPE:
            self.no_shape.append((len(self.corners), json.dumps(entry.get("properties"))[:_SHOWN_PROPERTIES]))
            return
        self.typed = self.typed or (isinstance(entry, dict) and entry.get("type") == "Feature")
        if not _is_feature(entry, typed=self.typed):
            written = "broken" if entry is _BROKEN else json.dumps(entry)[:60]
            self.no_features.append((len(self.corners), written))


def check_records(
    shown: Path, path: Path, kind: str, *, layer: str, geometry: "NDArray[np.object_] | None", rows: int
) -> list[Note]:
    """Refuse a document of which not every entry was read, or not with all its corners; return a note on entries without a shape.

    A topology may hold entries without a shape, which GDAL leaves out: they can be on no map and on no list, and are named.

    Parameters
    ----------
    shown, path
        The file as the user named it; where its bytes are.
    kind
        ``json`` or ``json_sequence``.
    layer
        The layer that was read.
    geometry
        What was read, None for each record without; None as a whole where the layer is a table.
    rows
        How many records were read.

    Raises
    ------
    UnreadableLayer
        Entries are missing among what was read; they are named by their number.
    """
    found = records_of(shown, path, kind, layer)
    file = str(shown)
    number = len(found.corners)
    if number - len(found.no_shape) != rows or (kind == "json_sequence" and found.no_features):
        what = f"the file has {number:,} records, and {rows:,} could be read"
        if found.no_features:
            named = "; ".join(f"record {place}: {written}" for place, written in found.no_features[:NAMED])
            more = f", and {len(found.no_features) - NAMED} more" if len(found.no_features) > NAMED else ""
            kinds = "lines are no whole feature" if kind == "json_sequence" else "records are no features"
            what = f"{len(found.no_features):,} of {number:,} {kinds} ({named}{more})"
        raise UnreadableLayer(
            Fault(
                what=what,
                why="their owners would be left off every list",
                remedy="download or export it again; or correct these records, and note who they are",
                file=file,
                layer=layer,
            )
        )
    notes = [
        Note(
            "no_geometry",
            f"Record {place} has no shape, and is left out: it can be on no list. What the file says of it: {properties}. Find out where it lies.",
        )
        for place, properties in found.no_shape
    ]
    if found.nowhere:
        more = f", and {len(found.nowhere) - NAMED:,} more" if len(found.nowhere) > NAMED else ""
        text = (
            f"Records whose coordinates are no numbers: {len(found.nowhere):,} (record {', '.join(map(str, found.nowhere[:NAMED]))}{more})."
            " They are on no map and on no list. Find out where they lie, and who is to be notified for them."
        )
        notes.append(Note("nowhere", text))
    if found.twice:
        more = f", and {len(found.twice) - NAMED:,} more" if len(found.twice) > NAMED else ""
        named = ", ".join(f"{_name(name)} in record {place}" for place, name in found.twice[:NAMED])
        text = (
            f"A name stands twice in one record, with different values: {named}{more}. The last value was taken, and the other is on no list."
            " Look the record up where it comes from: a second owner may be the one left out."
        )
        notes.append(Note("twice", text))
    if geometry is None or found.no_shape:
        return notes  # a topology's corners are arcs of the whole, and are not counted
    written = np.frombuffer(found.corners, dtype=np.int64) if number else np.zeros(0, dtype=np.int64)
    lost = np.flatnonzero(shapely.get_num_coordinates(geometry) < written) + 1
    if len(lost):
        more = f", and {len(lost) - NAMED} more" if len(lost) > NAMED else ""
        raise UnreadableLayer(
            Fault(
                what=f"{len(lost):,} of {number:,} records have a geometry that is none, or that cannot be read whole"
                f" (record {', '.join(str(place) for place in lost[:NAMED])}{more})",
                why="their owners would be left off every list",
                remedy="download or export it again; or correct these records, and note who they are",
                file=file,
                layer=layer,
            )
        )
    return notes


def _name(text: str) -> str:
    """Return a name as it is written, of bytes that were read as Latin-1."""
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def records_of(shown: Path, path: Path, kind: str, layer: str) -> JsonRecords:
    """Go through a document's entries.

    Raises
    ------
    UnreadableLayer
        It is no JSON to its end, is nested too deeply, or one entry is too large.
    """
    found = JsonRecords()
    try:
        for entry in _lines(path, shown) if kind == "json_sequence" else _Document(path, shown).entries(layer):
            found.add(entry)
    except RecursionError as error:
        raise UnreadableLayer(
            Fault(what="its JSON is nested too deeply to be a layer", remedy="export it again", file=str(shown))
        ) from error
    except ValueError as error:
        raise UnreadableLayer(
            Fault(
                what=f"the file is damaged after {len(found.corners):,} records: it is no JSON ({error})",
                why="part of the layer would be missing without a word",
                remedy="download or export it again",
                file=str(shown),
            )
        ) from error
    return found


def _is_feature(entry: Any, *, typed: bool) -> bool:  # noqa: ANN401  # whatever a file has
    """Return whether an entry is a feature: of GeoJSON where the entries before it are, else of Esri's JSON, which has no types."""
    if not isinstance(entry, dict):
        return False
    if entry.get("type") == "Feature":
        return "geometry" in entry or "properties" in entry
    return not typed and "type" not in entry and ("attributes" in entry or "geometry" in entry)


def _corners(shape: Any) -> int:  # noqa: ANN401  # whatever a file has as geometry
    """Count the corners of a geometry as written: GeoJSON's or Esri's; 0 for one that is empty, -1 for none."""
    if shape is None:
        return -1
    if not isinstance(shape, dict):
        return 1
    if "geometries" in shape:
        return sum(max(_corners(part), 0) for part in shape["geometries"]) if isinstance(shape["geometries"], list) else 1
    if "x" in shape and "y" in shape:
        return int(shape["x"] is not None and shape["x"] != "NaN")
    for name in ("coordinates", "rings", "paths", "points", "curveRings", "curvePaths"):
        if name in shape:
            return _positions(shape[name])
    return int(bool(shape.get("type")))


def _without_numbers(shape: Any) -> bool:  # noqa: ANN401  # whatever a file has as geometry
    """Return whether a geometry has coordinates, and not one of them is a number: programs write null or NaN where they know no place."""
    if not isinstance(shape, dict):
        return False
    if "x" in shape and "y" in shape:
        return all(_is_none(shape[name]) for name in ("x", "y"))
    written = next((shape[name] for name in ("coordinates", "rings", "paths", "points") if name in shape), None)
    first = written
    while isinstance(first, list) and first:
        first = first[0]
    # nearly every geometry begins with a number, and is not looked at any further
    return _is_none(first) and written is not None and all(map(_is_none, _leaves(written)))


def _leaves(nested: Any) -> "Iterator[Any]":  # noqa: ANN401  # lists of lists of numbers, if all is well
    if not isinstance(nested, list):
        yield nested
        return
    for part in nested:
        yield from _leaves(part)


def _is_none(value: Any) -> bool:  # noqa: ANN401  # whatever a file has as number
    return value is None or value == "NaN" or (isinstance(value, float) and math.isnan(value))


def _positions(nested: Any) -> int:  # noqa: ANN401  # lists of lists of numbers, if all is well
    if not isinstance(nested, list) or not nested:
        return 0
    if not isinstance(nested[0], (list, dict)):
        return 1
    if isinstance(nested[0], list) and nested[0] and not isinstance(nested[0][0], (list, dict)):
        return len(nested)
    return sum(_positions(part) if isinstance(part, list) else 1 for part in nested)


def _lines(path: Path, shown: Path) -> "Iterator[Any]":
    """Yield the entries of a sequence: one a line, or parted by the record separator (RFC 8142)."""
    with path.open("rb") as stream:
        parted = b"\x1e" in stream.read(4096)
        stream.seek(0)
        held = bytearray()
        for line in stream:
            held += line
            if len(held) > MAX_ENTRY:
                raise _too_large(shown)
            if not parted:
                yield from _parsed(bytes(held))
                held.clear()
            elif b"\x1e" in line:
                whole, _, begun = held.rpartition(b"\x1e")
                for part in whole.split(b"\x1e"):
                    yield from _parsed(bytes(part))
                held = bytearray(begun)
        for part in held.split(b"\x1e"):
            yield from _parsed(bytes(part))


def _parsed(data: bytes) -> "Iterator[Any]":
    text = data.decode("latin-1").removeprefix("\xef\xbb\xbf").strip(" \t\r\n\x1e\x00")
    if text:
        try:
            yield json.loads(text, object_pairs_hook=_object)
        except ValueError:
            yield _BROKEN


def _of_topology(objects: Any, layer: str) -> "Iterator[Any]":  # noqa: ANN401  # whatever a file has
    """Yield the entries of a topology's object: its geometries are arcs of the whole, so their corners are not counted."""
    shape = objects.get(layer) if isinstance(objects, dict) else None
    parts = shape.get("geometries") if isinstance(shape, dict) else None
    for part in parts if isinstance(parts, list) else [shape]:
        if isinstance(part, dict) and part.get("type") is None:
            yield {"type": _NO_SHAPE, "properties": part.get("properties")}
        else:
            yield {"type": "Feature", "properties": None}


class _Document:
    """A JSON document read piece by piece. Its bytes are taken as Latin-1: only the structure counts here, and that is ASCII."""

    def __init__(self, path: Path, shown: Path) -> None:
        self.shown = shown
        self.path = path
        self.stream = path.open("rb")
        self.text = ""
        self.at = 0
        self.ended = False
        self.decode = json.JSONDecoder(object_pairs_hook=_object).raw_decode

    def entries(self, layer: str) -> "Iterator[Any]":
        """Yield the document's features, or the geometries of a topology's object that is called like the layer."""
        with self.stream:
            self._more()
            start = _START.match(self.text)
            self.at = start.end() if start else 0
            if self._next() == "[":
                yield from self._list()
                return
            root: dict[str, Any] = {}
            listed = False
            self._expect("{")
            while self._next() != "}":
                key = self._value()
                self._expect(":")
                if key == "features" and self._next() == "[":
                    listed = True
                    yield from self._list()
                elif key in {"objects", "type", "geometry", "attributes", "coordinates", "geometries"}:
                    root[str(key)] = self._value()
                else:
                    self._value()
                if self._next() == ",":
                    self.at += 1
                elif self._next() != "}":
                    raise ValueError("a comma or a closing brace is missing")
        if listed:
            return
        if root.get("type") == "Topology":
            yield from _of_topology(root.get("objects"), layer)
        else:
            yield root if root.get("type") == "Feature" else {"type": "Feature", "geometry": root}

    def _list(self) -> "Iterator[Any]":
        self._expect("[")
        while self._next() != "]":
            yield self._value()
            if self._next() == ",":
                self.at += 1
            elif self._next() != "]":
                raise ValueError("a comma or a closing bracket is missing")
        self.at += 1

    def _expect(self, mark: str) -> None:
        if self._next() != mark:
            raise ValueError(f"{mark!r} is missing")
        self.at += 1

    def _next(self) -> str:
        """Return the next letter that is no space, without passing it; empty at the end."""
        while True:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._more():
                return ""

    def _value(self) -> Any:  # noqa: ANN401  # whatever a file has
        self._next()
        while True:
            try:
                value, end = self.decode(self.text, self.at)
            except ValueError:
                if not self._more():
                    raise
                continue
            if end == len(self.text) and self._more():
                continue  # a number may go on in the next piece
            self.at = end
            return value

    def _more(self) -> bool:
        """Read on; what has been passed is let go."""
        if self.ended:
            return False
        rest = self.text[self.at :]
        if len(rest) > MAX_ENTRY:
            raise _too_large(self.shown)
        # twice as much each time, so that a large entry is not begun anew at every piece
        read = self.stream.read(max(CHUNK, len(rest)))
        self.ended = not read
        self.text, self.at = rest + read.decode("latin-1"), 0
        return not self.ended


def _too_large(shown: Path) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(
            what=f"one record of it has more than {MAX_ENTRY >> 20} MB of text",
            why="no parcel is drawn with so many corners, and reading it would use up the memory of this computer",
            remedy="look whether it is the right file; split the record, or export the layer as GeoPackage",
            file=str(shown),
        )
    )


_MARK = b"exceededTransferLimit"
_LIMIT = re.compile(rb'(?<!\\)"exceededTransferLimit"\s*:\s*(?:true|"true"|1\b)', re.IGNORECASE)
_INDIRECT = re.compile(rb"gdal_streamed_alg|gdal_algorithm|stac_version", re.IGNORECASE)
"""What documents hold that stand for other files or for an address on the network (GDALG, STAC)."""

_CLAIMED = re.compile(rb'(?<!\\)"(?:numberMatched|totalFeatures)"\s*:\s*(\d+)')
_ENVELOPE = 65_536  # a service's own words stand before or after the features, not among them
_SMALL = 20_000_000
_KNOWN = (b'"FeatureCollection"', b'"Feature"', b'"features"', b'"Topology"', b'"coordinates"', b'"rings"', b'"geometry"')


@dataclass(frozen=True, slots=True)
class JsonLook:
    """What a JSON document turned out to be: its kind, and how many features its service says there are (None: it does not say)."""

    kind: str
    claimed: int | None = None


def examine(shown: Path, path: Path) -> JsonLook:
    """Look at a JSON document.

    Parameters
    ----------
    shown
        The file as the user named it, for messages.
    path
        Where its bytes are.

    Raises
    ------
    UnreadableLayer
        It is a web page, an error message, cut off, or JSON of another kind.
    CutOffLayer
        It says that the service had more features than it sent.
    """
    file = str(shown)
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        head, tail = data[:_ENVELOPE], data[-_ENVELOPE:]
        _is_json(head, file)
        if _INDIRECT.search(head):
            raise UnreadableLayer(
                Fault(
                    what="the file is no layer but describes how one is made of other files",
                    why="what it stands for can change without this file, and nobody would see it",
                    remedy="export the layer itself as GeoPackage, shapefile or GeoJSON, and name that",
                    file=file,
                )
            )
        if _says_limit(data):
            raise CutOffLayer(
                Fault(
                    what="the service stopped before it had sent all features (exceededTransferLimit), and the file holds only part of the layer",
                    why="whoever is in the missing part would be left off every list",
                    remedy="download it again in pages (resultOffset), or ask for the whole layer as a file geodatabase or GeoPackage",
                    file=file,
                )
            )
        kind = "json_sequence" if _is_sequence(path, head, data) else "json"
        if kind == "json" and tail.rstrip(b" \t\r\n\x00;)")[-1:] not in (b"}", b"]"):
            raise cut_off(file)
        if not any(data.find(word) >= 0 for word in _KNOWN):
            _not_a_layer(data, file)
        elif len(data) < _ENVELOPE and data.find(b'"error"') >= 0:
            _not_a_layer(data, file, only_errors=True)
        claims = [int(number) for part in (head, tail) for number in _CLAIMED.findall(part)]
    return JsonLook(kind=kind, claimed=max(claims, default=None))


def _says_limit(data: mmap.mmap) -> bool:
    """Search a document of any size for the mark of a cut-off answer."""
    at = data.find(_MARK)
    while at >= 0:
        if _LIMIT.search(data[max(0, at - 2) : at + 64]):
            return True
        at = data.find(_MARK, at + len(_MARK))
    return False


def refuse_other_json(shown: Path, path: Path) -> None:
    """Refuse a JSON document that GDAL knows no features in, saying what it holds; one too large to look through is passed over."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if len(data) < _SMALL:
            _not_a_layer(data, str(shown))


def cut_off(file: str) -> UnreadableLayer:
    """Make the error for a file that ends in the middle."""
    return UnreadableLayer(
        Fault(
            what="the file was cut off: it ends in the middle",
            why="part of the layer would be missing without a word",
            remedy="download or copy it again",
            file=file,
        )
    )


def _is_json(head: bytes, file: str) -> None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableLayer(
            Fault(
                what="the file is in UTF-16, which no GIS reads as JSON",
                remedy="open it in an editor and save it as UTF-8",
                file=file,
            )
        )
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\x1e")
    if not text:
        raise UnreadableLayer(Fault(what="the file is empty", remedy="download or export it again", file=file))
    if text.startswith(b"<"):
        raise UnreadableLayer(
            Fault(
                what="the file is a web page (HTML), not a layer: the download was answered with a page, perhaps to sign in",
                remedy="open the address in a browser, sign in there, and download the data itself",
                file=file,
            )
        )
    if not re.match(rb"[\[{]|\w+\(", text):
        raise UnreadableLayer(
            Fault(what="the file is named like JSON, but is none", remedy="download or export it again", file=file)
        )


def _is_sequence(path: Path, head: bytes, data: mmap.mmap) -> bool:
    """Tell a GeoJSON sequence (one feature a line) from one document."""
    if head.lstrip()[:1] == b"\x1e" or path.suffix.lower() in {".geojsonl", ".geojsons", ".ndjson", ".jsonl"}:
        return True
    first = data.find(b"\n")
    line, rest = head[: max(first, 0)].strip(), head[first + 1 :].lstrip()
    return bool(line.startswith(b"{") and line.endswith(b"}") and rest.startswith(b"{") and b'"Feature"' in line)


def _not_a_layer(data: mmap.mmap, file: str, *, only_errors: bool = False) -> None:
    """Refuse a document without features, in its own words where it has any."""
    try:
        document: Any = json.loads(data[:].decode("utf-8", "replace")) if len(data) < _SMALL else None
    except (ValueError, RecursionError):
        raise cut_off(file) from None
    error = document.get("error") if isinstance(document, dict) else None
    if error:
        said = _said(error)
        raise UnreadableLayer(
            Fault(
                what=f"the file holds the service's error message, not the layer: {said}",
                remedy="correct the request as it says, or sign in, and download again",
                file=file,
            )
        )
    if only_errors:
        return
    if isinstance(document, dict) and {"geometryType", "fields"} <= document.keys() and "features" not in document:
        what, remedy = (
            "the file describes a layer and holds none of its features",
            "download the features (query?where=1=1&outFields=*)",
        )
    else:
        keys = ", ".join(list(document)[:6]) if isinstance(document, dict) else "a list"
        what = f"the file is JSON, but neither GeoJSON, Esri JSON nor TopoJSON (it holds {keys})"
        remedy = "export the layer as GeoJSON or GeoPackage"
    raise UnreadableLayer(Fault(what=what, remedy=remedy, file=file))


def _said(error: Any) -> str:  # noqa: ANN401  # whatever a service wrote
    if not isinstance(error, dict):
        return " ".join(str(error).split())[:200]
    parts = [str(error.get("message") or error.get("code") or ""), *(str(item) for item in error.get("details") or [])]
    code = f" (code {error['code']})" if error.get("code") and error.get("message") else ""
    return "; ".join(part for part in parts if part)[:300] + code
