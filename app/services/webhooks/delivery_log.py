"""The log of webhook deliveries as the account sees it: listed, read, sent again, released, deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session, joinedload, selectinload
from sqlalchemy.sql.base import ExecutableOption

from app.database import notify_after_commit
from app.domain.errors import Conflict, NotFound, require_found
from app.domain.events import EventName
from app.domain.ids import Prefix, is_id
from app.domain.retention import DELIVERIES_KEPT, HELD_DELIVERIES_KEPT, TEST_EVENTS_KEPT
from app.domain.sending import DeliveryState
from app.models import Attempt, Delivery, Event, Job, Organization, Webhook
from app.services.pagination import Page, cut_page
from app.services.webhooks import deliveries, webhooks

PAGE = 50
MAX_LIMIT = 200
"""Most deliveries on one page."""
BATCH = 1000
MAX_SCANNED = 5000
"""Most deliveries that one page scans for an event name: no index sorts a webhook's deliveries by event name."""


@dataclass(frozen=True, slots=True)
class DeliveryFilter:
    """Which deliveries are listed: those that meet all conditions; a field that is None is no condition."""

    state: DeliveryState | None = None
    event_name: str | None = None
    job_id: str | None = None
    since: datetime | None = None


def paginate(
    session: Session,
    account_id: str,
    webhook_id: str,
    delivery_filter: DeliveryFilter | None = None,
    *,
    after: str | None = None,
    limit: int = PAGE,
) -> Page[Delivery, str]:
    """Up to `limit` deliveries of the account's webhook, at most MAX_LIMIT, newest first, older than the one
    `after`.

    Filtered by event, a page may have few or no rows and still have a next page, see MAX_SCANNED.

    Raises NotFound for an unknown webhook or `after`.
    """
    webhook = webhooks.get(session, account_id, webhook_id)
    delivery_filter = delivery_filter or DeliveryFilter()
    rows = select(Delivery).where(Delivery.webhook_id == webhook.id, *_conditions(delivery_filter))
    if after is not None:
        rows = rows.where(Delivery.number < _find_number(session, webhook, after))
    if delivery_filter.job_id is not None:
        rows = rows.where(Delivery.number.in_(_list_numbers_of_job(session, webhook, delivery_filter.job_id)))
    oldest = (
        _find_oldest_scanned(session, rows)
        if delivery_filter.event_name is not None and delivery_filter.job_id is None
        else None
    )
    if oldest is not None:
        rows = rows.where(Delivery.number >= oldest.number)
    if delivery_filter.event_name is not None:
        rows = rows.where(Delivery.event_name == delivery_filter.event_name)
    size = max(1, min(limit, MAX_LIMIT))
    found = list(session.scalars(rows.order_by(Delivery.number.desc()).limit(size + 1)))
    page = cut_page(found, size, lambda delivery: delivery.id)
    return page if page.next or oldest is None else Page(page.rows, oldest.id)


def _conditions(delivery_filter: DeliveryFilter) -> list[ColumnElement[bool]]:
    since = [Delivery.created_at >= delivery_filter.since] if delivery_filter.since else []
    return [*since, *([Delivery.state == delivery_filter.state] if delivery_filter.state is not None else [])]


def _find_oldest_scanned(session: Session, rows: Select[Delivery]) -> Delivery | None:
    """The oldest delivery that this page scans; None when it scans all that are left."""
    return session.scalar(rows.order_by(Delivery.number.desc()).offset(MAX_SCANNED - 1).limit(1))


def _list_numbers_of_job(session: Session, webhook: Webhook, job_id: str) -> Sequence[int]:
    """The numbers of the job's deliveries, found by its events: a job has few events, but the log may be long."""
    if not is_id(job_id, Prefix.JOB):
        return []
    of_job = (Event.job_id == job_id, Event.account_id == webhook.account_id)
    return session.scalars(select(Delivery.number).join(Event).where(*of_job)).all()


def _find_number(session: Session, webhook: Webhook, delivery_id: str) -> int:
    place = select(Delivery.number).where(Delivery.id == delivery_id, Delivery.webhook_id == webhook.id)
    return require_found(session.scalar(place) if is_id(delivery_id, Prefix.DELIVERY) else None)


def show(session: Session, account_id: str, delivery_id: str) -> Delivery:
    """One delivery of the account with its webhook, its event and all its attempts. Raises NotFound."""
    return get(session, account_id, delivery_id, selectinload(Delivery.attempts))


def get(session: Session, account_id: str, delivery_id: str, *options: ExecutableOption) -> Delivery:
    """One delivery of the account with its webhook, its event and all that `options` also load. Raises NotFound."""
    whole = (joinedload(Delivery.webhook), joinedload(Delivery.event), *options)
    found = _select_own(account_id, delivery_id).options(*whole).execution_options(populate_existing=True)
    return require_found(session.scalar(found))


def _select_own(account_id: str, delivery_id: str) -> Select[Delivery]:
    if not is_id(delivery_id, Prefix.DELIVERY):
        raise NotFound
    mine = (Delivery.id == delivery_id, Webhook.account_id == account_id, Webhook.deleted_at.is_(None))
    return select(Delivery).join(Webhook).where(*mine)


def redeliver(session: Session, account_id: str, delivery_id: str, now: datetime) -> None:
    """Send a settled delivery once more: the same bytes under the same id, in one attempt.

    Raises NotFound, and Conflict while the delivery is not settled or its webhook is off.
    """
    delivery = require_found(session.scalar(_select_own(account_id, delivery_id)))
    webhook = _lock_active(session, account_id, delivery.webhook_id)
    settled = Delivery.state.in_((DeliveryState.FAILED, DeliveryState.SUCCEEDED))
    if webhook.is_callback and not session.scalar(select(Job.id).where(_names(webhook), Job.id == delivery.job_id)):
        raise Conflict("The order has expired, and with it its callback.")
    if not _queue_again(session, webhook, [Delivery.number == delivery.number, settled], now):
        raise Conflict("The delivery is on its way already.")


