"""Jobs: the status of a job, and the quality report of its photos."""

from typing import Any

from flask import Blueprint
from sqlalchemy import Row

from app.api.v1.answers import (
    CancelAnswer,
    JobStatusAnswer,
    ProgressAnswer,
    UndeliverableAnswer,
)
from app.api.v1.disclosure_answers import answer_job_disclosures
from app.api.v1.operations import Operation, serve
from app.api.v1.quality_answers import FigureAnswer, PhotoQualityAnswer, QualityAnswer, StepAnswer
from app.api.v1.waits import WaitQuery, wait_for
from app.domain.actors import Scope
from app.domain.errors import NotFound, require_found
from app.domain.lifecycle import UNSETTLED, Status
from app.services.orders import jobs
from app.services.orders.jobs import Progress
from app.services.photos import cancellations, quality_reports
from app.services.photos.quality_reports import PhotoReport
from app.web import idempotency
from app.web.authentication import ReadWithKey, actor, read_with_key
from app.web.context import container

blueprint = Blueprint("jobs_v1", __name__)


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/status",
        scope=Scope.JOBS_READ,
        summary="Ask where a job stands (every 30 seconds is often enough)",
        answer=JobStatusAnswer,
        list_query=WaitQuery,
        notes="With `wait` the answer comes as soon as the job is approved, delivered, undeliverable or failed, or "
        "when the time is over, with the status of then; so a program can ask in a loop. It counts as one request. "
        "Your client should time out a few seconds later. While too many requests wait, the answer comes at once.",
        refusals=(NotFound,),
        reads_with_key=ReadWithKey(jobs.select_status_with_key, jobs.make_status_parameters),
    ),
)
def show_job_status(job_id: str) -> JobStatusAnswer:
    """The status of the account's job. A request with `wait` is kept until the job is settled."""
    answer = _answer(job_id, read_with_key())
    wait_for(job_id, needed=answer.status in UNSETTLED)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/quality",
        scope=Scope.JOBS_READ,
        summary="Read what the checks found on every photo of a job",
        answer=QualityAnswer,
        refusals=(NotFound,),
        notes="Until the whole job is decided every verdict is `undecided`, without steps and figures. "
        "Reading the report delivers nothing.",
    ),
)
def show_job_quality(job_id: str) -> QualityAnswer:
    """The quality report of the account's job."""
    with container().database.read_session() as session:
        job, found = quality_reports.read(session, actor().account_id, job_id)
        return QualityAnswer(job_id=job.id, status=job.status, photos=[_photo(each) for each in found])


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/jobs/{jobId}/cancel",
        scope=Scope.ORDERS_WRITE,
        summary="Cancel a job, as far as its photos were not begun",
        answer=CancelAnswer,
        refusals=(NotFound,),
        notes="Takes no body. What is cancelled is refunded at once: of each photo the price of its enhancements; "
        "of the price per property outside what it falls by without these photos. Photos that are being worked on "
        "or done go on, and are settled as usual. A cancelled photo has the reason `cancelled` in the quality "
        "report. If no photo goes on, the job is `undeliverable`, and `undeliverable.code` is `cancelled`. A "
        "repeated request changes nothing.",
    ),
)
def cancel_job(job_id: str) -> CancelAnswer:
    """Cancel the account's job."""
    here = container()
    idempotency.begin({"job": job_id})
    with idempotency.effect() as made:
        whose, mode = (actor().account_id, job_id), here.settings.qc_mode
        outcome, job = cancellations.cancel(made.session, *whose, here.clock(), mode)
        made.answer = answer = CancelAnswer(
            job_id=job.id,
            outcome=outcome,
            status=job.status,
            credits_refunded=job.credits_refunded,
            cancelled_at=job.cancelled_at,
        )
    return answer


def _photo(found: PhotoReport) -> PhotoQualityAnswer:
    return PhotoQualityAnswer(
        id=found.photo.id,
        file_name=found.photo.file_name,
        type=found.photo.type,
        index=found.photo.index,
        verdict=found.verdict,
        image_id=found.image_id,
        reason=found.reason,
        message=found.message or None,
        hint=found.hint,
        steps=[StepAnswer.model_validate(each) for each in found.report.steps],
        figures=[FigureAnswer.model_validate(each) for each in found.report.figures],
        hinted=found.hinted,
    )


def _answer(job_id: str, job: Row[Any]) -> JobStatusAnswer:
    undeliverable = require_found(job.status) is Status.UNDELIVERABLE
    return JobStatusAnswer(
        job_id=job_id,
        external_id=job.external_id,
        metadata=job.own_metadata,
        status=job.status,
        progress=ProgressAnswer.model_validate(Progress(job.total, job.done)),
        created_at=job.created_at,
        error=job.error,
        undeliverable=UndeliverableAnswer(
            code=job.undeliverable_code,
            reason=job.undeliverable_reason or "",
            credits_refunded=job.credits_refunded,
        )
        if undeliverable
        else None,
        disclosures=answer_job_disclosures(job.listing.disclosures),
        credits_refunded=job.credits_refunded or None,
        cancelled_at=job.cancelled_at,
    )
