"""The register's tables. Made by the migrations; this is what the program reads and writes them with.

``permits``          one row per permit, never deleted
``permit_parcels``   its parcels with the snapshot of their shape and zoning
``permit_cells``     where these shapes lie: cells of a grid, so that any database finds them by place (see :mod:`.grid`)
``log``              every change, chained by SHA-256
``log_head``         one row: the number and the hash of the log's last row; whoever writes takes its lock first
"""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, MetaData, Table, UniqueConstraint

from geonotice.register.columns import Bytes, Day, Name, Number, Whole, Words, YesNo, name_columns

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

name_columns(metadata)
