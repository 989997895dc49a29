"""What each account uses of shared resources: space in the store for files not yet ordered or kept long, and turns
of workers.

Space is counted in one row for each account, which is updated only where the quota allows it, so that requests at
the same time cannot exceed it. Rows of an account are locked after those of the upload session or the job, so that
no deadlock is possible.
"""

import logging
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import UNAVAILABLE, Database
from app.domain.errors import KeepQuotaExceeded, OpenSessionsExceeded, UploadQuotaExceeded, require_found
from app.domain.limits import TEST_HELD_MEGABYTES, TEST_OPEN_SESSIONS
from app.models import AccountTurn, AccountUse, IncomingFile, Job, Organization, UploadSession
from engine.types.enhancements import WorkSize

log = logging.getLogger(__name__)

STEP_BYTES = 8 * 1024 * 1024
"""Bytes reserved at a time for an upload whose size is not known in advance."""
NO_SYNCHRONIZATION = {"synchronize_session": False}
"""Objects in the session keep their old values after such an update."""


@dataclass(frozen=True, slots=True)
class UploadQuota:
    """How many upload sessions one account may have that are not ordered, and how many bytes in them. A sandbox may
    have no more than domain.limits allows.
    """

    open_sessions: int
    held_bytes: int


def open_session(session: Session, account_id: str, quota: UploadQuota) -> None:
    """Count one more open upload session. Raises OpenSessionsExceeded; then nothing is counted."""
    use = get_or_create(session, account_id)
    limit = _in_sandboxes(TEST_OPEN_SESSIONS, quota.open_sessions)
    mine = AccountUse.account_id == account_id, AccountUse.open_sessions < limit
    more = update(AccountUse).where(*mine).values(open_sessions=AccountUse.open_sessions + 1)
    if (
        session.execute(more.returning(AccountUse.account_id).execution_options(**NO_SYNCHRONIZATION)).first()
        is None
    ):
        session.refresh(use)
        raise OpenSessionsExceeded(use.open_sessions, _read_limit(session, account_id, limit))


def reserve(session: Session, session_id: str, size_bytes: int, quota: UploadQuota) -> None:
    """Reserve bytes for the upload session.

    Raises UploadQuotaExceeded, NotFound when the session was ordered or swept; then nothing is counted.
    """
    account_id = require_found(_add_to_session(session, session_id, size_bytes))
    limit = _in_sandboxes(TEST_HELD_MEGABYTES * 1024**2, quota.held_bytes)
    mine = AccountUse.account_id == account_id, AccountUse.held_bytes + size_bytes <= limit
    more = update(AccountUse).where(*mine).values(held_bytes=AccountUse.held_bytes + size_bytes)
    if (
        session.execute(more.returning(AccountUse.account_id).execution_options(**NO_SYNCHRONIZATION)).first()
        is None
    ):
        use = session.get_one(AccountUse, account_id, populate_existing=True)
        raise UploadQuotaExceeded(use.held_bytes, _read_limit(session, account_id, limit), size_bytes)


def _in_sandboxes(test_limit: int, live_limit: int) -> ColumnElement[int]:
    """The limit that applies to the account of a row of AccountUse, as SQL, so that the account is read when the
    row is changed.
    """
    sandbox = select(Organization.id).where(
        Organization.id == AccountUse.account_id, Organization.sandbox_of.is_not(None)
    )
    return case((sandbox.exists(), min(test_limit, live_limit)), else_=live_limit)


def _read_limit(session: Session, account_id: str, limit: ColumnElement[int]) -> int:
    return session.scalars(select(limit).where(AccountUse.account_id == account_id)).one()


def release(session: Session, session_id: str, size_bytes: int) -> None:
    """Release bytes of the upload session. Nothing happens for one that was ordered or swept: all its bytes were
    released then.
    """
    account_id = _add_to_session(session, session_id, -size_bytes)
    if account_id is not None:
        _add_to_account(session, account_id, 0, -size_bytes)


