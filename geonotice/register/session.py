"""An open register: read-only or writable, its two kinds of transaction, and the register that a town file names.

What only reads an SQLite register imports no SQLAlchemy: it comes in with the first transaction that writes.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from geonotice.config.town import find_town_file
from geonotice.errors import Fault, RegisterError, TownFileError
from geonotice.io.output_files import in_the_making
from geonotice.io.toml import NotToml, read_toml
from geonotice.model import ResultWarning
from geonotice.register.database import (
    WRITE,
    connect,
    damaged,
    examine,
    explain,
    file_of,
    guard,
    in_memory,
    is_sqlite,
    limit_waiting,
    one_state,
    open_file,
    place_of,
    programs,
    require_possible_file,
    resolve,
)
from geonotice.register.log import Chain
from geonotice.register.tables_and_columns import HEAD, TABLES, WrongCell, bring_up_to_date, version_of

if TYPE_CHECKING:
    from types import TracebackType

    from sqlalchemy import Connection, Engine

    from geonotice.config.town import Town
    from geonotice.register.database import AnyConnection


__all__ = [
    "DEFAULT_URL",
    "Register",
    "Writing",
    "in_memory_copy",
    "may_not_write",
    "open_for_reading",
    "open_register",
    "open_register_of",
    "open_town_register",
    "read_town_register",
    "town_register_url",
]


_TRIES = 20
_PAUSE_SECONDS = 0.25
"""A permit takes milliseconds to write: five seconds without a quiet moment is something else."""


def may_not_write(file: Path) -> bool:
    """Return whether this user may not write the register or its folder."""
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
    """Return what changes when the register is written to."""
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


class Writing(Struct, frozen=True):
    """A transaction that writes, and the log it continues."""

    connection: "Connection"
    chain: Chain


class Register:
    """A permit register, open. Made by :func:`open_register`; close it, or use it in a ``with`` statement.

    Parameters
    ----------
    url, backup, there, copied
        As below.
    memory
        The database itself, where it is on no disk: a copy of a register that this user may not write, or an empty one.
    engine
        SQLAlchemy's, where it was needed to open it.

    Attributes
    ----------
    url
        Where it is.
    backup
        The copy that was made because opening it migrated it; None otherwise.
    there
        Whether there is one; where there is none, this is an empty one for reading that is on no disk.
    copied
        Whether this is a copy in memory of one that this user may not write.
    """

    def __init__(
        self,
        url: str,
        backup: Path | None = None,
        *,
        there: bool = True,
        copied: bool = False,
        memory: sqlite3.Connection | None = None,
        engine: "Engine | None" = None,
    ) -> None:
        self.url = url
        self.backup = backup
        self.there = there
        self.copied = copied
        self._memory = memory
        self._engine_made = engine

    @property
    def _engine(self) -> "Engine":
        if self._engine_made is None:
            self._engine_made = connect(self.url) if self._memory is None else in_memory(self._memory)
        return self._engine_made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()
        # A damaged shape is found where it is used, after it was read: the error still has to name the file.
        if type(error) is RegisterError and not all(fault.file for fault in error.faults):
            raise _with_place(error, self.url) from error

    def close(self) -> None:
        """Let go of the database."""
        if self._engine_made is not None:
            self._engine_made.dispose()
        if self._memory is not None:
            self._memory.close()

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """What must be said with everything that is read from it: that there is none."""
        if self.there:
            return ()
        return (
            ResultWarning(
                "no_register", f"There is no permit register yet ({place_of(self.url)}): no earlier permit is counted."
            ),
        )

    def required(self) -> Self:
        """Return the register itself, for what makes no sense without one.

        Raises
        ------
        RegisterError
            There is none.
        """
        if not self.there:
            raise RegisterError(
                Fault(
                    what="there is no permit register",
                    file=place_of(self.url),
                    why="if there was one, it was moved or taken away",
                    remedy="correct register.url or bring back a backup; the first permit that is issued or imported starts a new one",
                    command="correct register.url or bring back a backup; geonotice permit issue and permit import start a new one",
                )
            )
        return self

    @contextmanager
    def reading(self) -> Iterator["AnyConnection"]:
        """Read, all from one state of the register: on SQLite by its own driver, on a server by SQLAlchemy.

        Raises
        ------
        RegisterError
            The database refuses.
        """
        if self._memory is not None:  # nobody else writes to it
            with _in_words(self.url):
                yield self._memory
        elif (file := file_of(self.url)) is not None:
            # Closing it ends the transaction.
            with _in_words(self.url), closing(open_file(file)) as connection:
                connection.execute("BEGIN")
                yield connection
        else:
            with self.reading_with_sqlalchemy() as connection:
                yield connection

    @contextmanager
    def reading_with_sqlalchemy(self) -> Iterator["Connection"]:
        """Read as :meth:`reading` does, by SQLAlchemy: for what asks how the tables themselves are made, as the verification of the log does."""
        with _of_sqlalchemy_in_words(self.url), self._engine.connect() as plain:
            connection = plain.execution_options(**one_state(plain))
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Write, alone: the lock is taken before anything is read, and all of it is kept or none.

        Raises
        ------
        RegisterError
            The database refuses, another program does not let go of it, or this user may not write it.
        """
        self.required()
        if self.copied:
            remedy = "ask for write permission on the file and its folder"
            raise RegisterError(Fault(what="the register cannot be written", file=place_of(self.url), remedy=remedy))
        with _of_sqlalchemy_in_words(self.url, writing=True), self._engine.connect() as plain:
            connection = plain.execution_options(**{WRITE: True})
            with connection.begin():
                limit_waiting(connection)
                self._refuse_programs(connection)
                chain = Chain(connection)
                yield Writing(connection, chain)
                chain.close()

    def _refuse_programs(self, connection: "Connection") -> None:
        """Refuse to write where a trigger could make something else of it; on a server that is its administrator's to know."""
        found = programs(connection, _TABLES) if is_sqlite(connection) else []
        if found:
            kind, name = found[0]
            raise RegisterError(
                Fault(
                    what=f"the database has a {kind} {name!r} that this program did not make",
                    why="it could change what is written",
                    file=place_of(self.url),
                    remedy="verify the log, which lists what was changed; bring back the last sound backup",
                    command="geonotice permit log --verify lists what was changed; bring back the last sound backup",
                )
            )


