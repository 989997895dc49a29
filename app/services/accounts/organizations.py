"""Organizations: found, entered by their members, told apart by their owner; their pictures' use, their
weight, who is billed.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, select, tuple_
from sqlalchemy.orm import Session, aliased, joinedload

from app.domain.billing_details import BillingDetails
from app.domain.errors import InvalidRequest, NotAMember, NotFound, Suspended, require_found
from app.domain.limits import MAX_WEIGHT
from app.models import Membership, Organization

_earlier = aliased(Membership)
OWNS: ColumnElement[bool] = ~(
    select(_earlier.user_id)
    .where(
        _earlier.organization_id == Membership.organization_id,
        tuple_(_earlier.created_at, _earlier.user_id) < tuple_(Membership.created_at, Membership.user_id),
    )
    .exists()
)
"""Of memberships: that the member is the owner, who belongs to the organization longest."""
_BOTH = (joinedload(Membership.user), joinedload(Membership.organization))


def get(session: Session, account_id: str, *, hold: bool = False) -> Organization:
    """The organization, held against other changes if wished. Raises NotFound, also when it was deleted."""
    found = session.get(Organization, account_id, with_for_update=hold or None, populate_existing=True)
    if found is None or found.deleted_at is not None:
        raise NotFound
    return found


def owner(session: Session, account_id: str) -> Membership:
    """The owner of the organization, also of a deleted one, with both. Raises NotFound."""
    members = select(Membership).where(Membership.organization_id == account_id, OWNS)
    return require_found(session.scalar(members.options(*_BOTH).execution_options(populate_existing=True)))


def of_user(session: Session, user_id: str) -> list[Membership]:
    """The user's memberships, each with both, the oldest first."""
    mine = select(Membership).where(Membership.user_id == user_id).options(*_BOTH)
    oldest = mine.order_by(Membership.created_at, Membership.organization_id)
    return list(session.scalars(oldest.execution_options(populate_existing=True)))


def list_without_others(session: Session, user_id: str, *, hold: bool = False) -> list[Organization]:
    """The organizations that go with the user, as nobody else belongs to them, held if wished."""
    mine = select(Membership.organization_id).where(Membership.user_id == user_id)
    rows = select(Organization).where(Organization.id.in_(mine), Organization.deleted_at.is_(None))
    rows = rows.order_by(Organization.id).execution_options(populate_existing=True)
    # Held before the members are counted: of two who leave at once the second one sees that they are alone.
    found = session.scalars(rows.with_for_update() if hold else rows).all()
    ids = [each.id for each in found]
    others = select(Membership.organization_id).where(
        Membership.organization_id.in_(ids), Membership.user_id != user_id
    )
    shared = set(session.scalars(others))
    return [each for each in found if each.id not in shared]


def enter(session: Session, user_id: str) -> Organization:
    """The organization that the user acts for: the first of theirs that is open.

    Raises Suspended when only suspended ones are left, and NotAMember when there is none.
    """
    left = [each.organization for each in of_user(session, user_id) if each.organization.deleted_at is None]
    if not left:
        raise NotAMember
    found = next((each for each in left if each.suspended_at is None), None)
    if found is None:
        raise Suspended
    return found


def agree_on_pictures(session: Session, account_id: str, agreed: bool, now: datetime) -> None:
    """Note whether pictures of orders from now on may make the work better; said again it changes nothing."""
    organization = get(session, account_id, hold=True)
    organization.pictures_agreed_at = (organization.pictures_agreed_at or now) if agreed else None


def set_billing(session: Session, account_id: str, details: BillingDetails) -> None:
    """Keep who is billed: receipts from now on say so, those issued before stay as they are."""
    organization = get(session, account_id, hold=True)
    organization.billing_company = details.company or None
    organization.billing_address = details.address or None
    organization.tax_id = details.tax_id or None


def set_weight(session: Session, account_id: str, weight: int) -> None:
    """Let workers take so many of its photos in a row where others have one taken. Raises InvalidRequest."""
    if not 1 <= weight <= MAX_WEIGHT:
        raise InvalidRequest({"weight": f"The weight is a whole number from 1 to {MAX_WEIGHT}."})
    get(session, account_id, hold=True).weight = weight
