"""Look at an XML document (GML, KML, GPX) before GDAL does: GDAL reads what it can of one that was cut off or has a slip in it, and says nothing."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from geonotice.errors import CutOffLayer, Fault, UnreadableLayer
from geonotice.layers.formats import kml
from geonotice.layers.formats.encoding import xml_copy
from geonotice.layers.formats.json import cut_off
from geonotice.layers.source import Note

__all__ = ["XmlLook", "examine"]

_HEAD = 65_536
_MATCHED = re.compile(rb'\bnumberMatched="(\d+)"')
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)", re.IGNORECASE)
_INDIRECT = re.compile(rb"OGRVRT|OGRWFS|VRTDataset|WFS_Capabilities|<GDAL_|<OGR[A-Z]", re.IGNORECASE)
"""What the documents of GDAL's drivers begin with that stand for other files or for an address on the network."""

_NUMBERS = re.compile(r"[-+0-9.eE,\s]*")
_GML = "http://www.opengis.net/gml"
_MEMBERS = frozenset({"featureMember", "featureMembers", "member"})
_NO_FEATURES = frozenset(
    {
        "boundedBy",
        "description",
        "descriptionReference",
        "name",
        "identifier",
        "metaDataProperty",
        "additionalObjects",
        "location",
    }
)
_COORDINATES = frozenset({"coordinates", "poslist", "pos", "coord", "x", "y"})
_SHAPES_KML = frozenset({"point", "linestring", "linearring", "polygon", "multigeometry", "multitrack", "track", "model"})
_NAMED = 5
_PLANE = 2


@dataclass(slots=True)
class XmlLook:
    """What a document turned out to be.

    Parameters
    ----------
    kind
        ``gml``, ``kml`` or ``gpx``.
    path
        Where the bytes to be read are: a copy where the text was not in the encoding that it says.
    claimed
        How many features the service says there are; None where it does not say.
    records
        How many features stand in the document, by the name of their element (KML: all under one name); empty where they are not known.
    placed
        How many of them have coordinates.
    notes
        What the reader should know.
    """

    kind: str
    path: Path
    claimed: int | None = None
    records: Counter[str] = field(default_factory=Counter)
    placed: Counter[str] = field(default_factory=Counter)
    notes: tuple[Note, ...] = ()


def examine(shown: Path, path: Path, room: Path) -> XmlLook:
    """Look at an XML document.

    Parameters
    ----------
    shown, path
        The file as the user named it; where its bytes are.
    room
        A temporary folder, for a copy in UTF-8 where one is needed.

    Raises
    ------
    UnreadableLayer
        It is a web page, a service's error message, of another kind, not whole, or a coordinate in it is not a number.
    CutOffLayer
        It says itself that it is not complete.
    """
    file = str(shown)
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    _refuse_others(file, head)
    declared = _DECLARED.search(head[:200])
    path, notes = xml_copy(shown, path, room, declared[1].decode() if declared else "")
    walk = _Walk()
    try:
        with path.open("rb") as stream:
            walk.parser.ParseFile(stream)
    except expat.ExpatError as error:
        if error.code in {
            expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
            expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        }:
            raise cut_off(file) from error
        raise UnreadableLayer(
            Fault(
                what=f"the file is damaged at line {error.lineno} ({expat.ErrorString(error.code)})",
                remedy="download or export it again",
                file=file,
            )
        ) from error
    except (LookupError, ValueError) as error:
        raise UnreadableLayer(
            Fault(what=f"the file cannot be read as XML ({error})", remedy="export it again in UTF-8", file=file)
        ) from error
    look = _judged(file, path, head, walk, notes)
    if look.kind == "kml":
        path, renamed = kml.renamed_apart(path, room)
        look.path, look.notes = path, (*look.notes, *renamed)
    return look


def _judged(file: str, path: Path, head: bytes, walk: "_Walk", notes: tuple[Note, ...]) -> XmlLook:
    if walk.entities:
        raise UnreadableLayer(
            Fault(
                what="the file declares entities of its own (<!ENTITY …>), which no layer needs",
                why="a few lines of them can stand for any amount of text, or for another file",
                remedy="export it again",
                file=file,
            )
        )
    kind = {"kml": "kml", "gpx": "gpx"}.get(walk.root, "gml" if walk.is_gml else "")
    if not kind:
        raise UnreadableLayer(
            Fault(
                what=f"the file is XML, but neither GML, KML nor GPX (it begins with <{walk.root}>)",
                remedy="export the layer as GeoPackage, shapefile or GeoJSON",
                file=file,
            )
        )
    if walk.truncated:
        raise CutOffLayer(
            Fault(
                what="the service says that it stopped before it had sent all features (truncatedResponse)",
                why="whoever is in the missing part would be left off every list",
                remedy="download it again in pages, or ask for the whole layer as GeoPackage",
                file=file,
            )
        )
    if walk.bad:
        named = "; ".join(f"record {number}: {text}" for number, text in walk.bad[:_NAMED])
        more = f", and {len(walk.bad) - _NAMED} more" if len(walk.bad) > _NAMED else ""
        raise UnreadableLayer(
            Fault(
                what=f"coordinates in it are not as they should be ({named}{more})",
                why="the parcels there, and all that come after them, would be missing without a word",
                remedy="download or export it again; or correct these records, and note who they are",
                file=file,
            )
        )
    matched = _MATCHED.search(head)
    return XmlLook(kind, path, int(matched[1]) if matched else None, walk.records, walk.placed, notes)