def _with_place(error: RegisterError, url: str) -> RegisterError:
    return RegisterError([replace(fault, file=fault.file or place_of(url)) for fault in error.faults])


@contextmanager
def _in_words(url: str) -> Iterator[None]:
    """Turn what reading a register can raise into words for a clerk."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, url) from error
    except RegisterError as error:
        if all(fault.file for fault in error.faults):
            raise
        raise _with_place(error, url) from error
    except WrongCell as error:
        remedy = "verify the log, which lists all such cells; bring back the last sound backup"
        command = "geonotice permit log --verify lists all such cells; bring back the last sound backup"
        raise RegisterError(
            Fault(what=f"the register is damaged: {error}", file=place_of(url), remedy=remedy, command=command)
        ) from error
    except UnicodeDecodeError as error:
        # Raised by the driver itself, for a name in a damaged schema.
        raise damaged(url, str(error)) from error


@contextmanager
def _of_sqlalchemy_in_words(url: str, *, writing: bool = False) -> Iterator[None]:
    """Do what :func:`_in_words` does, for what goes through SQLAlchemy, which wraps the driver's errors."""
    from sqlalchemy.exc import DBAPIError, NoSuchTableError

    with _in_words(url):
        try:
            yield
        except DBAPIError as error:
            raise explain(error, url, writing=writing) from error
        except NoSuchTableError as error:
            raise damaged(url, str(error)) from error


def open_register(url: str, *, examined: bool = True) -> Register:
    """Open a register; make it where there is none, migrate it where it is of an older version.

    Parameters
    ----------
    url
        An SQLAlchemy URL: ``sqlite:////folder/permits.sqlite``, or a PostgreSQL one. :func:`geonotice.register.database.resolve`
        makes the relative path of a town file absolute.
    examined
        Whether its file is looked through for damage first; not where that is what comes next.

    Raises
    ------
    RegisterError
        It cannot be opened, is of a newer version, or is something else.
    """
    engine = connect(url)
    try:
        with _of_sqlalchemy_in_words(url):
            if examined and (file := file_of(url)) is not None and file.is_file():
                with engine.connect() as connection:
                    examine(connection, url, _TABLES)
            backup = bring_up_to_date(engine, url)
    except BaseException:
        engine.dispose()
        raise
    return Register(url, backup, engine=engine)


