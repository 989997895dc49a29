"""Answers for requests that are sent again with the same Idempotency-Key.

A request claims its key first. Its answer is stored in the same transaction as its effect.
"""

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
"""A first request whose claim was not renewed for this time has failed with its process. It had no effect, because
an effect is committed together with an answer; so the next request may take over the key.
"""
BATCH = 1000
MAX_CLAIM_TRIES = 10
"""How many times a request tries to claim a key that others release at the same moment."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """One request with a key. Only the request whose `claim_id` is stored for the key may have its effect."""

    account_id: str
    key: str
    claim_id: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The answer of the first request; its body is encrypted."""

    http_status: int
    answer: str


def claim(session: Session, account_id: str, key: str, fingerprint: str, now: datetime) -> KeyUse | StoredResponse:
    """Claim the key for its first request, or return the answer that the first request got.

    Raises IdempotencyMismatch when the key was used for another request, and InFlight while the first request with
    the key is in progress.
    """
    use = KeyUse(account_id, key, uuid.uuid4().hex)
    values = {"fingerprint": fingerprint, "claim_id": use.claim_id, "lease_until": now + LEASE, "created_at": now}
    for _ in range(MAX_CLAIM_TRIES):
        if _try_to_insert(session, IdempotencyRecord(account_id=account_id, key=key, **values)):
            return use
        found = session.get(IdempotencyRecord, (account_id, key), with_for_update=True, populate_existing=True)
        # None if the previous request was refused meanwhile and released the key: then the key can be claimed.
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
    expired = found.created_at <= now - ANSWERS_KEPT
    if not expired and found.fingerprint != values["fingerprint"]:
        raise IdempotencyMismatch("This Idempotency-Key was used for another request; take a fresh key.")
    if not expired and found.http_status is not None and found.answer is not None:
        return StoredResponse(found.http_status, found.answer)
    # A lease that ends more than 2 * LEASE from now was given before the clock was set back, so it does not count.
    # A request that still runs renews its lease in time.
    if not expired and now < found.lease_until <= now + 2 * LEASE:
        raise InFlight("The first request with this Idempotency-Key is still in progress; ask again.")
    for name, value in {**values, "http_status": None, "answer": None}.items():
        setattr(found, name, value)
    return use


def renew(session: Session, uses: Collection[KeyUse], now: datetime) -> None:
    """Extend the leases of these requests, except of those whose key another request has taken over."""
    columns = tuple_(IdempotencyRecord.account_id, IdempotencyRecord.key, IdempotencyRecord.claim_id)
    held = columns.in_([(use.account_id, use.key, use.claim_id) for use in uses])
    session.execute(
        update(IdempotencyRecord).where(held, IdempotencyRecord.answer.is_(None)).values(lease_until=now + LEASE)
    )


def keep(session: Session, use: KeyUse, http_status: int, sealed: str) -> None:
    """Store the answer in the transaction of its effect. Raises InFlight when another request took over the key."""
    mine = update(IdempotencyRecord).where(_is_mine(use)).values(http_status=http_status, answer=sealed)
    kept = session.execute(
        mine.returning(IdempotencyRecord.claim_id), execution_options={"synchronize_session": False}
    )
    if kept.first() is None:
        raise InFlight("Another request with this Idempotency-Key took over; ask again.")


def release(session: Session, use: KeyUse) -> None:
    """Release the key of a request that was refused or failed: it had no effect, so it may be sent again."""
    session.execute(delete(IdempotencyRecord).where(_is_mine(use), IdempotencyRecord.answer.is_(None)))


def _is_mine(use: KeyUse) -> ColumnElement[bool]:
    return and_(
        IdempotencyRecord.account_id == use.account_id,
        IdempotencyRecord.key == use.key,
        IdempotencyRecord.claim_id == use.claim_id,
    )


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH records that are older than ANSWERS_KEPT; returns how many were found."""
    is_old = IdempotencyRecord.created_at <= now - ANSWERS_KEPT
    old = select(IdempotencyRecord.account_id, IdempotencyRecord.key).where(is_old).limit(BATCH)
    found = [(row.account_id, row.key) for row in session.execute(old)]
    # The age is checked again, because a request may have taken over a key since the query.
    session.execute(
        delete(IdempotencyRecord).where(
            tuple_(IdempotencyRecord.account_id, IdempotencyRecord.key).in_(found), is_old
        )
    )
    return len(found)
