"""Results sent back as not right, round by round: made again under a lease, put in place, or left to a reviewer.

Who holds the job may change its rounds, see revision_rounds.py. Their files lie among the job's results and go with
them. The worker is revision_worker.py, which makes what reviewers send back before delivery too, see reworks.py.
Owners ask by revision_requests.py, reviewers act by reviews/sent_back.py.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.attempts import REVISIONS
from app.domain.catalogue import Cost, Enhancement
from app.domain.complaints import SentBack
from app.domain.content_credentials import CredentialKind
from app.domain.edit_requests import EditRequest
from app.domain.lifecycle import Status
from app.domain.ports import Picture
from app.domain.quality import QualityReport
from app.domain.revisions import (
    ANSWERED_WITHIN,
    AS_ORDERED,
    KeptPicture,
    RevisionOutcome,
    RevisionReason,
    RoundSettings,
    find_doubt,
    list_lost,
    plan_round,
    request_for,
)
from app.domain.shared_appearance import SharedAppearance
from app.engine_version import engine_version
from app.models import Job, Photo, Result, Revision
from app.services.billing import refunds
from app.services.billing.credits import Movement
from app.services.leases import Lease, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, packs, photos, public_pages, revision_rounds, reworks, variants
from app.services.photos.frames import FrameFile
from app.services.photos.revision_rounds import ReviewerAnswer

QUEUE = WorkQueue(Revision.id, Revision.attempts, REVISIONS)
WAITS_FOR_SERVER = timedelta(minutes=30)
"""So long a round waits for a generative server that cannot answer."""


@dataclass(frozen=True, slots=True)
class RevisionClaim(Lease):
    """One worker's hold on one round, and what the picture is made from; `sha256` of the photo, where it is known,
    `frames` where it was taken in several exposures.

    `waits_until`: so long it may be done later, where the generative server cannot be asked.
    """

    job_id: str
    storage_key: str
    sha256: str | None
    edit_request: EditRequest
    appearance: SharedAppearance
    settings: RoundSettings
    waits_until: datetime
    frames: tuple[FrameFile, ...] = ()

    @property
    def is_last_try(self) -> bool:
        """Whether nothing follows when it fails."""
        return self.attempt >= REVISIONS.max_attempts

    def picture_key(self, picture: Picture) -> str:
        """Where this claim's picture lies; another claim's lies elsewhere, so neither can spoil the other."""
        return f"{photos.results_prefix(self.job_id)}{self.key}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class MadePicture:
    """A picture made again and stored. `sha256`: of the file; `picture_sha256`: as the engine encoded it."""

    picture: Picture
    report: QualityReport
    key: str
    sha256: str
    picture_sha256: str
    credentials: CredentialKind


def begin(session: Session, job: Job, result: Result, photo: Photo, said: SentBack, now: datetime) -> Revision:
    """Begin the next round of a locked job's approved result, of which none is open: a worker is notified after the
    commit, or it waits for a reviewer where only a person can help.
    """
    sent = revision_rounds.of_result(session, result.id)
    report, flaws = QualityReport.model_validate(result.report), [each.flaw for each in sent]
    settings = plan_round(said, report, revision_rounds.list_tried(session, result), flaws)
    revision = revision_rounds.new_round(job, result, photo, said, now)
    revision.round = max((each.round for each in sent), default=0) + 1
    revision.reason = RevisionReason.NO_REMEDY
    session.add(revision)
    if settings is not None:
        revision_rounds.order(session, revision, photo, settings, now)
    session.flush()
    return revision


def claim(session: Session, revision_id: str, now: datetime) -> RevisionClaim | None:
    """Take the round if it is due and nobody else's; the attempt counts, whatever becomes of it.

    None when there is nothing to do: also when its workers died too often and it is left to a reviewer.
    """
    held = QUEUE.claim(session, revision_id, now)
    if held is None:
        return None
    if held.attempt > REVISIONS.max_attempts:
        leave(session, held, RevisionReason.PROCESSING_FAILED, now)
        return None
    whole = select(Revision, Photo, Job).join(Photo, Photo.id == Revision.photo_id)
    whole = whole.join(Job, Job.id == Revision.job_id).where(Revision.id == revision_id)
    revision, photo, job = session.execute(whole, execution_options={"populate_existing": True}).one()
    settings = revision.settings or AS_ORDERED
    return RevisionClaim(
        claim_id=held.claim_id,
        key=held.key,
        attempt=held.attempt,
        job_id=job.id,
        storage_key=photo.storage_key,
        sha256=photo.sha256,
        frames=frames.list_files(session, photo.id),
        edit_request=request_for(photo.edit_request, settings),
        appearance=SharedAppearance() if job.look is None else SharedAppearance.model_validate(job.look),
        settings=settings,
        waits_until=revision.created_at + WAITS_FOR_SERVER,
    )


def finish(session: Session, held: RevisionClaim, made: MadePicture, now: datetime) -> bool:
    """Put the picture in the place of the one that was sent back, or leave it to a reviewer where something speaks
    against it, and want small pictures of it. In a reviewer's round it takes the place in any case, undecided.
    Credits for a step that was downloaded are a reviewer's to give back.

    False, with nothing changed, when the claim was lost or the job's pictures are gone.
    """
    job = jobs.lock(session, held.job_id)
    if job.expired_at is not None or not QUEUE.finish(session, held, made=_kept(held, made, now)):
        return False
    photos.request_result_previews(session, job.listing, made.key, made.report, now)
    revision = session.get_one(Revision, held.key, populate_existing=True)
    doubt = find_doubt(revision.before, _made_of(revision))
    if revision.is_rework:
        reworks.end(session, job, revision, doubt, now)
        return True
    if doubt is None and revision.asked_by:
        doubt = RevisionReason.BY_REVIEWER
    if doubt is None and job.status is Status.DELIVERED and _list_back(session, job, revision, made.report):
        doubt = RevisionReason.DOWNLOADED
    if doubt is None:
        put_in_place(session, job, revision, now)
    else:
        revision.reason = doubt
    return True


def leave(session: Session, held: Lease, why: RevisionReason, now: datetime) -> bool:
    """Leave the round to a reviewer, who reads why; False, with nothing changed, when the claim was lost.

    One that a reviewer began ends with that: they have the picture as it was.
    """
    if not QUEUE.finish(session, held, reason=why):
        return False
    revision = session.get_one(Revision, held.key, populate_existing=True)
    if revision.is_rework:
        revision.outcome, revision.decided_at = RevisionOutcome.DECLINED, now
    return True


def retry(session: Session, held: RevisionClaim, now: datetime) -> bool:
    """The work broke: let another try follow, later each time, or leave it to a reviewer after the last. False like
    leave().
    """
    if held.is_last_try:
        return leave(session, held, RevisionReason.PROCESSING_FAILED, now)
    return QUEUE.retry(session, held, now)


def decline(session: Session, held: RevisionClaim, why: RevisionReason, now: datetime) -> bool:
    """End the round without a picture, and tell its owner; False like leave()."""
    job = jobs.lock(session, held.job_id)
    if job.expired_at is not None or not QUEUE.finish(session, held):
        return False
    revision = session.get_one(Revision, held.key, populate_existing=True)
    revision.reason = why
    revision_rounds.close(session, job, revision, RevisionOutcome.DECLINED, now)
    return True


def put_in_place(
    session: Session, job: Job, revision: Revision, now: datetime, decided_by: str | None = None
) -> None:
    """Put what was made in an open round of a locked job in the result's place, with all that is made of it; the
    price of steps that it is without comes back at once.
    """
    made, result = _made_of(revision), session.get_one(Result, revision.result_id)
    revision_rounds.give_picture(result, made)
    result.reason, result.message = None, ""
    result.decided_by, result.decided_at = decided_by, now
    session.flush()
    back = _list_back(session, job, revision, made.report)
    refunds.pay(session, job, back, now)
    revision.credits_refunded += refunds.total(back)
    variants.renew(session, job, result, now)
    packs.outdate(session, job.id, now)
    public_pages.replace(session, job, result, now)
    revision.reason = None
    answer = ReviewerAnswer(decided_by) if decided_by else None
    revision_rounds.close(session, job, revision, RevisionOutcome.REVISED, now, answer)


def _list_back(session: Session, job: Job, revision: Revision, made: QualityReport) -> list[Movement]:
    """What goes back of a locked job for steps that the picture before had, and the one made again is without."""
    photo, lost = session.get_one(Photo, revision.photo_id), list_lost(revision.before.report, made)
    return refunds.list_steps(session, job, photo, lost, "The picture was made again without it.")


def end_unanswered(session: Session, job: Job, now: datetime) -> None:
    """End the open rounds of a locked job whose files are about to go: who waited longer than ANSWERED_WITHIN gets
    the photo's price back, who came later learns that it was too late.
    """
    for revision in session.scalars(select(Revision).where(Revision.job_id == job.id, Revision.outcome.is_(None))):
        if now - revision.created_at < ANSWERED_WITHIN:
            revision.reason = RevisionReason.RETENTION_ENDED
            revision_rounds.close(session, job, revision, RevisionOutcome.DECLINED, now)
            continue
        revision.reason = RevisionReason.UNANSWERED
        refund(session, job, revision, "Nobody answered before its pictures were removed.", now)


def refund(
    session: Session, job: Job, revision: Revision, reason: str, now: datetime, answer: ReviewerAnswer | None = None
) -> None:
    """End an open round of a locked job with the price of the photo, as far as it has not come back yet."""
    back = refunds.list_photo(session, job, session.get_one(Photo, revision.photo_id), reason)
    refunds.pay(session, job, back, now)
    revision.credits_refunded += refunds.total(back)
    revision_rounds.close(session, job, revision, RevisionOutcome.REFUNDED, now, answer)


def refund_step(
    session: Session, job: Job, revision: Revision, step: Enhancement, now: datetime, answer: ReviewerAnswer
) -> bool:
    """End an open round of a locked job with the price of one step, while the picture stays with it; False, with
    nothing changed, where nothing of it is left to go back.
    """
    photo = session.get_one(Photo, revision.photo_id)
    back = refunds.list_step(session, job, photo, step, answer.words)
    if not back:
        return False
    refunds.pay(session, job, back, now)
    revision.credits_refunded += refunds.total(back)
    revision_rounds.close(session, job, revision, RevisionOutcome.KEPT, now, answer)
    return True


def due(session: Session, now: datetime, limit: int, cost: Cost) -> list[str]:
    """The rounds of this cost longest due."""
    mine = select(Revision.id).where(QUEUE.is_due(now), Revision.cost == cost)
    return list(session.scalars(mine.order_by(Revision.next_attempt_at).limit(limit)))


def forget(session: Session, job_id: str) -> None:
    """Keep no rounds of the job's results, which are about to go."""
    gone = delete(Revision).where(Revision.job_id == job_id)
    session.execute(gone.execution_options(synchronize_session="fetch"))


def _made_of(revision: Revision) -> KeptPicture:
    if revision.made is None:
        raise LookupError(f"{revision.id} has made no picture")
    return revision.made


def _kept(held: RevisionClaim, made: MadePicture, now: datetime) -> KeptPicture:
    return KeptPicture(
        storage_key=made.key,
        media_type=made.picture.media_type,
        width=made.picture.width,
        height=made.picture.height,
        size_bytes=len(made.picture.content),
        sha256=made.sha256,
        picture_sha256=made.picture_sha256,
        credentials=made.credentials,
        engine_version=engine_version(),
        report=made.report,
        settings=held.settings,
        created_at=now,
    )
