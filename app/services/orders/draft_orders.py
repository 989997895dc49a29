"""Drafts become orders: priced and validated by the same code as orders from the API, placed exactly once."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy.orm import Session

from app.database import Database
from app.domain import draft_parts
from app.domain.budgets import Payer
from app.domain.draft_orders import as_order
from app.domain.drafts import DraftOrder
from app.domain.errors import Conflict, InsufficientCredits, InvalidFields
from app.domain.field_errors import Fault, FaultCode
from app.domain.left_out import keep_possible
from app.domain.orders import PlaceOrder
from app.domain.ports import FileStat, Storage
from app.models import Draft
from app.services.billing import credits
from app.services.orders import (
    draft_arrivals,
    draft_copies,
    draft_forecasts,
    draft_groups,
    draft_photos,
    draft_sorting,
    drafts,
    orders,
)
from app.services.previews import photo_facts
from app.services.uploads import uploads
from app.services.uploads.quotas import UploadQuota


@dataclass(frozen=True, slots=True)
class AgreedOrder:
    """The order that the customer was shown and agreed to: the total in `credits`, and the `mark` of the orders,
    see compute_mark(). `accepts_barred`: whether they also order enhancements that are barred where the property is
    advertised.
    """

    credits: Decimal
    mark: str
    accepts_barred: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ids of the jobs of the placed orders; empty when the draft changed after it was shown to the customer."""

    job_ids: tuple[str, ...] = ()

    @property
    def job_id(self) -> str | None:
        """The job of the first order; None if nothing was placed."""
        return self.job_ids[0] if self.job_ids else None


def compute_mark(draft: DraftOrder) -> str:
    """A short digest of the draft's orders, which changes with anything in them. Raises InvalidFields while the
    draft cannot be ordered.
    """
    digests = [as_order(part).digest() for part in draft_parts.split(draft)]
    whole = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    return whole[:16]


def list_job_ids(draft: Draft) -> tuple[str, ...]:
    """The ids of the jobs that were placed from the draft; empty before it is placed."""
    return (draft.job_id, *(draft.further_job_ids or ())) if draft.job_id else ()


