"""Quality review: each result is approved or rejected, and these verdicts decide the next status of the job."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.domain import sandbox_addresses
from app.domain.errors import Conflict, InvalidRequest, require_found
from app.domain.lifecycle import Status
from app.domain.reviews import QcMode
from app.domain.sandbox_addresses import REVIEW_TIME, SandboxOutcome
from app.models import Job, Photo, Result
from app.services.billing import refunds
from app.services.billing.credits import Movement
from app.services.orders import jobs
from app.services.photos import photos, variants
from engine.types.enhancements import Enhancement, in_pipeline_order
from engine.types.report import Reason, Verdict

FAILED_MESSAGE = "Processing failed for every photo."


@dataclass(frozen=True, slots=True)
class Decision:
    """A reviewer's verdict on one result; a rejection has a reason. `refunded_steps`: steps of an approved result
    whose price is refunded when the review ends.
    """

    verdict: Verdict
    reviewer_id: str
    reason: str = ""
    refunded_steps: Collection[Enhancement] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """What follows from the verdicts on all photos of a job: its next status, and the refunds."""

    status: Status
    refunds: list[Movement]
    undeliverable_reason: str | None = None


def complete(session: Session, job_id: str, now: datetime, mode: QcMode) -> None:
    """Give a job its next status once its last photo is processed; before that, and when repeated, nothing happens.

    The job fails if processing failed for all photos, else it goes to review. There the checks decide at once what
    the mode leaves to them, and reject results without a picture, because a reviewer has nothing to decide.
    """
    job = jobs.lock(session, job_id)
    if job.status is not Status.PROCESSING or photos.count_unprocessed(session, job_id):
        return
    results = _results(session, job_id)
    worked_on = [result for result in results if result.reason != Reason.CANCELLED]
    if all(result.reason == Reason.PROCESSING_FAILED for result in worked_on):
        jobs.fail(session, job, FAILED_MESSAGE, now)
        return
    jobs.move(session, job, Status.QC_REVIEW, now)
    for result in results:
        _decide_by_checks(result, now, _mode_for(job, mode))
    if all(result.verdict is not Verdict.UNDECIDED for result in results):
        _settle(session, job, now)


def check_result_of(session: Session, photo_id: str, now: datetime, mode: QcMode) -> None:
    """Let the checks decide on the result of a photo that was just processed, where the mode leaves that to them,
    so that its owner sees it before the other photos are done. Nothing is delivered or refunded before the job is
    complete.
    """
    result = session.scalar(select(Result).where(Result.photo_id == photo_id))
    if result is not None:
        _decide_by_checks(result, now, _mode_for(session.get_one(Job, result.job_id), mode))


def complete_job_of(session: Session, photo_id: str, now: datetime, mode: QcMode) -> None:
    """Call complete() for the job of a photo that may just have been given up."""
    photo = session.get(Photo, photo_id)
    if photo is not None:
        complete(session, photo.job_id, now, mode)


def list_slow_reviews(session: Session, now: datetime) -> list[str]:
    """The ids of test orders whose slow review has taken REVIEW_TIME."""
    slow = (Job.status == Status.QC_REVIEW, Job.livemode.is_(False), Job.completed_at <= now - REVIEW_TIME)
    return list(session.scalars(select(Job.id).where(*slow).limit(jobs.BATCH)))


def end_slow_review(session: Session, job_id: str, now: datetime) -> None:
    """Let the checks decide on a test order that is still under review, and end its review."""
    job = jobs.lock(session, job_id)
    if job.status is not Status.QC_REVIEW or job.livemode:
        return
    for result in _results(session, job_id):
        _decide_by_checks(result, now, QcMode.AUTO)
    _settle(session, job, now)


def decide(session: Session, image_id: str, decision: Decision, now: datetime) -> None:
    """Approve or reject one result under review.

    Raises NotFound, Conflict when the job is not under review or the photo was cancelled, InvalidRequest for an
    undecided verdict, a rejection without a reason, or the approval of a result that has no picture.
    """
    result = require_found(session.get(Result, image_id))
    job = jobs.lock(session, result.job_id)
    if job.status is not Status.QC_REVIEW:
        raise Conflict(f"The job is not under review: it is {job.status}.")
    require_not_cancelled(result)
    if decision.verdict is Verdict.UNDECIDED:
        raise InvalidRequest({"verdict": "Approve or reject."})
    if decision.verdict is Verdict.APPROVED and result.storage_key is None:
        raise InvalidRequest({"verdict": "There is no picture to approve."})
    if decision.verdict is Verdict.REJECTED and not decision.reason.strip():
        raise InvalidRequest({"reason": "Enter why it is rejected."})
    result.verdict, result.decided_by, result.decided_at = decision.verdict, decision.reviewer_id, now
    rejected = decision.verdict is Verdict.REJECTED
    # A reason that the engine gave stays in the report.
    result.reason, result.message = (Reason.REVIEWER, decision.reason.strip()) if rejected else (None, "")
    refunded_steps = [] if rejected else [each.value for each in in_pipeline_order(decision.refunded_steps)]
    result.refunded_steps = refunded_steps or None


def require_not_cancelled(result: Result) -> None:
    """Raise Conflict if the photo of the result was cancelled: it was refunded, and nothing is decided on it."""
    if result.reason == Reason.CANCELLED:
        raise Conflict("This photo was cancelled by its customer.")


def finish(session: Session, job_id: str, now: datetime) -> None:
    """End the review: approved with at least one approved result, else undeliverable, refunds included.

    Raises NotFound, and Conflict while results are undecided or when the job is not under review.
    """
    require_found(session.get(Job, job_id))
    job = jobs.lock(session, job_id)
    if job.status is not Status.QC_REVIEW:
        raise Conflict(f"The job is not under review: it is {job.status}.")
    undecided = sum(each.verdict is Verdict.UNDECIDED for each in _results(session, job_id))
    if undecided:
        raise Conflict(f"{undecided} results are undecided.")
    _settle(session, job, now)


def photos_of(session: Session, job_id: str, *, with_rounds: bool = False) -> list[Photo]:
    """The job's photos in their order, each loaded with its result and, `with_rounds`, the rounds of the result."""
    result = selectinload(Photo.result)
    loaded = result.selectinload(Result.revisions) if with_rounds else result
    with_results = select(Photo).where(Photo.job_id == job_id).options(loaded)
    return list(session.scalars(with_results.order_by(Photo.type, Photo.index)))


