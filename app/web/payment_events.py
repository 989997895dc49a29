"""Where the payment provider tells of payments: signed messages, taken in once however often they are sent."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from app.domain.errors import InvalidRequest, NotFound, TooLarge
from app.domain.payments import InvalidSignatureError, Provider
from app.web.bodies import receive
from app.web.context import container

blueprint = Blueprint("payment_events", __name__)

MAX_BYTES = 512 * 1024
SIGNATURE = "Stripe-Signature"


@blueprint.post("/payments/stripe")
def stripe() -> ResponseReturnValue:
    """Take in one message. A fault of ours is a 500, after which the provider sends it again."""
    payment_service = container().payment_service
    if payment_service is None or payment_service.payments.provider is not Provider.STRIPE:
        raise NotFound
    try:
        payment_service.receive(_body(), request.headers.get(SIGNATURE, ""))
    except InvalidSignatureError:
        raise InvalidRequest({SIGNATURE: "It does not hold for this body, or is too old."}) from None
    return jsonify(received=True)


def _body() -> bytes:
    """The body as it came: the signature is over these very bytes."""
    if (request.content_length or 0) > MAX_BYTES:
        raise TooLarge("A message may have at most 512 kB.")
    body = b""
    while chunk := receive(MAX_BYTES + 1 - len(body)):
        body += chunk
        if len(body) > MAX_BYTES:
            raise TooLarge("A message may have at most 512 kB.")
    return body
