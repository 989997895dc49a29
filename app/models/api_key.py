"""The keys by which programs act for an organization."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ids import Prefix, new_id


class ApiKey(Base):
    """A bearer key. Only the digest of its secret is stored, and the first and last characters, for display.

    `form_token`: the token of the form that created it, unique per account, so that a form submitted twice creates
    one key. `replaced_by_id`: the new key, if this one was rotated. `made_by`: the user who created it, None for
    keys by the operator. `upload_origins`: of the pages that may upload with the URLs that it made. `budget`: the
    credits that it may spend in a month, None for no limit. `first_id`: the first of the keys that it replaced one
    after the other, None if it replaced none; the spending of all these keys is counted together.
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
    upload_origins: Mapped[list[str]] = mapped_column(JSON, default=list)
    budget: Mapped[Decimal | None] = mapped_column(Credits)
    first_id: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_used_address: Mapped[str | None] = mapped_column(String(64))
    replaced_by_id: Mapped[str | None] = mapped_column(String(32))
    made_by: Mapped[str | None] = mapped_column(String(32))
    form_token: Mapped[str | None] = mapped_column(String(64))


class KeyMonth(Base):
    """The credits that a key, together with the keys that replaced it, spent on the orders of one month (UTC,
    `month` as YYYY-MM), minus the refunds of these orders. Stored so that no order has to add up all others; the
    check of the ledger compares it with the jobs.
    """

    __tablename__ = "key_month"

    key_id: Mapped[str] = mapped_column(ForeignKey("api_key.id"), primary_key=True)
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    spent: Mapped[Decimal] = mapped_column(Credits)
