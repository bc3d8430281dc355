"""The register's tables, the migrations that bring a register to this version, and columns whose cells are read strictly.

SQLite keeps a text where a number belongs, and a number where a shape belongs, without a word.

A cell of another type is never converted: ``''`` is not *no*, ``'yes'`` is not *yes*, and a number is not a shape of so many bytes (Python
would make one, of any size). A server holds its columns to their types by itself.
"""

import re
from collections.abc import Callable
from datetime import date
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    inspect,
    text,
)
from sqlalchemy.types import TypeDecorator

from geonotice.errors import Fault, RegisterError
from geonotice.register.database import WRITE, back_up, damaged, file_of, lock_whole

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect, Engine

__all__ = [
    "HEAD",
    "VERSIONS",
    "Bytes",
    "Day",
    "Name",
    "Number",
    "StrictColumn",
    "Whole",
    "Words",
    "WrongCell",
    "YesNo",
    "applications",
    "bring_up_to_date",
    "is_empty",
    "log",
    "log_head",
    "mail_pieces",
    "metadata",
    "name_columns",
    "permit_cells",
    "permit_parcels",
    "permits",
    "users",
]


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHOWN = 40
"""Characters of a cell that a message quotes."""


class WrongCell(ValueError):
    """A cell holds what its column cannot; the text names the column and both."""


class StrictColumn(TypeDecorator[Any]):
    """A column that refuses to read a cell of another type or form than its own.

    Attributes
    ----------
    what
        What its cells are, in words.
    storage
        The storage classes of SQLite that they may have, beside ``null``.
    form
        An SQL condition on ``{column}`` that holds for the cells of the right form; empty where the storage class is all there is to ask.
    column, required
        Its name, and whether it holds something in every row; :func:`name_columns` sets both.
    """

    cache_ok = True
    what: ClassVar[str]
    storage: ClassVar[tuple[str, ...]]
    form: ClassVar[str] = ""
    column = "a column"
    required = False

    def result_processor(self, dialect: "Dialect", coltype: object) -> Callable[[Any], Any] | None:
        """Return what reads a cell: strictly on SQLite, as its driver does on a server."""
        return self._cell if dialect.name == "sqlite" else super().result_processor(dialect, coltype)

    def _cell(self, value: Any) -> Any:  # noqa: ANN401  # whatever SQLite holds
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
        raise NotImplementedError


def _only(value: Any, *kinds: type) -> Any:  # noqa: ANN401  # as above
    if not isinstance(value, kinds):
        raise TypeError
    return value


class Words(StrictColumn):
    """A text."""

    impl: Any = Text
    cache_ok = True
    what = "a text"
    storage = ("text",)

    def read(self, value: Any) -> str:  # noqa: ANN401  # as above
        """Return it."""
        text: str = _only(value, str)
        return text


class Name(Words):
    """A short text, in a column that a server bounds otherwise than a long one."""

    impl = String
    cache_ok = True


class Whole(StrictColumn):
    """A whole number."""

    impl = Integer
    cache_ok = True
    what = "a whole number"
    storage = ("integer",)

    def read(self, value: Any) -> int:  # noqa: ANN401  # as above
        """Return it."""
        number: int = _only(value, int)
        return number


class Number(StrictColumn):
    """A number that may have decimals."""

    impl = Float
    cache_ok = True
    what = "a number"
    storage = ("real", "integer")

    def read(self, value: Any) -> float:  # noqa: ANN401  # as above
        """Return it; an infinite one is none."""
        number = float(_only(value, int, float))
        if not isfinite(number):
            raise ValueError
        return number


class Day(StrictColumn):
    """A day, which SQLite keeps as ``2026-07-04``."""

    impl = Date
    cache_ok = True
    what = "a day such as 2026-07-04"
    storage = ("text",)
    form = "{column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND date({column}, '+0 days') IS {column}"

    def read(self, value: Any) -> date:  # noqa: ANN401  # as above
        """Return it."""
        if not _DAY.fullmatch(_only(value, str)):
            raise ValueError
        return date.fromisoformat(value)


