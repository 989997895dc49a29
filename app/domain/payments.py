"""Payments as the services see them: the state of a purchase, the payment providers, and the messages they send."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Protocol


class Provider(StrEnum):
    """Who takes the money."""

    STRIPE = "stripe"
    DEMO = "demo"


class PurchaseState(StrEnum):
    """How far the payment is: open until the buyer pays or gives up, awaited while the bank takes its time.

    What was paid can come in late, whatever was told before.
    """

    OPEN = "open"
    AWAITED = "awaited"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"


UNDECIDED = (PurchaseState.OPEN, PurchaseState.AWAITED)
POLL_PROVIDER_AFTER = {PurchaseState.OPEN: timedelta(minutes=5), PurchaseState.AWAITED: timedelta(hours=1)}
"""So long after the provider was asked last is it asked again, where no message of it came."""
UNOPENED_EXPIRE_AFTER = timedelta(hours=1)
"""A purchase that has no payment page by then was given up: opening one broke, and nobody pressed again."""
UNDER_WAY_AT_MOST = timedelta(days=30)
"""No provider waits longer for a payment: a purchase is no longer named where credits are bought."""
_ORDER = (*UNDECIDED, PurchaseState.EXPIRED, PurchaseState.FAILED, PurchaseState.PAID)


class Dispute(StrEnum):
    """The outcome of a payment that the owner of the card disputes."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"


def choose_later(one: PurchaseState, other: PurchaseState) -> PurchaseState:
    """The one that comes later in a payment's life: messages arrive in any order."""
    return max(one, other, key=_ORDER.index)


def merge_disputes(one: Dispute | None, other: Dispute | None) -> Dispute | None:
    """What holds once both were told: a decision over an open dispute, a win on appeal over a loss."""
    order = (None, Dispute.OPEN, Dispute.LOST, Dispute.WON)
    return max(one, other, key=order.index)


def share(credits: Decimal, back_cents: int, price_cents: int) -> Decimal:
    """The credits that go with so many cents of the price, to the hundredth, in the buyer's favor."""
    hundredths = int(credits * 100) * min(back_cents, price_cents) // price_cents
    return Decimal(hundredths) / 100


@dataclass(frozen=True, slots=True)
class Basket:
    """What is to be paid, by whom, and where the buyer comes back to, having paid or not."""

    purchase_id: str
    account_id: str
    credits: Decimal
    price_cents: int
    currency: str
    email: str
    paid_url: str
    back_url: str


@dataclass(frozen=True, slots=True)
class Checkout:
    """The page where a purchase is paid."""

    session_id: str
    url: str


@dataclass(frozen=True, slots=True)
class Payment:
    """What a provider tells of one payment; None where it tells nothing.

    `refunded_cents` is all that was refunded so far, `disputed_cents` what the dispute is about. `trouble` is for
    staff: something that only people can put right.
    """

    purchase_id: str | None = None
    account_id: str | None = None
    session_id: str | None = None
    payment_id: str | None = None
    state: PurchaseState | None = None
    amount_cents: int | None = None
    currency: str | None = None
    refunded_cents: int = 0
    dispute: Dispute | None = None
    disputed_cents: int = 0
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ProviderEvent:
    """One message of a provider: the same `id` however often it is sent. None to do where `payment` is None."""

    id: str
    kind: str
    payment: Payment | None = None


class PaymentsUnavailableError(Exception):
    """The provider cannot be reached or is out of order: the same call may succeed later."""


class PaymentRefusedError(Exception):
    """The provider says no to this call, and would again."""


class InvalidSignatureError(Exception):
    """The message is not the provider's, was changed on its way, or is too old."""


class Payments(Protocol):
    """Takes the money for purchases."""

    @property
    def provider(self) -> Provider:
        """Who it is."""

    @property
    def origin(self) -> str | None:
        """Where its payment pages are, as scheme and host; None where they are pages of our own."""

    def begin(self, basket: Basket) -> Checkout:
        """Open the payment page of a purchase; the same one again for the same purchase.

        Raises PaymentsUnavailableError, PaymentRefusedError.
        """

    def look_up(self, session_id: str) -> Payment:
        """How the payment stands now. Raises PaymentsUnavailableError, PaymentRefusedError for an unknown one."""

    def close(self, session_id: str) -> None:
        """Let nobody pay there any more; nothing changes where that is settled. Raises PaymentsUnavailableError."""

    def purchase_of(self, payment_id: str) -> str | None:
        """Which purchase was paid so; None when it was none of ours. Raises PaymentsUnavailableError."""

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        """The message in this very body. Raises InvalidSignatureError."""
