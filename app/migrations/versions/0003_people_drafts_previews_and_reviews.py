"""People who sign in, drafts of orders, previews of pictures, claims on reviews, and the log of staff's acts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "preview",
        sa.Column("source_key", sa.String(length=200), nullable=False),
        sa.Column("folder", sa.String(length=120), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("source_key", name="pk_preview"),
    )
    op.create_index("ix_preview_due", "preview", ["state", "next_attempt_at"])
    op.create_index("ix_preview_folder", "preview", ["folder"])
    op.create_table(
        "draft",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("upload_session_id", sa.String(length=32), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_draft_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_draft"),
        sa.UniqueConstraint("upload_session_id", name="uq_draft_upload_session_id"),
    )
    op.create_index("ix_draft_account", "draft", ["account_id", "job_id", "updated_at"])
    op.create_index("ix_draft_updated_at", "draft", ["updated_at"])
    op.create_table(
        "mailed_link",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mailed_link_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_mailed_link"),
        sa.UniqueConstraint("digest", name="uq_mailed_link_digest"),
    )
    op.create_index("ix_mailed_link_account_id", "mailed_link", ["account_id"])
    op.create_index("ix_mailed_link_expires_at", "mailed_link", ["expires_at"])
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_recovery_code_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_recovery_code"),
    )
    op.create_index("ix_recovery_code_account_id", "recovery_code", ["account_id"])
    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("user_agent", sa.String(length=300), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_sign_in_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in"),
        sa.UniqueConstraint("digest", name="uq_sign_in_digest"),
    )
    op.create_index("ix_sign_in_account_id", "sign_in", ["account_id"])
    op.create_index("ix_sign_in_expires_at", "sign_in", ["expires_at"])
    op.create_table(
        "staff_act",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("staff_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("deed", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["staff_id"], ["account.id"], name="fk_staff_act_staff_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_staff_act"),
    )
    op.create_index("ix_staff_act_job", "staff_act", ["job_id", "id"])
    op.create_index("ix_staff_act_staff_id", "staff_act", ["staff_id"])
    op.create_table(
        "draft_photo",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("draft_id", sa.String(length=32), nullable=False),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["draft_id"], ["draft.id"], name="fk_draft_photo_draft_id_draft"),
        sa.PrimaryKeyConstraint("id", name="pk_draft_photo"),
        sa.UniqueConstraint("storage_key", name="uq_draft_photo_storage_key"),
    )
    op.create_index("ix_draft_photo_draft", "draft_photo", ["draft_id", "is_reference", "type", "position"])
    with op.batch_alter_table("account") as batch:
        batch.add_column(sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True))
        batch.add_column(sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
        batch.add_column(sa.Column("one_time_secret", sa.Text(), nullable=True))
        batch.add_column(sa.Column("one_time_since", sa.DateTime(timezone=True), nullable=True))
        batch.add_column(sa.Column("one_time_last_step", sa.BigInteger(), nullable=True))
    with op.batch_alter_table("job") as batch:
        batch.add_column(sa.Column("reviewer_id", sa.String(length=32), nullable=True))
        batch.add_column(sa.Column("review_until", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_job_account_status", "job", ["account_id", "status", "created_at", "id"])
    # Who was there before was let in by the operator.
    op.execute("UPDATE account SET confirmed_at = created_at")
    for statement in _append_only(op.get_bind().dialect.name):
        op.execute(statement)


def _append_only(dialect: str) -> list[str]:
    """Triggers that keep the log of staff's acts as it was written, whoever holds the connection."""
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER staff_act_no_{verb} BEFORE {verb} ON staff_act "
            "BEGIN SELECT RAISE(ABORT, 'the log of staff acts is append-only'); END"
            for verb in ("update", "delete")
        ]
    return [
        "CREATE FUNCTION refuse_staff_act_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the log of staff acts is append-only'; END $$",
        "CREATE TRIGGER staff_act_append_only BEFORE UPDATE OR DELETE ON staff_act "
        "FOR EACH ROW EXECUTE FUNCTION refuse_staff_act_change()",
    ]
