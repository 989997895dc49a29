"""Results sent back that wait for a person: listed, made again with chosen settings, put in place, kept, refunded.

Several reviewers may look at one: what each does holds only for what they were shown, which `seal` stands for.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from app.domain.catalogue import Enhancement
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import WorkState
from app.domain.mail_text import one_line
from app.domain.quality import QualityReport
from app.domain.reviews import MAX_REASON
from app.domain.revisions import (
    AS_ORDERED,
    RevisionOutcome,
    RevisionStatus,
    RoundSettings,
    add_left_out,
    next_seed,
    weaken,
)
from app.domain.staff import StaffAction
from app.models import Job, Photo, Preview, Result, Revision
from app.services.billing import refunds
from app.services.orders import jobs
from app.services.pagination import Page, SortOrder, cut_page
from app.services.photos import revisions
from app.services.photos.revisions import ReviewerAnswer
from app.services.previews import previews
from app.services.security import staff_acts

PAGE = 25
CHANGED = "Something happened to it since you were shown it. Look at it again."
_OLDEST_FIRST = SortOrder((Revision.created_at, Revision.id), descending=False)


@dataclass(frozen=True, slots=True)
class SentBackRow:
    """One open round, with its job and photo."""

    revision: Revision
    job: Job
    photo: Photo


@dataclass(frozen=True, slots=True)
class SentBackQueue(Page[SentBackRow, str]):
    """Some open rounds that wait for a reviewer, the oldest first, of `total`."""

    total: int = 0


@dataclass(frozen=True, slots=True)
class SentBackView:
    """One round before its reviewer: the rounds before it, small pictures by their keys, and what it can be made
    again with. `refundable`: what a refund gives back. `seal` stands for what is shown.
    """

    row: SentBackRow
    result: Result
    earlier: Sequence[Revision]
    previews: Mapping[str, Preview]
    status: RevisionStatus
    can_weaken: bool
    refundable: Decimal
    seal: str


@dataclass(frozen=True, slots=True)
class MakeChoice:
    """What a reviewer wants otherwise than in the picture that was sent back."""

    another_seed: bool = False
    less: bool = False
    left_out: Collection[Enhancement] = ()


def queue(session: Session, after: str | None = None, limit: int = PAGE) -> SentBackQueue:
    """The rounds that wait for a reviewer, those after the round `after`. Raises NotFound for it."""
    rows = _rows().where(*_waiting())
    if after is not None:
        place = _row(session, after)
        rows = rows.where(_OLDEST_FIRST.beyond((place.created_at, place.id)))
    found = [SentBackRow(*row) for row in session.execute(_OLDEST_FIRST.sort(rows).limit(limit + 1))]
    some = cut_page(found, limit, lambda row: row.revision.id)
    return SentBackQueue(some.rows, some.next, count(session))


def count(session: Session) -> int:
    """How many rounds wait for a reviewer."""
    return session.scalar(select(func.count()).select_from(Revision).where(*_waiting())) or 0


def view(session: Session, revision_id: str) -> SentBackView:
    """One round, open or not. Raises NotFound."""
    revision = _row(session, revision_id)
    row = SentBackRow(*session.execute(_rows().where(Revision.id == revision.id)).one())
    result = session.get_one(Result, revision.result_id)
    rounds = revisions.of_result(session, result.id)
    pictures = [picture for each in rounds for picture in (each.before, each.made) if picture]
    keys = [row.photo.storage_key, *(each.storage_key for each in pictures)]
    return SentBackView(
        row=row,
        result=result,
        earlier=[each for each in rounds if each.round < revision.round],
        previews=previews.get_all(session, keys),
        status=revisions.status_of(revision),
        can_weaken=weaken(_present(revision), _report(revision)) is not None,
        refundable=refunds.total(refunds.list_photo(session, row.job, row.photo, "")),
        seal=_seal(revision),
    )


def make(
    session: Session,
    staff_id: str,
    revision_id: str,
    seal: str,
    chosen: MakeChoice,
    now: datetime,
) -> None:
    """Have the picture made again with what the reviewer chose, for them to look at.

    Raises NotFound, Conflict where it waits for no reviewer or changed since, and InvalidRequest where nothing is
    chosen, or what cannot be.
    """
    _, revision, photo = _held(session, revision_id, seal)
    settings = _choose(session, revision, chosen)
    revision.asked_by = staff_id
    revisions.order(session, revision, photo, settings, now)
    _record(session, staff_id, StaffAction.MAKE_AGAIN, revision, photo, now)


def approve(session: Session, staff_id: str, revision_id: str, seal: str, now: datetime) -> None:
    """Put what was made in the result's place. Raises NotFound, and Conflict as make() does, or with no picture."""
    job, revision, photo = _held(session, revision_id, seal)
    if revision.made is None:
        raise Conflict("There is no new picture to put in place.")
    revisions.put_in_place(session, job, revision, now, staff_id)
    _record(session, staff_id, StaffAction.REVISE, revision, photo, now)


