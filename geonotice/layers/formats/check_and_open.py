"""Look at a source before GDAL does: is it there, is it what its name says, is it whole.

GDAL reads what it can of a file that was cut short, and opens a shapefile whose index is missing only if it may write one beside it.
So the questions that decide whether a list will be complete are asked here, of the bytes. Nothing is ever written beside a source: GDAL is shown it in
a temporary folder, with the parts that are hashed and no other (it would trust a .gfs or .xsd that lies beside a GML, and write one there).
"""

import os
import shutil
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from geonotice.errors import Fault, LayerError, UnreadableLayer
from geonotice.io.archives import ARCHIVE_ERRORS, MAX_WORKBOOK, check_archive, damaged_archive, unpack_member
from geonotice.io.source_files import PARTS, files_of
from geonotice.layers.formats import esri_curves, geodatabase, json, mapinfo, shapefile, sqlite, xml
from geonotice.layers.source import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Source", "opened"]

JSON_ENDINGS = frozenset({".json", ".geojson", ".topojson", ".geojsonl", ".geojsons", ".ndjson", ".jsonl", ".esrijson"})
XML_ENDINGS = frozenset({".gml", ".kml", ".xml", ".gpx"})
CSV_ENDINGS = frozenset({".csv", ".tsv", ".txt"})
WORKBOOK_ENDINGS = frozenset({".xlsx", ".xlsm"})
TABLE_ENDINGS = CSV_ENDINGS | WORKBOOK_ENDINGS | {".dbf", ".xls", ".ods"}
OTHER_ENDINGS = {".tab": "mapinfo", ".mif": "mapinfo", ".dxf": "dxf"}
"""Formats that are known by their name, and the kind that each is."""

PARQUET_ENDINGS = frozenset({".parquet", ".geoparquet", ".pq"})
SHAPEFILE_PARTS = frozenset({".shx", ".prj", ".cpg", ".sbn", ".sbx", ".qix", ".qpj"})
DATA_ENDINGS = JSON_ENDINGS | PARQUET_ENDINGS | {".gml", ".kml", ".gpx"} | {".shp", ".gpkg", ".fgb", ".sqlite", ".tab", ".mif"}

_MAGIC = {"gpkg": b"SQLite format 3\x00", "fgb": b"fgb\x03", "parquet": b"PAR1", "zip": b"PK"}


