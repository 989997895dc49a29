"""Files of upload sessions that workers fetch from customers' URLs: requested, claimed, ended, replaced."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.database import Reader, is_one_of, notify_after_commit
from app.domain.attempts import FETCHES
from app.domain.fetches import PASSING, FetchFault
from app.domain.lifecycle import UNFINISHED, WorkState
from app.domain.ports import QueueName
from app.models import FetchedFile, Organization, UploadSession
from app.services.leases import Lease, WorkQueue

QUEUE = WorkQueue(FetchedFile.key, FetchedFile.attempts, FETCHES)
MAX_AT_ONCE = 4
"""The maximum number of files of one account that are fetched at a time. Its other files wait, so that slow servers
do not delay other accounts.
"""
MAX_CANDIDATES = 8
"""The number of due files that a thread tries to claim, because other threads may claim some at the same moment."""
MAX_WAKE_UPS = 16
"""The maximum number of threads that are woken: each fetches one file after the other."""


@dataclass(frozen=True, slots=True)
class FetchClaim(Lease):
    """One worker's claim on one file."""

    session_id: str
    url: str


def request(session: Session, upload_session: UploadSession, urls: Mapping[str, str], now: datetime) -> None:
    """Request the files of these URLs, by their keys in the upload session. Workers are notified after the
    commit.
    """
    session.add_all(
        FetchedFile(
            key=key,
            upload_session_id=upload_session.id,
            account_id=upload_session.account_id,
            url=url,
            next_attempt_at=now,
            created_at=now,
        )
        for key, url in urls.items()
    )
    notify_after_commit(session, QueueName.HOOKS_SLOW, list(urls)[:MAX_AT_ONCE])


def due(session: Session, now: datetime, limit: int) -> list[str]:
    """The keys of some due files, enough to wake all threads: each of these finds more itself."""
    return QUEUE.due(session, now, min(limit, MAX_WAKE_UPS))


def get_all(session: Session, session_id: str) -> dict[str, FetchedFile]:
    """The fetched files of an upload session, by their keys."""
    mine = select(FetchedFile).where(FetchedFile.upload_session_id == session_id)
    return {row.key: row for row in session.scalars(mine)}


def find_ended(reader: Reader, session_ids: Collection[str]) -> set[str]:
    """The upload sessions, of these, of which no file is being fetched any more."""
    is_fetched = FetchedFile.upload_session_id == UploadSession.id, is_one_of(FetchedFile.state, UNFINISHED)
    fetching = select(FetchedFile.key).where(*is_fetched).exists()
    ended = select(UploadSession.id).where(UploadSession.id.in_(session_ids), ~fetching)
    return set(reader.execute(ended).scalars())


def claim_next(session: Session, now: datetime) -> FetchClaim | None:
    """Claim the file that has been due for the longest time, among the accounts with the fewest claims, so that an
    account with many waiting files does not delay others. Accounts with MAX_AT_ONCE claims are skipped. This counts
    as an attempt. Returns None if there is no file to claim.

    A file whose attempts are used up because workers died is given up, like a file of a suspended account.
    """
    for share in range(1, MAX_AT_ONCE + 1):
        for key in _list_due(session, now, share):
            lease = QUEUE.claim(session, key, now)
            if lease is None:
                continue
            row = session.get_one(FetchedFile, key, populate_existing=True)
            held = FetchClaim(lease.claim_id, key, lease.attempt, row.upload_session_id, row.url or "")
            if held.attempt > FETCHES.max_attempts:
                give_up(session, held, FetchFault.INTERRUPTED)
            elif is_refused(session, held):
                give_up(session, held, FetchFault.ACCOUNT_SUSPENDED)
            else:
                return held
    return None


def is_refused(session: Session, held: FetchClaim) -> bool:
    """Whether the account of the file is suspended now."""
    whose = select(Organization.suspended_at).join(FetchedFile, FetchedFile.account_id == Organization.id)
    return session.scalar(whose.where(FetchedFile.key == held.key)) is not None


def _list_due(session: Session, now: datetime, share: int) -> Sequence[str]:
    """The keys of some files that are due, of accounts with fewer claims than `share`."""
    is_claimed = is_one_of(FetchedFile.state, UNFINISHED), FetchedFile.lease_until >= now
    busy = select(FetchedFile.account_id).where(*is_claimed).group_by(FetchedFile.account_id)
    busy = busy.having(func.count() >= share)
    due = select(FetchedFile.key).where(QUEUE.is_due(now), FetchedFile.account_id.not_in(busy))
    return session.scalars(due.order_by(FetchedFile.next_attempt_at).limit(MAX_CANDIDATES)).all()


def finish(session: Session, held: FetchClaim) -> bool:
    """Record that the file was fetched. Returns False when the claim was lost, or the file was replaced."""
    return QUEUE.finish(session, held, url=None)


def give_up(session: Session, held: FetchClaim, fault: FetchFault, status: int | None = None) -> bool:
    """Record that the file cannot be fetched, and why. Returns False like finish()."""
    return QUEUE.finish(session, held, url=None, fault=fault, http_status=status)


def fail(session: Session, held: FetchClaim, now: datetime, fault: FetchFault, status: int | None = None) -> bool:
    """Record a failed attempt: queue another after a longer delay if that may help, or give up. Returns False like
    finish().
    """
    if fault in PASSING and held.attempt < FETCHES.max_attempts:
        return QUEUE.retry(session, held, now)
    return give_up(session, held, fault, status)


def forget_file(session: Session, key: str) -> None:
    """Stop fetching the file under this key, because another was uploaded there."""
    session.execute(delete(FetchedFile).where(FetchedFile.key == key))


def forget(session: Session, session_id: str) -> None:
    """Stop fetching the files of the upload session, because it was ordered."""
    session.execute(delete(FetchedFile).where(FetchedFile.upload_session_id == session_id))


def forget_account(session: Session, account_id: str) -> None:
    """Stop fetching the files of the account, because it is deleted; also deletes their URLs."""
    session.execute(delete(FetchedFile).where(FetchedFile.account_id == account_id))


def is_working(row: FetchedFile) -> bool:
    """Whether the file is being fetched, or waits for that."""
    return row.state is not WorkState.DONE
