"""Job status."""

from flask import Blueprint

from app.api.v1.answers import JobStatusAnswer, ProgressAnswer, UndeliverableAnswer
from app.api.v1.examples import JOB_STATUS
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.errors import NotFound
from app.domain.lifecycle import Status
from app.services import jobs
from app.services.jobs import JobStatus
from app.web.authentication import actor
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
        answer_example=JOB_STATUS,
        refusals=(NotFound,),
    ),
)
def show_job_status(job_id: str) -> JobStatusAnswer:
    """Where the account's job stands."""
    with container().database.glance() as connection:
        return _answer(jobs.status(connection, actor().account_id, job_id))


def _answer(job: JobStatus) -> JobStatusAnswer:
    lost = job.status is Status.UNDELIVERABLE
    return JobStatusAnswer(
        job_id=job.job_id,
        status=job.status,
        progress=ProgressAnswer(
            total=job.progress.total,
            completed=job.progress.completed,
            percentage=job.progress.percentage,
        ),
        created_at=job.created_at,
        error=job.error,
        undeliverable=UndeliverableAnswer(
            reason=job.undeliverable_reason or "", credits_refunded=job.credits_refunded
        )
        if lost
        else None,
        credits_refunded=job.credits_refunded or None,
    )
