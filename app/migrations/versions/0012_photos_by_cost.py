"""What the work on a photo takes, and each account's turns at the workers by that: how many in a row it has.

Photos of the release before count as light, whatever is to be made of them: they are worked on as they were there.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012_cost"
down_revision = "0011_incoming"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("photo", sa.Column("cost", sa.String(length=20), nullable=False, server_default="light"))
    op.add_column("account", sa.Column("weight", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "account_turn",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("cost", sa.String(length=20), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("served_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_turn_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", "cost", name="pk_account_turn"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("account_turn")
    op.drop_column("account", "weight")
    op.drop_column("photo", "cost")
