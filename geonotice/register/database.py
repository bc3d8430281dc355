"""The one place that knows which database it is: connections, transactions, locks, backup copies.

What only reads an SQLite register does so by SQLite's own driver, without SQLAlchemy, which takes longer to import than most reading takes.
"""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, RegisterError
from geonotice.io.output_files import in_the_making

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import URL, Connection, Engine
    from sqlalchemy.exc import DBAPIError

    AnyConnection = sqlite3.Connection | Connection

__all__ = [
    "WRITE",
    "answers_to",
    "back_up",
    "connect",
    "copy_bytes",
    "damaged",
    "examine",
    "explain",
    "file_of",
    "guard",
    "in_memory",
    "is_sqlite",
    "limit_waiting",
    "lock_whole",
    "one_state",
    "open_file",
    "place_of",
    "programs",
    "require_possible_file",
    "resolve",
    "table_names",
]

WRITE = "geonotice_write"
"""Execution option of a connection whose transaction writes: it takes the write lock before it reads anything."""

BUSY_SECONDS = 60
"""How long a writer waits for another: many times what a permit takes, short enough that a stuck program is noticed."""

MOST_BYTES = 512 * 1024 * 1024
"""The largest file that is read as a register: that of 100,000 permits has a tenth of it."""

MOST_CELL_BYTES = 16 * 1024 * 1024
"""The largest cell that is read: the outline of a million corners."""

MOST_STEPS = 5_000_000_000
"""How much work one connection may do, in steps of SQLite's machine: a minute or two. 100,000 permits take a tenth of it."""

_STEPS_AT_ONCE = 1_000_000

_EXAMINED_BYTES = 16 * 1024 * 1024
"""A file up to this size, of several thousand permits, is looked through each time it is opened, which takes some 20 ms; ``permit log
--verify`` looks through any."""


_FILE = "sqlite:///"


def _plain_file(url: str) -> str:
    """Return the file of an SQLite URL that is nothing but a file; empty for one that SQLAlchemy must take apart, or refuse."""
    plain = url.startswith(_FILE) and not any(sign in url for sign in ("?", "%", ":memory:"))
    return url.removeprefix(_FILE) if plain else ""


def resolve(url: str, base: Path) -> str:
    """Make the relative path of an SQLite URL one that starts at ``base``, the folder of the town file; leave other URLs as they are."""
    if (plain := _plain_file(url)) and _plain_file(found := f"{_FILE}{(base / plain).resolve()}"):
        return found
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        return url
    return parsed.set(database=str((base / parsed.database).resolve())).render_as_string(hide_password=False)


def _parsed(url: str) -> "URL":
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url)
    except ArgumentError as error:
        remedy = "write for instance: sqlite:///permits.sqlite"
        raise RegisterError(Fault(what=f"{url!r} is no address of a register", key="register.url", remedy=remedy)) from error


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite register; None for a database on a server."""
    if plain := _plain_file(url):
        return Path(plain)
    parsed = _parsed(url)
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None


def place_of(url: str) -> str:
    """Return where a register is, for a message: its file, or its URL without the password."""
    return str(file_of(url) or _parsed(url).render_as_string())


# ---- connections of SQLite's own driver, and of SQLAlchemy


def is_sqlite(connection: "AnyConnection") -> bool:
    """Return whether a connection is to an SQLite register."""
    return isinstance(connection, sqlite3.Connection) or connection.dialect.name == "sqlite"


def answers_to(
    connection: "AnyConnection", question: str, values: "Mapping[str, object] | None" = None
) -> tuple[tuple[str, ...], "Sequence[Sequence[Any]]"]:
    """Return the names of a question's columns, and its rows as the driver has them; ``:name`` stands for a value."""
    if isinstance(connection, sqlite3.Connection):
        cursor = connection.execute(question, values or {})
        return tuple(one[0] for one in cursor.description), cursor.fetchall()
    from sqlalchemy import text

    found = connection.execute(text(question), values or {})
    return tuple(found.keys()), found.all()


def table_names(connection: "AnyConnection") -> set[str]:
    """Return the tables that a database has, its own left out."""
    if is_sqlite(connection):
        asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        return {str(name) for (name,) in answers_to(connection, asked)[1]}
    from sqlalchemy import inspect

    return set(inspect(connection).get_table_names())


def require_possible_file(url: str) -> None:
    """Refuse what no SQLite register can be.

    Raises
    ------
    RegisterError
        It is in memory, in a folder that is not there, a folder itself, or far too large.
    """
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
    if file.is_file() and file.stat().st_size > MOST_BYTES:
        what = f"the file has {file.stat().st_size / 1e6:,.0f} MB; a register of 100,000 permits has 60"
        raise RegisterError(Fault(what=what, file=str(file), remedy="correct register.url, or bring back the last backup"))


def open_file(file: Path) -> sqlite3.Connection:
    """Open an SQLite register that is there by SQLite's own driver, to read from it, as :func:`connect` does with SQLAlchemy."""
    # Without the driver's own transactions: it would begin late, after the first reading, and not at all before a table is made.
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        _set_up(connection, None)
    except BaseException:
        connection.close()
        raise
    return connection


