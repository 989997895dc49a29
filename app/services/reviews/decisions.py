"""Reviews by people: a reviewer who has claimed a job decides, has results made again, and finishes the review."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from app.domain.amounts import credits_
from app.domain.catalog import ENTRIES
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.flaws import MAX_NOTE, Flaw, SendBackDetails
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import Status
from app.domain.mail_text import one_line
from app.domain.reviews import MAX_REASON
from app.domain.revisions import MAX_ROUNDS, RemakeChoice, RevisionOutcome, choose_settings
from app.domain.staff import StaffAction
from app.models import Job, Photo, Result, Revision
from app.services.billing import refunds
from app.services.photos import hinted_results, pictures, quality
from app.services.photos.hinted_results import HintedResult
from app.services.photos.quality import Decision
from app.services.reviews import claims
from app.services.revisions import queue, revisions, settlement
from app.services.revisions.settlement import ReviewerAnswer
from app.services.security import staff_acts
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict

BEING_MADE = "It is being redone. Wait for the result, or stop it."
_ACTIONS = {Verdict.APPROVED: StaffAction.APPROVE, Verdict.REJECTED: StaffAction.REJECT}


@dataclass(frozen=True, slots=True)
class DecisionEffect:
    """What finishing a review does: counts of results, the next status of the job, and the credits that are
    refunded.

    `next_status` is None, and nothing is refunded, while results are undecided. `version` changes with every
    decision.
    """

    approved: int
    rejected: int
    undecided: int
    next_status: Status | None
    refunded: Decimal
    version: str

    @property
    def total(self) -> int:
        """How many results there are or will be."""
        return self.approved + self.rejected + self.undecided

    @property
    def decided(self) -> int:
        """How many of them are decided."""
        return self.approved + self.rejected


def decide(session: Session, job_id: str, image_id: str, decision: Decision, now: datetime) -> None:
    """Approve or reject one result of a job that the reviewer has claimed, and renew the claim.

    Raises NotFound, Conflict when the job is not theirs or the result is being made again, and InvalidRequest like
    quality.decide(), for a reason that is too long, and for refunded steps that the result does not have or that
    were not charged.
    """
    job, result, photo = _get_claimed_result(session, decision.reviewer_id, job_id, image_id, now)
    if decision.verdict is Verdict.REJECTED and len(decision.reason) > MAX_REASON:
        raise InvalidRequest({"reason": f"Say it in at most {MAX_REASON} characters."})
    if decision.verdict is Verdict.APPROVED and not set(decision.refunded_steps) <= set(list_charged(job, photo)):
        raise InvalidRequest({"refunded_steps": "Choose of the steps that were done and charged for."})
    if _find_being_made(session, image_id) is not None:
        raise Conflict(BEING_MADE)
    quality.decide(session, image_id, decision, now)
    claims.renew(job, now)
    outcome = result.message or ", ".join(
        f"price of {ENTRIES[each].label} refunded" for each in decision.refunded_steps
    )
    detail = f"{photo.file_name}: {outcome}" if outcome else photo.file_name
    staff_acts.record(session, decision.reviewer_id, _ACTIONS[decision.verdict], job_id, now, detail)


def list_charged(job: Job, photo: Photo) -> list[Enhancement]:
    """The steps in a photo's result whose price can be refunded although the picture is kept."""
    if photo.result is None or photo.result.storage_key is None:
        return []
    return [step for step in photo.result.report.applied if refunds.is_charged(job, photo, step)]


def make_again(
    session: Session, staff_id: str, job_id: str, image_id: str, chosen: RemakeChoice, words: str, now: datetime
) -> Revision:
    """Have a result made again as `chosen`, in a job that the reviewer has claimed; `words` are for other
    reviewers. The result is undecided until the new picture is there and a reviewer decides; the claim is renewed.

    Raises NotFound, Conflict when the job is not theirs, or the result is being made again or was made again
    MAX_ROUNDS times, and InvalidRequest where there is no picture and no hints, nothing or something impossible is
    chosen, or `words` are too long (InvalidFields where hints are not for this photo).
    """
    job, result, photo = _get_claimed_result(session, staff_id, job_id, image_id, now)
    if result.storage_key is None and chosen.hints is None:
        raise InvalidRequest({"left_out": "There is no picture to redo."})
    quality.require_not_cancelled(result)
    _require_round(session, image_id)
    note = one_line(words)
    if len(note) > MAX_NOTE:
        raise InvalidRequest({"why": f"Use at most {MAX_NOTE} characters; there are {len(note)}."})
    seed = pictures.next_seed(session, photo.id)
    request = result.picture.settings.request_for(photo.edit_request)
    if chosen.hints is not None:
        revisions.check_hints(session, result, photo, chosen.hints, request.steps)
    settings = choose_settings(result.picture.settings, result.report, seed, chosen, request)
    revision = revisions.begin(session, job, result, SendBackDetails(Flaw.OTHER, note), now, by_reviewer=staff_id)
    settlement.reopen(result, result.picture)
    settlement.request_picture(session, revision, photo, settings, now)
    claims.renew(job, now)
    queue.record(session, staff_id, StaffAction.MAKE_AGAIN, revision, photo, now, note)
    return revision


def require_remakable(session: Session, staff_id: str, job_id: str, image_id: str, now: datetime) -> None:
    """Raise NotFound, and Conflict, like make_again(), where the reviewer may not have a result made again."""
    _, result, _ = _get_claimed_result(session, staff_id, job_id, image_id, now)
    quality.require_not_cancelled(result)
    _require_round(session, image_id)


