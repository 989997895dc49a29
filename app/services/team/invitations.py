"""Invitations to an organization: mailed as a link, listed, sent again, revoked, accepted once.

The inviter does not learn whether the address has an account: all that is read of a user is whether they are
already a member, which every member may see.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from app.domain import emails, people
from app.domain.errors import Conflict, InvalidRequest, LinkExpired, require_found
from app.domain.ids import Prefix, digest_of_secret, is_id
from app.domain.retention import INVITATIONS_KEPT
from app.domain.roles import WORDS, Ability, Role
from app.domain.security_events import SecurityEvent
from app.domain.team import (
    INVITATION_VALID_FOR,
    INVITATIONS_A_DAY,
    INVITATIONS_TO_ONE_A_DAY,
    MAX_MEMBERS,
)
from app.models import Invitation, Membership, Organization, User
from app.services import security_log
from app.services.accounts import mailed_links, organizations, passwords, users
from app.services.mail import outbox

BATCH = 1000
NOT_VALID = (
    "This invitation was already used, was revoked, has expired, or a newer one was sent. "
    "Ask the person who invited you for a new one."
)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class NewMember:
    """An invitation that an owner sends: `page` makes the URL of its link from a secret."""

    email: str
    role: Role
    page: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class NewUser:
    """The name and password, not checked yet, of a person who accepts an invitation without having an account."""

    name: str
    password: str


def send(session: Session, account_id: str, wanted: NewMember, by: str, now: datetime) -> Invitation:
    """Mail an invitation to the address; an earlier open one to it ends. `by`: the owner who invites.

    Raises InvalidRequest when it is no address or a member's, Conflict when there are too many members and
    invitations, or too many were sent within a day, and NotPermitted when `by` is no owner any more.
    """
    email = people.email(wanted.email)
    # Locked, so that of two invitations at the same time neither exceeds the limits.
    organizations.get(session, account_id, lock=True)
    organizations.require_able(session, account_id, by, Ability.MANAGE)
    if _is_member(session, account_id, email):
        raise InvalidRequest({"email": f"{email} is a member already."})
    _end(session, Invitation.organization_id == account_id, Invitation.email == email, now=now)
    _require_room(session, account_id, email, now)
    secret = secrets.token_urlsafe(32)
    invitation = Invitation(
        organization_id=account_id,
        email=email,
        role=wanted.role,
        invited_by=by,
        digest=digest_of_secret(secret),
        created_at=now,
        expires_at=now + INVITATION_VALID_FOR,
    )
    session.add(invitation)
    session.flush()
    inviter = users.get(session, by)
    message = emails.invitation(email, wanted.page(secret), inviter.email, WORDS[wanted.role].label)
    outbox.post(session, by, message, now)
    about = f"{email}: {WORDS[wanted.role].label}"
    security_log.record_activity(
        session, SecurityEvent.MEMBER_INVITED, account_id, about, now, invitation=invitation.id
    )
    return invitation


def list_open(session: Session, account_id: str) -> Sequence[Invitation]:
    """The organization's open invitations, expired ones too, the newest first."""
    mine = select(Invitation).where(Invitation.organization_id == account_id, *_is_open())
    return session.scalars(mine.order_by(Invitation.created_at.desc(), Invitation.id)).all()


def get_open(session: Session, account_id: str, invitation_id: str) -> Invitation:
    """The organization's open invitation. Raises NotFound."""
    mine = select(Invitation).where(
        Invitation.id == invitation_id, Invitation.organization_id == account_id, *_is_open()
    )
    return require_found(session.scalar(mine) if is_id(invitation_id, Prefix.INVITATION) else None)


def revoke(session: Session, account_id: str, invitation_id: str, by: str, now: datetime) -> Invitation:
    """End the invitation: its link works no longer. `by`: the owner who revokes it. Raises NotFound when it is not
    open (any more), and NotPermitted when `by` is no owner any more.
    """
    organizations.get(session, account_id, lock=True)
    organizations.require_able(session, account_id, by, Ability.MANAGE)
    invitation = get_open(session, account_id, invitation_id)
    _end(session, Invitation.id == invitation_id, now=now)
    security_log.record_activity(
        session, SecurityEvent.INVITATION_REVOKED, account_id, invitation.email, now, invitation=invitation_id
    )
    return invitation


def find(session: Session, secret: str, now: datetime) -> Invitation:
    """The invitation whose link has this secret, with its organization and inviter. Raises LinkExpired when it
    cannot be accepted.
    """
    valid = select(Invitation).where(*_is_valid(secret, now)).join(Invitation.organization)
    valid = valid.where(Organization.deleted_at.is_(None), Organization.suspended_at.is_(None))
    loaded = valid.options(joinedload(Invitation.organization), joinedload(Invitation.inviter))
    found = session.scalar(loaded.execution_options(populate_existing=True))
    if found is None:
        raise LinkExpired(NOT_VALID)
    return found


def find_user(session: Session, invitation: Invitation) -> User | None:
    """The user with the invitation's address, who accepts it signed in; None if there is no confirmed one."""
    user = users.lookup(session, invitation.email)
    return user if user is not None and user.confirmed_at is not None else None


def accept(session: Session, secret: str, user_id: str, now: datetime) -> Membership:
    """Make the signed-in user a member. Raises LinkExpired like find(), and Conflict when the invitation is for
    another address than the user's. Harmless for somebody who is a member already.
    """
    invitation = find(session, secret, now)
    # Locked, so that a user who is being deleted meanwhile is no member afterwards.
    user = users.get(session, user_id, lock=True)
    if user.email != invitation.email:
        raise Conflict(f"This invitation is for {invitation.email}, and you are signed in as {user.email}.")
    return _join(session, invitation, user, now)


