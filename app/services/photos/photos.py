"""The work on single photos: claimed under a lease, finished behind a fence, given up after too many tries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import and_, case, func, select, update
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain.attempts import PHOTOS
from app.domain.catalogue import Cost
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, picture_label
from app.domain.edit_requests import EditRequest
from app.domain.lifecycle import WORKABLE, Status, WorkState
from app.domain.ports import Picture
from app.domain.quality import QualityReport, Reason
from app.engine_version import engine_version
from app.models import AccountTurn, Job, Photo, Result
from app.services.leases import Lease, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames
from app.services.photos.frames import FrameFile
from app.services.previews import previews
from app.services.uploads import quotas

QUEUE = WorkQueue(Photo.id, Photo.attempts, PHOTOS)
MANY = 10
"""Photos of one account that wait beside the one that is worked on."""


@dataclass(frozen=True, slots=True)
class PhotoClaim(Lease):
    """One worker's hold on one photo."""

    job_id: str
    account_id: str
    storage_key: str
    edit_request: EditRequest
    missing_until: datetime
    """So long a file may still appear in the store, or at the source of imagery: half of the job's time."""
    is_one_of_many: bool = False
    """Whether the account has many more that wait: then its photos leave the processor to those of others."""
    frames: tuple[FrameFile, ...] = ()
    """The files that become the photo, where they are more than one."""

    @property
    def is_last_try(self) -> bool:
        """Whether nothing follows when it fails."""
        return self.attempt == PHOTOS.max_attempts

    def result_key(self, picture: Picture) -> str:
        """Where this claim's picture lies; another claim's lies elsewhere, so neither can spoil the other."""
        return f"{results_prefix(self.job_id)}{self.key}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """What came of the work: a stored picture with its report, or only the report that says why not.

    `picture` is as it was stored, and `sha256` its digest; `picture_sha256` is that of what the engine encoded.
    `original_sha256` is that of the photo, None where it was not read; `frame_sha256s` those of its frames.
    """

    report: QualityReport
    picture: Picture | None = None
    key: str | None = None
    sha256: str | None = None
    picture_sha256: str | None = None
    credentials: CredentialKind | None = None
    original_sha256: str | None = None
    frame_sha256s: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CallLimits:
    """How many calls to a generative server one job may cost, and all orders of 24 hours together.

    `check` raises ServerBusyError while the server is not to be asked at all.
    """

    per_job: int = 0
    per_day: int | None = None
    check: Callable[[], None] = lambda: None


def results_prefix(job_id: str) -> str:
    """Where all results of a job lie."""
    return f"results/{job_id}/"


def claim(session: Session, photo_id: str, now: datetime) -> PhotoClaim | None:
    """Take the photo if it is due and nobody else's. The first claim of a job moves it to processing.

    None when there is nothing to do: also when the photo's workers died too often and it was given up.
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
    quotas.record_turn(session, job.account_id, photo.cost, now)
    if job.status is Status.PENDING:
        jobs.move(session, job, Status.PROCESSING, now)
    if held.attempt > PHOTOS.max_attempts:
        _give_up(session, job, photo, now)
        return None
    half_time = job.created_at + (job.deadline_at - job.created_at) / 2
    many = _has_many(session, job.account_id)
    asked = photo.edit_request
    whose = job.id, job.account_id
    files = frames.list_files(session, photo_id)
    when = half_time, many
    return PhotoClaim(held.claim_id, photo_id, held.attempt, *whose, photo.storage_key, asked, *when, files)


def _has_many(session: Session, account_id: str) -> bool:
    waiting = (Job.account_id == account_id, is_one_of(Job.status, WORKABLE), Photo.state == WorkState.WAITING)
    return len(session.scalars(select(Photo.id).join(Job).where(*waiting).limit(MANY)).all()) == MANY


def spend(session: Session, job_id: str, limits: CallLimits, now: datetime) -> bool:
    """Count one more paid call for the job; False, with nothing counted, once a limit is reached."""
    if limits.per_day is not None and _calls_of_a_day(session, now) >= limits.per_day:
        return False
    below_limit = update(Job).where(Job.id == job_id, Job.generative_calls < limits.per_job)
    counted = below_limit.values(generative_calls=Job.generative_calls + 1).returning(Job.id)
    return session.execute(counted.execution_options(synchronize_session=False)).first() is not None


def _calls_of_a_day(session: Session, now: datetime) -> int:
    """Calls for the orders of the last 24 hours. Calls at the same moment do not see each other."""
    return (
        session.scalar(select(func.sum(Job.generative_calls)).where(Job.created_at > now - timedelta(days=1))) or 0
    )


def give_back_attempt(session: Session, held: PhotoClaim) -> None:
    """Take back the try of a claim that was lost because its holder could not reach the database to renew it."""
    open_ = and_(Photo.id == held.key, Photo.state != WorkState.DONE, Photo.attempts > 0)
    QUEUE.change(session, open_, attempts=Photo.attempts - 1)


