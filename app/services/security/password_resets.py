"""A new password for anyone who reads the account's mail.

Anybody may ask for the link, so asking must harm nobody: it takes no link away that was sent before, and soon after
one nothing more is sent.
"""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.errors import LinkExpired, NotFound
from app.domain.links import SEND_AGAIN_AFTER, LinkPurpose
from app.domain.security_events import SecurityEvent
from app.models import User
from app.services import security_log
from app.services.accounts import mailed_links, users
from app.services.mail import outbox
from app.services.security import password_changes


def request(session: Session, email: str, page: Callable[[str], str], now: datetime) -> None:
    """Mail a link to `page` if the address is a user's; nobody but its owner learns whether.

    Nothing is sent where a link went out just now. Links sent before stay good until one of them was used.
    Raises InvalidRequest when it is no address.
    """
    try:
        # Held, so that of two requests at once one sees what the other sent.
        user = users.get(session, users.find(session, email).id, hold=True)
    except NotFound:
        return
    last = mailed_links.find_newest(session, user.id, LinkPurpose.RESET)
    if last is not None and last.used_at is None and last.created_at > now - SEND_AGAIN_AFTER:
        return
    secret = mailed_links.make(session, user.id, LinkPurpose.RESET, user.email, now, alone=False)
    security_log.record_after_commit(session, SecurityEvent.RESET_LINK_SENT, user.id)
    outbox.post(session, user.id, emails.choose_password(user.email, page(secret)), now)


def check(session: Session, secret: str, now: datetime) -> str:
    """The e-mail of the user whose password the link may change. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.RESET, secret, now).email


def finish(session: Session, secret: str, password: str, now: datetime) -> User:
    """The user with their new password; every sign-in of theirs has ended, and they are told.

    The mail proved the address: an unconfirmed user is confirmed, without the name that anyone who signed up gave
    them. Raises LinkExpired, and InvalidRequest with the link still good.
    """
    link = mailed_links.find(session, LinkPurpose.RESET, secret, now)
    user = users.get(session, link.user_id, hold=True)
    if user.email != link.email:
        raise LinkExpired(mailed_links.DEAD)
    mailed_links.use(session, LinkPurpose.RESET, secret, now)
    password_changes.set_password(session, user, password)
    if user.confirmed_at is None:
        user.confirmed_at, user.name = now, ""
    outbox.post(session, user.id, emails.password_changed(user.email), now)
    return user
