"""The ledger: every movement of credits, append-only."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ledger import LedgerKind


class LedgerLine(Base):
    """One movement. `cause` is unique, so nothing is charged or refunded twice; triggers forbid change."""

    __tablename__ = "ledger_line"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    job_id: Mapped[str | None] = mapped_column(ForeignKey("job.id"), index=True)
    cause: Mapped[str] = mapped_column(String(120), unique=True)
    kind: Mapped[LedgerKind]
    amount: Mapped[Decimal] = mapped_column(Credits)
    balance_after: Mapped[Decimal] = mapped_column(Credits)
    reason: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
