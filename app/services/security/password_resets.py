"""Resetting a forgotten password by a link that is mailed to the user.

Anybody may request a link for any address, so a request must do no harm: it revokes no earlier link, and sends
nothing within SEND_AGAIN_AFTER of the last one.
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
    """Mail a link to `page` if a user has this address; the page does not tell whether there is one.

    Nothing is sent within SEND_AGAIN_AFTER of an unused link. Earlier links stay valid until one of them is used.
    Raises InvalidRequest when the text is not an address.
    """
    try:
        # Locked, so that the second of two requests at once sees the link that the first one sent.
        user = users.get(session, users.find(session, email).id, lock=True)
    except NotFound:
        return
    last = mailed_links.find_newest(session, user.id, LinkPurpose.RESET)
    if last is not None and last.used_at is None and last.created_at > now - SEND_AGAIN_AFTER:
        return
    secret = mailed_links.make(session, user.id, LinkPurpose.RESET, user.email, now, revoke_older=False)
    security_log.record_after_commit(session, SecurityEvent.RESET_LINK_SENT, user.id)
    outbox.post(session, user.id, emails.choose_password(user.email, page(secret)), now)


def check(session: Session, secret: str, now: datetime) -> str:
    """The e-mail of the user whose password the link can change. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.RESET, secret, now).email


def finish(session: Session, secret: str, password: str, now: datetime) -> User:
    """Set the password of the link's user and return the user; ends all their sign-ins and mails them.

    The link proves that the address is theirs: an unconfirmed user is confirmed, but loses the name, which somebody
    else may have typed at sign-up. Raises LinkExpired, and InvalidRequest with the link still valid.
    """
    link = mailed_links.find(session, LinkPurpose.RESET, secret, now)
    user = users.get(session, link.user_id, lock=True)
    if user.email != link.email:
        raise LinkExpired(mailed_links.LINK_INVALID)
    mailed_links.use(session, LinkPurpose.RESET, secret, now)
    password_changes.set_password(session, user, password)
    if user.confirmed_at is None:
        user.confirmed_at, user.name = now, ""
    outbox.post(session, user.id, emails.password_changed(user.email), now)
    return user
