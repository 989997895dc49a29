"""Receives the payment provider's signed events. An event that is sent again is processed only once."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from app.domain.errors import InvalidRequest, NotFound, TooLarge
from app.domain.payments import InvalidSignatureError, Provider
from app.web.bodies import receive
from app.web.context import container

blueprint = Blueprint("payment_events", __name__)

MAX_BYTES = 512 * 1024
"""Far more than an event of Stripe has."""
SIGNATURE = "Stripe-Signature"


@blueprint.post("/payments/stripe")
def stripe() -> ResponseReturnValue:
    """Process one event of Stripe. If we answer 500 after an error, Stripe sends the event again."""
    payment_service = container().payment_service
    if payment_service is None or payment_service.payments.provider is not Provider.STRIPE:
        raise NotFound
    try:
        payment_service.receive(_body(), request.headers.get(SIGNATURE, ""))
    except InvalidSignatureError:
        raise InvalidRequest({SIGNATURE: "It does not hold for this body, or is too old."}) from None
    return jsonify(received=True)


def _body() -> bytes:
    """The unchanged bytes of the body, over which the signature is calculated."""
    if (request.content_length or 0) > MAX_BYTES:
        raise TooLarge("A message may have at most 512 kB.")
    body = b""
    while chunk := receive(MAX_BYTES + 1 - len(body)):
        body += chunk
        if len(body) > MAX_BYTES:
            raise TooLarge("A message may have at most 512 kB.")
    return body
