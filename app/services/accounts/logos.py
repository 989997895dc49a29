"""Logos that customers upload: each is in its account's branding row until a worker has encoded it again."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import LOGOS
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.models import Branding
from app.services.leases import Lease, WorkQueue
from engine.types.pictures import Logo

QUEUE = WorkQueue(Branding.account_id, Branding.attempts, LOGOS)
MAX_FAULT = 300
"""The maximum length of a stored fault, in characters."""
GIVEN_UP = f"Your picture could not be read in {LOGOS.max_attempts} tries. Send it again, or send another one."


@dataclass(frozen=True, slots=True)
class LogoClaim(Lease):
    """One worker's claim on an uploaded logo, with the uploaded bytes in `sent`."""

    sent: bytes


def enqueue(session: Session, row: Branding, content: bytes, now: datetime) -> None:
    """Queue this file to be encoded as the logo; the previous logo is shown until then."""
    row.sent_logo, row.logo_fault = content, None
    row.state, row.attempts, row.next_attempt_at = WorkState.WAITING, 0, now
    row.claim_id = row.lease_until = None
    notify_after_commit(session, QueueName.PREVIEWS, [row.account_id])


def remove(row: Branding) -> None:
    """Remove the logo, and an uploaded logo that is not encoded yet."""
    row.logo = row.logo_width = row.logo_height = row.logo_digest = None
    row.sent_logo = row.logo_fault = None
    row.state, row.claim_id, row.lease_until = WorkState.DONE, None, None


def claim(session: Session, account_id: str, now: datetime) -> LogoClaim | None:
    """Claim the uploaded logo if it is due and no other worker has claimed it; None when there is nothing to do."""
    lease = QUEUE.claim(session, account_id, now)
    if lease is None:
        return None
    sent = session.scalar(select(Branding.sent_logo).where(Branding.account_id == account_id))
    held = LogoClaim(lease.claim_id, account_id, lease.attempt, sent or b"")
    if held.attempt > LOGOS.max_attempts:
        refuse(session, held, GIVEN_UP)
        return None
    return held


def finish(session: Session, held: LogoClaim, logo: Logo, now: datetime) -> bool:
    """Store the encoded logo, which replaces the previous one. Returns False, with nothing changed, when the claim
    was lost, for example because another logo was uploaded meanwhile.
    """
    shown = {"logo": logo.content, "logo_width": logo.width, "logo_height": logo.height}
    digest = sha256(logo.content).hexdigest()
    return QUEUE.finish(session, held, **shown, logo_digest=digest, sent_logo=None, updated_at=now)


def refuse(session: Session, held: LogoClaim, fault: str) -> bool:
    """Keep the previous logo, and store for the customer why the new one cannot be used. Returns False like
    finish().
    """
    return QUEUE.finish(session, held, sent_logo=None, logo_fault=fault[:MAX_FAULT])


def retry(session: Session, held: LogoClaim, now: datetime) -> bool:
    """After an unexpected error, queue another attempt, or give up after the last. Returns False like finish()."""
    if held.attempt >= LOGOS.max_attempts:
        return refuse(session, held, GIVEN_UP)
    return QUEUE.retry(session, held, now)
