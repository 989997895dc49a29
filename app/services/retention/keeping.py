"""Photos and results that an owner keeps longer than usual: kept, counted, and released."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from app.domain.errors import Conflict, KeepQuotaExceeded
from app.domain.lifecycle import DOWNLOADABLE, UNSETTLED
from app.domain.retention import RESULTS_KEPT, TEST_RESULTS_KEPT, Keeping
from app.domain.security_events import SecurityEvent
from app.models import AccountUse, Job, Photo, PhotoFrame, Result, StoredPicture
from app.services import security_log
from app.services.accounts import organizations
from app.services.orders import jobs, properties
from app.services.uploads import quotas

BATCH = 100
MAX_LISTED = 50
"""The maximum number of kept orders that are listed, the largest first."""


@dataclass(frozen=True, slots=True)
class KeptUse:
    """What an account keeps: how many bytes, and its largest orders; `has_more`: whether it keeps others, too.
    `always`: whether it keeps every order.
    """

    size_bytes: int
    largest: Sequence[Job]
    has_more: bool
    always: bool


def keep(session: Session, account_id: str, property_id: str, limit_bytes: int, now: datetime) -> None:
    """Keep all orders of the property for RESULTS_KEPT from now; orders that are not finished are kept as soon as
    they are ready. Orders that are kept already are kept longer.

    Raises NotFound, Conflict for test orders and if the photos of all orders are gone, and KeepQuotaExceeded; then
    nothing is kept.
    """
    found = _lock(session, account_id, property_id)
    if not all(job.livemode for job in found):
        raise Conflict(f"Photos of test orders are kept for {TEST_RESULTS_KEPT.days} days at most.")
    keepable = [job for job in found if job.expired_at is None and job.status in {*DOWNLOADABLE, *UNSETTLED}]
    if not keepable:
        raise Conflict("There are no photos to keep: they were removed, or the order was refunded.")
    sizes = measure(session, keepable)
    for job in keepable:
        if job.status in UNSETTLED:
            job.keeping = Keeping.WANTED
        else:
            _keep(session, job, sizes[job.id], limit_bytes, now)
    about = keepable[0].address
    security_log.record_activity(session, SecurityEvent.PHOTOS_KEPT, account_id, about, now, job=keepable[0].id)


def stop(session: Session, account_id: str, property_id: str, now: datetime) -> None:
    """Stop keeping the orders of the property longer than usual; harmless to repeat. The next sweep removes
    pictures whose usual time is over. Raises NotFound.
    """
    found = [job for job in _lock(session, account_id, property_id) if job.expired_at is None]
    if any(job.keeping in {Keeping.KEPT, Keeping.WANTED} for job in found):
        about = found[0].address
        security_log.record_activity(
            session, SecurityEvent.KEEPING_STOPPED, account_id, about, now, job=found[0].id
        )
    for job in found:
        release(session, job)
        job.keeping = Keeping.STOPPED


def keep_always(session: Session, account_id: str, always: bool, now: datetime) -> None:
    """Store whether the account keeps every order. Switching it on also keeps orders whose photos are not removed
    yet and about which nobody decided; switching it off changes no order that is or will be kept.
    """
    if always:
        undecided = or_(Job.keeping.is_(None), Job.keeping == Keeping.NO_ROOM)
        mine = select(Job).where(Job.account_id == account_id, Job.expired_at.is_(None), undecided)
        # Jobs are locked before the organization, in the order of their ids, as in all code that locks several of
        # these rows.
        for job in session.scalars(mine.order_by(Job.id).with_for_update()):
            job.keeping = Keeping.WANTED
        session.flush()
    organizations.get(session, account_id, lock=True).keeps_photos = always
    organizations.record_settings(session, account_id, "Kept photos", now)


def list_wanted(session: Session, now: datetime) -> list[str]:
    """The ids of at most BATCH settled jobs that are to be kept, the oldest first."""
    wanted = select(Job.id).where(Job.keeping == Keeping.WANTED, Job.expired_at.is_(None), Job.settled_at <= now)
    return list(session.scalars(wanted.order_by(Job.settled_at).limit(BATCH)))


def keep_wanted(session: Session, job_id: str, limit_bytes: int, now: datetime) -> None:
    """Keep a settled job that is to be kept, if it has results and there is room."""
    job = jobs.lock(session, job_id)
    if job.keeping is not Keeping.WANTED or job.expired_at is not None:
        return
    if job.status not in DOWNLOADABLE:
        job.keeping = None
        return
    try:
        _keep(session, job, measure(session, [job])[job.id], limit_bytes, now)
    except KeepQuotaExceeded:
        job.keeping = Keeping.NO_ROOM


def release(session: Session, job: Job) -> None:
    """Stop counting a locked job in the account's storage, and forget until when it is kept."""
    if job.kept_until is not None:
        quotas.release_kept(session, job.account_id, job.kept_bytes)
        job.kept_until, job.kept_bytes = None, 0


def measure(session: Session, found: Sequence[Job]) -> Mapping[str, int]:
    """The bytes of each job's photos, with all frames, and of its results, by job id. Smaller copies are not
    counted.
    """
    job_ids = [job.id for job in found]
    # A photo of several frames is stored as its frames.
    frames = select(Photo.job_id, func.sum(PhotoFrame.size_bytes)).join(PhotoFrame, PhotoFrame.photo_id == Photo.id)
    has_frames = select(PhotoFrame.photo_id).where(PhotoFrame.photo_id == Photo.id).exists()
    single = select(Photo.job_id, func.sum(Photo.size_bytes)).where(~has_frames)
    pictures = select(Result.job_id, func.sum(StoredPicture.size_bytes))
    pictures = pictures.join(StoredPicture, StoredPicture.id == Result.picture_id)
    sizes = dict.fromkeys(job_ids, 0)
    for query, job_id in ((frames, Photo.job_id), (single, Photo.job_id), (pictures, Result.job_id)):
        for row in session.execute(query.where(job_id.in_(job_ids)).group_by(job_id)):
            sizes[row[0]] += int(row[1] or 0)
    return sizes


def read_use(session: Session, account_id: str) -> KeptUse:
    """What the account keeps, in three queries."""
    use = session.get(AccountUse, account_id)
    mine = (Job.account_id == account_id, Job.kept_until.is_not(None), Job.expired_at.is_(None))
    largest = select(Job).where(*mine).order_by(Job.kept_bytes.desc(), Job.id.desc()).limit(MAX_LISTED + 1)
    found = session.scalars(largest).all()
    always = organizations.keeps_photos(session, account_id)
    return KeptUse(use.kept_bytes if use else 0, found[:MAX_LISTED], len(found) > MAX_LISTED, always)


def _lock(session: Session, account_id: str, property_id: str) -> list[Job]:
    found = properties.find(session, account_id, property_id)
    # Locked in the order of their ids, so that two requests for the same jobs never wait for each other.
    return [jobs.lock(session, job_id) for job_id in sorted(job.id for job in found)]


def _keep(session: Session, job: Job, size_bytes: int, limit_bytes: int, now: datetime) -> None:
    release(session, job)
    quotas.reserve_kept(session, job.account_id, size_bytes, limit_bytes)
    job.keeping, job.kept_until, job.kept_bytes = Keeping.KEPT, now + RESULTS_KEPT, size_bytes
