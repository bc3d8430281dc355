"""Files that go out: written whole or not at all, and recognized when they are there already.

Content in the making stands in a hidden folder beside its target. The folder has a file that its process keeps locked as long as it lives; so
what a killed process left behind, with owners' names in it, is kept apart from what another process is just writing, and is removed by whoever
writes there next. Where several files go to their places together, the hidden folder first lists every move: a process that is killed between two of them
has all of them done by whoever comes there next.

A page, a report or a calendar ends or begins with a mark that holds a hash of the rest. What has no such mark, or was changed since, is somebody's
work and is never replaced.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from geonotice.errors import Fault, OutputError

__all__ = [
    "Origin",
    "in_the_making",
    "is_packet",
    "marked",
    "origin",
    "remove_leftovers",
    "write_file",
    "write_files",
    "write_folder",
]

_MAKING = ".geonotice-making-"
_LOCK = "lock"
_NEW, _OLD, _MOVES = "new", "old", "moves.json"
"""Where several files are made, where what they take the place of waits, and the list of the moves."""
_AN_HOUR_S = 3600.0
_A_DAY_S = 86_400.0

_EARLIER = re.compile(r"\..+\.(\d+)\.importing\.gpkg(?:-journal|-wal|-shm)?|\..+\.(?:html?|pdf|ics|toml)\.(\d+)")
"""What earlier versions called a store or a paper in the making: with the number of the process."""

_FULL = {errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
"""What a file system answers that knows no locks."""

Origin = Literal["nothing", "own", "changed", "foreign"]
"""Of a file in the place of a paper: none or an empty one; as this program wrote it; changed since; of somebody else."""


# -- in the making -------------------------------------------------------------------------------------------------------------


@contextmanager
def in_the_making(target: Path, what: str = "the file") -> Iterator[Path]:
    """Return a path under which to write what is then renamed to ``target``; whatever is left there at the end is removed.

    Parameters
    ----------
    target
        Where it will go.
    what
        What a message calls it.

    Raises
    ------
    OutputError
        The system or SQLite refuses to write: the disk is full, say. What is at ``target`` is as it was.
    """
    folder, lock = None, None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(target.parent)
        folder, lock = _locked_folder(target.parent)
        yield folder / target.name
    except (OSError, sqlite3.Error) as error:
        raise OutputError(_unwritten(target, what, error)) from error
    finally:
        if lock is not None:
            os.close(lock)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _unwritten(target: Path, what: str, error: OSError | sqlite3.Error) -> Fault:
    said = (error.strerror if isinstance(error, OSError) else "") or str(error)
    full = isinstance(error, OSError) and error.errno in _FULL
    full = full or (isinstance(error, sqlite3.Error) and ("full" in said or "disk I/O" in said))
    do = (
        "make room on the disk, and try again"
        if full
        else "name a folder that is there and may be written to, and close what has it open"
    )
    kept = "; what was there is as it was" if target.exists() else ""
    return Fault(what=f"{what} cannot be written: {said}", file=str(target), remedy=f"{do}{kept}")


def _locked_folder(parent: Path) -> tuple[Path, int | None]:
    """Make a folder with a lock in it; it may be taken for a leftover before it is locked, and then another is made."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_MAKING, dir=parent))  # of this user alone, as mkdtemp makes it
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue
        taken = _take(lock)
        if taken is None:
            os.close(lock)
            return folder, None
        if taken and (folder / _LOCK).exists():
            return folder, lock
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _take(lock: int) -> bool | None:
    """Take a lock without waiting; return whether it was free, or None where the file system knows no locks."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows only
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return None if error.errno in _NO_LOCKS else False
    return True


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left in a folder; what a running one is writing stays."""
    with suppress(OSError):
        for item in os.scandir(folder):
            with suppress(OSError):
                if item.name.startswith(_MAKING) and item.is_dir(follow_symlinks=False):
                    _remove_if_dead(Path(item.path))
                elif _is_earlier_leftover(item):
                    Path(item.path).unlink()


def _remove_if_dead(folder: Path) -> None:
    if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        return  # another user's, in a folder that all may write to
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        # Just made, and not locked yet; or its process was killed between the two.
        if time.time() - folder.stat().st_mtime > _AN_HOUR_S:
            shutil.rmtree(folder)
        return
    try:
        dead = _take(lock)
    finally:
        os.close(lock)
    if dead:
        if (folder / _MOVES).is_file():
            _move(folder)
        shutil.rmtree(folder)


