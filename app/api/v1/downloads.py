"""Downloads of a job's approved pictures."""

from flask import Blueprint

from app.api.v1.answers import DownloadAnswer, ImageAnswer, RejectedPhotoAnswer, VariantAnswer
from app.api.v1.disclosure_answers import ListingAnswer, answer_disclosures
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.catalog import media_alterations_of
from app.domain.disclosure.listing import caption
from app.domain.errors import NotFound, NotReady
from app.services.photos import downloads
from app.services.photos.downloads import Image, Variant
from app.services.photos.rejected import RejectedPhoto, list_rejected
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("downloads_v1", __name__)


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/downloads/{jobId}",
        scope=Scope.JOBS_READ,
        summary="Get fresh download URLs for all approved images",
        answer=DownloadAnswer,
        refusals=(NotReady, NotFound),
    ),
)
def show_downloads(job_id: str) -> DownloadAnswer:
    """The approved pictures with fresh URLs. The first request for them marks the job as delivered."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, actor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        images = [_image(image) for image in downloads.list_images(session, here.storage, job, seconds)]
        rejected = list_rejected(session, job.id)
    return DownloadAnswer(
        job_id=job.id,
        external_id=job.external_id,
        metadata=job.own_metadata,
        address=job.address,
        image_count=len(images),
        listing=ListingAnswer.model_validate(job.listing),
        images=images,
        rejected=[_answer_rejected(each) for each in rejected],
    )


def _image(image: Image) -> ImageAnswer:
    return ImageAnswer(
        id=image.id,
        photo_id=image.photo_id,
        index=image.index,
        file_name=image.file_name,
        type=f"generated_{image.type}",
        url=image.url,
        original_url=image.original_url,
        frame_urls=list(image.frame_urls) or None,
        width=image.width,
        height=image.height,
        bytes=image.size_bytes,
        enhancements=list(image.report.applied),
        caption=caption(image.listing, image.report.applied),
        media_alteration=media_alterations_of(image.report.applied),
        disclosures=answer_disclosures(image.listing, image.report.applied),
        variants=_variants(image),
        engine_version=image.engine_version,
        content_credentials=image.credentials,
    )


def _answer_rejected(found: RejectedPhoto) -> RejectedPhotoAnswer:
    photo = found.photo
    return RejectedPhotoAnswer(
        photo_id=photo.id,
        type=photo.type,
        index=photo.index,
        file_name=photo.file_name,
        image_id=found.image_id,
        code=found.code,
        reason=found.message,
    )


def _variants(image: Image) -> list[VariantAnswer]:
    urls = {
        Variant.ORIGINAL: image.original_url,
        Variant.BASE: image.base_url,
        Variant.ALTERED: image.url,
        Variant.LABELED: image.labeled_url,
    }
    signed = {Variant.ALTERED: image.credentials, Variant.LABELED: image.labeled_credentials}
    return [
        VariantAnswer(variant=variant, url=url, content_credentials=signed.get(variant))
        for variant, url in urls.items()
        if url
    ]
