"""Look at a source before GDAL does: is it there, is it what its name says, is it whole.

GDAL reads what it can of a file that was cut short, and opens a shapefile whose index is missing only if it may write one beside it.
So the questions that decide whether a list will be complete are asked here, of the bytes. Nothing is ever written beside a source.
"""

import os
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from geonotice.errors import Fault, LayerError, UnreadableLayer
from geonotice.layers import preflight_json, preflight_shapefile, preflight_xml
from geonotice.layers.note import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Source", "opened"]

JSON_ENDINGS = frozenset({".json", ".geojson", ".topojson", ".geojsonl", ".geojsons", ".ndjson", ".jsonl", ".esrijson"})
XML_ENDINGS = frozenset({".gml", ".kml", ".xml"})
TABLE_ENDINGS = frozenset({".csv", ".tsv", ".txt", ".dbf", ".xlsx", ".xls", ".xlsm", ".ods"})
PARQUET_ENDINGS = frozenset({".parquet", ".geoparquet", ".pq"})
SHAPEFILE_PARTS = frozenset({".shx", ".prj", ".cpg", ".sbn", ".sbx", ".qix", ".qpj"})
DATA_ENDINGS = JSON_ENDINGS | PARQUET_ENDINGS | {".gml", ".kml"} | {".shp", ".gpkg", ".fgb", ".sqlite"}

_MAGIC = {"gpkg": b"SQLite format 3\x00", "fgb": b"fgb\x03", "parquet": b"PAR1", "zip": b"PK"}


@dataclass(frozen=True, slots=True)
class Source:
    """A source that has been looked at.

    Parameters
    ----------
    path
        As the user gave it.
    dataset
        What GDAL is to open.
    kind
        ``shapefile``, ``gdb``, ``gpkg``, ``json``, ``json_sequence``, ``xml``, ``parquet``, ``table`` or ``other``.
    encoding
        The text encoding to tell GDAL, where it would not find it by itself.
    claimed
        How many features the source says it should hold; None where it does not say.
    notes
        What the reader should know.
    """

    path: Path
    dataset: str
    kind: str
    encoding: str | None = None
    claimed: int | None = None
    notes: tuple[Note, ...] = field(default=())


@contextmanager
def opened(path: Path, *, layer: str | None = None) -> "Iterator[Source]":
    """Look at a source and give what GDAL is to open; what had to be laid out in a temporary folder is removed at the end.

    ``layer`` chooses among several files in a zip archive.

    Raises
    ------
    UnreadableLayer
        It is not there, may not be read, is empty, is no layer, or was cut off.
    CutOffLayer
        It says itself that it is not complete.
    """
    _must_be_readable(path)
    if path.is_dir():
        yield _folder(path)
    elif _starts(path, _MAGIC["zip"]) and path.suffix.lower() not in {".xlsx", ".xlsm", ".ods", ".kmz"}:
        with preflight_shapefile.workspace() as room:
            yield _zipped(path, room, layer)
    else:
        with preflight_shapefile.workspace() as room:
            yield _plain(path, path, room)


def _must_be_readable(path: Path) -> None:
    file = str(path)
    if not path.exists():
        near = sorted(item.name for item in path.parent.iterdir() if item.stem == path.stem) if path.parent.is_dir() else []
        remedy = f"beside it is {', '.join(near[:5])}: name that" if near else "check the path, and that the drive is connected"
        raise UnreadableLayer(Fault(what="there is no such file", remedy=remedy, file=file))
    if not os.access(path, os.R_OK):
        raise UnreadableLayer(
            Fault(
                what="the file may not be read", remedy="ask for the right to read it, or copy it to a folder of yours", file=file
            )
        )
    if path.is_file() and path.stat().st_size == 0:
        raise UnreadableLayer(Fault(what="the file is empty", remedy="download or export it again", file=file))


def _starts(path: Path, magic: bytes) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(magic)) == magic


def _folder(path: Path) -> Source:
    if any(path.glob("*.gdbtable")):
        return Source(path=path, dataset=str(path), kind="gdb")
    inside = sorted(item.name for item in path.iterdir() if item.suffix.lower() in DATA_ENDINGS | {".gdb", ".zip"})
    if path.suffix.lower() == ".gdb":
        what, remedy = "it is named like a file geodatabase, but holds no tables", "copy the whole .gdb folder again, or its zip"
    elif inside:
        what, remedy = "it is a folder", f"name one of the layers in it: {', '.join(inside[:8])}"
    else:
        what, remedy = "it is a folder without any layer in it", "name a file"
    raise UnreadableLayer(Fault(what=what, remedy=remedy, file=str(path)))