class YesNo(StrictColumn):
    """Yes, no, or unknown: 1, 0 or nothing."""

    impl = Boolean
    cache_ok = True
    what = "yes (1) or no (0)"
    storage = ("integer",)
    form = "{column} IN (0, 1)"

    def read(self, value: Any) -> bool:  # noqa: ANN401  # as above
        """Return it; any other number is none of the two."""
        if _only(value, int) not in {0, 1}:
            raise ValueError
        return bool(value)


class Bytes(StrictColumn):
    """Bytes, of a shape."""

    impl = LargeBinary
    cache_ok = True
    what = "the bytes of a shape"
    storage = ("blob",)

    def read(self, value: Any) -> bytes:  # noqa: ANN401  # as above
        """Return them."""
        return bytes(_only(value, bytes, memoryview))


def name_columns(metadata: "MetaData") -> None:
    """Let every strict column know its name and whether it may be empty, for the message about a wrong cell."""
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, StrictColumn):
                column.type.column = f"{table.name}.{column.name}"
                column.type.required = not column.nullable


# ---- the tables and their migrations


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

permits = Table(
    "permits",
    metadata,
    Column("id", Whole(), primary_key=True),
    Column("number", Name(), nullable=False),
    Column("serial_year", Whole()),
    Column("serial", Whole()),
    Column("kind", Name(), nullable=False),
    Column("title", Words(), nullable=False),
    Column("applicant", Words(), nullable=False),
    Column("charitable", YesNo()),
    Column("primarily_benefits_applicant", YesNo()),
    Column("owned_by", Name()),
    Column("distinct_events", Whole(), nullable=False),
    Column("issued", Day()),
    Column("starts", Day()),
    Column("ends", Day()),
    Column("night", YesNo()),
    Column("persons", Whole()),
    Column("maximum_attendance", Whole()),
    Column("conditions", Words(), nullable=False),
    Column("status", Name(), nullable=False),
    Column("override", Words(), nullable=False),
    Column("override_by", Words(), nullable=False),
    Column("overridden", Words(), nullable=False, server_default=""),
    Column("route", Bytes()),
    Column("route_crs", Name(), nullable=False),
    Column("streets", Words(), nullable=False),
    Column("yard_sale_days", Words(), nullable=False),
    Column("source", Words(), nullable=False),
    Column("hours", Words(), nullable=False, server_default="[]"),
    Column("contact", Words(), nullable=False, server_default=""),
    Column("fee", Words(), nullable=False, server_default=""),
    Column("private_title", YesNo(), nullable=False, server_default=false()),
    UniqueConstraint("number"),
    UniqueConstraint("serial_year", "serial"),
    CheckConstraint("status IN ('issued', 'rescinded', 'void')", name="status"),
    CheckConstraint("distinct_events >= 1", name="distinct_events"),
    Index(None, "starts"),
    Index(None, "issued"),
)

permit_parcels = Table(
    "permit_parcels",
    metadata,
    Column("id", Whole(), primary_key=True),
    Column("permit_id", Whole(), ForeignKey("permits.id"), nullable=False),
    Column("n", Whole(), nullable=False),
    Column("parcel", Name(), nullable=False),
    Column("key", Name(), nullable=False),
    Column("swis", Name(), nullable=False),
    Column("zone", Name(), nullable=False),
    Column("districts", Words(), nullable=False),
    Column("area_sq_ft", Number()),
    Column("geometry", Bytes()),
    Column("crs", Name(), nullable=False),
    UniqueConstraint("permit_id", "n"),
    Index(None, "key"),
)

permit_cells = Table(
    "permit_cells",
    metadata,
    Column("level", Whole(), primary_key=True, autoincrement=False),
    Column("ix", Whole(), primary_key=True, autoincrement=False),
    Column("iy", Whole(), primary_key=True, autoincrement=False),
    Column("permit_parcel_id", Whole(), ForeignKey("permit_parcels.id"), primary_key=True, autoincrement=False),
)

