"""Cancelling a job: photos whose work has not begun are not done, and the credits charged for them are refunded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import update
from sqlalchemy.orm import Session

from app.domain.events import CancelFacts
from app.domain.lifecycle import WORKABLE, Status, UndeliverableCode, WorkState
from app.domain.pictures import AS_ORDERED
from app.domain.reviews import QcMode
from app.domain.security_events import SecurityEvent
from app.models import Job, Photo, Result
from app.services import security_log
from app.services.billing import refunds
from app.services.billing.credits import Movement
from app.services.mail import notices
from app.services.orders import jobs
from app.services.photos import pictures, quality
from engine.types.report import QualityReport, Reason, Verdict

JOB_REASON = "The order was cancelled before work on its photos began."
PHOTO_MESSAGE = "It was cancelled before work on it began."


class CancelOutcome(StrEnum):
    """The outcome of a request to cancel a job: the whole job was cancelled; some photos were cancelled while work
    on the others continues; or nothing was left to cancel.
    """

    CANCELLED = "cancelled"
    CANCELLING = "cancelling"
    ALREADY_DONE = "already_done"


@dataclass(frozen=True, slots=True)
class CancelEffect:
    """What cancelling does: how many photos are cancelled, how many go on, and the credits that are refunded."""

    cancelled: int
    going_on: int
    refunded: Decimal


def cancel(
    session: Session, account_id: str, job_id: str, now: datetime, mode: QcMode
) -> tuple[CancelOutcome, Job]:
    """Cancel the account's job as far as possible, and refund at once what is cancelled. Harmless to repeat.

    A photo that waits for a worker is cancelled. A photo that a worker has begun or finished is not cancelled, and
    is settled as usual. If all photos are cancelled, the job is undeliverable. Raises NotFound.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    if job.status in WORKABLE and job.cancelled_at is None:
        _cancel(session, job, now, mode)
    if job.undeliverable_code is UndeliverableCode.CANCELLED:
        return CancelOutcome.CANCELLED, job
    is_going_on = job.cancelled_at is not None and job.status in WORKABLE
    return CancelOutcome.CANCELLING if is_going_on else CancelOutcome.ALREADY_DONE, job


def preview(session: Session, account_id: str, job_id: str) -> tuple[CancelEffect, Job]:
    """What cancelling the account's job would do now; nothing is changed. Raises NotFound."""
    job = jobs.get(session, account_id, job_id)
    every = quality.photos_of(session, job.id)
    waiting = [each for each in every if is_cancellable(job, each)]
    movements = _list_refunds(job, waiting, [each for each in every if each not in waiting]) if waiting else []
    return CancelEffect(len(waiting), len(every) - len(waiting), refunds.total(movements)), job


def is_cancellable(job: Job, photo: Photo) -> bool:
    """Whether cancelling the job now would cancel this photo of it."""
    return job.status in WORKABLE and job.cancelled_at is None and photo.state is WorkState.WAITING


def _cancel(session: Session, job: Job, now: datetime, mode: QcMode) -> None:
    # The lock on the job keeps workers from claiming its photos; this statement decides which were not claimed.
    waiting = update(Photo).where(Photo.job_id == job.id, Photo.state == WorkState.WAITING)
    stopped = waiting.values(state=WorkState.DONE, claim_id=None, lease_until=None).returning(Photo.id)
    ids = set(session.scalars(stopped.execution_options(synchronize_session=False)))
    if not ids:
        return
    every = quality.photos_of(session, job.id)
    cancelled, others = ([each for each in every if (each.id in ids) is is_in] for is_in in (True, False))
    movements = _list_refunds(job, cancelled, others)
    job.cancelled_at = now
    session.add_all([_make_result(each, job.engine_version, now) for each in cancelled])
    session.flush()
    refunds.pay(session, job, movements, now)
    security_log.record_activity(
        session, SecurityEvent.ORDER_CANCELLED, job.account_id, job.address, now, job=job.id
    )
    facts = CancelFacts(len(cancelled), refunds.total(movements))
    if others:
        jobs.record_cancelled(session, job, facts, now)
        notices.report_job_cancelled_partly(session, job, len(cancelled), len(others), now)
        quality.complete(session, job.id, now, mode)
    else:
        job.undeliverable_reason, job.undeliverable_code = JOB_REASON, UndeliverableCode.CANCELLED
        jobs.move(session, job, Status.UNDELIVERABLE, now)
        jobs.record_cancelled(session, job, facts, now)


def _list_refunds(job: Job, cancelled: Sequence[Photo], others: Sequence[Photo]) -> list[Movement]:
    return refunds.list_for_cancelled(job, cancelled, others) if others else refunds.list_for_job(job, JOB_REASON)


def _make_result(photo: Photo, version: str, now: datetime) -> Result:
    picture = pictures.new(photo, AS_ORDERED, version, now)
    picture.report, picture.made_at = QualityReport(reason=Reason.CANCELLED, message=PHOTO_MESSAGE), now
    return Result(
        job_id=photo.job_id,
        photo=photo,
        picture=picture,
        verdict=Verdict.REJECTED,
        decided_at=now,
        reason=Reason.CANCELLED,
        message=PHOTO_MESSAGE,
        created_at=now,
    )
