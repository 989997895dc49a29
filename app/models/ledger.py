"""The ledger: every movement of credits, append-only, and sums by month."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ledger import LedgerKind


class LedgerLine(Base):
    """One movement of credits. `cause` is unique, so that nothing is charged or refunded twice. Database triggers
    refuse changes.
    """

    __tablename__ = "ledger_line"
    __table_args__ = (
        Index("ix_ledger_line_account_newest", "account_id", "id"),
        Index("ix_ledger_line_account_kind", "account_id", "kind", "id"),
        Index("ix_ledger_line_account_moment", "account_id", "created_at", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str | None] = mapped_column(ForeignKey("job.id"), index=True)
    purchase_id: Mapped[str | None] = mapped_column(String(32))
    cause: Mapped[str] = mapped_column(String(120), unique=True)
    kind: Mapped[LedgerKind]
    amount: Mapped[Decimal] = mapped_column(Credits)
    balance_after: Mapped[Decimal] = mapped_column(Credits)
    reason: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class LedgerMonth(Base):
    """The sum and number of an account's ledger lines of one kind in one month (UTC, `month` as YYYY-MM).

    It is stored so that no page has to add up 100,000 lines; the check of the ledger compares it with the lines.
    """

    __tablename__ = "ledger_month"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    kind: Mapped[LedgerKind] = mapped_column(primary_key=True)
    total: Mapped[Decimal] = mapped_column(Credits)
    lines: Mapped[int]


class WelcomeGift(Base):
    """Records that an account got credits to try the service with.

    `domain_cause`: a digest of the mail domain of the account's owner and the day; it is unique, so that one domain
    gets one gift a day. None for domains of mail providers.
    """

    __tablename__ = "welcome_gift"

    account_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    given_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    domain_cause: Mapped[str | None] = mapped_column(String(64), unique=True)
