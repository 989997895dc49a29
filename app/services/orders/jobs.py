"""Jobs: locked, moved, failed, and looked at by their owner."""

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
from app.domain.lifecycle import TIMED, Status, WorkState, advance
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
    """The job as it stands, held against everyone else until this unit of work ends."""
    return session.get_one(Job, job_id, with_for_update=True, populate_existing=True)


def notify_workers(session: Session, photos: Iterable[tuple[str, WorkSize]]) -> None:
    """Wake workers for these photos, given by id and work size, each in its queue, after this commit."""
    for photo_id, work_size in photos:
        notify_after_commit(session, PHOTO_QUEUES[work_size], [photo_id])


def get(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job. Raises NotFound for unknown, another's and expired ones alike."""
    return _own(session, account_id, job_id, Job.expired_at.is_(None))


def get_any(session: Session, account_id: str, job_id: str) -> Job:
    """The account's job, also after its pictures are gone. Raises NotFound for unknown and another's alike."""
    return _own(session, account_id, job_id)


def _own(session: Session, account_id: str, job_id: str, *conditions: ColumnElement[bool]) -> Job:
    mine = select(Job).where(Job.id == job_id, Job.account_id == account_id, *conditions)
    return require_found(session.scalar(mine) if is_id(job_id, Prefix.JOB) else None)


def of_anybody(session: Session, job_id: str) -> Job:
    """The job of any account, also after its pictures are gone; for staff. Raises NotFound."""
    return require_found(session.get(Job, job_id) if is_id(job_id, Prefix.JOB) else None)


@cache
def status_with_key() -> Select[Any]:
    """The query that recognizes an API key and reads how its account's job `job_id` stands; no status where
    that has none, or its pictures are gone.

    Customers ask this over and over: one query takes half the time of two, and building it takes longer than its
    answer.
    """
    of_job = select(func.count()).where(Photo.job_id == Job.id)
    total = of_job.scalar_subquery().label("total")
    done = of_job.where(Photo.state == WorkState.DONE).scalar_subquery().label("done")
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


def of_job(job_id: str) -> dict[str, str]:
    """The values of status_with_key() for a job of this id; for what is no id, those that find none."""
    return {"job_id": job_id if is_id(job_id, Prefix.JOB) else ""}


def begin(session: Session, job: Job, now: datetime) -> None:
    """Let a new job start its life, with its first event."""
    name = advance(job, Status.PENDING, now)
    session.add(job)
    session.flush()
    _record(session, job, name, now)


def move(session: Session, job: Job, to: Status, now: datetime) -> None:
    """Advance the job and record the event of the move, with its deliveries and mail, in the same transaction.

    With its review end the rounds that reviewers began in it.
    """
    if job.status is Status.QC_REVIEW:
        end_reworks(session, job.id, now)
    _record(session, job, advance(job, to, now), now)
    notices.job_moved(session, job, now)


def end_reworks(session: Session, job_id: str, now: datetime) -> None:
    """End the open rounds that reviewers of a locked job began: what workers are still at is dropped."""
    ended = update(Revision).where(Revision.job_id == job_id, Revision.by_reviewer, Revision.outcome.is_(None))
    ended = ended.values(outcome=RevisionOutcome.DECLINED, decided_at=now).returning(Revision.made_id)
    # The job had no variants yet: these pictures are nobody else's.
    undone = (StoredPicture.id.in_(session.scalars(ended).all()), StoredPicture.state != WorkState.DONE)
    over = {"state": WorkState.DONE, "claim_id": None, "lease_until": None}
    session.execute(update(StoredPicture).where(*undone).values(over))


def record_revision(session: Session, job: Job, revision: RevisionFacts, now: datetime) -> None:
    """Record that a round in which a result was sent back ended, with its deliveries, in the same transaction."""
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
    """End a locked job without results: everything it still holds is refunded, and what checks decided of single
    photos holds no more.
    """
    job.error = error
    undecided = update(Result).where(Result.job_id == job.id).values(verdict=Verdict.UNDECIDED, decided_at=None)
    session.execute(undecided)
    move(session, job, Status.FAILED, now)
    refunds.pay(session, job, refunds.list_held(job, error), now)


def list_overdue(session: Session, now: datetime) -> list[str]:
    """Some jobs whose time is over."""
    late = select(Job.id).where(is_one_of(Job.status, TIMED), Job.deadline_at <= now)
    return list(session.scalars(late.order_by(Job.deadline_at).limit(BATCH)))


def expire(session: Session, job_id: str, now: datetime) -> None:
    """Fail the job if its time is over and nothing ended it since."""
    job = lock(session, job_id)
    if job.status in TIMED and job.deadline_at <= now:
        minutes = (job.deadline_at - job.created_at).total_seconds() / 60
        fail(session, job, f"The job was not done within its time limit of {minutes:g} minutes.", now)
