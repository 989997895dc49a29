"""The rules of API keys: how many, how they are called, how long they hold, and how one takes over from another."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_KEYS = 50
"""Keys that hold, of one account."""
MAX_NAME = 100
OVERLAPS = (timedelta(0), timedelta(hours=1), timedelta(hours=24), timedelta(days=7))
"""How much longer a key may hold once another has taken over from it."""
LIFETIMES = tuple(timedelta(days=days) for days in (30, 90, 365))
"""How long a key may hold; any other date, and no end at all, are possible too."""
LONGEST_LIFETIME = timedelta(days=3653)
"""Keys that shall hold longer than ten years may as well never end."""


class KeyState(StrEnum):
    """How a key is."""

    ACTIVE = "active"
    ENDING = "ending"
    EXPIRED = "expired"
    REVOKED = "revoked"
    REPLACED = "replaced"


class KeyDates(Protocol):
    """What key_state() needs of a key."""

    expires_at: datetime | None
    revoked_at: datetime | None
    replaced_by_id: str | None


def key_state(key: KeyDates, now: datetime) -> KeyState:
    """How the key is now: the first two open something, the others nothing any more."""
    if key.revoked_at is not None:
        return KeyState.REVOKED
    if key.expires_at is None:
        return KeyState.ACTIVE
    if key.expires_at > now:
        return KeyState.ENDING
    return KeyState.REPLACED if key.replaced_by_id else KeyState.EXPIRED


def is_active(key: KeyDates, now: datetime) -> bool:
    """Whether the key opens anything."""
    return key_state(key, now) in (KeyState.ACTIVE, KeyState.ENDING)


def key_name(text: str) -> str:
    """The name on one line. Raises InvalidRequest for none, and for one that is too long."""
    name = one_line(text)
    if not name:
        raise InvalidRequest({"name": "Enter a name, such as what uses the key."})
    if len(name) > MAX_NAME:
        raise InvalidRequest({"name": f"The name must have at most {MAX_NAME} characters."})
    return name
