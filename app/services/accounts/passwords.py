"""Stored passwords and PINs, hashed by Argon2. Verifying takes as long for a user without a password."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain import passwords

_hasher = PasswordHasher()


def digest(password: str, email: str = "") -> str:
    """The hash to store for this user's new password. Raises InvalidRequest when the password is not allowed."""
    return _hasher.hash(passwords.check_new(password, email))


def verify(kept: str | None, password: str) -> bool:
    """Whether the password matches the hash `kept`. Without a hash, or for a password that no user can have, it
    takes the same time, so that the duration reveals nothing.
    """
    possible = passwords.is_possible(password)
    dummy = _dummy_digest()
    try:
        _hasher.verify(kept if kept and possible else dummy, passwords.normalize(password) if possible else "")
    except (VerificationError, InvalidHashError):
        return False
    return bool(kept) and possible


def digest_pin(pin: str) -> str:
    """The hash to store for a PIN, which was checked already."""
    return _hasher.hash(pin)


def verify_pin(kept: str, pin: str) -> bool:
    """Whether the PIN matches the hash `kept`; how long that takes does not depend on the PIN."""
    try:
        return _hasher.verify(kept, pin)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _dummy_digest() -> str:
    """A hash that is verified in place of a missing one."""
    return _hasher.hash("nobody")
