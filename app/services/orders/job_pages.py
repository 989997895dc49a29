"""Orders as their owner sees them: progress, the outcome of each photo, costs and refunds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import chain

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.declines import Decline
from app.domain.ledger import LedgerKind, is_refund_of_photo, sum_property_refunds
from app.domain.lifecycle import DOWNLOADABLE, FINAL, REFUNDED, UNSETTLED, WORKABLE, Status, WorkState
from app.domain.pricing import PricedPhoto, QuoteLine, quote
from app.models import Job, LedgerLine, Photo, Preview, Result, Revision
from app.services.accounts import users
from app.services.orders import declines
from app.services.orders.jobs import Progress
from app.services.previews import previews
from app.services.team import members
from engine.types.enhancements import Enhancement
from engine.types.outlook import HintPart
from engine.types.report import QualityReport, StepOutcome, Verdict


class PhotoState(StrEnum):
    """The state of one photo of an order, as its owner sees it. Decisions of reviewers are shown when the whole
    order is decided; approvals by automatic checks are shown at once.
    """

    WAITING = "waiting"
    WORKING = "working"
    MADE = "made"
    USABLE = "usable"
    PARTLY_USABLE = "partly usable"
    UNUSABLE = "unusable"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


class StageState(StrEnum):
    """Whether a stage of an order is completed, current, or not reached yet."""

    DONE = "done"
    CURRENT = "current"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class OrderStage:
    """One stage of an order, named by the order's status in it. `at`: when it was reached, None before."""

    name: Status
    at: datetime | None
    state: StageState


@dataclass(frozen=True, slots=True)
class JobPhoto:
    """One photo of an order, its number in the order (from 1), its state, and its report once it is decided.
    `refunded`: the credits that were refunded for the photo alone. `decline`: what can be ordered again once the
    customer shows something; `free_part`: the part that the customer can show to get what the photo lacks without
    another order. Both are None if there is nothing.
    """

    photo: Photo
    number: int
    state: PhotoState
    report: QualityReport | None
    refunded: Decimal
    decline: Decline | None = None
    free_part: HintPart | None = None

    @property
    def has_result(self) -> bool:
        """Whether there is a result that the owner may see."""
        return self.state in (PhotoState.USABLE, PhotoState.PARTLY_USABLE)

    @property
    def picture_key(self) -> str:
        """The storage key of the picture to show: the result's where the owner may see it, else the photo's."""
        made = self.photo.result.storage_key if self.has_result and self.photo.result else None
        return made or self.photo.storage_key

    @property
    def outcomes(self) -> Mapping[Enhancement, StepOutcome]:
        """The outcome of each enhancement; empty until the photo is decided."""
        return {step.enhancement: step for step in self.report.steps} if self.report else {}

    @property
    def message(self) -> str:
        """Why the photo has no usable result; empty if it has one, or if it is not decided."""
        lacks_result = self.report is not None and not self.has_result
        return self.photo.result.message if lacks_result and self.photo.result else ""


@dataclass(frozen=True, slots=True)
class JobPage:
    """Everything about one order. `price` is empty when it can no longer be itemized, because the photos were
    deleted or prices changed. `previews`: small pictures by the storage key of a photo or result. `sent_back`: the
    ids of photos whose results were sent back and not answered yet. `previews` and `sent_back` may include entries
    of other orders. `ordered_by`: the name of the member who placed the order; empty for orders by the API, and if
    the account has only one member.
    """

    job: Job
    stages: Sequence[OrderStage]
    photos: Sequence[JobPhoto]
    previews: Mapping[str, Preview]
    price: Sequence[QuoteLine]
    refunds: Sequence[LedgerLine]
    sent_back: Set[str]
    ordered_by: str = ""

    @property
    def unfinished(self) -> bool:
        """Whether the order is still being processed or reviewed."""
        return self.job.status in UNSETTLED

    @property
    def ready(self) -> bool:
        """Whether results can be viewed and downloaded."""
        return self.job.status in DOWNLOADABLE and not self.expired

    @property
    def cancellable(self) -> bool:
        """Whether photos of it can be cancelled now, see services.photos.cancellations."""
        is_possible = self.job.status in WORKABLE and self.job.cancelled_at is None
        return is_possible and any(each.photo.state is WorkState.WAITING for each in self.photos)

    @property
    def cancelled_count(self) -> int:
        """How many of the photos were cancelled."""
        return sum(each.state is PhotoState.CANCELLED for each in self.photos)

    @property
    def expired(self) -> bool:
        """Whether the pictures were removed at the end of their retention."""
        return self.job.expired_at is not None

    @property
    def progress(self) -> Progress:
        """How many of the photos are processed."""
        return Progress(len(self.photos), sum(each.photo.state is WorkState.DONE for each in self.photos))

    def is_comparable(self, each: JobPhoto) -> bool:
        """Whether the photo has a result, and both have small pictures, so that a page can compare them."""
        both = (self.previews.get(each.photo.storage_key), self.previews.get(each.picture_key))
        return each.has_result and all(preview is not None and preview.width for preview in both)

    @property
    def lacks_previews(self) -> bool:
        """Whether the small picture of a result, or of a photo of an order that ended, was never requested."""
        ended = (each for each in self.photos if each.has_result or not self.unfinished)
        return any(each.picture_key not in self.previews for each in ended)

    @property
    def usable_count(self) -> int:
        """How many photos have a result."""
        return sum(each.has_result for each in self.photos)

    @property
    def property_refunded(self) -> Decimal:
        """The credits that were refunded of the price for all exterior photos together."""
        return sum_property_refunds(self.job.id, {line.cause: line.amount for line in self.refunds})

    @property
    def kept_credits(self) -> Decimal:
        """The cost of the order in credits after all refunds."""
        return self.job.credit_cost - self.job.credits_refunded


