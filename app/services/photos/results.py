"""The results of one order as its owner sees them: each usable picture with its photo."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.domain import ledger
from app.domain.content_credentials import CredentialKind
from app.domain.disclosure.listing import Listing, RequiredDisclosure, caption, find_disclosures, picture_label
from app.domain.lifecycle import DOWNLOADABLE, SHOWABLE
from app.domain.revisions import RevisionObstacle, RevisionStatus
from app.domain.sizes import DownloadSize
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
from app.services import engines
from app.services.billing import refunds
from app.services.orders import jobs
from app.services.photos import downloads, packs, pictures, public_pages, variants, zip_downloads
from app.services.previews import previews
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.furniture import AddedFurniture
from engine.types.report import QualityReport, StepOutcome, Verdict


@dataclass(frozen=True, slots=True)
class LeftOutChange:
    """One change of a renovation that was not done, why, and how many credits were refunded."""

    type: ChangeType
    message: str
    refunded: Decimal


@dataclass(frozen=True, slots=True)
class StepResult:
    """The outcome of one enhancement: done, or why not and how many credits were refunded.

    `left_out`: changes that a renovation does not have; `notes`: remarks on the changes that were done;
    `furniture`: what staging added.
    """

    enhancement: Enhancement
    applied: bool
    message: str
    refunded: Decimal
    left_out: Sequence[LeftOutChange] = ()
    notes: Sequence[str] = ()
    furniture: Sequence[AddedFurniture] = ()


@dataclass(frozen=True, slots=True)
class ShownVariant:
    """A variant of the picture, without the steps `left_out`. `is_base`: it has only the steps that need no
    disclosure; `labeled`: its labeled copy, where there is one.
    """

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
    """One round in which a result was sent back. `preview`: of the picture that was sent back, None if there is
    none.
    """

    revision: Revision
    status: RevisionStatus
    preview: Preview | None


@dataclass(frozen=True, slots=True)
class ShownResult:
    """One usable picture. `number`: the photo's place in the order, from 1; `before`, `after`: previews of the
    photo and of the result, None if they were never requested.

    `listing`: where the property is advertised; `rounds`: those in which it was sent back; `refunded`: the credits
    refunded for the photo alone.
    """

    listing: Listing
    number: int
    photo: Photo
    result: Result
    key: str
    report: QualityReport
    steps: Sequence[StepResult]
    before: Preview | None
    after: Preview | None
    variants: Sequence[ShownVariant]
    rounds: Sequence[Round]
    refunded: Decimal
    can_be_remade: bool
    """Whether the engine that made the result is still available."""

    @property
    def open_round(self) -> Round | None:
        """The round that is not over; None if the result is not sent back now."""
        return next((each for each in self.rounds if each.status is not RevisionStatus.DONE), None)

    @property
    def revision_obstacle(self) -> RevisionObstacle | None:
        """Why it cannot be sent back again; None if it can."""
        return self.result.revision_obstacle

    @property
    def name(self) -> str:
        """The file name of the picture."""
        return downloads.result_name(self.photo.file_name, self.key)

    @property
    def caption(self) -> str | None:
        """The words about the picture that the listing must have; None if it needs none."""
        return caption(self.listing, self.report.applied)

    @property
    def disclosures(self) -> Sequence[RequiredDisclosure]:
        """What each rule requires to be disclosed about the picture, or forbids."""
        return find_disclosures(self.listing, self.report.applied)

    @property
    def label(self) -> str | None:
        """The words in the labeled copy; if no copy was requested yet, the words that it would have."""
        return self.after.label if self.after else picture_label(self.listing, self.report.applied)

    @property
    def has_labeled(self) -> bool:
        """Whether the labeled copy is in the store."""
        return downloads.has_labeled(self.after)

    @property
    def omissible(self) -> Sequence[Enhancement]:
        """The steps that can each be left out alone when the picture is made again."""
        if not self.can_be_remade:
            return ()
        applied = self.report.applied
        return [each for each in applied if find_obstacle(self.report, leave_out(self.report, [each])) is None]

    @property
    def credentials(self) -> CredentialKind:
        """Whose content credentials the picture's file carries."""
        return self.result.picture.credentials or CredentialKind.NONE

    @property
    def is_comparable(self) -> bool:
        """Whether small pictures of both the photo and the result are made."""
        return all(preview is not None and preview.width for preview in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The results of an order: all of them or, until it is decided, those approved so far. `shown` has at least one
    picture; `public_page` shows the originals. `expected`: how many photos the order has.
    """

    job: Job
    shown: Sequence[ShownResult]
    public_page: PublicPage | None
    packs: Sequence[MlsPack]
    expected: int

    @property
    def is_undecided(self) -> bool:
        """Whether the order is not decided yet, so that there is nothing to download."""
        return self.job.status not in DOWNLOADABLE

    @property
    def is_partly_ready(self) -> bool:
        """Whether the order is decided, and some of its photos have no usable result."""
        return not self.is_undecided and len(self.shown) < self.expected

    def find(self, photo_id: str | None) -> ShownResult | None:
        """The result of this photo; None if it is not among `shown`."""
        return next((each for each in self.shown if each.photo.id == photo_id), None)

    def index_of(self, number: int | None) -> int:
        """The index in `shown` of the photo with this number; 0 where it is not among them."""
        return next((index for index, each in enumerate(self.shown) if each.number == number), 0)

    def number_of(self, image_id: str) -> int | None:
        """The number of the photo with this result; None if it is not among `shown`."""
        return next((each.number for each in self.shown if each.result.id == image_id), None)

    @property
    def lacks_previews(self) -> bool:
        """Whether some of the small pictures were never requested."""
        return any(each.before is None or each.after is None for each in self.shown)

    @property
    def lacks_copies(self) -> bool:
        """Whether smaller copies to download were never requested of some of the pictures."""
        return any(each.after is None or not each.after.wants_copies for each in self.shown)


def read(session: Session, account_id: str, job_id: str, now: datetime) -> ResultsPage | None:
    """The results of the account's order, always in nine queries. Viewing them does not deliver the order.

    Until the order is decided, `shown` has those approved so far. Returns None while there is no result to view,
    and after the pictures are gone. Raises NotFound.
    """
    job = jobs.get_even_expired(session, account_id, job_id)
    if job.status not in SHOWABLE or job.expired_at is not None:
        return None
    rows = _list_rows(session, job_id)
    variants_by_result = variants.get_variants(session, [job_id])
    keys = [key for _, photo, result in rows for key in (photo.storage_key, result.storage_key) if key]
    keys += [each.storage_key for found in variants_by_result.values() for each in found if each.storage_key]
    keys += [each.before.storage_key or "" for _, _, result in rows for each in result.rounds]
    previews_by_key = previews.get_all(session, keys)
    refunds_by_cause = refunds.sum_by_cause(session, job_id)
    versions = engines.list_versions(session)
    of_job = _JobRows(job.listing, previews_by_key, refunds_by_cause, variants_by_result, versions)
    shown = [_make_shown_result(*row, of_job) for row in _filter_visible(rows, job)]
    if not shown:
        return None
    public_page = public_pages.find_live(session, account_id, job_id, now)
    expected = job.interior_count + job.exterior_count
    return ResultsPage(job, shown, public_page, packs.of_job(session, job_id), expected)


def find_photo(session: Session, job_id: str, image_id: str) -> str | None:
    """The id of the job's photo with this result, whatever its verdict; None if there is none."""
    return session.scalar(select(Result.photo_id).where(Result.job_id == job_id, Result.id == image_id))


def request_previews(session: Session, page: ResultsPage, now: datetime) -> None:
    """Request all small pictures of the page, for an order that was placed before the service made small
    pictures.
    """
    for each in page.shown:
        pictures.request_previews(session, each.photo.storage_key, now)
        pictures.request_result_previews(session, each.listing, each.key, each.report, now)


def request_copies(session: Session, page: ResultsPage) -> None:
    """Request smaller copies to download, now that somebody looks at the results."""
    previews.request_copies(session, [each.key for each in page.shown])


def measure(page: ResultsPage, names: Mapping[str, str]) -> Mapping[DownloadSize, int | None]:
    """How many bytes the ZIP of all pictures has in each size; None while the pictures are not made in that size.
    `names`: the photos' names by id.
    """
    folder, rows = zip_downloads.folder_of(page.job), [(each.result, names[each.photo.id]) for each in page.shown]
    made = {each.key: each.after for each in page.shown if each.after}
    return {size: zip_downloads.measure(folder, rows, made, size) for size in DownloadSize}


_Row = tuple[int, Photo, Result]
"""A photo's number in the order, the photo, and its result."""


def _list_rows(session: Session, job_id: str) -> list[_Row]:
    """The photos that have a result, each with its place in the order."""
    query = select(Photo, Result).outerjoin(Result, Result.photo_id == Photo.id).where(Photo.job_id == job_id)
    query = query.options(selectinload(Result.revisions))
    numbered = enumerate(session.execute(query.order_by(Photo.type, Photo.index)), 1)
    return [(number, photo, result) for number, (photo, result) in numbered if result is not None]


def _filter_visible(rows: Sequence[_Row], job: Job) -> list[_Row]:
    """The results that the owner may see: decisions of reviewers are shown once the whole order is decided."""
    is_decided = job.status in DOWNLOADABLE
    return [row for row in rows if row[2].verdict is Verdict.APPROVED and (is_decided or row[2].decided_by is None)]


@dataclass(frozen=True, slots=True)
class _JobRows:
    """What all results of a job are assembled from, besides their own rows."""

    listing: Listing
    previews: Mapping[str, Preview]
    refunds: Mapping[str, Decimal]
    variants: Mapping[str, Sequence[StoredPicture]]
    versions: Collection[str]
    """The versions of the engine that can make pictures."""


def _make_shown_result(number: int, photo: Photo, result: Result, rows: _JobRows) -> ShownResult:
    report, key = result.report, downloads.key_of(result)
    mine = (amount for cause, amount in rows.refunds.items() if ledger.is_refund_of_photo(cause, photo.id))
    return ShownResult(
        listing=rows.listing,
        number=number,
        photo=photo,
        result=result,
        key=key,
        report=report,
        steps=[_make_step_result(photo.id, step, rows.refunds) for step in report.steps],
        before=rows.previews.get(photo.storage_key),
        after=rows.previews.get(key),
        variants=[_make_shown_variant(each, photo, result, rows) for each in rows.variants.get(result.id, ())],
        rounds=[_make_round(each, rows) for each in result.rounds],
        refunded=sum(mine, Decimal(0)),
        can_be_remade=result.picture.engine_version in rows.versions,
    )


def _make_round(revision: Revision, rows: _JobRows) -> Round:
    return Round(revision, revision.status, rows.previews.get(revision.before.storage_key or ""))


def _make_shown_variant(variant: StoredPicture, photo: Photo, result: Result, rows: _JobRows) -> ShownVariant:
    report, kept = result.report, variants.list_kept(variant, result, photo)
    labeled = rows.previews.get(variant.storage_key or "")
    return ShownVariant(
        variant=variant,
        state=variant.variant_state,
        left_out=[each for each in report.applied if each not in kept],
        is_base=kept == exempt_steps(report),
        labeled=labeled if downloads.has_labeled(labeled) else None,
    )


def _make_step_result(photo_id: str, step: StepOutcome, refunds_by_cause: Mapping[str, Decimal]) -> StepResult:
    def refunded_for(index: int) -> Decimal:
        return refunds_by_cause.get(ledger.change_refund_cause(photo_id, step.enhancement, index), Decimal(0))

    refunded = refunds_by_cause.get(ledger.step_refund_cause(photo_id, step.enhancement), Decimal(0))
    left_out = [LeftOutChange(each.type, each.message, refunded_for(each.index)) for each in step.declined_changes]
    said = [step.message, *(each.message for each in step.changes if each.applied)] if step.applied else []
    notes = [each for each in said if each]
    return StepResult(step.enhancement, step.applied, step.message, refunded, left_out, notes, step.furniture)
