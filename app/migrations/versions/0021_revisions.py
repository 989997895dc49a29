"""Results that were sent back, round by round, and the settings that a result was made again with.

The release before knows none of it: rounds of photos that it lets go go with them, and it makes versions of a
picture that was made again as if it were the one before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021_revisions"
down_revision = "0020_property_board"
branch_labels = None
depends_on = None

_UNDONE = sa.text("state IN ('waiting', 'working')")
_OPEN = sa.text("outcome IS NULL")


def upgrade() -> None:
    """Apply."""
    # In the order in which the work on an order takes them.
    op.add_column("result", sa.Column("settings", sa.JSON(), nullable=True))
    op.add_column("mls_pack", sa.Column("outdated_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "revision",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("photo_id", sa.String(length=32), nullable=False),
        sa.Column("result_id", sa.String(length=32), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("flaw", sa.String(length=20), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("without", sa.String(length=40), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=True),
        sa.Column("cost", sa.String(length=20), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("made", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.Column("reason", sa.String(length=20), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.String(length=32), nullable=True),
        sa.Column("decided_by", sa.String(length=32), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("credits_refunded", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("postponements", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_revision_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_revision_job_id_job"),
        # The release before removes results and photos without asking for rounds of them.
        sa.ForeignKeyConstraint(["photo_id"], ["photo.id"], name="fk_revision_photo_id_photo", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["result_id"], ["result.id"], name="fk_revision_result_id_result", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_revision"),
        sa.UniqueConstraint("result_id", "round", name="uq_revision_result_id_round"),
    )
    op.create_index("ix_revision_job_id", "revision", ["job_id"])
    op.create_index("ix_revision_account", "revision", ["account_id"])
    op.create_index(
        "uq_revision_open", "revision", ["result_id"], unique=True, postgresql_where=_OPEN, sqlite_where=_OPEN
    )
    op.create_index(
        "ix_revision_oldest_open", "revision", ["created_at", "id"], postgresql_where=_OPEN, sqlite_where=_OPEN
    )
    op.create_index(
        "ix_revision_undone", "revision", ["next_attempt_at"], postgresql_where=_UNDONE, sqlite_where=_UNDONE
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("revision")
    op.drop_column("mls_pack", "outdated_at")
    op.drop_column("result", "settings")