def _plain(shown: Path, path: Path, room: Path) -> Source:
    """Look at one file. ``shown`` is what the user named, ``path`` where its bytes are."""
    ending = path.suffix.lower()
    source = Source(path=shown, dataset=str(path), kind="other")
    head = _head(path)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")[:1]
    _refuse_by_name(shown, path, head)
    if ending == ".shp":
        return _shapefile(source, path, room)
    if ending in TABLE_ENDINGS and text not in (b"{", b"["):
        if ending != ".dbf":
            return replace(source, kind="table")
        look = preflight_shapefile.examine_dbf(shown, path, room)
        return replace(source, dataset=str(look.path), kind="table", encoding=look.encoding, notes=look.notes)
    if head.startswith(_MAGIC["gpkg"]):
        _whole_sqlite(shown, path, head)
        source = replace(source, kind="gpkg")
    elif ending in PARQUET_ENDINGS or head.startswith(_MAGIC["parquet"]):
        source = replace(source, kind="parquet")
    elif ending in JSON_ENDINGS or text in (b"{", b"["):
        said = preflight_json.examine(shown, path)
        source = replace(source, kind=said.kind, claimed=said.claimed)
    elif ending in XML_ENDINGS or text == b"<":
        source = replace(source, kind="xml", claimed=preflight_xml.examine(shown, path))
    return source


def _refuse_by_name(shown: Path, path: Path, head: bytes) -> None:
    """Refuse a file that its name promises to be something it is not, or that is a part or a package of a layer."""
    ending = path.suffix.lower()
    what = remedy = ""
    if ending in SHAPEFILE_PARTS:
        main = path.with_suffix(".shp")
        what, remedy = "this is only a part of a shapefile", f"name {main.name}" if main.exists() else "name the .shp file"
    elif ending == ".zip":
        what, remedy = (
            "the file is named like a zip archive, but is none",
            "download it again; it may be a web page that asks to sign in",
        )
    elif ending == ".gpkg" and not head.startswith(_MAGIC["gpkg"]):
        what, remedy = "the file is named like a GeoPackage, but is none", "download or export it again"
    elif ending in {".gz", ".7z", ".rar", ".tar", ".tgz", ".bz2"}:
        what, remedy = f"the file is packed ({ending})", "unpack it, and name what is inside"
    if what:
        raise UnreadableLayer(Fault(what=what, remedy=remedy, file=str(shown)))


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(4096)


def _shapefile(source: Source, path: Path, room: Path) -> Source:
    look = preflight_shapefile.examine(source.path, path, room)
    return replace(source, dataset=str(look.path), kind="shapefile", encoding=look.encoding, notes=(*source.notes, *look.notes))


def _whole_sqlite(shown: Path, path: Path, head: bytes) -> None:
    """Compare a GeoPackage's size with the page count in its header (https://www.sqlite.org/fileformat2.html, 1.3)."""
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    size = (65536 if page == 1 else page) * pages
    trusted = head[24:28] == head[92:96]
    if trusted and path.stat().st_size < size:
        raise UnreadableLayer(
            Fault(
                what=f"the file was cut off: it should have {size:,} bytes and has {path.stat().st_size:,}",
                why="part of the layer would be missing without a word",
                remedy="download or copy it again",
                file=str(shown),
            )
        )


def _zipped(path: Path, room: Path, layer: str | None) -> Source:
    """Look into a zip archive for the one thing in it that is a layer."""
    file = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [item for item in archive.infolist() if "__MACOSX" not in item.filename and not item.filename.endswith("/")]
            if any(item.flag_bits & 1 for item in infos):
                raise UnreadableLayer(
                    Fault(what="the archive is locked with a password", remedy="unpack it, and name what is inside", file=file)
                )
            members = [PurePosixPath(item.filename) for item in infos]
            geodatabases = sorted({parent for name in members for parent in name.parents if parent.suffix.lower() == ".gdb"})
            inner = [
                name
                for name in members
                if name.suffix.lower() in DATA_ENDINGS and not any(g in name.parents for g in geodatabases)
            ]
            loose = [name for name in members if name.suffix.lower() == ".gdbtable" and not geodatabases]
            found = [*geodatabases, *sorted(inner)] or ([loose[0].parent] if loose else [])
            found = found or sorted(name for name in members if name.suffix.lower() in TABLE_ENDINGS)
            if not found:
                listed = ", ".join(str(name) for name in members[:5]) or "nothing"
                raise UnreadableLayer(
                    Fault(what=f"there is no layer in the archive, but {listed}", remedy="name the zip of a layer", file=file)
                )
            if layer is not None and len(found) > 1:
                found = [name for name in found if name.stem.casefold() == layer.casefold()] or found
            if len(found) > 1:
                raise LayerError(
                    Fault(
                        what=f"there are several layers in the archive: {', '.join(str(name) for name in found)}",
                        remedy="name the one that is meant as layer, without its ending; or unpack it",
                        file=file,
                    )
                )
            if geodatabases or loose:
                bad = archive.testzip()
                if bad:
                    raise _damaged(path)
                inside = "" if str(found[0]) == "." else f"/{found[0]}"
                return Source(path=path, dataset=f"/vsizip/{path.resolve()}{inside}", kind="gdb")
            stem = found[0].with_suffix("")
            for name in members:
                if name.with_suffix("") == stem or name == found[0]:
                    (room / name.name).write_bytes(archive.read(str(name)))
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
        raise _damaged(path) from error
    return _plain(path, room / found[0].name, room)


def _damaged(path: Path) -> UnreadableLayer:
    return UnreadableLayer(
        Fault(what="the archive is damaged or was cut off", remedy="download or copy it again", file=str(path))
    )
