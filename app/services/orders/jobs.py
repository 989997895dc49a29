"""Jobs: found for their owner and for staff, locked, moved from status to status, and failed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, select, update
from sqlalchemy.orm import Session

from app.database import Reader, is_one_of, notify_after_commit
from app.domain.errors import require_found
from app.domain.events import CancelFacts, EventName, Facts, JobFacts, RevisionFacts, encode, payload
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import UNSETTLED, Status, WorkState, advance
from app.domain.ports import PHOTO_QUEUES
from app.domain.revisions import RevisionOutcome
from app.models import ApiKey, Event, Job, Photo, Result, Revision, StoredPicture
from app.services.billing import refunds
from app.services.mail import notices
from app.services.security import api_keys
from app.services.webhooks import events
from engine.types.enhancements import WorkSize
from engine.types.report import Verdict

BATCH = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """How many photos of a job there are, and how many are processed."""

    total: int
    completed: int

    @property
    def percentage(self) -> int:
        """The progress in whole percent, rounded down, so that 100 means that all photos are processed."""
        return 100 * self.completed // self.total if self.total else 0


def lock(session: Session, job_id: str) -> Job:
    """The job, read from the database, with its row locked until this unit of work ends."""
    return session.get_one(Job, job_id, with_for_update=True, populate_existing=True)


def notify_workers(session: Session, photos: Iterable[tuple[str, WorkSize]]) -> None:
    """Notify workers of these photos after the commit, each in the queue of its work size. `photos`: their ids and
    work sizes.
    """
    for photo_id, work_size in photos:
        notify_after_commit(session, PHOTO_QUEUES[work_size], [photo_id])


def get(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job. Raises the same NotFound for a job that is unknown, another account's, or expired."""
    return _get_own(session, account_id, job_id, Job.expired_at.is_(None))


