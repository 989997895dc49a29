"""Stored answers, for requests that are sent again with the same Idempotency-Key."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime


class IdempotencyRecord(Base):
    """One use of an Idempotency-Key. While `answer` is None, the first request with the key is being answered: it
    holds the row as `claim_id`, until `lease_until`.
    """

    __tablename__ = "idempotency_record"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    claim_id: Mapped[str] = mapped_column(String(32))
    lease_until: Mapped[datetime] = mapped_column(UtcDateTime)
    http_status: Mapped[int | None]
    answer: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
