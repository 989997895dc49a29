"""Variants: pictures of approved results with only some of their steps, asked for and looked up.

What a variant shows is made from the photo, the order's seed and the same engine as the result, so that nothing but
the steps left out differs. It is a stored picture as any other, see pictures.py, which nobody put in place.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.variants import MAX_VARIANTS, NoVariant, exempt_steps, find_obstacle, has_server_step, keep_steps
from app.models import Job, Photo, Result, StoredPicture
from app.services.orders import jobs
from app.services.photos import pictures
from engine.types.enhancements import Enhancement
from engine.version import engine_version


def request(
    session: Session,
    job: Job,
    result: Result,
    kept: Iterable[Enhancement],
    now: datetime,
    *,
    again: bool = False,
) -> StoredPicture | NoVariant:
    """Ask for the picture of an approved result with only the `kept` ones of its steps, in the caller's
    transaction; a worker is notified after the commit.

    Harmless to repeat: what is wanted or made already stays as it is, but for one that could not be made where it
    is to be tried `again`. The code says why there can be none, nothing is written then. Holds the job.
    """
    jobs.lock(session, job.id)
    # Another picture may have come in its place since it was read.
    session.refresh(result)
    steps = keep_steps(result.report, kept)
    obstacle = find_obstacle(result.report, steps)
    if obstacle is not None:
        return obstacle
    photo = session.get_one(Photo, result.photo_id)
    settings = result.picture.settings.keeping(photo.edit_request, steps)
    found = pictures.find(session, photo, settings)
    if found is not None and found.report is not None and has_server_step(found.report):
        return NoVariant.MADE_BY_SERVER
    if found is not None and found.is_variant and not (again and found.error):
        return found
    obstacle = _find_obstacle(session, job, result, found)
    if obstacle is not None:
        return obstacle
    if found is None or not found.has_declined:
        found = pictures.request(session, photo, settings, now)
    found.is_variant = True
    return found


def request_base(session: Session, job: Job, result: Result, now: datetime) -> None:
    """Ask for the picture with only those steps of which nothing must be disclosed, unless it is the original or
    the altered one, or there can be none.
    """
    request(session, job, result, exempt_steps(result.report), now)


def get_variants(session: Session, job_ids: Collection[str]) -> dict[str, list[StoredPicture]]:
    """The variants of the pictures that the results of these jobs have now, by the id of the result, in one query,
    the oldest first; see variant_state for how each stands.
    """
    every = select(StoredPicture, Result, Photo).join(Photo, Photo.id == StoredPicture.photo_id)
    every = every.join(Result, Result.photo_id == Photo.id)
    mine = every.where(StoredPicture.job_id.in_(job_ids), StoredPicture.is_variant)
    found: dict[str, list[StoredPicture]] = {}
    for picture, result, photo in session.execute(mine.order_by(StoredPicture.created_at, StoredPicture.id)):
        if list_kept(picture, result, photo):
            found.setdefault(result.id, []).append(picture)
    return found


def list_kept(picture: StoredPicture, result: Result, photo: Photo) -> tuple[Enhancement, ...]:
    """The steps of a result that a picture of its photo keeps; none where it is no variant of the one it has."""
    has = result.picture
    if (picture.photo_id, picture.engine_version) != (photo.id, has.engine_version):
        return ()
    if picture.report is not None and has_server_step(picture.report):
        return ()
    return has.settings.list_kept(photo.edit_request, result.report, picture.settings)


def find_variant(
    variants: Iterable[StoredPicture], result: Result, photo: Photo, kept: Iterable[Enhancement]
) -> StoredPicture | None:
    """That of the result's variants which keeps just these steps."""
    key = result.picture.settings.keeping(photo.edit_request, kept).key
    return next((each for each in variants if each.settings_key == key), None)


def replace(session: Session, job: Job, result: Result, picture: StoredPicture, now: datetime) -> None:
    """Give a result another picture, and ask for its variants anew: those there are show the one before. Holds the
    job.
    """
    photo = session.get_one(Photo, result.photo_id)
    there = get_variants(session, [job.id]).get(result.id, [])
    kept = [list_kept(each, result, photo) for each in there]
    for each in there:
        each.is_variant = False
        pictures.drop(each)
    result.picture = picture
    session.flush()
    for steps in kept:
        request(session, job, result, steps, now)
    request_base(session, job, result, now)


def _find_obstacle(session: Session, job: Job, result: Result, found: StoredPicture | None) -> NoVariant | None:
    if job.expired_at is not None or result.storage_key is None:
        return NoVariant.FILES_GONE
    if result.picture.engine_version != engine_version():
        return NoVariant.ENGINE_CHANGED
    is_new = found is None or not found.is_variant
    if is_new and len(get_variants(session, [job.id]).get(result.id, ())) >= MAX_VARIANTS:
        return NoVariant.TOO_MANY
    return None
