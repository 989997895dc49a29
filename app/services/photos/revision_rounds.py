"""Rounds in which a result is made again, its owner's and reviewers': begun, ordered, looked up, ended.

Who holds the job may change its rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.catalogue import cost_of
from app.domain.complaints import SentBack
from app.domain.events import RevisionFacts
from app.domain.lifecycle import WorkState
from app.domain.ports import PHOTO_QUEUES
from app.domain.quality import QualityReport
from app.domain.revisions import (
    AS_ORDERED,
    FIRST_ROUND,
    KeptPicture,
    RevisionOutcome,
    RevisionStatus,
    RoundSettings,
    request_for,
)
from app.models import Job, Photo, Result, Revision
from app.services.mail import notices
from app.services.orders import jobs


@dataclass(frozen=True, slots=True)
class ReviewerAnswer:
    """Which reviewer ended a round, and what its owner reads of it."""

    reviewer_id: str
    words: str = ""


def status_of(revision: Revision) -> RevisionStatus:
    """Where it stands."""
    if revision.outcome is not None:
        return RevisionStatus.DONE
    return RevisionStatus.IN_REVIEW if revision.state is WorkState.DONE else RevisionStatus.MAKING


def new_round(job: Job, result: Result, photo: Photo, said: SentBack, now: datetime) -> Revision:
    """A round of a result, as yet unnumbered and waiting for nobody."""
    revision = Revision(account_id=job.account_id, job_id=job.id, photo_id=photo.id, result_id=result.id)
    revision.flaw, revision.words = said.flaw, said.words
    revision.without, revision.before = said.without, snapshot(result)
    revision.created_at = revision.next_attempt_at = now
    revision.state, revision.cost = WorkState.DONE, photo.cost
    return revision


def order(session: Session, revision: Revision, photo: Photo, settings: RoundSettings, now: datetime) -> None:
    """Have the picture of an open round of a locked job made with these settings; a worker is notified after the
    commit.
    """
    revision.settings, revision.made, revision.reason = settings, None, None
    revision.cost = cost_of(request_for(photo.edit_request, settings).steps)
    revision.state, revision.attempts, revision.next_attempt_at = WorkState.WAITING, 0, now
    session.flush()
    notify_after_commit(session, PHOTO_QUEUES[revision.cost], [revision.id])


def snapshot(result: Result) -> KeptPicture:
    """The result's picture with all that is known of it."""
    if result.storage_key is None or result.media_type is None:
        raise LookupError(f"{result.id} has no picture")
    return KeptPicture(
        storage_key=result.storage_key,
        media_type=result.media_type,
        width=result.width or 0,
        height=result.height or 0,
        size_bytes=result.size_bytes or 0,
        sha256=result.sha256,
        picture_sha256=result.picture_sha256,
        credentials=result.credentials,
        engine_version=result.engine_version,
        report=QualityReport.model_validate(result.report),
        settings=result.settings or AS_ORDERED,
        created_at=result.created_at,
    )


def give_picture(result: Result, picture: KeptPicture) -> None:
    """Put a kept picture in the result's place, with all that is known of it; what is decided of it stays."""
    result.storage_key, result.media_type = picture.storage_key, picture.media_type
    result.width, result.height, result.size_bytes = picture.width, picture.height, picture.size_bytes
    result.sha256, result.picture_sha256 = picture.sha256, picture.picture_sha256
    result.credentials, result.engine_version = picture.credentials, picture.engine_version
    result.report, result.created_at = picture.report.model_dump(mode="json"), picture.created_at
    result.settings = None if picture.settings == AS_ORDERED else picture.settings


def of_result(session: Session, result_id: str) -> Sequence[Revision]:
    """All rounds in which its owner sent a result back, the first first."""
    mine = select(Revision).where(Revision.result_id == result_id, Revision.round >= FIRST_ROUND)
    return session.scalars(mine.order_by(Revision.round)).all()


def reworks_of_result(session: Session, result_id: str) -> Sequence[Revision]:
    """All rounds of a result that reviewers began, the first first."""
    mine = select(Revision).where(Revision.result_id == result_id, Revision.round < FIRST_ROUND)
    return session.scalars(mine.order_by(Revision.round)).all()


def list_tried(session: Session, result: Result) -> list[RoundSettings]:
    """The settings of all pictures that there were of a result's photo, the present one's last."""
    made = select(Revision.settings).where(Revision.result_id == result.id, Revision.settings.is_not(None))
    every = session.scalars(made.order_by(Revision.round))
    return [*filter(None, every), result.settings or AS_ORDERED]


def of_job(session: Session, job_id: str) -> dict[str, list[Revision]]:
    """All rounds in which the owner of the job sent its results back, by the id of the result, in one query, the
    first first.
    """
    return _by_result(session, Revision.job_id == job_id, Revision.round >= FIRST_ROUND)


def reworks_of_job(session: Session, job_id: str) -> dict[str, list[Revision]]:
    """The same of the rounds that reviewers began."""
    return _by_result(session, Revision.job_id == job_id, Revision.round < FIRST_ROUND)


def all_of_job(session: Session, job_id: str) -> dict[str, list[Revision]]:
    """The same of both, those that reviewers began first."""
    return _by_result(session, Revision.job_id == job_id)


def _by_result(session: Session, *which: ColumnElement[bool]) -> dict[str, list[Revision]]:
    found: dict[str, list[Revision]] = {}
    rows = select(Revision).where(*which).order_by(Revision.result_id, Revision.round)
    for revision in session.scalars(rows):
        found.setdefault(revision.result_id, []).append(revision)
    return found


def close(
    session: Session,
    job: Job,
    revision: Revision,
    outcome: RevisionOutcome,
    now: datetime,
    answer: ReviewerAnswer | None = None,
) -> None:
    """End an open round of a locked job; no worker has it any more. Its owner gets the event, and the mail unless
    they took it back; nothing of a round that a reviewer began.
    """
    revision.outcome, revision.decided_at = outcome, now
    if answer is not None:
        revision.decided_by, revision.answer = answer.reviewer_id, answer.words
    revision.state, revision.claim_id, revision.lease_until = WorkState.DONE, None, None
    session.flush()
    if revision.is_rework:
        return
    facts = RevisionFacts(revision.result_id, revision.id, revision.round, outcome.value)
    jobs.record_revision(session, job, facts, now)
    if outcome is not RevisionOutcome.WITHDRAWN:
        file_name = session.get_one(Photo, revision.photo_id).file_name
        notices.photo_revised(session, job, file_name, revision, now)