_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_WORKBOOK = "the file is a workbook or a document of the old kind (.xls), whatever its name says"
_PACKED = frozenset({".gz", ".7z", ".rar", ".tar", ".tgz", ".bz2", ".xz", ".zst"})
_UNPACK = "unpack it, and name what is inside"
_OTHERS = (
    (b"\x1f\x8b", "the file is packed (gzip), whatever its name says", _UNPACK),
    (b"BZh", "the file is packed (bzip2), whatever its name says", _UNPACK),
    (b"7z\xbc\xaf", "the file is packed (7z), whatever its name says", _UNPACK),
    (b"Rar!", "the file is packed (rar), whatever its name says", _UNPACK),
    (b"%PDF", "the file is a PDF, which has no shapes to measure", "ask for the layer itself, as GeoPackage or shapefile"),
    (b"AC10", "the file is an AutoCAD drawing (.dwg), which is not read", "save it as DXF, or export the layer as GeoPackage"),
    (b"\x00\x01\x00\x00Standard ", "the file is an Access database (personal geodatabase), which is not read", "export the layer in ArcGIS as a file geodatabase or shapefile"),
    (b"\x89PNG", "the file is a picture, which has no shapes to measure", "ask for the layer itself, as GeoPackage or shapefile"),
    (b"\xff\xd8\xff", "the file is a picture, which has no shapes to measure", "ask for the layer itself, as GeoPackage or shapefile"),
    (b"II*\x00", "the file is a picture (TIFF), which has no shapes to measure", "ask for the layer itself, as GeoPackage or shapefile"),
)  # fmt: skip
"""What other files begin with: what is said of them, and what to do."""


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
        What its content shows: a key of :data:`geonotice.layers.formats.gdal.DRIVERS`, or ``parquet``, ``csv`` or ``workbook``, which GDAL does not open.
    encoding
        The text encoding to tell GDAL, where it would not find it by itself.
    claimed
        How many features the source says it should hold; None where it does not say.
    records, placed
        How many features stand in the file by the name of their layer, and how many of them have coordinates; empty where that is not known.
    notes
        What the reader should know.
    memos
        Columns whose text is in another file that is not read: what stands in them is no text.
    """

    path: Path
    dataset: str
    kind: str
    encoding: str | None = None
    claimed: int | None = None
    records: "Mapping[str, int]" = field(default_factory=dict)
    placed: "Mapping[str, int]" = field(default_factory=dict)
    notes: tuple[Note, ...] = field(default=())
    memos: tuple[str, ...] = ()


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
    elif _starts(path, _MAGIC["zip"]) and path.suffix.lower() not in WORKBOOK_ENDINGS | {".ods"}:
        with shapefile.workspace() as room:
            yield _zipped(path, room, layer)
    else:
        with shapefile.workspace() as room:
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
        files = {item.name.lower(): item for item in path.iterdir() if item.is_file()}
        geodatabase.examine(
            path, {name: item.stat().st_size for name, item in files.items()}, lambda name, size: _first(files[name], size)
        )
        return Source(path=path, dataset=str(path), kind="gdb")
    inside = sorted(item.name for item in path.iterdir() if item.suffix.lower() in DATA_ENDINGS | {".gdb", ".zip"})
    if path.suffix.lower() == ".gdb":
        what, remedy = "it is named like a file geodatabase, but holds no tables", "copy the whole .gdb folder again, or its zip"
    elif inside:
        what, remedy = "it is a folder", f"name one of the layers in it: {', '.join(inside[:8])}"
    else:
        what, remedy = "it is a folder without any layer in it", "name a file"
    raise UnreadableLayer(Fault(what=what, remedy=remedy, file=str(path)))


def _plain(shown: Path, path: Path, room: Path) -> Source:  # noqa: PLR0911  # one way out for each format
    """Look at one file. ``shown`` is what the user named, ``path`` where its bytes are."""
    head = _head(path)
    _refuse_by_name(shown, path, head)
    kind = _kind(shown, path, head)
    if kind == "gpkg":
        return Source(path=shown, dataset=str(sqlite.examine(shown, path, room)), kind=kind)
    if kind in {"parquet", "csv", "workbook"}:
        return Source(path=shown, dataset=str(path), kind=kind)
    path = _lay_out(path, room)
    source = Source(path=shown, dataset=str(path), kind=kind)
    if kind in {"shapefile", "dbf"}:
        look = shapefile.examine(shown, path, room) if kind == "shapefile" else shapefile.examine_dbf(shown, path)
        records = {} if look.kept is None else {look.path.stem: look.kept}
        return replace(
            source, dataset=str(look.path), encoding=look.encoding, notes=look.notes, records=records, memos=look.memos
        )
    if kind == "json":
        said = json.examine(shown, path)
        drawn, notes = esri_curves.straightened(shown, path, room)
        return replace(source, kind=said.kind, claimed=said.claimed, dataset=str(drawn), notes=notes)
    if kind == "xml":
        found = xml.examine(shown, path, room)
        return replace(
            source, kind=found.kind, dataset=str(found.path), claimed=found.claimed, records=found.records, placed=found.placed,
            notes=found.notes,
        )  # fmt: skip
    if kind == "ods":
        check_archive(path, given=str(shown), error=UnreadableLayer, most=MAX_WORKBOOK)
    if kind == "mapinfo":
        table = mapinfo.examine(shown, path)
        records, placed = ({} if number is None else {path.stem: number} for number in (table.records, table.placed))
        return replace(source, records=records, placed=placed, notes=table.notes)
    return source


def _kind(shown: Path, path: Path, head: bytes) -> str:  # noqa: PLR0911  # one line a format
    """Return what a file's content shows it to be; its name where the content shows nothing."""
    ending = path.suffix.lower()
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")[:1]
    if ending == ".shp":
        return "shapefile"
    if head.startswith(_MAGIC["gpkg"]):
        return "gpkg"
    if head.startswith(_MAGIC["fgb"]):
        return "fgb"
    if ending in PARQUET_ENDINGS or head.startswith(_MAGIC["parquet"]):
        return "parquet"
    if ending in WORKBOOK_ENDINGS or ending in {".ods", ".dbf"}:
        return "workbook" if ending in WORKBOOK_ENDINGS else ending.lstrip(".")
    if text == b"<" or ending in XML_ENDINGS:
        return "json" if text in (b"{", b"[") else "xml"
    if ending in JSON_ENDINGS or text in (b"{", b"["):
        return "json"
    if ending in CSV_ENDINGS:
        return "csv"
    if ending in OTHER_ENDINGS:
        return OTHER_ENDINGS[ending]
    raise UnreadableLayer(
        Fault(
            what="the file does not open: it is in no format that is known, or damaged",
            remedy="export it again from the program that made it, as GeoPackage or shapefile",
            file=str(shown),
        )
    )


