"""The work on single photos: claimed under a lease, finished only by the worker that still has the claim, given up
after too many attempts.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain import events
from app.domain.attempts import PHOTOS
from app.domain.events import EventName
from app.domain.lifecycle import WORKABLE, Status, WorkState
from app.domain.pictures import AS_ORDERED
from app.models import AccountTurn, Job, Photo, Result
from app.services import engines
from app.services.leases import WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, pictures
from app.services.photos.pictures import MadePicture, PictureLease
from app.services.uploads import quotas
from engine.types.enhancements import WorkSize
from engine.types.report import QualityReport, Reason

QUEUE = WorkQueue(Photo.id, Photo.attempts, PHOTOS)
MANY_WAITING = 10
"""A photo is one of many when its account has at least this many photos that wait."""


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
    lease = QUEUE.claim(session, photo_id, now)
    if lease is None:
        return None
    session.refresh(photo)
    quotas.record_turn(session, job.account_id, photo.work_size, now)
    if job.status is Status.PENDING:
        jobs.move(session, job, Status.PROCESSING, now)
    if lease.attempt > PHOTOS.max_attempts:
        _give_up(session, job, photo, now)
        return None
    return PictureLease(
        release=engines.find_release_of_job(session, job, now),
        claim_id=lease.claim_id,
        key=photo_id,
        attempt=lease.attempt,
        job_id=job.id,
        account_id=job.account_id,
        storage_key=photo.storage_key,
        edit_request=photo.edit_request,
        # Half of the job's time. Waiting longer could delay the whole job until its time limit, when all of it is
        # refunded.
        waits_until=job.created_at + (job.deadline_at - job.created_at) / 2,
        is_last_try=lease.attempt == PHOTOS.max_attempts,
        frames=frames.list_files(session, photo_id),
        asks_server=job.livemode,
        sandbox_address=None if job.livemode else job.address,
        is_one_of_many=_has_many_waiting(session, job.account_id),
    )


def _has_many_waiting(session: Session, account_id: str) -> bool:
    waiting = (Job.account_id == account_id, is_one_of(Job.status, WORKABLE), Photo.state == WorkState.WAITING)
    return (
        len(session.scalars(select(Photo.id).join(Job).where(*waiting).limit(MANY_WAITING)).all()) == MANY_WAITING
    )


def finish(
    session: Session,
    lease: PictureLease,
    made: MadePicture,
    now: datetime,
    sha256: str | None = None,
    frame_sha256s: Sequence[str] = (),
) -> bool:
    """Store the outcome, and request small pictures of the result and of the photo. `sha256` is the digest of the
    photo's file, `frame_sha256s` are the digests of its frames; None and empty if they were not read.

    False, with nothing changed, when the claim was lost or the job ended meanwhile.
    """
    job = jobs.lock(session, lease.job_id)
    if job.status is not Status.PROCESSING or not QUEUE.finish(session, lease):
        return False
    photo = session.get_one(Photo, lease.key, populate_existing=True)
    photo.sha256 = sha256 or photo.sha256
    _store_outcome(session, job, photo, made, lease.release.version, now)
    frames.keep_digests(session, lease.key, frame_sha256s)
    if made.key is not None:
        pictures.request_result_previews(session, job.listing, made.key, made.report, now)
    return True


def retry(session: Session, lease: PictureLease, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the photo is given up after the last.

    Returns False like finish().
    """
    job = jobs.lock(session, lease.job_id)
    photo = session.scalar(select(Photo).where(QUEUE.is_held(lease)))
    if photo is None or job.status is not Status.PROCESSING:
        return False
    if photo.attempts >= PHOTOS.max_attempts:
        _give_up(session, job, photo, now)
        return True
    # Use the count in the row: since this claim, the attempt of an earlier claim that was lost may have been
    # subtracted.
    return QUEUE.retry(session, replace(lease, attempt=photo.attempts), now)


def next_due(session: Session, now: datetime, work_size: WorkSize) -> str | None:
    """The photo of this work size to process next: first the account is chosen whose last turn is longest ago, then
    its oldest job, then the photo of the job that has been due longest. Photos of test orders come after all
    others.

    So an account's single photo waits no longer than one photo takes, even if another account has thousands.
    """
    # The job is chosen first: sorting all photos of a long backlog at every turn would take longer than some turns.
    is_due_photo = and_(Photo.work_size == work_size, QUEUE.is_due(now))
    has_due_photo = select(Photo.id).where(Photo.job_id == Job.id, is_due_photo).exists()
    is_turn_of_account = and_(AccountTurn.account_id == Job.account_id, AccountTurn.work_size == work_size)
    query = select(Job.id).outerjoin(AccountTurn, is_turn_of_account)
    # A turn in the future was recorded before the clock was set back. It is ignored, or the account would wait
    # until that time.
    served_at = case((AccountTurn.served_at <= now, AccountTurn.served_at))
    order = (Job.livemode.desc(), served_at.asc().nulls_first(), Job.created_at, Job.id)
    job = query.where(is_one_of(Job.status, WORKABLE), has_due_photo).order_by(*order).limit(1).scalar_subquery()
    mine = select(Photo.id).where(Photo.job_id == job, is_due_photo)
    return session.scalar(mine.order_by(Photo.next_attempt_at, Photo.type, Photo.index).limit(1))


def due(session: Session, now: datetime, limit: int, work_size: WorkSize | None = None) -> list[str]:
    """At most `limit` due photos of this work size or any, the longest due first: waiting photos whose time has
    come, and claimed photos whose lease has expired.
    """
    workable = select(Photo.id).join(Job).where(is_one_of(Job.status, WORKABLE), QUEUE.is_due(now))
    if work_size is not None:
        workable = workable.where(Photo.work_size == work_size)
    return list(session.scalars(workable.order_by(Photo.next_attempt_at).limit(limit)))


def count_unprocessed(session: Session, job_id: str) -> int:
    """How many photos of the job are not processed yet."""
    query = select(func.count()).where(Photo.job_id == job_id, Photo.state != WorkState.DONE)
    return session.scalar(query) or 0


def _give_up(session: Session, job: Job, photo: Photo, now: datetime) -> None:
    photo.state, photo.claim_id, photo.lease_until = WorkState.DONE, None, None
    message = f"Processing did not succeed in {PHOTOS.max_attempts} tries."
    failed = MadePicture(QualityReport(reason=Reason.PROCESSING_FAILED, message=message))
    _store_outcome(session, job, photo, failed, job.engine_version, now)


def _store_outcome(
    session: Session, job: Job, photo: Photo, made: MadePicture, version: str, now: datetime
) -> None:
    """Store the outcome of the work on a photo, by this version of the engine."""
    picture, report = pictures.new(photo, AS_ORDERED, version, now), made.report
    for name, value in made.columns.items():
        setattr(picture, name, value)
    picture.made_at = now
    result = Result(job_id=photo.job_id, photo_id=photo.id, picture=picture, created_at=now)
    result.reason, result.message = report.reason, report.message
    session.add(result)
    session.flush()
    pictures.request_previews(session, photo.storage_key, now)
    facts = events.DonePhotoFacts(photo.id, result.id, photo.type, photo.index, has_picture=made.key is not None)
    jobs.record_event(session, job, EventName.PHOTO_COMPLETED, now, facts, version)
