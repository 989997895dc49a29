"""Where an order's property is advertised, and what is barred there and was ordered all the same."""

import sqlalchemy as sa
from alembic import op

revision = "0012_listing"
down_revision = "0011_incoming"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("job") as batch:
        batch.add_column(sa.Column("listing", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("job") as batch:
        batch.drop_column("listing")
