"""Rounds in which a result was sent back: from the request for a new picture to the end of a round, with its
refunds.

The job of a round must be locked before the round is changed. Owners are notified of the rounds that they began. A
round that a reviewer began before delivery returns to the same review, and no credits are refunded before the
review ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.events import RevisionFacts
from app.domain.lifecycle import Status
from app.domain.pictures import PictureSettings
from app.domain.revisions import (
    REFUND_AFTER_WAIT,
    RevisionOutcome,
    RevisionReason,
    find_doubt,
    list_lost_steps,
)
from app.domain.variants import VariantObstacle
from app.models import Job, Photo, Result, Revision, StoredPicture
from app.services import engines
from app.services.billing import refunds
from app.services.billing.credits import Movement
from app.services.mail import notices
from app.services.orders import declines, jobs
from app.services.photos import packs, pictures, public_pages, variants
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict

_FAILURES: Mapping[VariantObstacle, RevisionReason] = {
    VariantObstacle.FILES_GONE: RevisionReason.FILES_GONE,
    VariantObstacle.UNUSABLE: RevisionReason.UNUSABLE,
    VariantObstacle.PROCESSING_FAILED: RevisionReason.PROCESSING_FAILED,
    VariantObstacle.ENGINE_CHANGED: RevisionReason.PROCESSING_FAILED,
}
"""The reason that a round gets, by the reason why its picture could not be made."""


@dataclass(frozen=True, slots=True)
class ReviewerAnswer:
    """Which reviewer ended a round, and what the result's owner reads about it."""

    reviewer_id: str
    words: str = ""


def request_picture(
    session: Session, revision: Revision, photo: Photo, settings: PictureSettings, now: datetime
) -> None:
    """Request the picture of an open round of a locked job with these settings. The round continues once the
    picture is made, or at once if it is made already.
    """
    version = engines.find_version(session, revision.account_id, now)
    revision.made, revision.reason = pictures.request(session, photo, settings, version, now), None
    session.flush()
    settle(session, revision.made.id, now)


def settle(session: Session, picture_id: str, now: datetime) -> None:
    """Continue the open round that waits for this picture, once it is made or given up. Locks the job.

    In an owner's round the new picture replaces the previous one; but a reviewer decides if there is a doubt, or if
    the price of a step would be refunded after a download. In a reviewer's round it always replaces the previous
    one, and is undecided.
    """
    query = select(Revision).where(Revision.made_id == picture_id, Revision.outcome.is_(None))
    revision = session.scalar(query, execution_options={"populate_existing": True})
    if revision is None or revision.made is None or not revision.made.is_settled:
        return
    job = jobs.lock(session, revision.job_id)
    revision.reason = _find_doubt(session, job, revision, revision.made)
    if revision.by_reviewer:
        _return_to_review(session, job, revision, now)
    elif revision.reason is RevisionReason.FILES_GONE:
        close(session, job, revision, RevisionOutcome.DECLINED, now)
    elif revision.reason is None:
        _approve(session, job, revision, now)


def put_in_place(
    session: Session, job: Job, revision: Revision, now: datetime, decided_by: str | None = None
) -> None:
    """Give the result the picture that was made in an open round of a locked job, approve it, and renew all that is
    made from the result; the price of steps that the new picture does not have is refunded at once.
    """
    result, picture = session.get_one(Result, revision.result_id), _require_new_picture(revision)
    movements = _list_step_refunds(session, job, revision)
    variants.replace(session, job, result, picture, now)
    result.verdict, result.reason, result.message = Verdict.APPROVED, None, ""
    result.decided_by, result.decided_at = decided_by, now
    session.flush()
    refunds.pay(session, job, movements, now)
    revision.credits_refunded += refunds.total(movements)
    packs.outdate(session, job.id, now)
    public_pages.replace(session, job, result, now)
    revision.reason = None
    answer = ReviewerAnswer(decided_by) if decided_by else None
    close(session, job, revision, RevisionOutcome.REVISED, now, answer)


def undo(session: Session, job: Job, revision: Revision, undone_by: str, now: datetime) -> None:
    """Give a result of a locked job under review the picture that it had before a reviewer's round; it is then
    undecided.
    """
    close(session, job, revision, RevisionOutcome.KEPT, now, ReviewerAnswer(undone_by))


def reopen(result: Result, picture: StoredPicture) -> None:
    """Give a result under review this picture, and make it undecided."""
    result.picture, result.verdict = picture, Verdict.UNDECIDED
    result.decided_by = result.decided_at = result.refunded_steps = None
    result.reason, result.message = None, ""


def _restore(session: Session, revision: Revision, now: datetime) -> None:
    """Give a result under review the picture that it had before a reviewer's round. Without a file it is rejected
    again, because a reviewer has nothing to decide.
    """
    result, report = session.get_one(Result, revision.result_id), revision.before.made_report
    reopen(result, revision.before)
    if result.storage_key is None:
        result.verdict, result.decided_at = Verdict.REJECTED, now
        result.reason, result.message = report.reason, report.message


def refund(
    session: Session, job: Job, revision: Revision, reason: str, now: datetime, answer: ReviewerAnswer | None = None
) -> None:
    """End an open round of a locked job, and refund what is left of the photo's price."""
    movements = refunds.list_for_photo(session, job, session.get_one(Photo, revision.photo_id), reason)
    refunds.pay(session, job, movements, now)
    revision.credits_refunded += refunds.total(movements)
    close(session, job, revision, RevisionOutcome.REFUNDED, now, answer)


