"""From which draft an order was placed, so that all orders of one property are found together, in their sequence.

The release before writes none of it: its orders are found through the draft as long as that is kept.
"""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0025_property_of_job"
down_revision = "0024_billing_details"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("job", sa.Column("draft_id", sa.String(length=32), nullable=True))
    op.add_column("job", sa.Column("draft_place", sa.Integer(), nullable=True))
    with indexes.beside_others():
        indexes.make("ix_job_draft", "job", "draft_id", "draft_id IS NOT NULL")


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        indexes.drop("ix_job_draft")
    op.drop_column("job", "draft_place")
    op.drop_column("job", "draft_id")
