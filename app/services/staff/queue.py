"""The state of the queues: how much is due in each and since when, the live workers, the jobs closest to a
deadline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, select, union_all
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain.lifecycle import UNFINISHED, WORKABLE, WorkState
from app.domain.payments import AWAITING_PAYMENT, POLL_PROVIDER_AFTER
from app.domain.ports import PHOTO_QUEUES, SIGN_SECONDS, Queue, QueueName, QueueUnavailableError, WorkerSign
from app.domain.sending import DeliveryState
from app.models import (
    Branding,
    Delivery,
    FetchedFile,
    Heartbeat,
    Job,
    Mail,
    MlsPack,
    Photo,
    Preview,
    Purchase,
    StoredOutlook,
    StoredPicture,
    Webhook,
)
from app.services.photos import lost_originals
from app.services.photos.lost_originals import LostOriginals
from app.services.retention.sweep import HEARTBEAT
from app.services.staff import jobs as staff_jobs
from app.services.staff.jobs import JobRow
from app.services.webhooks import deliveries

MAX_COUNTED = 1000
"""Most rows of due work that are counted, the longest due first. Pages show "more" beyond that."""
MAX_JOBS = 250
"""Most jobs of a status whose photos are counted, the earliest deadline first."""
NEAREST_JOBS = 5
"""How many jobs with the earliest deadlines are listed."""
SWEEPER_STOPPED_AFTER = timedelta(seconds=15)
"""Least time without a heartbeat for the sweeper to count as stopped."""
SILENT_AFTER = timedelta(seconds=3 * SIGN_SECONDS)
"""Least time without a sign of life for a worker to count as silent. It has missed three signs then: it was killed,
or is blocked by its work.
"""


@dataclass(frozen=True, slots=True)
class Due:
    """How much work is due now, and since when the oldest has been due. `more`: there is more than was counted."""

    count: int
    since: datetime | None
    more: bool = False


@dataclass(frozen=True, slots=True)
class QueueState:
    """The state in Redis: how many wake-ups wait in each queue, and the last sign of life of each worker."""

    waiting: Mapping[QueueName, int]
    workers: Sequence[WorkerSign]


@dataclass(frozen=True, slots=True)
class ServiceHealth:
    """The state in the database.

    `queues`: the due work of each queue. `purchases`: the purchases about which the payment provider should be
    asked. `sweeper_at`: the sweeper's last heartbeat. `nearest`: the unfinished jobs with the earliest deadlines.
    `lost`: the jobs whose published originals are missing.
    """

    queues: Mapping[QueueName, Due]
    purchases: Due
    sweeper_at: datetime | None
    nearest: Sequence[JobRow]
    lost: Sequence[LostOriginals]


def read_state(queue: Queue) -> QueueState | None:
    """The state in Redis; None when it is unreachable."""
    try:
        return QueueState({name: queue.count_waiting(name) for name in QueueName}, queue.workers())
    except QueueUnavailableError:
        return None


def health(session: Session, now: datetime) -> ServiceHealth:
    """The state in the database, always in the same few queries."""
    hooks = _measure_deliveries(session, now)
    queues = {
        **_measure_photos(session, now),
        **hooks,
        # Files by URL wait in the same queue.
        QueueName.HOOKS_SLOW: _add(hooks[QueueName.HOOKS_SLOW], _measure_work(session, (FetchedFile,), now)),
        QueueName.MAIL: _measure_work(session, (Mail,), now),
        QueueName.PREVIEWS: _measure_work(session, (Preview, StoredOutlook, MlsPack, Branding), now),
    }
    sweeper_at = session.scalar(select(Heartbeat.beat_at).where(Heartbeat.name == HEARTBEAT))
    nearest = staff_jobs.rows_of(session, staff_jobs.list_by_deadline(session, [], None, NEAREST_JOBS))
    lost = lost_originals.list_lost(session, now)
    return ServiceHealth(queues, _measure_purchases(session, now), sweeper_at, nearest, lost)


def _make_due(times: Sequence[datetime], more: bool = False) -> Due:
    return Due(len(times), min(times, default=None), more or len(times) > MAX_COUNTED)


def _add(one: Due, other: Due) -> Due:
    since = min(filter(None, (one.since, other.since)), default=None)
    return Due(one.count + other.count, since, one.more or other.more)


def _measure_work(session: Session, kinds: Sequence[Any], now: datetime) -> Due:
    """The due work of these tables: waiting rows whose time has come, and rows whose worker died."""
    rows: list[Select[datetime]] = []
    for kind in kinds:
        parts = (
            (kind.state == WorkState.WAITING, kind.next_attempt_at, kind.next_attempt_at <= now),
            (kind.state == WorkState.WORKING, kind.lease_until, kind.lease_until < now),
        )
        for in_state, since, is_due in parts:
            # The database uses the partial index only with the condition on UNFINISHED.
            some = (
                select(since.label("since"))
                .where(is_one_of(kind.state, UNFINISHED), in_state, is_due)
                .order_by(kind.next_attempt_at)
                .limit(MAX_COUNTED + 1)
            )
            rows.append(select(some.subquery().c.since))
    return _make_due(session.scalars(union_all(*rows)).all())


def _measure_photos(session: Session, now: datetime) -> dict[QueueName, Due]:
    """The due photos of the jobs with the earliest deadlines, and due pictures of other versions, which wait in the
    same queues. Jobs that ended are skipped: their photos keep their state, but are not due. Photos of test orders
    are not counted, because they may wait for long.
    """
    times: dict[QueueName, list[datetime]] = {queue_name: [] for queue_name in PHOTO_QUEUES.values()}
    photos: list[Any] = []
    more = False
    for status in sorted(WORKABLE):
        first = (
            select(Job.id).where(Job.livemode, Job.status == status).order_by(Job.deadline_at).limit(MAX_JOBS + 1)
        )
        job_ids = session.scalars(first).all()
        mine = select(Photo.work_size, Photo.state, Photo.next_attempt_at, Photo.lease_until)
        mine = mine.where(Photo.job_id.in_(job_ids[:MAX_JOBS]), Photo.state != WorkState.DONE)
        rows = session.execute(mine.limit(MAX_COUNTED + 1)).all()
        photos += rows
        more = more or len(rows) > MAX_COUNTED or len(job_ids) > MAX_JOBS
    kind = StoredPicture
    columns = kind.work_size, kind.state, kind.next_attempt_at, kind.lease_until
    pictures = select(*columns).where(is_one_of(kind.state, UNFINISHED)).limit(MAX_COUNTED + 1)
    for work_size, state, waits_until, leased_until in (*photos, *session.execute(pictures)):
        since = _due_since(state, waits_until, leased_until, now)
        if since is not None:
            times[PHOTO_QUEUES[work_size]].append(since)
    return {queue_name: _make_due(found, more and bool(found)) for queue_name, found in times.items()}


def _due_since(
    state: WorkState, waits_until: datetime, leased_until: datetime | None, now: datetime
) -> datetime | None:
    since = waits_until if state is WorkState.WAITING else leased_until
    return since if since is not None and since <= now else None


def _measure_deliveries(session: Session, now: datetime) -> dict[QueueName, Due]:
    due = (Delivery.state == DeliveryState.WAITING, Delivery.next_attempt_at <= now)
    first = select(Delivery).where(*due).order_by(Delivery.next_attempt_at).limit(MAX_COUNTED + 1)
    waiting = session.scalars(first).all()
    worker_died = (Delivery.state == DeliveryState.SENDING, Delivery.lease_until < now)
    died = session.scalars(
        select(Delivery).where(*worker_died).order_by(Delivery.next_attempt_at).limit(MAX_COUNTED)
    ).all()
    ids = {each.webhook_id for each in (*waiting, *died)}
    webhooks = {each.id: each for each in session.scalars(select(Webhook).where(Webhook.id.in_(ids)))}
    times: dict[QueueName, list[datetime]] = {QueueName.HOOKS_FAST: [], QueueName.HOOKS_SLOW: []}
    for each in (*waiting, *died):
        since = each.next_attempt_at if each.state is DeliveryState.WAITING else each.lease_until
        times[deliveries.queue_of(webhooks[each.webhook_id])].append(since or now)
    return {name: _make_due(found, len(waiting) > MAX_COUNTED) for name, found in times.items()}


def _measure_purchases(session: Session, now: datetime) -> Due:
    """The undecided purchases about which the sweep should ask the payment provider."""
    times: list[datetime] = []
    for state in AWAITING_PAYMENT:
        wait = POLL_PROVIDER_AFTER[state]
        late = (Purchase.state == state, Purchase.checked_at <= now - wait, Purchase.problem.is_(None))
        rows = select(Purchase.checked_at).where(*late).order_by(Purchase.checked_at).limit(MAX_COUNTED + 1)
        times += [at + wait for at in session.scalars(rows)]
    return _make_due(times)
