"""The register's tables and their columns, each named once; reading their cells strictly; the migrations that bring a register to this version.

What only reads asks its questions in SQL through :func:`fetch`, which takes a connection of SQLite's own driver as well as one of SQLAlchemy: importing
SQLAlchemy takes longer than all the rest of ``permit check``. What writes does so through :mod:`geonotice.register.sqlalchemy_tables`, whose tables are made
from these columns.

SQLite keeps a text where a number belongs, and a number where a shape belongs, without a word.

A cell of another type is never converted: ``''`` is not *no*, ``'yes'`` is not *yes*, and a number is not a shape of so many bytes (Python
would make one, of any size). A server holds its columns to their types by itself.
"""

import re
from collections import namedtuple
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from geonotice.errors import Fault, RegisterError
from geonotice.register.database import WRITE, answers_to, back_up, damaged, file_of, is_sqlite, lock_whole, table_names

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from geonotice.register.database import AnyConnection

__all__ = [
    "APPLICATIONS",
    "HEAD",
    "LOG",
    "LOG_HEAD",
    "MAIL_PIECES",
    "PERMITS",
    "PERMIT_CELLS",
    "PERMIT_PARCELS",
    "TABLES",
    "USERS",
    "VERSIONS",
    "Bytes",
    "Cell",
    "Columns",
    "Day",
    "Name",
    "Number",
    "Whole",
    "Words",
    "WrongCell",
    "YesNo",
    "beginning_with",
    "bring_up_to_date",
    "fetch",
    "version_of",
]


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHOWN = 40
"""Characters of a cell that a message quotes."""


class WrongCell(ValueError):
    """A cell holds what its column cannot; the text names the column and both."""


