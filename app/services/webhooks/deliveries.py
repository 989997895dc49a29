"""Deliveries: queued in the transaction of their event, claimed under a lease, held while their webhook is off.

A claim's id is a fencing token: a worker that has lost its claim cannot finish the delivery.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Select,
    SQLColumnExpression,
    String,
    and_,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased, joinedload

from app.database import notify_after_commit
from app.domain.attempts import DELIVERIES
from app.domain.events import USUAL_EVENTS
from app.domain.ports import QueueName
from app.domain.sending import AttemptOutcome, DeliveryState
from app.domain.webhooks import FAIR_SHARE, MAX_CONCURRENT_ATTEMPTS
from app.models import Attempt, Delivery, Event, Webhook
from app.services.leases import WorkQueue

QUEUE = WorkQueue(
    Delivery.number,
    Delivery.attempts_made,
    DELIVERIES,
    waiting=DeliveryState.WAITING,
    working=DeliveryState.SENDING,
)
_NOTIFIED_COUNTS = "webhooks_notified"


def _select_count_in_flight(webhook_id: SQLColumnExpression[str]) -> Select[int]:
    other = aliased(Delivery)
    is_leased = other.lease_until >= bindparam("now")
    return select(func.count()).where(
        other.webhook_id == webhook_id, other.state == DeliveryState.SENDING, is_leased
    )


# Built once: SQLAlchemy takes longer to build these queries than SQLite to run them.
_SELECT_COUNT_IN_FLIGHT = _select_count_in_flight(bindparam("webhook_id", type_=String))
_SELECT_STATE_AND_IN_FLIGHT = (
    select(Delivery.state, Delivery.lease_until, _select_count_in_flight(Delivery.webhook_id).scalar_subquery())
    .join(Delivery.webhook)
    .where(Delivery.id == bindparam("delivery_id"))
    .with_for_update(read=True, of=Webhook, skip_locked=True)
)


@dataclass(frozen=True, slots=True)
class DeliveryClaim:
    """One worker's claim on one delivery, with the attempt recorded for it; `claim_id` is the fencing token."""

    claim_id: str
    attempt_id: int
    delivery_id: str
    webhook_id: str
    account_id: str
    job_id: str | None


def is_registered(account_id: str) -> ColumnElement[bool]:
    """SQL condition: a webhook of the account that is not deleted, and is not the callback URL of an order."""
    return and_(Webhook.account_id == account_id, Webhook.deleted_at.is_(None), Webhook.callback_digest.is_(None))


def record(session: Session, event: Event, now: datetime, callback_id: str | None = None) -> None:
    """Queue a delivery, in the event's transaction, to every webhook of its account that receives such events, and
    to its order's callback `callback_id`.
    """
    concerned = is_registered(event.account_id)
    if callback_id is not None:
        concerned = or_(concerned, and_(Webhook.id == callback_id, Webhook.deleted_at.is_(None)))
    for webhook in session.scalars(select(Webhook).where(concerned)):
        if event.name in (webhook.events or USUAL_EVENTS):
            post(session, event, webhook, now)


def post(session: Session, event: Event, webhook: Webhook, now: datetime) -> Delivery:
    """Queue the delivery of the event to one webhook; it is held if the webhook is off.

    A unit of work that queues many deliveries to one webhook wakes workers only for the first
    MAX_CONCURRENT_ATTEMPTS of them: the end of each attempt wakes workers for the next.
    """
    delivery = Delivery(
        webhook_id=webhook.id,
        event_id=event.id,
        job_id=event.job_id,
        event_name=event.name,
        state=DeliveryState.WAITING if webhook.active else DeliveryState.HELD,
        next_attempt_at=now,
        created_at=now,
    )
    session.add(delivery)
    session.flush()
    notified: Counter[str] = session.info.setdefault(_NOTIFIED_COUNTS, Counter())
    if webhook.active and notified[webhook.id] < MAX_CONCURRENT_ATTEMPTS:
        notified[webhook.id] += 1
        notify_after_commit(session, queue_of(webhook), [delivery.id])
    return delivery


def is_troubled(webhook: Webhook, now: datetime) -> bool:
    """Whether the webhook blocked a sender within the time TROUBLED_FOR; then it gets one attempt at a time."""
    return webhook.slow_until is not None and webhook.slow_until > now


def queue_of(webhook: Webhook) -> QueueName:
    """The queue of the webhook's deliveries. Webhooks that blocked a sender, and have not taken a delivery promptly
    since, share the slow queue, so that they delay only each other.
    """
    return QueueName.HOOKS_FAST if webhook.slow_until is None else QueueName.HOOKS_SLOW


