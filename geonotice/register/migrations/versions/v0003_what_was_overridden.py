"""What an override passed over: the findings that stood against the permit, named with it ever after."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; permits of before have nothing in it."""
    op.add_column("permits", sa.Column("overridden", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
