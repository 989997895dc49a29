"""Sends one webhook delivery, from claiming it to saving its result. Workers of the webhook queues call it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session
from structlog.contextvars import bound_contextvars

from app.database import Database, notify_after_commit
from app.domain import sandbox_addresses
from app.domain.ports import QueueName
from app.domain.sending import (
    AttemptOutcome,
    DecryptionError,
    DeliveryRequest,
    DeliveryResult,
    DeliveryState,
    Vault,
    WebhookTransport,
)
from app.domain.webhooks import HTTP_GONE, next_attempt_at, retry_after
from app.log_context import operation
from app.models import Attempt, Delivery, Job, Webhook
from app.services.webhooks import callbacks, deliveries, health, signing, signing_secrets
from app.services.webhooks.deliveries import DeliveryClaim

log = logging.getLogger(__name__)

UNREADABLE = "Its signing secret can no longer be read; rotate it."
MAX_IN_A_ROW = 20
"""Most deliveries that a sender makes to one webhook in a row, which saves a wake-up and a commit for each."""
ROW_SECONDS = 0.5
"""How long after the first claim another delivery in a row may begin, so that a slow receiver does not delay
others.
"""
_NOT_CALLED = f"{sandbox_addresses.MESSAGE} Your receiver was not called."
_Ready = tuple[DeliveryClaim, DeliveryRequest, DeliveryResult | None]
"""A claimed delivery and its request; for a test order, also the simulated result that the order's address asks
for, if any.
"""
_CUT_OFF = DeliveryResult(
    AttemptOutcome.CUT_OFF, "The sender was interrupted; the receiver may have got it or not."
)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Sends deliveries.

    `delays`: the waiting time before each attempt. `lease`: how long a claim is valid, longer than any attempt
    takes.
    """

    database: Database
    transport: WebhookTransport
    vault: Vault
    clock: Callable[[], datetime]
    delays: Sequence[timedelta]
    lease: timedelta

    def deliver(self, delivery_id: str, queue_name: QueueName, *, crowded: bool = False) -> None:
        """Make one attempt if the delivery is due and may be sent; while attempts succeed, also send other due
        deliveries to the same webhook, one after the other. Nothing happens if it is not due or may not be sent.

        `crowded`: the queue's threads are busy, so no account gets more than its share; the sweep finds deliveries
        that have to wait.
        """
        with bound_contextvars(delivery_id=delivery_id):
            with self.database.read_session() as session:
                # Many wake-ups may come at once. Most then find no room at the webhook, and end without its lock.
                if not deliveries.may_need_sender(session, delivery_id, self.clock()):
                    return
            with self.database.unit_of_work() as session:
                ready = self._claim(session, delivery_id, queue_name, crowded=crowded)
        until = self.clock() + timedelta(seconds=ROW_SECONDS)
        for number in range(1, MAX_IN_A_ROW + 1):
            if ready is None:
                return
            ready = self._send(ready, queue_name, until if number < MAX_IN_A_ROW else None)

    def _send(self, ready: _Ready, queue_name: QueueName, until: datetime | None) -> _Ready | None:
        """Make the attempt and save its result; in the same transaction, claim and return the next delivery to the
        webhook. None when no other delivery is due, when the attempt failed, when `until` has passed, or without
        `until`.
        """
        claim, request, asked = ready
        ids = {"delivery_id": claim.delivery_id, "job_id": claim.job_id, "account_id": claim.account_id}
        with operation("delivery", **ids):
            # No transaction is open during the call to the receiver.
            result = asked or self.transport.send(request)
            with self.database.unit_of_work() as session:
                webhook = self._finish(session, claim, result)
                if webhook is None:
                    return None
                now = self.clock()
                may_continue = until is not None and now < until and result.succeeded
                is_same_queue = deliveries.queue_of(webhook) is queue_name
                next_one = self._claim_next(session, webhook, now) if may_continue and is_same_queue else None
                if next_one is None:
                    deliveries.notify_next(session, webhook, now)
                return next_one

    def _claim_next(self, session: Session, webhook: Webhook, now: datetime) -> _Ready | None:
        """Claim the first due delivery to the locked webhook, if it may be sent now."""
        session.flush()
        delivery = deliveries.find_first_due(session, webhook, now)
        if delivery is None or delivery.state is not DeliveryState.WAITING:
            return None
        if not deliveries.can_send(session, delivery, webhook, now):
            return None
        return self._take(session, delivery, webhook, now)

    def _claim(self, session: Session, delivery_id: str, queue_name: QueueName, *, crowded: bool) -> _Ready | None:
        locked = deliveries.lock_with_webhook(session, delivery_id)
        if locked is None:
            return None
        delivery, webhook = locked
        now = self.clock()
        if delivery.state is DeliveryState.SENDING and delivery.lease_until and delivery.lease_until < now:
            self._end_interrupted(session, delivery, webhook, now)
        if delivery.state is not DeliveryState.WAITING:
            return None
        if not webhook.active:
            delivery.state = DeliveryState.HELD
            return None
        own_queue = deliveries.queue_of(webhook)
        if own_queue is QueueName.HOOKS_SLOW and queue_name is QueueName.HOOKS_FAST:
            notify_after_commit(session, own_queue, [delivery_id])
            return None
        may_send = deliveries.can_send(session, delivery, webhook, now)
        if not may_send or (crowded and not deliveries.is_below_fair_share(session, webhook, now)):
            return None
        return self._take(session, delivery, webhook, now)

    def _take(self, session: Session, delivery: Delivery, webhook: Webhook, now: datetime) -> _Ready | None:
        try:
            signer = callbacks.get_signer(session, webhook)
            secrets = signing_secrets.in_force(self.vault, signer, delivery.event_name, now)
        except DecryptionError:
            log.exception("webhook %s: its secret cannot be opened", webhook.id)
            health.switch_off(session, webhook, UNREADABLE, now)
            return None
        body = delivery.event.body.encode()
        names, attempt = (delivery.id, delivery.event_id, delivery.event_name), delivery.attempts_made + 1
        label = signing.DeliveryLabel(*names, attempt, delivery.by_hand, sent_at=now)
        headers = signing.headers(label, body, secrets)
        claim = deliveries.claim(session, delivery, headers, now, self.lease)
        if claim is None:
            return None
        return claim, DeliveryRequest(webhook.url, headers, body), _find_asked(session, delivery, attempt)

    def _finish(self, session: Session, claim: DeliveryClaim, result: DeliveryResult) -> Webhook | None:
        """Save the result of the attempt; returns the locked webhook, or None when the claim was lost."""
        found = deliveries.lock_claimed(session, claim)
        if found is None:
            return None
        delivery, webhook, attempt = found
        _save_result(attempt, result, self.clock())
        if delivery.claim_id != claim.claim_id:
            log.warning("delivery %s: the claim was lost before the result came", claim.delivery_id)
            return None
        self._settle(session, delivery, webhook, attempt, result)
        return webhook

    def _end_interrupted(self, session: Session, delivery: Delivery, webhook: Webhook, now: datetime) -> None:
        """End the attempt of a worker that died: it counts as failed, and the delay before the next attempt begins
        at its start.
        """
        attempt = deliveries.find_open_attempt(session, delivery)
        if attempt is not None:
            _save_result(attempt, _CUT_OFF, now)
            self._settle(session, delivery, webhook, attempt, _CUT_OFF)
            deliveries.notify_next(session, webhook, now)
        session.flush()

    def _settle(
        self, session: Session, delivery: Delivery, webhook: Webhook, attempt: Attempt, result: DeliveryResult
    ) -> None:
        now = attempt.ended_at or attempt.started_at
        delivery.claim_id = delivery.lease_until = None
        if result.succeeded:
            delivery.state, delivery.next_attempt_at, delivery.failed_at = DeliveryState.SUCCEEDED, None, None
            health.note_success(webhook, now - attempt.started_at, now)
        else:
            self._retry_or_give_up(session, delivery, webhook, attempt, result)

    def _retry_or_give_up(
        self, session: Session, delivery: Delivery, webhook: Webhook, attempt: Attempt, result: DeliveryResult
    ) -> None:
        now = attempt.ended_at or attempt.started_at
        took = now - attempt.started_at
        health.note_failed_attempt(webhook, result, took, now)
        # A crash is noticed late, when the lease has expired, so the delay begins at the start of the attempt.
        died = result.outcome is AttemptOutcome.CUT_OFF
        since = attempt.started_at if died else now
        requested = retry_after(result.headers, now)
        next_at = next_attempt_at(delivery.attempts_made, since, self.delays, requested, spread=not died)
        gone = result.status == HTTP_GONE
        if next_at is None or delivery.by_hand or gone:
            delivery.state, delivery.next_attempt_at, delivery.failed_at = DeliveryState.FAILED, None, now
            if not (delivery.by_hand or gone):
                health.note_failed_delivery(session, webhook, result, now)
        else:
            delivery.state = DeliveryState.WAITING if webhook.active else DeliveryState.HELD
            delivery.next_attempt_at = next_at
        if gone:
            health.note_gone(session, webhook, now)


def _find_asked(session: Session, delivery: Delivery, attempt: int) -> DeliveryResult | None:
    """The result that the address of a test order asks for of this attempt; None if it is to be sent."""
    about = session.execute(select(Job.livemode, Job.address).where(Job.id == delivery.job_id)).one_or_none()
    asked = None if about is None or about.livemode else sandbox_addresses.find(about.address)
    status = asked.answer_to(attempt) if asked else None
    return DeliveryResult(AttemptOutcome.REJECTED, _NOT_CALLED, status) if status else None


def _save_result(attempt: Attempt, result: DeliveryResult, now: datetime) -> None:
    attempt.outcome, attempt.message, attempt.ended_at = result.outcome, result.message, now
    attempt.response_status, attempt.address = result.status, result.address
    attempt.response_headers, attempt.response_body = dict(result.headers), result.body
    attempt.phases = dict(result.phases)
