"""The health of webhooks: troubled, warned of, switched off, and the figures that say so."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain import letters
from app.domain.sending import DeliveryState, Letter, Outcome, Receipt
from app.domain.webhooks import GONE, HELD_UP_SECONDS, OFF_AFTER, OFF_FAILURES, TROUBLE
from app.models import Account, Attempt, Delivery, Webhook
from app.services import deliveries, mail

MEASURED = 200
WINDOW = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Health:
    """How a webhook does: over its last attempts (200 at most) of the last 24 hours, and what lies about now."""

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


def note_success(webhook: Webhook, now: datetime) -> None:
    """The receiver is well."""
    webhook.last_success_at, webhook.healthy_since = now, now
    webhook.failed_deliveries, webhook.warnings, webhook.troubled_until = 0, 0, None


def note_failed_attempt(webhook: Webhook, receipt: Receipt, took: timedelta, now: datetime) -> None:
    """An attempt failed; one that held a sender up sends the webhook to the slow lane for a while.

    A sender that died is no fault of the receiver.
    """
    held_up = took.total_seconds() >= HELD_UP_SECONDS or receipt.outcome is Outcome.TIMEOUT
    if held_up and receipt.outcome is not Outcome.CUT_OFF:
        webhook.troubled_until = now + TROUBLE


def note_failed_delivery(session: Session, webhook: Webhook, receipt: Receipt, now: datetime) -> None:
    """A delivery is given up: count it, warn of it by mail, and switch off what fails for long."""
    webhook.failed_deliveries += 1
    silent = now - webhook.healthy_since
    if webhook.failed_deliveries >= OFF_FAILURES and silent >= OFF_AFTER:
        reason = (
            f"No delivery succeeded for {OFF_AFTER.days} days, and {webhook.failed_deliveries} failed for good."
        )
        switch_off(session, webhook, reason, now)
        return
    halfway = webhook.failed_deliveries >= OFF_FAILURES // 2 and silent >= OFF_AFTER / 2
    if webhook.warnings == 0 or (webhook.warnings == 1 and halfway):
        _warn(session, webhook, receipt, now)


def note_gone(session: Session, webhook: Webhook, now: datetime) -> None:
    """The receiver said that it is gone for good."""
    switch_off(session, webhook, f"The receiver answered {GONE} Gone.", now)


def switch_off(session: Session, webhook: Webhook, reason: str, now: datetime) -> None:
    """Switch a held webhook off and tell its owner."""
    if not webhook.active:
        return
    deliveries.switch_off(session, webhook, reason)
    owner = session.get_one(Account, webhook.account_id)
    _send(session, webhook, letters.webhook_off(owner.email, webhook.id, webhook.url, reason), now)


def _warn(session: Session, webhook: Webhook, receipt: Receipt, now: datetime) -> None:
    webhook.warnings += 1
    owner = session.get_one(Account, webhook.account_id)
    facts = (owner.email, webhook.id, webhook.url, webhook.failed_deliveries, receipt.message)
    _send(session, webhook, letters.webhook_fails(*facts), now)


def _send(session: Session, webhook: Webhook, letter: Letter, now: datetime) -> None:
    mail.post(session, webhook.account_id, letter, now)


def figures(session: Session, webhook: Webhook, now: datetime) -> Health:
    """How the webhook does."""
    ended = (
        select(Attempt.outcome, Attempt.started_at, Attempt.ended_at)
        .join(Delivery)
        .where(Delivery.webhook_id == webhook.id, Attempt.started_at > now - WINDOW, Attempt.ended_at.is_not(None))
        .order_by(Attempt.id.desc())
        .limit(MEASURED)
    )
    rows = session.execute(ended).all()
    seconds = sorted((row.ended_at - row.started_at).total_seconds() for row in rows)
    counts = select(Delivery.state, func.count()).where(Delivery.webhook_id == webhook.id).group_by(Delivery.state)
    lying = {row[0]: row[1] for row in session.execute(counts)}
    return Health(
        attempts=len(rows),
        succeeded=sum(row.outcome is Outcome.SUCCEEDED for row in rows),
        p95_seconds=seconds[int(0.95 * (len(seconds) - 1))] if seconds else None,
        last_success_at=webhook.last_success_at,
        waiting=lying.get(DeliveryState.WAITING, 0) + lying.get(DeliveryState.SENDING, 0),
        held=lying.get(DeliveryState.HELD, 0),
        failed=lying.get(DeliveryState.FAILED, 0),
    )
