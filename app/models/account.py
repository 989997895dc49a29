"""Accounts and their API keys."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ids import Prefix, new_id


class Account(Base):
    """A customer or a member of staff. `credits` is the sum of the account's ledger lines, never below zero.

    Nobody signs in before the e-mail is confirmed. Two-factor: `one_time_secret` is sealed, in force from
    `one_time_since`, and no code of `one_time_last_step` or an earlier step is taken again. A deleted account keeps
    its row, without anything personal, for the ledger's sake.
    """

    __tablename__ = "account"
    __table_args__ = (CheckConstraint("credits >= 0", name="credits_not_negative"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.ACCOUNT))
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(200), default="")
    password_hash: Mapped[str | None] = mapped_column(String(200))
    is_staff: Mapped[bool] = mapped_column(default=False)
    credits: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    one_time_secret: Mapped[str | None] = mapped_column(Text)
    one_time_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    one_time_last_step: Mapped[int | None] = mapped_column(BigInteger)


class ApiKey(Base):
    """A bearer key: only the digest of its secret is kept, and the part that may be shown."""

    __tablename__ = "api_key"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.API_KEY))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    visible_prefix: Mapped[str] = mapped_column(String(20))
    scopes: Mapped[list[str]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
