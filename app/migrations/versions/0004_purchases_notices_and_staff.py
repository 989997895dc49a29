"""Purchases and receipts, the ledger by month, notices, known browsers, and what staff's pages look for."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_COLUMNS = {
    "account": (
        sa.Column("suspended_at", _MOMENT, nullable=True),
        sa.Column("suspended_reason", sa.String(length=300), nullable=True),
        sa.Column("flagged_at", _MOMENT, nullable=True),
        sa.Column("flag_reason", sa.String(length=500), nullable=True),
        sa.Column("mails_off", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("low_balance", sa.BigInteger(), nullable=True, server_default="500"),
    ),
    "api_key": (
        sa.Column("visible_suffix", sa.String(length=4), nullable=False, server_default=""),
        sa.Column("last_used_address", sa.String(length=64), nullable=True),
        sa.Column("replaced_by_id", sa.String(length=32), nullable=True),
        sa.Column("form_token", sa.String(length=64), nullable=True),
    ),
    "webhook": (sa.Column("form_token", sa.String(length=64), nullable=True),),
    "ledger_line": (sa.Column("purchase_id", sa.String(length=32), nullable=True),),
    "staff_act": (sa.Column("account_id", sa.String(length=32), nullable=True),),
}
_MONTH_COLUMNS = ("account_id", "month", "kind", "total", "lines")
_INDEXES = {
    "ix_account_newest": ("account", ("created_at", "id")),
    "ix_account_flagged": ("account", ("flagged_at", "id")),
    "ix_account_suspended": ("account", ("suspended_at", "id")),
    "ix_account_staff": ("account", ("is_staff", "created_at", "id")),
    "ix_api_key_account_newest": ("api_key", ("account_id", "created_at", "id")),
    "ix_job_newest": ("job", ("created_at", "id")),
    "ix_job_status_newest": ("job", ("status", "created_at", "id")),
    "ix_delivery_state_newest": ("delivery", ("state", "number")),
    "ix_delivery_webhook_failed": ("delivery", ("webhook_id", "failed_at")),
    "ix_staff_act_account": ("staff_act", ("account_id", "id")),
    "ix_ledger_line_account_newest": ("ledger_line", ("account_id", "id")),
    "ix_ledger_line_account_kind": ("ledger_line", ("account_id", "kind", "id")),
    "ix_ledger_line_account_moment": ("ledger_line", ("account_id", "created_at", "id")),
}
_BEGINNINGS = {
    "ix_account_email": ("account", ("email", "id")),
    "ix_account_name": ("account", ("name", "id")),
    "ix_job_address": ("job", ("address", "id")),
}
"""For what begins with something: in the order of bytes, which SQLite keeps anyway."""


_REPLACED = ("ledger_line", "api_key")
"""Their index of accounts alone says nothing that a longer one does not."""


def upgrade() -> None:
    """Apply."""
    _make_tables()
    for table, columns in _COLUMNS.items():
        for column in columns:
            op.add_column(table, column)
    # Unique indexes, which both databases take in without making the table anew.
    for table in ("api_key", "webhook"):
        op.create_index(f"uq_{table}_account_id", table, ["account_id", "form_token"], unique=True)
    for name, (table, fields) in _INDEXES.items():
        op.create_index(name, table, list(fields))
    bytewise = ' COLLATE "C"' if op.get_bind().dialect.name == "postgresql" else ""
    for name, (table, (text, key)) in _BEGINNINGS.items():
        op.create_index(name, table, [sa.text(text + bytewise), key])
    for table in _REPLACED:
        op.drop_index(f"ix_{table}_account_id", table)
    _fill_months()


def _make_tables() -> None:
    op.create_table(
        "purchase",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("form_token", sa.String(length=64), nullable=False),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("price_cents", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("session_id", sa.String(length=255), nullable=True),
        sa.Column("payment_id", sa.String(length=255), nullable=True),
        sa.Column("checkout_url", sa.Text(), nullable=True),
        sa.Column("draft_id", sa.String(length=32), nullable=True),
        sa.Column("refunded_cents", sa.Integer(), nullable=False),
        sa.Column("dispute", sa.String(length=20), nullable=True),
        sa.Column("disputed_cents", sa.Integer(), nullable=False),
        sa.Column("credits_taken", sa.BigInteger(), nullable=False),
        sa.Column("credits_owed", sa.BigInteger(), nullable=False),
        sa.Column("credits_forgiven", sa.BigInteger(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("checked_at", _MOMENT, nullable=False),
        sa.Column("paid_at", _MOMENT, nullable=True),
        sa.Column("ended_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_purchase_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_purchase"),
        sa.UniqueConstraint("account_id", "form_token", name="uq_purchase_account_id_form_token"),
        sa.UniqueConstraint("provider", "session_id", name="uq_purchase_provider_session_id"),
    )
    op.create_index("ix_purchase_account_newest", "purchase", ["account_id", "created_at", "id"])
    op.create_index("ix_purchase_newest", "purchase", ["created_at", "id"])
    op.create_index("ix_purchase_state", "purchase", ["state", "checked_at"])
    op.create_index("ix_purchase_payment_id", "purchase", ["payment_id"])
    amiss = sa.text("problem IS NOT NULL OR credits_owed > 0")
    op.create_index(
        "ix_purchase_attention", "purchase", ["created_at", "id"], sqlite_where=amiss, postgresql_where=amiss
    )
    disputed = sa.text("dispute IS NOT NULL")
    op.create_index(
        "ix_purchase_disputed", "purchase", ["created_at", "id"], sqlite_where=disputed, postgresql_where=disputed
    )
    op.create_table(
        "payment_event",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=100), nullable=False),
        sa.Column("purchase_id", sa.String(length=32), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("received_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_payment_event"),
    )
    op.create_index("ix_payment_event_purchase_id", "payment_event", ["purchase_id"])
    op.create_table(
        "receipt",
        sa.Column("number", _NUMBER, nullable=False),
        sa.Column("purchase_id", sa.String(length=32), nullable=False),
        sa.Column("seller", sa.Text(), nullable=False),
        sa.Column("buyer_name", sa.String(length=200), nullable=False),
        sa.Column("buyer_email", sa.String(length=320), nullable=False),
        sa.Column("issued_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["purchase_id"], ["purchase.id"], name="fk_receipt_purchase_id_purchase"),
        sa.PrimaryKeyConstraint("number", name="pk_receipt"),
        sa.UniqueConstraint("purchase_id", name="uq_receipt_purchase_id"),
    )
    op.create_table(
        "ledger_month",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_ledger_month_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", "month", "kind", name="pk_ledger_month"),
    )
    op.create_table(
        "known_browser",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("last_seen_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_known_browser_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_known_browser"),
        sa.UniqueConstraint("account_id", "digest", name="uq_known_browser_account_id_digest"),
    )
    op.create_index("ix_known_browser_last_seen_at", "known_browser", ["last_seen_at"])


_SUMS = {
    "sqlite": "SELECT account_id, substr(created_at, 1, 7), kind, sum(amount), count(*) "
    "FROM ledger_line GROUP BY 1, 2, 3",
    "postgresql": "SELECT account_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM'), kind, sum(amount), "
    "count(*) FROM ledger_line GROUP BY 1, 2, 3",
}


def _fill_months() -> None:
    sums = sa.text(_SUMS[op.get_bind().dialect.name]).columns(*map(sa.column, _MONTH_COLUMNS))
    months = sa.table("ledger_month", *map(sa.column, _MONTH_COLUMNS))
    op.execute(months.insert().from_select(_MONTH_COLUMNS, sums))


def downgrade() -> None:
    """Take back."""
    for table in _REPLACED:
        op.create_index(f"ix_{table}_account_id", table, ["account_id"])
    for name, (table, _) in (_INDEXES | _BEGINNINGS).items():
        op.drop_index(name, table)
    for table in ("api_key", "webhook"):
        op.drop_index(f"uq_{table}_account_id", table)
    for table, columns in _COLUMNS.items():
        for column in columns:
            op.drop_column(table, column.name)
    for table in ("known_browser", "ledger_month", "receipt", "payment_event", "purchase"):
        op.drop_table(table)
