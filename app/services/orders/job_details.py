"""One job with everything that its owner's programs may see, always read in the same few queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import Session, joinedload

from app.domain.ledger import Cause, LedgerKind, is_refund_of_photo, read_cause
from app.domain.lifecycle import UNSETTLED, Status, WorkState
from app.domain.pricing import PricedPhoto, Quote, image_price, quote, step_price
from app.domain.step_states import DecidedStep, PhotoOutcome, list_steps
from app.models import Job, LedgerLine, Photo
from app.services.orders import durations, jobs
from app.services.orders.jobs import Progress
from engine.types.report import QualityReport, Reason, Verdict

MAX_QUEUE = 1000
"""The maximum number of earlier jobs that are counted."""
_NO_REPORT = QualityReport()


@dataclass(frozen=True, slots=True)
class Refund:
    """One refund of the job."""

    amount: Decimal
    cause: Cause
    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PricedStep:
    """An ordered step; `credits`: its price for this photo alone, None if prices have changed since;
    `credits_refunded`: what was refunded for this step alone.
    """

    step: DecidedStep
    credits: Decimal | None
    credits_refunded: Decimal


@dataclass(frozen=True, slots=True)
class WholePhoto:
    """One photo. `image_id`, `reason` and `message` are of its result; they are None or empty until the job is
    decided.
    """

    photo: Photo
    state: PhotoOutcome
    steps: Sequence[PricedStep]
    credits_refunded: Decimal
    image_id: str | None
    reason: Reason | None
    message: str


@dataclass(frozen=True, slots=True)
class WholeJob:
    """The job; its photos are gone once it has expired. `price`: None if prices have changed since the order.
    `ready_at`: when its photos are usually processed. `queue_position`: the number of jobs that wait before it, at
    most MAX_QUEUE; None unless the job waits.
    """

    job: Job
    progress: Progress
    photos: Sequence[WholePhoto]
    price: Quote | None
    refunds: Sequence[Refund]
    ready_at: datetime | None
    queue_position: int | None


def read(session: Session, account_id: str, job_id: str, now: datetime) -> WholeJob:
    """The account's job, expired or not. Raises NotFound."""
    job = jobs.get_even_expired(session, account_id, job_id)
    query = select(Photo).where(Photo.job_id == job.id).options(joinedload(Photo.result))
    photos = session.scalars(query.order_by(Photo.type, Photo.index)).all()
    refunds = _read_refunds(session, job.id)
    price = quote([PricedPhoto(photo.type, photo.edit_request) for photo in photos])
    return WholeJob(
        job=job,
        progress=_count_progress(job, photos),
        photos=[_describe(job, photo, refunds) for photo in photos],
        price=price if photos and price.credits == job.credit_cost else None,
        refunds=[refund for _, refund in refunds],
        ready_at=_estimate(session, job, now),
        queue_position=_count_before(session, job),
    )


def _count_progress(job: Job, photos: Sequence[Photo]) -> Progress:
    total = job.interior_count + job.exterior_count
    done = sum(photo.state is WorkState.DONE for photo in photos)
    return Progress(total, total if job.expired_at else done)


def _read_refunds(session: Session, job_id: str) -> list[tuple[str, Refund]]:
    """The refunds of the job, oldest first, each with its cause as it is stored."""
    mine = select(LedgerLine).where(LedgerLine.job_id == job_id, LedgerLine.kind == LedgerKind.REFUND)
    return [
        (line.cause, Refund(line.amount, read_cause(line.cause), line.reason, line.created_at))
        for line in session.scalars(mine.order_by(LedgerLine.id))
    ]


def _describe(job: Job, photo: Photo, refunds: Sequence[tuple[str, Refund]]) -> WholePhoto:
    settled = job.status not in UNSETTLED
    result = photo.result if settled or photo.is_cancelled else None
    reason = Reason(result.reason) if result and result.reason else None
    verdict = result.verdict if result else Verdict.UNDECIDED
    report = result.report if result else _NO_REPORT
    steps = list_steps(photo.edit_request, verdict, reason, report, settled=settled)
    mine = [refund for cause, refund in refunds if is_refund_of_photo(cause, photo.id)]
    return WholePhoto(
        photo=photo,
        state=_find_state(photo, verdict, settled=settled),
        steps=_price_steps(photo, steps, mine),
        credits_refunded=_sum(mine),
        image_id=result.id if result else None,
        reason=reason,
        message=result.message if result else "",
    )


def _find_state(photo: Photo, verdict: Verdict, *, settled: bool) -> PhotoOutcome:
    decided = {Verdict.APPROVED: PhotoOutcome.APPROVED, Verdict.REJECTED: PhotoOutcome.REJECTED}
    if photo.is_cancelled:
        return PhotoOutcome.CANCELLED
    if verdict in decided or settled:
        return decided.get(verdict, PhotoOutcome.STOPPED)
    states = {WorkState.WORKING: PhotoOutcome.WORKING, WorkState.DONE: PhotoOutcome.PROCESSED}
    return states.get(photo.state, PhotoOutcome.WAITING)


def _price_steps(photo: Photo, steps: Sequence[DecidedStep], refunds: Sequence[Refund]) -> list[PricedStep]:
    as_charged = image_price(PricedPhoto(photo.type, photo.edit_request)) == photo.image_credits
    changes = len(photo.edit_request.changes)
    return [
        PricedStep(
            step=each,
            credits=step_price(each.enhancement, changes) if as_charged else None,
            credits_refunded=_sum([refund for refund in refunds if refund.cause.enhancement is each.enhancement]),
        )
        for each in steps
    ]


def _sum(refunds: Sequence[Refund]) -> Decimal:
    return sum((each.amount for each in refunds), Decimal(0))


def _estimate(session: Session, job: Job, now: datetime) -> datetime | None:
    usual = durations.estimate(session, job, now)
    ready_at = job.created_at + usual if usual is not None else None
    # It already takes longer than usual: when it will be ready is not known.
    return ready_at if ready_at is not None and ready_at > now else None


def _count_before(session: Session, job: Job) -> int | None:
    if job.status is not Status.PENDING:
        return None
    earlier = tuple_(Job.created_at, Job.id) < tuple_(job.created_at, job.id)
    waiting = select(Job.id).where(Job.status == Status.PENDING, earlier).limit(MAX_QUEUE).subquery()
    return session.scalar(select(func.count()).select_from(waiting)) or 0
