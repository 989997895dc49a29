"""Links sent by mail: made with a fresh secret, found while they hold, used once, revoked, forgotten."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from app.domain.errors import LinkExpired
from app.domain.ids import digest_of_secret
from app.domain.links import HOLDS, LinkPurpose
from app.models import MailedLink

BATCH = 1000
DEAD = "The link was already used, has expired, or a newer one was sent."


def make(
    session: Session, user_id: str, purpose: LinkPurpose, email: str, now: datetime, *, alone: bool = True
) -> str:
    """The secret of a new link for mail to this address; `alone`: older ones of the user for the purpose die."""
    if alone:
        revoke(session, user_id, [purpose])
    secret = secrets.token_urlsafe(32)
    link = MailedLink(
        user_id=user_id,
        purpose=purpose,
        digest=digest_of_secret(secret),
        email=email,
        created_at=now,
        expires_at=now + HOLDS[purpose],
    )
    session.add(link)
    session.flush()
    return secret


def find(session: Session, purpose: LinkPurpose, secret: str, now: datetime) -> MailedLink:
    """The link with this secret, which stays good. Raises LinkExpired when it is unknown, used or over."""
    held = select(MailedLink).where(*_good(purpose, secret, now))
    link = session.scalar(held.execution_options(populate_existing=True))
    if link is None:
        raise LinkExpired(DEAD)
    return link


def use(session: Session, purpose: LinkPurpose, secret: str, now: datetime) -> MailedLink:
    """The same, and from now on it is used: of two at once only one succeeds. Raises LinkExpired."""
    used = update(MailedLink).where(*_good(purpose, secret, now)).values(used_at=now).returning(MailedLink.id)
    link_id = session.scalar(used.execution_options(synchronize_session=False))
    if link_id is None:
        raise LinkExpired(DEAD)
    return session.get_one(MailedLink, link_id, populate_existing=True)


def find_newest(session: Session, user_id: str, purpose: LinkPurpose) -> MailedLink | None:
    """The user's last link for the purpose, whether or not it still holds."""
    mine = select(MailedLink).where(MailedLink.user_id == user_id, MailedLink.purpose == purpose)
    return session.scalar(mine.order_by(MailedLink.id.desc()).limit(1))


def revoke(session: Session, user_id: str, purposes: Iterable[LinkPurpose] = tuple(LinkPurpose)) -> None:
    """Let the user's links for these purposes hold no longer."""
    session.execute(
        delete(MailedLink).where(MailedLink.user_id == user_id, MailedLink.purpose.in_(tuple(purposes)))
    )


def forget(session: Session, now: datetime) -> int:
    """Remove some links whose time is over; how many there were."""
    over = select(MailedLink.id).where(MailedLink.expires_at <= now).limit(BATCH)
    return len(session.execute(delete(MailedLink).where(MailedLink.id.in_(over)).returning(MailedLink.id)).all())


def _good(purpose: LinkPurpose, secret: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        MailedLink.digest == digest_of_secret(secret),
        MailedLink.purpose == purpose,
        MailedLink.used_at.is_(None),
        MailedLink.expires_at > now,
    )