def guard(connection: sqlite3.Connection) -> None:
    """Bound what reading a file may take, whatever is in it: the size of a cell, the work of a connection, code in its schema."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_CELL_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    rounds = 0

    def beyond() -> bool:
        nonlocal rounds
        rounds += 1
        return rounds * _STEPS_AT_ONCE > MOST_STEPS

    connection.set_progress_handler(beyond, _STEPS_AT_ONCE)


def examine(connection: "AnyConnection", url: str, tables: "Iterable[str]") -> None:
    """Look whether a register's file is sound, before anything is read from it; a server looks after its files itself.

    Raises
    ------
    RegisterError
        It is damaged, or has a view in the place of a table: read, it could show half of the permits, or never come to an end.
    """
    if not is_sqlite(connection):
        return
    for kind, name in programs(connection, tables):
        if kind != "trigger":
            raise damaged(url, f"it has a {kind} {name!r} that this program did not make")
    file = file_of(url)
    if file is None or file.stat().st_size > _EXAMINED_BYTES:
        return
    found = [str(row[0]) for row in answers_to(connection, "PRAGMA quick_check(3)")[1]]
    if found != ["ok"]:
        raise damaged(url, "; ".join(found))


def programs(connection: "AnyConnection", tables: "Iterable[str]") -> list[tuple[str, str]]:
    """List the triggers on tables, and the views in their place, by kind and name: one could change what is written or hide what is read."""
    listed = ", ".join(f"'{name}'" for name in tables)
    if is_sqlite(connection):
        asked = (
            "SELECT type, name FROM sqlite_master"  # noqa: S608  # our own names
            f" WHERE tbl_name IN ({listed}) AND (type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%')"
        )
    else:
        # Other views may well be there: extensions make some.
        asked = (
            "SELECT 'trigger', trigger_name FROM information_schema.triggers "  # noqa: S608  # our own names
            f"WHERE event_object_schema = current_schema() AND event_object_table IN ({listed}) "
            f"UNION SELECT 'view', table_name FROM information_schema.views WHERE table_schema = current_schema() AND table_name IN ({listed})"
        )
    return [(str(kind), str(name)) for kind, name in answers_to(connection, asked)[1]]


def in_memory(opened: sqlite3.Connection) -> "Engine":
    """Make the engine of a database that is on no disk, is open, and is gone with the process."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    return create_engine("sqlite://", poolclass=StaticPool, creator=lambda: opened)


def connect(url: str) -> "Engine":
    """Make the engine for a register's URL.

    Raises
    ------
    RegisterError
        The URL is not one, its driver is not installed, or its file cannot hold a register.
    """
    from sqlalchemy import create_engine, event
    from sqlalchemy.exc import NoSuchModuleError
    from sqlalchemy.pool import NullPool

    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        require_possible_file(url)
    try:
        if parsed.get_backend_name() != "sqlite":
            return create_engine(parsed)
        # Its transactions begin as in :func:`open_file`.
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
    guard(connection)
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
    """Return the execution options with which all that a transaction reads is of one moment, whatever is written meanwhile."""
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
    with in_the_making(copy, "the copy of the register") as partial:
        _copy(file, partial)
        partial.replace(copy)
    return copy


def _copy(file: Path, to: Path) -> None:
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
        # A copy is a single file: without the write-ahead log that would have to go with it.
        target.execute("PRAGMA journal_mode = DELETE")


def copy_bytes(url: str) -> bytes | None:
    """Return an SQLite register as one file, as it stands at this moment, while others write; None for a database on a server.

    Raises
    ------
    RegisterError
        There is none, or it cannot be read.
    """
    file = file_of(url)
    if file is None:
        return None
    if not file.is_file():
        raise RegisterError(
            Fault(what="there is no permit register yet", file=str(file), remedy="it begins with the first permit or application")
        )
    with in_the_making(Path(tempfile.gettempdir()) / "permits.sqlite", "the copy of the register") as partial:
        try:
            _copy(file, partial)
        except sqlite3.Error as error:
            raise damaged(url, str(error)) from error
        return partial.read_bytes()


def damaged(url: str, why: str) -> RegisterError:
    """Return the error for a register whose file is damaged."""
    remedy = "bring back the last backup, and do not write to this file"
    return RegisterError(Fault(what="the register's file is damaged", why=why, file=place_of(url), remedy=remedy))


_DAMAGE = ("malformed", "too big", "no such table", "no such column", "already exists", "Could not decode", "interrupted")
"""What SQLite calls a file that is not as this program left it; ``interrupted`` is one that does not come to an end (see :func:`guard`)."""


def explain(error: "sqlite3.Error | DBAPIError", url: str, *, writing: bool = False) -> RegisterError:
    """Turn a database's error into words for a clerk."""
    text = str(getattr(error, "orig", None) or error)
    place = place_of(url)
    nothing = "; nothing was written" if writing else ""
    known: dict[str, dict[str, Any]] = {
        "locked": _held(nothing),
        "lock timeout": _held(nothing),
        "readonly": {"what": "the register cannot be written", "remedy": "ask for write permission on the file and its folder"},
        "not a database": {
            "what": "this file is not a permit register",
            "remedy": "correct register.url, or bring back a backup",
        },
        "unable to open": {
            "what": "the register cannot be opened",
            "remedy": "check that its folder exists and may be read and written",
        },
        "full": {"what": "the disk is full", "remedy": f"make room and try again{nothing}"},
        "disk I/O": {"what": "the disk refused", "remedy": f"look whether it is full, or failing, and try again{nothing}"},
    }
    if any(sign in text for sign in _DAMAGE) and url.startswith("sqlite"):
        return damaged(url, text)
    for sign, words in known.items():
        if sign in text:
            return RegisterError(Fault(file=place, why=text, **words))
    remedy = f"correct the cause and try again{nothing}"
    return RegisterError(Fault(what="the database refused", why=text, file=place, remedy=remedy))


def _held(nothing: str) -> dict[str, Any]:
    return {
        "what": "another program has held the register for over a minute",
        "remedy": f"close other programs that have it open, and try again{nothing}",
    }