def refund_step(
    session: Session, job: Job, revision: Revision, step: Enhancement, now: datetime, answer: ReviewerAnswer
) -> bool:
    """End an open round of a locked job, and refund what is left of the price of one step, which the picture keeps;
    returns False, with nothing changed, where nothing is left to refund.
    """
    photo = session.get_one(Photo, revision.photo_id)
    movements = refunds.list_for_kept_step(session, job, photo, step, answer.words)
    if not movements:
        return False
    refunds.pay(session, job, movements, now)
    revision.credits_refunded += refunds.total(movements)
    close(session, job, revision, RevisionOutcome.KEPT, now, answer)
    return True


def close(
    session: Session,
    job: Job,
    revision: Revision,
    outcome: RevisionOutcome,
    now: datetime,
    answer: ReviewerAnswer | None = None,
) -> None:
    """End an open round of a locked job; a picture that is still being made for it is canceled. The result's owner
    gets the event and, unless they withdrew the round, a mail; for a reviewer's round they get neither.
    """
    revision.outcome, revision.decided_at = outcome, now
    if answer is not None:
        revision.decided_by, revision.answer = answer.reviewer_id, answer.words
    if revision.made is not None and not revision.made.is_settled:
        pictures.cancel(revision.made)
    if revision.by_reviewer and outcome is not RevisionOutcome.REVISED and job.status is Status.QC_REVIEW:
        _restore(session, revision, now)
    session.flush()
    if revision.by_reviewer:
        return
    facts = RevisionFacts(revision.result_id, revision.id, revision.round, outcome.value)
    shown = revision.made if revision.made and outcome is RevisionOutcome.REVISED else revision.before
    jobs.record_revision(session, job, facts, now, shown.engine_version)
    if outcome is not RevisionOutcome.WITHDRAWN:
        file_name = session.get_one(Photo, revision.photo_id).file_name
        notices.report_photo_revised(session, job, file_name, revision, now)


def end_unanswered(session: Session, job: Job, now: datetime) -> None:
    """End the open rounds of a locked job whose files are about to be removed. Where a round has waited for
    REFUND_AFTER_WAIT, the photo's price is refunded, unless it was before; a later round is declined as too late.
    """
    for revision in session.scalars(select(Revision).where(Revision.job_id == job.id, Revision.outcome.is_(None))):
        if now - revision.created_at < REFUND_AFTER_WAIT:
            revision.reason = RevisionReason.RETENTION_ENDED
            close(session, job, revision, RevisionOutcome.DECLINED, now)
            continue
        revision.reason = RevisionReason.UNANSWERED
        if revision.lacked_result:
            close(session, job, revision, RevisionOutcome.DECLINED, now)
            continue
        refund(session, job, revision, "Nobody answered before its pictures were removed.", now)


def forget(session: Session, job_id: str) -> None:
    """Delete the rounds of the job's results, which are about to be deleted."""
    deletion = delete(Revision).where(Revision.job_id == job_id)
    session.execute(deletion.execution_options(synchronize_session="fetch"))


def _approve(session: Session, job: Job, revision: Revision, now: datetime) -> None:
    if revision.asked_by:
        revision.reason = RevisionReason.BY_REVIEWER
    elif job.status is Status.DELIVERED and _list_step_refunds(session, job, revision):
        revision.reason = RevisionReason.DOWNLOADED
    else:
        put_in_place(session, job, revision, now)


def _return_to_review(session: Session, job: Job, revision: Revision, now: datetime) -> None:
    """Give the result its new picture, undecided; where the review is over or there is none, the round is
    declined.
    """
    if job.status is not Status.QC_REVIEW or revision.new_picture is None:
        close(session, job, revision, RevisionOutcome.DECLINED, now)
        return
    reopen(session.get_one(Result, revision.result_id), revision.new_picture)
    close(session, job, revision, RevisionOutcome.REVISED, now)


def _find_doubt(session: Session, job: Job, revision: Revision, made: StoredPicture) -> RevisionReason | None:
    """Why a reviewer must decide about a picture that is made or given up; None if it replaces the previous one at
    once.
    """
    if made.error is not None:
        return _FAILURES[made.error]
    if made.has_declined:
        return RevisionReason.STEP_DECLINED
    same = made.picture_sha256 is not None and made.picture_sha256 == revision.before.picture_sha256
    # An owner who had no usable result can lose no step: compare the new picture with itself.
    before = made.made_report if revision.lacked_result else revision.before.made_report
    # With new hints, only steps that were not refunded are tried again, see plan_round().
    may_do_more = made.settings.hints != revision.before.settings.hints
    left_out = made.settings.left_out
    doubt = find_doubt(before, made.made_report, left_out, same_picture=same, may_do_more=may_do_more)
    return doubt or (RevisionReason.MORE_DONE if _does_unpaid(session, job, revision, made) else None)


def _does_unpaid(session: Session, job: Job, revision: Revision, made: StoredPicture) -> bool:
    """Whether the new picture has a step whose price was refunded, perhaps while it was made. What reviewers chose
    is theirs to decide.
    """
    had = () if revision.lacked_result else revision.before.made_report.applied
    more = set(made.made_report.applied).difference(had)
    if revision.asked_by or not more:
        return False
    return not more <= set(declines.find_paid_steps(session, job, revision.photo_id))


def _list_step_refunds(session: Session, job: Job, revision: Revision) -> list[Movement]:
    """The refunds for steps that the previous picture has and the new one does not."""
    if revision.lacked_result:
        return []
    lost = list_lost_steps(revision.before.made_report, _require_new_picture(revision).made_report)
    photo = session.get_one(Photo, revision.photo_id)
    return refunds.list_for_omitted_steps(session, job, photo, lost, "The picture was redone without it.")


def _require_new_picture(revision: Revision) -> StoredPicture:
    if revision.new_picture is None:
        raise LookupError(f"{revision.id} has made no picture")
    return revision.new_picture
