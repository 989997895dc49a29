"""Accounts: made, found."""

from datetime import datetime
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.errors import InvalidRequest, NotFound
from app.models import Account

_hasher = PasswordHasher()
MAX_EMAIL = 320


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
    """A new account. Raises InvalidRequest when the e-mail is no address or already has one.

    `confirmed`: whether somebody vouches that the e-mail is theirs; until then nobody can sign in.
    """
    email = normal(email)
    if session.scalar(select(Account.id).where(Account.email == email)):
        raise InvalidRequest({"email": f"{email} has an account already."})
    password_hash = _hasher.hash(password) if password else None
    account = Account(
        email=email,
        name=name,
        password_hash=password_hash,
        is_staff=staff,
        created_at=now,
        confirmed_at=now if confirmed else None,
    )
    session.add(account)
    session.flush()
    return account


def find(session: Session, email: str) -> Account:
    """The account with this e-mail. Raises NotFound."""
    account = session.scalar(select(Account).where(Account.email == normal(email)))
    if account is None:
        raise NotFound(f"There is no account {email}.")
    return account


def authenticate(session: Session, email: str, password: str) -> Account | None:
    """The account with this e-mail and password, else None; it takes as long either way."""
    account = session.scalar(select(Account).where(Account.email == email.strip().lower()))
    kept = account.password_hash if account else None
    try:
        _hasher.verify(kept or _nobodys_hash(), password)
    except VerificationError:
        return None
    return account if kept and account and not account.deleted_at else None


def count(session: Session) -> int:
    """How many accounts there are."""
    return session.scalar(select(func.count()).select_from(Account)) or 0


def normal(email: str) -> str:
    """The e-mail in the form it is kept and compared. Raises InvalidRequest when it is none."""
    text = email.strip().lower()
    local, at, host = text.rpartition("@")
    if not (local and at and host) or len(text) > MAX_EMAIL or any(c.isspace() for c in text):
        raise InvalidRequest({"email": "Must be an e-mail address."})
    return text


@cache
def _nobodys_hash() -> str:
    """Compared with where there is no password, so that the answer takes as long."""
    return _hasher.hash("nobody")
