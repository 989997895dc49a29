"""Outlooks: what stored photos show and what ordered steps would do; requested, claimed, read, retried, deleted."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import as_json, is_one_of, notify_after_commit
from app.domain.attempts import OUTLOOKS
from app.domain.errors import OutlooksExceeded, require_found
from app.domain.lifecycle import UNFINISHED, WorkState
from app.domain.limits import TEST_WAITING_OUTLOOKS
from app.domain.ports import QueueName
from app.models import StoredOutlook
from app.services.accounts import organizations
from app.services.leases import Lease, WorkQueue
from engine.types.edit_request import EditRequest
from engine.types.options import OPTIONS
from engine.version import engine_version

QUEUE = WorkQueue(StoredOutlook.id, StoredOutlook.attempts, OUTLOOKS)
MAX_WAITING = 100
"""The maximum number of outlooks of one account that may wait: as many as an order may have photos."""
MAX_KEPT = 4
"""The maximum number of outlooks that are kept of one file, the newest. Each correction of the hints adds one."""
MAX_ERROR = 300
"""The maximum length of a stored error, in characters."""
GIVEN_UP = f"This photo could not be looked at in {OUTLOOKS.max_attempts} tries."


@dataclass(frozen=True, slots=True)
class OutlookClaim(Lease):
    """One worker's claim on one outlook."""

    source_key: str
    edit_request: EditRequest


@dataclass(frozen=True, slots=True)
class OutlookSubject:
    """A stored file of an account, and the edit request whose outlook is asked for. `version` changes when the file
    is replaced; `folder`: see StoredOutlook.
    """

    account_id: str
    source_key: str
    folder: str
    version: str
    edit_request: EditRequest

    @property
    def digest(self) -> str:
        """A digest of everything that decides the outlook. Options that belong to every effect are left out: they
        change no forecast, and a board would wait for all its photos again after each change of them.
        """
        options = {each.name: None for each in OPTIONS if each.is_for_all}
        deciding = replace(self.edit_request.chosen_options, **options)
        parts = [self.version, as_json(replace(self.edit_request, options=deciding)), engine_version()]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ReadOutlook:
    """The state of one outlook. `steps`: the forecasts as JSON; None until the outlook is read, and after it was
    given up. `error`: why it was given up, for the customer.
    """

    steps: Sequence[Mapping[str, Any]] | None
    is_done: bool
    error: str | None = None


PENDING = ReadOutlook(None, False)
"""Stands for an outlook that is not read yet."""


def read_all(session: Session, subjects: Iterable[OutlookSubject]) -> Mapping[tuple[str, str], ReadOutlook]:
    """The forecasts of these subjects that were requested, by storage key and digest, in one query; the other
    columns are much larger, and are not read.
    """
    wanted = {(each.source_key, each.digest) for each in subjects}
    columns = (StoredOutlook.source_key, StoredOutlook.digest, StoredOutlook.content["steps"])
    states = (StoredOutlook.state, StoredOutlook.error)
    found = select(*columns, *states).where(StoredOutlook.source_key.in_({key for key, _ in wanted}))
    return {
        (row[0], row[1]): ReadOutlook(row[2], row[3] is WorkState.DONE, row[4])
        for row in session.execute(found)
        if (row[0], row[1]) in wanted
    }


def request(session: Session, subject: OutlookSubject, now: datetime) -> StoredOutlook:
    """The outlook of this file for this edit request; if it is new, a worker is notified after the commit.

    Harmless to repeat. Older outlooks of the file are deleted, all but MAX_KEPT. Raises OutlooksExceeded if
    MAX_WAITING outlooks of the account wait already, in a sandbox TEST_WAITING_OUTLOOKS.
    """
    found = _find(session, subject)
    if found is not None:
        return found
    # A request that is replaced by a correction of the same file does not count as waiting any more.
    _forget_oldest(session, subject.source_key)
    waiting = select(func.count()).where(
        StoredOutlook.account_id == subject.account_id, is_one_of(StoredOutlook.state, UNFINISHED)
    )
    livemode = organizations.is_live(session, subject.account_id)
    most = MAX_WAITING if livemode else TEST_WAITING_OUTLOOKS
    if (session.scalar(waiting) or 0) >= most:
        raise OutlooksExceeded(most)
    row = StoredOutlook(account_id=subject.account_id, source_key=subject.source_key, folder=subject.folder)
    row.digest, row.edit_request = subject.digest, subject.edit_request
    row.livemode, row.next_attempt_at, row.created_at = livemode, now, now
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        # The same was requested at the same time.
        return require_found(_find(session, subject))
    notify_after_commit(session, QueueName.PREVIEWS, [row.id])
    return row


