"""The work on single photos: claimed under a lease, finished only under the claim that is in force, given up after
too many attempts.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain.attempts import PHOTOS
from app.domain.lifecycle import WORKABLE, Status, WorkState
from app.domain.pictures import AS_ORDERED
from app.models import AccountTurn, Job, Photo, Result
from app.services.leases import WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, pictures
from app.services.photos.pictures import MadePicture, PictureLease
from app.services.uploads import quotas
from engine.types.enhancements import WorkSize
from engine.types.report import QualityReport, Reason

QUEUE = WorkQueue(Photo.id, Photo.attempts, PHOTOS)
MANY = 10
"""Least number of an account's waiting photos for a photo to count as one of many."""


def claim(session: Session, photo_id: str, now: datetime) -> PictureLease | None:
    """Claim the photo if it is due and no other worker has claimed it. The first claim of a job moves it to
    processing.

    None when there is nothing to do, also when the photo was given up because its workers died too often.
    """
    photo = session.get(Photo, photo_id)
    if photo is None:
        return None
    job = jobs.lock(session, photo.job_id)
    if job.status not in WORKABLE:
        return None
    held = QUEUE.claim(session, photo_id, now)
    if held is None:
        return None
    session.refresh(photo)
    quotas.record_turn(session, job.account_id, photo.work_size, now)
    if job.status is Status.PENDING:
        jobs.move(session, job, Status.PROCESSING, now)
    if held.attempt > PHOTOS.max_attempts:
        _give_up(session, photo, now)
        return None
    return PictureLease(
        claim_id=held.claim_id,
        key=photo_id,
        attempt=held.attempt,
        job_id=job.id,
        account_id=job.account_id,
        storage_key=photo.storage_key,
        edit_request=photo.edit_request,
        # Half of the job's time: to wait on would hold up its other photos until that time is over, when all of it
        # is refunded.
        waits_until=job.created_at + (job.deadline_at - job.created_at) / 2,
        is_last_try=held.attempt == PHOTOS.max_attempts,
        frames=frames.list_files(session, photo_id),
        is_one_of_many=_has_many(session, job.account_id),
    )


def _has_many(session: Session, account_id: str) -> bool:
    waiting = (Job.account_id == account_id, is_one_of(Job.status, WORKABLE), Photo.state == WorkState.WAITING)
    return len(session.scalars(select(Photo.id).join(Job).where(*waiting).limit(MANY)).all()) == MANY


def finish(
    session: Session,
    held: PictureLease,
    made: MadePicture,
    now: datetime,
    sha256: str | None = None,
    frame_sha256s: Sequence[str] = (),
) -> bool:
    """Store what was made, and request small pictures of it and of the photo. `sha256` is the digest of the photo's
    file, `frame_sha256s` are the digests of its frames; None and empty where they were not read.

    False, with nothing changed, when the claim was lost or the job ended meanwhile.
    """
    job = jobs.lock(session, held.job_id)
    if job.status is not Status.PROCESSING or not QUEUE.finish(session, held):
        return False
    photo = session.get_one(Photo, held.key, populate_existing=True)
    photo.sha256 = sha256 or photo.sha256
    _keep(session, photo, made, now)
    frames.keep_digests(session, held.key, frame_sha256s)
    if made.key is not None:
        pictures.request_result_previews(session, job.listing, made.key, made.report, now)
    return True


def retry(session: Session, held: PictureLease, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the photo is given up after the last.

    False like finish().
    """
    job = jobs.lock(session, held.job_id)
    photo = session.scalar(select(Photo).where(QUEUE.is_held(held)))
    if photo is None or job.status is not Status.PROCESSING:
        return False
    if photo.attempts >= PHOTOS.max_attempts:
        _give_up(session, photo, now)
        return True
    # The row's count, not the claim's: the attempt of an earlier claim that was lost may have been given back
    # since.
    return QUEUE.retry(session, replace(held, attempt=photo.attempts), now)


def next_due(session: Session, now: datetime, work_size: WorkSize) -> str | None:
    """The photo of this work size whose turn it is: of the account whose last turn is longest ago, in its oldest
    job, the photo longest due.

    So the single photo of one account waits no longer than one photo takes, even if another account has thousands.
    """
    # The job is chosen first: sorting all photos of a long backlog at every turn would take longer than some turns.
    is_due_photo = and_(Photo.work_size == work_size, QUEUE.is_due(now))
    is_due = select(Photo.id).where(Photo.job_id == Job.id, is_due_photo).exists()
    is_turn_of_account = and_(AccountTurn.account_id == Job.account_id, AccountTurn.work_size == work_size)
    query = select(Job.id).outerjoin(AccountTurn, is_turn_of_account)
    # A turn in the future was recorded before the clock was set back. It counts as none, else its account would
    # wait until then.
    served_at = case((AccountTurn.served_at <= now, AccountTurn.served_at))
    turns = (served_at.asc().nulls_first(), Job.created_at, Job.id)
    job = query.where(is_one_of(Job.status, WORKABLE), is_due).order_by(*turns).limit(1).scalar_subquery()
    mine = select(Photo.id).where(Photo.job_id == job, is_due_photo)
    return session.scalar(mine.order_by(Photo.next_attempt_at, Photo.type, Photo.index).limit(1))


def due(session: Session, now: datetime, limit: int, work_size: WorkSize | None = None) -> list[str]:
    """At most `limit` photos longest due, of this work size or of any: waiting photos whose time has come, and
    claimed photos whose lease ran out.
    """
    workable = select(Photo.id).join(Job).where(is_one_of(Job.status, WORKABLE), QUEUE.is_due(now))
    if work_size is not None:
        workable = workable.where(Photo.work_size == work_size)
    return list(session.scalars(workable.order_by(Photo.next_attempt_at).limit(limit)))


def remaining(session: Session, job_id: str) -> int:
    """How many photos of the job are not processed yet."""
    query = select(func.count()).where(Photo.job_id == job_id, Photo.state != WorkState.DONE)
    return session.scalar(query) or 0


def _give_up(session: Session, photo: Photo, now: datetime) -> None:
    photo.state, photo.claim_id, photo.lease_until = WorkState.DONE, None, None
    message = f"Processing did not succeed in {PHOTOS.max_attempts} tries."
    _keep(session, photo, MadePicture(QualityReport(reason=Reason.PROCESSING_FAILED, message=message)), now)


def _keep(session: Session, photo: Photo, made: MadePicture, now: datetime) -> None:
    picture, report = pictures.new(photo, AS_ORDERED, now), made.report
    for name, value in made.columns.items():
        setattr(picture, name, value)
    picture.made_at = now
    result = Result(job_id=photo.job_id, photo_id=photo.id, picture=picture, created_at=now)
    result.reason, result.message = report.reason, report.message
    session.add(result)
    session.flush()
    pictures.request_previews(session, photo.storage_key, now)
