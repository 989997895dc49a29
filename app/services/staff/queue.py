"""How the work flows: what is due in each queue and for how long, who works, and which jobs run out of time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, select, union_all
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain.lifecycle import UNDONE, WORKABLE, WorkState
from app.domain.payments import POLL_PROVIDER_AFTER, UNDECIDED
from app.domain.ports import PHOTO_QUEUES, SIGN_SECONDS, Queue, QueueName, QueueUnavailableError, WorkerSign
from app.domain.sending import DeliveryState
from app.models import (
    Branding,
    Delivery,
    Heartbeat,
    Job,
    Mail,
    MlsPack,
    Photo,
    Preview,
    Purchase,
    StoredPicture,
    Webhook,
)
from app.services.photos import lost_originals
from app.services.photos.lost_originals import LostOriginals
from app.services.retention.sweep import HEARTBEAT
from app.services.staff import jobs as staff_jobs
from app.services.staff.jobs import JobRow
from app.services.webhooks import deliveries

COUNTED = 1000
"""So much of what is due is looked at, the longest due first: beyond it, more is all one needs to know."""
JOBS = 250
"""So many jobs of a state are looked at for their photos, those whose time is over first."""
NEAREST = 5
HEART_STOPPED = timedelta(seconds=15)
SILENT = timedelta(seconds=3 * SIGN_SECONDS)
"""After three signs that did not come a worker was killed, or one piece of work keeps it long."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is due now, as far as it was counted, and since when the oldest is. `more`: not all was looked at."""

    count: int
    since: datetime | None
    more: bool = False


@dataclass(frozen=True, slots=True)
class QueueState:
    """What Redis knows: the wake-ups that wait in each queue, and the last signs of life of workers."""

    waiting: Mapping[QueueName, int]
    workers: Sequence[WorkerSign]


@dataclass(frozen=True, slots=True)
class ServiceHealth:
    """What the database knows: what is due in each queue, purchases to ask about, the sweeper's heartbeat, and the
    unfinished jobs whose time is over first, and the jobs whose published originals are missing.
    """

    queues: Mapping[QueueName, Due]
    purchases: Due
    sweeper_at: datetime | None
    nearest: Sequence[JobRow]
    lost: Sequence[LostOriginals]


def read_state(queue: Queue) -> QueueState | None:
    """What Redis knows; None when it is away."""
    try:
        return QueueState({name: queue.waiting(name) for name in QueueName}, queue.workers())
    except QueueUnavailableError:
        return None


def health(session: Session, now: datetime) -> ServiceHealth:
    """What the database knows, in the same few statements however much there is."""
    queues = {
        **_photos(session, now),
        **_deliveries(session, now),
        QueueName.MAIL: _works(session, (Mail,), now),
        QueueName.PREVIEWS: _works(session, (Preview, MlsPack, Branding), now),
    }
    sweeper_at = session.scalar(select(Heartbeat.beat_at).where(Heartbeat.name == HEARTBEAT))
    nearest = staff_jobs.rows_of(session, staff_jobs.list_by_deadline(session, [], None, NEAREST))
    lost = lost_originals.list_lost(session, now)
    return ServiceHealth(queues, _purchases(session, now), sweeper_at, nearest, lost)


def _due(moments: Sequence[datetime], more: bool = False) -> Due:
    return Due(len(moments), min(moments, default=None), more or len(moments) > COUNTED)


def _works(session: Session, kinds: Sequence[Any], now: datetime) -> Due:
    """Waiting work of these kinds whose time has come, and work whose worker died."""
    rows: list[Select[datetime]] = []
    for kind in kinds:
        parts = (
            (kind.state == WorkState.WAITING, kind.next_attempt_at, kind.next_attempt_at <= now),
            (kind.state == WorkState.WORKING, kind.lease_until, kind.lease_until < now),
        )
        for state, since, come in parts:
            # The index of what is undone is found by its own condition alone.
            some = (
                select(since.label("since"))
                .where(is_one_of(kind.state, UNDONE), state, come)
                .order_by(kind.next_attempt_at)
                .limit(COUNTED + 1)
            )
            rows.append(select(some.subquery().c.since))
    return _due(session.scalars(union_all(*rows)).all())


def _photos(session: Session, now: datetime) -> dict[QueueName, Due]:
    """Of the jobs whose time is over first: the photos of a job that ended stay as they were, and are not due. With
    them their other pictures, which wait among them.
    """
    moments: dict[QueueName, list[datetime]] = {queue_name: [] for queue_name in PHOTO_QUEUES.values()}
    every: list[Any] = []
    more = False
    for status in sorted(WORKABLE):
        first = select(Job.id).where(Job.status == status).order_by(Job.deadline_at).limit(JOBS + 1)
        job_ids = session.scalars(first).all()
        mine = select(Photo.work_size, Photo.state, Photo.next_attempt_at, Photo.lease_until)
        mine = mine.where(Photo.job_id.in_(job_ids[:JOBS]), Photo.state != WorkState.DONE)
        rows = session.execute(mine.limit(COUNTED + 1)).all()
        every += rows
        more = more or len(rows) > COUNTED or len(job_ids) > JOBS
    kind = StoredPicture
    waits = kind.work_size, kind.state, kind.next_attempt_at, kind.lease_until
    again = select(*waits).where(is_one_of(kind.state, UNDONE)).limit(COUNTED + 1)
    for work_size, state, waits_until, held_until in (*every, *session.execute(again)):
        since = _since(state, waits_until, held_until, now)
        if since is not None:
            moments[PHOTO_QUEUES[work_size]].append(since)
    return {queue_name: _due(found, more and bool(found)) for queue_name, found in moments.items()}


def _since(state: WorkState, waits_until: datetime, held_until: datetime | None, now: datetime) -> datetime | None:
    since = waits_until if state is WorkState.WAITING else held_until
    return since if since is not None and since <= now else None


def _deliveries(session: Session, now: datetime) -> dict[QueueName, Due]:
    due = (Delivery.state == DeliveryState.WAITING, Delivery.next_attempt_at <= now)
    first = select(Delivery).where(*due).order_by(Delivery.next_attempt_at).limit(COUNTED + 1)
    waiting = session.scalars(first).all()
    cut_off = (Delivery.state == DeliveryState.SENDING, Delivery.lease_until < now)
    died = session.scalars(select(Delivery).where(*cut_off).order_by(Delivery.next_attempt_at).limit(COUNTED)).all()
    ids = {each.webhook_id for each in (*waiting, *died)}
    webhooks = {each.id: each for each in session.scalars(select(Webhook).where(Webhook.id.in_(ids)))}
    moments: dict[QueueName, list[datetime]] = {QueueName.HOOKS_FAST: [], QueueName.HOOKS_SLOW: []}
    for each in (*waiting, *died):
        since = each.next_attempt_at if each.state is DeliveryState.WAITING else each.lease_until
        moments[deliveries.queue_of(webhooks[each.webhook_id])].append(since or now)
    return {name: _due(found, len(waiting) > COUNTED) for name, found in moments.items()}


def _purchases(session: Session, now: datetime) -> Due:
    """Those of which nothing was heard for so long that the sweep asks about them."""
    moments: list[datetime] = []
    for state in UNDECIDED:
        wait = POLL_PROVIDER_AFTER[state]
        late = (Purchase.state == state, Purchase.checked_at <= now - wait, Purchase.problem.is_(None))
        rows = select(Purchase.checked_at).where(*late).order_by(Purchase.checked_at).limit(COUNTED + 1)
        moments += [at + wait for at in session.scalars(rows)]
    return _due(moments)
