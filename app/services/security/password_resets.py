"""A new password for whoever reads the account's mail.

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
from app.models import Account
from app.services import security_log
from app.services.accounts import accounts, mailed_links
from app.services.mail import outbox
from app.services.security import password_changes


def request(session: Session, email: str, page: Callable[[str], str], now: datetime) -> None:
    """Mail a link to `page` if the address has an account; nobody but its owner learns whether.

    Nothing is sent where a link went out just now. Links sent before stay good until one of them was used.
    Raises InvalidRequest when it is no address.
    """
    try:
        # Held, so that of two requests at once one sees what the other sent.
        account = accounts.of(session, accounts.find(session, email).id, hold=True)
    except NotFound:
        return
    last = mailed_links.newest(session, account.id, LinkPurpose.RESET)
    if last is not None and last.used_at is None and last.created_at > now - SEND_AGAIN_AFTER:
        return
    secret = mailed_links.make(session, account.id, LinkPurpose.RESET, account.email, now, alone=False)
    security_log.record_after_commit(session, SecurityEvent.RESET_LINK_SENT, account.id)
    outbox.post(session, account.id, emails.choose_password(account.email, page(secret)), now)


def look(session: Session, secret: str, now: datetime) -> str:
    """The e-mail of the account whose password the link may change. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.RESET, secret, now).email


def finish(session: Session, secret: str, password: str, now: datetime) -> Account:
    """The account with its new password; every sign-in of it has ended, and its owner is told.

    The mail proved the address: an unconfirmed account is confirmed, without the name that whoever signed up gave
    it. Raises LinkExpired, and InvalidRequest with the link still good.
    """
    link = mailed_links.find(session, LinkPurpose.RESET, secret, now)
    account = accounts.of(session, link.account_id, hold=True)
    if account.email != link.email:
        raise LinkExpired(mailed_links.DEAD)
    mailed_links.use(session, LinkPurpose.RESET, secret, now)
    password_changes.set_password(session, account, password)
    if account.confirmed_at is None:
        account.confirmed_at, account.name = now, ""
    outbox.post(session, account.id, emails.password_changed(account.email), now)
    return account
