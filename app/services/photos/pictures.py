"""Stored pictures: requested, claimed under a lease, made or given up.

The first picture of a photo is made by the work on the photo, see photos.py; every other is a row of work here. It
is requested by the owner of a result, without some steps, see variants.py, or by a round in which a result was sent
back; the same picture is made once for all of them. The worker is make_pictures.py. Files are stored among the
job's results and removed with them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import PICTURES
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, picture_label
from app.domain.lifecycle import WorkState
from app.domain.pictures import AS_ORDERED, PictureSettings
from app.domain.ports import PHOTO_QUEUES
from app.domain.variants import NoVariant
from app.models import Job, Photo, Revision, StoredPicture
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
from engine.version import engine_version

QUEUE = WorkQueue(StoredPicture.id, StoredPicture.attempts, PICTURES)
WAITS_FOR_SERVER = timedelta(minutes=30)
"""How long a round waits for a generative server that is unavailable."""


@dataclass(frozen=True, slots=True)
class PictureLease(Lease):
    """One worker's hold on a picture, and what the picture is made from. `key` is the id of the picture's row or,
    for a first picture, of its photo. `sha256`: of the photo, where it is known; `frames`: of a photo in several
    exposures.

    `waits_until`: until then the work may be put off when something that it needs is unavailable. `asks_server`:
    whether a generative server may be asked.
    """

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
    """The appearance that the job's photos share; None where it is still to be found."""
    asks_server: bool = True
    is_one_of_many: bool = False
    """Whether the account has many more photos that wait: then the work gives way to that for other accounts."""

    def picture_key(self, picture: Picture) -> str:
        """The storage key of this claim's picture. Another claim has another key, so that neither overwrites the
        other's file.
        """
        return f"{results_prefix(self.job_id)}{self.key}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class MadePicture:
    """What came of the work: a stored picture with its report, or only a report that says why there is none.

    `picture` is as it was stored, with the digest `sha256`; `picture_sha256` is the digest of what the engine
    encoded, before it was signed.
    """

    report: QualityReport
    picture: Picture | None = None
    key: str | None = None
    sha256: str | None = None
    picture_sha256: str | None = None
    credentials: CredentialKind | None = None

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

    `check` raises ServerBusyError while the server is not to be asked at all.
    """

    per_job: int = 0
    per_day: int | None = None
    check: Callable[[], None] = lambda: None


def results_prefix(job_id: str) -> str:
    """The prefix of the keys of all results of a job."""
    return f"results/{job_id}/"


def new(photo: Photo, settings: PictureSettings, now: datetime) -> StoredPicture:
    """A new picture of a photo, which is not made and which no worker has to make yet."""
    picture = StoredPicture(job_id=photo.job_id, photo_id=photo.id, settings=settings, settings_key=settings.key)
    picture.engine_version, picture.work_size = engine_version(), settings.request_for(photo.edit_request).work_size
    picture.created_at = picture.next_attempt_at = now
    picture.state, picture.is_variant = WorkState.DONE, False
    return picture


def find(session: Session, photo: Photo, settings: PictureSettings) -> StoredPicture | None:
    """The photo's picture with these settings by the present engine version; None where there is none."""
    return session.scalar(
        select(StoredPicture).where(
            StoredPicture.photo_id == photo.id,
            StoredPicture.settings_key == settings.key,
            StoredPicture.engine_version == engine_version(),
        )
    )


def request(session: Session, photo: Photo, settings: PictureSettings, now: datetime) -> StoredPicture:
    """Request the picture of a locked job's photo with these settings. A picture that is made, or being made, stays
    as it is; else a worker is notified after the commit.
    """
    picture = find(session, photo, settings)
    if picture is None:
        picture = new(photo, settings, now)
        session.add(picture)
    elif picture.storage_key is not None or not picture.is_settled:
        return picture
    picture.state, picture.attempts, picture.next_attempt_at = WorkState.WAITING, 0, now
    picture.error = picture.report = None
    session.flush()
    notify_after_commit(session, PHOTO_QUEUES[picture.work_size], [picture.id])
    return picture


def drop(picture: StoredPicture) -> None:
    """Cancel a picture that is not made yet, unless its owner requested it as a variant; a worker's unfinished work
    is dropped.
    """
    if not picture.is_variant and not picture.is_settled:
        picture.state, picture.claim_id, picture.lease_until = WorkState.DONE, None, None


def next_seed(session: Session, photo_id: str) -> int:
    """A seed that no picture of the photo has had."""
    tried = session.scalars(select(StoredPicture.settings).where(StoredPicture.photo_id == photo_id))
    return max((each.photo_seed for each in tried), default=0) + 1


