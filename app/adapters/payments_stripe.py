"""Payments through Stripe Checkout, by Stripe's own library."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import stripe
from stripe.params.checkout import SessionCreateParams, SessionCreateParamsLineItemPriceData

from app.adapters import stripe_messages
from app.adapters.deadlines import Deadline
from app.adapters.stripe_messages import ACCOUNT, PURCHASE
from app.domain.payments import (
    Basket,
    Checkout,
    InvalidSignatureError,
    Payment,
    PaymentRefusedError,
    PaymentsUnavailableError,
    Provider,
    ProviderEvent,
)

CONNECT_SECONDS, READ_SECONDS, RETRIES = 3.05, 8.0, 1
DEADLINE_SECONDS = 20.0
"""For one call with all its tries, however its answer drips."""
TOLERANCE_SECONDS = 300
"""A message signed longer ago is refused: anyone who kept a copy cannot send it again later."""

Answer = TypeVar("Answer")


class StripePayments:
    """The payments port over Stripe. `url` is the address of its API, `checkout_url` of its payment pages."""

    provider = Provider.STRIPE

    def __init__(self, key: str, webhook_secret: str, url: str, checkout_url: str) -> None:
        parts = urlsplit(checkout_url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._webhook_secret = webhook_secret
        self._stripe = stripe.StripeClient(
            key,
            base_addresses={"api": url},
            max_network_retries=RETRIES,
            http_client=stripe.RequestsClient(timeout=(CONNECT_SECONDS, READ_SECONDS)),
        )

    def begin(self, basket: Basket) -> Checkout:
        """Open a checkout session. The purchase is the idempotency key, so that a second call gives the first's."""
        create = self._stripe.v1.checkout.sessions.create
        made = _asked(lambda: create(_wanted(basket), {"idempotency_key": basket.purchase_id}))
        if not made.url:
            raise PaymentRefusedError(f"The session {made.id} has no page.")
        return Checkout(made.id, made.url)

    def look_up(self, session_id: str) -> Payment:
        """The session as it is, with what was refunded of its payment."""
        retrieve = self._stripe.v1.checkout.sessions.retrieve
        found = _asked(lambda: retrieve(session_id, {"expand": ["payment_intent.latest_charge"]}))
        return stripe_messages.of_session(found.to_dict())

    def close(self, session_id: str) -> None:
        """Expire the session; one that has ended refuses that, which is as good."""
        try:
            _asked(lambda: self._stripe.v1.checkout.sessions.expire(session_id))
        except PaymentRefusedError:
            return

    def purchase_of(self, payment_id: str) -> str | None:
        """What the payment intent's metadata says."""
        try:
            found = _asked(lambda: self._stripe.v1.payment_intents.retrieve(payment_id))
        except PaymentRefusedError:
            return None
        return stripe_messages.purchase_of(found.to_dict())

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        """The event in the raw body, whose signature the library verifies."""
        try:
            event: Any = self._stripe.construct_event(body, signature, self._webhook_secret, TOLERANCE_SECONDS)
            thing = event.data.object.to_dict()
        except (stripe.SignatureVerificationError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise InvalidSignatureError(str(error)) from error
        return ProviderEvent(event.id, event.type, stripe_messages.of_event(event.type, thing))


def _wanted(basket: Basket) -> SessionCreateParams:
    ours = {PURCHASE: basket.purchase_id, ACCOUNT: basket.account_id}
    price: SessionCreateParamsLineItemPriceData = {
        "currency": basket.currency,
        "unit_amount": basket.price_cents,
        "product_data": {"name": f"{basket.credits.normalize():f} Brightlist credits"},
    }
    return {
        "mode": "payment",
        "line_items": [{"quantity": 1, "price_data": price}],
        "client_reference_id": basket.purchase_id,
        "metadata": ours,
        "payment_intent_data": {"metadata": ours},
        "customer_email": basket.email,
        "success_url": basket.paid_url,
        "cancel_url": basket.back_url,
        # The price is in our currency and compared to the cent.
        "adaptive_pricing": {"enabled": False},
    }


def _asked(call: Callable[[], Answer]) -> Answer:
    """What Stripe answers, in time. Refused is what it would refuse again; all else may go better later."""
    try:
        return Deadline(DEADLINE_SECONDS).waits_for(call)
    except (stripe.InvalidRequestError, stripe.CardError, stripe.IdempotencyError) as error:
        raise PaymentRefusedError(str(error)) from error
    except (stripe.StripeError, TimeoutError) as error:
        raise PaymentsUnavailableError(str(error)) from error
