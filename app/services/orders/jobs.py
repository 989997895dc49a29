"""Jobs: looked up for their owner and for staff, locked, moved from status to status, failed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, select, update
from sqlalchemy.orm import Session

from app.database import is_one_of, notify_after_commit
from app.domain.errors import require_found
from app.domain.events import EventName, JobFacts, RevisionFacts, encode, payload
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import UNSETTLED, Status, WorkState, advance
from app.domain.ports import PHOTO_QUEUES
from app.domain.revisions import RevisionOutcome
from app.models import ApiKey, Event, Job, Photo, Result, Revision, StoredPicture
from app.services.billing import refunds
from app.services.mail import notices
from app.services.security import api_keys
from app.services.webhooks import deliveries
from engine.types.enhancements import WorkSize
from engine.types.report import Verdict
from engine.version import engine_version

BATCH = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    total: int
    completed: int

    @property
    def percentage(self) -> int:
        """Whole percent, 100 only when all is done."""
        return 100 * self.completed // self.total if self.total else 0


def lock(session: Session, job_id: str) -> Job:
    """The job, read again, with its row locked until this unit of work ends."""
    return session.get_one(Job, job_id, with_for_update=True, populate_existing=True)


def notify_workers(session: Session, photos: Iterable[tuple[str, WorkSize]]) -> None:
    """After this commit, wake workers for these photos, given by id and work size, each in the queue of its work
    size.
    """
    for photo_id, work_size in photos:
        notify_after_commit(session, PHOTO_QUEUES[work_size], [photo_id])


def get(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job. Raises NotFound alike for a job that is unknown, another account's, or expired."""
    return _own(session, account_id, job_id, Job.expired_at.is_(None))


def get_even_expired(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job, also after it has expired. Raises NotFound alike for a job that is unknown or another
    account's.
    """
    return _own(session, account_id, job_id)


def _own(session: Session, account_id: str, job_id: str, *conditions: ColumnElement[bool]) -> Job:
    mine = select(Job).where(Job.id == job_id, Job.account_id == account_id, *conditions)
    return require_found(session.scalar(mine) if is_id(job_id, Prefix.JOB) else None)


def get_for_staff(session: Session, job_id: str) -> Job:
    """The job of any account, also after it has expired; for staff. Raises NotFound."""
    return require_found(session.get(Job, job_id) if is_id(job_id, Prefix.JOB) else None)


@cache
def select_status_with_key() -> Select[Any]:
    """The query that recognizes an API key and reads the status of its account's job `job_id`; the status is None
    where the account has no such job, or the job has expired.

    Programs ask this again and again: one query takes half the time of two, and it is built once because building
    it takes longer than running it.
    """
    photo_count = select(func.count()).where(Photo.job_id == Job.id)
    total = photo_count.scalar_subquery().label("total")
    done = photo_count.where(Photo.state == WorkState.DONE).scalar_subquery().label("done")
    columns = (
        Job.status,
        Job.created_at,
        Job.error,
        Job.undeliverable_reason,
        Job.credits_refunded,
        Job.listing,
        total,
        done,
    )
    mine = (Job.id == bindparam("job_id"), Job.account_id == ApiKey.account_id, Job.expired_at.is_(None))
    return api_keys.BY_DIGEST.add_columns(*columns).outerjoin(Job, and_(*mine))


def make_status_parameters(job_id: str) -> dict[str, str]:
    """The parameters of select_status_with_key() for the job with this id; with a malformed id it finds no job."""
    return {"job_id": job_id if is_id(job_id, Prefix.JOB) else ""}


def begin(session: Session, job: Job, now: datetime) -> None:
    """Give a new job its first status, pending, and record its first event."""
    name = advance(job, Status.PENDING, now)
    session.add(job)
    session.flush()
    _record(session, job, name, now)


def move(session: Session, job: Job, to: Status, now: datetime) -> None:
    """Move the job to a status and record the event of the move, with its deliveries and mail, in the same
    transaction.

    When its review ends, rounds that reviewers began in it end too.
    """
    if job.status is Status.QC_REVIEW:
        end_reworks(session, job.id, now)
    _record(session, job, advance(job, to, now), now)
    notices.report_job_moved(session, job, now)


def end_reworks(session: Session, job_id: str, now: datetime) -> None:
    """Decline the open rounds that reviewers began in a locked job; pictures that workers are still making for them
    are dropped.
    """
    ended = update(Revision).where(Revision.job_id == job_id, Revision.by_reviewer, Revision.outcome.is_(None))
    ended = ended.values(outcome=RevisionOutcome.DECLINED, decided_at=now).returning(Revision.made_id)
    # The job had no variants yet, so nothing else waits for these pictures.
    undone = (StoredPicture.id.in_(session.scalars(ended).all()), StoredPicture.state != WorkState.DONE)
    dropped = {"state": WorkState.DONE, "claim_id": None, "lease_until": None}
    session.execute(update(StoredPicture).where(*undone).values(dropped))


def record_revision(session: Session, job: Job, revision: RevisionFacts, now: datetime) -> None:
    """Record the event that a round ended in which a result was sent back, with its deliveries, in the same
    transaction.
    """
    _record(session, job, EventName.PHOTO_REVISED, now, revision)


def _record(
    session: Session, job: Job, name: EventName, now: datetime, revision: RevisionFacts | None = None
) -> None:
    facts = JobFacts(
        job_id=job.id,
        status=job.status,
        account_id=job.account_id,
        address=job.address,
        credit_cost=job.credit_cost,
        interior_count=job.interior_count,
        exterior_count=job.exterior_count,
        engine_version=engine_version(),
    )
    body = encode(payload(name, facts, now, revision))
    event = Event(account_id=job.account_id, job_id=job.id, name=name, body=body, created_at=now)
    session.add(event)
    session.flush()
    deliveries.record(session, event, now)


def fail(session: Session, job: Job, error: str, now: datetime) -> None:
    """Fail a locked job: all its credits that were not refunded before are refunded, and the verdicts on its photos
    are reset to undecided.
    """
    job.error = error
    undecided = update(Result).where(Result.job_id == job.id).values(verdict=Verdict.UNDECIDED, decided_at=None)
    session.execute(undecided)
    move(session, job, Status.FAILED, now)
    refunds.pay(session, job, refunds.list_for_job(job, error), now)


def list_overdue(session: Session, now: datetime) -> list[str]:
    """At most BATCH unfinished jobs whose time limit is over."""
    late = select(Job.id).where(is_one_of(Job.status, UNSETTLED), Job.deadline_at <= now)
    return list(session.scalars(late.order_by(Job.deadline_at).limit(BATCH)))


def fail_if_overdue(session: Session, job_id: str, now: datetime) -> None:
    """Fail the job if its time limit is over and it is still unfinished."""
    job = lock(session, job_id)
    if job.status in UNSETTLED and job.deadline_at <= now:
        minutes = (job.deadline_at - job.created_at).total_seconds() / 60
        fail(session, job, f"The job was not done within its time limit of {minutes:g} minutes.", now)
