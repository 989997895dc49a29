"""Presets of accounts, and with which one an order was placed.

The release before knows none of it: its orders name no preset.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022_presets"
down_revision = "0021_revisions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "preset",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_preset_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_preset"),
        sa.UniqueConstraint("account_id", "name", name="uq_preset_account_id_name"),
    )
    op.create_index(
        "uq_preset_default",
        "preset",
        ["account_id"],
        unique=True,
        postgresql_where=sa.text("is_default"),
        sqlite_where=sa.text("is_default"),
    )
    op.add_column("upload_session", sa.Column("preset", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("upload_session", "preset")
    op.drop_table("preset")
