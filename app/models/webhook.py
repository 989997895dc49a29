"""Webhooks, the deliveries to them, and every attempt at one."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.sending import UNSETTLED, AttemptOutcome, DeliveryState
from app.models.event import Event
from app.models.leased import Leased, due_index, partial_index

IS_CALLBACK = "callback_digest IS NOT NULL"
_NUMBER = BigInteger().with_variant(Integer, "sqlite")


class Signer:
    """A row whose secrets, encrypted, sign deliveries: `next_secret` replaces `secret` at `next_secret_from`."""

    secret: Mapped[str] = mapped_column(Text)
    next_secret: Mapped[str | None] = mapped_column(Text)
    next_secret_from: Mapped[datetime | None] = mapped_column(UtcDateTime)


class CallbackSecret(Signer, Base):
    """The secret of an account that signs the deliveries to the callback URLs of its orders. `warned_at`: when its
    members were last mailed that such deliveries fail.
    """

    __tablename__ = "callback_secret"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    warned_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Webhook(Signer, Base):
    """A customer's receiver. `events`: an empty list means USUAL_EVENTS.

    `callback_digest`: the digest of the URL, if orders named it as their callback: the row receives the events of
    these orders only, and the account's CallbackSecret signs for it. `failed_deliveries`: since the last success.
    `slow_until`: set when an attempt blocked a sender. While it is set, the slow queue serves the webhook; while it
    lies in the future, the webhook counts as troubled. A prompt delivery clears it.
    """

    __tablename__ = "webhook"
    __table_args__ = (
        Index("ix_webhook_account", "account_id", "deleted_at", "callback_digest"),
        Index("uq_webhook_account_id", "account_id", "form_token", unique=True),
        Index("uq_webhook_callback", "account_id", "callback_digest", unique=True),
        partial_index("ix_webhook_callback_newest", IS_CALLBACK, "account_id", "created_at", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.WEBHOOK))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    url: Mapped[str] = mapped_column(String(2048))
    events: Mapped[list[str]] = mapped_column(JSON)
    callback_digest: Mapped[str | None] = mapped_column(String(64))
    active: Mapped[bool] = mapped_column(default=True)
    off_reason: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    healthy_since: Mapped[datetime] = mapped_column(UtcDateTime)
    last_success_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    slow_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failed_deliveries: Mapped[int] = mapped_column(default=0)
    warnings: Mapped[int] = mapped_column(default=0)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    form_token: Mapped[str | None] = mapped_column(String(64))

    @property
    def is_callback(self) -> bool:
        """Whether orders named it as their callback; else it is registered for all orders."""
        return self.callback_digest is not None


class Delivery(Leased, Base):
    """The sending of one event to one webhook, written in the event's transaction; `number` gives the order."""

    __tablename__ = "delivery"
    __table_args__ = (
        Index("ix_delivery_due", "state", "next_attempt_at"),
        due_index("delivery", UNSETTLED),
        Index("ix_delivery_webhook_newest", "webhook_id", "number"),
        Index("ix_delivery_webhook_state", "webhook_id", "state", "number"),
        Index("ix_delivery_old", "created_at"),
        Index("ix_delivery_state_newest", "state", "number"),
        Index("ix_delivery_webhook_failed", "webhook_id", "failed_at"),
    )

    number: Mapped[int] = mapped_column(_NUMBER, primary_key=True)
    id: Mapped[str] = mapped_column(String(32), unique=True, default=lambda: new_id(Prefix.DELIVERY))
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhook.id"))
    event_id: Mapped[str] = mapped_column(ForeignKey("event.id"), index=True)
    job_id: Mapped[str | None] = mapped_column(String(32))
    event_name: Mapped[str] = mapped_column(String(40))
    state: Mapped[DeliveryState] = mapped_column(default=DeliveryState.WAITING)
    attempts_made: Mapped[int] = mapped_column(default=0)
    by_hand: Mapped[bool] = mapped_column(default=False)
    next_attempt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    failed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    webhook: Mapped[Webhook] = relationship()
    event: Mapped[Event] = relationship()
    attempts: Mapped[list["Attempt"]] = relationship(order_by="Attempt.number", back_populates="delivery")


class Attempt(Base):
    """One attempt at a delivery: the row is written before the request is sent, and completed afterwards."""

    __tablename__ = "attempt"
    __table_args__ = (UniqueConstraint("delivery_number", "number"),)

    id: Mapped[int] = mapped_column(_NUMBER, primary_key=True)
    delivery_number: Mapped[int] = mapped_column(ForeignKey("delivery.number"))
    number: Mapped[int]
    by_hand: Mapped[bool] = mapped_column(default=False)
    outcome: Mapped[AttemptOutcome] = mapped_column(default=AttemptOutcome.STARTED)
    message: Mapped[str] = mapped_column(Text, default="")
    started_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    request_headers: Mapped[dict[str, Any]] = mapped_column(JSON)
    response_status: Mapped[int | None]
    response_headers: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    response_body: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    address: Mapped[str | None] = mapped_column(String(64))
    phases: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)

    delivery: Mapped[Delivery] = relationship(back_populates="attempts")
