"""The list of all purchases for staff, who close those that need attention."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ColumnElement, TextClause, and_, select, text, true
from sqlalchemy.orm import Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.models import Membership, Organization, Purchase, User
from app.services.accounts.organizations import IS_LONGEST_OWNER
from app.services.billing import purchases
from app.services.pagination import Page, SortOrder, cut_page

PAGE = 25
_ORDER = SortOrder((Purchase.created_at, Purchase.id))
# SQL text, the same as in the conditions of partial indexes, because otherwise the indexes would not be used.
_NEEDS_ATTENTION = text("(problem IS NOT NULL OR credits_owed > 0)")
_DISPUTED = text("dispute IS NOT NULL")


class PurchaseFilter(StrEnum):
    """Which purchases are listed.

    ATTENTION: purchases with a problem that staff must settle, or with credits that are owed. DISPUTED: purchases
    whose payment is or was disputed.
    """

    ATTENTION = "attention"
    DISPUTED = "disputed"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class StaffPurchase:
    """A purchase, with the e-mail and the name of its account's owner; a deleted owner has an empty name."""

    purchase: Purchase
    email: str
    name: str
    account_deleted: bool


def paginate(
    session: Session, wanted: PurchaseFilter = PurchaseFilter.ALL, before: str | None = None
) -> Page[StaffPurchase, str]:
    """PAGE purchases that are older than the purchase `before`, newest first; the newest purchases if `before` is
    None or unknown.
    """
    rows = select(Purchase, User.email, User.name, Organization.deleted_at)
    rows = rows.join(Organization, Organization.id == Purchase.account_id)
    rows = rows.join(Membership, and_(Membership.organization_id == Organization.id, IS_LONGEST_OWNER))
    rows = rows.join(User, User.id == Membership.user_id)
    newest = _ORDER.sort(rows.where(_matches(wanted), _older_than(session, before))).limit(PAGE + 1)
    found = [
        StaffPurchase(purchase, email, name, deleted_at is not None)
        for purchase, email, name, deleted_at in session.execute(newest)
    ]
    return cut_page(found, PAGE, lambda row: row.purchase.id)


def resolve(session: Session, purchase_id: str) -> Purchase:
    """Close a purchase that staff dealt with: remove its problem, and forgive the credits owed. Raises NotFound."""
    require_found(session.get(Purchase, purchase_id) if is_id(purchase_id, Prefix.PURCHASE) else None)
    purchase = purchases.lock(session, purchase_id)
    purchase.credits_forgiven += purchase.credits_owed
    purchase.problem, purchase.credits_owed = None, Decimal(0)
    return purchase


def _matches(wanted: PurchaseFilter) -> TextClause | ColumnElement[bool]:
    conditions = {PurchaseFilter.ATTENTION: _NEEDS_ATTENTION, PurchaseFilter.DISPUTED: _DISPUTED}
    return conditions.get(wanted, true())


def _older_than(session: Session, purchase_id: str | None) -> ColumnElement[bool]:
    known = session.get(Purchase, purchase_id) if purchase_id and is_id(purchase_id, Prefix.PURCHASE) else None
    if known is None:
        return true()
    return _ORDER.beyond((known.created_at, known.id))
