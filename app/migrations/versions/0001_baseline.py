"""All tables as version 0.14.0 began with them.

Earlier tables were never released: migrate() refuses such a database, and changes nothing in it.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

from app.migrations import indexes

revision = "0001_teams_keep"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_ID = sa.String(32)
_BYTEWISE = sa.String(300).with_variant(sa.String(300, collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of a primary key that the database counts up."""
_UNIQUE_INDEXES = {
    "uq_preset_default": ("preset", "account_id", "is_default"),
    "uq_api_key_account_id": ("api_key", "account_id, form_token", ""),
    "ix_draft_photo_content": ("draft_photo", "draft_id, sha256", "sha256 IS NOT NULL AND removed_at IS NULL"),
    "uq_revision_open": ("revision", "result_id", "outcome IS NULL"),
    "uq_webhook_account_id": ("webhook", "account_id, form_token", ""),
    "uq_webhook_callback": ("webhook", "account_id, callback_digest", ""),
    "uq_invitation_open": ("invitation", "organization_id, email", "accepted_at IS NULL AND revoked_at IS NULL"),
}
_INDEXES = {
    "ix_users_staff": ("users", "is_staff, created_at, id", ""),
    "ix_membership_organization": ("membership", "organization_id, created_at, user_id", ""),
    "ix_invitation_organization": ("invitation", "organization_id, created_at", ""),
    "ix_invitation_email": ("invitation", "email, created_at", ""),
    "ix_invitation_expires_at": ("invitation", "expires_at", ""),
    "ix_activity_account": ("activity", "account_id, id", ""),
    "ix_activity_concerned": ("activity", "concerned_id, account_id", "concerned_id IS NOT NULL"),
    "ix_activity_created_at": ("activity", "created_at", ""),
    "ix_sign_in_account_id": ("sign_in", "account_id", ""),
    "ix_sign_in_expires_at": ("sign_in", "expires_at", ""),
    "ix_sign_in_user_id": ("sign_in", "user_id", ""),
    "ix_mailed_link_expires_at": ("mailed_link", "expires_at", ""),
    "ix_mailed_link_user_id": ("mailed_link", "user_id", ""),
    "ix_recovery_code_user_id": ("recovery_code", "user_id", ""),
    "ix_known_browser_last_seen_at": ("known_browser", "last_seen_at", ""),
    "ix_kept_form_created_at": ("kept_form", "created_at", ""),
    "ix_staff_act_account": ("staff_act", "account_id, id", ""),
    "ix_staff_act_job": ("staff_act", "job_id, id", ""),
    "ix_staff_act_staff_id": ("staff_act", "staff_id", ""),
    "ix_mail_created_at": ("mail", "created_at", ""),
    "ix_mail_due": ("mail", "state, next_attempt_at", ""),
    "ix_mail_undone": ("mail", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_mail_user_id": ("mail", "user_id", ""),
    "ix_account_flagged": ("account", "flagged_at, id", ""),
    "ix_account_newest": ("account", "created_at, id", ""),
    "ix_account_suspended": ("account", "suspended_at, id", ""),
    "ix_welcome_gift_given_at": ("welcome_gift", "given_at", ""),
    "ix_branding_undone": ("branding", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_api_key_account_newest": ("api_key", "account_id, created_at, id", ""),
    "ix_idempotency_record_created_at": ("idempotency_record", "created_at", ""),
    "ix_ledger_line_account_kind": ("ledger_line", "account_id, kind, id", ""),
    "ix_ledger_line_account_moment": ("ledger_line", "account_id, created_at, id", ""),
    "ix_ledger_line_account_newest": ("ledger_line", "account_id, id", ""),
    "ix_ledger_line_job_id": ("ledger_line", "job_id", ""),
    "ix_purchase_account_newest": ("purchase", "account_id, created_at, id", ""),
    "ix_purchase_attention": ("purchase", "created_at, id", "problem IS NOT NULL OR credits_owed > 0"),
    "ix_purchase_disputed": ("purchase", "created_at, id", "dispute IS NOT NULL"),
    "ix_purchase_newest": ("purchase", "created_at, id", ""),
    "ix_purchase_payment_id": ("purchase", "payment_id", ""),
    "ix_purchase_state": ("purchase", "state, checked_at", ""),
    "ix_payment_event_purchase_id": ("payment_event", "purchase_id", ""),
    "ix_upload_session_account_id": ("upload_session", "account_id", ""),
    "ix_upload_session_unused": ("upload_session", "job_id, created_at", ""),
    "ix_incoming_file_upload_session_id": ("incoming_file", "upload_session_id", ""),
    "ix_fetched_file_account_state": ("fetched_file", "account_id, state", ""),
    "ix_fetched_file_undone": ("fetched_file", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_fetched_file_upload_session_id": ("fetched_file", "upload_session_id", ""),
    "ix_draft_account": ("draft", "account_id, job_id, updated_at", ""),
    "ix_draft_updated_at": ("draft", "updated_at", ""),
    "ix_draft_photo_draft": ("draft_photo", "draft_id, is_reference, type, position", ""),
    "ix_draft_photo_removed": ("draft_photo", "removed_at", "removed_at IS NOT NULL"),
    "ix_job_account_address": ("job", "account_id, address, id", ""),
    "ix_job_account_address_slug": ("job", "account_id, address_slug, created_at, id", ""),
    "ix_job_account_external_id": ("job", "account_id, external_id, created_at, id", "external_id IS NOT NULL"),
    "ix_job_account_newest": ("job", "account_id, created_at, id", ""),
    "ix_job_account_status": ("job", "account_id, status, created_at, id", ""),
    "ix_job_deadline": ("job", "status, deadline_at", ""),
    "ix_job_draft": ("job", "draft_id", "draft_id IS NOT NULL"),
    "ix_job_newest": ("job", "created_at, id", ""),
    "ix_job_retention": ("job", "expired_at, settled_at", ""),
    "ix_job_status_newest": ("job", "status, created_at, id", ""),
    "ix_job_timed": ("job", "deadline_at", "status IN ('pending', 'processing', 'qc_review')"),
    "ix_job_unexpired": ("job", "settled_at", "expired_at IS NULL AND kept_until IS NULL"),
    "ix_job_test_unexpired": ("job", "settled_at", "NOT livemode AND expired_at IS NULL"),
    "ix_job_kept": ("job", "kept_until", "kept_until IS NOT NULL AND expired_at IS NULL"),
    "ix_job_kept_by": ("job", "account_id, kept_bytes, id", "kept_until IS NOT NULL AND expired_at IS NULL"),
    "ix_job_keeping_wanted": ("job", "settled_at", "keeping = 'wanted' AND expired_at IS NULL"),
    "ix_job_unpurged": ("job", "expired_at", "expired_at IS NOT NULL AND purged_at IS NULL"),
    "ix_job_workable": ("job", "account_id, created_at, id", "status IN ('pending', 'processing')"),
    "ix_photo_due": ("photo", "state, next_attempt_at", ""),
    "ix_photo_job_id": ("photo", "job_id", ""),
    "ix_photo_undone": ("photo", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_photo_undone_work_size": ("photo", "work_size, next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_photo_facts_upload_session_id": ("photo_facts", "upload_session_id", ""),
    "ix_preview_due": ("preview", "state, next_attempt_at", ""),
    "ix_preview_folder": ("preview", "folder", ""),
    "ix_preview_undone": ("preview", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_outlook_account_state": ("outlook", "account_id, state", ""),
    "ix_outlook_folder": ("outlook", "folder", ""),
    "ix_outlook_undone": ("outlook", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_result_job_id": ("result", "job_id", ""),
    "ix_revision_account": ("revision", "account_id", ""),
    "ix_revision_job_id": ("revision", "job_id", ""),
    "ix_revision_oldest_open": ("revision", "created_at, id", "outcome IS NULL"),
    "ix_revision_made_id": ("revision", "made_id", ""),
    "ix_picture_job_id": ("picture", "job_id", ""),
    "ix_picture_undone": ("picture", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_mls_pack_account": ("mls_pack", "account_id", ""),
    "ix_mls_pack_undone": ("mls_pack", "next_attempt_at", "state IN ('waiting', 'working')"),
    "ix_public_page_account": ("public_page", "account_id", ""),
    "ix_public_page_ends": ("public_page", "purged_at, expires_at", ""),
    "ix_public_page_job": ("public_page", "job_id, created_at", ""),
    "ix_public_picture_lost": ("public_picture", "original_lost_at", "original_lost_at IS NOT NULL"),
    "ix_public_picture_original": ("public_picture", "original_key", ""),
    "ix_share_link_account": ("share_link", "account_id", ""),
    "ix_share_link_job": ("share_link", "job_id, created_at", ""),
    "ix_event_account_name": ("event", "account_id, name, number", ""),
    "ix_event_job_id": ("event", "job_id", ""),
    "ix_event_old": ("event", "created_at", ""),
    "ix_webhook_account": ("webhook", "account_id, deleted_at, callback_digest", ""),
    "ix_webhook_callback_newest": ("webhook", "account_id, created_at, id", "callback_digest IS NOT NULL"),
    "ix_job_callback": ("job", "callback_id", "callback_id IS NOT NULL"),
    "ix_delivery_due": ("delivery", "state, next_attempt_at", ""),
    "ix_delivery_event_id": ("delivery", "event_id", ""),
    "ix_delivery_old": ("delivery", "created_at", ""),
    "ix_delivery_state_newest": ("delivery", "state, number", ""),
    "ix_delivery_undone": ("delivery", "next_attempt_at", "state IN ('sending', 'waiting')"),
    "ix_delivery_webhook_failed": ("delivery", "webhook_id, failed_at", ""),
    "ix_delivery_webhook_newest": ("delivery", "webhook_id, number", ""),
    "ix_delivery_webhook_state": ("delivery", "webhook_id, state, number", ""),
    "ix_attempt_started_at": ("attempt", "started_at", ""),
}
"""By the index's name: table, columns, and the condition of rows that are in the index; without a condition all
rows are.
"""
_BEGINNINGS = {
    "ix_users_email": ("users", "email"),
    "ix_users_name": ("users", "name"),
    "ix_job_address": ("job", "address"),
}
"""Indexes for searches by the beginning of a text, sorted by bytes, which is the default of SQLite."""
_WORDS = {
    indexes.ADDRESS_WORDS: "address",
    indexes.EXTERNAL_ID_WORDS: "external_id",
    indexes.FILE_NAME_WORDS: "file_names",
}
"""Indexes of jobs for words within a column, if PostgreSQL has pg_trgm."""
_APPEND_ONLY = {"ledger_line": "the ledger is append-only", "staff_act": "the log of staff acts is append-only"}


def upgrade() -> None:
    """Create all tables, indexes and triggers."""
    _make_accounts()
    _make_people()
    _make_orders()
    _make_money()
    _make_results()
    _make_events()
    _make_indexes()
    for table, refusal in _APPEND_ONLY.items():
        _refuse_changes(table, refusal)


def downgrade() -> None:
    """Refuse to undo the step, because all stored data would be lost."""
    raise ValueError("The first tables are not taken back: all that is kept would go with them.")


def _make_indexes() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for kind, made in (("INDEX", _INDEXES), ("UNIQUE INDEX", _UNIQUE_INDEXES)):
        for name, (table, columns, condition) in made.items():
            where = f" WHERE {condition}" if condition else ""
            op.execute(f"CREATE {kind} {name} ON {table} ({columns}){where}")
    collation = ' COLLATE "C"' if is_postgresql else ""
    for name, (table, column) in _BEGINNINGS.items():
        op.execute(f"CREATE INDEX {name} ON {table} ({column}{collation}, id)")
    if indexes.can_make_trigrams():
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        for name, column in _WORDS.items():
            op.execute(f"CREATE INDEX {name} ON job USING gin ({column} gin_trgm_ops)")


def _refuse_changes(table: str, refusal: str) -> None:
    """Create triggers that refuse changes to the rows, whichever program sends them."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("update", "delete"):
            refuse = f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            op.execute(f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} {refuse}")
        return
    body = f"$$ BEGIN RAISE EXCEPTION '{refusal}'; END $$"
    op.execute(f"CREATE FUNCTION refuse_{table}_change() RETURNS trigger LANGUAGE plpgsql AS {body}")
    changes = f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_{table}_change()"
    op.execute(f"CREATE TRIGGER {table}_append_only {changes}")


def _required(kind: TypeEngine[Any], *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def _optional(kind: TypeEngine[Any], *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=True) for name in names]


def _belonging_to(*tables: str) -> list[sa.Column[Any]]:
    """The columns of a row's own id and of the ids of the rows in other tables that it belongs to."""
    others = (sa.Column(f"{each}_id", _ID, sa.ForeignKey(f"{each}.id"), nullable=False) for each in tables)
    return [sa.Column("id", _ID, primary_key=True), *others]


def _work() -> list[sa.Column[Any]]:
    """The columns by which workers find a row to work on, and claim it."""
    return [
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=False),
        sa.Column("claim_id", _ID, nullable=True),
        sa.Column("lease_until", _MOMENT, nullable=True),
    ]


def _make_accounts() -> None:
    op.create_table(
        "account",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        *_optional(_MOMENT, "deleted_at", "suspended_at"),
        sa.Column("suspended_reason", sa.String(300), nullable=True),
        sa.Column("flagged_at", _MOMENT, nullable=True),
        sa.Column("flag_reason", sa.String(500), nullable=True),
        sa.Column("weight", sa.Integer(), nullable=False),
        sa.Column("low_balance", sa.BigInteger(), nullable=True),
        sa.Column("file_names", sa.String(100), nullable=False),
        sa.Column("keeps_photos", sa.Boolean(), nullable=False),
        sa.Column("engine_channel", sa.String(20), nullable=False),
        sa.Column("pictures_agreed_at", _MOMENT, nullable=True),
        sa.Column("billing_company", sa.String(200), nullable=True),
        sa.Column("billing_address", sa.Text(), nullable=True),
        sa.Column("tax_id", sa.String(40), nullable=True),
        sa.Column("sandbox_of", _ID, sa.ForeignKey("account.id"), nullable=True, unique=True),
        sa.CheckConstraint("credits >= 0", name="credits_not_negative"),
    )
    op.create_table(
        "account_use",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("open_sessions", sa.Integer(), nullable=False),
        *_required(sa.BigInteger(), "held_bytes", "kept_bytes"),
    )
    op.create_table(
        "account_turn",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("work_size", sa.String(20), primary_key=True),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("served_at", _MOMENT, nullable=True),
    )
    op.create_table(
        "welcome_gift",
        sa.Column("account_id", _ID, primary_key=True),
        sa.Column("given_at", _MOMENT, nullable=False),
        sa.Column("domain_cause", sa.String(64), nullable=True, unique=True),
    )
    op.create_table(
        "branding",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("studio_name", sa.String(120), nullable=False),
        sa.Column("phone", sa.String(40), nullable=False),
        sa.Column("color", sa.String(7), nullable=True),
        sa.Column("logo", sa.LargeBinary(), nullable=True),
        *_optional(sa.Integer(), "logo_width", "logo_height"),
        sa.Column("logo_digest", sa.String(64), nullable=True),
        sa.Column("sent_logo", sa.LargeBinary(), nullable=True),
        sa.Column("logo_fault", sa.String(300), nullable=True),
        sa.Column("updated_at", _MOMENT, nullable=False),
        *_work(),
    )
    op.create_table(
        "preset",
        *_belonging_to("account"),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        *_required(_MOMENT, "created_at", "updated_at"),
        sa.UniqueConstraint("account_id", "name"),
    )
    op.create_table(
        "api_key",
        *_belonging_to("account"),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("visible_prefix", sa.String(20), nullable=False),
        sa.Column("visible_suffix", sa.String(4), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        *_optional(_MOMENT, "expires_at", "revoked_at", "last_used_at"),
        sa.Column("last_used_address", sa.String(64), nullable=True),
        *_optional(_ID, "replaced_by_id", "made_by"),
        sa.Column("form_token", sa.String(64), nullable=True),
        sa.Column("upload_origins", sa.JSON(), nullable=False),
        sa.Column("budget", sa.BigInteger(), nullable=True),
        sa.Column("first_id", _ID, nullable=True),
    )
    op.create_table(
        "idempotency_record",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("claim_id", _ID, nullable=False),
        sa.Column("lease_until", _MOMENT, nullable=False),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
    )


def _make_people() -> None:
    op.create_table(
        "users",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("email", sa.String(320), nullable=False, unique=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("is_staff", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        *_optional(_MOMENT, "confirmed_at", "deleted_at"),
        sa.Column("totp_secret", sa.Text(), nullable=True),
        sa.Column("totp_since", _MOMENT, nullable=True),
        sa.Column("totp_last_step", sa.BigInteger(), nullable=True),
        sa.Column("mails_off", sa.JSON(), nullable=False),
    )
    op.create_table(
        "membership",
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), primary_key=True),
        sa.Column("organization_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("chosen_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "invitation",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("organization_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("invited_by", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        *_required(_MOMENT, "created_at", "expires_at"),
        *_optional(_MOMENT, "accepted_at", "revoked_at"),
    )
    op.create_table(
        "activity",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        *_optional(_ID, "user_id", "key_id", "concerned_id"),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("about", sa.String(300), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "sign_in",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("user_agent", sa.String(300), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        *_required(_MOMENT, "created_at", "last_seen_at", "expires_at"),
    )
    op.create_table(
        "mailed_link",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("email", sa.String(320), nullable=False),
        *_required(_MOMENT, "created_at", "expires_at"),
        sa.Column("used_at", _MOMENT, nullable=True),
    )
    op.create_table(
        "recovery_code",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("used_at", _MOMENT, nullable=True),
    )
    op.create_table(
        "known_browser",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("last_seen_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("user_id", "digest"),
    )
    op.create_table(
        "kept_form",
        sa.Column("user_id", _ID, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("path", sa.String(300), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("led_at", _MOMENT, nullable=True),
    )
    op.create_table(
        "staff_act",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("staff_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        *_optional(_ID, "job_id", "account_id"),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "mail",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("to", sa.String(320), nullable=False),
        sa.Column("subject", sa.String(300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("picture_keys", sa.JSON(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("sent_at", _MOMENT, nullable=True),
        *_work(),
    )


def _make_orders() -> None:
    op.create_table(
        "upload_session",
        *_belonging_to("account"),
        sa.Column("key_id", _ID, nullable=True),
        *_required(sa.Integer(), "interior_count", "exterior_count"),
        sa.Column("held_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("order_digest", sa.String(64), nullable=True),
        sa.Column("preset", sa.JSON(), nullable=True),
    )
    op.create_table(
        "incoming_file",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("upload_session_id", _ID, sa.ForeignKey("upload_session.id", ondelete="CASCADE"), nullable=False),
        sa.Column("etag", sa.String(200), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "fetched_file",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("upload_session_id", _ID, sa.ForeignKey("upload_session.id", ondelete="CASCADE"), nullable=False),
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("fault", sa.String(20), nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        *_work(),
        sa.Column("postponements", sa.Integer(), nullable=False),
    )
    op.create_table(
        "draft",
        *_belonging_to("account"),
        sa.Column("upload_session_id", _ID, nullable=False, unique=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("further_job_ids", sa.JSON(), nullable=True),
        sa.Column("last_merge", sa.JSON(), nullable=True),
        *_required(_MOMENT, "created_at", "updated_at"),
    )
    op.create_table(
        "draft_photo",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("draft_id", _ID, sa.ForeignKey("draft.id"), nullable=False),
        sa.Column("type", sa.String(20), nullable=False),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(255), nullable=False),
        sa.Column("storage_key", sa.String(200), nullable=False, unique=True),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("edit_request", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=True),
        sa.Column("removed_at", _MOMENT, nullable=True),
        sa.Column("type_is_chosen", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("uploaded_at", _MOMENT, nullable=True),
        sa.Column("expected_until", _MOMENT, nullable=True),
        sa.Column("group_id", _ID, nullable=True),
        sa.Column("capture", sa.JSON(), nullable=True),
    )
    op.create_table(
        "job",
        *_belonging_to("account"),
        sa.Column("livemode", sa.Boolean(), nullable=False),
        sa.Column("upload_session_id", _ID, nullable=False, unique=True),
        *_optional(_ID, "ordered_by", "key_id"),
        sa.Column("address", sa.String(300), nullable=False),
        sa.Column("address_slug", _BYTEWISE, nullable=False),
        sa.Column("external_id", sa.String(100), nullable=True),
        sa.Column("own_metadata", sa.JSON(), nullable=True),
        sa.Column("callback_id", _ID, nullable=True),
        *_required(sa.String(20), "service_type", "status"),
        sa.Column("credit_cost", sa.BigInteger(), nullable=False),
        sa.Column("engine_version", sa.String(40), nullable=False),
        sa.Column("generative_calls", sa.Integer(), nullable=False),
        *_required(sa.BigInteger(), "property_credits", "credits_refunded"),
        *_required(sa.Integer(), "interior_count", "exterior_count"),
        *_required(_MOMENT, "created_at", "deadline_at"),
        *_optional(
            _MOMENT, "processing_at", "completed_at", "settled_at", "delivered_at", "expired_at", "purged_at"
        ),
        *_optional(sa.Text(), "error", "undeliverable_reason"),
        sa.Column("undeliverable_code", sa.String(20), nullable=True),
        sa.Column("cancelled_at", _MOMENT, nullable=True),
        sa.Column("reviewer_id", _ID, nullable=True),
        sa.Column("review_until", _MOMENT, nullable=True),
        sa.Column("shared_appearance", sa.JSON(), nullable=True),
        sa.Column("listing", sa.JSON(), nullable=False),
        *_optional(sa.JSON(), "recipes", "evidence"),
        sa.Column("file_names", sa.Text(), nullable=True),
        sa.Column("draft_id", _ID, nullable=True),
        *_optional(sa.Integer(), "draft_place", "spread_meters"),
        sa.Column("keeping", sa.String(20), nullable=True),
        sa.Column("kept_until", _MOMENT, nullable=True),
        sa.Column("kept_bytes", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "job_metadata",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("digest", _ID, primary_key=True),
        sa.Column("created_at", _MOMENT, primary_key=True),
        sa.Column("job_id", _ID, sa.ForeignKey("job.id"), primary_key=True),
    )
    op.create_table(
        "photo",
        *_belonging_to("job"),
        sa.Column("type", sa.String(20), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(255), nullable=False),
        sa.Column("storage_key", sa.String(200), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("from_imagery", sa.Boolean(), nullable=False),
        sa.Column("edit_request", sa.JSON(), nullable=False),
        sa.Column("work_size", sa.String(20), nullable=False),
        sa.Column("image_credits", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=True),
        sa.Column("postponements", sa.Integer(), nullable=False),
        *_work(),
    )
    op.create_table(
        "photo_frame",
        sa.Column("photo_id", _ID, sa.ForeignKey("photo.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column("storage_key", sa.String(200), nullable=False),
        sa.Column("file_name", sa.String(255), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=True),
    )
    op.create_table(
        "photo_facts",
        sa.Column("storage_key", sa.String(200), primary_key=True),
        sa.Column("upload_session_id", _ID, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=True),
        *_optional(sa.Integer(), "width", "height"),
        sa.Column("taken_at", sa.DateTime(), nullable=True),
        sa.Column("exposure_value", sa.Double(), nullable=True),
        sa.Column("flash_fired", sa.Boolean(), nullable=True),
        sa.Column("perceptual_hash", sa.String(16), nullable=True),
        sa.Column("view_signature", sa.String(128), nullable=True),
        sa.Column("brightness", sa.Double(), nullable=True),
        sa.Column("guessed_type", sa.String(20), nullable=True),
        *_optional(sa.JSON(), "place", "not_kept"),
        sa.Column("fault", sa.String(20), nullable=True),
    )
    op.create_table(
        "preview",
        sa.Column("source_key", sa.String(200), primary_key=True),
        sa.Column("folder", sa.String(120), nullable=False),
        sa.Column("livemode", sa.Boolean(), nullable=False),
        sa.Column("label", sa.String(100), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        *_optional(sa.Integer(), "width", "height"),
        sa.Column("credentials", sa.String(20), nullable=True),
        sa.Column("wants_public", sa.Boolean(), nullable=False),
        sa.Column("wants_copies", sa.Boolean(), nullable=False),
        sa.Column("copies", sa.JSON(), nullable=True),
        sa.Column("holds", sa.JSON(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("postponements", sa.Integer(), nullable=False),
        *_work(),
    )


def _make_money() -> None:
    op.create_table(
        "ledger_line",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("job_id", _ID, sa.ForeignKey("job.id"), nullable=True),
        sa.Column("purchase_id", _ID, nullable=True),
        sa.Column("cause", sa.String(120), nullable=False, unique=True),
        sa.Column("kind", sa.String(20), nullable=False),
        *_required(sa.BigInteger(), "amount", "balance_after"),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "ledger_month",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("month", sa.String(7), primary_key=True),
        sa.Column("kind", sa.String(20), primary_key=True),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
    )
    op.create_table(
        "key_month",
        sa.Column("key_id", _ID, sa.ForeignKey("api_key.id"), primary_key=True),
        sa.Column("month", sa.String(7), primary_key=True),
        sa.Column("spent", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "purchase",
        *_belonging_to("account"),
        sa.Column("form_token", sa.String(64), nullable=False),
        sa.Column("bought_by", _ID, nullable=True),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("price_cents", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        *_required(sa.String(20), "provider", "state"),
        *_optional(sa.String(255), "session_id", "payment_id"),
        sa.Column("checkout_url", sa.Text(), nullable=True),
        sa.Column("draft_id", _ID, nullable=True),
        sa.Column("refunded_cents", sa.Integer(), nullable=False),
        sa.Column("dispute", sa.String(20), nullable=True),
        sa.Column("disputed_cents", sa.Integer(), nullable=False),
        *_required(sa.BigInteger(), "credits_taken", "credits_owed", "credits_forgiven"),
        sa.Column("problem", sa.Text(), nullable=True),
        *_required(_MOMENT, "created_at", "checked_at"),
        *_optional(_MOMENT, "paid_at", "ended_at"),
        sa.UniqueConstraint("account_id", "form_token"),
        sa.UniqueConstraint("provider", "session_id"),
    )
    op.create_table(
        "payment_event",
        sa.Column("id", sa.String(255), primary_key=True),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("purchase_id", _ID, nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("received_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "receipt",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("purchase_id", _ID, sa.ForeignKey("purchase.id"), nullable=False, unique=True),
        sa.Column("seller", sa.Text(), nullable=False),
        sa.Column("buyer_name", sa.String(200), nullable=False),
        sa.Column("buyer_email", sa.String(320), nullable=False),
        sa.Column("buyer_company", sa.String(200), nullable=True),
        sa.Column("buyer_address", sa.Text(), nullable=True),
        sa.Column("buyer_tax_id", sa.String(40), nullable=True),
        sa.Column("issued_at", _MOMENT, nullable=False),
    )


def _make_results() -> None:
    op.create_table(
        "engine_release",
        sa.Column("version", sa.String(40), primary_key=True),
        sa.Column("python", sa.String(300), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("added_at", _MOMENT, nullable=False),
        sa.Column("stable_from", _MOMENT, nullable=True),
    )
    op.create_table(
        "picture",
        *_belonging_to("job"),
        sa.Column("photo_id", _ID, sa.ForeignKey("photo.id", ondelete="CASCADE"), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("settings_key", sa.String(300), nullable=False),
        sa.Column("engine_version", sa.String(40), nullable=False),
        sa.Column("is_variant", sa.Boolean(), nullable=False),
        sa.Column("work_size", sa.String(20), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=True),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("error", sa.String(20), nullable=True),
        sa.Column("storage_key", sa.String(200), nullable=True),
        sa.Column("media_type", sa.String(40), nullable=True),
        *_optional(sa.Integer(), "width", "height", "size_bytes"),
        *_optional(sa.String(64), "sha256", "picture_sha256"),
        sa.Column("credentials", sa.String(20), nullable=True),
        sa.Column("postponements", sa.Integer(), nullable=False),
        *_work(),
        sa.UniqueConstraint("photo_id", "settings_key", "engine_version"),
    )
    op.create_table(
        "result",
        *_belonging_to("job"),
        sa.Column("photo_id", _ID, sa.ForeignKey("photo.id"), nullable=False, unique=True),
        sa.Column("picture_id", _ID, sa.ForeignKey("picture.id"), nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("decided_by", _ID, nullable=True),
        sa.Column("decided_at", _MOMENT, nullable=True),
        sa.Column("refunded_steps", sa.JSON(), nullable=True),
    )
    op.create_table(
        "revision",
        *_belonging_to("account", "job"),
        sa.Column("photo_id", _ID, sa.ForeignKey("photo.id", ondelete="CASCADE"), nullable=False),
        sa.Column("result_id", _ID, sa.ForeignKey("result.id", ondelete="CASCADE"), nullable=False),
        sa.Column("by_reviewer", sa.Boolean(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("flaw", sa.String(20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("without", sa.String(40), nullable=True),
        sa.Column("before_id", _ID, sa.ForeignKey("picture.id"), nullable=False),
        sa.Column("made_id", _ID, sa.ForeignKey("picture.id"), nullable=True),
        *_optional(sa.String(20), "outcome", "reason"),
        sa.Column("answer", sa.Text(), nullable=False),
        *_optional(_ID, "asked_by", "decided_by"),
        sa.Column("decided_at", _MOMENT, nullable=True),
        sa.Column("credits_refunded", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("result_id", "by_reviewer", "round"),
    )
    op.create_table(
        "mls_pack",
        *_belonging_to("account", "job"),
        sa.Column("mls", sa.String(40), nullable=False),
        sa.Column("rule_version", sa.Integer(), nullable=False),
        sa.Column("labeled", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("storage_key", sa.String(200), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=True),
        sa.Column("picture_count", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("outdated_at", _MOMENT, nullable=True),
        sa.Column("postponements", sa.Integer(), nullable=False),
        *_work(),
        sa.UniqueConstraint("job_id", "mls"),
    )
    op.create_table(
        "outlook",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("source_key", sa.String(200), nullable=False),
        sa.Column("folder", sa.String(120), nullable=False),
        sa.Column("livemode", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("edit_request", sa.JSON(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("layout_preview", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("postponements", sa.Integer(), nullable=False),
        *_work(),
        sa.UniqueConstraint("source_key", "digest"),
    )
    op.create_table(
        "public_page",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("token", sa.String(16), nullable=False, unique=True),
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("job_id", _ID, sa.ForeignKey("job.id"), nullable=False),
        sa.Column("jurisdiction", sa.String(40), nullable=False),
        sa.Column("address", sa.String(300), nullable=True),
        *_required(_MOMENT, "created_at", "expires_at"),
        *_optional(_MOMENT, "revoked_at", "purged_at"),
    )
    op.create_table(
        "public_picture",
        sa.Column("public_page_id", _ID, sa.ForeignKey("public_page.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("image_id", _ID, nullable=False),
        sa.Column("file_name", sa.String(255), nullable=False),
        *_required(sa.String(200), "original_key", "altered_key"),
        sa.Column("enhancements", sa.JSON(), nullable=False),
        sa.Column("caption", sa.String(100), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        *_optional(sa.String(64), "original_sha256", "copy_sha256", "altered_sha256"),
        sa.Column("engine_version", sa.String(40), nullable=True),
        sa.Column("credentials", sa.String(20), nullable=True),
        *_optional(_MOMENT, "original_lost_at", "looked_at"),
    )
    op.create_table(
        "share_link",
        *_belonging_to("account", "job"),
        sa.Column("token_digest", sa.String(64), nullable=False, unique=True),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("may_download", sa.Boolean(), nullable=False),
        sa.Column("pin_digest", sa.String(200), nullable=True),
        *_required(_MOMENT, "created_at", "expires_at"),
        *_optional(_MOMENT, "revoked_at", "last_seen_at", "commented_at"),
    )
    op.create_table(
        "share_response",
        sa.Column("share_link_id", _ID, sa.ForeignKey("share_link.id"), primary_key=True),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("said_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "share_comment",
        sa.Column("share_link_id", _ID, sa.ForeignKey("share_link.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("image_id", _ID, nullable=False),
        sa.Column("favorite", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", _MOMENT, nullable=False),
    )


def _signing() -> list[sa.Column[Any]]:
    """The secrets that sign deliveries."""
    return [
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("next_secret", sa.Text(), nullable=True),
        sa.Column("next_secret_from", _MOMENT, nullable=True),
    ]


def _make_events() -> None:
    op.create_table(
        "event",
        *_belonging_to("account"),
        sa.Column("job_id", _ID, sa.ForeignKey("job.id"), nullable=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=True),
    )
    op.create_index("uq_event_account_number", "event", ["account_id", "number"], unique=True)
    op.create_table(
        "event_count",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("last", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "webhook",
        *_belonging_to("account"),
        sa.Column("url", sa.String(2048), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("callback_digest", sa.String(64), nullable=True),
        *_signing(),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("off_reason", sa.String(200), nullable=True),
        *_required(_MOMENT, "created_at", "healthy_since"),
        *_optional(_MOMENT, "last_success_at", "slow_until"),
        *_required(sa.Integer(), "failed_deliveries", "warnings"),
        sa.Column("deleted_at", _MOMENT, nullable=True),
        sa.Column("form_token", sa.String(64), nullable=True),
    )
    op.create_table(
        "callback_secret",
        sa.Column("account_id", _ID, sa.ForeignKey("account.id"), primary_key=True),
        *_signing(),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("warned_at", _MOMENT, nullable=True),
    )
    op.create_table(
        "delivery",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", _ID, nullable=False, unique=True),
        sa.Column("webhook_id", _ID, sa.ForeignKey("webhook.id"), nullable=False),
        sa.Column("event_id", _ID, sa.ForeignKey("event.id"), nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("event_name", sa.String(40), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempts_made", sa.Integer(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("failed_at", _MOMENT, nullable=True),
        sa.Column("claim_id", _ID, nullable=True),
        sa.Column("lease_until", _MOMENT, nullable=True),
    )
    op.create_table(
        "attempt",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("delivery_number", _NUMBER, sa.ForeignKey("delivery.number"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=True),
        sa.Column("request_headers", sa.JSON(), nullable=False),
        sa.Column("response_status", sa.Integer(), nullable=True),
        sa.Column("response_headers", sa.JSON(), nullable=False),
        sa.Column("response_body", sa.LargeBinary(), nullable=False),
        sa.Column("address", sa.String(64), nullable=True),
        sa.Column("phases", sa.JSON(), nullable=False),
        sa.UniqueConstraint("delivery_number", "number"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("beat_at", _MOMENT, nullable=False),
    )