log = Table(
    "log",
    metadata,
    Column("n", Whole(), primary_key=True, autoincrement=False),
    Column("at", Name(), nullable=False),
    Column("by", Words(), nullable=False),
    Column("action", Name(), nullable=False),
    Column("permit", Name(), nullable=False),
    Column("why", Words(), nullable=False),
    Column("state", Words(), nullable=False),
    Column("previous", Name(), nullable=False),
    Column("hash", Name(), nullable=False),
    Index(None, "permit"),
)

log_head = Table(
    "log_head",
    metadata,
    Column("id", Whole(), primary_key=True, autoincrement=False),
    Column("n", Whole(), nullable=False),
    Column("hash", Name(), nullable=False),
    CheckConstraint("id = 1", name="single"),
)

applications = Table(
    "applications",
    metadata,
    Column("id", Whole(), primary_key=True),
    Column("number", Name(), nullable=False),
    Column("serial_year", Whole()),
    Column("serial", Whole()),
    Column("status", Name(), nullable=False),
    # The whole application as one line of JSON: the same line stands in the log.
    Column("state", Words(), nullable=False),
    UniqueConstraint("number"),
    UniqueConstraint("serial_year", "serial"),
    CheckConstraint("status IN ('open', 'approved', 'denied', 'withdrawn')", name="status"),
)

mail_pieces = Table(
    "mail_pieces",
    metadata,
    Column("id", Whole(), primary_key=True),
    Column("packet", Name(), nullable=False),
    Column("occasion", Name(), nullable=False),
    Column("premises", Words(), nullable=False),
    Column("number", Whole(), nullable=False),
    Column("letter", Whole(), nullable=False),
    Column("name", Words(), nullable=False),
    Column("address", Words(), nullable=False),
    Column("mail", Name(), nullable=False),
    Column("article_number", Name()),
    Column("mailed", Day()),
    Column("stamped", Day()),
    Column("delivered", Day()),
    Column("refused", Day()),
    Column("unclaimed", Day()),
    Column("undeliverable", Day()),
    Column("receipt", Words(), nullable=False),
    Column("receipt_sha256", Name(), nullable=False),
    UniqueConstraint("packet", "number", "letter"),
    UniqueConstraint("article_number"),
    CheckConstraint("letter >= 1", name="letter"),
)

users = Table(
    "users",
    metadata,
    Column("id", Whole(), primary_key=True),
    Column("name", Name(), nullable=False),
    Column("log_name", Name(), nullable=False),
    Column("role", Name(), nullable=False),
    Column("hash", Words(), nullable=False),
    Column("disabled", YesNo(), nullable=False),
    Column("created", Name(), nullable=False),
    UniqueConstraint("name"),
    UniqueConstraint("log_name"),
    CheckConstraint("role IN ('viewer', 'clerk', 'administrator')", name="role"),
)

name_columns(metadata)

VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""Every version a register can have, oldest first: those of the migrations (a test compares them)."""

HEAD = VERSIONS[-1]
"""The version this program reads and writes."""

MIGRATIONS = Path(__file__).parent / "migrations"


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
        The register is of a newer version of the program, or the database holds something else.
    """
    with engine.connect() as connection:
        version = _version(connection, url)
    if version == HEAD:
        return None
    copy = back_up(url, f"version-{version}") if version and keep else None
    with engine.connect().execution_options(**{WRITE: True}) as connection, connection.begin():
        lock_whole(connection)
        # Another process may have been quicker.
        if _version(connection, url) != HEAD:
            _upgrade(connection)
    return copy


def is_empty(engine: "Engine", url: str) -> bool:
    """Return whether the database holds no register yet; errors as :func:`bring_up_to_date`."""
    with engine.connect() as connection:
        return _version(connection, url) is None


def _version(connection: "Connection", url: str) -> str | None:
    """Read the register's version; None for an empty database."""
    tables = set(inspect(connection).get_table_names())
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
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
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


def _upgrade(connection: "Connection") -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
