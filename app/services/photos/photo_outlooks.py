"""Outlooks of the photos of jobs: each with the edit request with which its picture was or will be made."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.domain.pictures import AS_ORDERED, PictureSettings
from app.models import Photo
from app.services.orders import jobs
from app.services.previews.outlooks import OutlookSubject


def find_subject(session: Session, account_id: str, job_id: str, photo_id: str) -> OutlookSubject:
    """The photo's file and its edit request, with the hints and steps of its present picture.

    Raises NotFound, also for another account's photo, and after the job's files were removed.
    """
    job = jobs.get(session, account_id, job_id)
    mine = select(Photo).where(Photo.job_id == job.id, Photo.id == photo_id)
    photo = require_found(session.scalar(mine) if is_id(photo_id, Prefix.PHOTO) else None)
    return make_subject(account_id, photo, photo.result.picture.settings if photo.result else AS_ORDERED)


def make_subject(account_id: str, photo: Photo, settings: PictureSettings) -> OutlookSubject:
    """The photo's file, and its edit request for a picture with these settings."""
    folder = f"{photo.storage_key.rpartition('/')[0]}/"
    # The file of an ordered photo is never replaced.
    return OutlookSubject(account_id, photo.storage_key, folder, photo.id, settings.request_for(photo.edit_request))
