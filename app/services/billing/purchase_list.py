"""All purchases as staff see them, and those that need somebody."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ColumnElement, TextClause, and_, select, text, true
from sqlalchemy.orm import Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.models import Membership, Organization, Purchase, User
from app.services.accounts.organizations import OWNS
from app.services.billing import purchases
from app.services.pagination import Page, SortOrder, cut_page

PAGE = 25
_ORDER = SortOrder((Purchase.created_at, Purchase.id))
_AMISS = text("(problem IS NOT NULL OR credits_owed > 0)")
_DISPUTED = text("dispute IS NOT NULL")
"""As their indexes say it, word for word, so that those are used."""


class PurchaseFilter(StrEnum):
    """Which purchases: those where something did not agree or spent credits are owed, disputed ones, or all."""

    ATTENTION = "attention"
    DISPUTED = "disputed"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class StaffPurchase:
    """A purchase and who owns the account it is of; of a deleted one no name is left."""

    purchase: Purchase
    email: str
    name: str
    account_deleted: bool


def paginate(
    session: Session, wanted: PurchaseFilter = PurchaseFilter.ALL, before: str | None = None
) -> Page[StaffPurchase, str]:
    """The newest purchases older than the one named, or the newest of all where none such is known."""
    rows = select(Purchase, User.email, User.name, Organization.deleted_at)
    rows = rows.join(Organization, Organization.id == Purchase.account_id)
    rows = rows.join(Membership, and_(Membership.organization_id == Organization.id, OWNS))
    rows = rows.join(User, User.id == Membership.user_id)
    newest = _ORDER.sort(rows.where(_are(wanted), _older_than(session, before))).limit(PAGE + 1)
    found = [
        StaffPurchase(purchase, email, name, deleted_at is not None)
        for purchase, email, name, deleted_at in session.execute(newest)
    ]
    return cut_page(found, PAGE, lambda row: row.purchase.id)


def resolve(session: Session, purchase_id: str) -> Purchase:
    """A member of staff saw to it: no problem is left, and what is owed is forgiven. Raises NotFound."""
    require_found(session.get(Purchase, purchase_id) if is_id(purchase_id, Prefix.PURCHASE) else None)
    purchase = purchases.lock(session, purchase_id)
    purchase.credits_forgiven += purchase.credits_owed
    purchase.problem, purchase.credits_owed = None, Decimal(0)
    return purchase


def _are(wanted: PurchaseFilter) -> TextClause | ColumnElement[bool]:
    return {PurchaseFilter.ATTENTION: _AMISS, PurchaseFilter.DISPUTED: _DISPUTED}.get(wanted, true())


def _older_than(session: Session, purchase_id: str | None) -> ColumnElement[bool]:
    known = session.get(Purchase, purchase_id) if purchase_id and is_id(purchase_id, Prefix.PURCHASE) else None
    if known is None:
        return true()
    return _ORDER.beyond((known.created_at, known.id))
