"""Passwords as they are kept: hashed slowly, compared in the same time whether or not there is one."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain import passwords

_hasher = PasswordHasher()


def digest(password: str, email: str = "") -> str:
    """What is kept of the account's new password. Raises InvalidRequest when it may not be one."""
    return _hasher.hash(passwords.check_new(password, email))


def verify(kept: str | None, password: str) -> bool:
    """Whether this is the password kept; it takes as long where none is, or where it cannot be one."""
    possible = passwords.is_possible(password)
    nobodys = _nobodys_digest()
    try:
        _hasher.verify(kept if kept and possible else nobodys, passwords.normalize(password) if possible else "")
    except (VerificationError, InvalidHashError):
        return False
    return bool(kept) and possible


@cache
def _nobodys_digest() -> str:
    """Compared with where there is no password, so that the answer takes as long."""
    return _hasher.hash("nobody")
