"""Texts of staff's pages: names of owners, and states of accounts, photos, deliveries and purchases."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from app.domain.attempts import LATE_AFTER
from app.domain.ledger import LedgerKind
from app.domain.lifecycle import UNSETTLED, WorkState
from app.domain.payments import Dispute, PurchaseState
from app.domain.ports import QueueName, WorkerSign
from app.domain.sending import DeliveryState
from app.models import ApiKey, Attempt, Delivery, Job, LedgerLine, Membership, Photo, Purchase, User, Webhook
from app.portal.credits.words import PURCHASE_WORDS, find_refund
from app.portal.reviews import words as review_words
from app.portal.words import Word
from app.services.staff import payments as staff_payments
from app.services.staff.queue import SILENT_AFTER, Due
from app.services.webhooks.health import WebhookState
from app.services.webhooks.webhooks import OFF_BY_HAND

QUEUE_NAMES: Mapping[QueueName, str] = {
    QueueName.PHOTOS: "Photos",
    QueueName.ROOMS: "Photos of rooms to furnish",
    QueueName.HOOKS_FAST: "Deliveries, first tries",
    QueueName.HOOKS_SLOW: "Deliveries to slow receivers",
    QueueName.MAIL: "Mail",
    QueueName.PREVIEWS: "Previews",
}
_PAYMENT_TONES: Mapping[PurchaseState, str] = {
    PurchaseState.OPEN: "quiet",
    PurchaseState.AWAITED: "busy",
    PurchaseState.PAID: "good",
    PurchaseState.FAILED: "bad",
    PurchaseState.EXPIRED: "quiet",
}
_DISPUTE_WORDS: Mapping[Dispute, Word] = {
    Dispute.OPEN: Word("Disputed", "bad", ""),
    Dispute.WON: Word("Dispute won", "good", ""),
    Dispute.LOST: Word("Dispute lost", "bad", ""),
}
_DELIVERY_WORDS: Mapping[DeliveryState, Word] = {
    DeliveryState.WAITING: Word("Waiting", "busy", ""),
    DeliveryState.SENDING: Word("Being sent", "busy", ""),
    DeliveryState.SUCCEEDED: Word("Delivered", "good", ""),
    DeliveryState.FAILED: Word("Failed", "bad", ""),
    DeliveryState.HELD: Word("Held", "warn", ""),
}
WEBHOOK_WORDS: Mapping[WebhookState, Word] = {
    WebhookState.OFF: Word("Off", "quiet", ""),
    WebhookState.FAILING: Word("Failing", "bad", ""),
    WebhookState.TROUBLED: Word("Slow", "warn", ""),
    WebhookState.SHAKY: Word("Some failures", "warn", ""),
    WebhookState.UNTRIED: Word("Nothing sent yet", "quiet", ""),
    WebhookState.WELL: Word("Working", "good", ""),
}


def name_owner(owner: User) -> str:
    """The name of an account: its owner's name, else the owner's e-mail."""
    return owner.name or owner.email


def write_count(count: int, noun: str) -> str:
    """`1 photo`, `2 photos`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def describe_line(line: LedgerLine) -> str:
    """The reason of a ledger line; the reason of an adjustment begins with `Adjustment`."""
    return f"Adjustment: {line.reason}" if line.kind is LedgerKind.ADJUSTMENT else line.reason


def describe_account(owner: Membership) -> list[Word]:
    """A word for each unusual state of an account and its owner, such as `Suspended`."""
    account, user = owner.organization, owner.user
    states = (
        (account.deleted_at, Word("Deleted", "quiet", "")),
        (account.suspended_at, Word("Suspended", "bad", "")),
        (account.flagged_at, Word("Flagged", "warn", "")),
        (None if user.confirmed_at or account.deleted_at else True, Word("Not confirmed", "quiet", "")),
        (user.is_staff, Word("Staff", "busy", "")),
    )
    return [word for is_true, word in states if is_true]


def describe_key(key: ApiKey, now: datetime) -> Word:
    """Whether a key works."""
    if key.revoked_at is not None:
        return Word("Revoked", "quiet", "")
    if key.expires_at is not None and key.expires_at <= now:
        return Word("Expired", "quiet", "")
    return Word("Active", "good", "")


def describe_photo(job: Job, photo: Photo, now: datetime) -> Word:
    """The state of the work on a photo, or the verdict on its result."""
    if photo.result is None and job.status not in UNSETTLED:
        return Word("No result", "quiet", "")
    if photo.state is WorkState.DONE or job.status not in UNSETTLED:
        return review_words.describe_verdict(photo.result)
    if photo.state is WorkState.WAITING:
        late = now - photo.next_attempt_at >= LATE_AFTER
        return Word("Waiting", "warn" if late else "quiet", "")
    is_leased = photo.lease_until is not None and photo.lease_until >= now
    return Word("Processing", "busy", "") if is_leased else Word("Its worker died", "bad", "")


def describe_delivery(delivery: Delivery) -> Word:
    """The state of a delivery."""
    return _DELIVERY_WORDS[delivery.state]


def describe_attempt(attempt: Attempt | None) -> str:
    """The outcome of an attempt: its message, else its response status; `Never tried` for None."""
    if attempt is None:
        return "Never tried"
    return attempt.message or str(attempt.response_status or "None yet")


def explain_off(webhook: Webhook) -> str:
    """The reason why a webhook is off, in words for staff; empty if it is unknown."""
    return "Its owner turned it off." if webhook.off_reason == OFF_BY_HAND else webhook.off_reason or ""


def describe_purchase(purchase: Purchase) -> list[Word]:
    """The state of a purchase, its refund, its dispute, and whether any point is open."""
    open_points = Word("Open", "warn", "")
    refund = find_refund(purchase)
    return [
        Word(PURCHASE_WORDS[purchase.state].label, _PAYMENT_TONES[purchase.state], ""),
        *([Word(refund.label, refund.tone, "")] if refund else []),
        *([_DISPUTE_WORDS[purchase.dispute]] if purchase.dispute else []),
        *([open_points] if staff_payments.list_open_points(purchase) else []),
    ]


def describe_worker(sign: WorkerSign, now: datetime) -> Word:
    """Whether a worker is alive, by its last sign of life. A busy worker that is silent may still be alive."""
    if now - sign.seen_at > SILENT_AFTER:
        return Word("Silent", "warn" if sign.busy else "bad", "")
    return Word("Working", "busy", "") if sign.busy else Word("Ready", "good", "")


def count_alive(signs: Sequence[WorkerSign], queue_name: QueueName, now: datetime) -> int:
    """How many workers of the queue gave a sign of life within SILENT_AFTER."""
    return sum(queue_name in each.queue_names and now - each.seen_at <= SILENT_AFTER for each in signs)


def get_host(webhook: Webhook) -> str:
    """The host of a webhook's URL."""
    return urlsplit(webhook.url).netloc


def count_due(due: Due) -> str:
    """The number of due items, with `or more` where the count stopped at its limit."""
    return f"{due.count:,}{' or more' if due.more else ''}"


def describe_age(due: Due, now: datetime) -> Word | None:
    """How long the oldest item has been due; None if nothing is due."""
    if due.since is None:
        return None
    waited = now - due.since
    return Word(write_duration(waited), "warn" if waited >= LATE_AFTER else "good", "")


def write_duration(duration: timedelta) -> str:
    """`8 s`; for a minute and more `25 min`, `2 h 5 min`."""
    seconds = max(0, int(duration.total_seconds()))
    return f"{seconds} s" if seconds < 60 else review_words.write_duration(duration)
