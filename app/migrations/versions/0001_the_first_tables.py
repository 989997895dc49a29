"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("is_staff", sa.Boolean(), nullable=False),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("credits >= 0", name="ck_account_credits_not_negative"),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.UniqueConstraint("email", name="uq_account_email"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeat"),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("visible_prefix", sa.String(length=20), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_api_key_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_api_key"),
        sa.UniqueConstraint("digest", name="uq_api_key_digest"),
    )
    op.create_index("ix_api_key_account_id", "api_key", ["account_id"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("upload_session_id", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=False),
        sa.Column("service_type", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("credit_cost", sa.BigInteger(), nullable=False),
        sa.Column("property_credits", sa.BigInteger(), nullable=False),
        sa.Column("credits_refunded", sa.BigInteger(), nullable=False),
        sa.Column("interior_count", sa.Integer(), nullable=False),
        sa.Column("exterior_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("processing_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("undeliverable_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_job_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
        sa.UniqueConstraint("upload_session_id", name="uq_job_upload_session_id"),
    )
    op.create_index("ix_job_account_newest", "job", ["account_id", "created_at", "id"], unique=False)
    op.create_index("ix_job_deadline", "job", ["status", "deadline_at"], unique=False)
    op.create_index("ix_job_retention", "job", ["expired_at", "settled_at"], unique=False)
    op.create_table(
        "upload_session",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("interior_count", sa.Integer(), nullable=False),
        sa.Column("exterior_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("order_digest", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_upload_session_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_upload_session"),
    )
    op.create_index("ix_upload_session_account_id", "upload_session", ["account_id"], unique=False)
    op.create_index("ix_upload_session_unused", "upload_session", ["job_id", "created_at"], unique=False)
    op.create_table(
        "event",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_event_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_event_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_account_id", "event", ["account_id"], unique=False)
    op.create_index("ix_event_job_id", "event", ["job_id"], unique=False)
    op.create_table(
        "ledger_line",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("cause", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance_after", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_ledger_line_account_id_account"),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_ledger_line_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_line"),
        sa.UniqueConstraint("cause", name="uq_ledger_line_cause"),
    )
    op.create_index("ix_ledger_line_account_id", "ledger_line", ["account_id"], unique=False)
    op.create_index("ix_ledger_line_job_id", "ledger_line", ["job_id"], unique=False)
    op.create_table(
        "photo",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("image_credits", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_photo_job_id_job"),
        sa.PrimaryKeyConstraint("id", name="pk_photo"),
    )
    op.create_index("ix_photo_due", "photo", ["state", "next_attempt_at"], unique=False)
    op.create_index("ix_photo_job_id", "photo", ["job_id"], unique=False)
    op.create_table(
        "result",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("photo_id", sa.String(length=32), nullable=False),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("storage_key", sa.String(length=200), nullable=True),
        sa.Column("media_type", sa.String(length=40), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_by", sa.String(length=32), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_result_job_id_job"),
        sa.ForeignKeyConstraint(["photo_id"], ["photo.id"], name="fk_result_photo_id_photo"),
        sa.PrimaryKeyConstraint("id", name="pk_result"),
        sa.UniqueConstraint("photo_id", name="uq_result_photo_id"),
    )
    op.create_index("ix_result_job_id", "result", ["job_id"], unique=False)
    for statement in _append_only(op.get_bind().dialect.name):
        op.execute(statement)


def _append_only(dialect: str) -> list[str]:
    """Triggers that keep ledger lines as they were written, whoever holds the connection."""
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER ledger_line_no_{verb} BEFORE {verb} ON ledger_line "
            "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            for verb in ("update", "delete")
        ]
    return [
        "CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$",
        "CREATE TRIGGER ledger_line_append_only BEFORE UPDATE OR DELETE ON ledger_line "
        "FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()",
    ]


def downgrade() -> None:
    """Take back."""
    for table in ("result", "photo", "ledger_line", "event", "upload_session", "job", "api_key", "heartbeat"):
        op.drop_table(table)
    op.drop_table("account")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_ledger_change()")
