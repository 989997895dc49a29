"""Since when an account's owner agrees that pictures are used to make the work better."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("account", sa.Column("pictures_agreed_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("account", "pictures_agreed_at")
