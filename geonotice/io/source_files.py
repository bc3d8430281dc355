"""The files a source is made of, whether they are still what was imported, and whether the store is as import wrote it."""

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geonotice.model import Source


__all__ = [
    "BLANK_SEAL",
    "JOURNALS",
    "PARTS",
    "changed_sources",
    "files_of",
    "is_sealed",
    "seal",
    "sha256_of",
    "size_and_time",
    "state_of",
]


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


_MARK = "geonotice-seal:"
BLANK_SEAL = f"{_MARK}{'0' * 64}:{'0' * 10}:{'0' * 12}"
"""What import writes into ``meta`` first."""

_HEADER = 100
"""SQLite's header changes when a program only looks (QGIS does so), so it is not part of the content."""

_EVEN_S = 2
"""File systems of memory sticks and zip archives keep even seconds only; a time that all can keep outlives a copy."""

_BLOCK = 1 << 20


def seal(path: "Path") -> None:
    """Seal a store that holds :data:`BLANK_SEAL` and that nobody has open.

    Raises
    ------
    ValueError
        It does not hold a blank seal exactly once.
    """
    blank = BLANK_SEAL.encode()
    with path.open("rb") as stream:
        at, *more = _places_of(stream, blank) or [-1]
        if at < 0 or more:
            raise ValueError("a store has one blank seal")
        time_s = path.stat().st_mtime_ns // 1_000_000_000 // _EVEN_S * _EVEN_S
        content = _sum(stream, at)
        stream.seek(0)
        made = f"{_MARK}{content}:{_counter(stream.read(_HEADER)):010d}:{time_s:012d}".encode()
    with path.open("r+b") as target:
        target.seek(at)
        target.write(made)
    os.utime(path, ns=(time_s * 1_000_000_000, time_s * 1_000_000_000))


def is_sealed(path: "Path", written: str) -> bool:
    """Return whether a store is as import wrote it.

    Parameters
    ----------
    path
        The store.
    written
        The seal in its ``meta``.
    """
    if len(files_of(path)) > 1:
        return False  # what another program changed stands in a journal beside it
    parts = written.removeprefix(_MARK).split(":")
    if not written.startswith(_MARK) or len(written) != len(BLANK_SEAL):
        return False
    content, counter, time_s = parts
    with path.open("rb") as stream:
        head = stream.read(_HEADER)
    if f"{_counter(head):010d}" == counter and path.stat().st_mtime_ns == int(time_s) * 1_000_000_000:
        return True
    with path.open("rb") as stream:
        places = _places_of(stream, written.encode())
        return bool(places) and _sum(stream, places[0]) == content


def _counter(head: bytes) -> int:
    """Return SQLite's counter of changes (https://www.sqlite.org/fileformat2.html, 1.3)."""
    return int.from_bytes(head[24:28], "big")


def _places_of(stream: BinaryIO, sought: bytes) -> list[int]:
    """Return where some bytes stand in a file, which is read block by block."""
    found: list[int] = []
    stream.seek(0)
    start, held = 0, b""
    while block := stream.read(_BLOCK):
        held += block
        at = held.find(sought)
        while at >= 0:
            found.append(start + at)
            at = held.find(sought, at + 1)
        rest = len(sought) - 1  # what begins here may end in the next block
        start, held = start + max(len(held) - rest, 0), held[-rest:]
    return found


def _sum(stream: BinaryIO, at: int) -> str:
    """Hash a store's content, with a blank in the place of its seal."""
    digest = hashlib.sha256()
    stream.seek(_HEADER)
    left = at - _HEADER
    while left > 0:
        block = stream.read(min(left, _BLOCK))
        digest.update(block)
        left -= len(block)
    stream.seek(at + len(BLANK_SEAL))
    while block := stream.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()