def _is_earlier_leftover(item: "os.DirEntry[str]") -> bool:
    found = _EARLIER.fullmatch(item.name)
    if found is None or not item.is_file(follow_symlinks=False):
        return False
    return not _is_running(int(found[1] or found[2]), item.stat().st_mtime)


def _is_running(process: int, changed: float) -> bool:
    """Return whether a process may be running still; Windows has no harmless way to ask, and a day is longer than any import."""
    if os.name == "nt":
        return time.time() - changed < _A_DAY_S
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


# -- whole, or not at all ------------------------------------------------------------------------------------------------------


def write_file(file: Path, content: bytes) -> None:
    """Write one file: whole, or not at all; a page, a report or a calendar with its mark.

    Raises
    ------
    OutputError
        It cannot be written; what was there is as it was.
    """
    with in_the_making(file) as made:
        _write(made, marked(content, file.suffix))
        made.replace(file)


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def write_files(folder: Path, files: Mapping[str, bytes], *, keep: bool = False, what: str = "the paper") -> tuple[Path, ...]:
    """Write files into a folder that may hold others: all of them, or none.

    Parameters
    ----------
    folder
        The folder; it is made where it is not there.
    files
        Contents by name; pages, reports and calendars get their mark. One that is there with the same content stays.
    keep
        Whether an earlier file of a name is kept under another one.
    what
        What a message calls them.

    Returns
    -------
    tuple of Path
        Where the files are.

    Raises
    ------
    OutputError
        They cannot be written; what was there is as it was.
    """
    made = {name: marked(content, Path(name).suffix) for name, content in files.items()}
    with in_the_making(folder / next(iter(made), "nothing"), what) as place:
        making = place.parent
        (making / _NEW).mkdir()
        moves = []
        for n, (name, content) in enumerate(made.items()):
            target = folder / name
            if target.is_file() and target.read_bytes() == content:
                continue
            _write(making / _NEW / name, content)
            if target.exists():
                moves.append((target, _free_file(target) if keep else making / _OLD / str(n)))
            moves.append((making / _NEW / name, target))
        _move_together(making, moves)
    return tuple(folder / name for name in made)


def write_folder(files: Mapping[str, bytes], out: Path, *, keep: bool = True) -> Path | None:
    """Write files into a folder: all of them, or none.

    They are written to a new folder beside ``out``, which then takes its place. An earlier packet there is kept under another name,
    because it may have been mailed.

    Parameters
    ----------
    files
        Contents by name.
    out
        The folder; a packet is there, or nothing.
    keep
        Whether an earlier packet is kept; without, it is replaced, unless it holds something that no packet has.

    Returns
    -------
    Path or None
        Where an earlier packet was moved to; None where there was none.

    Raises
    ------
    OutputError
        It cannot be written; what was there is as it was.
    """
    out = out.absolute()
    with in_the_making(out, "the packet") as place:
        making = place.parent
        made = making / _NEW
        made.mkdir()
        for name, content in files.items():
            _write(made / name, content)
        made.chmod(0o755)
        moves, kept = [], None
        if out.exists():
            aside = keep or any(item.name not in files for item in out.iterdir())
            kept = _free_name(out) if aside and any(out.iterdir()) else None
            moves.append((out, kept or making / _OLD / "0"))
        _move_together(making, [*moves, (made, out)])
    return kept


def _move_together(making: Path, moves: Sequence[tuple[Path, Path]]) -> None:
    """Do moves of files or folders, all or none: what fails is undone here, and what a killed process left is done by the next.

    Raises
    ------
    OSError
        One cannot be done; those before it were undone.
    """
    (making / _OLD).mkdir()
    listed = [[os.path.relpath(path, making.parent) for path in move] for move in moves]
    _write(making / "listed", json.dumps(listed).encode())
    (making / "listed").replace(making / _MOVES)  # from here on they are all done
    try:
        for start, end in moves:
            start.rename(end)
    except BaseException:
        for start, end in reversed(moves):
            if end.exists() and not start.exists():
                end.rename(start)
        (making / _MOVES).unlink()
        raise


def _move(making: Path) -> None:
    """Do what is left of the moves that a killed process listed: each whose end is not there yet, in their order."""
    listed = json.loads((making / _MOVES).read_bytes())
    for start, end in ((making.parent / one, making.parent / other) for one, other in listed):
        if start.exists() and not end.exists():
            start.rename(end)


