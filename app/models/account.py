"""Accounts and their API keys."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ids import Prefix, new_id

LOW_BALANCE = Decimal(5)
"""Below so many credits a new account's owner is told."""


class Account(Base):
    """A customer or a member of staff. `credits` is the sum of the account's ledger lines, never below zero.

    Nobody signs in before the e-mail is confirmed. Two-factor: `totp_secret` is sealed, in force from
    `totp_since`, and no code of `totp_last_step` or an earlier step is taken again. A deleted account keeps
    its row, without anything personal, for the ledger's sake.

    Staff may suspend an account: then nobody signs in and no key opens anything. A flagged one is for staff to look
    at. `mails_off`: the notices that its owner does not want; below `low_balance` one of them is sent. Pictures of
    orders since `pictures_agreed_at` may be used to make our work better; of other orders, and without it, none.
    """

    __tablename__ = "account"
    __table_args__ = (
        CheckConstraint("credits >= 0", name="credits_not_negative"),
        Index("ix_account_newest", "created_at", "id"),
        Index("ix_account_flagged", "flagged_at", "id"),
        Index("ix_account_suspended", "suspended_at", "id"),
        Index("ix_account_staff", "is_staff", "created_at", "id"),
        # On PostgreSQL in the order of bytes, see the migration: for what begins with something.
        Index("ix_account_email", "email", "id"),
        Index("ix_account_name", "name", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.ACCOUNT))
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(200), default="")
    password_hash: Mapped[str | None] = mapped_column(String(200))
    is_staff: Mapped[bool] = mapped_column(default=False)
    credits: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    totp_secret: Mapped[str | None] = mapped_column("one_time_secret", Text)
    totp_since: Mapped[datetime | None] = mapped_column("one_time_since", UtcDateTime)
    totp_last_step: Mapped[int | None] = mapped_column("one_time_last_step", BigInteger)
    suspended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    suspended_reason: Mapped[str | None] = mapped_column(String(300))
    flagged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    flag_reason: Mapped[str | None] = mapped_column(String(500))
    mails_off: Mapped[list[str]] = mapped_column(JSON, default=list)
    low_balance: Mapped[Decimal | None] = mapped_column(Credits, default=LOW_BALANCE)
    pictures_agreed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class AccountUse(Base):
    """What an account takes of what all share: the store, before it orders, and the workers' time.

    `open_sessions` and `held_bytes` are sums over its upload sessions that no order used. `served_at`: when a
    worker last took up a photo of it.
    """

    __tablename__ = "account_use"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    open_sessions: Mapped[int] = mapped_column(default=0)
    held_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    served_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ApiKey(Base):
    """A bearer key: only the digest of its secret is kept, and the parts that may be shown.

    `form_token` makes the same form pressed twice one key; a key that was rotated names its successor.
    """

    __tablename__ = "api_key"
    __table_args__ = (
        Index("uq_api_key_account_id", "account_id", "form_token", unique=True),
        Index("ix_api_key_account_newest", "account_id", "created_at", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.API_KEY))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    visible_prefix: Mapped[str] = mapped_column(String(20))
    visible_suffix: Mapped[str] = mapped_column(String(4), default="")
    scopes: Mapped[list[str]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_used_address: Mapped[str | None] = mapped_column(String(64))
    replaced_by_id: Mapped[str | None] = mapped_column(String(32))
    form_token: Mapped[str | None] = mapped_column(String(64))
