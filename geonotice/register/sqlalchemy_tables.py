"""The register's tables as SQLAlchemy has them, for what writes: columns, rules and indexes, and cells read strictly on SQLite.

Imported inside the functions that need it: SQLAlchemy takes longer to import than a check of a permit takes in all.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
)
from sqlalchemy.types import TypeDecorator

from geonotice.register import tables_and_columns as columns

if TYPE_CHECKING:
    from sqlalchemy import Dialect
    from sqlalchemy.schema import SchemaItem

__all__ = [
    "StrictColumn",
    "applications",
    "log",
    "log_head",
    "mail_pieces",
    "metadata",
    "permit_cells",
    "permit_parcels",
    "permits",
    "users",
]


class StrictColumn(TypeDecorator[Any]):
    """A column that refuses to read a cell of another type or form than its own; ``cell`` is what its cells hold."""

    impl: Any = Text
    cache_ok = True

    def __init__(self, cell: columns.Cell) -> None:
        super().__init__()
        self.cell = cell

    def result_processor(self, dialect: "Dialect", coltype: object) -> Callable[[Any], Any] | None:
        """Return what reads a cell: strictly on SQLite, as its driver does on a server."""
        return self.cell.read_one if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


_STRICT: dict[type[columns.Cell], type[StrictColumn]] = {
    kind: type(kind.__name__, (StrictColumn,), {"impl": impl, "cache_ok": True, "__doc__": kind.__doc__})
    for kind, impl in (
        (columns.Words, Text),
        (columns.Name, String),
        (columns.Whole, Integer),
        (columns.Number, Float),
        (columns.Day, Date),
        (columns.YesNo, Boolean),
        (columns.Bytes, LargeBinary),
    )
}
"""The column of each kind of cell."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(
    of: columns.Columns,
    *rules: "SchemaItem",
    keys: tuple[str, ...] = (),
    refers: dict[str, str] | None = None,
    defaults: dict[str, Any] | None = None,
) -> Table:
    """Return a table with its rules and indexes; ``keys`` are its primary key where the database does not number the rows by ``id``."""
    made = []
    for name, cell in of.cells.items():
        more: dict[str, Any] = {"server_default": defaults[name]} if defaults and name in defaults else {}
        if name in (keys or ("id",)):
            more |= {"primary_key": True, **({"autoincrement": False} if keys else {})}
        to = [ForeignKey(refers[name])] if refers and name in refers else []
        made.append(Column(name, _STRICT[type(cell)](cell), *to, nullable=not cell.required, **more))
    return Table(of.table, metadata, *made, *rules)


permits = _table(
    columns.PERMITS,
    UniqueConstraint("number"),
    UniqueConstraint("serial_year", "serial"),
    CheckConstraint("status IN ('issued', 'rescinded', 'void')", name="status"),
    CheckConstraint("distinct_events >= 1", name="distinct_events"),
    Index(None, "starts"),
    Index(None, "issued"),
    defaults={"overridden": "", "hours": "[]", "contact": "", "fee": "", "private_title": false()},
)

permit_parcels = _table(
    columns.PERMIT_PARCELS, UniqueConstraint("permit_id", "n"), Index(None, "key"), refers={"permit_id": "permits.id"}
)

permit_cells = _table(
    columns.PERMIT_CELLS, keys=("level", "ix", "iy", "permit_parcel_id"), refers={"permit_parcel_id": "permit_parcels.id"}
)

log = _table(columns.LOG, Index(None, "permit"), keys=("n",))

log_head = _table(columns.LOG_HEAD, CheckConstraint("id = 1", name="single"), keys=("id",))

applications = _table(
    columns.APPLICATIONS,
    UniqueConstraint("number"),
    UniqueConstraint("serial_year", "serial"),
    CheckConstraint("status IN ('open', 'approved', 'denied', 'withdrawn')", name="status"),
)

mail_pieces = _table(
    columns.MAIL_PIECES,
    UniqueConstraint("packet", "number", "letter"),
    UniqueConstraint("article_number"),
    CheckConstraint("letter >= 1", name="letter"),
)

users = _table(
    columns.USERS,
    UniqueConstraint("name"),
    UniqueConstraint("log_name"),
    CheckConstraint("role IN ('viewer', 'clerk', 'administrator')", name="role"),
)
