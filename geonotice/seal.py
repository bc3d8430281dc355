"""The seal of a store: whether it is still what import wrote.

A change made in the store itself, with QGIS or any other program, would be used for mail that no source accounts for, and be lost at the next import. The
seal stands in the store's table ``meta``, with a fixed length, and is written over a blank one once everything else is there. It holds a sum of the
content, SQLite's own counter of changes and the time of the file: where counter and time are as they were, nothing needs to be read.
"""

import hashlib
import mmap
import os
from typing import TYPE_CHECKING

from geonotice.source_files import files_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BLANK_SEAL", "is_sealed", "seal"]

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
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(blank)
        if at < 0 or data.find(blank, at + 1) >= 0:
            raise ValueError("a store has one blank seal")
        time_s = path.stat().st_mtime_ns // 1_000_000_000 // _EVEN_S * _EVEN_S
        made = f"{_MARK}{_sum(data, at)}:{_counter(data[:_HEADER]):010d}:{time_s:012d}".encode()
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
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(written.encode())
        return at >= 0 and _sum(data, at) == content


def _counter(head: bytes) -> int:
    """Return SQLite's counter of changes (https://www.sqlite.org/fileformat2.html, 1.3)."""
    return int.from_bytes(head[24:28], "big")


def _sum(data: mmap.mmap, at: int) -> str:
    """Hash a store's content, with a blank in the place of its seal."""
    digest = hashlib.sha256()
    end = at + len(BLANK_SEAL)
    for first, last in ((_HEADER, at), (end, len(data))):
        for start in range(first, last, _BLOCK):
            digest.update(data[start : min(start + _BLOCK, last)])
    return digest.hexdigest()
