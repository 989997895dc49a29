"""Stored pictures: requested, claimed under a lease, made or given up.

The work on a photo makes its first picture, see photos.py. Every other picture is a row of work here. The owner of
a result requests it without some steps, see variants.py, or a round in which the result was sent back requests it.
If both request the same picture, it is made once. The worker is make_pictures.py. Files are stored among the job's
results and removed with them.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import PICTURES
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, picture_label
from app.domain.engines import EngineRelease
from app.domain.lifecycle import WorkState
from app.domain.pictures import AS_ORDERED, PictureSettings
from app.domain.ports import PHOTO_QUEUES
from app.domain.variants import VariantObstacle
from app.models import Job, Photo, Revision, StoredPicture
from app.services import engines
from app.services.leases import Lease, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames
from app.services.photos.frames import FrameFile
from app.services.previews import previews
from engine.types.appearance import SharedAppearance
from engine.types.edit_request import EditRequest
from engine.types.enhancements import WorkSize
from engine.types.pictures import Picture
from engine.types.report import QualityReport

log = logging.getLogger(__name__)

QUEUE = WorkQueue(StoredPicture.id, StoredPicture.attempts, PICTURES)
MAX_SERVER_WAIT = timedelta(minutes=30)
"""How long a round waits for a generative server that is unavailable."""


@dataclass(frozen=True, slots=True)
class PictureLease(Lease):
    """One worker's lease on a picture, and what the picture is made from. `key` is the id of the picture's row or,
    for a first picture, of its photo. `sha256`: the digest of the photo's file, where it is known; `frames`: the
    frames of a photo in several exposures.

    `waits_until`: until then the work may be put off when something that it needs is unavailable. `asks_server`:
    whether a generative server may be asked. `release`: of the engine that makes the picture.
    """

    release: EngineRelease
    job_id: str
    account_id: str
    storage_key: str
    edit_request: EditRequest
    waits_until: datetime
    is_last_try: bool
    """Whether no attempt follows when this one fails."""
    frames: tuple[FrameFile, ...] = ()
    sha256: str | None = None
    settings: PictureSettings = AS_ORDERED
    appearance: SharedAppearance | None = None
    """The appearance that the job's photos share; None if it is not determined yet."""
    asks_server: bool = True
    sandbox_address: str | None = None
    """The address of a test order, which may ask for an outcome; None for all others."""
    is_one_of_many: bool = False
    """Whether the account has many more photos that wait. Then the worker lowers its priority."""

    def picture_key(self, picture: Picture) -> str:
        """The storage key of this claim's picture. Another claim has another key, so that neither overwrites the
        other's file.
        """
        return f"{results_prefix(self.job_id)}{self.key}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class MadePicture:
    """The outcome of the work: a stored picture with its report, or only a report that says why there is none.

    `picture` is the stored picture and `sha256` its digest; `picture_sha256` is the digest of what the engine
    encoded, before it was signed. `before`: see Enhanced.
    """

    report: QualityReport
    picture: Picture | None = None
    key: str | None = None
    sha256: str | None = None
    picture_sha256: str | None = None
    credentials: CredentialKind | None = None
    before: bytes | None = None

    @property
    def columns(self) -> dict[str, object]:
        """The values of the columns of the picture's row."""
        if self.picture is None:
            return {"report": self.report}
        return {
            "report": self.report,
            "storage_key": self.key,
            "media_type": self.picture.media_type,
            "width": self.picture.width,
            "height": self.picture.height,
            "size_bytes": len(self.picture.content),
            "sha256": self.sha256,
            "picture_sha256": self.picture_sha256,
            "credentials": self.credentials,
        }


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How many paid calls to a generative server one job may make (`per_job`), and all orders of 24 hours together
    (`per_day`; None means any number).

    `check` raises ServerBusyError while the server must not be called.
    """

    per_job: int = 0
    per_day: int | None = None
    check: Callable[[], None] = lambda: None


def results_prefix(job_id: str) -> str:
    """The prefix of the keys of all results of a job."""
    return f"results/{job_id}/"


def new(photo: Photo, settings: PictureSettings, version: str, now: datetime) -> StoredPicture:
    """A new row for a picture of a photo, by this version of the engine. No worker makes it before request() queues
    it.
    """
    picture = StoredPicture(job_id=photo.job_id, photo_id=photo.id, settings=settings, settings_key=settings.key)
    picture.engine_version, picture.work_size = version, settings.request_for(photo.edit_request).work_size
    picture.created_at = picture.next_attempt_at = now
    picture.state, picture.is_variant = WorkState.DONE, False
    return picture


def find(session: Session, photo: Photo, settings: PictureSettings, version: str) -> StoredPicture | None:
    """The photo's picture with these settings by this version of the engine; None if there is none."""
    return session.scalar(
        select(StoredPicture).where(
            StoredPicture.photo_id == photo.id,
            StoredPicture.settings_key == settings.key,
            StoredPicture.engine_version == version,
        )
    )


