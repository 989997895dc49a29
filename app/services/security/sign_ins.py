"""Sign-ins: a browser signs in with a fresh secret in its cookie, and is recognized, listed and signed out."""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, bindparam, delete, func, select, update
from sqlalchemy.orm import Session, aliased

from app.domain.actors import Browser, Sandbox, Visitor
from app.domain.errors import NotFound
from app.domain.ids import Prefix, digest_of_secret, is_id
from app.domain.security_events import SecurityEvent
from app.models import Membership, Organization, SignIn, User
from app.services import security_log
from app.services.accounts import organizations
from app.services.mail import notices
from app.services.security import known_browsers

LAST_USE_INTERVAL = timedelta(minutes=1)
"""Least time between two updates of `last_seen_at`, because an update at every request would cost too much."""
MAX_USER_AGENT, MAX_ADDRESS = 300, 64
"""Longest texts that are stored, in characters."""
# Built once: every page runs this query, and building it takes longer than running it.
_others, _sandbox = aliased(Membership), aliased(Organization)
_HAS_OTHERS = (
    select(_others.user_id)
    .where(_others.user_id == SignIn.user_id, _others.organization_id != SignIn.account_id)
    .exists()
)
_BY_DIGEST = (
    select(
        SignIn.id,
        SignIn.last_seen_at,
        SignIn.created_at,
        User.id.label("user_id"),
        Organization.id.label("account_id"),
        User.email,
        User.name,
        User.is_staff,
        Organization.credits,
        User.totp_since.is_not(None).label("two_factor"),
        Membership.role,
        _HAS_OTHERS.label("has_others"),
        _sandbox.id.label("sandbox_id"),
        _sandbox.credits.label("sandbox_credits"),
    )
    .join(User, User.id == SignIn.user_id)
    .join(Membership, and_(Membership.user_id == User.id, Membership.organization_id == SignIn.account_id))
    .join(Organization, Organization.id == Membership.organization_id)
    .outerjoin(_sandbox, _sandbox.sandbox_of == Organization.id)
    .where(SignIn.digest == bindparam("digest"), SignIn.expires_at > bindparam("now"))
    .where(User.deleted_at.is_(None), Organization.deleted_at.is_(None), Organization.suspended_at.is_(None))
)


def begin(
    session: Session, user_id: str, browser: Browser, now: datetime, lifetime: timedelta, *, account_id: str = ""
) -> str:
    """Sign a browser in; returns the secret for its cookie, of which only a digest is stored. The sign-in ends
    after `lifetime` without use.

    The browser acts for the organization `account_id`. Without it, or if the user cannot act for it, the browser
    acts for the organization that organizations.get_active() finds. The user is mailed about a browser with which
    they have not signed in before. Raises Suspended, and NotAMember when they have no organization to act for.
    """
    user = session.get_one(User, user_id, populate_existing=True)
    organization = organizations.get_active(session, user_id, account_id)
    if known_browsers.remember(session, user_id, browser, now):
        notices.report_signed_in(session, user_id, browser, now)
    if browser.secret:
        known_browsers.trust(session, user, browser.secret, now)
    secret = secrets.token_urlsafe(32)
    row = SignIn(
        user_id=user_id,
        account_id=organization.id,
        digest=digest_of_secret(secret),
        user_agent=browser.user_agent[:MAX_USER_AGENT],
        address=browser.address[:MAX_ADDRESS],
        created_at=now,
        last_seen_at=now,
        expires_at=now + lifetime,
    )
    session.add(row)
    session.flush()
    security_log.record_after_commit(session, SecurityEvent.SIGNED_IN, user_id, sign_in=row.id)
    return secret


def recognize(connection: Connection, secret: str, now: datetime) -> tuple[Visitor, bool] | None:
    """The visitor whose browser has this secret, and whether record_use() should be called.

    None when the user is no longer a member of the organization for which the sign-in acts, when it is deleted or
    suspended, or when the secret is unknown or its sign-in has ended or expired.
    """
    row = connection.execute(_BY_DIGEST, {"digest": digest_of_secret(secret), "now": now}).one_or_none()
    if row is None:
        return None
    facts = (row.email, row.name, row.is_staff, row.credits, row.two_factor, row.role, row.has_others)
    sandbox = Sandbox(row.sandbox_id, row.sandbox_credits) if row.sandbox_id else None
    visitor = Visitor(row.user_id, row.account_id, row.id, *facts, proved_at=row.created_at, sandbox=sandbox)
    return visitor, now - row.last_seen_at >= LAST_USE_INTERVAL


def record_use(session: Session, sign_in_id: str, now: datetime, expires_at: datetime) -> None:
    """Note that the sign-in was used now, and move its end to `expires_at`."""
    used = update(SignIn).where(SignIn.id == sign_in_id)
    session.execute(used.values(last_seen_at=now, expires_at=expires_at))


def of_user(session: Session, user_id: str, now: datetime) -> list[SignIn]:
    """The user's current sign-ins, the last used first."""
    current = select(SignIn).where(SignIn.user_id == user_id, SignIn.expires_at > now)
    return list(session.scalars(current.order_by(SignIn.last_seen_at.desc(), SignIn.id)))


def end(session: Session, user_id: str, sign_in_id: str) -> None:
    """Sign one browser out. Raises NotFound when the sign-in is not the user's."""
    if not is_id(sign_in_id, Prefix.SIGN_IN):
        raise NotFound
    deleted = delete(SignIn).where(SignIn.id == sign_in_id, SignIn.user_id == user_id)
    if session.execute(deleted.returning(SignIn.id)).first() is None:
        raise NotFound
    security_log.record_after_commit(session, SecurityEvent.SIGN_IN_ENDED, user_id, sign_in=sign_in_id)


def end_all(session: Session, user_id: str, *, except_id: str = "") -> int:
    """Sign out every browser of the user except the sign-in `except_id`; returns how many."""
    deleted = delete(SignIn).where(SignIn.user_id == user_id, SignIn.id != except_id)
    ended = len(session.execute(deleted.returning(SignIn.id)).all())
    security_log.record_after_commit(session, SecurityEvent.SIGN_INS_ENDED, user_id, count=str(ended))
    return ended


def count(session: Session, account_id: str, now: datetime) -> int:
    """How many browsers are signed in for the organization."""
    current = select(func.count()).where(SignIn.account_id == account_id, SignIn.expires_at > now)
    return session.scalar(current) or 0


def end_all_for(session: Session, account_id: str) -> int:
    """Sign out every browser that acts for the organization; returns how many."""
    deleted = delete(SignIn).where(SignIn.account_id == account_id).returning(SignIn.id)
    ended = len(session.execute(deleted.execution_options(synchronize_session=False)).all())
    security_log.record_after_commit(session, SecurityEvent.SIGN_INS_ENDED, account_id, count=str(ended))
    return ended


def end_for(session: Session, account_id: str, user_id: str) -> None:
    """Sign out the browsers in which the user acts for the organization."""
    deleted = delete(SignIn).where(SignIn.account_id == account_id, SignIn.user_id == user_id)
    ended = len(session.execute(deleted.returning(SignIn.id)).all())
    security_log.record_after_commit(session, SecurityEvent.SIGN_INS_ENDED, user_id, count=str(ended))


def forget(session: Session, now: datetime) -> int:
    """Delete up to 1000 expired sign-ins; returns how many."""
    expired = select(SignIn.id).where(SignIn.expires_at <= now).limit(1000)
    return len(session.execute(delete(SignIn).where(SignIn.id.in_(expired)).returning(SignIn.id)).all())