def keep(session: Session, staff_id: str, revision_id: str, seal: str, answer: str, now: datetime) -> None:
    """Leave the picture as it is and tell the owner why. Raises NotFound, Conflict as make() does, and
    InvalidRequest without words, or with too many.
    """
    job, revision, photo = _held(session, revision_id, seal)
    words = _read_answer(answer)
    revisions.close(session, job, revision, RevisionOutcome.KEPT, now, ReviewerAnswer(staff_id, words))
    _record(session, staff_id, StaffAction.KEEP, revision, photo, now, words)


def refund(session: Session, staff_id: str, revision_id: str, seal: str, answer: str, now: datetime) -> None:
    """Give back the price of the photo, as far as it has not come back yet, and tell the owner why. The picture
    stays. Raises like keep().
    """
    job, revision, photo = _held(session, revision_id, seal)
    words = _read_answer(answer)
    revisions.refund(session, job, revision, words, now, ReviewerAnswer(staff_id, words))
    back = f"{revision.credits_refunded:f} credits back. {words}"
    _record(session, staff_id, StaffAction.REFUND_PHOTO, revision, photo, now, back)


def _choose(session: Session, revision: Revision, chosen: MakeChoice) -> RoundSettings:
    settings, report, left_out = _present(revision), _report(revision), set(chosen.left_out)
    if left_out:
        if not left_out < set(report.applied):
            raise InvalidRequest({"left_out": "Leave out steps that were done, and keep at least one."})
        settings = add_left_out(settings, left_out)
    if chosen.less:
        weaker = weaken(settings, report)
        if weaker is None:
            raise InvalidRequest({"less": "No step of this picture can do less than it did."})
        settings = weaker
    if chosen.another_seed:
        rounds = revisions.of_result(session, revision.result_id)
        tried = [each.settings for each in rounds if each.settings is not None]
        settings = settings.model_copy(update={"photo_seed": next_seed([*tried, settings])})
    if settings == _present(revision):
        raise InvalidRequest({"left_out": "Choose at least one thing to do otherwise."})
    return settings


def _waiting() -> tuple[ColumnElement[bool], ...]:
    return (Revision.outcome.is_(None), Revision.state == WorkState.DONE)


def _rows() -> Select[Revision, Job, Photo]:
    rows = select(Revision, Job, Photo).join(Job, Job.id == Revision.job_id)
    return rows.join(Photo, Photo.id == Revision.photo_id)


def _row(session: Session, revision_id: str) -> Revision:
    found = session.get(Revision, revision_id) if is_id(revision_id, Prefix.REVISION) else None
    if found is None:
        raise NotFound
    return found


def _held(session: Session, revision_id: str, seal: str) -> tuple[Job, Revision, Photo]:
    """The round that waits for a reviewer as they were shown it, its job locked."""
    job = jobs.lock(session, _row(session, revision_id).job_id)
    revision = session.get(Revision, revision_id, populate_existing=True)
    if revision is None:
        raise NotFound
    if revisions.status_of(revision) is not RevisionStatus.IN_REVIEW or _seal(revision) != seal:
        raise Conflict(CHANGED)
    return job, revision, session.get_one(Photo, revision.photo_id)


def _seal(revision: Revision) -> str:
    """Differs once anything that a reviewer goes by did."""
    made = revision.made.storage_key if revision.made else ""
    return f"{revision.state}:{revision.outcome or ''}:{revision.reason or ''}:{made.rpartition('/')[2]}"


def _present(revision: Revision) -> RoundSettings:
    return revision.before.settings or AS_ORDERED


def _report(revision: Revision) -> QualityReport:
    return revision.before.report


def _read_answer(answer: str) -> str:
    words = one_line(answer)
    if not words:
        raise InvalidRequest({"answer": "Say why: the customer reads it."})
    if len(words) > MAX_REASON:
        raise InvalidRequest({"answer": f"Say it in at most {MAX_REASON} characters."})
    return words


def _record(
    session: Session,
    staff_id: str,
    action: StaffAction,
    revision: Revision,
    photo: Photo,
    now: datetime,
    words: str = "",
) -> None:
    detail = f"{photo.file_name}, round {revision.round}. {words}".rstrip(". ")
    staff_acts.record(session, staff_id, action, revision.job_id, now, detail)
