"""The rules of webhooks: what can be registered, when a delivery is tried again, when a webhook is switched off."""

import secrets
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, TypeVar

from pydantic import Field, StrictBool, StringConstraints, ValidationError

from app.domain.api_types import Text
from app.domain.errors import InvalidFields
from app.domain.events import EventName
from app.domain.field_errors import Fault, FaultCode, Faults, shape_faults
from app.domain.request_limits import AtMost, Request

MAX_WEBHOOKS = 20
MAX_URL = 2048
SIGNING_PREFIX = "whsec_"
"""The prefix of every signing secret."""
SECRET_BYTES = 32
OLD_SECRET_VALID_FOR = timedelta(hours=24)
"""How long after a rotation the old secret is still used, unless the owner switches to the new one at once."""

TROUBLED_FOR = timedelta(minutes=5)
"""How long a webhook counts as troubled after an attempt blocked its sender. A troubled webhook gets one attempt at
a time. It stays in the slow queue, also beyond this time, until a delivery succeeds without blocking its sender.
"""
HELD_UP_SECONDS = 2.0
"""An attempt that takes at least this long counts as one that blocked its sender."""
MAX_CONCURRENT_ATTEMPTS = 2
"""The most attempts at one webhook at a time; only one while it is troubled."""
MAX_LATENESS = 0.1
"""The most by which an attempt may be late, as a share of its delay. A receiver's Retry-After may make it later."""
JITTER = MAX_LATENESS / 2
"""The largest random addition to a delay, as a share of it. The rest of MAX_LATENESS is the time until the
sweep finds a due attempt.
"""
FAIR_SHARE = 4
"""An account may always make this many attempts at once in a queue. It may make more only while at most
half of the queue's threads are busy, so that any number of hanging receivers of one account do not block the other
accounts.
"""

OFF_AFTER = timedelta(days=3)
"""A webhook is switched off after this long without a success, if OFF_FAILURES deliveries failed, too."""
OFF_FAILURES = 20
"""The number of deliveries that must have failed since the last success before a webhook is switched off."""
HTTP_GONE = 410
"""A receiver that answers with this status is switched off at once."""
SAMPLE_URL = "https://agency.example/hooks/brightlist"


_random = secrets.SystemRandom()


UrlText = Annotated[Text, StringConstraints(min_length=1, max_length=MAX_URL)]
WebhookUrl = Annotated[
    UrlText,
    Field(
        description="Where deliveries are sent: https, a public host, no credentials; port 443, 80 or 8000-9999.",
        examples=[SAMPLE_URL],
    ),
]
EventNames = Annotated[list[EventName], AtMost(len(EventName))]
_SAMPLE_EVENTS = [EventName.JOB_APPROVED, EventName.JOB_FAILED]


class WebhookRequest(Request):
    """A receiver to register."""

    url: WebhookUrl
    events: EventNames = Field(
        default_factory=list,
        description="Left out or empty: all except those that are sent only to webhooks that name them.",
        examples=[_SAMPLE_EVENTS],
    )


class WebhookChange(Request):
    """A change of a receiver. Fields that are left out stay unchanged."""

    url: WebhookUrl | None = Field(
        default=None, description="Also for deliveries under way, from their next attempt on."
    )
    events: EventNames | None = Field(
        default=None,
        description="The whole list; an empty one as at the registration.",
        examples=[_SAMPLE_EVENTS],
    )
    active: StrictBool | None = Field(
        default=None,
        description="`true` switches it on again, whatever had switched it off; with `false` deliveries are held.",
        examples=[True],
    )


Wanted = TypeVar("Wanted", WebhookRequest, WebhookChange)


def read_webhook(data: Mapping[str, Any]) -> WebhookRequest:
    """The receiver in the data. Raises InvalidFields with all faults."""
    return _read(WebhookRequest, data)


def read_webhook_change(data: Mapping[str, Any]) -> WebhookChange:
    """The change in the data. Raises InvalidFields with all faults."""
    return _read(WebhookChange, data)


def _read(model: type[Wanted], data: Mapping[str, Any]) -> Wanted:
    given = {key: value for key, value in data.items() if value is not None}
    wanted: Wanted | None
    try:
        wanted, faults = model.model_validate(given), Faults()
    except ValidationError as error:
        wanted, faults = None, shape_faults(error, model)
    events = given.get("events")
    names = events[: 2 * len(EventName)] if isinstance(events, list) else []
    for place, name in enumerate(names):
        if name in names[:place]:
            faults.add(Fault(("events", place), FaultCode.REPEATED))
    if wanted is None or faults:
        raise InvalidFields(faults.values())
    return wanted


def new_secret() -> str:
    """A new signing secret in the form of the Standard Webhooks specification."""
    return SIGNING_PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def next_attempt_at(
    made: int,
    ended_at: datetime,
    delays: Sequence[timedelta],
    retry_after: timedelta | None = None,
    *,
    spread: bool = True,
) -> datetime | None:
    """When to make the next attempt after `made` attempts, the last of which ended at `ended_at`; None if no
    attempt is left.

    With `spread`, up to JITTER of the delay is added at random. The receiver's `retry_after` may make the delay
    longer, up to twice as long.
    """
    if made >= len(delays):
        return None
    delay = delays[made]
    jitter = delay * _random.uniform(0, JITTER) if spread else timedelta(0)
    asked = min(retry_after or timedelta(0), 2 * delay)
    return ended_at + max(delay + jitter, asked)


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """The delay in the receiver's Retry-After header, given in seconds or as a date; None without a valid one."""
    text = next((value for name, value in headers.items() if name.lower() == "retry-after"), "").strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), 10**6))
    try:
        return max(parsedate_to_datetime(text) - now, timedelta(0))
    except (ValueError, TypeError):
        return None
