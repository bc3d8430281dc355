"""Cells of a grid for the snapshots, so that a permit is found by the land it was issued on, whatever its number is now."""

import sqlalchemy as sa
from alembic import op

from geonotice.register.rows import cells_of_shape

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_AT_ONCE = 1000


def upgrade() -> None:
    """Make the table and fill it from the snapshots that are there."""
    cells = op.create_table(
        "permit_cells",
        sa.Column("level", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("ix", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("iy", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("permit_parcel_id", sa.Integer, nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("level", "ix", "iy", "permit_parcel_id", name="pk_permit_cells"),
        sa.ForeignKeyConstraint(["permit_parcel_id"], ["permit_parcels.id"], name="fk_permit_cells_permit_parcel_id"),
    )
    parcels = sa.table("permit_parcels", sa.column("id", sa.Integer), sa.column("geometry", sa.LargeBinary))
    connection = op.get_bind()
    last = 0
    while True:
        rows = connection.execute(
            sa.select(parcels.c.id, parcels.c.geometry).where(parcels.c.id > last).order_by(parcels.c.id).limit(_AT_ONCE)
        ).all()
        if not rows:
            return
        last = rows[-1].id
        made = [
            {"level": level, "ix": ix, "iy": iy, "permit_parcel_id": row.id}
            for row in rows
            if row.geometry is not None
            for level, ix, iy in cells_of_shape(row.geometry, f"parcel {row.id}")
        ]
        if made:
            connection.execute(sa.insert(cells), made)


def downgrade() -> None:
    """Refuse: nothing in a register is ever dropped."""
    raise NotImplementedError
