"""The one place that knows which database it is: connections, transactions, locks, backup copies."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool, StaticPool

from geonotice.errors import Fault, RegisterError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

__all__ = [
    "WRITE",
    "back_up",
    "connect",
    "damaged",
    "explain",
    "file_of",
    "in_memory",
    "limit_waiting",
    "lock_whole",
    "one_state",
    "place_of",
    "resolve",
]

WRITE = "geonotice_write"
"""Execution option of a connection whose transaction writes: it takes the write lock before it reads anything."""

BUSY_SECONDS = 60
"""How long a writer waits for another: many times what a permit takes, short enough that a stuck program is noticed."""


def resolve(url: str, base: Path) -> str:
    """Make the relative path of an SQLite URL one that starts at ``base``, the folder of the town file; leave other URLs as they are."""
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        return url
    return parsed.set(database=str((base / parsed.database).resolve())).render_as_string(hide_password=False)


def _parsed(url: str) -> "URL":
    try:
        return make_url(url)
    except ArgumentError as error:
        remedy = "write for instance: sqlite:///permits.sqlite"
        raise RegisterError(Fault(what=f"{url!r} is no address of a register", key="register.url", remedy=remedy)) from error


def file_of(url: str) -> Path | None:
    """Give the file of an SQLite register; None for a database on a server."""
    parsed = _parsed(url)
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None


def place_of(url: str) -> str:
    """Give where a register is, for a message: its file, or its URL without the password."""
    return str(file_of(url) or _parsed(url).render_as_string())


def in_memory(opened: sqlite3.Connection | None = None) -> "Engine":
    """Make the engine of a database that is on no disk and is gone with the process: an empty one, or one that is open."""
    if opened is None:
        return create_engine("sqlite://", poolclass=StaticPool)
    return create_engine("sqlite://", poolclass=StaticPool, creator=lambda: opened)


def connect(url: str) -> "Engine":
    """Make the engine for a register's URL.

    Raises
    ------
    RegisterError
        The URL is not one, its driver is not installed, or its file cannot hold a register.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        file = file_of(url)
        if file is None or str(file) == ":memory:":
            raise RegisterError(
                Fault(what="the register must be a file", key="register.url", why="a register in memory is lost at once")
            )
        if not file.parent.is_dir():
            raise RegisterError(
                Fault(what="its folder does not exist", file=str(file), remedy="make the folder, or correct register.url")
            )
        if file.is_dir():
            raise RegisterError(Fault(what="this is a folder, not a register", file=str(file), remedy="correct register.url"))
    try:
        if parsed.get_backend_name() != "sqlite":
            return create_engine(parsed)
        # Without the driver's own transactions: it would begin late, after the first reading, and not at all before a table is made.
        engine = create_engine(parsed, poolclass=NullPool, connect_args={"timeout": BUSY_SECONDS, "isolation_level": None})
    except (NoSuchModuleError, ImportError) as error:
        what = f"nothing is installed that can talk to {parsed.drivername} ({error})"
        raise RegisterError(
            Fault(what=what, key="register.url", remedy="install its driver, or use sqlite:///permits.sqlite")
        ) from error
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: a permit that was printed must still be there after a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal":
        _to_wal(connection)


def _to_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging: readers never wait for the writer. The switch itself needs the file alone."""
    # SQLite does not wait for the lock here, whatever the time-out; taking it in a transaction first does the waiting.
    for _ in range(BUSY_SECONDS):
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal":
                return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def _begin(connection: "Connection") -> None:
    write = connection.get_execution_options().get(WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def one_state(connection: "Connection") -> dict[str, Any]:
    """Give the execution options with which all that a transaction reads is of one moment, whatever is written meanwhile."""
    # SQLite's write-ahead log does it by itself; a server would show each statement what was written by then, and the log would be
    # held against permits of a moment later.
    return {"isolation_level": "REPEATABLE READ"} if connection.dialect.name == "postgresql" else {}


def limit_waiting(connection: "Connection") -> None:
    """Wait for another writer on a server no longer than for one on a file."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'")


def lock_whole(connection: "Connection") -> None:
    """Keep other processes from migrating at the same time, until the transaction ends."""
    if connection.dialect.name == "postgresql":
        # Any number will do that the other programs of the same server do not use.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(283006)")


def back_up(url: str, label: str) -> Path | None:
    """Copy an SQLite register beside itself before it is migrated; a copy that is there already is never overwritten.

    Returns
    -------
    Path or None
        The copy; None for a database on a server, whose administrator keeps the backups.
    """
    file = file_of(url)
    if file is None:
        return None
    copy = file.with_name(f"{file.name}.{label}.bak")
    n = 1
    while copy.exists():
        n += 1
        copy = file.with_name(f"{file.name}.{label}.{n}.bak")
    partial = copy.with_name(f"{copy.name}.part")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(partial)) as target:
        source.backup(target)
        # A copy is a single file: without the write-ahead log that would have to go with it.
        target.execute("PRAGMA journal_mode = DELETE")
    partial.replace(copy)
    return copy


def damaged(url: str, why: str) -> RegisterError:
    """Say that a register's file is damaged."""
    remedy = "bring back the last backup; do not write to this one"
    return RegisterError(Fault(what="the register's file is damaged", why=why, file=place_of(url), remedy=remedy))


def explain(error: DBAPIError, url: str) -> RegisterError:
    """Turn a database's error into words for a clerk."""
    text = str(error.orig) if error.orig else str(error)
    place = place_of(url)
    held = {
        "what": "another program has held the register for over a minute",
        "remedy": "close other programs that have it open, and try again; nothing was written",
    }
    known: dict[str, dict[str, Any]] = {
        "locked": held,
        "lock timeout": held,
        "readonly": {"what": "the register cannot be written", "remedy": "ask for write permission on the file and its folder"},
        "not a database": {
            "what": "this file is not a permit register",
            "remedy": "correct register.url, or bring back a backup",
        },
        "unable to open": {
            "what": "the register cannot be opened",
            "remedy": "check that its folder exists and may be read and written",
        },
        "full": {"what": "the disk is full", "remedy": "make room and try again; nothing was written"},
    }
    if "malformed" in text:
        return damaged(url, text)
    for sign, words in known.items():
        if sign in text:
            return RegisterError(Fault(file=place, why=text, **words))
    return RegisterError(
        Fault(what="the database refused", why=text, file=place, remedy="nothing was written; correct the cause and try again")
    )
