"""Claims on reviews: for a while a job under review belongs to one reviewer alone, and others see to whom."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain import reviews
from app.domain.errors import Conflict, NotFound
from app.domain.lifecycle import Status
from app.domain.reviews import CLAIM_VALID_FOR, ClaimState, ReviewClaim
from app.domain.staff import StaffAction
from app.models import Job, User
from app.services.orders import jobs
from app.services.security import staff_acts


def job(session: Session, job_id: str) -> Job:
    """The job of any account, for staff. Raises NotFound alike for a job that is unknown or expired."""
    found = jobs.get_for_staff(session, job_id)
    if found.expired_at is not None:
        raise NotFound
    return found


def hold(session: Session, staff_id: str, reviewed: Job, now: datetime) -> ReviewClaim:
    """The claim on the job, as this reviewer sees it."""
    if reviewed.status is not Status.QC_REVIEW:
        return ReviewClaim(ClaimState.CLOSED)
    state = reviews.claim_state(reviewed.reviewer_id, reviewed.review_until, staff_id, now)
    if state is ClaimState.FREE:
        return ReviewClaim(state)
    if state is ClaimState.TAKEN and staff_acts.has_unreleased_claim(session, staff_id, reviewed.id):
        state = ClaimState.TAKEN_OVER
    return ReviewClaim(state, _name(session, reviewed.reviewer_id), reviewed.review_until)


def claim(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """Claim the job for the reviewer for CLAIM_VALID_FOR; their own claim is renewed.

    Raises NotFound, and Conflict when the job is not under review or another reviewer, who is named, holds it.
    """
    reviewed = _locked(session, job_id)
    present = hold(session, staff_id, reviewed, now)
    if not (present.is_mine or present.is_claimable):
        raise Conflict(present.refusal)
    overtaken = reviewed.reviewer_id if reviewed.reviewer_id != staff_id else None
    detail = f"Taken over: the claim of {_name(session, overtaken)} had run out." if overtaken else ""
    reviewed.reviewer_id = staff_id
    renew(reviewed, now)
    staff_acts.record(session, staff_id, StaffAction.CLAIM, job_id, now, detail)


def release(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """End the reviewer's claim on the job; decisions are kept. Raises NotFound, and Conflict where the claim is not
    theirs.
    """
    reviewed = _locked(session, job_id)
    present = hold(session, staff_id, reviewed, now)
    if present.state not in (ClaimState.MINE, ClaimState.RAN_OUT):
        raise Conflict(present.refusal)
    let_go(reviewed)
    staff_acts.record(session, staff_id, StaffAction.RELEASE, job_id, now)


def get_claimed(session: Session, staff_id: str, job_id: str, now: datetime) -> Job:
    """The job that this reviewer has claimed, locked. Raises NotFound, and Conflict in words that say whose
    it is.
    """
    reviewed = _locked(session, job_id)
    present = hold(session, staff_id, reviewed, now)
    if not present.is_mine:
        raise Conflict(present.refusal)
    return reviewed


def renew(reviewed: Job, now: datetime) -> None:
    """Let the claim on a locked job last for CLAIM_VALID_FOR from now."""
    reviewed.review_until = now + CLAIM_VALID_FOR


def let_go(reviewed: Job) -> None:
    """End the claim on a locked job."""
    reviewed.reviewer_id = reviewed.review_until = None


def _locked(session: Session, job_id: str) -> Job:
    return jobs.lock(session, job(session, job_id).id)


def _name(session: Session, staff_id: str | None) -> str:
    user = session.get(User, staff_id) if staff_id else None
    return (user.name or user.email) if user else "somebody who left"