def _refuse_others(file: str, head: bytes) -> None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2000].lower()
    if start.startswith((b"<!doctype html", b"<html")) or re.match(
        rb"(?:<\?xml[^>]*>\s*)?(?:<!doctype html[^>]*>\s*)?<html", start
    ):
        raise UnreadableLayer(
            Fault(
                what="the file is a web page (HTML), not a layer: the download was answered with a page, perhaps to sign in",
                remedy="open the address in a browser, sign in there, and download the data itself",
                file=file,
            )
        )
    if b"exceptionreport" in start or b"serviceexception" in start:
        said = " ".join(re.sub(rb"<[^>]*>", b" ", head).decode("utf-8", "replace").split())[:300]
        raise UnreadableLayer(
            Fault(
                what=f"the file holds the service's error message, not the layer: {said}",
                remedy="correct the request, and download again",
                file=file,
            )
        )
    found = _INDIRECT.search(head)
    if found:
        raise UnreadableLayer(
            Fault(
                what=f"the file is no layer but stands for other files or for an address on the network ({found[0].decode('ascii', 'replace')})",
                why="what it stands for can change without this file, and nobody would see it",
                remedy="export the layer itself as GeoPackage, shapefile or GeoJSON, and name that",
                file=file,
            )
        )


def _are_numbers(text: str) -> bool:
    """Return whether a text is numbers, parted by commas and spaces; "nan" and "inf" are none here, though Python takes them for such."""
    if _NUMBERS.fullmatch(text) is None:
        return False
    try:
        for part in text.replace(",", " ").split():
            float(part)
    except ValueError:
        return False
    return True


class _Walk:
    """One way through a document: its features are counted, and their coordinates looked at."""

    def __init__(self) -> None:
        self.root = ""
        self.is_gml = False
        self.entities = False
        self.truncated = False
        self.records: Counter[str] = Counter()
        self.placed: Counter[str] = Counter()
        self.bad: list[tuple[int, str]] = []
        self._stack: list[str] = []
        self._feature = ""
        self._feature_depth = 0
        self._has_place = False
        self._in_coordinates = False
        self._numbers: list[str] = []
        self._in_bounds = 0
        self._dimensions = _PLANE
        self._threes = True
        # without namespaces: GDAL writes elements such as <ogr:2025_OWNER>, which with them are not well-formed
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity

    def _entity(self, *_said: object) -> None:
        self.entities = True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if not self.is_gml:
            self.is_gml = any(value.startswith(_GML) for key, value in attributes.items() if key.startswith("xmlns"))
        stack = self._stack
        if not stack:
            self.root = local
        stack.append(local)
        if self._feature:
            plain = local.lower()
            if plain == "boundedby":
                self._in_bounds += 1
            if "srsDimension" in attributes:
                self._dimensions = 3 if attributes["srsDimension"].strip() == "3" else _PLANE
            # in GML a coordinate stands in a shape, which stands in a property: what stands higher is a column of that name
            placed = self.root == "kml" or len(stack) > self._feature_depth + 2
            if plain in _COORDINATES and placed and not self._in_bounds:
                self._in_coordinates = plain not in {"x", "y"} or stack[-2].lower() == "coord"
                self._numbers.clear()
        elif self._begins(local):
            self._dimensions = _PLANE
            self._feature, self._feature_depth, self._has_place = local if self.root != "kml" else "kml", len(stack), False
            self.records[self._feature] += 1

    def _begins(self, local: str) -> bool:
        """Return whether an element is a feature, whatever it is called: what stands where a feature stands is counted as one."""
        stack = self._stack
        if self.root == "kml":
            plain = local.lower()
            return plain == "placemark" or (plain in _SHAPES_KML and len(stack) > 1)
        if local == "truncatedResponse":
            self.truncated = True
            return False
        above = stack[-2] if len(stack) > 1 else ""
        if above in _MEMBERS:
            return local != "FeatureCollection"
        return above == "FeatureCollection" and local not in _MEMBERS and local not in _NO_FEATURES

    def _text(self, text: str) -> None:
        if self._in_coordinates:
            self._numbers.append(text)

    def _look_at_numbers(self, element: str) -> None:
        text = "".join(self._numbers)
        self._in_coordinates = False
        if _are_numbers(text):
            many = len(text.split()) if element == "poslist" else 0
            self._threes = self._threes and not many % 3
            if not many % self._dimensions or (self._dimensions == _PLANE and self._threes):
                self._has_place = self._has_place or not text.isspace()
                return
            self._note_bad(f"{many} numbers, one is missing or too many")
            return
        self._note_bad(next((part for part in text.replace(",", " ").split() if not _are_numbers(part)), text))

    def _note_bad(self, text: str) -> None:
        number = sum(self.records.values())
        if not self.bad or self.bad[-1][0] != number:
            self.bad.append((number, text[:60]))

    def _end(self, _name: str) -> None:
        stack = self._stack
        local = stack.pop()
        if not self._feature:
            return
        plain = local.lower()
        if plain == "boundedby":
            self._in_bounds -= 1
        elif plain in _COORDINATES and self._in_coordinates:
            self._look_at_numbers(plain)
        if len(stack) < self._feature_depth:
            if self._has_place:
                self.placed[self._feature] += 1
            self._feature = ""
