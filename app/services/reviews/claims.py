"""Claims on reviews: for a while only one reviewer may decide on a job under review, and others see who that is."""

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


def get_job(session: Session, job_id: str) -> Job:
    """The job of any account, for staff. Raises the same NotFound for a job that is unknown or expired."""
    found = jobs.get_for_staff(session, job_id)
    if found.expired_at is not None:
        raise NotFound
    return found


def describe_claim(session: Session, staff_id: str, reviewed: Job, now: datetime) -> ReviewClaim:
    """The claim on the job, as this reviewer sees it."""
    if reviewed.status is not Status.QC_REVIEW:
        return ReviewClaim(ClaimState.CLOSED)
    state = reviews.claim_state(reviewed.reviewer_id, reviewed.review_until, staff_id, now)
    if state is ClaimState.FREE:
        return ReviewClaim(state)
    if state is ClaimState.TAKEN and staff_acts.has_unreleased_claim(session, staff_id, reviewed.id):
        state = ClaimState.TAKEN_OVER
    return ReviewClaim(state, _name_reviewer(session, reviewed.reviewer_id), reviewed.review_until)


def claim(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """Claim the job for the reviewer for CLAIM_VALID_FOR; their own claim is renewed.

    Raises NotFound, and Conflict when the job is not under review or is claimed by another reviewer, who is named.
    """
    reviewed = _lock_job(session, job_id)
    current = describe_claim(session, staff_id, reviewed, now)
    if not (current.is_mine or current.is_claimable):
        raise Conflict(current.refusal)
    overtaken = reviewed.reviewer_id if reviewed.reviewer_id != staff_id else None
    detail = f"Taken over: the claim of {_name_reviewer(session, overtaken)} had run out." if overtaken else ""
    reviewed.reviewer_id = staff_id
    renew(reviewed, now)
    staff_acts.record(session, staff_id, StaffAction.CLAIM, job_id, now, detail)


def release(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """End the reviewer's claim on the job; decisions are kept. Raises NotFound, and Conflict where the claim is not
    theirs.
    """
    reviewed = _lock_job(session, job_id)
    current = describe_claim(session, staff_id, reviewed, now)
    if current.state not in (ClaimState.MINE, ClaimState.RAN_OUT):
        raise Conflict(current.refusal)
    end_claim(reviewed)
    staff_acts.record(session, staff_id, StaffAction.RELEASE, job_id, now)


def get_claimed(session: Session, staff_id: str, job_id: str, now: datetime) -> Job:
    """Lock and return the job that this reviewer has claimed. Raises NotFound, and Conflict, which says who claims
    it.
    """
    reviewed = _lock_job(session, job_id)
    current = describe_claim(session, staff_id, reviewed, now)
    if not current.is_mine:
        raise Conflict(current.refusal)
    return reviewed


def renew(reviewed: Job, now: datetime) -> None:
    """Let the claim on a locked job last for CLAIM_VALID_FOR from now."""
    reviewed.review_until = now + CLAIM_VALID_FOR


def end_claim(reviewed: Job) -> None:
    """End the claim on a locked job."""
    reviewed.reviewer_id = reviewed.review_until = None


def _lock_job(session: Session, job_id: str) -> Job:
    return jobs.lock(session, get_job(session, job_id).id)


def _name_reviewer(session: Session, staff_id: str | None) -> str:
    user = session.get(User, staff_id) if staff_id else None
    return (user.name or user.email) if user else "somebody who left"