def get_hinted(session: Session, job_id: str, image_id: str) -> HintedResult:
    """A result under review that can be made again with hints. Its declined steps are tried again too: nothing is
    refunded before the review ends. Raises NotFound.
    """
    return hinted_results.read(session, claims.get_job(session, job_id), image_id)


def stop_remake(session: Session, staff_id: str, job_id: str, image_id: str, now: datetime) -> None:
    """Stop making a result again: it keeps its picture, and unfinished work is dropped. The claim is renewed.

    Raises NotFound, and Conflict when the job is not theirs or the result is no longer being made again.
    """
    job, _, photo = _get_claimed_result(session, staff_id, job_id, image_id, now)
    revision = _find_being_made(session, image_id)
    if revision is None:
        raise Conflict("It is no longer being redone. Look at it.")
    settlement.close(session, job, revision, RevisionOutcome.WITHDRAWN, now, ReviewerAnswer(staff_id))
    claims.renew(job, now)
    queue.record(session, staff_id, StaffAction.KEEP, revision, photo, now, "Stopped")


def undo_remake(
    session: Session, staff_id: str, job_id: str, image_id: str, revision_id: str, now: datetime
) -> None:
    """Give the result back the picture that it had before the last round; the result is then undecided. The
    claim is renewed.

    Raises NotFound, and Conflict when the job is not theirs, or when this round is not the last or replaced no
    picture.
    """
    job, _, photo = _get_claimed_result(session, staff_id, job_id, image_id, now)
    rounds = revisions.list_rounds(session, image_id, by_reviewer=True)
    last = rounds[-1] if rounds else None
    if last is None or last.id != revision_id or last.outcome is not RevisionOutcome.REVISED:
        raise Conflict("It is no longer the picture of this round. Look at it again.")
    settlement.undo(session, job, last, staff_id, now)
    claims.renew(job, now)
    queue.record(session, staff_id, StaffAction.KEEP, last, photo, now, "The previous picture")


def preview_effect(session: Session, job_id: str) -> DecisionEffect:
    """What finishing would do now, computed by the same code as finish(). Raises NotFound."""
    return compute_effect(claims.get_job(session, job_id), quality.photos_of(session, job_id))


def compute_effect(job: Job, photos: Sequence[Photo]) -> DecisionEffect:
    """What finishing would do now, computed from the photos of the job."""
    verdicts = [photo.result.verdict if photo.result else Verdict.UNDECIDED for photo in photos]
    undecided = verdicts.count(Verdict.UNDECIDED)
    end = None if undecided else quality.plan_settlement(job, photos)
    return DecisionEffect(
        approved=verdicts.count(Verdict.APPROVED),
        rejected=verdicts.count(Verdict.REJECTED),
        undecided=undecided,
        next_status=end.status if end else None,
        refunded=refunds.total(end.refunds) if end else Decimal(0),
        version=_version(photos),
    )


def finish(session: Session, staff_id: str, job_id: str, version: str, now: datetime) -> DecisionEffect:
    """End the review of a job that the reviewer has claimed; returns what that did. `version`: the version of the
    effect that the reviewer saw.

    Raises NotFound, and Conflict when the job is not theirs, results are undecided, or a decision has changed.
    """
    job = claims.get_claimed(session, staff_id, job_id, now)
    effect = compute_effect(job, quality.photos_of(session, job_id))
    if effect.next_status is not None and effect.version != version:
        raise Conflict("A decision was changed since you opened this page. Read it again.")
    quality.finish(session, job_id, now)
    claims.end_claim(job)
    counts = f"{effect.approved} approved, {effect.rejected} rejected"
    detail = f"{counts}, {credits_(effect.refunded)} refunded: {job.status}"
    staff_acts.record(session, staff_id, StaffAction.FINISH, job_id, now, detail)
    return effect


def _require_round(session: Session, image_id: str) -> None:
    rounds = revisions.list_rounds(session, image_id, by_reviewer=True)
    if any(each.outcome is None for each in rounds):
        raise Conflict(BEING_MADE)
    if len(rounds) >= MAX_ROUNDS:
        raise Conflict(f"A reviewer can have a result redone {MAX_ROUNDS} times; this one was.")


def _find_being_made(session: Session, image_id: str) -> Revision | None:
    """The open round that a reviewer began with a result; None if the result is not being made again."""
    rounds = revisions.list_rounds(session, image_id, by_reviewer=True)
    return next((each for each in rounds if each.outcome is None), None)


def _get_claimed_result(
    session: Session, staff_id: str, job_id: str, image_id: str, now: datetime
) -> tuple[Job, Result, Photo]:
    """Lock the job that this reviewer has claimed; returns it, and one of its results with the photo. Raises
    NotFound, and Conflict.
    """
    job = claims.get_claimed(session, staff_id, job_id, now)
    is_well_formed = is_id(image_id, Prefix.IMAGE)
    result = session.get(Result, image_id, populate_existing=True) if is_well_formed else None
    if result is None or result.job_id != job_id:
        raise NotFound
    return job, result, session.get_one(Photo, result.photo_id)


def _version(photos: Sequence[Photo]) -> str:
    results = [photo.result for photo in photos if photo.result]
    words = [
        f"{each.photo_id} {each.verdict} {each.message} {each.storage_key} {each.refunded_steps}"
        for each in results
    ]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
