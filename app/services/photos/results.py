"""The results of one order as its owner sees them: every usable picture beside its photo, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.domain import ledger
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, ToldDisclosure, caption, find_disclosures, picture_label
from app.domain.lifecycle import DOWNLOADABLE, SHOWABLE
from app.domain.ports import Storage
from app.domain.revisions import NoRevision, RevisionStatus
from app.domain.variants import (
    MESSAGES,
    VariantState,
    exempt_steps,
    find_obstacle,
    leave_out,
)
from app.models import (
    Job,
    MlsPack,
    Photo,
    Preview,
    PublicPage,
    Result,
    Revision,
    StoredPicture,
)
from app.services.billing import refunds
from app.services.orders import jobs
from app.services.photos import (
    downloads,
    packs,
    pictures,
    public_pages,
    variants,
)
from app.services.previews import previews
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.pictures import PreviewSize
from engine.types.report import QualityReport, StepOutcome, Verdict
from engine.version import engine_version


@dataclass(frozen=True, slots=True)
class LeftOutChange:
    """One change of a renovation that was not done, why, and how many credits were refunded."""

    type: ChangeType
    message: str
    refunded: Decimal


@dataclass(frozen=True, slots=True)
class DoneResult:
    """What became of one enhancement: done, or why not and how many credits were refunded.

    `left_out` are the changes of a renovation that was done without them; `notes` tell of those that were done.
    """

    enhancement: Enhancement
    applied: bool
    message: str
    refunded: Decimal
    left_out: Sequence[LeftOutChange] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """The picture once more without the steps `left_out`; `labeled` is its copy that says what is altered."""

    variant: StoredPicture
    state: VariantState
    left_out: Sequence[Enhancement]
    is_base: bool
    labeled: Preview | None

    @property
    def message(self) -> str:
        """Why it could not be made."""
        return MESSAGES[self.variant.error] if self.variant.error else ""


@dataclass(frozen=True, slots=True)
class Round:
    """One round in which a result was sent back; `preview` of the picture that was, None while unknown."""

    revision: Revision
    status: RevisionStatus
    preview: Preview | None


@dataclass(frozen=True, slots=True)
class ShownResult:
    """One usable picture. `number` is the photo's place in the order; the previews are None while unknown.

    `listing` is where the property is advertised; `made_again` are its variants, `rounds` those in which it was
    sent back.
    """

    listing: Listing
    number: int
    photo: Photo
    result: Result
    key: str
    report: QualityReport
    steps: Sequence[DoneResult]
    before: Preview | None
    after: Preview | None
    made_again: Sequence[MadeAgain]
    rounds: Sequence[Round]

    @property
    def open_round(self) -> Round | None:
        """The round that it is in, where it is sent back."""
        return next((each for each in self.rounds if each.status is not RevisionStatus.DONE), None)

    @property
    def cannot_be_sent_back(self) -> NoRevision | None:
        """Why it cannot be sent back once more."""
        return self.result.revision_obstacle

    @property
    def name(self) -> str:
        """What the file is called."""
        return downloads.result_name(self.photo.file_name, self.key)

    @property
    def caption(self) -> str | None:
        """What the listing says of it."""
        return caption(self.listing, self.report.applied)

    @property
    def disclosures(self) -> Sequence[ToldDisclosure]:
        """What each rule has told of it, or bars."""
        return find_disclosures(self.listing, self.report.applied)

    @property
    def label(self) -> str | None:
        """What the labeled copy says; of one that was made, what it really does."""
        return self.after.label if self.after else picture_label(self.listing, self.report.applied)

    @property
    def has_labeled(self) -> bool:
        """Whether the copy that says so lies there."""
        return downloads.has_labeled(self.after)

    @property
    def omissible(self) -> Sequence[Enhancement]:
        """The steps of which each can be left out by itself when the picture is made again."""
        if self.result.picture.engine_version != engine_version():
            return ()
        applied = self.report.applied
        return [each for each in applied if find_obstacle(self.report, leave_out(self.report, [each])) is None]

    @property
    def credentials(self) -> CredentialKind:
        """Whose its file carries."""
        return self.result.picture.credentials or CredentialKind.NONE

    @property
    def comparable(self) -> bool:
        """Whether both pictures can be shown."""
        return all(preview is not None and preview.width for preview in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class MissingResult:
    """One photo that gave nothing usable, why, and how many credits were refunded."""

    number: int
    photo: Photo
    message: str
    refunded: Decimal
    before: Preview | None


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """All results of an order, or while it is under way those that are approved already. There is at least one
    usable picture; `public_page` shows their originals, `packs` are those for listing services. `expected` is how
    many photos the order has.
    """

    job: Job
    shown: Sequence[ShownResult]
    missing: Sequence[MissingResult]
    public_page: PublicPage | None
    packs: Sequence[MlsPack]
    expected: int

    @property
    def under_way(self) -> bool:
        """Whether the order is not decided yet, so that there is nothing to download."""
        return self.job.status not in DOWNLOADABLE

    def find(self, photo_id: str | None) -> ShownResult | None:
        """The picture of this photo; None where it is none of these."""
        return next((each for each in self.shown if each.photo.id == photo_id), None)

    def chosen(self, number: int | None) -> int:
        """The place among `shown` of the photo with this number; of the first where none has it."""
        return next((place for place, each in enumerate(self.shown) if each.number == number), 0)

    def number_of(self, image_id: str) -> int | None:
        """The number of the photo with this result; None where it is none of these."""
        return next((each.number for each in self.shown if each.result.id == image_id), None)

    @property
    def lacks_previews(self) -> bool:
        """Whether nobody ever asked for some of the small pictures."""
        return any(each.before is None or each.after is None for each in self.shown)


def read(session: Session, account_id: str, job_id: str, now: datetime) -> ResultsPage | None:
    """The results of the account's order, in eight queries however many there are; looking delivers nothing.

    While the order is under way they are those approved so far, and nothing is called missing. None while there is
    nothing to look at, and after the pictures are gone. Raises NotFound.
    """
    job = jobs.get_any(session, account_id, job_id)
    if job.status not in SHOWABLE or job.expired_at is not None:
        return None
    rows = _rows(session, job_id)
    again = variants.get_variants(session, [job_id])
    keys = [key for _, photo, result in rows for key in (photo.storage_key, result.storage_key) if key]
    keys += [each.storage_key for found in again.values() for each in found if each.storage_key]
    keys += [each.before.storage_key or "" for _, _, result in rows for each in result.rounds]
    made = previews.get_all(session, keys)
    back = refunds.list_refunded(session, job_id)
    of_job = _JobRows(job.listing, made, back, again)
    shown = [_shown(*row, of_job) for row in _approved(rows, job)]
    if not shown:
        return None
    lost = (row for row in rows if row[2].verdict is Verdict.REJECTED) if job.status in DOWNLOADABLE else ()
    missing = [_missing(*row, made, back) for row in lost]
    public_page = public_pages.find_live(session, account_id, job_id, now)
    expected = job.interior_count + job.exterior_count
    return ResultsPage(job, shown, missing, public_page, packs.of_job(session, job_id), expected)


def find_photo(session: Session, job_id: str, image_id: str) -> str | None:
    """The id of the photo of the job with this result, whatever its verdict."""
    return session.scalar(select(Result.photo_id).where(Result.job_id == job_id, Result.id == image_id))


def request_previews(session: Session, page: ResultsPage, now: datetime) -> None:
    """Ask for all small pictures of the page, such as those of an order from before there were any."""
    for each in page.shown:
        pictures.request_previews(session, each.photo.storage_key, now)
        pictures.request_result_previews(session, each.listing, each.key, each.report, now)


def archive_bytes(page: ResultsPage, storage: Storage) -> int:
    """How many bytes all pictures and labeled copies have together."""
    copies = [previews.key_of(each.key, PreviewSize.LABELED) for each in page.shown if each.has_labeled]
    stored = filter(None, map(storage.stat, copies))
    return sum(each.result.picture.size_bytes or 0 for each in page.shown) + sum(each.size_bytes for each in stored)


_Row = tuple[int, Photo, Result]


def _rows(session: Session, job_id: str) -> list[_Row]:
    """The photos that have a result, each with its place in the order."""
    both = select(Photo, Result).outerjoin(Result, Result.photo_id == Photo.id).where(Photo.job_id == job_id)
    both = both.options(selectinload(Result.revisions))
    every = enumerate(session.execute(both.order_by(Photo.type, Photo.index)), 1)
    return [(number, photo, result) for number, (photo, result) in every if result is not None]


def _approved(rows: Sequence[_Row], job: Job) -> list[_Row]:
    """Those that its owner may see: what a reviewer decides is told once the whole order is decided."""
    settled = job.status in DOWNLOADABLE
    return [row for row in rows if row[2].verdict is Verdict.APPROVED and (settled or row[2].decided_by is None)]


@dataclass(frozen=True, slots=True)
class _JobRows:
    """What the results of a job are put together from, besides their own rows."""

    listing: Listing
    previews: Mapping[str, Preview]
    refunds: Mapping[str, Decimal]
    variants: Mapping[str, Sequence[StoredPicture]]


def _shown(number: int, photo: Photo, result: Result, rows: _JobRows) -> ShownResult:
    report, key = result.report, downloads.key_of(result)
    return ShownResult(
        listing=rows.listing,
        number=number,
        photo=photo,
        result=result,
        key=key,
        report=report,
        steps=[_done(photo.id, step, rows.refunds) for step in report.steps],
        before=rows.previews.get(photo.storage_key),
        after=rows.previews.get(key),
        made_again=[_again(each, photo, result, rows) for each in rows.variants.get(result.id, ())],
        rounds=[_round(each, rows) for each in result.rounds],
    )


def _round(revision: Revision, rows: _JobRows) -> Round:
    return Round(revision, revision.status, rows.previews.get(revision.before.storage_key or ""))


def _again(variant: StoredPicture, photo: Photo, result: Result, rows: _JobRows) -> MadeAgain:
    report, kept = result.report, variants.list_kept(variant, result, photo)
    labeled = rows.previews.get(variant.storage_key or "")
    return MadeAgain(
        variant=variant,
        state=variant.variant_state,
        left_out=[each for each in report.applied if each not in kept],
        is_base=kept == exempt_steps(report),
        labeled=labeled if downloads.has_labeled(labeled) else None,
    )


def _done(photo_id: str, step: StepOutcome, back: Mapping[str, Decimal]) -> DoneResult:
    def came_back(index: int) -> Decimal:
        return back.get(ledger.change_refund_cause(photo_id, step.enhancement, index), Decimal(0))

    refunded = back.get(ledger.step_refund_cause(photo_id, step.enhancement), Decimal(0))
    left_out = [LeftOutChange(each.type, each.message, came_back(each.index)) for each in step.declined_changes]
    notes = [each.message for each in step.changes if each.applied and each.message]
    return DoneResult(step.enhancement, step.applied, step.message, refunded, left_out, notes)


def _missing(
    number: int, photo: Photo, result: Result, made: Mapping[str, Preview], back: Mapping[str, Decimal]
) -> MissingResult:
    refunded = back.get(ledger.photo_refund_cause(photo.id), Decimal(0))
    return MissingResult(number, photo, result.message, refunded, made.get(photo.storage_key))
