"""Chooses the preview or outlook that a worker makes next: those of test mode come after all live ones."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.ids import Prefix, is_id
from app.models import Preview, StoredOutlook
from app.services.leases import WorkQueue
from app.services.previews import outlooks, previews

_QUEUES: tuple[WorkQueue, ...] = (previews.QUEUE, outlooks.QUEUE)


def choose(session: Session, key: str, now: datetime) -> str:
    """The key to work on when a worker is notified of `key`. It is `key` itself, unless that is of test mode and
    live work is due; then it is the live preview or outlook that has been due for the longest time.

    The key that has to wait stays due: the sweep notifies a worker of it again.
    """
    if not _is_of_test_mode(session, key):
        return key
    for queue in _QUEUES:
        live = select(queue.key).where(queue.is_due(now), queue.model.livemode)
        first: str | None = session.scalar(live.order_by(queue.model.next_attempt_at).limit(1))
        if first is not None:
            return first
    return key


def _is_of_test_mode(session: Session, key: str) -> bool:
    if is_id(key, Prefix.OUTLOOK):
        return session.scalar(select(StoredOutlook.livemode).where(StoredOutlook.id == key)) is False
    return session.scalar(select(Preview.livemode).where(Preview.source_key == key)) is False
