"""Drafts become orders: priced by the one computation, judged by the one validator, placed exactly once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy.orm import Session

from app.database import Database
from app.domain.draft_orders import as_order
from app.domain.drafts import DraftOrder
from app.domain.orders import digest
from app.domain.ports import Storage, Stored
from app.domain.pricing import Quote, quote
from app.services.orders import draft_groups, draft_photos, drafts, orders
from app.services.uploads import uploads


@dataclass(frozen=True, slots=True)
class AgreedOrder:
    """What the customer saw when they agreed: the total, and the mark of everything else; and whether they order
    what is barred where the property is advertised.
    """

    credits: Decimal
    mark: str
    accepts_barred: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """`job_id` of the order; None when the draft is no longer what was shown."""

    job_id: str | None


def price(draft: DraftOrder) -> Quote:
    """What the draft costs as it stands, complete or not."""
    return quote(draft.priced())


def mark(draft: DraftOrder) -> str:
    """Differs when anything of the order does. Raises InvalidFields while it is none."""
    return digest(as_order(draft))[:16]


@dataclass(frozen=True, slots=True)
class DraftOrders:
    """Takes drafts in as orders. `imagery`: whether there is a source of public imagery."""

    database: Database
    storage: Storage
    imagery: bool
    time_limit: timedelta

    def place(self, account_id: str, draft_id: str, shown: AgreedOrder, now: datetime) -> Outcome:
        """Place the order as it was shown; pressed twice, the first job again, uncharged.

        Raises InvalidFields when something is missing; InsufficientCredits, with the draft as it was; NotFound
        for others' drafts.
        """
        with self.database.read_session() as session:
            draft = drafts.get(session, account_id, draft_id)
            if draft.job_id is not None:
                return Outcome(draft.job_id)
            order = as_order(self._draft(session, draft_id, account_id), accepts_barred=shown.accepts_barred)
        # The store is asked while nobody waits for the database.
        found = uploads.stat_files(self.storage, order.upload_session_id, orders.files_named(order).values())
        with self.database.unit_of_work() as session:
            return self._place(session, account_id, draft_id, shown, found, now)

    def _draft(self, session: Session, draft_id: str, account_id: str) -> DraftOrder:
        draft = drafts.get(session, account_id, draft_id)
        rows = draft_photos.get_all(session, draft)
        return draft_photos.draft_order(draft, rows, imagery=self.imagery)

    def _place(
        self,
        session: Session,
        account_id: str,
        draft_id: str,
        shown: AgreedOrder,
        found: dict[str, Stored],
        now: datetime,
    ) -> Outcome:
        draft = drafts.get(session, account_id, draft_id, lock=True)
        if draft.job_id is not None:
            return Outcome(draft.job_id)
        drafted = self._draft(session, draft_id, account_id)
        if draft_groups.find_unfit(session, drafted):
            # The page says which, and why.
            return Outcome(None)
        order = as_order(drafted, accepts_barred=shown.accepts_barred)
        total = quote([photo.priced for photo in order.photos()]).credits
        if (total, mark(drafted)) != (shown.credits, shown.mark):
            return Outcome(None)
        placed = orders.place(session, account_id, order, found, now, self.time_limit)
        draft.job_id, draft.updated_at = placed.job.id, now
        return Outcome(placed.job.id)
