"""The rules of API keys: number, names, lifetimes, budgets, states, replacement. Scopes: domain/actors.py."""

import re
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_KEYS = 50
"""The most active keys of one account."""
MAX_NAME = 100
OVERLAPS = (timedelta(0), timedelta(hours=1), timedelta(hours=24), timedelta(days=7))
"""The choices for how much longer a key is valid after another one has replaced it."""
LIFETIMES = tuple(timedelta(days=days) for days in (30, 90, 365))
"""The suggested lifetimes of a key; any other date, or none, can be chosen too."""
MAX_LIFETIME = timedelta(days=3653)
"""The longest lifetime, ten years; a key for a longer time should have no end."""


MAX_BUDGET = Decimal(1_000_000)
"""The largest budget for a month, in credits; a key that may spend more should have none."""
_TYPED_BUDGET = re.compile(r"[0-9]{1,7}([.,][0-9]{1,2})?")


class KeyState(StrEnum):
    """The state of a key; ENDING is one that is active until a date."""

    ACTIVE = "active"
    ENDING = "ending"
    EXPIRED = "expired"
    REVOKED = "revoked"
    REPLACED = "replaced"


class KeyDates(Protocol):
    """The fields of a key that key_state() reads."""

    expires_at: datetime | None
    revoked_at: datetime | None
    replaced_by_id: str | None


def key_state(key: KeyDates, now: datetime) -> KeyState:
    """The state of the key now. Only ACTIVE and ENDING keys are accepted."""
    if key.revoked_at is not None:
        return KeyState.REVOKED
    if key.expires_at is None:
        return KeyState.ACTIVE
    if key.expires_at > now:
        return KeyState.ENDING
    return KeyState.REPLACED if key.replaced_by_id else KeyState.EXPIRED


def is_active(key: KeyDates, now: datetime) -> bool:
    """Whether the key is accepted now."""
    return key_state(key, now) in (KeyState.ACTIVE, KeyState.ENDING)


def key_name(text: str) -> str:
    """The name on one line. Raises InvalidRequest for an empty name, and for one that is too long."""
    name = one_line(text)
    if not name:
        raise InvalidRequest({"name": "Enter a name, such as what uses the key."})
    if len(name) > MAX_NAME:
        raise InvalidRequest({"name": f"The name must have at most {MAX_NAME} characters."})
    return name


def parse_budget(text: str) -> Decimal:
    """The budget that a person typed, with a point or a comma before one or two decimals. Raises InvalidRequest for
    other text, also for `1,000`, which some people read as one and others as a thousand.
    """
    typed = _TYPED_BUDGET.fullmatch(text.strip())
    return check_budget(Decimal(typed[0].replace(",", ".") if typed else "NaN"))


def check_budget(credits: Decimal) -> Decimal:
    """The budget of a key for a month. Raises InvalidRequest unless it is an amount from 0 to MAX_BUDGET."""
    if not (credits.is_finite() and 0 <= credits <= MAX_BUDGET and credits == round(credits, 2)):
        allowed = f"from 0 to {MAX_BUDGET}, with at most two decimals"
        raise InvalidRequest({"budget": f"The budget must be a number of credits {allowed}."})
    return credits