@dataclass(frozen=True, slots=True)
class DraftOrders:
    """Places drafts as orders. `imagery`: whether a source of public imagery is configured."""

    database: Database
    storage: Storage
    imagery: bool
    time_limit: timedelta
    quota: UploadQuota

    def place(self, account_id: str, draft_id: str, shown: AgreedOrder, now: datetime) -> Outcome:
        """Place the draft as it was shown, as one order or several, without the steps that would be declined by the
        forecasts so far. For a draft that was placed before, the same jobs are returned without another charge.

        All orders are placed and charged in one transaction, or none. Raises InvalidFields when something is
        missing, a photo is not sorted, or everything would be declined; InsufficientCredits, with the draft
        unchanged; NotFound for drafts of other accounts; and the exceptions of draft_copies.copy(). After an
        exception, all copies are removed.
        """
        with self.database.read_session() as session:
            draft = drafts.get(session, account_id, draft_id)
            if draft.job_id is not None:
                return Outcome(list_job_ids(draft))
            drafted = self._read(session, draft)
            parts = draft_parts.split(drafted)
            _read_orders(parts, shown)
            if (draft_parts.price(drafted).credits, compute_mark(drafted)) != (shown.credits, shown.mark):
                return Outcome()
            _require_credits(session, account_id, shown.credits)
        copies: list[DraftOrder] = []
        try:
            for part in parts[1:]:
                copies.append(draft_copies.copy(self.database, self.storage, account_id, part, self.quota, now))
            ordered = _read_orders([parts[0], *copies], shown)
            # The store is read outside a transaction, which would lock rows while the store is slow.
            found = [self._stat(order) for order in ordered]
            with self.database.unit_of_work() as session:
                outcome = self._place(
                    session, account_id, draft_id, shown, list(zip(ordered, found, strict=True)), now
                )
        except Conflict:
            # A file may no longer exist because the form was sent twice, and the other request placed the orders:
            # then its jobs are returned.
            outcome = self._find_placed(account_id, draft_id)
            if not outcome.job_ids:
                raise
        finally:
            # discard() keeps the copies of placed orders.
            draft_copies.discard(self.database, self.storage, copies)
        draft_copies.remove_unused_files(self.database, self.storage, draft_id)
        return outcome

    def _find_placed(self, account_id: str, draft_id: str) -> Outcome:
        with self.database.read_session() as session:
            return Outcome(list_job_ids(drafts.get(session, account_id, draft_id)))

    def _read(self, session: Session, draft: Draft) -> DraftOrder:
        """The draft as it would be ordered now."""
        rows = draft_photos.get_all(session, draft)
        if draft_sorting.read(session, rows).unsorted:
            # It has no price yet, so nobody can have agreed to one.
            raise InvalidFields([Fault(("photos",), FaultCode.NOT_SORTED)])
        if draft_arrivals.lacks_frames(draft_arrivals.list_unfinished(session, draft)):
            raise InvalidFields([Fault(("photos",), FaultCode.FRAMES_MISSING)])
        whole = draft_photos.as_draft_order(draft, rows, imagery=self.imagery, unsorted=())
        facts = photo_facts.get_all(session, [row.storage_key for row in rows])
        files = draft_forecasts.list_files(rows, facts)
        forecasts = draft_forecasts.read(session, draft.account_id, whole, files)
        ordered = keep_possible(whole, forecasts.declined)
        if whole.priced() and not ordered.priced():
            raise InvalidFields([Fault(("photos",), FaultCode.ALL_DECLINED)])
        return ordered

    def _stat(self, order: PlaceOrder) -> dict[str, FileStat]:
        return uploads.stat_files(self.storage, order.upload_session_id, orders.list_named_files(order).values())

    def _place(
        self,
        session: Session,
        account_id: str,
        draft_id: str,
        shown: AgreedOrder,
        ordered: Sequence[tuple[PlaceOrder, dict[str, FileStat]]],
        now: datetime,
    ) -> Outcome:
        draft = drafts.get(session, account_id, draft_id, lock=True)
        if draft.job_id is not None:
            return Outcome(list_job_ids(draft))
        drafted = self._read(session, draft)
        if draft_groups.find_unfit(session, drafted):
            # The page shows which photos do not fit, and why.
            return Outcome()
        if (draft_parts.price(drafted).credits, compute_mark(drafted)) != (shown.credits, shown.mark):
            return Outcome()
        _require_credits(session, account_id, shown.credits)
        kinds = {key: photo.type for photo in drafted.photos for key in photo.storage_keys}
        job_ids = []
        for place, (order, found) in enumerate(ordered):
            # The first order uses the uploaded files, whose types may have been changed, so it gets `kinds`. The
            # other orders use copies, which are in slots of their type.
            with _number_in_draft(draft_parts.split(drafted)[:place]):
                placed = orders.place(
                    session, Payer(account_id), order, found, now, self.time_limit, None if place else kinds
                )
            placed.job.draft_id, placed.job.draft_place = draft_id, place
            job_ids.append(placed.job.id)
        draft.job_id, draft.further_job_ids, draft.updated_at = job_ids[0], job_ids[1:] or None, now
        return Outcome(tuple(job_ids))


def _require_credits(session: Session, account_id: str, total: Decimal) -> None:
    balance = credits.balance(session, account_id)
    if balance < total:
        raise InsufficientCredits(required=total, current=balance)


def _read_orders(parts: Sequence[DraftOrder], shown: AgreedOrder) -> list[PlaceOrder]:
    read = []
    for place, part in enumerate(parts):
        with _number_in_draft(parts[:place]):
            read.append(as_order(part, accepts_barred=shown.accepts_barred))
    return read


@contextmanager
def _number_in_draft(earlier: Sequence[DraftOrder]) -> Iterator[None]:
    """Renumber the photos in an InvalidFields of one order by their place in the whole draft, in which the photos
    of the `earlier` orders come first.
    """
    try:
        yield
    except InvalidFields as refusal:
        raise InvalidFields(draft_parts.relocate_faults(refusal.faults, earlier)) from None
