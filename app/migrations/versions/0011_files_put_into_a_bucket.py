"""What customers put into a bucket themselves, as the quota counts it."""

import sqlalchemy as sa
from alembic import op

revision = "0011_incoming"
down_revision = "0010_few"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "incoming_file",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("upload_session_id", sa.String(length=32), nullable=False),
        sa.Column("etag", sa.String(length=200), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        # The release before removes upload sessions and does not know this table.
        sa.ForeignKeyConstraint(
            ["upload_session_id"],
            ["upload_session.id"],
            name="fk_incoming_file_upload_session_id_upload_session",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name="pk_incoming_file"),
    )
    op.create_index("ix_incoming_file_upload_session_id", "incoming_file", ["upload_session_id"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("incoming_file")
