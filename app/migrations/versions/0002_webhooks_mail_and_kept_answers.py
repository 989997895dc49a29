"""Webhooks with their deliveries and attempts, mail, kept answers, public imagery, and paid calls."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("event") as batch:
        batch.alter_column("job_id", existing_type=sa.String(length=32), nullable=True)
    with op.batch_alter_table("job") as batch:
        batch.add_column(sa.Column("generative_calls", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("photo") as batch:
        batch.add_column(sa.Column("from_imagery", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "kept_answer",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_kept_answer_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", "key", name="pk_kept_answer"),
    )
    op.create_index("ix_kept_answer_created_at", "kept_answer", ["created_at"], unique=False)
    op.create_table(
        "mail",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("to", sa.String(length=320), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_mail"),
    )
    op.create_index("ix_mail_account_id", "mail", ["account_id"], unique=False)
    op.create_index("ix_mail_created_at", "mail", ["created_at"], unique=False)
    op.create_index("ix_mail_due", "mail", ["state", "next_attempt_at"], unique=False)
    op.create_table(
        "webhook",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("next_secret", sa.Text(), nullable=True),
        sa.Column("next_secret_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("off_reason", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("healthy_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_success_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("troubled_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_deliveries", sa.Integer(), nullable=False),
        sa.Column("warnings", sa.Integer(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_webhook_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook"),
    )
    op.create_index("ix_webhook_account", "webhook", ["account_id", "deleted_at"], unique=False)
    op.create_table(
        "delivery",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("webhook_id", sa.String(length=32), nullable=False),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("event_name", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts_made", sa.Integer(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claim_id", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name="fk_delivery_event_id_event"),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name="fk_delivery_webhook_id_webhook"),
        sa.PrimaryKeyConstraint("number", name="pk_delivery"),
        sa.UniqueConstraint("id", name="uq_delivery_id"),
    )
    op.create_index("ix_delivery_due", "delivery", ["state", "next_attempt_at"], unique=False)
    op.create_index("ix_delivery_event_id", "delivery", ["event_id"], unique=False)
    op.create_index("ix_delivery_old", "delivery", ["created_at"], unique=False)
    op.create_index("ix_delivery_webhook_newest", "delivery", ["webhook_id", "number"], unique=False)
    op.create_index("ix_delivery_webhook_state", "delivery", ["webhook_id", "state", "number"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("delivery_number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("request_headers", sa.JSON(), nullable=False),
        sa.Column("response_status", sa.Integer(), nullable=True),
        sa.Column("response_headers", sa.JSON(), nullable=False),
        sa.Column("response_body", sa.LargeBinary(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("phases", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_number"], ["delivery.number"], name="fk_attempt_delivery_number_delivery"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_attempt"),
        sa.UniqueConstraint("delivery_number", "number", name="uq_attempt_delivery_number_number"),
    )
    op.create_index("ix_attempt_started_at", "attempt", ["started_at"], unique=False)