class Cell:
    """What the cells of a column hold; reading refuses one of another type or form.

    Parameters
    ----------
    required
        Whether there is something in every row.

    Attributes
    ----------
    what
        What its cells are, in words.
    storage
        The storage classes of SQLite that they may have, beside ``null``.
    form
        An SQL condition on ``{column}`` that holds for the cells of the right form; empty where the storage class is all there is to ask.
    types
        The types as which SQLite's driver returns them.
    column
        The name of the table and the column; :class:`Columns` sets it.
    """

    what: ClassVar[str]
    storage: ClassVar[tuple[str, ...]]
    form: ClassVar[str] = ""
    types: ClassVar[frozenset[type]]
    column = "a column"

    def __init__(self, *, required: bool = True) -> None:
        self.required = required

    def read_all(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Return the values of a column's cells.

        Raises
        ------
        WrongCell
            One of them is not one of this column's.
        """
        found = set(map(type, cells)) - self.types
        # Most columns hold what they should, and are read as a whole; one that does not is read cell by cell, for the message.
        if not found or (found == {type(None)} and not self.required):
            try:
                return self.converted(cells)
            except (TypeError, ValueError, OverflowError):
                pass
        return [self.read_one(cell) for cell in cells]

    def converted(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Return the values of cells of the right types; errors as :meth:`read`."""
        return cells

    def read_one(self, value: Any) -> Any:  # noqa: ANN401  # whatever SQLite holds
        """Return the value of a cell, as :meth:`read_all` does of many."""
        if value is None:
            if self.required:
                raise WrongCell(f"{self.column} is empty")
            return None
        try:
            return self.read(value)
        except (TypeError, ValueError, OverflowError) as error:
            shown = repr(value[: _SHOWN + 1] if isinstance(value, (str, bytes)) else value)
            raise WrongCell(f"{self.column} holds {shown[:_SHOWN]}, which is not {self.what}") from error

    def read(self, value: Any) -> Any:  # noqa: ANN401  # as above
        """Return the value of a cell.

        Raises
        ------
        TypeError, ValueError, OverflowError
            It is not one of this column's.
        """
        return _only(value, *self.types)


def _only(value: Any, *kinds: type) -> Any:  # noqa: ANN401  # as above
    if not isinstance(value, kinds):
        raise TypeError
    return value


class Words(Cell):
    """A text."""

    what = "a text"
    storage = ("text",)
    types = frozenset({str})


class Name(Words):
    """A short text, in a column that a server bounds otherwise than a long one."""


class Whole(Cell):
    """A whole number."""

    what = "a whole number"
    storage = ("integer",)
    types = frozenset({int})


class Number(Cell):
    """A number that may have decimals."""

    what = "a number"
    storage = ("real", "integer")
    types = frozenset({float, int})

    def converted(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Return them as :meth:`read` does."""
        # A sum is finite only where all of its parts are; where it is not, each is looked at.
        if None not in cells and isfinite(sum(cells)):
            return list(map(float, cells))
        return [None if cell is None else self.read(cell) for cell in cells]

    def read(self, value: Any) -> float:  # noqa: ANN401  # as above
        """Return it; an infinite one is none."""
        number = float(_only(value, int, float))
        if not isfinite(number):
            raise ValueError
        return number


class Day(Cell):
    """A day, which SQLite keeps as ``2026-07-04``."""

    what = "a day such as 2026-07-04"
    storage = ("text",)
    form = "{column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND date({column}, '+0 days') IS {column}"
    types = frozenset({str})

    def converted(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Return them as :meth:`read` does, each day once."""
        days = {cell: None if cell is None else self.read(cell) for cell in set(cells)}
        return [days[cell] for cell in cells]

    def read(self, value: Any) -> date:  # noqa: ANN401  # as above
        """Return it."""
        if not _DAY.fullmatch(_only(value, str)):
            raise ValueError
        return date.fromisoformat(value)


class YesNo(Cell):
    """Yes, no, or unknown: 1, 0 or nothing."""

    what = "yes (1) or no (0)"
    storage = ("integer",)
    form = "{column} IN (0, 1)"
    types = frozenset({int})

    def converted(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Return them as :meth:`read` does, each value once."""
        answers = {cell: None if cell is None else self.read(cell) for cell in set(cells)}
        return [answers[cell] for cell in cells]

    def read(self, value: Any) -> bool:  # noqa: ANN401  # as above
        """Return it; any other number is none of the two."""
        if _only(value, int) not in {0, 1}:
            raise ValueError
        return bool(value)


class Bytes(Cell):
    """Bytes, of a shape."""

    what = "the bytes of a shape"
    storage = ("blob",)
    types = frozenset({bytes})


class Columns:
    """The columns of a table, in their order.

    Attributes
    ----------
    table
        The table's name.
    cells
        What the cells of each column hold.
    listed
        Their names as SQL lists them.
    """

    def __init__(self, table: str, /, **cells: Cell) -> None:
        self.table = table
        self.cells = cells
        self.listed = ", ".join(f'"{name}"' for name in cells)
        for name, cell in cells.items():
            cell.column = f"{table}.{name}"

    def select(self, which: str) -> str:
        """Return the question for all the columns of some rows; ``which`` follows the table's name."""
        return f"SELECT {self.listed} FROM {self.table} {which}"  # noqa: S608  # our own names


PERMITS = Columns(
    "permits",
    id=Whole(),
    number=Name(),
    serial_year=Whole(required=False),
    serial=Whole(required=False),
    kind=Name(),
    title=Words(),
    applicant=Words(),
    charitable=YesNo(required=False),
    primarily_benefits_applicant=YesNo(required=False),
    owned_by=Name(required=False),
    distinct_events=Whole(),
    issued=Day(required=False),
    starts=Day(required=False),
    ends=Day(required=False),
    night=YesNo(required=False),
    persons=Whole(required=False),
    maximum_attendance=Whole(required=False),
    conditions=Words(),
    status=Name(),
    override=Words(),
    override_by=Words(),
    overridden=Words(),
    route=Bytes(required=False),
    route_crs=Name(),
    streets=Words(),
    yard_sale_days=Words(),
    source=Words(),
    hours=Words(),
    contact=Words(),
    fee=Words(),
    private_title=YesNo(),
)

PERMIT_PARCELS = Columns(
    "permit_parcels",
    id=Whole(),
    permit_id=Whole(),
    n=Whole(),
    parcel=Name(),
    key=Name(),
    swis=Name(),
    zone=Name(),
    districts=Words(),
    area_sq_ft=Number(required=False),
    geometry=Bytes(required=False),
    crs=Name(),
)

PERMIT_CELLS = Columns("permit_cells", level=Whole(), ix=Whole(), iy=Whole(), permit_parcel_id=Whole())

LOG = Columns(
    "log",
    n=Whole(),
    at=Name(),
    by=Words(),
    action=Name(),
    permit=Name(),
    why=Words(),
    state=Words(),
    previous=Name(),
    hash=Name(),
)

LOG_HEAD = Columns("log_head", id=Whole(), n=Whole(), hash=Name())

APPLICATIONS = Columns(
    "applications",
    id=Whole(),
    number=Name(),
    serial_year=Whole(required=False),
    serial=Whole(required=False),
    status=Name(),
    # The whole application as one line of JSON: the same line stands in the log.
    state=Words(),
)

MAIL_PIECES = Columns(
    "mail_pieces",
    id=Whole(),
    packet=Name(),
    occasion=Name(),
    premises=Words(),
    number=Whole(),
    letter=Whole(),
    name=Words(),
    address=Words(),
    mail=Name(),
    article_number=Name(required=False),
    mailed=Day(required=False),
    stamped=Day(required=False),
    delivered=Day(required=False),
    refused=Day(required=False),
    unclaimed=Day(required=False),
    undeliverable=Day(required=False),
    receipt=Words(),
    receipt_sha256=Name(),
)

USERS = Columns(
    "users",
    id=Whole(),
    name=Name(),
    log_name=Name(),
    role=Name(),
    hash=Words(),
    disabled=YesNo(),
    created=Name(),
)

TABLES = (PERMITS, PERMIT_PARCELS, PERMIT_CELLS, LOG, LOG_HEAD, APPLICATIONS, MAIL_PIECES, USERS)


# ---- asking


def fetch(connection: "AnyConnection", question: str, *tables: Columns, **values: Any) -> list[Any]:  # noqa: ANN401  # what a question compares with
    """Ask the register a question in SQL, and return the rows, read strictly.

    Parameters
    ----------
    connection
        Of SQLite's own driver, or of SQLAlchemy: the answer is the same.
    question
        A ``SELECT``; ``:name`` stands for a value. Each column that it returns has the name of one of the tables' columns.
    tables
        Those that the question is about; where a name is in two of them, the first counts.
    values
        By name; a list or tuple for ``IN :name``.

    Returns
    -------
    list
        Named tuples with the question's columns.

    Raises
    ------
    WrongCell
        A cell holds what its column cannot.
    """
    sqlite = is_sqlite(connection)
    given: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            each = {f"{name}_{n}": one for n, one in enumerate(value)}
            # ``IN (NULL)`` holds for nothing; a server takes no empty list.
            marks = ", ".join(f":{one}" for one in each) or "NULL"
            question = re.sub(rf":{name}\b", f"({marks})", question)
            given |= each
        else:
            given[name] = value
    if sqlite:
        given = {name: value.isoformat() if isinstance(value, date) else value for name, value in given.items()}
    names, rows = answers_to(connection, question, given)
    row_of = _row_type(names)
    if sqlite and rows:
        cells = [next(table.cells[name] for table in tables if name in table.cells) for name in names]
        columns = [cell.read_all(column) for cell, column in zip(cells, zip(*rows, strict=True), strict=True)]
        return list(map(row_of, *columns))
    return [row_of(*row) for row in rows]


@lru_cache
def _row_type(names: tuple[str, ...]) -> Any:  # noqa: ANN401  # a type that is made here
    return namedtuple("Row", names)  # noqa: PYI024  # its fields are those of a question


def beginning_with(column: str, beginnings: Iterable[str]) -> str:
    """Return the condition that a text begins with one of a few constants, in the same letters; an SQL ``LIKE`` does not tell letters apart.

    Examples
    --------
    >>> beginning_with("action", ["mail_"])
    "(substr(action, 1, 5) = 'mail_')"
    """
    return "(" + " OR ".join(f"substr({column}, 1, {len(text)}) = '{text}'" for text in beginnings) + ")"


VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""Every version a register can have, oldest first: those of the migrations (a test compares them)."""

HEAD = VERSIONS[-1]
"""The version this program reads and writes."""

MIGRATIONS = Path(__file__).parent / "migrations"


def version_of(connection: "AnyConnection", url: str) -> str | None:
    """Return the register's version; None for an empty database.

    Raises
    ------
    RegisterError
        The register is of a newer version of the program, or the database holds something else.
    """
    tables = table_names(connection)
    place = str(file_of(url) or "the database")
    if "alembic_version" not in tables:
        if tables:
            raise RegisterError(
                Fault(
                    what=f"this database is not a permit register; it holds {', '.join(sorted(tables)[:5])}",
                    file=place,
                    remedy="give register.url a file of its own",
                )
            )
        return None
    _, found = answers_to(connection, "SELECT version_num FROM alembic_version")
    version = found[0][0] if found else None
    if version is None and "permits" not in tables:
        return None
    if not (isinstance(version, str) and version.isdecimal()):
        raise damaged(url, f"{version!r} is no version of a register")
    if version not in VERSIONS:
        raise RegisterError(
            Fault(
                what=f"the register has version {version}, which is newer than this program's {HEAD}",
                why="an older program could write permits that the newer one does not count",
                file=place,
                remedy="update geonotice, or bring back the copy that was made before the register was migrated",
            )
        )
    return version


def bring_up_to_date(engine: "Engine", url: str, *, keep: bool = True) -> Path | None:
    """Create the tables of a new register, or migrate an older one.

    Parameters
    ----------
    keep
        Whether a copy of an older register is kept beside it; not where ``engine`` is a copy itself.

    Returns
    -------
    Path or None
        The backup copy made before a migration of an SQLite register; None where nothing was migrated.

    Raises
    ------
    RegisterError
        As :func:`version_of`.
    """
    with engine.connect() as connection:
        version = version_of(connection, url)
    if version == HEAD:
        return None
    copy = back_up(url, f"version-{version}") if version and keep else None
    with engine.connect().execution_options(**{WRITE: True}) as connection, connection.begin():
        lock_whole(connection)
        # Another process may have been quicker.
        if version_of(connection, url) != HEAD:
            _upgrade(connection)
    return copy


def _upgrade(connection: "Connection") -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
