"""Results sent back by their owner: rounds begin, are withdrawn or listed; the previous picture can be
downloaded.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import Conflict, InvalidFields, NotFound, RetentionEnded, require_found
from app.domain.flaws import SendBackDetails, SendBackInput, check_no_result, check_send_back
from app.domain.hint_requests import HintedPhoto, find_misfits, find_unsuitable
from app.domain.ids import Prefix, is_id
from app.domain.ports import Storage
from app.domain.revisions import (
    MESSAGES,
    REVISABLE_FOR,
    RevisionObstacle,
    RevisionOutcome,
    RevisionReason,
    plan_round,
)
from app.domain.security_events import SecurityEvent
from app.models import Job, Photo, Result, Revision
from app.services import security_log
from app.services.orders import declines, jobs
from app.services.photos import downloads, frames, hinted_results, pictures
from app.services.photos.hinted_results import HintedResult
from app.services.revisions import settlement
from engine.types.enhancements import Enhancement
from engine.types.hints import SceneHints
from engine.types.report import Verdict

TOO_LATE = "The result can no longer be sent back: its files were removed, or it is too long ago."


@dataclass(frozen=True, slots=True)
class RevisionFile:
    """One round, with a fresh URL for the picture that was sent back; None if the customer does not have it, see
    link().
    """

    revision: Revision
    before_url: str | None


def send_back(
    session: Session,
    account_id: str,
    job_id: str,
    image_id: str,
    text: SendBackInput,
    now: datetime,
) -> Revision:
    """Send a result back, free of charge: a picture that is not right, or a photo without a usable result, which a
    reviewer then looks at. With hints, steps that were not done and not refunded either are tried again.

    Raises NotFound, NotReady while there are no results, RetentionEnded once the files are gone or REVISABLE_FOR is
    over, InvalidRequest with every fault (InvalidFields with those of hints that are not for this photo), and
    Conflict with the reason where no round can begin.
    """
    job = jobs.get_even_expired(session, account_id, job_id)
    if job.expired_at is None:
        downloads.require_ready(job)
    job = jobs.lock(session, job.id)
    if is_too_late(job, now):
        raise RetentionEnded(TOO_LATE)
    result, photo = _get_own_result(session, job.id, image_id)
    if result.revision_obstacle is not None:
        _raise_conflict(result.revision_obstacle)
    paid = declines.find_paid_steps(session, job, photo.id) if text.hints is not None else ()
    is_usable = result.verdict is Verdict.APPROVED
    details = check_send_back(text, result.report) if is_usable else check_no_result(text, paid)
    if details.hints is not None:
        done = result.report.applied if is_usable else ()
        steps = [*(each for each in done if each != details.without), *paid]
        check_hints(session, result, photo, details.hints, steps)
    flaws = [each.flaw for each in result.rounds]
    revision = begin(session, job, result, details, now)
    about = f"{job.address}: {photo.file_name}"
    security_log.record_activity(session, SecurityEvent.RESULT_SENT_BACK, account_id, about, now, job=job.id)
    seed = pictures.next_seed(session, photo.id)
    present = result.picture.settings
    request = present.request_for(photo.edit_request)
    settings = plan_round(details, present, result.report, seed, flaws, request, paid)
    if settings is None:
        revision.reason = RevisionReason.NO_REMEDY
    else:
        settlement.request_picture(session, revision, photo, settings, now)
    return revision


def get_hinted(session: Session, account_id: str, job_id: str, image_id: str, now: datetime) -> HintedResult:
    """A result that its owner may send back with hints on what its photo shows, without the steps that were
    refunded. Raises NotFound, also where nothing is left to be made, NotReady, and RetentionEnded.
    """
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    if is_too_late(job, now):
        raise RetentionEnded(TOO_LATE)
    hinted = hinted_results.read(session, job, image_id, is_refunded=True)
    if not hinted.edit_request.steps:
        raise NotFound
    return hinted


def find_obstacle(session: Session, result_id: str) -> str | None:
    """Why a result cannot be sent back now, in words; None if it can."""
    obstacle = session.get_one(Result, result_id).revision_obstacle
    return MESSAGES[obstacle] if obstacle else None


def withdraw(
    session: Session, account_id: str, job_id: str, image_id: str, revision_id: str, now: datetime
) -> Revision:
    """Withdraw an open round: the picture stays as it is, and unfinished work is dropped. Harmless to repeat. The
    round counts as one of MAX_ROUNDS only if a picture was tried in it, or a reviewer asked for one.

    Raises NotFound, NotReady while there are no results, and Conflict with the reason once the round is over.
    """
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    job = jobs.lock(session, job.id)
    if job.expired_at is not None:
        raise NotFound
    revision = _get_round(session, _get_own_result(session, job.id, image_id)[0], revision_id)
    if revision.outcome is RevisionOutcome.WITHDRAWN:
        return revision
    if revision.outcome is not None:
        _raise_conflict(RevisionObstacle.ROUND_DONE)
    was_tried = revision.made is not None and (revision.made.attempts > 0 or revision.made.is_settled)
    revision.counts = was_tried or revision.asked_by is not None
    settlement.close(session, job, revision, RevisionOutcome.WITHDRAWN, now)
    return revision


def is_too_late(job: Job, now: datetime) -> bool:
    """Whether the job's results can no longer be sent back."""
    return job.expired_at is not None or (job.settled_at is not None and job.settled_at + REVISABLE_FOR <= now)


