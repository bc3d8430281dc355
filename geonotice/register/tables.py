"""The register's tables, and the migrations that bring a register to this version."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, MetaData, Table, UniqueConstraint, false, inspect, text

from geonotice.errors import Fault, RegisterError
from geonotice.register.columns import Bytes, Day, Name, Number, Whole, Words, YesNo, name_columns
from geonotice.register.database import WRITE, back_up, damaged, file_of, lock_whole

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


__all__ = [
    "HEAD",
    "VERSIONS",
    "applications",
    "bring_up_to_date",
    "is_empty",
    "log",
    "log_head",
    "mail_pieces",
    "metadata",
    "permit_cells",
    "permit_parcels",
    "permits",
]


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

name_columns(metadata)

VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
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
