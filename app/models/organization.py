"""Organizations: the customers who own credits, orders, keys and webhooks."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.billing_details import BillingDetails
from app.domain.ids import Prefix, new_id
from engine.types.enhancements import WorkSize

LOW_BALANCE = Decimal(5)
"""Below so many credits a new organization's members are told."""


class Organization(Base):
    """A customer: anyone who is a member acts for it. `credits` is the sum of its ledger lines, never below zero.

    Customers call it their account. A deleted one keeps its row, without anything personal, for the ledger's sake.

    Staff may suspend an organization: then none of its members signs in and no key opens anything. A flagged one is
    for staff to look at. `weight`: so many of its photos in a row workers take at its turn. Below `low_balance` its
    members are told. Pictures of orders since `pictures_agreed_at`
    may be used to make our work better; of other orders, and without it, none. `billing_…` and `tax_id` stand on
    receipts issued from then on, None for what was not given.
    """

    # Customers call it their account, and so do the keys that refer to it.
    __tablename__ = "account"
    __table_args__ = (
        CheckConstraint("credits >= 0", name="credits_not_negative"),
        Index("ix_account_newest", "created_at", "id"),
        Index("ix_account_flagged", "flagged_at", "id"),
        Index("ix_account_suspended", "suspended_at", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.ACCOUNT))
    credits: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    suspended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    suspended_reason: Mapped[str | None] = mapped_column(String(300))
    flagged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    flag_reason: Mapped[str | None] = mapped_column(String(500))
    weight: Mapped[int] = mapped_column(default=1)
    low_balance: Mapped[Decimal | None] = mapped_column(Credits, default=LOW_BALANCE)
    pictures_agreed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    billing_company: Mapped[str | None] = mapped_column(String(200))
    billing_address: Mapped[str | None] = mapped_column(Text)
    tax_id: Mapped[str | None] = mapped_column(String(40))

    @property
    def billing(self) -> BillingDetails:
        """Who is billed."""
        return BillingDetails(self.billing_company or "", self.billing_address or "", self.tax_id or "")


class AccountUse(Base):
    """What an account takes of the store, which all share, before it orders.

    `open_sessions` and `held_bytes` are sums over its upload sessions that no order used.
    """

    __tablename__ = "account_use"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    open_sessions: Mapped[int] = mapped_column(default=0)
    held_bytes: Mapped[int] = mapped_column(BigInteger, default=0)


class AccountTurn(Base):
    """An account's turns at the workers, apart for photos of each work size.

    `served_at`: when its last turn was over; `turns`: how many of its photos were taken in the one it has.
    """

    __tablename__ = "account_turn"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    work_size: Mapped[WorkSize] = mapped_column(primary_key=True)
    turns: Mapped[int] = mapped_column(default=0)
    served_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
