"""Stored passwords: hashed slowly, and verified in the same time whether or not the user has one."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain import passwords

_hasher = PasswordHasher()


def digest(password: str, email: str = "") -> str:
    """The hash to store for this user's new password. Raises InvalidRequest when the password is not allowed."""
    return _hasher.hash(passwords.check_new(password, email))


def verify(kept: str | None, password: str) -> bool:
    """Whether the password fits the hash `kept`. It takes as long without a hash, and for impossible passwords."""
    possible = passwords.is_possible(password)
    dummy = _dummy_digest()
    try:
        _hasher.verify(kept if kept and possible else dummy, passwords.normalize(password) if possible else "")
    except (VerificationError, InvalidHashError):
        return False
    return bool(kept) and possible


@cache
def _dummy_digest() -> str:
    """A hash to verify against where the user has no password, so that the answer takes as long."""
    return _hasher.hash("nobody")
