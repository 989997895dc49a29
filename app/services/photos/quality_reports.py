"""The quality report of one job, as its owner may see it: the figures and the verdict of each photo."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from app.domain.declines import find_decline
from app.domain.lifecycle import UNSETTLED
from app.models import Job, Photo
from app.services.orders import jobs
from app.services.photos import quality
from engine.types.outlook import HintPart
from engine.types.report import QualityReport, Reason, Verdict


@dataclass(frozen=True, slots=True)
class PhotoReport:
    """One photo with its report, which is empty while nothing is decided about the photo. `hinted`: whether its
    picture was or will be made with hints. `hint`: the part of hints with which the declined steps would be done.
    """

    photo: Photo
    verdict: Verdict
    hinted: bool
    image_id: str | None = None
    reason: Reason | None = None
    message: str = ""
    report: QualityReport = field(default_factory=QualityReport)
    hint: HintPart | None = None


def read(session: Session, account_id: str, job_id: str) -> tuple[Job, Sequence[PhotoReport]]:
    """The account's job and the reports of its photos in their order, always in three queries.

    The reports are empty until the whole job is decided. Raises NotFound.
    """
    job = jobs.get(session, account_id, job_id)
    decided = job.status not in UNSETTLED
    return job, [_report(photo, decided) for photo in quality.photos_of(session, job_id)]


def _report(photo: Photo, decided: bool) -> PhotoReport:
    result = photo.result
    if result is None or not decided:
        return PhotoReport(photo, Verdict.UNDECIDED, photo.edit_request.hints is not None)
    return PhotoReport(
        photo,
        result.verdict,
        result.picture.settings.request_for(photo.edit_request).hints is not None,
        result.id,
        Reason(result.reason) if result.reason else None,
        result.message,
        result.report,
        _find_hint(photo),
    )


def _find_hint(photo: Photo) -> HintPart | None:
    decline = find_decline(photo.decided) if photo.decided else None
    return decline.part if decline else None