def list_rounds(session: Session, result_id: str, *, by_reviewer: bool = False) -> Sequence[Revision]:
    """All rounds in which its owner sent a result back or, `by_reviewer`, those that reviewers began; the first
    round first.
    """
    mine = select(Revision).where(Revision.result_id == result_id, Revision.by_reviewer.is_(by_reviewer))
    return session.scalars(mine.order_by(Revision.round)).all()


def begin(
    session: Session,
    job: Job,
    result: Result,
    details: SendBackDetails,
    now: datetime,
    by_reviewer: str | None = None,
) -> Revision:
    """Begin the next round of a locked job's result that has no open round; no picture is requested yet.
    `by_reviewer`: the id of the reviewer who begins it; None for the result's owner.
    """
    revision = Revision(account_id=job.account_id, job_id=job.id, photo_id=result.photo_id, result_id=result.id)
    revision.flaw, revision.message, revision.without = details.flaw, details.words, details.without
    revision.by_reviewer, revision.asked_by = by_reviewer is not None, by_reviewer
    earlier = list_rounds(session, result.id, by_reviewer=revision.by_reviewer)
    revision.round = max((each.round for each in earlier), default=0) + 1
    revision.before, revision.made, revision.created_at = result.picture, None, now
    session.add(revision)
    session.flush()
    return revision


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
    return require_found(next((each for each in found if each.revision.id == revision_id), None))


def list_files(
    session: Session, storage: Storage, account_id: str, job_id: str, image_id: str, valid_seconds: int
) -> list[RevisionFile]:
    """All rounds of the account's result, the first round first. Raises NotFound, and NotReady without results."""
    job = jobs.get(session, account_id, job_id)
    downloads.require_ready(job)
    result, photo = _get_own_result(session, job.id, image_id)
    rounds = list_rounds(session, result.id)
    return [RevisionFile(each, _make_before_url(storage, each, photo, valid_seconds)) for each in rounds]


def link(session: Session, storage: Storage, job: Job, image_id: str, revision_id: str, valid_seconds: int) -> str:
    """A fresh URL for the picture that was sent back in a round of a result of the job. Raises NotFound, also where
    the customer never had that picture, or no longer has it because a new one without some of its steps replaced it
    and the price of these steps was refunded.
    """
    result, photo = _get_own_result(session, job.id, image_id)
    return require_found(_make_before_url(storage, _get_round(session, result, revision_id), photo, valid_seconds))


def _get_own_result(session: Session, job_id: str, image_id: str) -> tuple[Result, Photo]:
    query = select(Result, Photo).join(Photo, Photo.id == Result.photo_id)
    mine = query.where(Result.id == image_id, Result.job_id == job_id)
    fresh = mine.execution_options(populate_existing=True)
    row = require_found(session.execute(fresh).one_or_none() if is_id(image_id, Prefix.IMAGE) else None)
    return row[0], row[1]


def check_hints(
    session: Session, result: Result, photo: Photo, hints: SceneHints, steps: Collection[Enhancement]
) -> None:
    """Raise InvalidFields with every fault of hints that are not for this photo, or for none of the steps."""
    picture, where = result.picture, ("hints",)
    framed = [each.sha256 for each in frames.list_files(session, photo.id)]
    # A result has the size of its photo.
    size = (picture.width, picture.height) if picture.width and picture.height else None
    faults = [
        *find_unsuitable(hints, steps, photo.type, photo.index, where),
        *find_misfits(hints, HintedPhoto(framed or [photo.sha256], size), where),
    ]
    if faults:
        raise InvalidFields(faults)


def _get_round(session: Session, result: Result, revision_id: str) -> Revision:
    """The round of this result as it is stored now. Raises NotFound, also for a round that a reviewer began."""
    is_well_formed = is_id(revision_id, Prefix.REVISION)
    revision = session.get(Revision, revision_id, populate_existing=True) if is_well_formed else None
    if revision is None or revision.result_id != result.id or revision.by_reviewer:
        raise NotFound
    return revision


def _raise_conflict(why: RevisionObstacle) -> None:
    raise Conflict(MESSAGES[why], details={"reason": why.value})


def _make_before_url(storage: Storage, revision: Revision, photo: Photo, valid_seconds: int) -> str | None:
    if revision.is_taken_back or revision.lacked_result:
        return None
    key = revision.before.storage_key or ""
    name = downloads.variant_name(photo.file_name, key, f"before-round-{revision.round}")
    return storage.download_url(key, name, valid_seconds)