def retry_now(session: Session, account_id: str, delivery_id: str, now: datetime) -> None:
    """Make the next attempt at a delivery now instead of at its scheduled time; it counts like any other attempt.

    Raises NotFound, and Conflict unless the delivery waits for another attempt, or while its webhook is off.
    """
    delivery = require_found(session.scalar(_select_own(account_id, delivery_id)))
    webhook = _lock_active(session, account_id, delivery.webhook_id)
    waits = (Delivery.state == DeliveryState.WAITING, Delivery.attempts_made > 0, Delivery.next_attempt_at > now)
    retried = update(Delivery).where(Delivery.number == delivery.number, *waits).values(next_attempt_at=now)
    if session.scalar(retried.returning(Delivery.number)) is None:
        raise Conflict("The delivery does not wait for another try.")
    notify_after_commit(session, deliveries.queue_of(webhook), [delivery.id])


def count_failed(session: Session, account_id: str, webhook_id: str, since: datetime) -> int:
    """How many deliveries redeliver_failed() would send. Raises NotFound."""
    webhook = webhooks.get(session, account_id, webhook_id)
    mine = select(func.count()).where(Delivery.webhook_id == webhook.id, *_is_failed(since))
    return session.scalar(mine) or 0


def redeliver_failed(session: Session, account_id: str, webhook_id: str, since: datetime, now: datetime) -> int:
    """Queue again every delivery that failed since `since`; returns how many.

    They are sent no faster than the webhook's share of the senders allows; switching the webhook off stops them.
    Raises NotFound, and Conflict while the webhook is off.
    """
    webhook = _lock_active(session, account_id, webhook_id)
    return _queue_again(session, webhook, _is_failed(since), now)


def release_held(session: Session, account_id: str, webhook_id: str, now: datetime) -> int:
    """Queue the deliveries that were held while the webhook was off; returns how many.

    Raises NotFound, and Conflict while the webhook is off.
    """
    return deliveries.release(session, _lock_active(session, account_id, webhook_id), now)


def _lock_active(session: Session, account_id: str, webhook_id: str) -> Webhook:
    webhook = webhooks.get(session, account_id, webhook_id, lock=True)
    if not webhook.active:
        raise Conflict("The webhook is off; turn it on first.")
    return webhook


def _names(callback: Webhook) -> ColumnElement[bool]:
    """Condition on jobs: the job names this callback. The callback of an expired job has ended."""
    return and_(Job.callback_id == callback.id, Job.callback_id.is_not(None))


def _is_failed(since: datetime) -> list[ColumnElement[bool]]:
    return [Delivery.state == DeliveryState.FAILED, Delivery.failed_at >= since]


def _queue_again(session: Session, webhook: Webhook, which: list[ColumnElement[bool]], now: datetime) -> int:
    values = {"state": DeliveryState.WAITING, "by_hand": True, "next_attempt_at": now, "failed_at": None}
    if webhook.is_callback:
        which = [*which, or_(Delivery.job_id.in_(select(Job.id).where(_names(webhook))), Delivery.job_id.is_(None))]
    again = update(Delivery).where(Delivery.webhook_id == webhook.id, *which).values(values)
    sent = session.scalars(again.returning(Delivery.number), execution_options={"synchronize_session": False}).all()
    deliveries.notify_next(session, webhook, now)
    return len(sent)


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH expired deliveries, with their attempts and test events; returns how many.

    Deleted webhooks that have no delivery left are deleted, too.
    """
    rows = _list_expired(session, now)
    numbers = [row.number for row in rows]
    session.execute(delete(Attempt).where(Attempt.delivery_number.in_(numbers)))
    session.execute(delete(Delivery).where(Delivery.number.in_(numbers)))
    of_no_job = Event.id.in_([row.event_id for row in rows if row.job_id is None])
    session.execute(delete(Event).where(of_no_job, Event.name == EventName.WEBHOOK_TEST))
    empty = ~select(Delivery.number).where(Delivery.webhook_id == Webhook.id).exists()
    session.execute(delete(Webhook).where(Webhook.deleted_at.is_not(None), empty))
    return len(rows)


def _list_expired(session: Session, now: datetime) -> list[Any]:
    """Up to BATCH deliveries past their retention time; one query for each kind, because no index serves all
    kinds.
    """
    settled = Delivery.state.in_((DeliveryState.SUCCEEDED, DeliveryState.FAILED))
    failed_lately = and_(Delivery.failed_at.is_not(None), Delivery.failed_at > now - DELIVERIES_KEPT)
    held = Delivery.state == DeliveryState.HELD
    of_sandboxes = select(Webhook.id).join(Organization, Organization.id == Webhook.account_id)
    of_sandboxes = of_sandboxes.where(Organization.sandbox_of.is_not(None))
    kinds = (
        and_(settled, Delivery.created_at <= now - DELIVERIES_KEPT, ~failed_lately),
        and_(held, Delivery.created_at <= now - HELD_DELIVERIES_KEPT),
        and_(held, Delivery.created_at <= now - TEST_EVENTS_KEPT, Delivery.webhook_id.in_(of_sandboxes)),
        Delivery.webhook_id.in_(select(Webhook.id).where(Webhook.deleted_at.is_not(None))),
    )
    found: dict[int, Any] = {}
    for kind in kinds:
        rows = select(Delivery.number, Delivery.event_id, Delivery.job_id).where(kind)
        found |= {row.number: row for row in session.execute(rows.limit(BATCH))}
    return list(found.values())[:BATCH]
