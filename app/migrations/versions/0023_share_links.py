"""Links by which clients see an order's results, what they answer, and how a studio presents itself to them; the
names of an order's files, by which it is found; the index of an account's orders by address; what somebody typed
when their sign-in had ended.

The release before knows none of it: of a job that it lets go it would leave the links, which open nothing then.
Orders that it takes are found by their address alone.
"""

import sqlalchemy as sa
from alembic import op

from app.migrations import indexes

revision = "0023_share_links"
down_revision = "0022_presets"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_share_link_job": ("share_link", "job_id, created_at"),
    "ix_share_link_account": ("share_link", "account_id"),
    "ix_kept_form_created_at": ("kept_form", "created_at"),
    "ix_job_account_address": ("job", "account_id, address, id"),
}


def upgrade() -> None:
    """Apply."""
    op.add_column("job", sa.Column("file_names", sa.Text(), nullable=True))
    _make_share_tables()
    op.create_table(
        "branding",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("studio_name", sa.String(length=120), nullable=False),
        sa.Column("color", sa.String(length=7), nullable=True),
        sa.Column("logo", sa.LargeBinary(), nullable=True),
        sa.Column("logo_width", sa.Integer(), nullable=True),
        sa.Column("logo_height", sa.Integer(), nullable=True),
        sa.Column("logo_digest", sa.String(length=64), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_branding_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_branding"),
    )
    op.create_table(
        "kept_form",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("path", sa.String(length=300), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("led_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_kept_form_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name="pk_kept_form"),
    )
    with indexes.beside_others():
        for name, (table, columns) in _INDEXES.items():
            indexes.make(name, table, columns)
        if indexes.can_make_trigrams():
            op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            indexes.make(indexes.FILE_NAME_WORDS, "job", "file_names gin_trgm_ops", method="gin")


def _make_share_tables() -> None:
    op.create_table(
        "share_link",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("token_digest", sa.String(length=64), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("may_download", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("commented_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_share_link_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_share_link_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_share_link"),
        sa.UniqueConstraint("token_digest", name="uq_share_link_token_digest"),
    )
    op.create_table(
        "share_response",
        sa.Column("share_link_id", sa.String(length=32), nullable=False),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["share_link_id"], ["share_link.id"], name="fk_share_response_share_link_id_share_link"
        ),
        sa.PrimaryKeyConstraint("share_link_id", name="pk_share_response"),
    )
    op.create_table(
        "share_comment",
        sa.Column("share_link_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.String(length=32), nullable=False),
        sa.Column("favourite", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["share_link_id"], ["share_link.id"], name="fk_share_comment_share_link_id_share_link"
        ),
        sa.PrimaryKeyConstraint("share_link_id", "number", name="pk_share_comment"),
    )


def downgrade() -> None:
    """Take back."""
    with indexes.beside_others():
        for name in (indexes.FILE_NAME_WORDS, *_INDEXES):
            indexes.drop(name)
    for table in ("kept_form", "branding", "share_comment", "share_response", "share_link"):
        op.drop_table(table)
    op.drop_column("job", "file_names")
