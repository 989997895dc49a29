"""Organizations: the customers who own credits, orders, keys and webhooks."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, UtcDateTime
from app.domain.billing_details import BillingDetails
from app.domain.engines import EngineChannel
from app.domain.ids import Prefix, new_id
from engine.types.enhancements import WorkSize

LOW_BALANCE = Decimal(5)
"""The `low_balance` of a new organization, in credits."""


class Organization(Base):
    """A customer, for whom all its members act. `credits` is the sum of its ledger lines, never below zero.

    A deleted organization keeps its row, without personal data, because ledger lines refer to it. `suspended_at`:
    since then no member can sign in, and its API keys are refused. `flagged_at`: since then it is flagged for
    staff. `weight`: how many of its photos workers take in a row at its turn. `low_balance`: its members get a mail
    when the credits fall below it. `file_names`: the pattern of the names of its downloads, empty for the photos'
    own names. `keeps_photos`: photos and results of its orders are kept for RESULTS_KEPT. `engine_channel`: which
    release of the engine makes its pictures; for a sandbox, the channel of its live account applies.
    `pictures_agreed_at`: pictures of orders placed since then may be used to improve the service; pictures of
    earlier orders may not, and none may while it is None. `billing_…`, `tax_id`: printed on receipts issued after
    they were given, None if not given. `sandbox_of`: the account whose test mode this one is, None for live
    accounts: a sandbox has no members, and everything that a test key makes belongs to it.
    """

    # Customers call it their account; so do the foreign keys that refer to it.
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
    file_names: Mapped[str] = mapped_column(String(100), default="")
    keeps_photos: Mapped[bool] = mapped_column(default=False)
    engine_channel: Mapped[EngineChannel] = mapped_column(default=EngineChannel.LATEST)
    pictures_agreed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    billing_company: Mapped[str | None] = mapped_column(String(200))
    billing_address: Mapped[str | None] = mapped_column(Text)
    tax_id: Mapped[str | None] = mapped_column(String(40))
    sandbox_of: Mapped[str | None] = mapped_column(ForeignKey("account.id"), unique=True)

    @property
    def billing(self) -> BillingDetails:
        """The buyer's details for receipts."""
        return BillingDetails(self.billing_company or "", self.billing_address or "", self.tax_id or "")


class AccountUse(Base):
    """How much of the shared store an account uses for its quotas: for files that it has not ordered yet, and for
    files that it keeps longer than usual.

    `open_sessions` and `held_bytes`: the number of its upload sessions without an order, and the sum of their
    bytes. `kept_bytes`: the sum of the bytes of its orders whose photos it keeps.
    """

    __tablename__ = "account_use"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    open_sessions: Mapped[int] = mapped_column(default=0)
    held_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    kept_bytes: Mapped[int] = mapped_column(BigInteger, default=0)


class AccountTurn(Base):
    """The turns that an account gets with the workers: one row for its photos of each work size.

    `served_at`: when its last turn ended; `turns`: how many of its photos workers have taken in the present turn.
    """

    __tablename__ = "account_turn"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    work_size: Mapped[WorkSize] = mapped_column(primary_key=True)
    turns: Mapped[int] = mapped_column(default=0)
    served_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