def _in_queue(queue_name: QueueName) -> ColumnElement[bool]:
    """The rule of queue_of(), for rows of webhooks."""
    fast = Webhook.slow_until.is_(None)
    return fast if queue_name is QueueName.HOOKS_FAST else ~fast


def due(session: Session, now: datetime, limit: int, queue_name: QueueName) -> list[str]:
    """The id of one due delivery for each webhook of this queue that has any, for up to `limit` webhooks. One is
    enough: the end of its attempt wakes workers for the next.
    """
    first = (
        select(func.min(Delivery.number))
        .join(Webhook)
        .where(QUEUE.is_due(now), _in_queue(queue_name))
        .group_by(Delivery.webhook_id)
        .order_by(func.min(Delivery.next_attempt_at))
        .limit(limit)
    )
    numbers = list(session.scalars(first))
    return list(session.scalars(select(Delivery.id).where(Delivery.number.in_(numbers)).order_by(Delivery.number)))


def notify_next(session: Session, webhook: Webhook, now: datetime) -> None:
    """Wake workers for the next due deliveries to this webhook, as many as MAX_CONCURRENT_ATTEMPTS leaves room
    for. The caller has locked the webhook.
    """
    session.flush()
    room = MAX_CONCURRENT_ATTEMPTS - _count_in_flight(session, webhook, now)
    if room > 0:
        found = session.scalars(_select_due(webhook, now).with_only_columns(Delivery.id).limit(room)).all()
        if found:
            notify_after_commit(session, queue_of(webhook), found)


def find_first_due(session: Session, webhook: Webhook, now: datetime) -> Delivery | None:
    """The first due delivery to the webhook, with its event; None when nothing is due."""
    whole = _select_due(webhook, now).options(joinedload(Delivery.event, innerjoin=True))
    return session.scalar(whole.limit(1))


def _select_due(webhook: Webhook, now: datetime) -> Select[Delivery]:
    mine = select(Delivery).where(Delivery.webhook_id == webhook.id)
    return mine.where(QUEUE.is_due(now)).order_by(Delivery.number)


def lock_with_webhook(session: Session, delivery_id: str) -> tuple[Delivery, Webhook] | None:
    """The delivery and its webhook; the webhook's row is locked until this unit of work ends. None when unknown.

    All code that changes the state of a delivery must lock its webhook first: this lock guards all its deliveries.
    """
    delivery = session.scalar(select(Delivery).where(Delivery.id == delivery_id))
    if delivery is None:
        return None
    webhook = _lock_webhook(session, delivery.webhook_id)
    session.refresh(delivery)
    return delivery, webhook


def lock_claimed(session: Session, claimed: DeliveryClaim) -> tuple[Delivery, Webhook, Attempt] | None:
    """The claimed delivery, its webhook, locked like in lock_with_webhook(), and the claim's attempt; None when
    they were deleted. The caller must check that the claim was not lost.
    """
    webhook = _lock_webhook(session, claimed.webhook_id)
    both = select(Delivery, Attempt).join(Attempt, Attempt.delivery_number == Delivery.number)
    found = session.execute(both.where(Attempt.id == claimed.attempt_id)).first()
    return None if found is None else (found[0], webhook, found[1])


def _lock_webhook(session: Session, webhook_id: str) -> Webhook:
    return session.get_one(Webhook, webhook_id, with_for_update={"key_share": True}, populate_existing=True)


def may_need_sender(session: Session, delivery_id: str, now: datetime) -> bool:
    """Whether a sender may have work with the delivery: it waits and its webhook has room, or the sender of its
    attempt died. Does not wait for a lock: True if another transaction has locked the webhook.

    After False nothing is lost, because the end of each attempt wakes workers for deliveries that had no room; it
    locks the webhook from before it looks for due deliveries until its commit.
    """
    found = session.execute(_SELECT_STATE_AND_IN_FLIGHT, {"delivery_id": delivery_id, "now": now}).first()
    if found is None:
        return True
    state, lease_until, in_flight = found
    if state is DeliveryState.SENDING:
        return lease_until is not None and lease_until < now
    return state is DeliveryState.WAITING and in_flight < MAX_CONCURRENT_ATTEMPTS


def _count_in_flight(session: Session, webhook: Webhook, now: datetime) -> int:
    return session.scalar(_SELECT_COUNT_IN_FLIGHT, {"webhook_id": webhook.id, "now": now}) or 0


