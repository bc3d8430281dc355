"""Permits, their parcels with the snapshot of shape and zoning, and the log."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "permits",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.String, nullable=False),
        sa.Column("serial_year", sa.Integer),
        sa.Column("serial", sa.Integer),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("applicant", sa.Text, nullable=False),
        sa.Column("charitable", sa.Boolean),
        sa.Column("primarily_benefits_applicant", sa.Boolean),
        sa.Column("owned_by", sa.String),
        sa.Column("distinct_events", sa.Integer, nullable=False),
        sa.Column("issued", sa.Date),
        sa.Column("starts", sa.Date),
        sa.Column("ends", sa.Date),
        sa.Column("night", sa.Boolean),
        sa.Column("persons", sa.Integer),
        sa.Column("maximum_attendance", sa.Integer),
        sa.Column("conditions", sa.Text, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("override", sa.Text, nullable=False),
        sa.Column("override_by", sa.Text, nullable=False),
        sa.Column("route", sa.LargeBinary),
        sa.Column("route_crs", sa.String, nullable=False),
        sa.Column("streets", sa.Text, nullable=False),
        sa.Column("yard_sale_days", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_permits"),
        sa.UniqueConstraint("number", name="uq_permits_number"),
        sa.UniqueConstraint("serial_year", "serial", name="uq_permits_serial_year_serial"),
        sa.CheckConstraint("status IN ('issued', 'rescinded', 'void')", name="ck_permits_status"),
        sa.CheckConstraint("distinct_events >= 1", name="ck_permits_distinct_events"),
    )
    op.create_index("ix_permits_starts", "permits", ["starts"])
    op.create_index("ix_permits_issued", "permits", ["issued"])
    op.create_table(
        "permit_parcels",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("permit_id", sa.Integer, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("parcel", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("swis", sa.String, nullable=False),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("districts", sa.Text, nullable=False),
        sa.Column("area_sq_ft", sa.Float),
        sa.Column("geometry", sa.LargeBinary),
        sa.Column("crs", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_permit_parcels"),
        sa.ForeignKeyConstraint(["permit_id"], ["permits.id"], name="fk_permit_parcels_permit_id"),
        sa.UniqueConstraint("permit_id", "n", name="uq_permit_parcels_permit_id_n"),
    )
    op.create_index("ix_permit_parcels_key", "permit_parcels", ["key"])
    log = op.create_table(
        "log",
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("permit", sa.String, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("n", name="pk_log"),
    )
    op.create_index("ix_log_permit", log.name, ["permit"])
    head = op.create_table(
        "log_head",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_log_head"),
        sa.CheckConstraint("id = 1", name="ck_log_head_single"),
    )
    op.bulk_insert(head, [{"id": 1, "n": 0, "hash": ""}])


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
