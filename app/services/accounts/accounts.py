"""Accounts: made, found, recognised by their password; another name, a word on their pictures."""

from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.domain import people
from app.domain.errors import InvalidRequest, NotFound
from app.domain.security_events import SecurityEvent
from app.models import Account
from app.services import security_log
from app.services.accounts import passwords


def create(
    session: Session,
    email: str,
    now: datetime,
    *,
    name: str = "",
    password: str | None = None,
    staff: bool = False,
    confirmed: bool = True,
) -> Account:
    """A new account. Raises InvalidRequest when the e-mail is no address or already has one, or the name or the
    password may not be one.

    `confirmed`: whether somebody vouches that the e-mail is theirs; until then nobody can sign in.
    """
    email = people.email(email)
    if taken(session, email):
        raise InvalidRequest({"email": f"{email} has an account already."})
    account = Account(
        email=email,
        name=people.name(name),
        password_hash=passwords.digest(password, email) if password else None,
        is_staff=staff,
        created_at=now,
        confirmed_at=now if confirmed else None,
    )
    session.add(account)
    session.flush()
    return account


def find(session: Session, email: str) -> Account:
    """The account with this e-mail. Raises NotFound."""
    account = session.scalar(_with(people.email(email)))
    if account is None:
        raise NotFound(f"There is no account {email}.")
    return account


def lookup(session: Session, email: str) -> Account | None:
    """The account with this e-mail; None without one, and for what is no address."""
    try:
        return session.scalar(_with(people.email(email)))
    except InvalidRequest:
        return None


def of(session: Session, account_id: str, *, hold: bool = False) -> Account:
    """The account, held against other changes if asked to. Raises NotFound, also when it was deleted."""
    account = session.get(Account, account_id, with_for_update=hold or None, populate_existing=True)
    if account is None or account.deleted_at is not None:
        raise NotFound
    return account


def taken(session: Session, email: str) -> bool:
    """Whether the e-mail, in normal form, has an account."""
    return session.scalar(select(Account.id).where(Account.email == email)) is not None


def authenticate(session: Session, email: str, password: str) -> Account | None:
    """The account with this e-mail and password, else None; it takes as long either way."""
    account = lookup(session, email)
    fits = passwords.fits(account.password_hash if account else None, password)
    if fits and account and not account.deleted_at:
        return account
    security_log.tell(SecurityEvent.SIGN_IN_FAILED, account.id if account else None)
    return None


def has_password(session: Session, account_id: str, password: str) -> bool:
    """Whether whoever acts for the account knows its password."""
    right = passwords.fits(of(session, account_id).password_hash, password)
    if not right:
        security_log.tell(SecurityEvent.PROOF_FAILED, account_id)
    return right


def rename(session: Session, account_id: str, name: str) -> None:
    """Call the account's owner so. Raises InvalidRequest."""
    of(session, account_id, hold=True).name = people.name(name)


def agree_on_pictures(session: Session, account_id: str, agreed: bool, now: datetime) -> None:
    """Note whether pictures of orders from now on may make the work better; said again it changes nothing."""
    account = of(session, account_id, hold=True)
    account.pictures_agreed_at = (account.pictures_agreed_at or now) if agreed else None


def count(session: Session) -> int:
    """How many accounts there are."""
    return session.scalar(select(func.count()).select_from(Account)) or 0


def _with(email: str) -> Select[Account]:
    return select(Account).where(Account.email == email)
