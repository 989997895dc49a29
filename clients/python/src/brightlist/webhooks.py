"""Webhooks: checks that one comes from the service, by both of its signatures, and signs as the service does."""

import hmac
import json
import time
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Mapping, Sequence
from typing import Any

from brightlist.errors import InvalidSignature
from brightlist.models import EventAnswer

TOLERANCE_SECONDS = 300
KEY_MARK = "whsec_"
"""What signing secrets begin with."""


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> EventAnswer:
    """The event, if the service sent exactly this body under this delivery id within `tolerance` seconds.

    `body`: the raw bytes, before any parsing. `secrets`: the webhook's, or both while it is being replaced. Raises
    InvalidSignature. Attempts may come twice: deduplicate by the header `webhook-id`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    all_secrets = [secrets] if isinstance(secrets, str) else list(secrets)
    _check_age(given, time.time() if now is None else now, tolerance)
    if given.get("webhook-id") != given.get("x-service-delivery"):
        raise InvalidSignature("The headers name two deliveries.")
    standard = _sign_standard(given.get("webhook-id", ""), given["webhook-timestamp"], body, all_secrets)
    if not _is_one_of(given.get("webhook-signature", "").split(), standard):
        raise InvalidSignature("The header webhook-signature is not by any of these secrets.")
    if not _is_one_of([given.get("x-service-signature", "")], [_sign_body(body, each) for each in all_secrets]):
        raise InvalidSignature("The header X-Service-Signature is not by any of these secrets.")
    return EventAnswer.read({"id": given.get("x-service-event-id", ""), **json.loads(body)})


def sign(
    body: bytes, secret: str, *, event: str, event_id: str, delivery_id: str, attempt: int = 1, now: float
) -> dict[str, str]:
    """The headers with which the service sends this body."""
    timestamp = str(int(now))
    return {
        "Content-Type": "application/json",
        "X-Service-Signature": _sign_body(body, secret),
        "X-Service-Timestamp": timestamp,
        "X-Service-Event": event,
        "X-Service-Event-Id": event_id,
        "X-Service-Delivery": delivery_id,
        "X-Service-Attempt": str(attempt),
        "webhook-id": delivery_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": _sign_standard(delivery_id, timestamp, body, [secret])[0],
    }


def _check_age(given: Mapping[str, str], now: float, tolerance: float) -> None:
    sent_at = given.get("webhook-timestamp", "")
    if not (sent_at.isascii() and sent_at.isdecimal()):
        raise InvalidSignature("The header webhook-timestamp is missing.")
    if abs(now - int(sent_at)) > tolerance:
        raise InvalidSignature(f"It was sent more than {tolerance:g} seconds ago, or the clock is wrong.")


def _sign_standard(delivery_id: str, timestamp: str, body: bytes, secrets: Sequence[str]) -> list[str]:
    content = f"{delivery_id}.{timestamp}.".encode() + body
    return [f"v1,{b64encode(hmac.digest(_read_key(each), content, 'sha256')).decode()}" for each in secrets]


def _sign_body(body: bytes, secret: str) -> str:
    return f"sha256={hmac.digest(secret.encode(), body, 'sha256').hex()}"


def check_secret(secret: str) -> None:
    """Raises ValueError where it has not the form of a signing secret."""
    _read_key(secret)


def _read_key(secret: str) -> bytes:
    try:
        return b64decode(secret.removeprefix(KEY_MARK), validate=True)
    except Error:
        raise ValueError(f"A secret is {KEY_MARK} and base64.") from None


def _is_one_of(given: Sequence[str], right: Sequence[str]) -> bool:
    # Compared in constant time: how long it takes tells nothing about the signature.
    return any(hmac.compare_digest(each.encode(), one.encode()) for each in given for one in right)


def describe(event: EventAnswer) -> Any:
    """The body that a webhook is sent for an event of GET /events."""
    return {name: value for name, value in event.raw.items() if name != "id"}
