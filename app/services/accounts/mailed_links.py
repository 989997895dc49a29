"""Links sent by mail: created with a random secret, found while they are valid, used once, revoked, deleted."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from app.domain.errors import LinkExpired
from app.domain.ids import digest_of_secret
from app.domain.links import VALID_FOR, LinkPurpose
from app.models import MailedLink

BATCH = 1000
LINK_INVALID = "The link was already used, has expired, or a newer one was sent."


def make(
    session: Session, user_id: str, purpose: LinkPurpose, email: str, now: datetime, *, revoke_older: bool = True
) -> str:
    """Create a link that will be mailed to this address; returns its secret.

    `revoke_older`: revoke the user's older links for the same purpose.
    """
    if revoke_older:
        revoke(session, user_id, [purpose])
    secret = secrets.token_urlsafe(32)
    link = MailedLink(
        user_id=user_id,
        purpose=purpose,
        digest=digest_of_secret(secret),
        email=email,
        created_at=now,
        expires_at=now + VALID_FOR[purpose],
    )
    session.add(link)
    session.flush()
    return secret


def find(session: Session, purpose: LinkPurpose, secret: str, now: datetime) -> MailedLink:
    """The valid link with this secret. Raises LinkExpired when it is unknown, used, revoked or expired."""
    valid = select(MailedLink).where(*_is_valid(purpose, secret, now))
    link = session.scalar(valid.execution_options(populate_existing=True))
    if link is None:
        raise LinkExpired(LINK_INVALID)
    return link


def use(session: Session, purpose: LinkPurpose, secret: str, now: datetime) -> MailedLink:
    """Find the link like find(), and mark it as used, so that only one of two uses at the same time succeeds.
    Raises LinkExpired.
    """
    valid = update(MailedLink).where(*_is_valid(purpose, secret, now))
    used = valid.values(used_at=now).returning(MailedLink.id)
    link_id = session.scalar(used.execution_options(synchronize_session=False))
    if link_id is None:
        raise LinkExpired(LINK_INVALID)
    return session.get_one(MailedLink, link_id, populate_existing=True)


def find_newest(session: Session, user_id: str, purpose: LinkPurpose) -> MailedLink | None:
    """The user's newest link for the purpose, whether or not it is still valid."""
    mine = select(MailedLink).where(MailedLink.user_id == user_id, MailedLink.purpose == purpose)
    return session.scalar(mine.order_by(MailedLink.id.desc()).limit(1))


def revoke(session: Session, user_id: str, purposes: Iterable[LinkPurpose] = tuple(LinkPurpose)) -> None:
    """Delete the user's links for these purposes, so that they stop working."""
    session.execute(
        delete(MailedLink).where(MailedLink.user_id == user_id, MailedLink.purpose.in_(tuple(purposes)))
    )


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH expired links; returns how many."""
    expired = select(MailedLink.id).where(MailedLink.expires_at <= now).limit(BATCH)
    deleted = session.execute(delete(MailedLink).where(MailedLink.id.in_(expired)).returning(MailedLink.id))
    return len(deleted.all())


def _is_valid(purpose: LinkPurpose, secret: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        MailedLink.digest == digest_of_secret(secret),
        MailedLink.purpose == purpose,
        MailedLink.used_at.is_(None),
        MailedLink.expires_at > now,
    )
