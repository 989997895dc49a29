"""Claims on reviews: a job under review is one reviewer's alone for a while, and others see who has it."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain import reviews
from app.domain.errors import Conflict, NotFound
from app.domain.lifecycle import Status
from app.domain.reviews import CLAIM_HOLDS, ClaimState, ReviewClaim
from app.domain.staff import StaffAction
from app.models import Job, User
from app.services.orders import jobs
from app.services.security import staff_acts


def job(session: Session, job_id: str) -> Job:
    """Anybody's job, for staff. Raises NotFound for unknown and expired ones alike."""
    found = jobs.of_anybody(session, job_id)
    if found.expired_at is not None:
        raise NotFound
    return found


def hold(session: Session, staff_id: str, of: Job, now: datetime) -> ReviewClaim:
    """Whose the job is, as this reviewer sees it."""
    if of.status is not Status.QC_REVIEW:
        return ReviewClaim(ClaimState.CLOSED)
    state = reviews.claim_state(of.reviewer_id, of.review_until, staff_id, now)
    if state is ClaimState.FREE:
        return ReviewClaim(state)
    if state is ClaimState.TAKEN and staff_acts.has_unreleased_claim(session, staff_id, of.id):
        state = ClaimState.TAKEN_OVER
    return ReviewClaim(state, _name(session, of.reviewer_id), of.review_until)


def claim(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """Make the job the reviewer's alone for CLAIM_HOLDS; a claim of their own is renewed.

    Raises NotFound, and Conflict when the job is not under review or somebody else holds it, naming them.
    """
    of = _locked(session, job_id)
    whose = hold(session, staff_id, of, now)
    if not (whose.mine or whose.claimable):
        raise Conflict(whose.refusal)
    overtaken = of.reviewer_id if of.reviewer_id != staff_id else None
    detail = f"Taken over: the claim of {_name(session, overtaken)} had run out." if overtaken else ""
    of.reviewer_id = staff_id
    renew(of, now)
    staff_acts.record(session, staff_id, StaffAction.CLAIM, job_id, now, detail)


def release(session: Session, staff_id: str, job_id: str, now: datetime) -> None:
    """Let go of the job; what was decided is kept. Raises NotFound, and Conflict where it is not the reviewer's."""
    of = _locked(session, job_id)
    whose = hold(session, staff_id, of, now)
    if whose.state not in (ClaimState.MINE, ClaimState.RAN_OUT):
        raise Conflict(whose.refusal)
    let_go(of)
    staff_acts.record(session, staff_id, StaffAction.RELEASE, job_id, now)


def get_claimed(session: Session, staff_id: str, job_id: str, now: datetime) -> Job:
    """The job, locked, that this reviewer holds. Raises NotFound, and Conflict in words that say whose it is."""
    of = _locked(session, job_id)
    whose = hold(session, staff_id, of, now)
    if not whose.mine:
        raise Conflict(whose.refusal)
    return of


def renew(of: Job, now: datetime) -> None:
    """Let the claim on a locked job hold for CLAIM_HOLDS from now."""
    of.review_until = now + CLAIM_HOLDS


def let_go(of: Job) -> None:
    """End the claim on a locked job."""
    of.reviewer_id = of.review_until = None


def _locked(session: Session, job_id: str) -> Job:
    return jobs.lock(session, job(session, job_id).id)


def _name(session: Session, staff_id: str | None) -> str:
    user = session.get(User, staff_id) if staff_id else None
    return (user.name or user.email) if user else "somebody who left"
