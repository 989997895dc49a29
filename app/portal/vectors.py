"""A delivery to try a receiver's verification with: signed by the very code that signs deliveries."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from app.domain.events import EventName, encoded, payload, sample_facts
from app.domain.lifecycle import Status
from app.domain.webhooks import BRAND
from app.services.signing import Label, Secrets, headers

_SENT_AT = datetime(2026, 11, 20, 14, 3, 27, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Vector:
    """A secret, and a delivery that it signed."""

    secret: str
    headers: Mapping[str, str]
    body: str


@cache
def vector() -> Vector:
    """Always the same one."""
    secret = BRAND + b64encode(b"an example, of exactly 32 bytes.").decode()
    job = sample_facts("acc_3Tz8FhUe5SgIw1Pr7BnCxM", Status.APPROVED)
    body = encoded(payload(EventName.JOB_APPROVED, job, _SENT_AT))
    label = Label("dlv_5Kd0TqYm8RfWn3ZbVc6HxS", EventName.JOB_APPROVED, attempt=1, by_hand=False, sent_at=_SENT_AT)
    return Vector(secret, headers(label, body.encode(), Secrets(secret, [secret])), body)