def finish(session: Session, held: PhotoClaim, outcome: PhotoOutcome, now: datetime) -> bool:
    """Keep the outcome, and want small pictures of it and of the photo itself.

    False, with nothing changed, when the claim was lost or the job ended meanwhile.
    """
    job = jobs.lock(session, held.job_id)
    if job.status is not Status.PROCESSING or not QUEUE.finish(session, held):
        return False
    _keep(session, held.job_id, held.key, outcome, now)
    if outcome.original_sha256 is not None:
        QUEUE.change(session, Photo.id == held.key, sha256=outcome.original_sha256)
    frames.keep_digests(session, held.key, outcome.frame_sha256s)
    request_previews(session, held.storage_key, now)
    if outcome.key is not None:
        request_result_previews(session, job.listing, outcome.key, outcome.report, now)
    return True


def retry(session: Session, held: PhotoClaim, now: datetime) -> bool:
    """The processing broke: let another try follow, later each time, or give up after the last.

    False like finish().
    """
    job = jobs.lock(session, held.job_id)
    photo = session.scalar(select(Photo).where(QUEUE.is_held(held)))
    if photo is None or job.status is not Status.PROCESSING:
        return False
    if photo.attempts >= PHOTOS.max_attempts:
        _give_up(session, job, photo, now)
        return True
    # Not the claim's own count: that of a claim lost before may have been taken back since.
    return QUEUE.retry(session, replace(held, attempt=photo.attempts), now)


def request_previews(session: Session, photo_key: str, now: datetime) -> None:
    """Want small pictures of a photo."""
    previews.request(session, photo_key, _folder_of(photo_key), now)


def request_public_copy(session: Session, photo_key: str, now: datetime) -> None:
    """Want a copy of a photo that says nothing beside the picture."""
    previews.request_public(session, photo_key, _folder_of(photo_key), now)


def request_result_previews(
    session: Session, listing: Listing, result_key: str, report: QualityReport, now: datetime
) -> None:
    """Want small pictures of a result, and a copy with what must be disclosed where it is advertised, unless words
    in pictures are forbidden there.
    """
    label = picture_label(listing, report.applied)
    previews.request(session, result_key, _folder_of(result_key), now, label)


def _folder_of(key: str) -> str:
    return key[: key.rindex("/") + 1]


def next_due(session: Session, now: datetime, cost: Cost) -> str | None:
    """The photo of this cost whose turn it is: of the account that waited longest for one, in its oldest job,
    longest due.

    So one account's thousands of photos keep another's single one from starting no longer than one photo takes.
    """
    # The job first: to sort all photos of a long backlog at every turn would take longer than some turns.
    wanted = and_(Photo.cost == cost, QUEUE.is_due(now))
    is_due = select(Photo.id).where(Photo.job_id == Job.id, wanted).exists()
    its_turn = and_(AccountTurn.account_id == Job.account_id, AccountTurn.cost == cost)
    every = select(Job.id).outerjoin(AccountTurn, its_turn)
    # A turn in the future is of before the clock was set back: else its account would wait until that time comes.
    served_at = case((AccountTurn.served_at <= now, AccountTurn.served_at))
    turns = (served_at.asc().nulls_first(), Job.created_at, Job.id)
    job = every.where(is_one_of(Job.status, WORKABLE), is_due).order_by(*turns).limit(1).scalar_subquery()
    mine = select(Photo.id).where(Photo.job_id == job, wanted)
    return session.scalar(mine.order_by(Photo.next_attempt_at, Photo.type, Photo.index).limit(1))


def due(session: Session, now: datetime, limit: int, cost: Cost | None = None) -> list[str]:
    """The photos longest due, of this cost or of any: waiting ones whose time has come, and claims whose lease ran
    out.
    """
    workable = select(Photo.id).join(Job).where(is_one_of(Job.status, WORKABLE), QUEUE.is_due(now))
    if cost is not None:
        workable = workable.where(Photo.cost == cost)
    return list(session.scalars(workable.order_by(Photo.next_attempt_at).limit(limit)))


def remaining(session: Session, job_id: str) -> int:
    """How many photos of the job are not done."""
    open_ = select(func.count()).where(Photo.job_id == job_id, Photo.state != WorkState.DONE)
    return session.scalar(open_) or 0


def _give_up(session: Session, job: Job, photo: Photo, now: datetime) -> None:
    photo.state, photo.claim_id, photo.lease_until = WorkState.DONE, None, None
    message = f"Processing did not succeed in {PHOTOS.max_attempts} tries."
    report = QualityReport(reason=Reason.PROCESSING_FAILED, message=message)
    _keep(session, job.id, photo.id, PhotoOutcome(report), now)
    request_previews(session, photo.storage_key, now)


def _keep(session: Session, job_id: str, photo_id: str, outcome: PhotoOutcome, now: datetime) -> None:
    picture, report = outcome.picture, outcome.report
    result = Result(
        job_id=job_id,
        photo_id=photo_id,
        reason=report.reason,
        message=report.message,
        report=report.model_dump(mode="json"),
        storage_key=outcome.key,
        created_at=now,
        engine_version=engine_version(),
        sha256=outcome.sha256,
        picture_sha256=outcome.picture_sha256,
        credentials=outcome.credentials,
    )
    if picture is not None:
        result.media_type, result.size_bytes = picture.media_type, len(picture.content)
        result.width, result.height = picture.width, picture.height
    session.add(result)
    session.flush()
