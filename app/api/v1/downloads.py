"""Downloads of a job's approved pictures."""

from flask import Blueprint

from app.api.v1.answers import DownloadAnswer, ImageAnswer
from app.api.v1.examples import DOWNLOADS
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.errors import NotFound, NotReady
from app.services.photos import downloads
from app.services.photos.downloads import Image
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
        answer_example=DOWNLOADS,
        refusals=(NotReady, NotFound),
    ),
)
def show_downloads(job_id: str) -> DownloadAnswer:
    """The pictures' URLs; asking for them the first time delivers the job."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, actor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        images = [_image(image) for image in downloads.images(session, here.storage, job.id, seconds)]
    return DownloadAnswer(job_id=job.id, address=job.address, image_count=len(images), images=images)


def _image(image: Image) -> ImageAnswer:
    return ImageAnswer(
        id=image.id,
        file_name=image.file_name,
        type=f"generated_{image.type}",
        url=image.url,
        original_url=image.original_url,
        width=image.width,
        height=image.height,
        bytes=image.size_bytes,
        enhancements=image.enhancements,
    )
