"""Results sent back by their owner: asked for, looked up with URLs, the picture from before downloaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.complaints import SendBackText, read_sent_back
from app.domain.errors import Conflict, NotFound, RetentionEnded
from app.domain.ids import Prefix, is_id
from app.domain.ports import Storage
from app.domain.quality import QualityReport, Verdict
from app.domain.revisions import MAX_ROUNDS, MESSAGES, REVISABLE_FOR, NoRevision, RevisionOutcome
from app.models import Job, Photo, Result, Revision
from app.services.orders import jobs
from app.services.photos import downloads, revision_rounds, revisions

TOO_LATE = "The result can be sent back no longer: its files are gone, or it is too long ago."


@dataclass(frozen=True, slots=True)
class RevisionFile:
    """One round, with a fresh URL for the picture that was sent back; None where that was taken back."""

    revision: Revision
    before_url: str | None


def send_back(
    session: Session,
    account_id: str,
    job_id: str,
    image_id: str,
    text: SendBackText,
    now: datetime,
) -> Revision:
    """Send an approved result back, free of charge.

    Raises NotFound, NotReady while there are no results, RetentionEnded once the files are gone or REVISABLE_FOR is
    over, InvalidRequest that names every fault, and Conflict with the reason where no round can begin.
    """
    job = jobs.get_any(session, account_id, job_id)
    if job.expired_at is None:
        downloads.require_ready(job)
    job = jobs.lock(session, job.id)
    if is_too_late(job, now):
        raise RetentionEnded(TOO_LATE)
    result, photo = _own(session, job.id, image_id)
    if result.verdict is not Verdict.APPROVED:
        _refuse(NoRevision.NOT_APPROVED)
    obstacle = find_obstacle(revision_rounds.of_result(session, result.id))
    if obstacle is not None:
        _refuse(obstacle)
    said = read_sent_back(text, QualityReport.model_validate(result.report).applied)
    return revisions.begin(session, job, result, photo, said, now)


def take_back(
    session: Session, account_id: str, job_id: str, image_id: str, revision_id: str, now: datetime
) -> Revision:
    """End a round that nobody has settled yet: the picture stays as it is, and what a worker is at is dropped.
    Harmless to repeat. It counts as one of MAX_ROUNDS unless nobody had tried anything.

    Raises NotFound, NotReady while there are no results, and Conflict with the reason once the round is over.
    """
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    job = jobs.lock(session, job.id)
    if job.expired_at is not None:
        raise NotFound
    revision = _round(session, _own(session, job.id, image_id)[0], revision_id)
    if revision.outcome is RevisionOutcome.WITHDRAWN:
        return revision
    if revision.outcome is not None:
        _refuse(NoRevision.ROUND_DONE)
    revision_rounds.close(session, job, revision, RevisionOutcome.WITHDRAWN, now)
    return revision


def is_too_late(job: Job, now: datetime) -> bool:
    """Whether the job's results can be sent back no longer."""
    return job.expired_at is not None or (job.settled_at is not None and job.settled_at + REVISABLE_FOR <= now)


def find_obstacle(rounds: Sequence[Revision]) -> NoRevision | None:
    """Why a result with these rounds cannot be sent back once more; None where it can."""
    if any(each.outcome is None for each in rounds):
        return NoRevision.ROUND_OPEN
    if any(each.outcome is RevisionOutcome.REFUNDED for each in rounds):
        return NoRevision.REFUNDED
    return NoRevision.TOO_MANY_ROUNDS if sum(each.counts for each in rounds) >= MAX_ROUNDS else None


def get_file(
    session: Session,
    storage: Storage,
    account_id: str,
    job_id: str,
    image_id: str,
    revision_id: str,
    valid_seconds: int,
) -> RevisionFile:
    """One round of the account's result. Raises NotFound."""
    found = list_files(session, storage, account_id, job_id, image_id, valid_seconds)
    for each in found:
        if each.revision.id == revision_id:
            return each
    raise NotFound


def list_files(
    session: Session, storage: Storage, account_id: str, job_id: str, image_id: str, valid_seconds: int
) -> list[RevisionFile]:
    """All rounds of the account's result, the first first. Raises NotFound, and NotReady without results."""
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    result, photo = _own(session, job.id, image_id)
    rounds = revision_rounds.of_result(session, result.id)
    return [RevisionFile(each, _url(storage, each, photo, valid_seconds)) for each in rounds]


def link(session: Session, storage: Storage, job: Job, image_id: str, revision_id: str, valid_seconds: int) -> str:
    """A fresh URL for the picture that was sent back in a round of a result of the job. Raises NotFound, also for
    one that was taken back: another is in its place, and credits went back for what that is without.
    """
    result, photo = _own(session, job.id, image_id)
    url = _url(storage, _round(session, result, revision_id), photo, valid_seconds)
    if url is None:
        raise NotFound
    return url


def _own(session: Session, job_id: str, image_id: str) -> tuple[Result, Photo]:
    if not is_id(image_id, Prefix.IMAGE):
        raise NotFound
    both = select(Result, Photo).join(Photo, Photo.id == Result.photo_id)
    row = session.execute(both.where(Result.id == image_id, Result.job_id == job_id)).one_or_none()
    if row is None:
        raise NotFound
    return row[0], row[1]


def _round(session: Session, result: Result, revision_id: str) -> Revision:
    """As it stands."""
    known = is_id(revision_id, Prefix.REVISION)
    revision = session.get(Revision, revision_id, populate_existing=True) if known else None
    if revision is None or revision.result_id != result.id or revision.is_rework:
        raise NotFound
    return revision


def _refuse(why: NoRevision) -> None:
    raise Conflict(MESSAGES[why], details={"reason": why.value})


def _url(storage: Storage, revision: Revision, photo: Photo, valid_seconds: int) -> str | None:
    if revision.is_taken_back:
        return None
    key = revision.before.storage_key
    name = downloads.variant_name(photo.file_name, key, f"before-round-{revision.round}")
    return storage.download_url(key, name, valid_seconds)
