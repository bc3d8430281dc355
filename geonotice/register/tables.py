"""The register's tables. Made by the migrations; this is what the program reads and writes them with.

``permits``          one row per permit, never deleted
``permit_parcels``   its parcels with the snapshot of their shape and zoning
``permit_cells``     where these shapes lie: cells of a grid, so that any database finds them by place (see :mod:`.grid`)
``log``              every change, chained by SHA-256
``log_head``         one row: the number and the hash of the log's last row; whoever writes takes its lock first
"""

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
)

__all__ = ["log", "log_head", "metadata", "permit_cells", "permit_parcels", "permits"]

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
    Column("id", Integer, primary_key=True),
    Column("number", String, nullable=False),
    Column("serial_year", Integer),
    Column("serial", Integer),
    Column("kind", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("applicant", Text, nullable=False),
    Column("charitable", Boolean),
    Column("primarily_benefits_applicant", Boolean),
    Column("owned_by", String),
    Column("distinct_events", Integer, nullable=False),
    Column("issued", Date),
    Column("starts", Date),
    Column("ends", Date),
    Column("night", Boolean),
    Column("persons", Integer),
    Column("maximum_attendance", Integer),
    Column("conditions", Text, nullable=False),
    Column("status", String, nullable=False),
    Column("override", Text, nullable=False),
    Column("override_by", Text, nullable=False),
    Column("overridden", Text, nullable=False, server_default=""),
    Column("route", LargeBinary),
    Column("route_crs", String, nullable=False),
    Column("streets", Text, nullable=False),
    Column("yard_sale_days", Text, nullable=False),
    Column("source", Text, nullable=False),
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
    Column("id", Integer, primary_key=True),
    Column("permit_id", Integer, ForeignKey("permits.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("parcel", String, nullable=False),
    Column("key", String, nullable=False),
    Column("swis", String, nullable=False),
    Column("zone", String, nullable=False),
    Column("districts", Text, nullable=False),
    Column("area_sq_ft", Float),
    Column("geometry", LargeBinary),
    Column("crs", String, nullable=False),
    UniqueConstraint("permit_id", "n"),
    Index(None, "key"),
)

permit_cells = Table(
    "permit_cells",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("ix", Integer, primary_key=True, autoincrement=False),
    Column("iy", Integer, primary_key=True, autoincrement=False),
    Column("permit_parcel_id", Integer, ForeignKey("permit_parcels.id"), primary_key=True, autoincrement=False),
)

log = Table(
    "log",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", String, nullable=False),
    Column("by", Text, nullable=False),
    Column("action", String, nullable=False),
    Column("permit", String, nullable=False),
    Column("why", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("previous", String, nullable=False),
    Column("hash", String, nullable=False),
    Index(None, "permit"),
)

log_head = Table(
    "log_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, nullable=False),
    Column("hash", String, nullable=False),
    CheckConstraint("id = 1", name="single"),
)
