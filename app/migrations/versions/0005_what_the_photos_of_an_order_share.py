"""What the photos of an order share: white, brightness, the side of the sun."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("job", sa.Column("look", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("job", "look")
