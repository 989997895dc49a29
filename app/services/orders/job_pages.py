"""Orders as their owner sees them: progress, the outcome of every photo, what they cost and what was refunded."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.ledger import LedgerKind
from app.domain.lifecycle import DOWNLOADABLE, FINAL, REFUNDED, TIMED, Status, WorkState
from app.domain.pricing import PricedPhoto, QuoteLine, quote
from app.models import Job, LedgerLine, Photo, Preview, Result, Revision
from app.services.orders.jobs import Progress
from app.services.previews import previews
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, StepOutcome, Verdict


class PhotoState(StrEnum):
    """Where one photo of an order stands. What reviewers decided is told once the whole order is decided; what the
    checks approved, at once.
    """

    WAITING = "waiting"
    WORKING = "working"
    MADE = "made"
    USABLE = "usable"
    PARTLY_USABLE = "partly usable"
    UNUSABLE = "unusable"
    STOPPED = "stopped"


class StageState(StrEnum):
    """Whether a stage of an order is behind it, is where it stands, or lies ahead."""

    DONE = "done"
    CURRENT = "current"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class OrderStage:
    """One stage of an order, named by the status that it has there; `at` once it was reached."""

    name: Status
    at: datetime | None
    state: StageState


@dataclass(frozen=True, slots=True)
class JobPhoto:
    """One photo of an order: what was asked for, where it stands, and its report once that is decided."""

    photo: Photo
    number: int
    state: PhotoState
    report: QualityReport | None

    @property
    def has_result(self) -> bool:
        """Whether there is a result that its owner may see."""
        return self.state in (PhotoState.USABLE, PhotoState.PARTLY_USABLE)

    @property
    def picture_key(self) -> str:
        """The file to show: the result where there is one, else the photo."""
        made = self.photo.result.storage_key if self.has_result and self.photo.result else None
        return made or self.photo.storage_key

    @property
    def outcomes(self) -> Mapping[Enhancement, StepOutcome]:
        """What became of each enhancement, once that is decided."""
        return {step.enhancement: step for step in self.report.steps} if self.report else {}

    @property
    def message(self) -> str:
        """Why it cannot be used; empty where it can, or where that is not decided."""
        is_rejected = self.report is not None and not self.has_result
        return self.photo.result.message if is_rejected and self.photo.result else ""


@dataclass(frozen=True, slots=True)
class JobPage:
    """All of one order. `price` is empty when it cannot be itemised any more: photos gone, or prices changed.
    `previews` are those of its photos and results, `sent_back` the ids of the photos whose results are sent back,
    and not answered yet; both may have those of other orders, too.
    """

    job: Job
    stages: Sequence[OrderStage]
    photos: Sequence[JobPhoto]
    previews: Mapping[str, Preview]
    price: Sequence[QuoteLine]
    refunds: Sequence[LedgerLine]
    sent_back: Set[str]

    @property
    def unfinished(self) -> bool:
        """Whether it still moves by itself."""
        return self.job.status in TIMED

    @property
    def ready(self) -> bool:
        """Whether results can be looked at."""
        return self.job.status in DOWNLOADABLE and not self.expired

    @property
    def expired(self) -> bool:
        """Whether the pictures are gone."""
        return self.job.expired_at is not None

    @property
    def progress(self) -> Progress:
        """How many photos were worked on."""
        return Progress(len(self.photos), sum(each.photo.state is WorkState.DONE for each in self.photos))

    def is_comparable(self, each: JobPhoto) -> bool:
        """Whether there is a result, and both it and its photo can be shown."""
        both = (self.previews.get(each.photo.storage_key), self.previews.get(each.picture_key))
        return each.has_result and all(preview is not None and preview.width for preview in both)

    @property
    def lacks_previews(self) -> bool:
        """Whether nobody ever asked for small pictures of some results."""
        return any(each.has_result and each.picture_key not in self.previews for each in self.photos)

    @property
    def usable_count(self) -> int:
        """How many photos have a result."""
        return sum(each.has_result for each in self.photos)

    @property
    def kept_credits(self) -> Decimal:
        """What it cost after all refunds."""
        return self.job.credit_cost - self.job.credits_refunded


def read_all(session: Session, found: Sequence[Job]) -> list[JobPage]:
    """These orders, expired or not, in four queries however many photos they have."""
    ids = [job.id for job in found]
    photos: dict[str, list[Photo]] = defaultdict(list)
    with_results = select(Photo).where(Photo.job_id.in_(ids)).options(joinedload(Photo.result))
    for photo in session.scalars(with_results.order_by(Photo.type, Photo.index)):
        photos[photo.job_id].append(photo)
    rows = {job.id: [_photo(job, photo, number) for number, photo in enumerate(photos[job.id], 1)] for job in found}
    every = [each for shown in rows.values() for each in shown]
    made = previews.get_all(session, [key for each in every for key in (each.photo.storage_key, each.picture_key)])
    back, sent_back = _refunds(session, ids), _sent_back(session, ids)
    return [
        JobPage(job, list_stages(job), rows[job.id], made, _price(job, rows[job.id]), back[job.id], sent_back)
        for job in found
    ]


def _sent_back(session: Session, job_ids: Sequence[str]) -> Set[str]:
    sent_back = (Revision.job_id.in_(job_ids), Revision.by_reviewer.is_(False), Revision.outcome.is_(None))
    open_ = select(Revision.photo_id).where(*sent_back)
    return frozenset(session.scalars(open_))


def list_stages(job: Job) -> list[OrderStage]:
    """The way of the order: the stages it went through, and unless it is over, those ahead if it goes well."""
    lost, over = job.status in REFUNDED, job.status in REFUNDED or job.expired_at is not None
    times = {
        Status.PENDING: job.created_at,
        Status.PROCESSING: job.processing_at,
        Status.QC_REVIEW: job.completed_at,
        job.status if lost else Status.APPROVED: job.settled_at,
        **({} if lost else {Status.DELIVERED: job.delivered_at}),
    }
    return [OrderStage(name, at, _stage_state(job, name, at)) for name, at in times.items() if at or not over]


def _stage_state(job: Job, name: Status, at: datetime | None) -> StageState:
    if at is None:
        return StageState.OPEN
    stands = name is job.status and name not in FINAL and job.expired_at is None
    return StageState.CURRENT if stands else StageState.DONE


def _photo(job: Job, photo: Photo, number: int) -> JobPhoto:
    result = photo.result if job.status not in TIMED or _is_approved_by_checks(photo.result) else None
    report = result.report if result else None
    state = _decided(result.verdict, report) if result and report else _undecided(job, photo)
    return JobPhoto(photo, number, state, report)


def _is_approved_by_checks(result: Result | None) -> bool:
    return result is not None and result.verdict is Verdict.APPROVED and result.decided_by is None


def _decided(verdict: Verdict, report: QualityReport) -> PhotoState:
    if verdict is Verdict.APPROVED:
        return PhotoState.USABLE if report.complete else PhotoState.PARTLY_USABLE
    # An order that failed as a whole leaves photos undecided.
    return PhotoState.UNUSABLE if verdict is Verdict.REJECTED else PhotoState.STOPPED


def _undecided(job: Job, photo: Photo) -> PhotoState:
    if job.status not in TIMED:
        return PhotoState.STOPPED
    states = {WorkState.DONE: PhotoState.MADE, WorkState.WORKING: PhotoState.WORKING}
    return states.get(photo.state, PhotoState.WAITING)


def _price(job: Job, photos: Sequence[JobPhoto]) -> Sequence[QuoteLine]:
    priced = [PricedPhoto(each.photo.type, each.photo.edit_request) for each in photos]
    itemised = quote(priced)
    # Prices may have changed since; what was charged is what the ledger says.
    return itemised.lines if itemised.credits == job.credit_cost else ()


def _refunds(session: Session, job_ids: Sequence[str]) -> Mapping[str, list[LedgerLine]]:
    back = select(LedgerLine).where(LedgerLine.job_id.in_(job_ids), LedgerLine.kind == LedgerKind.REFUND)
    found: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in session.scalars(back.order_by(LedgerLine.id)):
        found[line.job_id or ""].append(line)
    return found
