"""Members of an organization: listed, given another role, removed; leaving, and changing between organizations.

Every change locks the organization's row first. So if two owners remove each other at the same time, one of them
stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.errors import Conflict
from app.domain.ids import Prefix, new_id
from app.domain.roles import WORDS, Ability, Role, is_granted
from app.domain.security_events import SecurityEvent
from app.models import Membership, Organization, SignIn, User, Webhook
from app.services import security_log
from app.services.accounts import organizations
from app.services.mail import outbox
from app.services.security import api_keys, kept_forms, sign_ins
from app.services.team import invitations

NO_OWNER = "An account needs an owner. Make somebody else an owner first."


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member with the time at which they were last seen, None if they are not signed in."""

    user_id: str
    name: str
    email: str
    role: Role
    joined_at: datetime
    two_factor: bool
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class Departure:
    """What ends when a member is removed: their signed-in browsers, their API keys, the invitations they sent.
    `webhooks`: the webhooks of the organization that are on; they stay, even if this member made them.
    """

    browsers: int
    keys: int
    invitations: int
    webhooks: int


def list_all(session: Session, account_id: str) -> Sequence[MemberRow]:
    """The members of the organization, those who joined first before the others."""
    seen = select(func.max(SignIn.last_seen_at)).where(
        SignIn.user_id == User.id, SignIn.account_id == Membership.organization_id
    )
    columns = (User.id, User.name, User.email, Membership.role, Membership.created_at)
    rows = select(*columns, User.totp_since.is_not(None), seen.scalar_subquery())
    rows = rows.join(Membership, Membership.user_id == User.id).where(Membership.organization_id == account_id)
    return [MemberRow(*row) for row in session.execute(rows.order_by(Membership.created_at, User.id))]


def count(session: Session, account_id: str) -> int:
    """How many members the organization has."""
    mine = select(func.count()).where(Membership.organization_id == account_id)
    return session.scalar(mine) or 0


def is_last_owner(session: Session, member: Membership) -> bool:
    """Whether the member is the organization's only owner."""
    others = select(Membership.user_id).where(
        Membership.organization_id == member.organization_id,
        Membership.role == Role.OWNER,
        Membership.user_id != member.user_id,
    )
    return member.role is Role.OWNER and session.scalar(others.limit(1)) is None


def change_role(session: Session, account_id: str, user_id: str, role: Role, by: str, now: datetime) -> Membership:
    """Give the member another role, which holds from their next page on. If the new role may not invite, the
    member's open invitations end, because with an invitation for the role Owner the member could become an owner
    again.

    `by`: the owner who changes it. Raises NotFound, NotPermitted when `by` is no owner any more, and Conflict when
    no owner would be left.
    """
    member = _lock(session, account_id, user_id, by)
    if member.role is role:
        return member
    if is_last_owner(session, member):
        raise Conflict(NO_OWNER)
    about = f"{name_of(member.user)}: {WORDS[member.role].label} to {WORDS[role].label}"
    member.role = role
    if not is_granted(role, Ability.MANAGE):
        invitations.revoke_of_member(session, account_id, member.user, now)
    security_log.record_activity(session, SecurityEvent.ROLE_CHANGED, account_id, about, now, user=user_id)
    return member


def measure_departure(session: Session, account_id: str, user_id: str, now: datetime) -> Departure:
    """What would end if the member were removed, and what would go on."""
    hooks = select(func.count()).where(
        Webhook.account_id == account_id, Webhook.active, Webhook.deleted_at.is_(None)
    )
    browsers = select(func.count()).where(SignIn.user_id == user_id, SignIn.account_id == account_id)
    return Departure(
        session.scalar(browsers.where(SignIn.expires_at > now)) or 0,
        api_keys.count_made_by(session, account_id, user_id, now),
        invitations.count_sent_by(session, account_id, user_id, now),
        session.scalar(hooks) or 0,
    )


def remove(session: Session, account_id: str, user_id: str, by: str, now: datetime) -> Membership:
    """Remove the member, whose access ends at once; they get a mail.

    `by`: the owner who removes them. Raises NotFound, NotPermitted when `by` is no owner any more, and Conflict
    when no owner would be left.
    """
    member = _lock(session, account_id, user_id, by)
    if is_last_owner(session, member):
        raise Conflict(NO_OWNER)
    _end(session, member, now)
    _give_own(session, user_id, now)
    message = emails.member_removed(member.user.email, organizations.name_of(session, account_id))
    outbox.post(session, user_id, message, now)
    security_log.record_activity(
        session, SecurityEvent.MEMBER_REMOVED, account_id, name_of(member.user), now, user=user_id
    )
    return member


def leave(session: Session, account_id: str, user_id: str, now: datetime, *, for_good: bool = False) -> None:
    """Let the member leave the organization; `for_good`: because the user is being deleted. Raises NotFound, and
    Conflict when no owner would be left.
    """
    organizations.get(session, account_id, lock=True)
    member = organizations.get_member(session, account_id, user_id)
    if is_last_owner(session, member):
        raise Conflict(NO_OWNER)
    _end(session, member, now)
    about = "" if for_good else name_of(member.user)
    security_log.record_activity(session, SecurityEvent.MEMBER_LEFT, account_id, about, now, user=user_id)
    if not for_good:
        _give_own(session, user_id, now)


def switch(session: Session, sign_in_id: str, user_id: str, account_id: str, now: datetime) -> None:
    """Let a signed-in browser of the user act for this organization from now on, and later sign-ins begin with it.

    Raises NotFound when the user is no member, or the organization is deleted or suspended.
    """
    organizations.require_active_member(session, account_id, user_id).chosen_at = now
    moved = update(SignIn).where(SignIn.id == sign_in_id, SignIn.user_id == user_id)
    session.execute(moved.values(account_id=account_id))


def name_of(user: User) -> str:
    """The name of a user for other members: their e-mail address if they gave no name."""
    return user.name or user.email


def _lock(session: Session, account_id: str, user_id: str, by: str) -> Membership:
    """The member of the organization, whose row is locked. Raises NotPermitted when `by` is not its owner (any
    more).
    """
    organizations.get(session, account_id, lock=True)
    organizations.require_able(session, account_id, by, Ability.MANAGE)
    return organizations.get_member(session, account_id, user_id)


def _end(session: Session, member: Membership, now: datetime) -> None:
    """Delete the membership, and everything by which the member had access."""
    account_id, user_id = member.organization_id, member.user_id
    session.execute(
        delete(Membership).where(Membership.organization_id == account_id, Membership.user_id == user_id)
    )
    sign_ins.end_for(session, account_id, user_id)
    api_keys.revoke_made_by(session, account_id, user_id, now)
    invitations.revoke_of_member(session, account_id, member.user, now)
    kept_forms.discard(session, user_id)


def _give_own(session: Session, user_id: str, now: datetime) -> None:
    """Create an organization without credits for a user who no longer belongs to any, so that they can sign in."""
    if not organizations.list_memberships(session, user_id):
        own = Organization(id=new_id(Prefix.ACCOUNT), created_at=now)
        session.add(own)
        session.flush()
        session.add(Membership(user_id=user_id, organization_id=own.id, role=Role.OWNER, created_at=now))
        session.flush()
