"""Results sent back that wait for a reviewer: listed, made again with chosen settings, approved, kept, refunded.

Several reviewers may look at one round. Each act has the `version` of the round that its reviewer saw, and is
refused if the round has changed since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from app.domain.amounts import credits_
from app.domain.catalog import ENTRIES
from app.domain.errors import Conflict, InvalidRequest, NotFound, require_found
from app.domain.hint_questions import list_questions
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import UNFINISHED
from app.domain.mail_text import one_line
from app.domain.reviews import MAX_REASON
from app.domain.revisions import (
    RemakeChoice,
    RevisionOutcome,
    RevisionStatus,
    choose_settings,
    list_remade_steps,
    weaken,
)
from app.domain.staff import StaffAction
from app.models import Job, Photo, Preview, Result, Revision, StoredPicture
from app.services.billing import refunds
from app.services.orders import declines, jobs
from app.services.pagination import CountedPage, SortOrder, cut_page
from app.services.photos import hinted_results, pictures, quality
from app.services.photos.hinted_results import HintedResult
from app.services.previews import previews
from app.services.revisions import revisions, settlement
from app.services.revisions.settlement import ReviewerAnswer
from app.services.security import staff_acts
from engine.types.enhancements import Enhancement

PAGE = 25
CHANGED = "It changed since you opened this page. Look at it again."
_OLDEST_FIRST = SortOrder((Revision.created_at, Revision.id), descending=False)


@dataclass(frozen=True, slots=True)
class SentBackPhoto:
    """The rounds in which one photo's result was sent back. `number` is the photo's place in the order, from 1."""

    number: int
    photo: Photo
    rounds: Sequence[Revision]


@dataclass(frozen=True, slots=True)
class SentBackRow:
    """One open round, with its job and photo."""

    revision: Revision
    job: Job
    photo: Photo


@dataclass(frozen=True, slots=True)
class SentBackView:
    """One round as its reviewer sees it: the `earlier` rounds of the result, and small pictures by the keys of
    their files. `can_weaken`: whether its steps can be made weaker. `refundable`: the credits that a refund of the
    photo returns; `step_refunds`: the credits that a refund of one step returns. `sent_back`: all photos of the
    order that were sent back. `version` changes with what is shown.
    """

    row: SentBackRow
    result: Result
    earlier: Sequence[Revision]
    previews: Mapping[str, Preview]
    status: RevisionStatus
    can_weaken: bool
    refundable: Decimal
    step_refunds: Mapping[Enhancement, Decimal]
    sent_back: Sequence[SentBackPhoto]
    version: str

    @property
    def can_be_shown(self) -> bool:
        """Whether hints about the photo could help its steps to succeed."""
        request = self.row.revision.before.settings.request_for(self.row.photo.edit_request)
        made = request if self.row.revision.lacked_result else request.keep(self.remade_steps)
        return bool(list_questions(made, ()))

    @property
    def remade_steps(self) -> Sequence[Enhancement]:
        """The steps that may be left out, or get another look, when the picture is made again."""
        before = self.row.revision.before
        return list_remade_steps(before.made_report, before.settings.request_for(self.row.photo.edit_request))


@dataclass(frozen=True, slots=True)
class HintedRound:
    """The result of a round, to be made again with hints. `version` as in SentBackView."""

    hinted: HintedResult
    status: RevisionStatus
    version: str


def queue(session: Session, after: str | None = None, limit: int = PAGE) -> CountedPage[SentBackRow, str]:
    """The rounds that wait for a reviewer, oldest first; with `after`, those after this round. Raises NotFound if
    there is no such round.
    """
    rows = _select_rows().where(*_is_waiting())
    if after is not None:
        place = _get_revision(session, after)
        rows = rows.where(_OLDEST_FIRST.beyond((place.created_at, place.id)))
    found = [SentBackRow(*row) for row in session.execute(_OLDEST_FIRST.sort(rows).limit(limit + 1))]
    page = cut_page(found, limit, lambda row: row.revision.id)
    return CountedPage(page.rows, page.next, count_sent_back(session))


def count_sent_back(session: Session) -> int:
    """Count the rounds that wait for a reviewer."""
    return session.scalar(select(func.count()).select_from(Revision).where(*_is_waiting())) or 0


def view(session: Session, revision_id: str) -> SentBackView:
    """One round, open or not. Raises NotFound."""
    revision = _get_revision(session, revision_id)
    row = SentBackRow(*session.execute(_select_rows().where(Revision.id == revision.id)).one())
    result = session.get_one(Result, revision.result_id)
    # Rounds that reviewers began are not in this list, although `revision` may be one of them.
    rounds = revisions.list_rounds(session, result.id)
    shown_pictures = [picture for each in (*rounds, revision) for picture in (each.before, each.made) if picture]
    keys = [row.photo.storage_key, *filter(None, (each.storage_key for each in shown_pictures))]
    return SentBackView(
        row=row,
        result=result,
        earlier=[each for each in rounds if each.round < revision.round],
        previews=previews.get_all(session, keys),
        status=revision.status,
        can_weaken=weaken(revision.before.settings, revision.before.made_report) is not None,
        refundable=_sum_refundable(session, row),
        step_refunds=_list_step_refunds(session, row),
        sent_back=list_sent_back_photos(quality.photos_of(session, row.job.id, with_rounds=True)),
        version=_version(revision),
    )


def make(
    session: Session,
    staff_id: str,
    revision_id: str,
    version: str,
    chosen: RemakeChoice,
    now: datetime,
) -> None:
    """Have the picture made again as the reviewer chose. Then a reviewer looks at it.

    Raises NotFound, Conflict if the round waits for no reviewer or has changed since, and InvalidRequest if nothing
    or something impossible is chosen (InvalidFields if hints are not for this photo).
    """
    job, revision, photo = _lock_shown_round(session, revision_id, version)
    seed = pictures.next_seed(session, photo.id)
    present = revision.before.settings
    request = present.request_for(photo.edit_request)
    if chosen.hints is not None:
        if not revision.lacked_result:
            # All other declined steps stay left out, because their price was refunded.
            paid = declines.find_paid_steps(session, job, photo.id)
            present = present.keeping(photo.edit_request, [*revision.before.made_report.applied, *paid])
            request = present.request_for(photo.edit_request)
        result = session.get_one(Result, revision.result_id)
        revisions.check_hints(session, result, photo, chosen.hints, request.steps)
    settings = choose_settings(present, revision.before.made_report, seed, chosen, request)
    revision.asked_by = staff_id
    settlement.request_picture(session, revision, photo, settings, now)
    record(session, staff_id, StaffAction.MAKE_AGAIN, revision, photo, now)


def get_hinted(session: Session, revision_id: str) -> HintedRound:
    """The result of a round, to be made again with hints. Raises NotFound."""
    revision = _get_revision(session, revision_id)
    if revision.by_reviewer:
        raise NotFound
    job = session.get_one(Job, revision.job_id)
    is_refunded = not revision.lacked_result
    hinted = hinted_results.read(session, job, revision.result_id, is_refunded=is_refunded)
    return HintedRound(hinted, revision.status, _version(revision))


def approve(session: Session, staff_id: str, revision_id: str, version: str, now: datetime) -> None:
    """Give the result the picture that was made. Raises NotFound, and Conflict like make() or where there is no new
    picture.
    """
    job, revision, photo = _lock_shown_round(session, revision_id, version)
    if revision.new_picture is None:
        raise Conflict("There is no new picture to use.")
    settlement.put_in_place(session, job, revision, now, staff_id)
    record(session, staff_id, StaffAction.REVISE, revision, photo, now)


def keep(session: Session, staff_id: str, revision_id: str, version: str, answer: str, now: datetime) -> None:
    """Leave the picture as it is, with an answer that tells the owner why. Raises NotFound, Conflict like make(),
    and InvalidRequest if the answer is empty or too long.
    """
    job, revision, photo = _lock_shown_round(session, revision_id, version)
    words = _read_answer(answer)
    settlement.close(session, job, revision, RevisionOutcome.KEPT, now, ReviewerAnswer(staff_id, words))
    record(session, staff_id, StaffAction.KEEP, revision, photo, now, words)


def refund(session: Session, staff_id: str, revision_id: str, version: str, answer: str, now: datetime) -> None:
    """Refund what is left of the photo's price, with an answer that tells the owner why. The picture stays. Raises
    like keep(), and Conflict if the photo had no usable result, because its price was refunded before.
    """
    job, revision, photo = _lock_shown_round(session, revision_id, version)
    if revision.lacked_result:
        raise Conflict("The price of this photo was refunded when the order was decided.")
    words = _read_answer(answer)
    settlement.refund(session, job, revision, words, now, ReviewerAnswer(staff_id, words))
    note = f"{credits_(revision.credits_refunded)} refunded. {words}"
    record(session, staff_id, StaffAction.REFUND_PHOTO, revision, photo, now, note)


def refund_step(
    session: Session, staff_id: str, revision_id: str, version: str, step: str, answer: str, now: datetime
) -> None:
    """Refund what is left of the price of one step that the picture keeps, with an answer that tells the owner why.
    Raises like keep(), and InvalidRequest if nothing of the step can be refunded.
    """
    job, revision, photo = _lock_shown_round(session, revision_id, version)
    words = _read_answer(answer)
    kept = () if revision.lacked_result else revision.before.made_report.applied
    chosen = next((each for each in kept if each == step), None)
    facts = (now, ReviewerAnswer(staff_id, words))
    if chosen is None or not settlement.refund_step(session, job, revision, chosen, *facts):
        raise InvalidRequest({"answer": "The price of this step can no longer be refunded."})
    note = f"{ENTRIES[chosen].label}: {credits_(revision.credits_refunded)} refunded. {words}"
    record(session, staff_id, StaffAction.REFUND_PHOTO, revision, photo, now, note)


def record(
    session: Session,
    staff_id: str,
    action: StaffAction,
    revision: Revision,
    photo: Photo,
    now: datetime,
    words: str = "",
) -> None:
    """Write what a reviewer did with a round to the log of staff's acts: the photo's name, which round it is and
    whether a reviewer began it, how the picture is made again, and `words`.
    """
    # Only reviewers begin rounds before delivery.
    when = "before delivery, " if revision.by_reviewer else ""
    how = revision.made.settings.description if action is StaffAction.MAKE_AGAIN and revision.made else ""
    facts = ", ".join(filter(None, (f"{photo.file_name}, {when}round {revision.round}", how)))
    staff_acts.record(session, staff_id, action, revision.job_id, now, f"{facts}. {words}".rstrip(". "))


def list_sent_back_photos(photos: Sequence[Photo]) -> list[SentBackPhoto]:
    """The photos among these that were sent back, with what the customer wrote. The photos are loaded with their
    rounds.
    """
    numbered = (
        (number, photo, photo.result.rounds if photo.result else ()) for number, photo in enumerate(photos, 1)
    )
    return [SentBackPhoto(number, photo, rounds) for number, photo, rounds in numbered if rounds]


def _sum_refundable(session: Session, row: SentBackRow) -> Decimal:
    if row.revision.lacked_result:
        return Decimal(0)
    return refunds.total(refunds.list_for_photo(session, row.job, row.photo, reason=""))


def _list_step_refunds(session: Session, row: SentBackRow) -> dict[Enhancement, Decimal]:
    applied = () if row.revision.lacked_result else row.revision.before.made_report.applied
    refundable = {
        step: refunds.total(refunds.list_for_kept_step(session, row.job, row.photo, step, reason=""))
        for step in applied
    }
    return {step: amount for step, amount in refundable.items() if amount}


def _is_waiting() -> tuple[ColumnElement[bool], ...]:
    being_made = select(StoredPicture.id).where(
        StoredPicture.id == Revision.made_id, StoredPicture.state.in_(UNFINISHED)
    )
    live = select(Job.id).where(Job.id == Revision.job_id, Job.livemode).correlate(Revision)
    return (Revision.outcome.is_(None), Revision.by_reviewer.is_(False), ~being_made.exists(), live.exists())


def _select_rows() -> Select[Revision, Job, Photo]:
    rows = select(Revision, Job, Photo).join(Job, Job.id == Revision.job_id)
    return rows.join(Photo, Photo.id == Revision.photo_id)


def _get_revision(session: Session, revision_id: str) -> Revision:
    return require_found(session.get(Revision, revision_id) if is_id(revision_id, Prefix.REVISION) else None)


def _lock_shown_round(session: Session, revision_id: str, version: str) -> tuple[Job, Revision, Photo]:
    """Lock the job of a round that has not changed since the reviewer saw it; returns job, round and photo. Raises
    NotFound, and Conflict like make().
    """
    job = jobs.lock(session, _get_revision(session, revision_id).job_id)
    revision = session.get(Revision, revision_id, populate_existing=True)
    if revision is None or revision.by_reviewer:
        raise NotFound
    if revision.status is not RevisionStatus.IN_REVIEW or _version(revision) != version:
        raise Conflict(CHANGED)
    return job, revision, session.get_one(Photo, revision.photo_id)


def _version(revision: Revision) -> str:
    """Text that changes with everything that matters for a reviewer's decision."""
    made = revision.made
    state, key = (made.state, made.storage_key or "") if made else ("", "")
    return f"{state}:{revision.outcome or ''}:{revision.reason or ''}:{key.rpartition('/')[2]}"


def _read_answer(answer: str) -> str:
    words = one_line(answer)
    if not words:
        raise InvalidRequest({"answer": "Say why: the customer reads it."})
    if len(words) > MAX_REASON:
        raise InvalidRequest({"answer": f"Say it in at most {MAX_REASON} characters."})
    return words
