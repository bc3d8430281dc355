"""The ledger of mail pieces: what became of each letter of a packet."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; a register of before has no letters."""
    op.create_table(
        "mail_pieces",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("packet", sa.String, nullable=False),
        sa.Column("occasion", sa.String, nullable=False),
        sa.Column("premises", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("letter", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("mail", sa.String, nullable=False),
        sa.Column("article_number", sa.String),
        sa.Column("mailed", sa.Date),
        sa.Column("stamped", sa.Date),
        sa.Column("delivered", sa.Date),
        sa.Column("refused", sa.Date),
        sa.Column("unclaimed", sa.Date),
        sa.Column("undeliverable", sa.Date),
        sa.Column("receipt", sa.Text, nullable=False),
        sa.Column("receipt_sha256", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mail_pieces"),
        sa.UniqueConstraint("packet", "number", "letter", name="uq_mail_pieces_packet_number_letter"),
        # Pieces without a number do not stand in each other's way: no two empty cells are the same.
        sa.UniqueConstraint("article_number", name="uq_mail_pieces_article_number"),
        sa.CheckConstraint("letter >= 1", name="ck_mail_pieces_letter"),
    )


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
