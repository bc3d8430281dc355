"""Users of the desk: who signs in, under which name the log has them, and what they may do."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; a register of before has no users."""
    op.create_table(
        "users",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("log_name", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name", name="uq_users_name"),
        sa.UniqueConstraint("log_name", name="uq_users_log_name"),
        sa.CheckConstraint("role IN ('viewer', 'clerk', 'administrator')", name="ck_users_role"),
    )


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
