"""Applications: what is filed for an event, its documents, sign-offs and decision."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; a register of before has no applications."""
    op.create_table(
        "applications",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.String, nullable=False),
        sa.Column("serial_year", sa.Integer),
        sa.Column("serial", sa.Integer),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_applications"),
        sa.UniqueConstraint("number", name="uq_applications_number"),
        sa.UniqueConstraint("serial_year", "serial", name="uq_applications_serial_year_serial"),
        sa.CheckConstraint("status IN ('open', 'approved', 'denied', 'withdrawn')", name="ck_applications_status"),
    )


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
