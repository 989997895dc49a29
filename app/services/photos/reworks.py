"""Results that a reviewer sends back before delivery: made again by workers, and back in the same review.

No credits move before the review ends, and the owner hears nothing of it. See revision_rounds.py; reviewers ask by
reviews/reworks.py.
"""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.complaints import Flaw, SentBack
from app.domain.lifecycle import Status
from app.domain.quality import Verdict
from app.domain.revisions import RevisionOutcome, RevisionReason, RoundSettings, number_rework
from app.models import Job, Photo, Result, Revision
from app.services.photos import revision_rounds
from app.services.photos.revision_rounds import ReviewerAnswer


def begin(
    session: Session,
    job: Job,
    photo: Photo,
    settings: RoundSettings,
    begun_by: ReviewerAnswer,
    now: datetime,
) -> Revision:
    """Have a photo of a locked job under review made again, of which no round is open: its result is undecided, and
    a worker is notified after the commit.
    """
    result = photo.result
    if result is None:
        raise LookupError(f"{photo.id} has no result")
    revision = revision_rounds.new_round(job, result, photo, SentBack(Flaw.OTHER, begun_by.words), now)
    revision.round = number_rework(len(revision_rounds.reworks_of_result(session, result.id)))
    revision.asked_by = begun_by.reviewer_id
    session.add(revision)
    _reopen(result)
    revision_rounds.order(session, revision, photo, settings, now)
    return revision


def end(session: Session, job: Job, revision: Revision, doubt: RevisionReason | None, now: datetime) -> None:
    """Put what was made in the result's place, undecided; `doubt`: what a reviewer should know of it. Not where
    the review of the locked job is over.
    """
    if job.status is not Status.QC_REVIEW or revision.made is None:
        revision_rounds.close(session, job, revision, RevisionOutcome.DECLINED, now)
        return
    result = session.get_one(Result, revision.result_id)
    revision_rounds.give_picture(result, revision.made)
    _reopen(result)
    revision.reason = doubt
    revision_rounds.close(session, job, revision, RevisionOutcome.REVISED, now)


def undo(session: Session, job: Job, revision: Revision, undone_by: str, now: datetime) -> None:
    """Give a result of a locked job under review the picture that it had before this round, undecided."""
    result = session.get_one(Result, revision.result_id)
    revision_rounds.give_picture(result, revision.before)
    _reopen(result)
    revision_rounds.close(session, job, revision, RevisionOutcome.KEPT, now, ReviewerAnswer(undone_by))


def _reopen(result: Result) -> None:
    result.verdict, result.decided_by, result.decided_at = Verdict.UNDECIDED, None, None
    result.reason, result.message, result.given_back = None, "", None