def request(
    session: Session, photo: Photo, settings: PictureSettings, version: str, now: datetime
) -> StoredPicture:
    """Request the picture of a locked job's photo with these settings by this version of the engine. A picture that
    is made, or being made, stays as it is; otherwise it waits for a worker, which is notified after the commit.
    """
    picture = find(session, photo, settings, version)
    if picture is None:
        picture = new(photo, settings, version, now)
        session.add(picture)
    elif picture.storage_key is not None or not picture.is_settled:
        return picture
    picture.state, picture.attempts, picture.next_attempt_at = WorkState.WAITING, 0, now
    picture.error = picture.report = None
    session.flush()
    notify_after_commit(session, PHOTO_QUEUES[picture.work_size], [picture.id])
    return picture


def cancel(picture: StoredPicture) -> None:
    """Cancel a picture that is not made yet, unless its owner requested it as a variant; unfinished work on it is
    lost.
    """
    if not picture.is_variant and not picture.is_settled:
        picture.state, picture.claim_id, picture.lease_until = WorkState.DONE, None, None


def next_seed(session: Session, photo_id: str) -> int:
    """A seed that no picture of the photo has had."""
    tried = session.scalars(select(StoredPicture.settings).where(StoredPicture.photo_id == photo_id))
    return max((each.photo_seed for each in tried), default=0) + 1


def claim(session: Session, picture_id: str, now: datetime) -> PictureLease | None:
    """Claim the picture if it is due and no other worker has claimed it. The attempt is counted now, however it
    ends.

    None when there is nothing to do, also when the picture is given up now, because its workers died too often or
    the engine version that made a variant's result was removed.
    """
    job_id = session.scalar(select(StoredPicture.job_id).where(StoredPicture.id == picture_id))
    if job_id is None:
        return None
    jobs.lock(session, job_id)
    lease = QUEUE.claim(session, picture_id, now)
    if lease is None:
        return None
    query = select(StoredPicture, Photo, Job).join(Photo, Photo.id == StoredPicture.photo_id)
    query = query.join(Job, Job.id == StoredPicture.job_id).where(StoredPicture.id == picture_id)
    picture, photo, job = session.execute(query, execution_options={"populate_existing": True}).one()
    begun_at = _find_round_start(session, picture_id)
    if lease.attempt > PICTURES.max_attempts:
        give_up(session, lease, VariantObstacle.PROCESSING_FAILED)
        return None
    if engines.find_release(session, picture.engine_version) is None and begun_at is not None:
        _update_engine(session, picture, job.account_id, now)
    release = engines.find_release(session, picture.engine_version)
    if release is None:
        give_up(session, lease, VariantObstacle.ENGINE_CHANGED)
        return None
    return PictureLease(
        release=release,
        claim_id=lease.claim_id,
        key=lease.key,
        attempt=lease.attempt,
        job_id=job.id,
        account_id=job.account_id,
        storage_key=photo.storage_key,
        edit_request=picture.settings.request_for(photo.edit_request),
        waits_until=(begun_at or now) + MAX_SERVER_WAIT,
        is_last_try=lease.attempt >= PICTURES.max_attempts,
        frames=frames.list_files(session, photo.id),
        sha256=photo.sha256,
        settings=picture.settings,
        appearance=job.shared_appearance or SharedAppearance(),
        # A generative server would also change other parts, so the result would differ by more than the steps. No
        # test order asks it, because each call costs money.
        asks_server=job.livemode and begun_at is not None and not picture.is_variant,
        sandbox_address=None if job.livemode else job.address,
    )


