"""What customers say is not right with their results."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "complaint",
        sa.Column("result_id", sa.String(length=32), nullable=False),
        sa.Column("flaws", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["result.id"], name="fk_complaint_result_id_result"),
        sa.PrimaryKeyConstraint("result_id", name="pk_complaint"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("complaint")