def is_below_fair_share(session: Session, webhook: Webhook, now: datetime) -> bool:
    """Whether the webhook's account has less than FAIR_SHARE attempts in flight in the queue of this webhook."""
    in_flight = (
        select(func.count())
        .select_from(Delivery)
        .join(Webhook)
        .where(
            Webhook.account_id == webhook.account_id,
            _in_queue(queue_of(webhook)),
            Delivery.state == DeliveryState.SENDING,
            Delivery.lease_until >= now,
        )
    )
    return (session.scalar(in_flight) or 0) < FAIR_SHARE


def can_send(session: Session, delivery: Delivery, webhook: Webhook, now: datetime) -> bool:
    """Whether the delivery may be sent now: its webhook has room, and the first attempts at all earlier events of
    its job have ended. A delivery sent again by hand does not wait for earlier events.
    """
    if _count_in_flight(session, webhook, now) >= (1 if is_troubled(webhook, now) else MAX_CONCURRENT_ATTEMPTS):
        return False
    return delivery.by_hand or delivery.job_id is None or not _must_wait_for_earlier(session, delivery, now)


def _must_wait_for_earlier(session: Session, delivery: Delivery, now: datetime) -> bool:
    earlier = aliased(Delivery)
    unsent = and_(earlier.state == DeliveryState.WAITING, earlier.attempts_made == 0)
    is_first_attempt = and_(
        earlier.state == DeliveryState.SENDING, earlier.attempts_made == 1, earlier.lease_until >= now
    )
    found = select(earlier.number).where(
        earlier.webhook_id == delivery.webhook_id,
        earlier.job_id == delivery.job_id,
        earlier.number < delivery.number,
        or_(unsent, is_first_attempt),
    )
    return session.scalar(found.limit(1)) is not None


def claim(
    session: Session, delivery: Delivery, headers: dict[str, str], now: datetime, lease: timedelta
) -> DeliveryClaim | None:
    """Claim a due delivery, and record its attempt before anything is sent; None if the delivery is not due."""
    waits = Delivery.state == DeliveryState.WAITING
    taken = QUEUE.claim(session, delivery.number, now, waits, lease=lease)
    if taken is None:
        return None
    attempt = Attempt(
        delivery_number=delivery.number,
        number=taken.attempt,
        by_hand=delivery.by_hand,
        started_at=now,
        request_headers=headers,
    )
    session.add(attempt)
    session.flush()
    webhook = delivery.webhook
    return DeliveryClaim(taken.claim_id, attempt.id, delivery.id, webhook.id, webhook.account_id, delivery.job_id)


def find_open_attempt(session: Session, delivery: Delivery) -> Attempt | None:
    """The newest attempt at the delivery if it has not ended, else None."""
    newest = select(Attempt).where(
        Attempt.delivery_number == delivery.number,
        Attempt.number == delivery.attempts_made,
        Attempt.outcome == AttemptOutcome.STARTED,
    )
    return session.scalar(newest)


def hasten(session: Session, job_id: str, now: datetime) -> None:
    """Let the deliveries about the job that wait for another attempt be due now."""
    about_job = Delivery.event_id.in_(select(Event.id).where(Event.job_id == job_id))
    waiting = about_job, Delivery.state == DeliveryState.WAITING
    webhook_ids = select(Delivery.webhook_id).where(*waiting).distinct().order_by(Delivery.webhook_id)
    for webhook_id in session.scalars(webhook_ids).all():
        # Senders lock the webhook before its deliveries, too.
        webhook = _lock_webhook(session, webhook_id)
        moved = update(Delivery).where(*waiting, Delivery.webhook_id == webhook_id).values(next_attempt_at=now)
        session.execute(moved, execution_options={"synchronize_session": False})
        notify_next(session, webhook, now)


def switch_off(session: Session, webhook: Webhook, reason: str) -> None:
    """Switch off a locked webhook; its waiting deliveries are held until release()."""
    webhook.active, webhook.off_reason = False, reason
    waiting = update(Delivery).where(Delivery.webhook_id == webhook.id, Delivery.state == DeliveryState.WAITING)
    session.execute(waiting.values(state=DeliveryState.HELD), execution_options={"synchronize_session": False})


def release(session: Session, webhook: Webhook, now: datetime) -> int:
    """Queue the held deliveries of a webhook that is on; returns how many."""
    release_all = update(Delivery).where(Delivery.webhook_id == webhook.id, Delivery.state == DeliveryState.HELD)
    numbers: Sequence[int] = session.scalars(
        release_all.values(state=DeliveryState.WAITING, next_attempt_at=now).returning(Delivery.number),
        execution_options={"synchronize_session": False},
    ).all()
    notify_next(session, webhook, now)
    return len(numbers)
