"""Sign-ins: browsers that act for an account, begun with a fresh secret, recognised, listed, ended."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.orm import Session

from app.domain.actors import Browser, Visitor
from app.domain.errors import NotFound, Suspended
from app.domain.ids import Prefix, is_id
from app.domain.security_events import SecurityEvent
from app.models import Account, SignIn
from app.services import security_log
from app.services.mail import notices
from app.services.security import known_browsers

SEEN_EVERY = timedelta(minutes=1)
"""A sign-in notes no more often than this that it was used."""
MAX_USER_AGENT, MAX_ADDRESS = 300, 64


def begin(session: Session, account_id: str, browser: Browser, now: datetime, holds: timedelta) -> str:
    """Sign a browser in; the secret for its cookie, of which only the digest is kept.

    The owner is told of a browser that the account does not know. Raises Suspended.
    """
    account = session.get_one(Account, account_id, populate_existing=True)
    if account.suspended_at is not None:
        raise Suspended
    if known_browsers.meet(session, account_id, browser, now):
        notices.signed_in(session, account_id, browser, now)
    if browser.secret:
        known_browsers.trust(session, account, browser.secret, now)
    secret = secrets.token_urlsafe(32)
    row = SignIn(
        account_id=account_id,
        digest=_digest(secret),
        user_agent=browser.user_agent[:MAX_USER_AGENT],
        address=browser.address[:MAX_ADDRESS],
        created_at=now,
        last_seen_at=now,
        expires_at=now + holds,
    )
    session.add(row)
    session.flush()
    security_log.record_after_commit(session, SecurityEvent.SIGNED_IN, account_id, sign_in=row.id)
    return secret


def recognise(connection: Connection, secret: str, now: datetime) -> tuple[Visitor, bool] | None:
    """Who holds this secret, and whether the use should be noted; None when it is unknown, ended or over, or when
    the account is suspended.
    """
    columns = (
        SignIn.id,
        SignIn.last_seen_at,
        SignIn.created_at,
        Account.id.label("account_id"),
        Account.email,
        Account.name,
        Account.is_staff,
        Account.credits,
        Account.totp_since.is_not(None).label("two_factor"),
    )
    held = select(*columns).join(Account, Account.id == SignIn.account_id)
    open_ = (Account.deleted_at.is_(None), Account.suspended_at.is_(None))
    row = connection.execute(
        held.where(SignIn.digest == _digest(secret), SignIn.expires_at > now, *open_)
    ).one_or_none()
    if row is None:
        return None
    told = (row.account_id, row.id, row.email, row.name, row.is_staff, row.credits, row.two_factor)
    visitor = Visitor(*told, proved_at=row.created_at)
    return visitor, now - row.last_seen_at >= SEEN_EVERY


def record_use(session: Session, sign_in_id: str, now: datetime, expires_at: datetime) -> None:
    """Note that the sign-in was used just now, and holds until then if it is not used again."""
    used = update(SignIn).where(SignIn.id == sign_in_id)
    session.execute(used.values(last_seen_at=now, expires_at=expires_at))


def of_account(session: Session, account_id: str, now: datetime) -> list[SignIn]:
    """The account's sign-ins that hold, the one used last first."""
    held = select(SignIn).where(SignIn.account_id == account_id, SignIn.expires_at > now)
    return list(session.scalars(held.order_by(SignIn.last_seen_at.desc(), SignIn.id)))


def end(session: Session, account_id: str, sign_in_id: str) -> None:
    """Sign one browser out. Raises NotFound when it is none of the account's."""
    if not is_id(sign_in_id, Prefix.SIGN_IN):
        raise NotFound
    gone = delete(SignIn).where(SignIn.id == sign_in_id, SignIn.account_id == account_id)
    if session.execute(gone.returning(SignIn.id)).first() is None:
        raise NotFound
    security_log.record_after_commit(session, SecurityEvent.SIGN_IN_ENDED, account_id, sign_in=sign_in_id)


def end_all(session: Session, account_id: str, *, but: str = "") -> int:
    """Sign out every browser of the account except the sign-in `but`; how many there were."""
    gone = delete(SignIn).where(SignIn.account_id == account_id, SignIn.id != but)
    ended = len(session.execute(gone.returning(SignIn.id)).all())
    security_log.record_after_commit(session, SecurityEvent.SIGN_INS_ENDED, account_id, count=str(ended))
    return ended


def forget(session: Session, now: datetime) -> int:
    """Remove some sign-ins whose time is over; how many there were."""
    over = select(SignIn.id).where(SignIn.expires_at <= now).limit(1000)
    return len(session.execute(delete(SignIn).where(SignIn.id.in_(over)).returning(SignIn.id)).all())


def _digest(secret: str) -> str:
    # The secret is 256 random bits: no dictionary helps, so a fast digest is enough.
    return hashlib.sha256(secret.encode()).hexdigest()