def uncount(session: Session, key: str) -> int | None:
    """Delete the count of a file that a customer put into the bucket; returns its bytes, None if none were counted.

    The caller releases these bytes.
    """
    deletion = delete(IncomingFile).where(IncomingFile.key == key).returning(IncomingFile.size_bytes)
    return session.scalar(deletion.execution_options(**NO_SYNCHRONIZATION))


def uncount_all(session: Session, session_id: str) -> None:
    """Delete the counts of all such files of a session; close() releases their bytes."""
    deletion = delete(IncomingFile).where(IncomingFile.upload_session_id == session_id)
    session.execute(deletion.execution_options(**NO_SYNCHRONIZATION))


def close(session: Session, account_id: str, held_bytes: int) -> None:
    """Stop counting a session of the account, and its bytes, because it was ordered or deleted."""
    _add_to_account(session, account_id, -1, -held_bytes)


def reserve_kept(session: Session, account_id: str, size_bytes: int, limit_bytes: int) -> None:
    """Count bytes of a finished order that the account keeps. Raises KeepQuotaExceeded; then nothing is counted."""
    use = get_or_create(session, account_id)
    mine = AccountUse.account_id == account_id, AccountUse.kept_bytes + size_bytes <= limit_bytes
    more = update(AccountUse).where(*mine).values(kept_bytes=AccountUse.kept_bytes + size_bytes)
    more = more.returning(AccountUse.account_id).execution_options(**NO_SYNCHRONIZATION)
    if session.execute(more).first() is None:
        session.refresh(use)
        raise KeepQuotaExceeded(use.kept_bytes, limit_bytes, size_bytes)


def release_kept(session: Session, account_id: str, size_bytes: int) -> None:
    """Stop counting bytes of a finished order, because it is no longer kept."""
    mine = update(AccountUse).where(AccountUse.account_id == account_id)
    fewer = mine.values(kept_bytes=AccountUse.kept_bytes - size_bytes)
    session.execute(fewer.execution_options(**NO_SYNCHRONIZATION))


@dataclass(frozen=True, slots=True)
class Miscount:
    """An account whose row differs from its open sessions: the sessions and bytes that are `counted` in the row,
    and those `found`.
    """

    account_id: str
    counted: tuple[int, int]
    found: tuple[int, int]


def find_miscounts(session: Session) -> list[Miscount]:
    """All accounts whose rows differ from their open sessions."""
    columns = (UploadSession.account_id, func.count(), func.sum(UploadSession.held_bytes))
    is_open = select(*columns).where(UploadSession.job_id.is_(None)).group_by(UploadSession.account_id)
    found = {row[0]: (row[1], int(row[2])) for row in session.execute(is_open)}
    uses = select(AccountUse.account_id, AccountUse.open_sessions, AccountUse.held_bytes)
    counted = {row[0]: (row[1], row[2]) for row in session.execute(uses)}
    nothing = (0, 0)
    compared = ((each, counted.get(each, nothing), found.get(each, nothing)) for each in sorted({*found, *counted}))
    return [Miscount(*each) for each in compared if each[1] != each[2]]


def find_kept_miscounts(session: Session) -> list[tuple[str, int, int]]:
    """All accounts whose rows differ from their kept orders: the account's id, the kept bytes that are counted in
    the row, and those of its kept orders.
    """
    is_kept = Job.kept_until.is_not(None), Job.expired_at.is_(None)
    sums = select(Job.account_id, func.sum(Job.kept_bytes)).where(*is_kept).group_by(Job.account_id)
    uses = select(AccountUse.account_id, AccountUse.kept_bytes).where(AccountUse.kept_bytes != 0)
    counted, found = ({row[0]: int(row[1]) for row in session.execute(each)} for each in (uses, sums))
    compared = ((each, counted.get(each, 0), found.get(each, 0)) for each in sorted({*counted, *found}))
    return [each for each in compared if each[1] != each[2]]


