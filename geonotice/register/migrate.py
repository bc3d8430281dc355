"""Bring a register to the version this program works with.

The version is read from the database first; Alembic is loaded only when there is something to do.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from geonotice.errors import Fault, RegisterError
from geonotice.register.database import WRITE, back_up, damaged, file_of, lock_whole

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["HEAD", "VERSIONS", "bring_up_to_date", "is_empty"]

VERSIONS = ("0001", "0002", "0003")
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
    """Say whether the database holds no register yet; errors as :func:`bring_up_to_date`."""
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
