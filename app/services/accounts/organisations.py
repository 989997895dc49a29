"""Organisations: found, entered by their members, told apart by their owner; their pictures' use, their
weight, who is billed.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, select, tuple_
from sqlalchemy.orm import Session, aliased, joinedload

from app.domain.billing_details import BillingDetails
from app.domain.errors import InvalidRequest, NotAMember, NotFound, Suspended, require_found
from app.domain.limits import MAX_WEIGHT
from app.models import Membership, Organisation

_earlier = aliased(Membership)
OWNS: ColumnElement[bool] = ~(
    select(_earlier.user_id)
    .where(
        _earlier.organisation_id == Membership.organisation_id,
        tuple_(_earlier.created_at, _earlier.user_id) < tuple_(Membership.created_at, Membership.user_id),
    )
    .exists()
)
"""Of memberships: that the member is the owner, who belongs to the organisation longest."""
_BOTH = (joinedload(Membership.user), joinedload(Membership.organisation))


def get(session: Session, account_id: str, *, hold: bool = False) -> Organisation:
    """The organisation, held against other changes if wished. Raises NotFound, also when it was deleted."""
    found = session.get(Organisation, account_id, with_for_update=hold or None, populate_existing=True)
    if found is None or found.deleted_at is not None:
        raise NotFound
    return found


def owner(session: Session, account_id: str) -> Membership:
    """The owner of the organisation, also of a deleted one, with both. Raises NotFound."""
    members = select(Membership).where(Membership.organisation_id == account_id, OWNS)
    return require_found(session.scalar(members.options(*_BOTH).execution_options(populate_existing=True)))


def of_user(session: Session, user_id: str) -> list[Membership]:
    """The user's memberships, each with both, the oldest first."""
    mine = select(Membership).where(Membership.user_id == user_id).options(*_BOTH)
    oldest = mine.order_by(Membership.created_at, Membership.organisation_id)
    return list(session.scalars(oldest.execution_options(populate_existing=True)))


def list_without_others(session: Session, user_id: str, *, hold: bool = False) -> list[Organisation]:
    """The organisations that go with the user, as nobody else belongs to them, held if wished."""
    mine = select(Membership.organisation_id).where(Membership.user_id == user_id)
    rows = select(Organisation).where(Organisation.id.in_(mine), Organisation.deleted_at.is_(None))
    rows = rows.order_by(Organisation.id).execution_options(populate_existing=True)
    # Held before the members are counted: of two who leave at once the second one sees that they are alone.
    found = session.scalars(rows.with_for_update() if hold else rows).all()
    ids = [each.id for each in found]
    others = select(Membership.organisation_id).where(
        Membership.organisation_id.in_(ids), Membership.user_id != user_id
    )
    shared = set(session.scalars(others))
    return [each for each in found if each.id not in shared]


def enter(session: Session, user_id: str) -> Organisation:
    """The organisation that the user acts for: the first of theirs that is open.

    Raises Suspended when only suspended ones are left, and NotAMember when there is none.
    """
    left = [each.organisation for each in of_user(session, user_id) if each.organisation.deleted_at is None]
    if not left:
        raise NotAMember
    found = next((each for each in left if each.suspended_at is None), None)
    if found is None:
        raise Suspended
    return found


def agree_on_pictures(session: Session, account_id: str, agreed: bool, now: datetime) -> None:
    """Note whether pictures of orders from now on may make the work better; said again it changes nothing."""
    organisation = get(session, account_id, hold=True)
    organisation.pictures_agreed_at = (organisation.pictures_agreed_at or now) if agreed else None


def set_billing(session: Session, account_id: str, details: BillingDetails) -> None:
    """Keep who is billed: receipts from now on say so, those issued before stay as they are."""
    organisation = get(session, account_id, hold=True)
    organisation.billing_company = details.company or None
    organisation.billing_address = details.address or None
    organisation.tax_id = details.tax_id or None


def set_weight(session: Session, account_id: str, weight: int) -> None:
    """Let workers take so many of its photos in a row where others have one taken. Raises InvalidRequest."""
    if not 1 <= weight <= MAX_WEIGHT:
        raise InvalidRequest({"weight": f"The weight is a whole number from 1 to {MAX_WEIGHT}."})
    get(session, account_id, hold=True).weight = weight
