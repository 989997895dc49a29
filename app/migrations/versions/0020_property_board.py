"""What a draft's files contain, which were taken out and may come back, whose type was chosen, and the orders after
the first that a draft becomes.

The release before knows none of it: it shows what was taken out as if it were there, and asks no digests.
"""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0020_property_board"
down_revision = "0019_photo_groups"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_draft_photo_content": ("draft_id, sha256", "sha256 IS NOT NULL AND removed_at IS NULL", True),
    "ix_draft_photo_removed": ("removed_at", "removed_at IS NOT NULL", False),
}


def upgrade() -> None:
    """Apply."""
    op.add_column("draft_photo", sa.Column("sha256", sa.String(length=64), nullable=True))
    op.add_column("draft_photo", sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "draft_photo", sa.Column("type_is_chosen", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("draft", sa.Column("further_job_ids", sa.JSON(), nullable=True))
    with indexes.beside_others():
        for name, (columns, condition, unique) in _INDEXES.items():
            indexes.make(name, "draft_photo", columns, condition, unique=unique)


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        for name in _INDEXES:
            indexes.drop(name)
    op.drop_column("draft", "further_job_ids")
    for name in ("type_is_chosen", "removed_at", "sha256"):
        op.drop_column("draft_photo", name)
