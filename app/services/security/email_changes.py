"""Changing a user's e-mail address: the new address takes effect once the link mailed to it is confirmed."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import emails, people
from app.domain.errors import InvalidRequest, LinkExpired
from app.domain.links import LinkPurpose
from app.domain.security_events import SecurityEvent
from app.models import User
from app.services import security_log
from app.services.accounts import mailed_links, users
from app.services.mail import outbox
from app.services.security import erasure


def request(session: Session, user_id: str, email: str, page: Callable[[str], str], now: datetime) -> None:
    """Mail a link to `page` to the new address, and a notice to the current address.

    If the new address belongs to a confirmed user already, the mail to it says so instead; the page shows no
    difference. Raises InvalidRequest when the text is not an address, or is the user's current one.
    """
    email = people.email(email)
    user = users.get(session, user_id, lock=True)
    if email == user.email:
        raise InvalidRequest({"email": "This is your address already."})
    mailed_links.revoke(session, user_id, [LinkPurpose.CHANGE_EMAIL])
    if _is_confirmed_address(session, email):
        message = emails.new_address_taken(email)
    else:
        secret = mailed_links.make(session, user_id, LinkPurpose.CHANGE_EMAIL, email, now)
        message = emails.new_address(email, page(secret))
    outbox.post(session, user_id, message, now)
    outbox.post(session, user_id, emails.address_changing(user.email, email), now)


def check(session: Session, secret: str, now: datetime) -> str:
    """The address that the link confirms. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.CHANGE_EMAIL, secret, now).email


def finish(session: Session, secret: str, now: datetime) -> str:
    """Make the link's address the user's e-mail and return it; every link mailed to the user before stops working.

    An unconfirmed user with that address is erased. Raises LinkExpired, also when another user has confirmed the
    address meanwhile.
    """
    link = mailed_links.use(session, LinkPurpose.CHANGE_EMAIL, secret, now)
    user = users.get(session, link.user_id, lock=True)
    other = session.scalar(select(User).where(User.email == link.email).with_for_update(key_share=True))
    if other is not None and other.confirmed_at is not None:
        raise LinkExpired("The address now has its own account.")
    if other is not None:
        # Somebody signed up with this address but never confirmed it. The address belongs to the user of this link.
        erasure.erase(session, other, now)
        session.flush()
    user.email = link.email
    security_log.record_after_commit(session, SecurityEvent.ADDRESS_CHANGED, user.id)
    mailed_links.revoke(session, user.id)
    session.flush()
    return user.email


def _is_confirmed_address(session: Session, email: str) -> bool:
    found = select(User.id).where(User.email == email, User.confirmed_at.is_not(None))
    return session.scalar(found) is not None
