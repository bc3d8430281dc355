"""The files that a source is made of, and whether they are still what was imported.

A source is every file that is read for it: the parts of a shapefile or a MapInfo table, the journal in which another program keeps what it has
changed in a GeoPackage. :func:`files_of` is the one list of them: what is hashed is what the readers are shown, and nothing else.
"""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geonotice.model import Source

__all__ = ["JOURNALS", "PARTS", "changed_sources", "files_of", "sha256_of", "size_and_time", "state_of"]

PARTS = {
    ".shp": (".shx", ".dbf", ".prj", ".cpg"),
    ".dbf": (".cpg",),
    ".tab": (".dat", ".map", ".id", ".ind", ".dbf"),
    ".mif": (".mid",),
}
"""The parts that are read beside a file, by its ending."""

JOURNALS = ("-wal", "-journal")
"""What SQLite keeps beside a database: changes that are not in it yet, or that are to be taken back. The -shm file is only an index."""

_LOCKS = ".lock"
"""What ArcGIS puts into a file geodatabase while it is open there."""


def files_of(path: Path) -> list[Path]:
    """List the files that a source is made of, the one named first; a folder's in the order of their names."""
    if path.is_dir():
        return sorted(item for item in path.rglob("*") if item.is_file() and item.suffix.lower() != _LOCKS)
    parts = [
        next((part for part in (path.with_suffix(ending), path.with_suffix(ending.upper())) if part.is_file()), None)
        for ending in PARTS.get(path.suffix.lower(), ())
    ]
    journals = (path.with_name(path.name + ending) for ending in JOURNALS)
    # an empty journal is what a program that only looks leaves there while it is open
    return [path, *(part for part in parts if part is not None), *(item for item in journals if _filled(item))]


def sha256_of(path: Path) -> str:
    """Hash a source: a single file as ``sha256sum`` does; of several files each one's name, size and content, in the order of :func:`files_of`."""
    digest = hashlib.sha256()
    files = files_of(path)
    for file in files:
        if len(files) > 1:
            digest.update(f"{_name(file, path)}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def state_of(path: Path) -> str:
    """Return the name, size and time of change of each file of a source, as JSON: quick to compare with what it was at import."""
    states = [(_name(file, path), file.stat()) for file in files_of(path)]
    return json.dumps([[name, state.st_size, state.st_mtime_ns] for name, state in states], separators=(",", ":"))


def changed_sources(sources: "Iterable[Source]", folder: Path) -> tuple[str, ...]:
    """List the sources that are no longer what was imported, each with what happened to it.

    Names, sizes and times are looked at first; the files are hashed only where they differ.
    """
    changed = []
    for source in sources:
        path = folder / source.path
        if not path.exists():
            changed.append(f"{source.path} is no longer there")
        elif state_of(path) != source.files and sha256_of(path) != source.sha256:
            changed.append(f"{source.path} has changed since it was imported")
    return tuple(changed)


def size_and_time(path: Path) -> tuple[int, int]:
    """Return the size in bytes and the time of the last change in nanoseconds; of several files, the sum and the latest."""
    states = [item.stat() for item in files_of(path)]
    return sum(state.st_size for state in states), max((state.st_mtime_ns for state in states), default=0)


def _name(file: Path, path: Path) -> str:
    """Name a file of a source from the folder that the source lies in, or that it is."""
    return file.relative_to(path if path.is_dir() else path.parent).as_posix()


def _filled(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
