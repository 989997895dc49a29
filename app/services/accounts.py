"""Accounts: made, found."""

from datetime import datetime

from argon2 import PasswordHasher
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
) -> Account:
    """A new account. Raises InvalidRequest when the e-mail is no address or already has one."""
    email = normal(email)
    if session.scalar(select(Account.id).where(Account.email == email)):
        raise InvalidRequest({"email": f"{email} has an account already."})
    password_hash = _hasher.hash(password) if password else None
    account = Account(email=email, name=name, password_hash=password_hash, is_staff=staff, created_at=now)
    session.add(account)
    session.flush()
    return account


def find(session: Session, email: str) -> Account:
    """The account with this e-mail. Raises NotFound."""
    account = session.scalar(select(Account).where(Account.email == normal(email)))
    if account is None:
        raise NotFound(f"There is no account {email}.")
    return account


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
