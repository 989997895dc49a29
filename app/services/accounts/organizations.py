"""Organizations: found by id or by member; their settings: use of pictures, engine, weight, billing details."""

from collections.abc import Sequence
from datetime import datetime
from math import inf

from sqlalchemy import ColumnElement, ScalarSelect, func, or_, select, tuple_
from sqlalchemy.orm import Session, aliased, joinedload

from app.domain.billing_details import BillingDetails
from app.domain.engines import EngineChannel
from app.domain.errors import InvalidRequest, NotAMember, NotFound, NotPermitted, Suspended, require_found
from app.domain.ids import Prefix, is_id, is_user_id
from app.domain.limits import MAX_WEIGHT
from app.domain.roles import Ability, Role, is_granted
from app.domain.security_events import SecurityEvent
from app.models import Branding, Membership, Organization
from app.services import security_log

_before = aliased(Membership)
IS_LONGEST_OWNER: ColumnElement[bool] = ~(
    select(_before.user_id)
    .where(
        _before.organization_id == Membership.organization_id,
        _before.role == Role.OWNER,
        or_(
            Membership.role != Role.OWNER,
            tuple_(_before.created_at, _before.user_id) < tuple_(Membership.created_at, Membership.user_id),
        ),
    )
    .exists()
)
"""SQL condition on Membership: the member is the organization's longest owner. Exactly one member meets it, and the
name of this member stands for the account.

It is a single condition: no owner comes before the member. With an additional `role = 'owner'`, query planners
expect few owners and read the whole table.
"""
_USER_AND_ORGANIZATION = (joinedload(Membership.user), joinedload(Membership.organization))


def get(session: Session, account_id: str, *, lock: bool = False) -> Organization:
    """The organization; `lock`: lock its row against other changes. Raises NotFound, also when it was deleted."""
    found = session.get(Organization, account_id, with_for_update=lock or None, populate_existing=True)
    if found is None or found.deleted_at is not None:
        raise NotFound
    return found


def get_owner(session: Session, account_id: str) -> Membership:
    """The membership of the organization's longest owner, with user and organization loaded, even if the
    organization was deleted. For a sandbox, the longest owner of its live account. Raises NotFound.
    """
    members = select(Membership).where(Membership.organization_id == _live_id(account_id), IS_LONGEST_OWNER)
    members = members.options(*_USER_AND_ORGANIZATION).execution_options(populate_existing=True)
    return require_found(session.scalar(members))


def get_member(session: Session, account_id: str, user_id: str) -> Membership:
    """The user's membership in the organization, with user and organization loaded. Raises NotFound."""
    mine = select(Membership).where(Membership.organization_id == account_id, Membership.user_id == user_id)
    mine = mine.options(*_USER_AND_ORGANIZATION).execution_options(populate_existing=True)
    # Both ids may come from a request, and PostgreSQL refuses a text with a NUL.
    return require_found(
        session.scalar(mine) if is_user_id(user_id) and is_id(account_id, Prefix.ACCOUNT) else None
    )


def require_able(session: Session, account_id: str, user_id: str, ability: Ability) -> None:
    """Raise NotPermitted unless the user is a member whose role grants this; members of an account act for its
    sandbox too. Called again once the organization's row is locked, it also refuses a member who was removed since
    their request began.
    """
    mine = (Membership.organization_id == _live_id(account_id), Membership.user_id == user_id)
    role = session.scalar(select(Membership.role).where(*mine))
    if role is None or not is_granted(role, ability):
        raise NotPermitted("You no longer have the role for this. Nothing was changed.")


def _live_id(account_id: str) -> ScalarSelect[str]:
    """The id of the account that has the members: for a sandbox, its live account; otherwise the account itself."""
    mine = select(func.coalesce(Organization.sandbox_of, Organization.id)).where(Organization.id == account_id)
    return mine.scalar_subquery()


def list_memberships(session: Session, user_id: str) -> list[Membership]:
    """The user's memberships, each with user and organization loaded, the oldest first."""
    mine = select(Membership).where(Membership.user_id == user_id).options(*_USER_AND_ORGANIZATION)
    oldest = mine.order_by(Membership.created_at, Membership.organization_id)
    return list(session.scalars(oldest.execution_options(populate_existing=True)))


def list_without_others(session: Session, user_id: str, *, lock: bool = False) -> list[Organization]:
    """The organizations whose only member is this user: they are deleted with the user. `lock`: lock their rows."""
    mine = select(Membership.organization_id).where(Membership.user_id == user_id)
    rows = select(Organization).where(Organization.id.in_(mine), Organization.deleted_at.is_(None))
    rows = rows.order_by(Organization.id).execution_options(populate_existing=True)
    # The rows are locked before other members are read. If two members leave at the same time, the second one
    # waits, and is then the only member.
    found = session.scalars(rows.with_for_update() if lock else rows).all()
    ids = [each.id for each in found]
    others = select(Membership.organization_id).where(
        Membership.organization_id.in_(ids), Membership.user_id != user_id
    )
    shared = set(session.scalars(others))
    return [each for each in found if each.id not in shared]


