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
