"""Hours, contact and fee of a permit, and whether its title is kept from the public."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; permits of before have nothing in them, and their log rows stay what they were."""
    op.add_column("permits", sa.Column("hours", sa.Text, nullable=False, server_default="[]"))
    op.add_column("permits", sa.Column("contact", sa.Text, nullable=False, server_default=""))
    op.add_column("permits", sa.Column("fee", sa.Text, nullable=False, server_default=""))
    op.add_column("permits", sa.Column("private_title", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
