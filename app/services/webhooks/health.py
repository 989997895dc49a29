"""The health of webhooks: when members are warned by mail, when a webhook is switched off, and its figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import CompoundSelect, Row, Select, func, literal, select, union_all
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.notices import Notice
from app.domain.sending import AttemptOutcome, DeliveryResult, DeliveryState, Email
from app.domain.webhooks import HELD_UP_SECONDS, HTTP_GONE, OFF_AFTER, OFF_FAILURES, TROUBLED_FOR
from app.models import Attempt, CallbackSecret, Delivery, Webhook
from app.services.mail import notices
from app.services.webhooks import deliveries

MAX_MEASURED = 200
"""Most attempts from which the figures are computed."""
WINDOW = timedelta(hours=24)
MAX_COUNTED = 1000
"""Most deliveries of a state that are counted. Pages show "1,000+" beyond that."""
FAILING_FROM = 3
"""Least number of deliveries given up since the last success for a webhook to count as failing."""
CALLBACK_MAIL_PAUSE = timedelta(days=1)
"""How long after a mail about the callbacks of an account another one may follow."""
_NEWEST_FIRST = (DeliveryState.SUCCEEDED, DeliveryState.FAILED)


class WebhookState(StrEnum):
    """The state of a webhook, in one word.

    OFF: switched off. FAILING: FAILING_FROM deliveries or more were given up since the last success. TROUBLED: it
    blocked a sender recently. SHAKY: at least one delivery, but fewer than FAILING_FROM, was given up since the
    last success. UNTRIED: no success yet. WELL: none of these.
    """

    OFF = "off"
    FAILING = "failing"
    TROUBLED = "troubled"
    SHAKY = "shaky"
    UNTRIED = "untried"
    WELL = "well"


@dataclass(frozen=True, slots=True)
class WebhookHealth:
    """The figures of a webhook.

    `attempts`, `succeeded` and `p95_seconds` (how long an attempt took) are of its last attempts within WINDOW, at
    most MAX_MEASURED. `waiting`, `held` and `failed`: deliveries now, counted to MAX_COUNTED + 1 at most.
    """

    attempts: int
    succeeded: int
    p95_seconds: float | None
    last_success_at: datetime | None
    waiting: int
    held: int
    failed: int

    @property
    def failure_rate(self) -> float | None:
        """The share of attempts that failed; None without attempts."""
        return 1 - self.succeeded / self.attempts if self.attempts else None


def note_success(webhook: Webhook, took: timedelta, now: datetime) -> None:
    """Note that an attempt succeeded. The webhook moves to the fast queue, or to the slow queue if the attempt took
    HELD_UP_SECONDS or longer.
    """
    webhook.last_success_at, webhook.healthy_since = now, now
    webhook.failed_deliveries, webhook.warnings = 0, 0
    webhook.slow_until = now if took.total_seconds() >= HELD_UP_SECONDS else None


def note_failed_attempt(webhook: Webhook, result: DeliveryResult, took: timedelta, now: datetime) -> None:
    """Note that an attempt failed. If it took HELD_UP_SECONDS or timed out, the webhook moves to the slow queue,
    unless the sender died, because that is no fault of the receiver.
    """
    is_slow = took.total_seconds() >= HELD_UP_SECONDS or result.outcome is AttemptOutcome.TIMEOUT
    if is_slow and result.outcome is not AttemptOutcome.CUT_OFF:
        webhook.slow_until = now + TROUBLED_FOR


def note_failed_delivery(session: Session, webhook: Webhook, result: DeliveryResult, now: datetime) -> None:
    """Note that a delivery is given up: count it, then warn the members by mail, or switch the webhook off if it
    has failed for long.
    """
    webhook.failed_deliveries += 1
    failing_for = now - webhook.healthy_since
    if webhook.failed_deliveries >= OFF_FAILURES and failing_for >= OFF_AFTER:
        reason = (
            f"No delivery succeeded for {OFF_AFTER.days} days, and {webhook.failed_deliveries} failed for good."
        )
        switch_off(session, webhook, reason, now)
        return
    halfway = webhook.failed_deliveries >= OFF_FAILURES // 2 and failing_for >= OFF_AFTER / 2
    if webhook.warnings == 0 or (webhook.warnings == 1 and halfway):
        _warn(session, webhook, result, now)


def note_gone(session: Session, webhook: Webhook, now: datetime) -> None:
    """Switch the webhook off, because the receiver answered 410: it is permanently gone."""
    switch_off(session, webhook, f"The receiver answered {HTTP_GONE} Gone.", now)


def switch_off(session: Session, webhook: Webhook, reason: str, now: datetime) -> None:
    """Switch a locked webhook off and mail the members of its account; harmless when it is off already."""
    if not webhook.active:
        return
    deliveries.switch_off(session, webhook, reason)
    facts = (webhook.id, webhook.url, reason)
    _mail_members(session, webhook, lambda to: emails.webhook_off(to, *facts), now)


def _warn(session: Session, webhook: Webhook, result: DeliveryResult, now: datetime) -> None:
    webhook.warnings += 1
    facts = (webhook.id, webhook.url, webhook.failed_deliveries, result.message)
    _mail_members(session, webhook, lambda to: emails.webhook_fails(to, *facts), now)


def _mail_members(session: Session, webhook: Webhook, write: Callable[[str], Email], now: datetime) -> None:
    if webhook.is_callback:
        # Each order may name another URL: a receiver that is down must not fill the mailbox.
        signer = session.get(CallbackSecret, webhook.account_id, with_for_update=True, populate_existing=True)
        if signer is None or (signer.warned_at is not None and now - signer.warned_at < CALLBACK_MAIL_PAUSE):
            return
        signer.warned_at = now
    notices.send_notice(session, webhook.account_id, Notice.WEBHOOK_FAILS, write, now)


def webhook_state(webhook: Webhook, now: datetime) -> WebhookState:
    """The state of the webhook, from its own row alone; its deliveries are not read."""
    if not webhook.active:
        return WebhookState.OFF
    if webhook.failed_deliveries >= FAILING_FROM:
        return WebhookState.FAILING
    if deliveries.is_troubled(webhook, now):
        return WebhookState.TROUBLED
    if webhook.failed_deliveries:
        return WebhookState.SHAKY
    return WebhookState.WELL if webhook.last_success_at else WebhookState.UNTRIED


def figures(session: Session, webhook: Webhook, now: datetime) -> WebhookHealth:
    """The figures of the webhook, in two queries that cost the same however long its log is."""
    rows = _list_measured(session, webhook, now)
    seconds = sorted((row.ended_at - row.started_at).total_seconds() for row in rows)
    counts = {DeliveryState(row[0]): row[1] for row in session.execute(_counts(webhook))}
    return WebhookHealth(
        attempts=len(rows),
        succeeded=sum(row.outcome is AttemptOutcome.SUCCEEDED for row in rows),
        p95_seconds=seconds[int(0.95 * (len(seconds) - 1))] if seconds else None,
        last_success_at=webhook.last_success_at,
        waiting=counts[DeliveryState.WAITING] + counts[DeliveryState.SENDING],
        held=counts[DeliveryState.HELD],
        failed=counts[DeliveryState.FAILED],
    )


def format_count(count: int) -> str:
    """A count of deliveries as text: `1,000+` if there are more than MAX_COUNTED."""
    return f"{MAX_COUNTED:,}+" if count > MAX_COUNTED else f"{count:,}"


def _list_measured(
    session: Session, webhook: Webhook, now: datetime
) -> Sequence[Row[int, AttemptOutcome, datetime, datetime | None]]:
    """The last attempts at the deliveries that were most likely tried last: the newest settled ones, and the oldest
    unsettled ones, because those are sent first.
    """
    numbers = union_all(*(_select_likely(webhook, state) for state in DeliveryState))
    tried = select(Attempt.id, Attempt.outcome, Attempt.started_at, Attempt.ended_at).where(
        Attempt.delivery_number.in_(numbers), Attempt.started_at > now - WINDOW, Attempt.ended_at.is_not(None)
    )
    # The rows are sorted here because with ORDER BY and LIMIT a planner may scan the attempts of all webhooks from
    # the newest on.
    return sorted(session.execute(tried).all(), key=lambda row: row.id, reverse=True)[:MAX_MEASURED]


def _select_likely(webhook: Webhook, state: DeliveryState) -> Select[int]:
    order = Delivery.number.desc() if state in _NEWEST_FIRST else Delivery.number
    mine = select(Delivery.number).where(Delivery.webhook_id == webhook.id, Delivery.state == state)
    return select(mine.order_by(order).limit(MAX_MEASURED).subquery().c.number)


def _counts(webhook: Webhook) -> CompoundSelect[str, int]:
    """Query for the number of deliveries in each state but SUCCEEDED, counted to MAX_COUNTED + 1 at most."""

    def count(state: DeliveryState) -> Select[str, int]:
        mine = select(Delivery.number).where(Delivery.webhook_id == webhook.id, Delivery.state == state)
        return select(literal(state.value), func.count()).select_from(mine.limit(MAX_COUNTED + 1).subquery())

    return union_all(*(count(state) for state in DeliveryState if state is not DeliveryState.SUCCEEDED))
