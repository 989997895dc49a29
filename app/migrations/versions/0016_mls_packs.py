"""Packs of an order's pictures for listing services.

The release before knows none: of a job that it lets go, it would leave the rows, which hold nothing back.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016_mls_packs"
down_revision = "0015_recipes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "mls_pack",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("mls", sa.String(length=40), nullable=False),
        sa.Column("rule_version", sa.Integer(), nullable=False),
        sa.Column("labelled", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=True),
        sa.Column("picture_count", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("postponements", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mls_pack_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_mls_pack_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_mls_pack"),
        sa.UniqueConstraint("job_id", "mls", name="uq_mls_pack_job_id_mls"),
    )
    op.create_index("ix_mls_pack_account", "mls_pack", ["account_id"])
    op.create_index(
        "ix_mls_pack_undone",
        "mls_pack",
        ["next_attempt_at"],
        postgresql_where=sa.text("state IN ('waiting', 'working')"),
        sqlite_where=sa.text("state IN ('waiting', 'working')"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("mls_pack")