def accept_as_new(session: Session, secret: str, newcomer: NewUser, now: datetime) -> Membership:
    """Create the user and make them a member: their address is confirmed by the link.

    A sign-up with the address that was never confirmed ends with it, with its password. Raises LinkExpired like
    find(), Conflict when the address has an account, and InvalidRequest when name or password is not allowed.
    """
    invitation = find(session, secret, now)
    name, digest = people.name(newcomer.name), passwords.digest(newcomer.password, invitation.email)
    user = _get_or_create_user(session, invitation.email, now)
    if user.confirmed_at is not None:
        raise Conflict("This address has an account. Sign in to join.")
    # A stranger may have signed up with the address, and would know the password.
    mailed_links.revoke(session, user.id)
    user.name, user.password_hash, user.confirmed_at = name, digest, now
    return _join(session, invitation, user, now)


def count_open(session: Session, account_id: str, now: datetime) -> int:
    """How many invitations of the organization can still be accepted."""
    mine = select(func.count()).where(Invitation.organization_id == account_id, *_is_open())
    return session.scalar(mine.where(Invitation.expires_at > now)) or 0


def count_sent_by(session: Session, account_id: str, user_id: str, now: datetime) -> int:
    """How many invitations that the member sent can still be accepted."""
    theirs = (Invitation.organization_id == account_id, Invitation.invited_by == user_id)
    return session.scalar(select(func.count()).where(*theirs, *_is_open(), Invitation.expires_at > now)) or 0


def revoke_of_member(session: Session, account_id: str, user: User, now: datetime) -> None:
    """End the open invitations that the member sent, and any to their own address, because they leave or are no
    longer an owner.
    """
    theirs = or_(Invitation.invited_by == user.id, Invitation.email == user.email)
    _end(session, Invitation.organization_id == account_id, theirs, now=now)


def forget_account(session: Session, account_id: str) -> None:
    """Delete all invitations of the organization."""
    session.execute(delete(Invitation).where(Invitation.organization_id == account_id))


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH invitations that expired INVITATIONS_KEPT ago or earlier; returns how many."""
    old = select(Invitation.id).where(Invitation.expires_at <= now - INVITATIONS_KEPT).limit(BATCH)
    deleted = delete(Invitation).where(Invitation.id.in_(old)).returning(Invitation.id)
    return len(session.execute(deleted.execution_options(synchronize_session=False)).all())


def _join(session: Session, invitation: Invitation, user: User, now: datetime) -> Membership:
    account_id = invitation.organization_id
    organizations.get(session, account_id, lock=True)
    # Conditional, so that of two uses at the same time, or of a use and a revocation, one has an effect.
    used = update(Invitation).where(Invitation.id == invitation.id, *_is_open()).values(accepted_at=now)
    if session.execute(used.returning(Invitation.id)).first() is None:
        raise LinkExpired(NOT_VALID)
    existing = session.get(Membership, (user.id, account_id))
    if existing is not None:
        return existing
    member = Membership(
        user_id=user.id, organization_id=account_id, role=invitation.role, created_at=now, chosen_at=now
    )
    session.add(member)
    session.flush()
    about = f"{user.name or user.email}: {WORDS[invitation.role].label}"
    newcomer = security_log.DoneBy(user.id)
    security_log.record_activity_of(
        session, newcomer, SecurityEvent.MEMBER_JOINED, account_id, about, now, user=user.id
    )
    return member


def _get_or_create_user(session: Session, email: str, now: datetime) -> User:
    user = users.lookup(session, email)
    if user is None:
        user = User(email=email, created_at=now)
        try:
            with session.begin_nested():
                session.add(user)
                session.flush()
        except IntegrityError:
            # Somebody signed up with the address at the same moment.
            user = users.find(session, email)
    return users.get(session, user.id, lock=True)


def _is_member(session: Session, account_id: str, email: str) -> bool:
    mine = select(User.id).join(Membership, Membership.user_id == User.id)
    return session.scalar(mine.where(Membership.organization_id == account_id, User.email == email)) is not None


def _require_room(session: Session, account_id: str, email: str, now: datetime) -> None:
    members = session.scalar(select(func.count()).where(Membership.organization_id == account_id)) or 0
    if members + count_open(session, account_id, now) >= MAX_MEMBERS:
        raise Conflict(
            f"An account can have {MAX_MEMBERS} members and open invitations. "
            "Revoke an invitation or remove a member first."
        )
    recent = select(func.count()).where(Invitation.created_at > now - _DAY)
    if (session.scalar(recent.where(Invitation.organization_id == account_id)) or 0) >= INVITATIONS_A_DAY:
        raise Conflict(f"At most {INVITATIONS_A_DAY} invitations can be sent in 24 hours. Try again tomorrow.")
    if (session.scalar(recent.where(Invitation.email == email)) or 0) >= INVITATIONS_TO_ONE_A_DAY:
        raise Conflict("This address was invited too often within 24 hours. Try again tomorrow.")


def _end(session: Session, *which: ColumnElement[bool], now: datetime) -> None:
    ended = update(Invitation).where(*which, *_is_open()).values(revoked_at=now)
    session.execute(ended.execution_options(synchronize_session=False))


def _is_open() -> tuple[ColumnElement[bool], ...]:
    return Invitation.accepted_at.is_(None), Invitation.revoked_at.is_(None)


def _is_valid(secret: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    return Invitation.digest == digest_of_secret(secret), *_is_open(), Invitation.expires_at > now
