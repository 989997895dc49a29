"""Signing up: an account can be used once its e-mail is confirmed by a person who knows its password.

Signing up does not reveal whether an address has an account: the answer and its duration are the same, and only a
mail to the address says it. If several people sign up with one address before it is confirmed, the last sign-up
counts. To confirm it, the link in the mail must be opened in the browser of that sign-up, or its password must be
typed. Otherwise an attacker could sign up with another person's address, and that person would confirm, by opening
the mail, an account whose password the attacker knows.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from app.domain import emails, people
from app.domain.errors import InvalidRequest, LinkExpired
from app.domain.ids import digest_of_secret
from app.domain.links import SEND_AGAIN_AFTER, LinkPurpose
from app.domain.retention import UNCONFIRMED_ACCOUNTS_KEPT
from app.models import ApiKey, LedgerLine, Mail, MailedLink, Membership, Organization, User
from app.services.accounts import accounts, mailed_links, passwords, users
from app.services.mail import outbox

BATCH = 100


@dataclass(frozen=True, slots=True)
class Pages:
    """URLs of the pages to which mails link; `confirm` makes the URL from the secret of a link."""

    confirm: Callable[[str], str]
    reset: str
    sign_in: str


@dataclass(frozen=True, slots=True)
class Applicant:
    """The fields of the form for signing up, before they are checked."""

    name: str
    email: str
    password: str


def sign_up(session: Session, applicant: Applicant, pages: Pages, now: datetime) -> str:
    """Create an unconfirmed account, and mail the link that confirms it. If the address has a confirmed account,
    the mail says so.

    Returns a mark by which confirm() recognizes the browser. If nothing was created, the mark is random, and cannot
    be distinguished from a real mark. Raises InvalidRequest when name, e-mail or password is not allowed.
    """
    name, email = people.name(applicant.name), people.email(applicant.email)
    password_hash = passwords.digest(applicant.password, email)
    user = _get_or_create(session, email, now)
    if user.confirmed_at is not None:
        outbox.post(session, user.id, emails.has_account(email, pages.sign_in, pages.reset), now)
        return digest_of_secret(secrets.token_urlsafe(32))
    user.name, user.password_hash = name, password_hash
    return digest_of_secret(_send(session, user, pages, now))


def send_again(session: Session, user: User, pages: Pages, now: datetime) -> None:
    """Send an unconfirmed user another link, unless one was sent within SEND_AGAIN_AFTER."""
    last = mailed_links.find_newest(session, user.id, LinkPurpose.CONFIRM)
    if last is None or last.created_at <= now - SEND_AGAIN_AFTER:
        _send(session, user, pages, now)


def needs_password(session: Session, secret: str, mark: str, now: datetime) -> bool:
    """Whether confirm() needs the password, because the last sign-up was in another browser. Raises LinkExpired."""
    return mailed_links.find(session, LinkPurpose.CONFIRM, secret, now).digest != mark


def confirm(session: Session, secret: str, mark: str, password: str, now: datetime) -> User | None:
    """Confirm the user's e-mail and return the user. None, with the link still valid, if the password is needed and
    wrong. Raises LinkExpired.
    """
    link = mailed_links.find(session, LinkPurpose.CONFIRM, secret, now)
    user = users.get(session, link.user_id, lock=True)
    if user.email != link.email:
        raise LinkExpired(mailed_links.LINK_INVALID)
    if link.digest != mark and not passwords.verify(user.password_hash, password):
        return None
    mailed_links.use(session, LinkPurpose.CONFIRM, secret, now)
    mailed_links.revoke(session, user.id)
    user.confirmed_at = user.confirmed_at or now
    return user


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH users who never confirmed their e-mail, with their accounts; returns how many.

    Users who have a link stay, as do users whose account has ledger lines, API keys or another member.
    """
    links = select(MailedLink.id).where(MailedLink.user_id == User.id)
    lines = select(LedgerLine.id).where(LedgerLine.account_id == Membership.organization_id)
    keys = select(ApiKey.id).where(ApiKey.account_id == Membership.organization_id)
    others = aliased(Membership)
    shared = select(others.user_id).where(
        others.organization_id == Membership.organization_id, others.user_id != Membership.user_id
    )
    unconfirmed = (User.confirmed_at.is_(None), User.deleted_at.is_(None))
    old = select(User.id, Membership.organization_id).join(Membership, Membership.user_id == User.id)
    old = old.where(*unconfirmed, User.created_at <= now - UNCONFIRMED_ACCOUNTS_KEPT)
    unused = (~each.exists() for each in (links, lines, keys, shared))
    found = session.execute(old.where(*unused).limit(BATCH)).all()
    user_ids, account_ids = [row[0] for row in found], [row[1] for row in found]
    session.execute(delete(Mail).where(Mail.user_id.in_(user_ids)))
    session.execute(delete(Membership).where(Membership.organization_id.in_(account_ids)))
    session.execute(delete(Organization).where(Organization.id.in_(account_ids)))
    session.execute(delete(User).where(User.id.in_(user_ids)))
    return len(user_ids)


def _get_or_create(session: Session, email: str, now: datetime) -> User:
    """The user with this e-mail, with their row locked; a new unconfirmed user if there is none."""
    mine = select(User).where(User.email == email).with_for_update(key_share=True)
    found = session.scalar(mine)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            return accounts.create(session, email, now, confirmed=False).user
    except (IntegrityError, InvalidRequest):
        # Another request has signed up with the same address since the query.
        return session.scalars(mine).one()


def _send(session: Session, user: User, pages: Pages, now: datetime) -> str:
    secret = mailed_links.make(session, user.id, LinkPurpose.CONFIRM, user.email, now)
    outbox.post(session, user.id, emails.confirm_address(user.email, pages.confirm(secret)), now)
    return secret
