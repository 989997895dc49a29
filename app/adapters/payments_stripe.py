"""Payments by Stripe Checkout, with Stripe's own library."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import stripe
from stripe.params.checkout import SessionCreateParams, SessionCreateParamsLineItemPriceData

from app.adapters import stripe_messages
from app.adapters.deadlines import Deadline
from app.adapters.stripe_messages import ACCOUNT, PURCHASE
from app.domain.payments import (
    Checkout,
    CheckoutRequest,
    InvalidSignatureError,
    Payment,
    PaymentRefusedError,
    PaymentsUnavailableError,
    Provider,
    ProviderEvent,
)

CONNECT_SECONDS, READ_SECONDS, RETRIES = 3.05, 8.0, 1
DEADLINE_SECONDS = 20.0
"""Time for one call with all its retries, even if an answer comes byte by byte."""
TOLERANCE_SECONDS = 300
"""Oldest signature of a message that is accepted, so that nobody can send a copy of a message again later."""

Answer = TypeVar("Answer")


class StripePayments:
    """Implements app.domain.payments.Payments with Stripe. `url`: the URL of its API; `checkout_url`: the URL of
    its payment pages.
    """

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

    def begin(self, request: CheckoutRequest) -> Checkout:
        """Open a checkout session. The purchase's id is the idempotency key: a second call returns the same
        session.
        """
        create = self._stripe.v1.checkout.sessions.create
        made = _call(lambda: create(_session_params(request), {"idempotency_key": request.purchase_id}))
        if not made.url:
            raise PaymentRefusedError(f"The session {made.id} has no page.")
        return Checkout(made.id, made.url)

    def look_up(self, session_id: str) -> Payment:
        """The payment from the session's current state, with the amount refunded."""
        retrieve = self._stripe.v1.checkout.sessions.retrieve
        found = _call(lambda: retrieve(session_id, {"expand": ["payment_intent.latest_charge"]}))
        return stripe_messages.of_session(found.to_dict())

    def close(self, session_id: str) -> None:
        """Expire the session. Harmless for one that has ended: Stripe refuses that, which is ignored."""
        try:
            _call(lambda: self._stripe.v1.checkout.sessions.expire(session_id))
        except PaymentRefusedError:
            return

    def purchase_of(self, payment_id: str) -> str | None:
        """The purchase's id in the metadata of the payment intent; None if there is none."""
        try:
            found = _call(lambda: self._stripe.v1.payment_intents.retrieve(payment_id))
        except PaymentRefusedError:
            return None
        return stripe_messages.purchase_of(found.to_dict())

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        """The event in the raw request body, whose signature Stripe's library verifies. Raises
        InvalidSignatureError.
        """
        try:
            event: Any = self._stripe.construct_event(body, signature, self._webhook_secret, TOLERANCE_SECONDS)
            thing = event.data.object.to_dict()
        except (stripe.SignatureVerificationError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise InvalidSignatureError(str(error)) from error
        return ProviderEvent(event.id, event.type, stripe_messages.of_event(event.type, thing))


def _session_params(request: CheckoutRequest) -> SessionCreateParams:
    ours = {PURCHASE: request.purchase_id, ACCOUNT: request.account_id}
    price: SessionCreateParamsLineItemPriceData = {
        "currency": request.currency,
        "unit_amount": request.price_cents,
        "product_data": {"name": f"{request.credits.normalize():f} Brightlist credits"},
    }
    return {
        "mode": "payment",
        "line_items": [{"quantity": 1, "price_data": price}],
        "client_reference_id": request.purchase_id,
        "metadata": ours,
        "payment_intent_data": {"metadata": ours},
        "customer_email": request.email,
        "success_url": request.paid_url,
        "cancel_url": request.back_url,
        # No conversion: the amount paid is compared with our price, in our currency, to the cent.
        "adaptive_pricing": {"enabled": False},
    }


def _call(request: Callable[[], Answer]) -> Answer:
    """Stripe's answer, within DEADLINE_SECONDS.

    Raises PaymentRefusedError for errors that another call would also get, PaymentsUnavailableError for others.
    """
    try:
        return Deadline(DEADLINE_SECONDS).wait_for(request)
    except (stripe.InvalidRequestError, stripe.CardError, stripe.IdempotencyError) as error:
        raise PaymentRefusedError(str(error)) from error
    except (stripe.StripeError, TimeoutError) as error:
        raise PaymentsUnavailableError(str(error)) from error
