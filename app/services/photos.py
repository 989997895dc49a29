"""The work on single photos: claimed under a lease, finished behind a fence, given up after too many tries."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Update, and_, case, func, or_, select, update
from sqlalchemy.orm import Session

from app.domain.catalogue import disclosure_of
from app.domain.lifecycle import WORKABLE, Status, WorkState
from app.domain.ports import EditRequest, Picture
from app.domain.quality import QualityReport, Reason
from app.models import AccountUse, Job, Photo, Result
from app.services import jobs, orders, previews, shares

LEASE = timedelta(seconds=30)
"""A claim whose holder shows no sign of life for this long may be taken over."""
MAX_ATTEMPTS = 3
RETRY_DELAYS = (timedelta(seconds=5), timedelta(seconds=30))
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 10, 20, 40, 60))
"""Before the next look at a store or a database that was away; the last again and again until the job ends."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One worker's hold on one photo. `claim_id` is the fence: only its holder can finish."""

    claim_id: str
    photo_id: str
    job_id: str
    storage_key: str
    wish: EditRequest
    is_last_try: bool
    missing_until: datetime
    """So long a file may still appear in the store, or at the source of imagery: half of the job's time."""

    def result_key(self, picture: Picture) -> str:
        """Where this claim's picture lies; another claim's lies elsewhere, so neither can spoil the other."""
        return f"{results_prefix(self.job_id)}{self.photo_id}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the work: a stored picture with its report, or only the report that says why not."""

    report: QualityReport
    picture: Picture | None = None
    key: str | None = None


def results_prefix(job_id: str) -> str:
    """Where all results of a job lie."""
    return f"results/{job_id}/"


def claim(session: Session, photo_id: str, now: datetime) -> Claim | None:
    """Take the photo if it is due and nobody else's. The first claim of a job moves it to processing.

    None when there is nothing to do: also when the photo's workers died too often and it was given up.
    """
    photo = session.get(Photo, photo_id)
    if photo is None:
        return None
    job = jobs.lock(session, photo.job_id)
    claim_id = uuid.uuid4().hex
    if job.status not in WORKABLE or not _take(session, photo_id, claim_id, now):
        return None
    session.refresh(photo)
    shares.note_turn(session, job.account_id, now)
    if job.status is Status.PENDING:
        jobs.move(session, job, Status.PROCESSING, now)
    if photo.attempts > MAX_ATTEMPTS:
        _give_up(session, job, photo, now)
        return None
    last = photo.attempts == MAX_ATTEMPTS
    half_time = job.created_at + (job.deadline_at - job.created_at) / 2
    return Claim(claim_id, photo_id, job.id, photo.storage_key, orders.wish(photo), last, half_time)


def _take(session: Session, photo_id: str, claim_id: str, now: datetime) -> bool:
    values = {
        "state": WorkState.WORKING,
        "claim_id": claim_id,
        "lease_until": now + LEASE,
        "attempts": Photo.attempts + 1,
    }
    taken = update(Photo).where(Photo.id == photo_id, _is_due(now)).values(values)
    return _changed_one(session, taken)


def _is_due(now: datetime) -> ColumnElement[bool]:
    waiting = and_(Photo.state == WorkState.WAITING, Photo.next_attempt_at <= now)
    abandoned = and_(Photo.state == WorkState.WORKING, Photo.lease_until < now)
    return or_(waiting, abandoned)


def renew(session: Session, held: Claim, now: datetime) -> bool:
    """Show a sign of life; False when the claim was lost to another worker."""
    return _changed_one(session, update(Photo).where(_is_held(held)).values(lease_until=now + LEASE))


def spend(session: Session, held: Claim, calls_per_job: int) -> bool:
    """Count one more paid call for the claim's job; False, with nothing counted, once its limit is reached."""
    room = update(Job).where(Job.id == held.job_id, Job.generative_calls < calls_per_job)
    counted = room.values(generative_calls=Job.generative_calls + 1).returning(Job.id)
    return session.execute(counted.execution_options(synchronize_session=False)).first() is not None


def release(session: Session, held: Claim, now: datetime) -> None:
    """Let go of a claim that must stop through no fault of the photo: another try follows at once, uncounted."""
    values = {
        "state": WorkState.WAITING,
        "claim_id": None,
        "lease_until": None,
        "attempts": Photo.attempts - 1,
        "next_attempt_at": now,
    }
    _changed_one(session, update(Photo).where(_is_held(held)).values(values))


def postpone(session: Session, held: Claim, now: datetime) -> bool:
    """The store or the database was away: another try follows, later each time, uncounted. False like finish()."""
    photo = session.scalar(select(Photo).where(_is_held(held)).with_for_update())
    if photo is None:
        return False
    photo.state, photo.claim_id, photo.lease_until = WorkState.WAITING, None, None
    photo.next_attempt_at = now + PAUSES[min(photo.postponements, len(PAUSES) - 1)]
    photo.attempts, photo.postponements = photo.attempts - 1, photo.postponements + 1
    return True


