"""An open register, and its two kinds of transaction: one that reads, one that writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sqlalchemy.exc import DBAPIError

from geonotice.register.chain import Chain
from geonotice.register.database import WRITE, connect, explain
from geonotice.register.migrate import bring_up_to_date

if TYPE_CHECKING:
    from types import TracebackType

    from sqlalchemy import Connection, Engine

__all__ = ["Register", "Writing", "open_register"]


@dataclass(frozen=True, slots=True)
class Writing:
    """A transaction that writes, and the log it continues."""

    connection: "Connection"
    chain: Chain


class Register:
    """A permit register, open. Made by :func:`open_register`; close it, or use it in a ``with`` statement.

    Attributes
    ----------
    url
        Where it is.
    backup
        The copy that was made because opening it migrated it; None otherwise.
    """

    def __init__(self, engine: "Engine", url: str, backup: Path | None) -> None:
        self._engine = engine
        self.url = url
        self.backup = backup

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator["Connection"]:
        """Read, all from one state of the register.

        Raises
        ------
        RegisterError
            The database refuses.
        """
        with _in_words(self.url), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Write, alone: the lock is taken before anything is read, and all of it is kept or none.

        Raises
        ------
        RegisterError
            The database refuses, or another program does not let go of it.
        """
        with _in_words(self.url), self._engine.connect() as plain:
            connection = plain.execution_options(**{WRITE: True})
            with connection.begin():
                chain = Chain(connection)
                yield Writing(connection, chain)
                chain.close()


@contextmanager
def _in_words(url: str) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise explain(error, url) from error


def open_register(url: str) -> Register:
    """Open a register; make it where there is none, migrate it where it is of an older version.

    Parameters
    ----------
    url
        An SQLAlchemy URL: ``sqlite:////folder/permits.sqlite``, or a PostgreSQL one. :func:`geonotice.register.database.resolve`
        makes the relative path of a town file absolute.

    Raises
    ------
    RegisterError
        It cannot be opened, is of a newer version, or is something else.
    """
    engine = connect(url)
    try:
        with _in_words(url):
            backup = bring_up_to_date(engine, url)
    except BaseException:
        engine.dispose()
        raise
    return Register(engine, url, backup)
