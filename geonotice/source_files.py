"""The files that a source is made of, and whether they are still what was imported."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geonotice.model import Source

__all__ = ["changed_sources", "sha256_of", "size_and_time"]

_SHAPEFILE = (".shp", ".shx", ".dbf", ".prj", ".cpg")


def sha256_of(path: Path) -> str:
    """Hash a file, or all the files a source is made of (a FileGDB's folder, a shapefile's parts) in the order of their names."""
    digest = hashlib.sha256()
    for file in _files_of(path):
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def changed_sources(sources: "Iterable[Source]", folder: Path) -> tuple[str, ...]:
    """List the sources that are no longer what was imported, each with what happened to it.

    Size and time are looked at first; a file is hashed only where they differ.
    """
    changed = []
    for source in sources:
        path = folder / source.path
        if not path.exists():
            changed.append(f"{source.path} is no longer there")
            continue
        size, mtime_ns = size_and_time(path)
        if (size, mtime_ns) != (source.size, source.mtime_ns) and sha256_of(path) != source.sha256:
            changed.append(f"{source.path} has changed since it was imported")
    return tuple(changed)


def size_and_time(path: Path) -> tuple[int, int]:
    """Give the size in bytes and the time of the last change in nanoseconds; of several files, the sum and the latest."""
    states = [item.stat() for item in _files_of(path)]
    return sum(state.st_size for state in states), max((state.st_mtime_ns for state in states), default=0)


def _files_of(path: Path) -> list[Path]:
    """List the files that a source is made of: the owners of a shapefile stand in its .dbf."""
    if path.is_dir():
        return sorted(item for item in path.rglob("*") if item.is_file())
    if path.suffix.lower() == ".shp":
        beside = (path.with_suffix(case(suffix)) for suffix in _SHAPEFILE for case in (str.lower, str.upper))
        return sorted({path, *(item for item in beside if item.is_file())})
    return [path]
