"""What is known of uploaded files, which of a draft's are frames of one photo, and the frames of ordered photos.

The release before knows none of it: it would work on the first frame of a photo alone, so let none be ordered until
its workers have ended; of an order that it lets expire, the frames go with their photos.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019_photo_groups"
down_revision = "0018_lost_originals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "photo_facts",
        sa.Column("storage_key", sa.String(length=200), nullable=False),
        sa.Column("upload_session_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("taken_at", sa.DateTime(timezone=False), nullable=True),
        sa.Column("exposure_value", sa.Double(), nullable=True),
        sa.Column("flash_fired", sa.Boolean(), nullable=True),
        sa.Column("perceptual_hash", sa.String(length=16), nullable=True),
        sa.Column("view_signature", sa.String(length=128), nullable=True),
        sa.Column("brightness", sa.Double(), nullable=True),
        sa.Column("guessed_type", sa.String(length=20), nullable=True),
        sa.Column("fault", sa.String(length=20), nullable=True),
        sa.PrimaryKeyConstraint("storage_key", name="pk_photo_facts"),
    )
    op.create_index("ix_photo_facts_upload_session_id", "photo_facts", ["upload_session_id"])
    op.create_table(
        "photo_frame",
        sa.Column("photo_id", sa.String(length=32), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["photo_id"], ["photo.id"], name="fk_photo_frame_photo_id_photo", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("photo_id", "place", name="pk_photo_frame"),
    )
    op.add_column("draft_photo", sa.Column("group_id", sa.String(length=32), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("draft_photo", "group_id")
    op.drop_table("photo_frame")
    op.drop_table("photo_facts")
