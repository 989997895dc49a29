"""The headers by which a receiver verifies a delivery: our own, and the headers of the Standard Webhooks spec."""

import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.webhooks import SIGNING_PREFIX


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets in force: `interface` signs our own header, each of `standard` the Standard Webhooks header."""

    interface: str
    standard: Sequence[str]


@dataclass(frozen=True, slots=True)
class DeliveryLabel:
    """What the headers of one attempt say about it."""

    delivery_id: str
    event_id: str
    event_name: str
    attempt: int
    by_hand: bool
    sent_at: datetime


def headers(label: DeliveryLabel, body: bytes, secrets: Secrets) -> dict[str, str]:
    """Every header of one attempt; `body` is exactly the bytes that are sent."""
    timestamp = str(int(label.sent_at.timestamp()))
    signed = f"{label.delivery_id}.{timestamp}.".encode() + body
    common = {
        "Content-Type": "application/json",
        "X-Service-Signature": f"sha256={hmac.new(secrets.interface.encode(), body, hashlib.sha256).hexdigest()}",
        "X-Service-Timestamp": timestamp,
        "X-Service-Event": label.event_name,
        "X-Service-Event-Id": label.event_id,
        "X-Service-Delivery": label.delivery_id,
        "X-Service-Attempt": str(label.attempt),
        "webhook-id": label.delivery_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(_sign_standard(secret, signed) for secret in secrets.standard),
    }
    return common | ({"X-Service-Redelivery": "true"} if label.by_hand else {})


def _sign_standard(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(SIGNING_PREFIX))
    return f"v1,{b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
