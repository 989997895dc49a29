"""Downloads: the approved pictures of a job, and the delivery that the first look at them is."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.catalogue import Enhancement, PhotoType
from app.domain.errors import NotFound, NotReady
from app.domain.lifecycle import DOWNLOADABLE, TIMED, Status
from app.domain.ports import Storage
from app.domain.quality import QualityReport, Verdict
from app.models import Job, Photo, Result
from app.services import jobs


@dataclass(frozen=True, slots=True)
class Image:
    """One approved picture with fresh URLs for it and for its original."""

    id: str
    file_name: str
    type: PhotoType
    url: str
    original_url: str
    width: int
    height: int
    size_bytes: int
    enhancements: list[Enhancement]


def deliver(session: Session, account_id: str, job_id: str, now: datetime) -> Job:
    """The account's job, ready to download; the first call delivers it, with its event, however many come at once.

    Raises NotFound, and NotReady while there is nothing to download.
    """
    job = jobs.own(session, account_id, job_id)
    if job.status not in DOWNLOADABLE:
        raise NotReady(job.status, _why_not(job.status))
    if job.status is Status.APPROVED:
        job = jobs.lock(session, job_id)
        if job.expired_at is not None:
            raise NotFound
        if job.status is Status.APPROVED:
            jobs.move(session, job, Status.DELIVERED, now)
    return job


def images(session: Session, storage: Storage, job_id: str, valid_seconds: int) -> list[Image]:
    """All approved pictures of the job, exterior first, in order."""
    approved = (
        select(Result, Photo)
        .join(Photo, Photo.id == Result.photo_id)
        .where(Result.job_id == job_id, Result.verdict == Verdict.APPROVED)
        .order_by(Photo.type, Photo.index)
    )
    return [_image(storage, result, photo, valid_seconds) for result, photo in session.execute(approved)]


def _image(storage: Storage, result: Result, photo: Photo, valid_seconds: int) -> Image:
    if result.storage_key is None:
        raise LookupError(f"{result.id} is approved without a picture")
    name = result_name(photo.file_name, result.storage_key)
    report = QualityReport.model_validate(result.report)
    return Image(
        id=result.id,
        file_name=name,
        type=photo.type,
        url=storage.download_url(result.storage_key, name, valid_seconds),
        original_url=storage.download_url(photo.storage_key, photo.file_name, valid_seconds),
        width=result.width or 0,
        height=result.height or 0,
        size_bytes=result.size_bytes or 0,
        enhancements=[step.enhancement for step in report.steps if step.applied],
    )


def result_name(file_name: str, key: str) -> str:
    """The photo's own name with the ending of the picture that was made."""
    stem, dot, _ = file_name.rpartition(".")
    return f"{stem if dot else file_name}.{key.rpartition('.')[2]}"


def _why_not(status: Status) -> str:
    if status in TIMED:
        return "The results are not ready yet; ask for the job's status and download when it is approved."
    return "Nothing usable came out of this job, so there is nothing to download; its credits were refunded."
