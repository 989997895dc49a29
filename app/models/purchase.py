"""Purchases of credits, the messages of payment providers about them, and the numbers of their receipts."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.payments import Dispute, Provider, PurchaseState
from app.models.leased import partial_index


class Purchase(Base):
    """Credits being bought. `form_token` makes the same form pressed twice one purchase.

    `session_id` is the provider's checkout, `payment_id` its payment; it was asked last at `checked_at`.
    `credits_taken` went back to the seller after a refund or a dispute; `credits_owed` should have and were spent;
    `credits_forgiven` are asked for no more. `problem` is for staff: what did not agree.
    """

    __tablename__ = "purchase"
    __table_args__ = (
        UniqueConstraint("account_id", "form_token"),
        UniqueConstraint("provider", "session_id"),
        Index("ix_purchase_account_newest", "account_id", "created_at", "id"),
        Index("ix_purchase_newest", "created_at", "id"),
        Index("ix_purchase_state", "state", "checked_at"),
        partial_index("ix_purchase_attention", "problem IS NOT NULL OR credits_owed > 0", "created_at", "id"),
        partial_index("ix_purchase_disputed", "dispute IS NOT NULL", "created_at", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.PURCHASE))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    form_token: Mapped[str] = mapped_column(String(64))
    credits: Mapped[Decimal] = mapped_column(Credits)
    price_cents: Mapped[int]
    currency: Mapped[str] = mapped_column(String(3))
    provider: Mapped[Provider]
    state: Mapped[PurchaseState] = mapped_column(default=PurchaseState.OPEN)
    session_id: Mapped[str | None] = mapped_column(String(255))
    payment_id: Mapped[str | None] = mapped_column(String(255), index=True)
    checkout_url: Mapped[str | None] = mapped_column(Text)
    draft_id: Mapped[str | None] = mapped_column(String(32))
    refunded_cents: Mapped[int] = mapped_column(default=0)
    dispute: Mapped[Dispute | None]
    disputed_cents: Mapped[int] = mapped_column(default=0)
    credits_taken: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    credits_owed: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    credits_forgiven: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    problem: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    checked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    paid_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class PaymentEvent(Base):
    """One message of a provider, taken in once however often it is sent."""

    __tablename__ = "payment_event"

    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    kind: Mapped[str] = mapped_column(String(100))
    purchase_id: Mapped[str | None] = mapped_column(String(32), index=True)
    note: Mapped[str] = mapped_column(Text, default="")
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Receipt(Base):
    """The receipt of one paid purchase, numbered in a row, with buyer and seller as they were called then.

    The buyer's company, address and tax number are None where none were given.
    """

    __tablename__ = "receipt"

    number: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    purchase_id: Mapped[str] = mapped_column(ForeignKey("purchase.id"), unique=True)
    seller: Mapped[str] = mapped_column(Text)
    buyer_name: Mapped[str] = mapped_column(String(200))
    buyer_email: Mapped[str] = mapped_column(String(320))
    buyer_company: Mapped[str | None] = mapped_column(String(200))
    buyer_address: Mapped[str | None] = mapped_column(Text)
    buyer_tax_id: Mapped[str | None] = mapped_column(String(40))
    issued_at: Mapped[datetime] = mapped_column(UtcDateTime)
