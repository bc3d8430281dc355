"""Look at a JSON document before GDAL does: GeoJSON, GeoJSON sequences, Esri JSON, TopoJSON, and what services send instead."""

import json
import mmap
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geonotice.errors import CutOffLayer, Fault, UnreadableLayer

__all__ = ["JsonLook", "examine"]

_MARK = b"exceededTransferLimit"
_LIMIT = re.compile(rb'(?<!\\)"exceededTransferLimit"\s*:\s*(?:true|"true"|1\b)', re.IGNORECASE)
_NULL = re.compile(rb'"geometry"\s*:\s*null')
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
        document: Any = json.loads(data[:]) if len(data) < _SMALL else None
    except ValueError:
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


def lost_shapes(path: Path, missing: int) -> list[tuple[int, str]]:
    """Find the features whose geometry is written, but was not understood: GDAL gives them none, without a word.

    Parameters
    ----------
    path
        A GeoJSON document.
    missing
        How many features were read without a geometry.

    Returns
    -------
    list
        the number of each, from 1, and its geometry as written, shortened; empty where all that are missing are null in the document.
    """
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if b'"Topology"' in data[:_ENVELOPE] or len(_NULL.findall(data)) >= missing:
            return []
        document: Any = json.loads(data[:])
    features = document.get("features", []) if isinstance(document, dict) else []
    written = [(number, feature.get("geometry")) for number, feature in enumerate(features, start=1) if isinstance(feature, dict)]
    return [(number, json.dumps(shape)[:60]) for number, shape in written if shape and not _understood(shape)]


def _understood(shape: Any) -> bool:  # noqa: ANN401  # whatever a file has as geometry
    import shapely

    try:
        shapely.geometry.shape(shape)
    except (shapely.errors.ShapelyError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        return False
    return True


def check_sequence(shown: Path, path: Path, rows: int) -> None:
    """Refuse a GeoJSON sequence of which not every line was read as a feature: GDAL passes over a broken line.

    Raises
    ------
    UnreadableLayer
        A line is no feature; it is named by its number.
    """
    lines = 0
    bad: list[int] = []
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            line = raw.strip(b" \t\r\n\x1e")
            if not line:
                continue
            lines += 1
            if not (line.startswith(b"{") and line.endswith(b"}")):
                bad.append(number)
    if not bad and lines == rows:
        return
    if not bad:
        bad = _broken_lines(path)
    if not bad and lines > rows:
        bad = [lines]
    if bad:
        named = ", ".join(str(number) for number in bad[:5])
        raise UnreadableLayer(
            Fault(
                what=f"{len(bad)} of {lines:,} lines are no whole feature (line {named}): the file was cut off or damaged",
                why="their parcels would be missing without a word",
                remedy="download or export it again",
                file=str(shown),
            )
        )


def _broken_lines(path: Path) -> list[int]:
    bad: list[int] = []
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            line = raw.strip(b" \t\r\n\x1e")
            try:
                if line:
                    json.loads(line)
            except ValueError:
                bad.append(number)
    return bad
