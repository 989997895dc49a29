"""Moves the clock of one test order: only the dates of that order change, and what is due by them is done."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.domain.errors import Conflict, require_found
from app.domain.lifecycle import UNSETTLED, Status
from app.domain.retention import find_length
from app.domain.sandbox_clock import ClockMoment
from app.models import Job
from app.services.orders import jobs
from app.services.photos import quality
from app.services.retention import expiry
from app.services.webhooks import deliveries


def move(
    session: Session, account_id: str, job_id: str, to: ClockMoment, kept_for: timedelta, now: datetime
) -> Job:
    """Move the clock of the account's test order, so that the moment `to` is now. `kept_for`: the time for which
    live results are kept.

    Raises NotFound, also for a live order and an expired one, and Conflict if the order cannot reach this moment
    any more, or not yet.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    require_found(None if job.livemode else job)
    match to:
        case ClockMoment.REVIEW_END:
            _require(job.status is Status.QC_REVIEW, job)
            quality.end_slow_review(session, job.id, now)
        case ClockMoment.DEADLINE:
            _require(job.status in UNSETTLED, job)
            job.deadline_at = now
            jobs.fail_if_overdue(session, job.id, now)
        case ClockMoment.NEXT_ATTEMPTS:
            deliveries.hasten(session, job.id, now)
        case ClockMoment.RETENTION_END:
            _require(job.status not in UNSETTLED, job)
            job.settled_at = now - find_length(kept_for.total_seconds(), livemode=False)
            expiry.end_retention(session, job.id, now)
    return job


def _require(fits: bool, job: Job) -> None:
    if not fits:
        raise Conflict(f"The job is {job.status}, so its clock cannot be moved there.")
