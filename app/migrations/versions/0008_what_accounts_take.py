"""What accounts take of what all share, and how often work waited for the store or the database."""

import sqlalchemy as sa
from alembic import op

revision = "0008_take"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "account_use",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("open_sessions", sa.Integer(), nullable=False),
        sa.Column("held_bytes", sa.BigInteger(), nullable=False),
        sa.Column("served_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_use_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_account_use"),
    )
    op.add_column("upload_session", sa.Column("held_bytes", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("photo", sa.Column("postponements", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("preview", sa.Column("postponements", sa.Integer(), nullable=False, server_default="0"))
    # What programs uploaded and never ordered is not known here, and goes within a day; drafts know theirs.
    op.execute(
        "UPDATE upload_session SET held_bytes = (SELECT coalesce(sum(draft_photo.size_bytes), 0) FROM draft_photo "
        "JOIN draft ON draft.id = draft_photo.draft_id WHERE draft.upload_session_id = upload_session.id) "
        "WHERE job_id IS NULL"
    )
    op.execute(
        "INSERT INTO account_use (account_id, open_sessions, held_bytes) "
        "SELECT account_id, count(*), sum(held_bytes) FROM upload_session WHERE job_id IS NULL GROUP BY account_id"
    )


def downgrade() -> None:
    """Take back."""
    op.drop_column("preview", "postponements")
    op.drop_column("photo", "postponements")
    op.drop_column("upload_session", "held_bytes")
    op.drop_table("account_use")
