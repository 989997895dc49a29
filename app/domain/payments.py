"""Payments: the states of purchases and disputes, the port of payment providers, and the messages that they
send.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Protocol


class Provider(StrEnum):
    """A payment provider."""

    STRIPE = "stripe"
    DEMO = "demo"


class PurchaseState(StrEnum):
    """The state of a purchase: OPEN until the buyer pays or gives up, AWAITED while the bank transfers the money.

    A purchase can become PAID from every other state, because a payment may arrive late.
    """

    OPEN = "open"
    AWAITED = "awaited"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"


AWAITING_PAYMENT = (PurchaseState.OPEN, PurchaseState.AWAITED)
"""The states of purchases that are not paid and have not ended."""
POLL_PROVIDER_AFTER = {PurchaseState.OPEN: timedelta(minutes=5), PurchaseState.AWAITED: timedelta(hours=1)}
"""How long after the last look-up the provider is asked again about a purchase in this state, if it sent no
message.
"""
UNOPENED_EXPIRE_AFTER = timedelta(hours=1)
"""A purchase without a payment page expires at this age: the provider could not open the page, and the buyer did
not try again.
"""
MAX_TIME_UNDER_WAY = timedelta(days=30)
"""How long a purchase counts as under way, and is listed where credits are bought: no provider waits longer for a
payment.
"""
# From early to late in the life of a payment.
_ORDER = (*AWAITING_PAYMENT, PurchaseState.EXPIRED, PurchaseState.FAILED, PurchaseState.PAID)


class Dispute(StrEnum):
    """The state of a dispute, in which a buyer reclaims the money through the bank. WON: the service keeps the
    money; LOST: the buyer gets the money.
    """

    OPEN = "open"
    WON = "won"
    LOST = "lost"


def choose_later(first: PurchaseState, second: PurchaseState) -> PurchaseState:
    """The state that comes later in the life of a payment, because messages arrive in any order."""
    return max(first, second, key=_ORDER.index)


def merge_disputes(first: Dispute | None, second: Dispute | None) -> Dispute | None:
    """The state of a dispute after messages with both states, in any order: a decision replaces an open dispute, a
    win (on appeal) replaces a loss.
    """
    order = (None, Dispute.OPEN, Dispute.LOST, Dispute.WON)
    return max(first, second, key=order.index)


def credits_to_deduct(credits: Decimal, returned_cents: int, price_cents: int) -> Decimal:
    """The credits to deduct when `returned_cents` of the price went back to the buyer: the same share of `credits`,
    rounded down to the hundredth, in the buyer's favor.
    """
    hundredths = int(credits * 100) * min(returned_cents, price_cents) // price_cents
    return Decimal(hundredths) / 100


@dataclass(frozen=True, slots=True)
class CheckoutRequest:
    """What is to be paid, and by whom. The payment page redirects to `paid_url` after the payment, to `back_url`
    when the buyer cancels.
    """

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
    """A provider's checkout session, and the `url` of its payment page."""

    session_id: str
    url: str


@dataclass(frozen=True, slots=True)
class Payment:
    """What a provider reports about one payment; fields are None if it does not report them.

    `refunded_cents`: everything refunded so far. `disputed_cents`: the amount that the dispute is about. `trouble`:
    a problem, in words, that staff must solve.
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
    """One message of a provider, with the same `id` every time it is sent. If `payment` is None, there is nothing
    to do.
    """

    id: str
    kind: str
    payment: Payment | None = None


class PaymentsUnavailableError(Exception):
    """The provider is unreachable or out of order; the same call may succeed later."""


class PaymentRefusedError(Exception):
    """The provider refuses this call, and would refuse it again."""


class InvalidSignatureError(Exception):
    """The message is not from the provider, was changed, or is too old."""


class Payments(Protocol):
    """The port of payment providers."""

    @property
    def provider(self) -> Provider:
        """The provider that this adapter connects to."""

    @property
    def origin(self) -> str | None:
        """The scheme and host of its payment pages; None if they are pages of our own."""

    def begin(self, request: CheckoutRequest) -> Checkout:
        """Open a payment page for a purchase; return the existing page if the purchase already has one.

        Raises PaymentsUnavailableError, PaymentRefusedError.
        """

    def look_up(self, session_id: str) -> Payment:
        """The payment as it is now. Raises PaymentsUnavailableError, and PaymentRefusedError for an unknown
        session.
        """

    def close(self, session_id: str) -> None:
        """Close the payment page, so that nobody can pay any more; harmless if the payment has ended. Raises
        PaymentsUnavailableError.
        """

    def purchase_of(self, payment_id: str) -> str | None:
        """The id of the purchase that this payment is for; None for a payment that is not for us. Raises
        PaymentsUnavailableError.
        """

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        """The message in this request body, as received. Raises InvalidSignatureError."""
