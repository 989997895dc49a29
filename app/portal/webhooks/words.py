"""Texts about webhooks and deliveries: states, answers, attempts, lengths of time, bodies as text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from urllib.parse import urlsplit

from app.domain.events import EventName
from app.domain.mail_text import clean
from app.domain.sending import AttemptOutcome, DeliveryState
from app.models import Attempt, Delivery, Webhook
from app.portal.words import Word
from app.services.webhooks import webhooks
from app.services.webhooks.health import WebhookState
from app.web.json_text import format_json

DASH = "\u2013"
"""Shown in place of a value where there is none."""
MAX_SHOWN = 8000
"""The most characters of an answer's body that a page shows."""
OFTEN_FOR = timedelta(minutes=2)
"""How long after a delivery is due its page polls often. Usually a delivery is sent within seconds."""
FRESH_POLL_SECONDS, POLL_SECONDS = 2, 15

CONDITIONS: dict[WebhookState, Word] = {
    WebhookState.OFF: Word("Off", "quiet", "Nothing is sent; events are held."),
    WebhookState.FAILING: Word("Failing", "bad", "Deliveries fail for good, and none has succeeded since."),
    WebhookState.TROUBLED: Word("Slow", "warn", "It answered slowly, so it gets one delivery at a time."),
    WebhookState.SHAKY: Word("Some failures", "warn", "A delivery failed for good since the last success."),
    WebhookState.UNTRIED: Word("Nothing sent yet", "quiet", "No delivery has succeeded or failed so far."),
    WebhookState.WELL: Word("Working", "good", "The last delivery succeeded."),
}
STATES: dict[DeliveryState, Word] = {
    DeliveryState.SUCCEEDED: Word("Delivered", "good", "Your receiver accepted it."),
    DeliveryState.FAILED: Word("Failed", "bad", "It is not retried automatically."),
    DeliveryState.WAITING: Word("Waiting", "busy", "It is sent at the next try."),
    DeliveryState.SENDING: Word("Being sent", "busy", "It is being sent to your receiver now."),
    DeliveryState.HELD: Word("Held", "warn", "It was held while the webhook was off."),
}
_OUTCOMES: dict[AttemptOutcome, str] = {
    AttemptOutcome.STARTED: "Being sent",
    AttemptOutcome.ADDRESS_NOT_ALLOWED: "Address not allowed",
    AttemptOutcome.NOT_CONNECTED: "No connection",
    AttemptOutcome.TLS_FAILED: "TLS failed",
    AttemptOutcome.BROKEN_ANSWER: "Invalid answer",
    AttemptOutcome.CUT_OFF: "Interrupted",
}
_PHASES = {"resolve": "Find the address", "connect": "Connect", "tls": "TLS", "answer": "Wait for the answer"}


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a body, as a page shows it; `cut`: whether the body is longer than this text."""

    text: str
    cut: bool


def get_host(webhook: Webhook) -> str:
    """The host of a webhook's URL."""
    return urlsplit(webhook.url).netloc


def describe_events(webhook: Webhook) -> str:
    """The events that a webhook receives, in a few words."""
    names = [name for name in webhooks.list_events(webhook) if name is not EventName.WEBHOOK_TEST]
    return "The usual events" if not webhook.events else f"{len(names)} event{'' if len(names) == 1 else 's'}"


def describe_state(delivery: Delivery) -> Word:
    """The state of a delivery; `To be retried` where an attempt failed and another one follows."""
    if delivery.state is DeliveryState.WAITING and delivery.attempts_made and not delivery.by_hand:
        return Word("To be retried", "warn", "The last attempt failed; another one follows.")
    return STATES[delivery.state]


def describe_answer(attempt: Attempt | None, deadline_seconds: float) -> str:
    """The outcome of an attempt: its response status or a few words; empty before the first attempt."""
    if attempt is None:
        return ""
    if attempt.response_status is not None:
        return str(attempt.response_status)
    if attempt.outcome is AttemptOutcome.TIMEOUT:
        return f"No answer in {deadline_seconds:g} s"
    return _OUTCOMES.get(attempt.outcome, "No answer")


def write_remark(attempt: Attempt) -> str:
    """The message of an attempt; empty if it only repeats describe_answer()."""
    if attempt.response_status is not None:
        is_repeated = attempt.message.lower().endswith(f"answered {attempt.response_status}.")
    else:
        is_repeated = attempt.outcome is AttemptOutcome.TIMEOUT and attempt.message.startswith("No answer")
    return "" if is_repeated else attempt.message


def choose_tone(attempt: Attempt) -> str:
    """The tone of an attempt's tag."""
    if attempt.outcome is AttemptOutcome.STARTED:
        return "busy"
    return "good" if attempt.outcome is AttemptOutcome.SUCCEEDED else "bad"


def count_attempts(delivery: Delivery, planned: int) -> str:
    """`2 of 5`: attempts made and planned. `6, by hand` for a delivery sent again by hand, which has no plan."""
    made = delivery.attempts_made
    return f"{made} of {planned}" if made <= planned and not delivery.by_hand else f"{made}, by hand"


def write_duration(length: timedelta | float | None) -> str:
    """`380 ms`, `1.2 s`; a dash for None."""
    if length is None:
        return DASH
    seconds = length.total_seconds() if isinstance(length, timedelta) else length
    return f"{1000 * seconds:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def write_time_left(at: datetime, now: datetime) -> str:
    """The time left until `at`: `In 30 s`, `In 9 min`, `In 1 h 2 min`; `Now` if `at` is past."""
    seconds = ceil((at - now).total_seconds())
    if seconds <= 0:
        return "Now"
    if seconds < 100:
        return f"In {seconds} s"
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return "In " + " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min")) if count)


def write_attempt_duration(attempt: Attempt) -> str:
    """How long an attempt lasted."""
    return write_duration(attempt.ended_at - attempt.started_at if attempt.ended_at else None)


def list_phases(attempt: Attempt) -> Sequence[tuple[str, str]]:
    """The phases of an attempt, each with its duration."""
    return [(_PHASES.get(name, name), write_duration(seconds)) for name, seconds in attempt.phases.items()]


def write_percent(share: float | None) -> str:
    """`12 %`, below one percent `0.4 %`; a dash for None."""
    if share is None:
        return DASH
    return f"{100 * share:.1f} %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def format_body(body: str) -> str:
    """The JSON text formatted over several lines."""
    return format_json(json.loads(body))


def decode_answer(attempt: Attempt) -> Text:
    """The start of the answer's body; bytes that are not UTF-8, and control characters, are replaced."""
    text = clean(attempt.response_body.decode(errors="replace"))
    return Text(text[:MAX_SHOWN], len(text) > MAX_SHOWN)


def seconds_until_poll(delivery: Delivery, now: datetime) -> int:
    """Seconds until a page polls the delivery again."""
    due_at = now if delivery.state is DeliveryState.SENDING else delivery.next_attempt_at
    soon = due_at is not None and now - OFTEN_FOR < due_at <= now + timedelta(seconds=FRESH_POLL_SECONDS)
    return FRESH_POLL_SECONDS if soon else POLL_SECONDS