def _lay_out(path: Path, room: Path) -> Path:
    """Show a source in a temporary folder, with the parts it is made of and nothing else; return the first of them there."""
    if path.parent == room:
        return path
    for part in files_of(path):
        target = room / f"{path.stem}{part.suffix.lower()}"
        try:
            target.symlink_to(part.resolve())
        except OSError:  # Windows lets few people make links
            shutil.copyfile(part, target)
    return room / f"{path.stem}{path.suffix.lower()}"


def _refuse_by_name(shown: Path, path: Path, head: bytes) -> None:
    """Refuse a file that its name promises to be something it is not, or that is a part or a package of a layer."""
    ending = path.suffix.lower()
    what = remedy = ""
    if ending in SHAPEFILE_PARTS:
        main = path.with_suffix(".shp")
        what, remedy = "this is only a part of a shapefile", f"name {main.name}" if main.exists() else "name the .shp file"
    elif ending == ".xls" or head.startswith(_OLD_OFFICE):
        kind = "workbooks of the old kind (.xls) are not read" if ending == ".xls" else _OLD_WORKBOOK
        what, remedy = kind, "open it in Excel and save it as .xlsx, or as CSV (UTF-8)"
    elif other := next(((said, do) for magic, said, do in _OTHERS if head.startswith(magic) and ending not in _PACKED), None):
        what, remedy = other
    elif ending == ".zip":
        what, remedy = (
            "the file is named like a zip archive, but is none",
            "download it again; it may be a web page that asks to sign in",
        )
    elif ending == ".gpkg" and not head.startswith(_MAGIC["gpkg"]):
        what, remedy = "the file is named like a GeoPackage, but is none", "download or export it again"
    elif ending in {".vrt", ".gfs", ".xsd", ".lyr", ".lyrx", ".qgs", ".qgz", ".mxd", ".aprx"}:
        what, remedy = f"a {ending} file is no layer but refers to one", "name the layer itself"
    elif ending in _PACKED:
        what, remedy = f"the file is packed ({ending})", _UNPACK
    if what:
        raise UnreadableLayer(Fault(what=what, remedy=remedy, file=str(shown)))


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(4096)


def _first(path: Path, size: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(size)


def _examine_packed(shown: Path, archive: zipfile.ZipFile, folder: PurePosixPath) -> None:
    """Look at a geodatabase in an archive."""
    inside = {
        PurePosixPath(item.filename).name.lower(): item
        for item in archive.infolist()
        if PurePosixPath(item.filename).parent == folder and not item.is_dir()
    }

    def first(name: str, size: int) -> bytes:
        with archive.open(inside[name]) as stream:
            return stream.read(size)

    geodatabase.examine(shown, {name: item.file_size for name, item in inside.items()}, first)


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
            if path.suffix.lower() == ".kmz":
                found = [name for name in found if name.suffix.lower() == ".kml"][:1] or found
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
                within = [
                    item.filename for item in infos if found[0] in PurePosixPath(item.filename).parents or str(found[0]) == "."
                ]
                check_archive(path, error=UnreadableLayer, members=within)
                _examine_packed(path, archive, found[0])
                inside = "" if str(found[0]) == "." else f"/{found[0]}"
                return Source(path=path, dataset=f"/vsizip/{path.resolve()}{inside}", kind="gdb")
            main = found[0]
            parts = PARTS.get(main.suffix.lower(), ())
            for item, name in zip(infos, members, strict=True):
                if name == main or (name.with_suffix("") == main.with_suffix("") and name.suffix.lower() in parts):
                    target = room / f"{main.stem}{name.suffix.lower()}"
                    unpack_member(archive, item.filename, target, given=file, error=UnreadableLayer)
    except ARCHIVE_ERRORS as error:
        raise damaged_archive(file, UnreadableLayer) from error
    return _plain(path, room / f"{main.stem}{main.suffix.lower()}", room)
