"""A register that may be read and not written: on a share, in an archive, by somebody who only looks things up.

SQLite's write-ahead log asks even a reader to write beside the file. So such a register is read from a copy in memory, made while nothing
was written to it.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from geonotice.errors import Fault, RegisterError
from geonotice.output_files import in_the_making
from geonotice.register.database import guard

__all__ = ["in_memory_copy", "may_not_write"]

_TRIES = 20
_PAUSE_SECONDS = 0.25
"""A permit takes milliseconds to write: five seconds without a quiet moment is something else."""


def may_not_write(file: Path) -> bool:
    """Say whether this user may not write the register or its folder."""
    return not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def in_memory_copy(file: Path) -> sqlite3.Connection:
    """Copy a register into memory, with what stands in its write-ahead log.

    Raises
    ------
    RegisterError
        It may not be read, or is written to without a pause.
    """
    with in_the_making(Path(tempfile.gettempdir()) / "permits.sqlite", "a copy of the register to read from") as copy:
        for _ in range(_TRIES):
            before = _state(file)
            try:
                for end in ("", "-wal"):
                    source, target = Path(f"{file}{end}"), Path(f"{copy}{end}")
                    target.unlink(missing_ok=True)
                    if not end or source.exists():
                        shutil.copyfile(source, target)
            except OSError as error:
                remedy = "ask for the right to read it"
                raise RegisterError(
                    Fault(what=f"the register cannot be read: {error.strerror}", file=str(file), remedy=remedy)
                ) from error
            if _state(file) == before:
                return _loaded(copy, file)
            time.sleep(_PAUSE_SECONDS)
    raise RegisterError(
        Fault(what="the register is being written to without a pause", file=str(file), remedy="try again in a minute")
    )


def _state(file: Path) -> list[tuple[int, int] | None]:
    """Give what changes when the register is written to."""
    paths = (file, Path(f"{file}-wal"))
    return [(found.st_size, found.st_mtime_ns) if path.exists() and (found := path.stat()) else None for path in paths]


def _loaded(copy: Path, file: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        guard(memory)
        with closing(sqlite3.connect(copy)) as source:
            source.backup(memory)
    except sqlite3.DatabaseError as error:
        memory.close()
        raise RegisterError(
            Fault(
                what="this file is not a permit register, or it is damaged",
                why=str(error),
                file=str(file),
                remedy="correct register.url, or bring back a backup",
            )
        ) from error
    return memory
