"""One job with everything that is known about it."""

from flask import Blueprint, url_for

from app.api.v1.answers import ProgressAnswer
from app.api.v1.disclosure_answers import ListingAnswer, answer_job_disclosures
from app.api.v1.event_documents import PhotoCount
from app.api.v1.job_answers import (
    JobAnswer,
    JobLinksAnswer,
    JobPhotoAnswer,
    JobStepAnswer,
    RefundAnswer,
    answer_undeliverable,
)
from app.api.v1.job_examples import JOB
from app.api.v1.operations import Operation, serve
from app.api.v1.quote_answers import answer_lines
from app.domain.actors import Scope
from app.domain.errors import NotFound
from app.models import Job
from app.services.orders import job_details
from app.services.orders.job_details import PricedStep, Refund, WholeJob, WholePhoto
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("job_details_v1", __name__)
_VIEWS = {
    "status": "jobs_v1.show_job_status",
    "downloads": "downloads_v1.show_downloads",
    "quality": "jobs_v1.show_job_quality",
    "recipes": "recipes_v1.show_recipes",
    "evidence": "evidence_v1.show_evidence",
    "shares": "shares_v1.list_shares",
    "packs": "mls_packs_v1.list_mls_packs",
}


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}",
        scope=Scope.JOBS_READ,
        summary="Read everything that is known of a job",
        answer=JobAnswer,
        answer_example=JOB,
        refusals=(NotFound,),
        notes="Reading it delivers nothing. It stays after the photos and results were removed, without `photos`.",
    ),
)
def show_job(job_id: str) -> JobAnswer:
    """The account's job with its photos, price and refunds."""
    here = container()
    with here.database.read_session() as session:
        return _answer(job_details.read(session, actor().account_id, job_id, here.clock()))


def _answer(found: WholeJob) -> JobAnswer:
    job = found.job
    return JobAnswer(
        job_id=job.id,
        status=job.status,
        progress=ProgressAnswer.model_validate(found.progress),
        address=job.address,
        service_type=job.service_type,
        photo_count=PhotoCount(interior=job.interior_count, exterior=job.exterior_count),
        credit_cost=job.credit_cost,
        credits_refunded=job.credits_refunded,
        created_at=job.created_at,
        cancelled_at=job.cancelled_at,
        expired_at=job.expired_at,
        error=job.error,
        undeliverable=answer_undeliverable(job),
        external_id=job.external_id,
        metadata=job.own_metadata,
        listing=ListingAnswer.model_validate(job.listing),
        disclosures=answer_job_disclosures(job.listing.disclosures),
        estimated_ready_at=found.ready_at,
        queue_position=found.queue_position,
        lines=answer_lines(found.price) if found.price else None,
        refunds=[_answer_refund(each) for each in found.refunds],
        photos=[_answer_photo(each) for each in found.photos],
        links=_answer_links(job),
    )


def _answer_refund(refund: Refund) -> RefundAnswer:
    return RefundAnswer(
        amount=refund.amount,
        cause=refund.cause.code,
        photo_id=refund.cause.photo_id,
        enhancement=refund.cause.enhancement,
        reason=refund.reason,
        created_at=refund.created_at,
    )


def _answer_photo(found: WholePhoto) -> JobPhotoAnswer:
    photo = found.photo
    return JobPhotoAnswer(
        photo_id=photo.id,
        type=photo.type,
        index=photo.index,
        file_name=photo.file_name,
        state=found.state,
        image_id=found.image_id,
        reason=found.reason,
        message=found.message or None,
        credit_cost=photo.image_credits,
        credits_refunded=found.credits_refunded,
        steps=[_answer_step(each) for each in found.steps],
    )


def _answer_step(found: PricedStep) -> JobStepAnswer:
    return JobStepAnswer(
        enhancement=found.step.enhancement,
        state=found.step.state,
        reason=found.step.reason,
        message=found.step.message or None,
        credit_cost=found.credits,
        credits_refunded=found.credits_refunded,
    )


def _answer_links(job: Job) -> JobLinksAnswer:
    base_url = container().settings.base_url
    urls = {name: f"{base_url}{url_for(f'api_v1.{view}', job_id=job.id)}" for name, view in _VIEWS.items()}
    return JobLinksAnswer(**urls, page=f"{base_url}{url_for('properties.show', property_id=job.property_id)}")