def plan_settlement(job: Job, settled: Sequence[Photo]) -> Settlement:
    """What follows from the verdicts of a job whose photos are all decided; nothing is changed.

    With one approved picture the job is approved, and what was not usable is refunded; without any, everything is
    refunded.
    """
    if any(photo.result and photo.result.verdict is Verdict.APPROVED for photo in settled):
        return Settlement(Status.APPROVED, refunds.list_for_undelivered(job, settled))
    reason = _explain_undeliverable(settled)
    return Settlement(Status.UNDELIVERABLE, refunds.list_for_job(job, reason), reason)


def _mode_for(job: Job, mode: QcMode) -> QcMode:
    """Who decides on the job: as `mode` says, except that no reviewer looks at test orders. Some test orders wait
    as if for a reviewer.
    """
    if job.livemode:
        return mode
    asked = sandbox_addresses.find(job.address)
    return QcMode.MANUAL if asked and asked.outcome is SandboxOutcome.SLOW_REVIEW else QcMode.AUTO


def _decide_by_checks(result: Result, now: datetime, mode: QcMode) -> None:
    if result.verdict is not Verdict.UNDECIDED:
        return
    result.verdict = mode.verdict(result.report) if result.storage_key is not None else Verdict.REJECTED
    result.decided_at = now if result.verdict is not Verdict.UNDECIDED else None


def _results(session: Session, job_id: str) -> list[Result]:
    return list(session.scalars(select(Result).where(Result.job_id == job_id)))


def _settle(session: Session, job: Job, now: datetime) -> None:
    session.flush()
    end = plan_settlement(job, photos_of(session, job.id))
    job.undeliverable_reason = end.undeliverable_reason
    # Paid first, so that the mail about the move says what was refunded.
    refunds.pay(session, job, end.refunds, now)
    jobs.move(session, job, end.status, now)
    if end.status is Status.APPROVED:
        for result in _results(session, job.id):
            if result.verdict is Verdict.APPROVED:
                variants.request_base(session, job, result, now)


def _explain_undeliverable(settled: Sequence[Photo]) -> str:
    worked_on = [photo for photo in settled if not photo.is_cancelled]
    messages = [f"{photo.file_name}: {photo.result.message}" for photo in worked_on if photo.result]
    shown = " ".join(messages[:3])
    more = f" And {len(messages) - 3} more." if len(messages) > 3 else ""
    return f"No usable results. {shown}{more}"