def _free_name(out: Path) -> Path:
    number = 1
    while (kept := out.with_name(f"{out.name}-before-{number}")).exists():
        number += 1
    return kept


def _free_file(file: Path) -> Path:
    number = 1
    while (kept := file.with_name(f"{file.stem}-before-{number}{file.suffix}")).exists():
        number += 1
    return kept


# -- recognized ----------------------------------------------------------------------------------------------------------------

_HEX = 40
_BLANK = b"0" * _HEX
_MARKS = {
    ".html": re.compile(rb'<head><meta name="generator" content="geonotice; ([0-9a-f]{40})">'),
    ".pdf": re.compile(rb"%geonotice; ([0-9a-f]{40})\n\Z"),
    ".ics": re.compile(rb"X-GEONOTICE-MARK:([0-9a-f]{40})\r\n"),
}
_MARKS[".htm"] = _MARKS[".html"]

_EARLIER_PAGE = b'<!DOCTYPE html>\n<html lang="en">\n<head>\n    <meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'sha256-'
"""How a page of a version that set no mark begins; nobody else's has these lines."""

_RECORD_KEYS = {
    "occasion",
    "required",
    "town",
    "ordinance",
    "premises",
    "parcels",
    "recipients",
    "settings",
    "sources",
    "version",
}
_RECORD_BYTES = 200_000_000


def marked(content: bytes, ending: str) -> bytes:
    """Return a page, a report or a calendar with its mark; any other content as it is."""
    ending = ending.casefold()
    if ending in {".html", ".htm"} and b"<head>" in content:
        blank = content.replace(b"<head>", b'<head><meta name="generator" content="geonotice; ' + _BLANK + b'">', 1)
    elif ending == ".pdf" and content.startswith(b"%PDF"):
        blank = content.rstrip(b"\n") + b"\n%geonotice; " + _BLANK + b"\n"  # behind the end, as a comment
    elif ending == ".ics" and b"\r\nVERSION:2.0\r\n" in content:
        blank = content.replace(b"\r\nVERSION:2.0\r\n", b"\r\nVERSION:2.0\r\nX-GEONOTICE-MARK:" + _BLANK + b"\r\n", 1)
    else:
        return content
    found = _MARKS[ending].search(blank)
    assert found is not None  # noqa: S101  # set just above
    return blank[: found.start(1)] + _sum(blank) + blank[found.end(1) :]


def _sum(blank: bytes) -> bytes:
    return hashlib.sha256(blank).hexdigest()[:_HEX].encode()


def origin(file: Path) -> Origin:
    """Return whose a file is, by its mark; the pages, reports and calendars of versions that set none are known by how they begin.

    Raises
    ------
    OSError
        It cannot be read.
    """
    if not file.is_file() or file.stat().st_size == 0:
        return "nothing"
    content, ending = file.read_bytes(), file.suffix.casefold()
    found = _MARKS[ending].search(content) if ending in _MARKS else None
    if found is not None:
        return "own" if _sum(content[: found.start(1)] + _BLANK + content[found.end(1) :]) == found[1] else "changed"
    if b"%geonotice; " in content or b"X-GEONOTICE-MARK" in content:
        return "changed"  # the mark is no longer where it was: a note was set on the report, say
    return "own" if _is_of_earlier_version(content, ending) else "foreign"


def _is_of_earlier_version(content: bytes, ending: str) -> bool:
    if ending in {".html", ".htm"}:
        return content.startswith(_EARLIER_PAGE) and b"const geonotice = (() =" in content
    if ending == ".pdf":
        # Whoever sets a note on a report adds a second end.
        made = b"ReportLab Generated PDF document" in content[:200] and content.count(b"%%EOF") == 1
        return made and re.search(rb"/Creator\s*\(geonotice\)", content) is not None
    return ending == ".ics" and content.startswith(b"BEGIN:VCALENDAR\r\n") and b"\r\nPRODID:-//geonotice//" in content[:200]


def is_packet(folder: Path) -> bool:
    """Return whether a folder is a packet of this program: its record has what no other program's file of that name has."""
    record = folder / "record.json"
    try:
        if record.stat().st_size > _RECORD_BYTES:
            return False
        found = json.loads(record.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and set(found) >= _RECORD_KEYS
