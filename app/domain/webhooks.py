"""The rules of webhooks: what may be registered, when a delivery is tried again, when a webhook is switched off."""

import secrets
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from app.domain.api_types import Text
from app.domain.errors import InvalidFields
from app.domain.events import EventName
from app.domain.field_errors import Fault, FaultCode, Faults, shape_faults
from app.domain.request_limits import AtMost, Request

MAX_WEBHOOKS = 20
MAX_URL = 2048
BRAND = "whsec_"
"""The visible beginning of every signing secret."""
SECRET_BYTES = 32
ROTATION = timedelta(hours=24)
"""So long the new secret waits beside the old one, unless somebody switches at once."""

TROUBLE = timedelta(minutes=5)
"""After an attempt that held a sender up, a webhook gets one attempt at a time for so long. It is served by the
slow queue until it has taken a delivery without holding its sender up.
"""
HELD_UP_SECONDS = 2.0
IN_FLIGHT = 2
"""Attempts at one webhook at a time; only one while it is troubled."""
LATENESS = 0.1
"""Of a step: no attempt is made later, unless its receiver asks for that."""
JITTER = LATENESS / 2
"""Of a step, by chance. The rest is for noticing that an attempt is due."""
FAIR_SHARE = 4
"""So many attempts of one account may always be in flight in a queue; more while less than half of its threads are
busy, so that receivers that hang, however many, keep no other account's from being reached.
"""

OFF_AFTER = timedelta(days=3)
OFF_FAILURES = 20
"""A webhook is switched off after OFF_AFTER without one success and with so many failed deliveries."""
GONE = 410
SAMPLE_URL = "https://agency.example/hooks/brightlist"


_chance = secrets.SystemRandom()


class WebhookRequest(Request):
    """A receiver to register: `events` left out or empty means all."""

    url: Annotated[Text, StringConstraints(min_length=1, max_length=MAX_URL)] = Field(
        description="Where deliveries are sent: https, a public host, no credentials; port 443, 80 or 8000-9999.",
        examples=[SAMPLE_URL],
    )
    events: Annotated[list[EventName], AtMost(len(EventName))] = Field(
        default_factory=list, examples=[[EventName.JOB_APPROVED, EventName.JOB_FAILED]]
    )


def read_webhook(data: Mapping[str, Any]) -> WebhookRequest:
    """The receiver in the data. Raises InvalidFields naming every fault at once."""
    given = {key: value for key, value in data.items() if value is not None}
    try:
        wanted, faults = WebhookRequest.model_validate(given), Faults()
    except ValidationError as error:
        wanted, faults = None, shape_faults(error, WebhookRequest)
    listed = given.get("events")
    names = listed[: 2 * len(EventName)] if isinstance(listed, list) else []
    for place, name in enumerate(names):
        if name in names[:place]:
            faults.add(Fault(("events", place), FaultCode.REPEATED))
    if wanted is None or faults:
        raise InvalidFields(faults.values())
    return wanted


def new_secret() -> str:
    """A fresh signing secret in the form of the Standard Webhooks."""
    return BRAND + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def next_attempt_at(
    made: int,
    ended_at: datetime,
    delays: Sequence[timedelta],
    retry_after: timedelta | None = None,
    *,
    spread: bool = True,
) -> datetime | None:
    """When to try again after `made` attempts, the last of which ended then; None when that was the last.

    With `spread`, JITTER adds its share at most; the receiver's own Retry-After delays, to twice the step at most.
    """
    if made >= len(delays):
        return None
    step = delays[made]
    jitter = step * _chance.uniform(0, JITTER) if spread else timedelta(0)
    asked = min(retry_after or timedelta(0), 2 * step)
    return ended_at + max(step + jitter, asked)


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long the receiver asks to be left alone, in seconds or until a date; None for nothing sensible."""
    text = next((value for name, value in headers.items() if name.lower() == "retry-after"), "").strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), 10**6))
    try:
        return max(parsedate_to_datetime(text) - now, timedelta(0))
    except (ValueError, TypeError):
        return None
