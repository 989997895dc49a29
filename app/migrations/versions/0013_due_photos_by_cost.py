"""The index by which workers find due photos of one cost, however many of the other wait.

The release before looks for them by ix_photo_undone, which stays.
"""

from app.migrations import indexes

revision = "0013_cost_index"
down_revision = "0012_cost"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with indexes.beside_others():
        indexes.make("ix_photo_undone_cost", "photo", "cost, next_attempt_at", "state IN ('waiting', 'working')")


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        indexes.drop("ix_photo_undone_cost")
