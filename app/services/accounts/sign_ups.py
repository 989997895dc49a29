"""Signing up: an account that holds once its e-mail is confirmed, by whoever knows its password.

Nobody learns here whether an address has an account: answer and duration are the same, and mail tells its owner.
Two people may sign up with one address before its owner confirms it. The last of them counts, and the link in the
mail alone confirms nothing for the owner of the mailbox: the browser must be the one that signed up last, or its
password must be typed. So nobody comes to own, by opening a mail, an account whose password somebody else knows.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain import emails, people
from app.domain.errors import InvalidRequest, LinkExpired
from app.domain.links import SEND_AGAIN_AFTER, LinkPurpose
from app.domain.retention import UNCONFIRMED_ACCOUNTS_KEPT
from app.models import Account, ApiKey, LedgerLine, Mail, MailedLink
from app.services.accounts import accounts, mailed_links, passwords
from app.services.mail import outbox

BATCH = 100


@dataclass(frozen=True, slots=True)
class Pages:
    """The addresses that mail leads to, the first two for the secret of a link."""

    confirm: Callable[[str], str]
    reset: str
    sign_in: str


@dataclass(frozen=True, slots=True)
class Applicant:
    """Who wants an account."""

    name: str
    email: str
    password: str


def apply(session: Session, applicant: Applicant, pages: Pages, now: datetime) -> str:
    """Let somebody have an account as soon as they confirm its e-mail; its owner is told when there is one.

    What comes back marks the browser for confirm(), and says nothing to anybody. Raises InvalidRequest.
    """
    name, email = people.name(applicant.name), people.email(applicant.email)
    password_hash = passwords.digest(applicant.password, email)
    account = _held(session, email, now)
    if account.confirmed_at is not None:
        outbox.post(session, account.id, emails.has_account(email, pages.sign_in, pages.reset), now)
        return mailed_links.digest(secrets.token_urlsafe(32))
    account.name, account.password_hash = name, password_hash
    return mailed_links.digest(_send(session, account, pages, now))


def send_again(session: Session, account: Account, pages: Pages, now: datetime) -> None:
    """Send the link of an unconfirmed account once more, unless one went out just now."""
    last = mailed_links.newest(session, account.id, LinkPurpose.CONFIRM)
    if last is None or last.created_at <= now - SEND_AGAIN_AFTER:
        _send(session, account, pages, now)


def look(session: Session, secret: str, mark: str, now: datetime) -> bool:
    """Whether the link must be accompanied by the password: this browser has not the mark of the sign-up.

    Raises LinkExpired.
    """
    return mailed_links.find(session, LinkPurpose.CONFIRM, secret, now).digest != mark


def confirm(session: Session, secret: str, mark: str, password: str, now: datetime) -> Account | None:
    """The account, confirmed; None, with the link still good, when the password was needed and is not right.

    Raises LinkExpired.
    """
    link = mailed_links.find(session, LinkPurpose.CONFIRM, secret, now)
    account = accounts.of(session, link.account_id, hold=True)
    if account.email != link.email:
        raise LinkExpired(mailed_links.DEAD)
    if link.digest != mark and not passwords.fits(account.password_hash, password):
        return None
    mailed_links.use(session, LinkPurpose.CONFIRM, secret, now)
    mailed_links.revoke(session, account.id)
    account.confirmed_at = account.confirmed_at or now
    return account


def forget(session: Session, now: datetime) -> int:
    """Remove some accounts that nobody ever confirmed; how many there were."""
    links = select(MailedLink.id).where(MailedLink.account_id == Account.id)
    lines = select(LedgerLine.id).where(LedgerLine.account_id == Account.id)
    keys = select(ApiKey.id).where(ApiKey.account_id == Account.id)
    unconfirmed = (Account.confirmed_at.is_(None), Account.deleted_at.is_(None))
    old = select(Account.id).where(*unconfirmed, Account.created_at <= now - UNCONFIRMED_ACCOUNTS_KEPT)
    ids = session.scalars(old.where(~links.exists(), ~lines.exists(), ~keys.exists()).limit(BATCH)).all()
    session.execute(delete(Mail).where(Mail.account_id.in_(ids)))
    session.execute(delete(Account).where(Account.id.in_(ids)))
    return len(ids)


def _held(session: Session, email: str, now: datetime) -> Account:
    """The account with this e-mail, a new one where there is none."""
    mine = select(Account).where(Account.email == email).with_for_update()
    found = session.scalar(mine)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            return accounts.create(session, email, now, confirmed=False)
    except (IntegrityError, InvalidRequest):
        # Somebody signed up with the same address a moment ago.
        return session.scalars(mine).one()


def _send(session: Session, account: Account, pages: Pages, now: datetime) -> str:
    secret = mailed_links.make(session, account.id, LinkPurpose.CONFIRM, account.email, now)
    outbox.post(session, account.id, emails.confirm_address(account.email, pages.confirm(secret)), now)
    return secret
