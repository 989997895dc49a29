"""Answers kept for requests that may be sent again with the same Idempotency-Key."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime


class IdempotencyRecord(Base):
    """One use of a key. While `answer` is missing, the first request is in flight and holds it by `claim_id`."""

    __tablename__ = "idempotency_record"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    claim_id: Mapped[str] = mapped_column(String(32))
    lease_until: Mapped[datetime] = mapped_column(UtcDateTime)
    http_status: Mapped[int | None]
    answer: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