def open_for_reading(url: str, *, examined: bool = True) -> Register:
    """Open a register where there is one; where there is none, give an empty one that is on no disk and takes nothing; parameters as :func:`open_register`.

    A command that only reads never leaves a register behind: somebody would take it for the town's own, found empty. One that this user
    may not write is read from a copy in memory.

    Raises
    ------
    RegisterError
        It cannot be opened, is of a newer version, or is something else; or its folder does not exist.
    """
    file = file_of(url)
    if file is None:
        return _of_server(url, examined=examined)
    require_possible_file(url)
    # An empty file is left as it is: opening it would make it a database.
    if not file.is_file() or file.stat().st_size == 0:
        return _empty(url)
    if may_not_write(file):
        return _copied(file, url, examined=examined)
    with _in_words(url), closing(open_file(file)) as connection:
        version = version_of(connection, url)
        if version is not None and examined:
            examine(connection, url, _TABLES)
    if version is None:
        return _empty(url)
    # Only SQLAlchemy migrates one; it was looked through already.
    return Register(url) if version == HEAD else open_register(url, examined=False)


_TABLES = tuple(one.table for one in TABLES)


def _of_server(url: str, *, examined: bool) -> Register:
    engine = connect(url)
    try:
        with _of_sqlalchemy_in_words(url), engine.connect() as connection:
            there = version_of(connection, url) is not None
    finally:
        engine.dispose()
    return open_register(url, examined=examined) if there else _empty(url)


def _empty(url: str) -> Register:
    """Return an empty register that is on no disk: tables for what is asked of it, with nothing in them."""
    memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    for one in TABLES:
        memory.execute(f"CREATE TABLE {one.table} ({one.listed})")
    return Register(url, there=False, memory=memory)


def _copied(file: Path, url: str, *, examined: bool) -> Register:
    memory = in_memory_copy(file)
    try:
        with _in_words(url):
            if examined:
                examine(memory, url, _TABLES)
            version = version_of(memory, url)
        if version not in {None, HEAD}:
            engine = in_memory(memory)
            with _of_sqlalchemy_in_words(url):
                bring_up_to_date(engine, url, keep=False)
            return Register(url, copied=True, memory=memory, engine=engine)
    except BaseException:
        memory.close()
        raise
    if version is not None:
        return Register(url, copied=True, memory=memory)
    memory.close()
    return _empty(url)


DEFAULT_URL = "sqlite:///permits.sqlite"
"""Where the permit register is, unless the town file names another place; it starts at the town file's folder."""


def town_register_url(town: "Town") -> str:
    """Return the URL of a town's register, as its town file names it, or of ``permits.sqlite`` beside that."""
    return resolve(town.register_url or DEFAULT_URL, town.folder)


def open_town_register(town: "Town") -> Register:
    """Open a town's register, as its town file names it, or ``permits.sqlite`` beside that.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_register(town_register_url(town))


def read_town_register(town: "Town") -> Register:
    """Open a town's register for reading: where there is none, an empty one that is on no disk and says so in its ``warnings``.

    Raises
    ------
    RegisterError
        It cannot be opened.
    """
    return open_for_reading(town_register_url(town))


def open_register_of(place: "Path", *, examined: bool = True) -> Register:
    """Open the register of a town file or its folder, without the store: what was issued can be read whatever became of the layers.

    Where there is none, none is made, as with :func:`read_town_register`; ``examined`` as for :func:`geonotice.register.session.open_register`.

    Raises
    ------
    TownFileError
        There is no town file, or it is not TOML.
    RegisterError
        The register cannot be opened.
    """
    file = find_town_file(place).resolve()
    try:
        url = read_toml(file.read_bytes()).get("register", {}).get("url", DEFAULT_URL)
    except NotToml as error:
        raise TownFileError(Fault(what=error.what, file=str(file), remedy=error.remedy)) from error
    return open_for_reading(resolve(str(url), file.parent), examined=examined)
