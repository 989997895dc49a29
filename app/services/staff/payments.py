"""One purchase for staff: the owner of its account, and the points that staff still have to settle."""

from sqlalchemy.orm import Session

from app.domain.amounts import credits_
from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.models import Membership, Purchase
from app.services.accounts import organizations


def find(session: Session, purchase_id: str) -> Purchase:
    """The purchase of any account. Raises NotFound."""
    return require_found(session.get(Purchase, purchase_id) if is_id(purchase_id, Prefix.PURCHASE) else None)


def describe(session: Session, purchase_id: str) -> tuple[Purchase, Membership]:
    """The purchase of any account, and the owner of that account. Raises NotFound."""
    purchase = find(session, purchase_id)
    return purchase, organizations.get_owner(session, purchase.account_id)


def list_open_points(purchase: Purchase) -> list[str]:
    """The points that staff have to settle, in words; empty when nothing is open."""
    owed = [f"{credits_(purchase.credits_owed)} owed"] if purchase.credits_owed else []
    return [*([purchase.problem] if purchase.problem else []), *owed]
