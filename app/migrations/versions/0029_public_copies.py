"""Copies of published originals that say nothing beside the picture, and what the files of photos hold."""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0029_public_copies"
down_revision = "0028_welcome_gifts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("preview", sa.Column("wants_public", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("preview", sa.Column("holds", sa.JSON(), nullable=True))
    op.add_column("photo_facts", sa.Column("not_kept", sa.JSON(), nullable=True))
    op.add_column("photo_facts", sa.Column("place", sa.JSON(), nullable=True))
    op.add_column("job", sa.Column("spread_meters", sa.Integer(), nullable=True))
    op.add_column("public_picture", sa.Column("copy_sha256", sa.String(length=64), nullable=True))
    with indexes.beside_others():
        indexes.make("ix_public_picture_original", "public_picture", "original_key")


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        indexes.drop("ix_public_picture_original")
    op.drop_column("public_picture", "copy_sha256")
    op.drop_column("job", "spread_meters")
    op.drop_column("photo_facts", "place")
    op.drop_column("photo_facts", "not_kept")
    op.drop_column("preview", "holds")
    op.drop_column("preview", "wants_public")
