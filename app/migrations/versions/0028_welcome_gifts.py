"""Who was welcomed with credits, and when: what is given in an hour, and for one domain in a day, is bounded."""

import sqlalchemy as sa
from alembic import op

revision = "0028_welcome_gifts"
down_revision = "0027_sent_logos"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "welcome_gift",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("domain_cause", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("account_id", name="pk_welcome_gift"),
        sa.UniqueConstraint("domain_cause", name="uq_welcome_gift_domain_cause"),
    )
    op.create_index("ix_welcome_gift_given_at", "welcome_gift", ["given_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("welcome_gift")
