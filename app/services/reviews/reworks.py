"""Results that a reviewer sends back before delivery: asked for, stopped, undone by whoever holds the job."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.complaints import MAX_NOTE
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ids import Prefix, is_id
from app.domain.mail_text import one_line
from app.domain.quality import QualityReport
from app.domain.revisions import (
    MAX_ROUNDS,
    MakeChoice,
    RevisionOutcome,
    choose_settings,
)
from app.domain.staff import StaffAction
from app.models import Job, Photo, Result, Revision
from app.services.photos import revision_rounds, reworks
from app.services.photos.revision_rounds import ReviewerAnswer
from app.services.reviews import claims, decisions, round_acts


def send_back(
    session: Session, staff_id: str, job_id: str, image_id: str, chosen: MakeChoice, words: str, now: datetime
) -> Revision:
    """Have a result of a job that the reviewer holds made again as they chose; `words` are for other reviewers. It
    is undecided until it is there and somebody decides; the claim is renewed.

    Raises NotFound, Conflict when they do not hold the job, it is being made again or was MAX_ROUNDS times, and
    InvalidRequest where there is no picture, nothing is chosen, what cannot be, or too much is said.
    """
    job, result, photo = _held(session, staff_id, job_id, image_id, now)
    if result.storage_key is None:
        raise InvalidRequest({"left_out": "There is no picture that could be made otherwise."})
    rounds = revision_rounds.reworks_of_result(session, image_id)
    if any(each.outcome is None for each in rounds):
        raise Conflict(decisions.BEING_MADE)
    if len(rounds) >= MAX_ROUNDS:
        raise Conflict(f"A reviewer can have a result made again {MAX_ROUNDS} times; this one was.")
    said = one_line(words)
    if len(said) > MAX_NOTE:
        raise InvalidRequest({"why": f"Use at most {MAX_NOTE} characters; there are {len(said)}."})
    report, tried = QualityReport.model_validate(result.report), revision_rounds.list_tried(session, result)
    settings = choose_settings(tried[-1], report, tried, chosen)
    revision = reworks.begin(session, job, photo, settings, ReviewerAnswer(staff_id, said), now)
    claims.renew(job, now)
    round_acts.record(session, staff_id, StaffAction.MAKE_AGAIN, revision, photo, now, said)
    return revision


def stop(session: Session, staff_id: str, job_id: str, image_id: str, now: datetime) -> None:
    """Have a result that is being made again stay as it is; what a worker is at is dropped. The claim is renewed.

    Raises NotFound, and Conflict when they do not hold the job or it is not being made again any more.
    """
    job, _, photo = _held(session, staff_id, job_id, image_id, now)
    revision = decisions.find_open_rework(session, image_id)
    if revision is None:
        raise Conflict("It is not being made again any more. Look at it.")
    revision_rounds.close(session, job, revision, RevisionOutcome.WITHDRAWN, now, ReviewerAnswer(staff_id))
    claims.renew(job, now)
    round_acts.record(session, staff_id, StaffAction.KEEP, revision, photo, now, "Stopped")


def undo(session: Session, staff_id: str, job_id: str, image_id: str, revision_id: str, now: datetime) -> None:
    """Take back the picture from before the last round, undecided. The claim is renewed.

    Raises NotFound, and Conflict when they do not hold the job, or this round is not the last, or put no picture in
    place.
    """
    job, _, photo = _held(session, staff_id, job_id, image_id, now)
    rounds = revision_rounds.reworks_of_result(session, image_id)
    last = rounds[-1] if rounds else None
    if last is None or last.id != revision_id or last.outcome is not RevisionOutcome.REVISED:
        raise Conflict("It is not the picture of this round any more. Look at it again.")
    reworks.undo(session, job, last, staff_id, now)
    claims.renew(job, now)
    round_acts.record(session, staff_id, StaffAction.KEEP, last, photo, now, "The picture from before")


def _held(session: Session, staff_id: str, job_id: str, image_id: str, now: datetime) -> tuple[Job, Result, Photo]:
    """A result of the job that this reviewer holds, the job locked."""
    job = claims.get_claimed(session, staff_id, job_id, now)
    known = is_id(image_id, Prefix.IMAGE)
    result = session.get(Result, image_id, populate_existing=True) if known else None
    if result is None or result.job_id != job_id:
        raise NotFound
    return job, result, session.get_one(Photo, result.photo_id)
