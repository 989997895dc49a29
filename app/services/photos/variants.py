"""Variants: pictures of approved results with only some of their steps, requested and looked up.

A variant is made from the photo, the order's seed and the same engine version as the result, so that nothing but
the steps left out differs. It is a stored picture like any other, see pictures.py, but not the picture of a result.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.events import EventName, VariantFacts
from app.domain.variants import (
    MAX_VARIANTS,
    VariantObstacle,
    exempt_steps,
    find_obstacle,
    has_server_step,
    keep_steps,
)
from app.models import Job, Photo, Result, StoredPicture
from app.services import engines
from app.services.orders import jobs
from app.services.photos import pictures
from engine.types.enhancements import Enhancement


def request(
    session: Session,
    job: Job,
    result: Result,
    kept: Iterable[Enhancement],
    now: datetime,
    *,
    retry_failed: bool = False,
) -> StoredPicture | VariantObstacle:
    """Request a picture of an approved result with only its steps `kept`, in the caller's transaction; a worker is
    notified after the commit.

    Harmless to repeat: a variant that is requested or made stays as it is; with `retry_failed`, one that could not
    be made is tried once more. A VariantObstacle says why there is none; then nothing is written. Locks the job.
    """
    jobs.lock(session, job.id)
    # The result may have got another picture since it was read.
    session.refresh(result)
    steps = keep_steps(result.report, kept)
    obstacle = find_obstacle(result.report, steps)
    if obstacle is not None:
        return obstacle
    photo = session.get_one(Photo, result.photo_id)
    settings = result.picture.settings.keeping(photo.edit_request, steps)
    version = result.picture.engine_version
    found = pictures.find(session, photo, settings, version)
    if found is not None and found.report is not None and has_server_step(found.report):
        return VariantObstacle.MADE_BY_SERVER
    if found is not None and found.is_variant and not (retry_failed and found.error):
        return found
    obstacle = _find_state_obstacle(session, job, result, found)
    if obstacle is not None:
        return obstacle
    if found is None or not found.has_declined:
        found = pictures.request(session, photo, settings, version, now)
    found.is_variant = True
    return found


def request_base(session: Session, job: Job, result: Result, now: datetime) -> None:
    """Request the base, which has only the steps that need no disclosure, unless it is the original or the altered
    picture, or cannot be made.
    """
    request(session, job, result, exempt_steps(result.report), now)


def get_variants(session: Session, job_ids: Collection[str]) -> dict[str, list[StoredPicture]]:
    """The variants of the current pictures of these jobs' results, by the id of the result, in one query, the
    oldest first.
    """
    query = select(StoredPicture, Result, Photo).join(Photo, Photo.id == StoredPicture.photo_id)
    query = query.join(Result, Result.photo_id == Photo.id)
    mine = query.where(StoredPicture.job_id.in_(job_ids), StoredPicture.is_variant)
    found: dict[str, list[StoredPicture]] = {}
    for picture, result, photo in session.execute(mine.order_by(StoredPicture.created_at, StoredPicture.id)):
        if list_kept(picture, result, photo):
            found.setdefault(result.id, []).append(picture)
    return found


def list_kept(picture: StoredPicture, result: Result, photo: Photo) -> tuple[Enhancement, ...]:
    """The steps of a result that a picture of its photo keeps; empty if it is no variant of the result's current
    picture.
    """
    current = result.picture
    if (picture.photo_id, picture.engine_version) != (photo.id, current.engine_version):
        return ()
    if picture.report is not None and has_server_step(picture.report):
        return ()
    return current.settings.list_kept(photo.edit_request, result.report, picture.settings)


def find_variant(
    variants: Iterable[StoredPicture], result: Result, photo: Photo, kept: Iterable[Enhancement]
) -> StoredPicture | None:
    """The variant of the result that keeps exactly these steps; None if there is none."""
    key = result.picture.settings.keeping(photo.edit_request, kept).key
    return next((each for each in variants if each.settings_key == key), None)


def report_ready(session: Session, picture_id: str, now: datetime) -> None:
    """Record the event that a variant can be downloaded. Does nothing if the picture that was just made is no
    variant, or no longer a variant of its result's current picture.
    """
    picture = session.get_one(StoredPicture, picture_id, populate_existing=True)
    if not picture.is_variant or picture.storage_key is None:
        return
    photo = session.get_one(Photo, picture.photo_id)
    result = session.scalars(select(Result).where(Result.photo_id == photo.id)).one()
    kept = list_kept(picture, result, photo)
    if kept:
        job = session.get_one(Job, picture.job_id)
        facts = VariantFacts(result.id, kept)
        jobs.record_event(session, job, EventName.VARIANT_READY, now, facts, picture.engine_version)


def replace(session: Session, job: Job, result: Result, picture: StoredPicture, now: datetime) -> None:
    """Give a result another picture, and request its variants again, because the existing ones were made for the
    previous picture. Locks the job.
    """
    photo = session.get_one(Photo, result.photo_id)
    existing = get_variants(session, [job.id]).get(result.id, [])
    kept = [list_kept(each, result, photo) for each in existing]
    for each in existing:
        each.is_variant = False
        pictures.cancel(each)
    result.picture = picture
    session.flush()
    for steps in kept:
        request(session, job, result, steps, now)
    request_base(session, job, result, now)


def _find_state_obstacle(
    session: Session, job: Job, result: Result, found: StoredPicture | None
) -> VariantObstacle | None:
    """What, other than the steps, prevents a variant that may be `found` already; None if nothing does."""
    if job.expired_at is not None or result.storage_key is None:
        return VariantObstacle.FILES_GONE
    if engines.find_release(session, result.picture.engine_version) is None:
        return VariantObstacle.ENGINE_CHANGED
    is_new = found is None or not found.is_variant
    if is_new and len(get_variants(session, [job.id]).get(result.id, ())) >= MAX_VARIANTS:
        return VariantObstacle.TOO_MANY
    return None