def get_active(session: Session, user_id: str, preferred_id: str = "") -> Organization:
    """Find the organization for which the user acts. Deleted and suspended organizations are skipped. Of the
    others, it is the one with the id `preferred_id`, else the one that the user chose last, else the one that they
    joined first.

    Raises NotAMember when all their organizations are deleted, and Suspended when all that are not deleted are
    suspended.
    """
    existing = [each for each in list_memberships(session, user_id) if each.organization.deleted_at is None]
    if not existing:
        raise NotAMember
    members = [each for each in existing if each.organization.suspended_at is None]
    if not members:
        raise Suspended
    chosen = max(members, key=lambda each: (each.organization_id == preferred_id, _read_choice(each)))
    return chosen.organization


def _read_choice(member: Membership) -> float:
    """The time when the user last chose the organization, as a number to sort by. Organizations that were never
    chosen come after all others.
    """
    return member.chosen_at.timestamp() if member.chosen_at else -inf


def require_active_member(session: Session, account_id: str, user_id: str) -> Membership:
    """The user's membership in an organization that is neither deleted nor suspended. Raises NotFound."""
    member = get_member(session, account_id, user_id)
    if member.organization.deleted_at is not None or member.organization.suspended_at is not None:
        raise NotFound
    return member


def name_of(session: Session, account_id: str) -> str:
    """The name of the organization on pages and in mail: its studio's name, else the name of its longest owner.
    Raises NotFound.
    """
    studio = session.scalar(select(Branding.studio_name).where(Branding.account_id == account_id))
    if studio:
        return studio
    owner = get_owner(session, account_id).user
    return owner.name or owner.email


def is_live(session: Session, account_id: str) -> bool:
    """Whether the account is a live account, not a sandbox."""
    return session.scalar(select(Organization.sandbox_of).where(Organization.id == account_id)) is None


def with_sandboxes(session: Session, found: Sequence[Organization]) -> list[Organization]:
    """The organizations and, after them, their sandboxes, whose rows are locked."""
    theirs = select(Organization).where(Organization.sandbox_of.in_([each.id for each in found]))
    theirs = theirs.order_by(Organization.id).execution_options(populate_existing=True)
    return [*found, *session.scalars(theirs.with_for_update())]


def keeps_photos(session: Session, account_id: str) -> bool:
    """Whether photos and results of the organization's orders are kept longer than others."""
    return bool(session.scalar(select(Organization.keeps_photos).where(Organization.id == account_id)))


def get_engine_channel(session: Session, account_id: str) -> EngineChannel:
    """The engine's release channel that the organization chose; for a sandbox, the choice of its live account."""
    chosen = session.scalar(select(Organization.engine_channel).where(Organization.id == _live_id(account_id)))
    return chosen or EngineChannel.LATEST


def choose_engine(session: Session, account_id: str, channel: EngineChannel, now: datetime) -> None:
    """Save which release of the engine makes the pictures of orders placed from now on."""
    get(session, account_id, lock=True).engine_channel = channel
    record_settings(session, account_id, f"Engine: {channel}", now)


def agree_on_pictures(session: Session, account_id: str, agreed: bool, now: datetime) -> None:
    """Store whether pictures of future orders may improve the service. Agreeing a second time changes nothing."""
    organization = get(session, account_id, lock=True)
    organization.pictures_agreed_at = (organization.pictures_agreed_at or now) if agreed else None
    record_settings(session, account_id, "Use of pictures", now)


def set_billing(session: Session, account_id: str, details: BillingDetails, now: datetime) -> None:
    """Save the billing details for future receipts; earlier receipts do not change."""
    organization = get(session, account_id, lock=True)
    organization.billing_company = details.company or None
    organization.billing_address = details.address or None
    organization.tax_id = details.tax_id or None
    record_settings(session, account_id, "Billing details", now)


def set_file_names(session: Session, account_id: str, pattern: str, now: datetime) -> None:
    """Save the pattern, checked by domain.naming, by which downloads are named from now on."""
    get(session, account_id, lock=True).file_names = pattern
    record_settings(session, account_id, "File names", now)


def record_settings(session: Session, account_id: str, which: str, now: datetime) -> None:
    """Log for the owners that these settings were changed."""
    security_log.record_activity(session, SecurityEvent.SETTINGS_CHANGED, account_id, which, now)


def set_weight(session: Session, account_id: str, weight: int) -> None:
    """Set how many photos of the account workers process one after the other when it is the account's turn; the
    default is one. Raises NotFound, and InvalidRequest for a weight out of range.
    """
    if not 1 <= weight <= MAX_WEIGHT:
        raise InvalidRequest({"weight": f"The weight is a whole number from 1 to {MAX_WEIGHT}."})
    get(session, account_id, lock=True).weight = weight
