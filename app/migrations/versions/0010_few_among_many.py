"""Indexes of the few rows that are looked for all the time among very many: what is due, unfinished, to be removed.

This step only adds, and nobody waits for it: PostgreSQL makes each index beside the work of others. The release
before looks for what is due by ix_photo_due, ix_preview_due, ix_mail_due and ix_delivery_due, and staff count by
them: they stay.
"""

from alembic import op

from app.migrations import indexes

revision = "0010_few"
down_revision = "0009_users"
branch_labels = None
depends_on = None

_UNDONE = "state IN ('waiting', 'working')"
_MADE = {
    "ix_photo_undone": ("photo", "next_attempt_at", _UNDONE),
    "ix_preview_undone": ("preview", "next_attempt_at", _UNDONE),
    "ix_mail_undone": ("mail", "next_attempt_at", _UNDONE),
    "ix_delivery_undone": ("delivery", "next_attempt_at", "state IN ('sending', 'waiting')"),
    "ix_job_timed": ("job", "deadline_at", "status IN ('pending', 'processing', 'qc_review')"),
    "ix_job_workable": ("job", "account_id, created_at, id", "status IN ('pending', 'processing')"),
    "ix_job_unexpired": ("job", "settled_at", "expired_at IS NULL"),
    "ix_job_unpurged": ("job", "expired_at", "expired_at IS NOT NULL AND purged_at IS NULL"),
}


def upgrade() -> None:
    """Apply."""
    with indexes.beside_others():
        for name, (table, columns, condition) in _MADE.items():
            indexes.make(name, table, columns, condition)
        if indexes.can_make_trigrams():
            op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            indexes.make(indexes.ADDRESS_WORDS, "job", "address gin_trgm_ops", method="gin")


def downgrade() -> None:
    """Take back. The extension stays: others may use it."""
    with indexes.beside_others():
        for name in (indexes.ADDRESS_WORDS, *_MADE):
            indexes.drop(name)