def finish(session: Session, lease: PictureLease, made: MadePicture, now: datetime) -> bool:
    """Store the outcome, and request small pictures of the result and its labeled copy; returns False, with nothing
    changed, when the claim was lost or the job's pictures are gone.
    """
    job = jobs.lock(session, lease.job_id)
    # Where the job's pictures are gone, this row is gone too.
    if not QUEUE.finish(session, lease, **made.columns, made_at=now):
        return False
    if made.key is not None:
        request_result_previews(session, job.listing, made.key, made.report, now)
    return True


def give_up(session: Session, lease: Lease, why: VariantObstacle) -> bool:
    """Record that the picture cannot be made, and why; False when the claim was lost."""
    return QUEUE.finish(session, lease, error=why)


def retry(session: Session, lease: PictureLease, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the picture is given up after the last. Returns
    False like give_up().
    """
    jobs.lock(session, lease.job_id)
    if lease.is_last_try:
        return give_up(session, lease, VariantObstacle.PROCESSING_FAILED)
    return QUEUE.retry(session, lease, now)


def due(session: Session, now: datetime, limit: int, work_size: WorkSize) -> list[str]:
    """At most `limit` pictures of this work size, the longest due first."""
    mine = select(StoredPicture.id).where(QUEUE.is_due(now), StoredPicture.work_size == work_size)
    return list(session.scalars(mine.order_by(StoredPicture.next_attempt_at).limit(limit)))


def spend(session: Session, job_id: str, limits: CallLimits, now: datetime) -> bool:
    """Count one more paid call for the job; False, with nothing counted, once a limit is reached."""
    if limits.per_day is not None and _count_calls_of_last_day(session, now) >= limits.per_day:
        return False
    below_limit = update(Job).where(Job.id == job_id, Job.generative_calls < limits.per_job)
    counted = below_limit.values(generative_calls=Job.generative_calls + 1).returning(Job.id)
    return session.execute(counted.execution_options(synchronize_session=False)).first() is not None


def request_previews(session: Session, photo_key: str, now: datetime) -> None:
    """Request small pictures of a photo."""
    previews.request(session, photo_key, _folder_of(photo_key), now)


def request_public_copy(session: Session, photo_key: str, now: datetime) -> None:
    """Request a copy of a photo for public pages, without metadata."""
    previews.request_public(session, photo_key, _folder_of(photo_key), now)


def request_result_previews(
    session: Session, listing: Listing, result_key: str, report: QualityReport, now: datetime
) -> None:
    """Request small pictures of a result, and a labeled copy with what must be disclosed where the property is
    advertised, unless words in pictures are forbidden there.
    """
    label = picture_label(listing, report.applied)
    previews.request(session, result_key, _folder_of(result_key), now, label)


def _folder_of(key: str) -> str:
    return key[: key.rindex("/") + 1]


def _count_calls_of_last_day(session: Session, now: datetime) -> int:
    """Count the calls for orders of the last 24 hours. Calls at the same moment may exceed the limit together."""
    return (
        session.scalar(select(func.sum(Job.generative_calls)).where(Job.created_at > now - timedelta(days=1))) or 0
    )


def _find_round_start(session: Session, picture_id: str) -> datetime | None:
    """When the open round that waits for the picture began; None if no round waits for it."""
    return session.scalar(
        select(Revision.created_at).where(Revision.made_id == picture_id, Revision.outcome.is_(None))
    )


def _update_engine(session: Session, picture: StoredPicture, account_id: str, now: datetime) -> None:
    """Let the version that the account would get now make a picture that a round waits for, because the version
    that was to make it was removed. Does nothing where that version has such a picture already.
    """
    photo = session.get_one(Photo, picture.photo_id)
    version = engines.find_version(session, account_id, now)
    if find(session, photo, picture.settings, version) is None:
        log.warning("%s: the engine %s was removed; %s makes it", picture.id, picture.engine_version, version)
        picture.engine_version = version
