"""The photos of a job without a usable result, for its owner."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Photo, Result
from engine.types.report import Reason, Verdict


@dataclass(frozen=True, slots=True)
class RejectedPhoto:
    """A photo whose result was rejected, with the reason for programs and for people."""

    photo: Photo
    image_id: str
    code: Reason | None
    message: str


def list_rejected(session: Session, job_id: str) -> list[RejectedPhoto]:
    """The photos of a decided job without an approved picture, exterior first, in their order."""
    query = select(Result, Photo).join(Photo, Photo.id == Result.photo_id)
    mine = query.where(Result.job_id == job_id, Result.verdict == Verdict.REJECTED)
    return [
        RejectedPhoto(photo, result.id, Reason(result.reason) if result.reason else None, result.message)
        for result, photo in session.execute(mine.order_by(Photo.type, Photo.index))
    ]