def record_turn(session: Session, account_id: str, work_size: WorkSize, now: datetime) -> None:
    """Record that a worker has claimed a photo of the account. A turn is as many photos as the account's weight.
    After a turn, all other accounts with photos of this work size come first.
    """
    weight = select(Organization.weight).where(Organization.id == account_id).scalar_subquery()
    ends_turn = AccountTurn.turns + 1 >= weight
    values = {
        "turns": case((ends_turn, 0), else_=AccountTurn.turns + 1),
        "served_at": case((ends_turn, now), else_=AccountTurn.served_at),
    }
    mine = update(AccountTurn).where(AccountTurn.account_id == account_id, AccountTurn.work_size == work_size)
    taken = mine.values(values).returning(AccountTurn.account_id).execution_options(**NO_SYNCHRONIZATION)
    if session.execute(taken).first() is not None:
        return
    try:
        with session.begin_nested():
            session.execute(insert(AccountTurn).values(account_id=account_id, work_size=work_size, turns=0))
    except IntegrityError:
        log.debug("the turns of %s were begun meanwhile", account_id)
    session.execute(taken)


def get_or_create(session: Session, account_id: str) -> AccountUse:
    """The account's row; created if there is none, also when another request creates it at the same moment."""
    found = session.get(AccountUse, account_id)
    if found is None:
        try:
            with session.begin_nested():
                session.execute(
                    insert(AccountUse).values(account_id=account_id, open_sessions=0, held_bytes=0, kept_bytes=0)
                )
        except IntegrityError:
            log.debug("the row of %s was made meanwhile", account_id)
        found = session.get_one(AccountUse, account_id)
    return found


class Reservation:
    """Bytes reserved for files that are being uploaded into one session, all at once or step by step.

    After a crash they stay counted until the session is ordered or swept.
    """

    def __init__(self, database: Database, session_id: str, quota: UploadQuota) -> None:
        self._database, self._session_id, self._quota = database, session_id, quota
        self._reserved = self._received = 0

    def reserve(self, session: Session, size_bytes: int) -> None:
        """Reserve bytes before the upload begins, in the caller's unit of work. Raises like reserve()."""
        reserve(session, self._session_id, size_bytes, self._quota)
        self._reserved += size_bytes

    def take(self, size_bytes: int) -> None:
        """Count received bytes; reserves more where the reservation is used up. Raises like reserve()."""
        missing = self._received + size_bytes - self._reserved
        if missing > 0:
            try:
                self._reserve_separately(max(missing, STEP_BYTES))
            except UploadQuotaExceeded:
                self._reserve_separately(missing)
        self._received += size_bytes

    def keep(self, session: Session, replaced_bytes: int = 0) -> None:
        """Keep the received bytes counted; release those reserved beyond them, and the bytes of replaced files."""
        release(session, self._session_id, self._reserved - self._received + replaced_bytes)
        self._reserved = self._received = 0

    def cancel(self) -> None:
        """Release all reserved bytes; harmless after keep()."""
        if self._reserved:
            try:
                with self._database.unit_of_work() as session:
                    release(session, self._session_id, self._reserved)
            except UNAVAILABLE as error:
                log.warning("%s keeps %d bytes reserved: %s", self._session_id, self._reserved, error)
            self._reserved = self._received = 0

    def _reserve_separately(self, size_bytes: int) -> None:
        with self._database.unit_of_work() as session:
            self.reserve(session, size_bytes)


def _add_to_session(session: Session, session_id: str, size_bytes: int) -> str | None:
    """Add bytes to an open session; returns its account, None when the session is no longer open."""
    is_open = UploadSession.id == session_id, UploadSession.job_id.is_(None)
    changed = update(UploadSession).where(*is_open).values(held_bytes=UploadSession.held_bytes + size_bytes)
    return session.scalar(changed.returning(UploadSession.account_id).execution_options(**NO_SYNCHRONIZATION))


def _add_to_account(session: Session, account_id: str, sessions: int, size_bytes: int) -> None:
    values = {
        "open_sessions": AccountUse.open_sessions + sessions,
        "held_bytes": AccountUse.held_bytes + size_bytes,
    }
    mine = update(AccountUse).where(AccountUse.account_id == account_id).values(values)
    session.execute(mine.execution_options(**NO_SYNCHRONIZATION))