def claim(session: Session, picture_id: str, now: datetime) -> PictureLease | None:
    """Claim the picture if it is due and no other worker has claimed it; the attempt counts, however it ends.

    None when there is nothing to do, also when the picture is given up now, because its workers died too often or
    the engine version has changed since a variant's result was made.
    """
    job_id = session.scalar(select(StoredPicture.job_id).where(StoredPicture.id == picture_id))
    if job_id is None:
        return None
    jobs.lock(session, job_id)
    held = QUEUE.claim(session, picture_id, now)
    if held is None:
        return None
    query = select(StoredPicture, Photo, Job).join(Photo, Photo.id == StoredPicture.photo_id)
    query = query.join(Job, Job.id == StoredPicture.job_id).where(StoredPicture.id == picture_id)
    picture, photo, job = session.execute(query, execution_options={"populate_existing": True}).one()
    begun_at = _find_round_start(session, picture_id)
    if held.attempt > PICTURES.max_attempts:
        give_up(session, held, NoVariant.PROCESSING_FAILED)
        return None
    if picture.engine_version != engine_version() and not _update_engine(session, picture, begun_at):
        give_up(session, held, NoVariant.ENGINE_CHANGED)
        return None
    return PictureLease(
        claim_id=held.claim_id,
        key=held.key,
        attempt=held.attempt,
        job_id=job.id,
        account_id=job.account_id,
        storage_key=photo.storage_key,
        edit_request=picture.settings.request_for(photo.edit_request),
        waits_until=(begun_at or now) + WAITS_FOR_SERVER,
        is_last_try=held.attempt >= PICTURES.max_attempts,
        frames=frames.list_files(session, photo.id),
        sha256=photo.sha256,
        settings=picture.settings,
        appearance=job.shared_appearance or SharedAppearance(),
        # A generative server changes more than the steps that are left out, so its picture would be no variant.
        asks_server=begun_at is not None and not picture.is_variant,
    )


def finish(session: Session, held: PictureLease, made: MadePicture, now: datetime) -> bool:
    """Store what was made, and request small pictures of it and its labeled copy; False, with nothing changed, when
    the claim was lost or the job's pictures are gone.
    """
    job = jobs.lock(session, held.job_id)
    # Where the job's pictures are gone, this row is gone too.
    if not QUEUE.finish(session, held, **made.columns, made_at=now):
        return False
    if made.key is not None:
        request_result_previews(session, job.listing, made.key, made.report, now)
    return True


def give_up(session: Session, held: Lease, why: NoVariant) -> bool:
    """Record that the picture cannot be made, and why; False when the claim was lost."""
    return QUEUE.finish(session, held, error=why)


def retry(session: Session, held: PictureLease, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the picture is given up after the last. False
    like give_up().
    """
    jobs.lock(session, held.job_id)
    if held.is_last_try:
        return give_up(session, held, NoVariant.PROCESSING_FAILED)
    return QUEUE.retry(session, held, now)


def due(session: Session, now: datetime, limit: int, work_size: WorkSize) -> list[str]:
    """At most `limit` pictures of this work size, the longest due first."""
    mine = select(StoredPicture.id).where(QUEUE.is_due(now), StoredPicture.work_size == work_size)
    return list(session.scalars(mine.order_by(StoredPicture.next_attempt_at).limit(limit)))


def spend(session: Session, job_id: str, limits: CallLimits, now: datetime) -> bool:
    """Count one more paid call for the job; False, with nothing counted, once a limit is reached."""
    if limits.per_day is not None and _calls_of_a_day(session, now) >= limits.per_day:
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


def _calls_of_a_day(session: Session, now: datetime) -> int:
    """Calls for the orders of the last 24 hours. Calls at the same moment do not see each other."""
    return (
        session.scalar(select(func.sum(Job.generative_calls)).where(Job.created_at > now - timedelta(days=1))) or 0
    )


def _find_round_start(session: Session, picture_id: str) -> datetime | None:
    """When the open round began that waits for the picture; None where there is none."""
    return session.scalar(
        select(Revision.created_at).where(Revision.made_id == picture_id, Revision.outcome.is_(None))
    )


def _update_engine(session: Session, picture: StoredPicture, begun_at: datetime | None) -> bool:
    """Let the present engine version make a picture that a round waits for, although it was requested of another
    version. False where the present version has made this picture already, and where no round waits for it.
    """
    photo = session.get_one(Photo, picture.photo_id)
    if begun_at is None or find(session, photo, picture.settings) is not None:
        return False
    picture.engine_version = engine_version()
    return True