def read_all(session: Session, found: Sequence[Job]) -> list[JobPage]:
    """The pages of these orders, expired or not, in six queries at most, however many photos they have."""
    ids = [job.id for job in found]
    photos_by_job: dict[str, list[Photo]] = defaultdict(list)
    with_results = select(Photo).where(Photo.job_id.in_(ids)).options(joinedload(Photo.result))
    for photo in session.scalars(with_results.order_by(Photo.type, Photo.index)):
        photos_by_job[photo.job_id].append(photo)
    refunds, sent_back = _read_refunds(session, ids), _read_sent_back(session, ids)
    rows = {job.id: _make_rows(job, photos_by_job[job.id], refunds[job.id]) for job in found}
    keys = {key for row in chain(*rows.values()) for key in (row.photo.storage_key, row.picture_key)}
    small_pictures = previews.get_all(session, keys)
    orderers = _name_orderers(session, found)
    return [
        JobPage(
            job=job,
            stages=list_stages(job),
            photos=rows[job.id],
            previews=small_pictures,
            price=_itemize(job, rows[job.id]),
            refunds=refunds[job.id],
            sent_back=sent_back,
            ordered_by=orderers.get(job.ordered_by or "", ""),
        )
        for job in found
    ]


def _name_orderers(session: Session, found: Sequence[Job]) -> Mapping[str, str]:
    """The names of the members who placed these orders of one account, by id; none where it has only one member."""
    ids = {job.ordered_by for job in found if job.ordered_by}
    if not ids or members.count(session, found[0].account_id) == 1:
        return {}
    return users.list_names(session, ids)


def _read_sent_back(session: Session, job_ids: Sequence[str]) -> Set[str]:
    conditions = (Revision.job_id.in_(job_ids), Revision.by_reviewer.is_(False), Revision.outcome.is_(None))
    query = select(Revision.photo_id).where(*conditions)
    return frozenset(session.scalars(query))


def list_stages(job: Job) -> list[OrderStage]:
    """The stages that the order has reached and, unless it is refunded or expired, those that usually follow."""
    is_refunded = job.status in REFUNDED
    is_over = is_refunded or job.expired_at is not None
    times = {
        Status.PENDING: job.created_at,
        Status.PROCESSING: job.processing_at,
        Status.QC_REVIEW: job.completed_at,
    }
    if is_refunded:
        times[job.status] = job.settled_at
    else:
        times |= {Status.APPROVED: job.settled_at, Status.DELIVERED: job.delivered_at}
    return [
        OrderStage(name, at, _find_stage_state(job, name, at)) for name, at in times.items() if at or not is_over
    ]


def _find_stage_state(job: Job, name: Status, at: datetime | None) -> StageState:
    if at is None:
        return StageState.OPEN
    is_current = name is job.status and name not in FINAL and job.expired_at is None
    return StageState.CURRENT if is_current else StageState.DONE


def _make_rows(job: Job, photos: Sequence[Photo], refunds: Sequence[LedgerLine]) -> list[JobPhoto]:
    facts = (job, photos, {line.cause: line.amount for line in refunds})
    payable, free = declines.find_all(*facts), declines.find_free_parts(*facts)
    rows = (_make_row(job, photo, number, refunds) for number, photo in enumerate(photos, 1))
    return [replace(row, decline=payable.get(row.photo.id), free_part=free.get(row.photo.id)) for row in rows]


def _make_row(job: Job, photo: Photo, number: int, refunds: Sequence[LedgerLine]) -> JobPhoto:
    is_shown = job.status not in UNSETTLED or _is_approved_by_checks(photo.result) or photo.is_cancelled
    result = photo.result if is_shown else None
    report = result.report if result else None
    state = _find_decided_state(result.verdict, report) if result and report else _find_undecided_state(job, photo)
    state = PhotoState.CANCELLED if photo.is_cancelled else state
    mine = (line.amount for line in refunds if is_refund_of_photo(line.cause, photo.id))
    return JobPhoto(photo, number, state, report, sum(mine, Decimal(0)))


def _is_approved_by_checks(result: Result | None) -> bool:
    return result is not None and result.verdict is Verdict.APPROVED and result.decided_by is None


def _find_decided_state(verdict: Verdict, report: QualityReport) -> PhotoState:
    if verdict is Verdict.APPROVED:
        return PhotoState.USABLE if report.complete else PhotoState.PARTLY_USABLE
    # When an order fails as a whole, its photos stay undecided.
    return PhotoState.UNUSABLE if verdict is Verdict.REJECTED else PhotoState.STOPPED


def _find_undecided_state(job: Job, photo: Photo) -> PhotoState:
    if job.status not in UNSETTLED:
        return PhotoState.STOPPED
    states = {WorkState.DONE: PhotoState.MADE, WorkState.WORKING: PhotoState.WORKING}
    return states.get(photo.state, PhotoState.WAITING)


def _itemize(job: Job, photos: Sequence[JobPhoto]) -> Sequence[QuoteLine]:
    priced = [PricedPhoto(each.photo.type, each.photo.edit_request) for each in photos]
    itemized = quote(priced)
    # If prices have changed since the order, these lines do not add up to the charge.
    return itemized.lines if itemized.credits == job.credit_cost else ()


def _read_refunds(session: Session, job_ids: Sequence[str]) -> Mapping[str, list[LedgerLine]]:
    query = select(LedgerLine).where(LedgerLine.job_id.in_(job_ids), LedgerLine.kind == LedgerKind.REFUND)
    found: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in session.scalars(query.order_by(LedgerLine.id)):
        found[line.job_id or ""].append(line)
    return found
