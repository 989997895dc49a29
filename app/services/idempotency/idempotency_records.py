"""Answers kept for requests sent again with the same Idempotency-Key: claimed first, kept with their effect."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.errors import IdempotencyMismatch, InFlight
from app.domain.retention import ANSWERS_KEPT
from app.models import IdempotencyRecord

LEASE = timedelta(seconds=8)
"""A first request without an answer counts as dead when its process has not renewed its claim for so long.

The effect would have come with an answer, and a caller who returns after the lease finds the claim gone.
"""
BATCH = 1000
MAX_CLAIM_TRIES = 10
"""So often is a key claimed anew whose holders let go of it in the same moment."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """One request under a key. `claim_id` is the fence: only the request that holds it may have its effect."""

    account_id: str
    key: str
    claim_id: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The sealed answer of the first request."""

    http_status: int
    answer: str


def claim(session: Session, account_id: str, key: str, fingerprint: str, now: datetime) -> KeyUse | StoredResponse:
    """Begin the first request under the key, or find its answer.

    Raises IdempotencyMismatch when the key was used for another request, InFlight while the first is under way.
    """
    use = KeyUse(account_id, key, uuid.uuid4().hex)
    values = {"fingerprint": fingerprint, "claim_id": use.claim_id, "lease_until": now + LEASE, "created_at": now}
    for _ in range(MAX_CLAIM_TRIES):
        if _try_to_insert(session, IdempotencyRecord(account_id=account_id, key=key, **values)):
            return use
        found = session.get(IdempotencyRecord, (account_id, key), with_for_update=True, populate_existing=True)
        # Gone when the request before was refused meanwhile and let go of the key: then it is free.
        if found is not None:
            return _take_over_or_answer(found, use, values, now)
    raise InFlight("Others with this Idempotency-Key come and go; ask again.")


def _try_to_insert(session: Session, row: IdempotencyRecord) -> bool:
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True


def _take_over_or_answer(
    found: IdempotencyRecord, use: KeyUse, values: dict[str, object], now: datetime
) -> KeyUse | StoredResponse:
    over = found.created_at <= now - ANSWERS_KEPT
    if not over and found.fingerprint != values["fingerprint"]:
        raise IdempotencyMismatch("This Idempotency-Key was used for another request; take a fresh key.")
    if not over and found.http_status is not None and found.answer is not None:
        return StoredResponse(found.http_status, found.answer)
    # Beyond any lease that a clock like ours gives: it was set back since, and living holders renew theirs in time.
    if not over and now < found.lease_until <= now + 2 * LEASE:
        raise InFlight("The first request with this Idempotency-Key is still in progress; ask again.")
    for name, value in {**values, "http_status": None, "answer": None}.items():
        setattr(found, name, value)
    return use


def renew(session: Session, uses: Collection[KeyUse], now: datetime) -> None:
    """Extend the leases of requests that are still under way; those that another took over stay lost."""
    columns = tuple_(IdempotencyRecord.account_id, IdempotencyRecord.key, IdempotencyRecord.claim_id)
    held = columns.in_([(use.account_id, use.key, use.claim_id) for use in uses])
    session.execute(
        update(IdempotencyRecord).where(held, IdempotencyRecord.answer.is_(None)).values(lease_until=now + LEASE)
    )


def keep(session: Session, use: KeyUse, http_status: int, sealed: str) -> None:
    """Keep the answer in the transaction of its effect. Raises InFlight when another request took the key over."""
    mine = update(IdempotencyRecord).where(_is_mine(use)).values(http_status=http_status, answer=sealed)
    kept = session.execute(
        mine.returning(IdempotencyRecord.claim_id), execution_options={"synchronize_session": False}
    )
    if kept.first() is None:
        raise InFlight("Another request with this Idempotency-Key took over; ask again.")


def release(session: Session, use: KeyUse) -> None:
    """Let go of a key whose request was refused or broke: nothing happened, so it may be sent again."""
    session.execute(delete(IdempotencyRecord).where(_is_mine(use), IdempotencyRecord.answer.is_(None)))


def _is_mine(use: KeyUse) -> ColumnElement[bool]:
    return and_(
        IdempotencyRecord.account_id == use.account_id,
        IdempotencyRecord.key == use.key,
        IdempotencyRecord.claim_id == use.claim_id,
    )


def forget(session: Session, now: datetime) -> int:
    """Remove some answers whose time is over; how many."""
    over = IdempotencyRecord.created_at <= now - ANSWERS_KEPT
    old = select(IdempotencyRecord.account_id, IdempotencyRecord.key).where(over).limit(BATCH)
    found = [(row.account_id, row.key) for row in session.execute(old)]
    # Asked again: a key that was just taken up afresh stays.
    session.execute(
        delete(IdempotencyRecord).where(
            tuple_(IdempotencyRecord.account_id, IdempotencyRecord.key).in_(found), over
        )
    )
    return len(found)
