"""Another e-mail address for an account: in force once somebody opens the link mailed to it."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import emails, people
from app.domain.errors import InvalidRequest, LinkExpired
from app.domain.links import LinkPurpose
from app.domain.security_events import SecurityEvent
from app.models import Account
from app.services import security_log
from app.services.accounts import accounts, mailed_links
from app.services.mail import outbox
from app.services.security import erasure


def request(session: Session, account_id: str, email: str, page: Callable[[str], str], now: datetime) -> None:
    """Mail a link to `page` to the new address and a notice to the present one. Raises InvalidRequest.

    Where the new address has an account, its owner is told instead; whoever asks learns nothing.
    """
    email = people.email(email)
    account = accounts.of(session, account_id, hold=True)
    if email == account.email:
        raise InvalidRequest({"email": "This is your address already."})
    mailed_links.revoke(session, account_id, [LinkPurpose.CHANGE_EMAIL])
    if _owned(session, email):
        message = emails.new_address_taken(email)
    else:
        secret = mailed_links.make(session, account_id, LinkPurpose.CHANGE_EMAIL, email, now)
        message = emails.new_address(email, page(secret))
    outbox.post(session, account_id, message, now)
    outbox.post(session, account_id, emails.address_changing(account.email, email), now)


def look(session: Session, secret: str, now: datetime) -> str:
    """The address that the link confirms. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.CHANGE_EMAIL, secret, now).email


def finish(session: Session, secret: str, now: datetime) -> str:
    """The address, in force from now on; what was mailed to the old one leads nowhere any more.

    Raises LinkExpired, also when somebody else confirmed the address meanwhile.
    """
    link = mailed_links.use(session, LinkPurpose.CHANGE_EMAIL, secret, now)
    account = accounts.of(session, link.account_id, hold=True)
    squatter = session.scalar(select(Account).where(Account.email == link.email).with_for_update())
    if squatter is not None and squatter.confirmed_at is not None:
        raise LinkExpired("The address has an account of its own by now.")
    if squatter is not None:
        # Somebody signed up with an address that was never theirs to confirm.
        erasure.erase(session, squatter, now)
        session.flush()
    account.email = link.email
    security_log.record_after_commit(session, SecurityEvent.ADDRESS_CHANGED, account.id)
    mailed_links.revoke(session, account.id)
    session.flush()
    return account.email


def _owned(session: Session, email: str) -> bool:
    found = select(Account.id).where(Account.email == email, Account.confirmed_at.is_not(None))
    return session.scalar(found) is not None
