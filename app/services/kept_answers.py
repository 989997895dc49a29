"""Answers kept for requests sent again with the same Idempotency-Key: claimed first, kept with their effect."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.errors import IdempotencyMismatch, InFlight
from app.models import KeptAnswer

KEPT = timedelta(hours=24)
LEASE = timedelta(minutes=2)
"""A first request without an answer counts as dead after this: an effect would have come with an answer."""
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Use:
    """One request under a key. `claim_id` is the fence: only the request that holds it may have its effect."""

    account_id: str
    key: str
    claim_id: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The sealed answer of the first request."""

    http_status: int
    answer: str


def claim(session: Session, account_id: str, key: str, fingerprint: str, now: datetime) -> Use | Kept:
    """Begin the first request under the key, or find its answer.

    Raises IdempotencyMismatch when the key was used for another request, InFlight while the first is under way.
    """
    use = Use(account_id, key, uuid.uuid4().hex)
    values = {"fingerprint": fingerprint, "claim_id": use.claim_id, "lease_until": now + LEASE, "created_at": now}
    try:
        with session.begin_nested():
            session.add(KeptAnswer(account_id=account_id, key=key, **values))
    except IntegrityError:
        return _used_before(session, use, values, now)
    return use


def _used_before(session: Session, use: Use, values: dict[str, object], now: datetime) -> Use | Kept:
    found = session.get_one(KeptAnswer, (use.account_id, use.key), with_for_update=True, populate_existing=True)
    over = found.created_at <= now - KEPT
    if not over and found.fingerprint != values["fingerprint"]:
        raise IdempotencyMismatch("This Idempotency-Key was used for another request; take a fresh key.")
    if not over and found.http_status is not None and found.answer is not None:
        return Kept(found.http_status, found.answer)
    if not over and found.lease_until > now:
        raise InFlight("The first request with this Idempotency-Key is still under way; ask again.")
    for name, value in {**values, "http_status": None, "answer": None}.items():
        setattr(found, name, value)
    return use


def keep(session: Session, use: Use, http_status: int, sealed: str) -> None:
    """Keep the answer in the transaction of its effect. Raises InFlight when another request took the key over."""
    mine = update(KeptAnswer).where(_is_mine(use)).values(http_status=http_status, answer=sealed)
    kept = session.execute(mine.returning(KeptAnswer.claim_id), execution_options={"synchronize_session": False})
    if kept.first() is None:
        raise InFlight("Another request with this Idempotency-Key took over; ask again.")


def release(session: Session, use: Use) -> None:
    """Let go of a key whose request was refused or broke: nothing happened, so it may be sent again."""
    session.execute(delete(KeptAnswer).where(_is_mine(use), KeptAnswer.answer.is_(None)))


def _is_mine(use: Use) -> ColumnElement[bool]:
    return and_(
        KeptAnswer.account_id == use.account_id, KeptAnswer.key == use.key, KeptAnswer.claim_id == use.claim_id
    )


def forget(session: Session, now: datetime) -> int:
    """Remove some answers whose time is over; how many."""
    over = KeptAnswer.created_at <= now - KEPT
    old = select(KeptAnswer.account_id, KeptAnswer.key).where(over).limit(BATCH)
    found = [(row.account_id, row.key) for row in session.execute(old)]
    # Asked again: a key that was just taken up afresh stays.
    session.execute(delete(KeptAnswer).where(tuple_(KeptAnswer.account_id, KeptAnswer.key).in_(found), over))
    return len(found)
