"""What a result can be made again from, and pictures that are.

The release before knows none of it: results of its workers have no engine version, and stay as they are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015_recipes"
down_revision = "0014_listing"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("photo", "sha256", 64),
    ("result", "engine_version", 40),
    ("result", "sha256", 64),
    ("result", "picture_sha256", 64),
    ("public_picture", "original_sha256", 64),
    ("public_picture", "altered_sha256", 64),
    ("public_picture", "engine_version", 40),
)


def upgrade() -> None:
    """Apply."""
    # In the order in which an order takes them.
    op.add_column("job", sa.Column("recipes", sa.JSON(), nullable=True))
    for table, name, length in _COLUMNS:
        op.add_column(table, sa.Column(name, sa.String(length=length), nullable=True))
    op.create_table(
        "variant",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("result_id", sa.String(length=32), nullable=False),
        sa.Column("kept", sa.JSON(), nullable=False),
        sa.Column("kept_key", sa.String(length=300), nullable=False),
        sa.Column("cost", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=True),
        sa.Column("media_type", sa.String(length=40), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("declined", sa.Boolean(), nullable=False),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("postponements", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_variant_job_id_job"),
        # The release before removes results without asking for variants of them.
        sa.ForeignKeyConstraint(
            ["result_id"], ["result.id"], name="fk_variant_result_id_result", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_variant"),
        sa.UniqueConstraint("result_id", "kept_key", name="uq_variant_result_id_kept_key"),
    )
    op.create_index("ix_variant_job_id", "variant", ["job_id"])
    op.create_index(
        "ix_variant_undone",
        "variant",
        ["next_attempt_at"],
        postgresql_where=sa.text("state IN ('waiting', 'working')"),
        sqlite_where=sa.text("state IN ('waiting', 'working')"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("variant")
    op.drop_column("job", "recipes")
    for table, name, _ in reversed(_COLUMNS):
        op.drop_column(table, name)