def _find(session: Session, subject: OutlookSubject) -> StoredOutlook | None:
    mine = select(StoredOutlook).where(StoredOutlook.account_id == subject.account_id)
    same = StoredOutlook.source_key == subject.source_key, StoredOutlook.digest == subject.digest
    return session.scalar(mine.where(*same))


def find_newest(session: Session, account_id: str, source_key: str) -> Mapping[str, Any] | None:
    """The content of the newest finished outlook of the account's file, whatever was asked; None if there
    is none.
    """
    mine = select(StoredOutlook.content).where(
        StoredOutlook.account_id == account_id,
        StoredOutlook.source_key == source_key,
        StoredOutlook.content.is_not(None),
    )
    return session.scalar(mine.order_by(StoredOutlook.created_at.desc(), StoredOutlook.id).limit(1))


def find_plans(session: Session, account_id: str, source_keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """The newest floor plan of each of these files of the account, by storage key; files without one are left
    out."""
    plan = StoredOutlook.content["plan"]
    mine = select(StoredOutlook.source_key, plan).where(
        StoredOutlook.account_id == account_id,
        StoredOutlook.source_key.in_(source_keys),
        plan.as_string().is_not(None),
    )
    # Each file has at most MAX_KEPT of them; the newest comes last, and wins.
    return dict(session.execute(mine.order_by(StoredOutlook.created_at, StoredOutlook.id.desc())).tuples().all())


def has_layout_preview(session: Session, outlook_id: str) -> bool:
    """Whether the picture of the furnished room is there."""
    made = select(StoredOutlook.layout_preview.is_not(None)).where(StoredOutlook.id == outlook_id)
    return bool(session.scalar(made))


def _forget_oldest(session: Session, source_key: str) -> None:
    mine = select(StoredOutlook.id).where(StoredOutlook.source_key == source_key)
    newest_first = mine.order_by(StoredOutlook.created_at.desc(), StoredOutlook.id)
    superseded = list(session.scalars(newest_first.offset(MAX_KEPT - 1)))
    if superseded:
        _delete(session, StoredOutlook.id.in_(superseded))


def claim(session: Session, outlook_id: str, now: datetime) -> OutlookClaim | None:
    """Claim the outlook if it is due and no other worker has claimed it; this counts as an attempt.

    None when there is nothing to do, also when it was given up because its workers died too often.
    """
    lease = QUEUE.claim(session, outlook_id, now)
    if lease is None:
        return None
    row = session.get_one(StoredOutlook, outlook_id, populate_existing=True)
    held = OutlookClaim(lease.claim_id, lease.key, lease.attempt, row.source_key, row.edit_request)
    if held.attempt > OUTLOOKS.max_attempts:
        give_up(session, held, GIVEN_UP)
        return None
    return held


def finish(session: Session, held: OutlookClaim, content: dict[str, Any]) -> bool:
    """Store the outlook; returns False, with nothing changed, if the claim was lost or the outlook was deleted."""
    return QUEUE.finish(session, held, content=content, error=None)


def keep_layout_preview(session: Session, held: OutlookClaim, picture: bytes) -> None:
    """Store the picture of the furnished room, which is shown before the outlook is read. Nothing is changed when
    the claim was lost.
    """
    kept = update(StoredOutlook).where(QUEUE.is_held(held)).values(layout_preview=picture)
    session.execute(kept.execution_options(synchronize_session=False))


def give_up(session: Session, held: OutlookClaim, error: str) -> bool:
    """Record that there is no outlook, with the reason in words for the customer; returns False like finish()."""
    return QUEUE.finish(session, held, error=error[:MAX_ERROR])


def retry(session: Session, held: OutlookClaim, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the outlook is given up after the last. Returns
    False like finish().
    """
    if held.attempt >= OUTLOOKS.max_attempts:
        return give_up(session, held, GIVEN_UP)
    return QUEUE.retry(session, held, now)


def is_done(row: StoredOutlook) -> bool:
    """Whether the outlook was read or given up."""
    return row.state is WorkState.DONE


def forget_waiting(session: Session, keys: Iterable[str]) -> None:
    """Delete the outlooks of these files that no worker has begun, because the caller will ask about other edit
    requests.
    """
    _delete(session, StoredOutlook.source_key.in_(set(keys)) & (StoredOutlook.state == WorkState.WAITING))


def forget(session: Session, folder: str) -> None:
    """Delete the outlooks of the files in the folder."""
    _delete(session, StoredOutlook.folder == folder)


def forget_files(session: Session, keys: Iterable[str]) -> None:
    """Delete the outlooks of these files."""
    _delete(session, StoredOutlook.source_key.in_(set(keys)))


def forget_account(session: Session, account_id: str) -> None:
    """Delete all outlooks of the account."""
    _delete(session, StoredOutlook.account_id == account_id)


def _delete(session: Session, condition: Any) -> None:
    session.execute(delete(StoredOutlook).where(condition).execution_options(synchronize_session=False))
