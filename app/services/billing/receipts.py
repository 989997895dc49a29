"""Purchases as their buyer sees them later: their list, the undecided ones, and the receipt of a paid one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.domain.payments import AWAITING_PAYMENT, MAX_TIME_UNDER_WAY, Dispute
from app.models import Purchase, Receipt
from app.services.billing import purchases
from app.services.pagination import Page, SortOrder, cut_page

PAGE = 25
_ORDER = SortOrder((Purchase.created_at, Purchase.id))
MAX_UNDECIDED = 3
"""The maximum number of undecided purchases that the page of credits shows."""


@dataclass(frozen=True, slots=True)
class PurchaseRow:
    """One purchase in the list; `number` is its receipt's, None until it is paid."""

    purchase: Purchase
    number: int | None


@dataclass(frozen=True, slots=True)
class PaidPurchase:
    """A paid purchase with its receipt, and the amounts that its receipt's page shows."""

    purchase: Purchase
    receipt: Receipt

    @property
    def paid_at(self) -> datetime:
        """When the purchase was paid; if that was not recorded, when its receipt was issued."""
        return self.purchase.paid_at or self.receipt.issued_at

    @property
    def returned_cents(self) -> int:
        """The amount returned to the buyer: refunded by us, or by their bank after a dispute that we lost."""
        charged_back = self.purchase.disputed_cents if self.charged_back else 0
        return min(self.purchase.refunded_cents + charged_back, self.purchase.price_cents)

    @property
    def charged_back(self) -> bool:
        """Whether we lost a dispute, so that the bank returned the money to the buyer."""
        return self.purchase.dispute is Dispute.LOST

    @property
    def kept_cents(self) -> int:
        """The part of the price that was not returned to the buyer."""
        return self.purchase.price_cents - self.returned_cents


def get(session: Session, account_id: str, purchase_id: str) -> PaidPurchase:
    """The receipt of the account's purchase. Raises NotFound for an unpaid purchase and for another account's."""
    both = select(Purchase, Receipt).join(Receipt, Receipt.purchase_id == Purchase.id)
    mine = both.where(Purchase.id == purchase_id, Purchase.account_id == account_id)
    found = session.execute(mine).one_or_none() if is_id(purchase_id, Prefix.PURCHASE) else None
    return PaidPurchase(*require_found(found))


def list_undecided(session: Session, account_id: str, now: datetime) -> Sequence[Purchase]:
    """The account's newest undecided purchases: at most MAX_UNDECIDED, begun within MAX_TIME_UNDER_WAY."""
    since = now - MAX_TIME_UNDER_WAY
    recent = select(Purchase).where(Purchase.account_id == account_id, Purchase.created_at > since)
    unpaid = recent.where(Purchase.state.in_(AWAITING_PAYMENT))
    newest_first = unpaid.order_by(Purchase.created_at.desc(), Purchase.id.desc())
    return session.scalars(newest_first.limit(MAX_UNDECIDED)).all()


def paginate(session: Session, account_id: str, after: str = "") -> Page[PurchaseRow, str]:
    """PAGE purchases of the account, newest first, older than the purchase `after`.

    Raises NotFound when `after` is not a purchase of the account.
    """
    rows = select(Purchase, Receipt.number).outerjoin(Receipt, Receipt.purchase_id == Purchase.id)
    mine = rows.where(Purchase.account_id == account_id)
    if after:
        mine = mine.where(_ORDER.beyond((purchases.get(session, account_id, after).created_at, after)))
    found = [PurchaseRow(*row) for row in session.execute(_ORDER.sort(mine).limit(PAGE + 1))]
    return cut_page(found, PAGE, lambda row: row.purchase.id)