def get_even_expired(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job, even if it has expired. Raises the same NotFound for a job that is unknown or another
    account's.
    """
    return _get_own(session, account_id, job_id)


def _get_own(session: Session, account_id: str, job_id: str, *conditions: ColumnElement[bool]) -> Job:
    mine = select(Job).where(Job.id == job_id, Job.account_id == account_id, *conditions)
    return require_found(session.scalar(mine) if is_id(job_id, Prefix.JOB) else None)


def get_for_staff(session: Session, job_id: str) -> Job:
    """The job of any account, even if it has expired. Raises NotFound."""
    return require_found(session.get(Job, job_id) if is_id(job_id, Prefix.JOB) else None)


@cache
def select_status_with_key() -> Select[Any]:
    """The query that finds an API key and the status of the job `job_id` of the key's account; the status is None
    if the account has no such job, or the job has expired.

    Programs poll this often: one query takes half the time of two, and the query is built only once because
    building it takes longer than running it.
    """
    photo_count = select(func.count()).where(Photo.job_id == Job.id)
    total = photo_count.scalar_subquery().label("total")
    done = photo_count.where(Photo.state == WorkState.DONE).scalar_subquery().label("done")
    columns = (
        Job.status,
        Job.created_at,
        Job.error,
        Job.undeliverable_reason,
        Job.undeliverable_code,
        Job.cancelled_at,
        Job.credits_refunded,
        Job.listing,
        Job.external_id,
        Job.own_metadata,
        total,
        done,
    )
    mine = (Job.id == bindparam("job_id"), Job.account_id == ApiKey.account_id, Job.expired_at.is_(None))
    return api_keys.BY_DIGEST.add_columns(*columns).outerjoin(Job, and_(*mine))


def make_status_parameters(job_id: str) -> dict[str, str]:
    """The parameters of select_status_with_key() for the job with this id; with a malformed id it finds no job."""
    return {"job_id": job_id if is_id(job_id, Prefix.JOB) else ""}


def find_settled(reader: Reader, job_ids: Collection[str]) -> set[str]:
    """The jobs, of these, that are settled."""
    settled = select(Job.id).where(Job.id.in_(job_ids), Job.status.not_in(UNSETTLED))
    return set(reader.execute(settled).scalars())


def begin(session: Session, job: Job, now: datetime) -> None:
    """Give a new job its first status, pending, and record its first event."""
    event_name = advance(job, Status.PENDING, now)
    session.add(job)
    session.flush()
    record_event(session, job, event_name, now)


def move(session: Session, job: Job, to: Status, now: datetime) -> None:
    """Move the job to the status `to`, and record the event of that, with its deliveries and mail, in the caller's
    transaction.

    If this ends the job's review, the open rounds that reviewers began are ended too.
    """
    if job.status is Status.QC_REVIEW:
        end_reworks(session, job.id, now)
    record_event(session, job, advance(job, to, now), now)
    notices.report_job_moved(session, job, now)


def end_reworks(session: Session, job_id: str, now: datetime) -> None:
    """Decline the open rounds that reviewers began in a locked job, and cancel their unfinished pictures."""
    rounds = update(Revision).where(Revision.job_id == job_id, Revision.by_reviewer, Revision.outcome.is_(None))
    rounds = rounds.values(outcome=RevisionOutcome.DECLINED, decided_at=now).returning(Revision.made_id)
    # A job in review has no variants yet, so nothing else needs these pictures.
    unfinished = (StoredPicture.id.in_(session.scalars(rounds).all()), StoredPicture.state != WorkState.DONE)
    canceled = {"state": WorkState.DONE, "claim_id": None, "lease_until": None}
    session.execute(update(StoredPicture).where(*unfinished).values(canceled))


def record_revision(
    session: Session, job: Job, revision: RevisionFacts, now: datetime, engine_version: str | None
) -> None:
    """Record the event that the round of a result ended, with its deliveries, in the caller's transaction.
    `engine_version`: of the picture that the result has now.
    """
    record_event(session, job, EventName.PHOTO_REVISED, now, revision, engine_version)


def record_cancelled(session: Session, job: Job, cancelled: CancelFacts, now: datetime) -> None:
    """Record the event that photos of the job were cancelled, with its deliveries, in the caller's transaction."""
    record_event(session, job, EventName.JOB_CANCELLED, now, cancelled)


def record_event(
    session: Session,
    job: Job,
    name: EventName,
    now: datetime,
    about: Facts | None = None,
    engine_version: str | None = None,
) -> None:
    """Record an event of the job, with its deliveries, in the caller's transaction. `about`: what the event reports
    beside the job. `engine_version`: the version that made the picture that the event is about, if there is one.
    """
    facts = JobFacts(
        job_id=job.id,
        status=job.status,
        account_id=job.account_id,
        address=job.address,
        credit_cost=job.credit_cost,
        interior_count=job.interior_count,
        exterior_count=job.exterior_count,
        engine_version=engine_version or job.engine_version,
        external_id=job.external_id,
        metadata=job.own_metadata,
        livemode=job.livemode,
    )
    body = encode(payload(name, facts, now, about))
    event = Event(account_id=job.account_id, job_id=job.id, name=name, body=body, created_at=now)
    events.record(session, event, now, job.callback_id)


def fail(session: Session, job: Job, error: str, now: datetime) -> None:
    """Fail a locked job: refund all credits that are not refunded yet, and reset the verdicts on its results."""
    job.error = error
    reset = update(Result).where(Result.job_id == job.id).values(verdict=Verdict.UNDECIDED, decided_at=None)
    session.execute(reset)
    refunds.pay(session, job, refunds.list_for_job(job, error), now)
    move(session, job, Status.FAILED, now)


def list_overdue(session: Session, now: datetime) -> list[str]:
    """The ids of at most BATCH unfinished jobs whose time limit is over, the longest overdue first."""
    late = select(Job.id).where(is_one_of(Job.status, UNSETTLED), Job.deadline_at <= now)
    return list(session.scalars(late.order_by(Job.deadline_at).limit(BATCH)))


def fail_if_overdue(session: Session, job_id: str, now: datetime) -> None:
    """Fail the job if it is unfinished and its time limit is over."""
    job = lock(session, job_id)
    if job.status in UNSETTLED and job.deadline_at <= now:
        minutes = (job.deadline_at - job.created_at).total_seconds() / 60
        fail(session, job, f"The job was not done within its time limit of {minutes:g} minutes.", now)
