"""Logos wait in their row until a worker has decoded them: no web process does any more.

The release before decodes what it is sent by itself, and makes rows of which nothing waits.
"""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0027_sent_logos"
down_revision = "0026_review_rework"
branch_labels = None
depends_on = None

_WORK = (
    sa.Column("sent_logo", sa.LargeBinary(), nullable=True),
    sa.Column("logo_fault", sa.String(length=300), nullable=True),
    sa.Column("state", sa.String(length=20), nullable=False, server_default="done"),
    sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
    # Of no meaning where nothing waits.
    sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False, server_default="2026-11-28 00:00:00"),
    sa.Column("claim_id", sa.String(length=32), nullable=True),
    sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
)


def upgrade() -> None:
    """Apply."""
    for column in _WORK:
        op.add_column("branding", column)
    with indexes.beside_others():
        indexes.make("ix_branding_undone", "branding", "next_attempt_at", "state IN ('waiting', 'working')")


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        indexes.drop("ix_branding_undone")
    for column in reversed(_WORK):
        op.drop_column("branding", column.name)
