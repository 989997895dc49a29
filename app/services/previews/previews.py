"""Previews: small pictures of stored files, wanted, claimed under a lease, made, retried, given up, forgotten."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.lifecycle import WorkState
from app.domain.ports import PreviewSize, QueueName
from app.models import Preview

LEASE = timedelta(seconds=30)
"""A claim whose holder shows no sign of life for this long may be taken over."""
RETRY_DELAYS = (timedelta(seconds=5), timedelta(seconds=60))
MAX_ATTEMPTS = 1 + len(RETRY_DELAYS)
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 10, 20, 40, 60, 300))
"""Before the next look at a store that was away; the last again and again."""
MISSING_FOR = timedelta(hours=1)
"""So long after it was wanted a file that is not in the store may still appear there."""
MAX_ERROR = 300
GIVEN_UP = f"No preview of this photo could be made in {MAX_ATTEMPTS} tries."


@dataclass(frozen=True, slots=True)
class Claim:
    """One worker's hold on one file's previews. `claim_id` is the fence: only its holder can settle them."""

    claim_id: str
    source_key: str
    label: str | None
    missing_until: datetime


def want(session: Session, source_key: str, folder: str, now: datetime, label: str | None = None) -> None:
    """Ask for the file's small pictures, and with a `label` for a copy at full size that bears it.

    In the caller's transaction; a worker is notified after the commit. Harmless to repeat: what is wanted or made
    already stays as it is. `folder`: the prefix the file lies under, with which its previews are forgotten.
    """
    values = {"folder": folder, "label": label, "next_attempt_at": now, "created_at": now}
    try:
        with session.begin_nested():
            session.execute(insert(Preview).values(source_key=source_key, **values))
    except IntegrityError:
        return
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def of(session: Session, source_keys: Iterable[str]) -> dict[str, Preview]:
    """What is known of the previews of these files, in one query: `width` is there once they are made, `error`
    when there can be none; a file nobody asked for is missing.
    """
    found = select(Preview).where(Preview.source_key.in_(set(source_keys)))
    return {preview.source_key: preview for preview in session.scalars(found)}


def key_of(source_key: str, size: PreviewSize) -> str:
    """Where the file's picture of this size lies, or will lie."""
    folder, _, name = source_key.rpartition("/")
    return f"{folder}/previews/{name}.{size}.jpg"


def keys_of(source_key: str) -> list[str]:
    """Where its pictures of all sizes lie, or will lie."""
    return [key_of(source_key, size) for size in PreviewSize]


def claim(session: Session, source_key: str, now: datetime) -> Claim | None:
    """Take the previews if they are due and nobody else's; the attempt counts, whatever becomes of it.

    None when there is nothing to do: also when their workers died too often and they were given up.
    """
    values = {
        "state": WorkState.WORKING,
        "claim_id": uuid.uuid4().hex,
        "lease_until": now + LEASE,
        "attempts": Preview.attempts + 1,
    }
    if not _changed(session, and_(Preview.source_key == source_key, _is_due(now)), values):
        return None
    preview = session.get_one(Preview, source_key, populate_existing=True)
    held = Claim(preview.claim_id or "", source_key, preview.label, preview.created_at + MISSING_FOR)
    if preview.attempts > MAX_ATTEMPTS:
        give_up(session, held, GIVEN_UP)
        return None
    return held


def renew(session: Session, held: Claim, now: datetime) -> bool:
    """Show a sign of life; False when the claim was lost, or the previews are no longer wanted."""
    return _changed(session, _is_held(held), {"lease_until": now + LEASE})


def finish(session: Session, held: Claim, width: int, height: int) -> bool:
    """Note that the pictures lie there, made of a photo of this size in pixels; False when the claim was lost."""
    return _settle(session, held, WorkState.DONE, width=width, height=height, error=None)


def give_up(session: Session, held: Claim, error: str) -> bool:
    """Note that there can be no preview, and why, in words for the customer; False like finish()."""
    return _settle(session, held, WorkState.DONE, error=error[:MAX_ERROR])


def retry(session: Session, held: Claim, now: datetime) -> bool:
    """The work broke: let another try follow, later each time, or give up after the last. False like finish()."""
    preview = session.scalar(select(Preview).where(_is_held(held)).execution_options(populate_existing=True))
    if preview is None:
        return False
    if preview.attempts >= MAX_ATTEMPTS:
        return give_up(session, held, GIVEN_UP)
    again_at = now + RETRY_DELAYS[preview.attempts - 1]
    return _settle(session, held, WorkState.WAITING, next_attempt_at=again_at)


def postpone(session: Session, held: Claim, now: datetime) -> bool:
    """The store was away: another try follows, later each time, uncounted. False like finish()."""
    count = session.scalar(select(Preview.postponements).where(_is_held(held)))
    if count is None:
        return False
    values = {
        "attempts": Preview.attempts - 1,
        "postponements": count + 1,
        "next_attempt_at": now + PAUSES[min(count, len(PAUSES) - 1)],
    }
    return _settle(session, held, WorkState.WAITING, **values)


def release(session: Session, held: Claim, now: datetime) -> None:
    """Let go of a claim that must stop through no fault of the photo: another try follows at once, uncounted."""
    _settle(session, held, WorkState.WAITING, attempts=Preview.attempts - 1, next_attempt_at=now)


def due(session: Session, now: datetime, limit: int) -> list[str]:
    """The files whose previews are longest due: waiting ones, and claims whose lease ran out."""
    waiting = select(Preview.source_key).where(_is_due(now)).order_by(Preview.next_attempt_at)
    return list(session.scalars(waiting.limit(limit)))


def is_wanted(session: Session, source_key: str) -> bool:
    """Whether anybody still wants, or has, this file's previews."""
    return session.get(Preview, source_key) is not None


def forget(session: Session, folder: str) -> None:
    """Want no previews of what lies under the prefix any more; the pictures go with the folder's files."""
    gone = delete(Preview).where(Preview.folder == folder)
    session.execute(gone.execution_options(synchronize_session=False))


def forget_file(session: Session, source_key: str) -> None:
    """Want no previews of this one file any more; its pictures, see keys_of(), are the caller's to remove."""
    gone = delete(Preview).where(Preview.source_key == source_key)
    session.execute(gone.execution_options(synchronize_session=False))


def _is_due(now: datetime) -> ColumnElement[bool]:
    waiting = and_(Preview.state == WorkState.WAITING, Preview.next_attempt_at <= now)
    abandoned = and_(Preview.state == WorkState.WORKING, Preview.lease_until < now)
    return or_(waiting, abandoned)


def _is_held(held: Claim) -> ColumnElement[bool]:
    return and_(
        Preview.source_key == held.source_key,
        Preview.claim_id == held.claim_id,
        Preview.state == WorkState.WORKING,
    )


def _settle(session: Session, held: Claim, state: WorkState, **values: Any) -> bool:
    return _changed(session, _is_held(held), {"state": state, "claim_id": None, "lease_until": None, **values})


def _changed(session: Session, which: ColumnElement[bool], values: dict[str, Any]) -> bool:
    changed = update(Preview).where(which).values(values).returning(Preview.source_key)
    return session.execute(changed.execution_options(synchronize_session=False)).first() is not None
