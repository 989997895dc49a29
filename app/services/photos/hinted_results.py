"""Results that are made again with hints about their photos: the data for the questions about each photo."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.models import Job, Photo, Preview, Result
from app.services.orders import declines
from app.services.photos import photo_outlooks
from app.services.previews import previews
from app.services.previews.outlooks import OutlookSubject
from engine.types.edit_request import EditRequest
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.report import Verdict


@dataclass(frozen=True, slots=True)
class HintedResult:
    """A result and its photo. `edit_request`: the steps to make again, with the present hints; `subject`: the photo
    for workers to look at; `preview`: the small pictures of the photo.
    """

    job: Job
    photo: Photo
    result: Result
    edit_request: EditRequest
    subject: OutlookSubject
    preview: Preview | None

    @property
    def hints(self) -> SceneHints:
        """The hints given for the photo so far."""
        return self.edit_request.hints or NO_HINTS


def read(session: Session, job: Job, image_id: str, *, is_refunded: bool = False) -> HintedResult:
    """A result of the job as it is now. `is_refunded`: whether the job was decided, so that declined steps whose
    price was refunded are not made. Raises NotFound.
    """
    mine = select(Result).where(Result.id == image_id, Result.job_id == job.id)
    result = require_found(session.scalar(mine) if is_id(image_id, Prefix.IMAGE) else None)
    photo = result.photo
    subject = photo_outlooks.make_subject(job.account_id, photo, result.picture.settings)
    made = subject.edit_request
    if is_refunded:
        done = result.report.applied if result.verdict is Verdict.APPROVED else ()
        made = made.keep([*done, *declines.find_paid_steps(session, job, photo.id)])
    preview = previews.get_all(session, [photo.storage_key]).get(photo.storage_key)
    return HintedResult(job, photo, result, made, subject, preview)
