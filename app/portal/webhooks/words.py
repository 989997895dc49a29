"""How pages speak of webhooks and deliveries: states, answers, attempts, lengths of time, bodies as text."""

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
from app.portal import snippets
from app.portal.words import Word
from app.services.webhooks import webhooks
from app.services.webhooks.health import WebhookState

NONE = "\u2013"
"""Stands where there is nothing to tell."""
MOST_SHOWN = 8000
"""Characters of an answer that a page shows."""
FRESH = timedelta(minutes=2)
"""So long after its time has come a delivery is asked for often: it goes in seconds unless senders are down."""
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
    """A body as a page shows it; `cut` when there was more of it."""

    text: str
    cut: bool


def host(webhook: Webhook) -> str:
    """Where a webhook leads, in short."""
    return urlsplit(webhook.url).netloc


def listens_to(webhook: Webhook) -> str:
    """The events it receives, in a few words."""
    names = [name for name in webhooks.list_events(webhook) if name is not EventName.WEBHOOK_TEST]
    return "All events" if not webhook.events else f"{len(names)} event{'' if len(names) == 1 else 's'}"


def state(delivery: Delivery) -> Word:
    """Where a delivery stands; one that failed so far and is tried again says so."""
    if delivery.state is DeliveryState.WAITING and delivery.attempts_made and not delivery.by_hand:
        return Word("To be retried", "warn", "The last attempt failed; another one follows.")
    return STATES[delivery.state]


def answer(attempt: Attempt | None, deadline_seconds: float) -> str:
    """What an attempt came to, in a code or a few words; nothing before the first."""
    if attempt is None:
        return ""
    if attempt.response_status is not None:
        return str(attempt.response_status)
    if attempt.outcome is AttemptOutcome.TIMEOUT:
        return f"No answer in {deadline_seconds:g} s"
    return _OUTCOMES.get(attempt.outcome, "No answer")


def remark(attempt: Attempt) -> str:
    """What its message says beyond answer(); nothing where it only repeats it."""
    if attempt.response_status is not None:
        again = attempt.message.lower().endswith(f"answered {attempt.response_status}.")
    else:
        again = attempt.outcome is AttemptOutcome.TIMEOUT and attempt.message.startswith("No answer")
    return "" if again else attempt.message


def tone(attempt: Attempt) -> str:
    """The tone of an attempt's tag."""
    if attempt.outcome is AttemptOutcome.STARTED:
        return "busy"
    return "good" if attempt.outcome is AttemptOutcome.SUCCEEDED else "bad"


def attempt_of(delivery: Delivery, most: int) -> str:
    """`2 of 5`: how many attempts were made of those there are; beyond them, and by hand, they have no end."""
    made = delivery.attempts_made
    return f"{made} of {most}" if made <= most and not delivery.by_hand else f"{made}, by hand"


def span(length: timedelta | float | None) -> str:
    """`380 ms`, `1.2 s`; a dash for none."""
    if length is None:
        return NONE
    seconds = length.total_seconds() if isinstance(length, timedelta) else length
    return f"{1000 * seconds:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def in_time(at: datetime, now: datetime) -> str:
    """How long it is until then: `In 30 s`, `In 9 min`, `In 1 h 2 min`; `Now` for what is due."""
    seconds = ceil((at - now).total_seconds())
    if seconds <= 0:
        return "Now"
    if seconds < 100:
        return f"In {seconds} s"
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return "In " + " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min")) if count)


def took(attempt: Attempt) -> str:
    """How long an attempt lasted."""
    return span(attempt.ended_at - attempt.started_at if attempt.ended_at else None)


def phases(attempt: Attempt) -> Sequence[tuple[str, str]]:
    """What an attempt spent its time with, phase by phase."""
    return [(_PHASES.get(name, name), span(seconds)) for name, seconds in attempt.phases.items()]


def percent(share: float | None) -> str:
    """`12 %`, of less than one `0.4 %`; a dash for none."""
    if share is None:
        return NONE
    return f"{100 * share:.1f} %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def pretty(body: str) -> str:
    """JSON over several lines."""
    return snippets.format_json(json.loads(body))


def answered(attempt: Attempt) -> Text:
    """What came back, as far as it is shown: bytes that are no text, and what no page can hold, are replaced."""
    text = clean(attempt.response_body.decode(errors="replace"))
    return Text(text[:MOST_SHOWN], len(text) > MOST_SHOWN)


def poll_seconds(delivery: Delivery, now: datetime) -> int:
    """How long to wait before a page asks again what became of it."""
    due_at = now if delivery.state is DeliveryState.SENDING else delivery.next_attempt_at
    soon = due_at is not None and now - FRESH < due_at <= now + timedelta(seconds=FRESH_POLL_SECONDS)
    return FRESH_POLL_SECONDS if soon else POLL_SECONDS