def uncount(session: Session, held: Claim) -> None:
    """Take back the try of a claim that was lost because its holder could not reach the database to renew it."""
    open_ = and_(Photo.id == held.photo_id, Photo.state != WorkState.DONE, Photo.attempts > 0)
    _changed_one(session, update(Photo).where(open_).values(attempts=Photo.attempts - 1))


def finish(session: Session, held: Claim, outcome: Outcome, now: datetime) -> bool:
    """Keep the outcome, and want small pictures of it and of the photo itself.

    False, with nothing changed, when the claim was lost or the job ended meanwhile.
    """
    job = jobs.lock(session, held.job_id)
    done = update(Photo).where(_is_held(held)).values(state=WorkState.DONE, claim_id=None, lease_until=None)
    if job.status is not Status.PROCESSING or not _changed_one(session, done):
        return False
    _keep(session, held.job_id, held.photo_id, outcome, now)
    want_previews(session, held.storage_key, outcome.key, outcome.report, now)
    return True


def retry(session: Session, held: Claim, now: datetime) -> bool:
    """The processing broke: let another try follow, later each time, or give up after the last.

    False like finish().
    """
    job = jobs.lock(session, held.job_id)
    photo = session.scalar(select(Photo).where(_is_held(held)))
    if photo is None or job.status is not Status.PROCESSING:
        return False
    if photo.attempts >= MAX_ATTEMPTS:
        _give_up(session, job, photo, now)
        return True
    photo.state, photo.claim_id, photo.lease_until = WorkState.WAITING, None, None
    photo.next_attempt_at = now + RETRY_DELAYS[photo.attempts - 1]
    return True


def want_previews(
    session: Session, photo_key: str, result_key: str | None, report: QualityReport, now: datetime
) -> None:
    """Want small pictures of the photo and of its result, and of that a copy with what must be disclosed."""
    previews.want(session, photo_key, _folder_of(photo_key), now)
    if result_key is not None:
        label = disclosure_of(step.enhancement for step in report.steps if step.applied)
        previews.want(session, result_key, _folder_of(result_key), now, label)


def _folder_of(key: str) -> str:
    return key[: key.rindex("/") + 1]


def next_due(session: Session, now: datetime) -> str | None:
    """The photo whose turn it is: of the account that waited longest for a turn, in its oldest job, longest due.

    So one account's thousands of photos keep another's single one from starting no longer than one photo takes.
    """
    # The job first: to sort all photos of a long backlog at every turn would take longer than some turns.
    is_due = select(Photo.id).where(Photo.job_id == Job.id, _is_due(now)).exists()
    every = select(Job.id).outerjoin(AccountUse, AccountUse.account_id == Job.account_id)
    # A turn in the future is of before the clock was set back: else its account would wait until that time comes.
    served_at = case((AccountUse.served_at <= now, AccountUse.served_at))
    turns = (served_at.asc().nulls_first(), Job.created_at, Job.id)
    job = every.where(Job.status.in_(WORKABLE), is_due).order_by(*turns).limit(1).scalar_subquery()
    mine = select(Photo.id).where(Photo.job_id == job, _is_due(now))
    return session.scalar(mine.order_by(Photo.next_attempt_at, Photo.type, Photo.index).limit(1))


def due(session: Session, now: datetime, limit: int) -> list[str]:
    """The photos longest due: waiting ones whose time has come, and claims whose lease ran out."""
    workable = select(Photo.id).join(Job).where(Job.status.in_(WORKABLE), _is_due(now))
    return list(session.scalars(workable.order_by(Photo.next_attempt_at).limit(limit)))


def remaining(session: Session, job_id: str) -> int:
    """How many photos of the job are not done."""
    open_ = select(func.count()).where(Photo.job_id == job_id, Photo.state != WorkState.DONE)
    return session.scalar(open_) or 0


def _is_held(held: Claim) -> ColumnElement[bool]:
    return and_(Photo.id == held.photo_id, Photo.claim_id == held.claim_id, Photo.state == WorkState.WORKING)


def _give_up(session: Session, job: Job, photo: Photo, now: datetime) -> None:
    photo.state, photo.claim_id, photo.lease_until = WorkState.DONE, None, None
    message = f"Processing did not succeed in {MAX_ATTEMPTS} tries."
    report = QualityReport(reason=Reason.PROCESSING_FAILED, message=message)
    _keep(session, job.id, photo.id, Outcome(report), now)
    want_previews(session, photo.storage_key, None, report, now)


def _keep(session: Session, job_id: str, photo_id: str, outcome: Outcome, now: datetime) -> None:
    picture, report = outcome.picture, outcome.report
    result = Result(
        job_id=job_id,
        photo_id=photo_id,
        reason=report.reason,
        message=report.message,
        report=report.model_dump(mode="json"),
        storage_key=outcome.key,
        created_at=now,
    )
    if picture is not None:
        result.media_type, result.size_bytes = picture.media_type, len(picture.content)
        result.width, result.height = picture.width, picture.height
    session.add(result)
    session.flush()


def _changed_one(session: Session, statement: Update) -> bool:
    changed = statement.returning(Photo.id).execution_options(synchronize_session=False)
    return session.execute(changed).first() is not None
