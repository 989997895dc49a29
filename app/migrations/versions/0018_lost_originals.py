"""Whether the originals that are published are still there, and the index of the few that are not; what is kept of
an order's pictures as evidence.

The release before knows none of it: what it publishes is looked at first by the next, and orders that it lets
expire keep no evidence of their pictures.
"""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0018_lost_originals"
down_revision = "0017_credentials"
branch_labels = None
depends_on = None

_COLUMNS = ("original_lost_at", "looked_at")


def upgrade() -> None:
    """Apply."""
    for name in _COLUMNS:
        op.add_column("public_picture", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.add_column("job", sa.Column("evidence", sa.JSON(), nullable=True))
    with indexes.beside_others():
        indexes.make("ix_public_picture_lost", "public_picture", "original_lost_at", "original_lost_at IS NOT NULL")


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        indexes.drop("ix_public_picture_lost")
    op.drop_column("job", "evidence")
    for name in reversed(_COLUMNS):
        op.drop_column("public_picture", name)
