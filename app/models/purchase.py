"""Purchases of credits, the messages of payment providers about them, and their receipts."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.payments import Dispute, Provider, PurchaseState
from app.models.leased import partial_index


class Purchase(Base):
    """One purchase of credits. `form_token`: of the form that created it, so that a form submitted twice creates
    one purchase.

    `session_id`, `payment_id`: the provider's ids of the checkout session and of the payment. `checked_at`: when
    the provider was last asked about it. After a refund of money or a dispute: `credits_taken` were deducted from
    the balance; `credits_owed` could not be, because they were spent; `credits_forgiven` are no longer asked for.
    `bought_by`: the user who began it. `problem`: for staff, where the provider's data does not match the purchase.
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
    bought_by: Mapped[str | None] = mapped_column(String(32))
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
    """One message of a provider; `id` is the provider's, so a message that is sent again is not processed again."""

    __tablename__ = "payment_event"

    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    kind: Mapped[str] = mapped_column(String(100))
    purchase_id: Mapped[str | None] = mapped_column(String(32), index=True)
    note: Mapped[str] = mapped_column(Text, default="")
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Receipt(Base):
    """The receipt of one paid purchase, with the details of buyer and seller at that time. Numbers have no gaps.

    The buyer's company, address and tax number are None if they were not given.
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
