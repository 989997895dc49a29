"""Texts about API keys: states, scopes, lengths of time."""

from datetime import datetime, timedelta
from decimal import Decimal

from app.domain.actors import Scope
from app.domain.amounts import amount, credits_
from app.domain.keys import KeyState, key_state
from app.models import ApiKey
from app.portal.words import Word

SCOPES: dict[Scope, tuple[str, str]] = {
    Scope.ORDERS_WRITE: ("Place orders", "Get prices, upload photos and place orders. Orders cost credits."),
    Scope.JOBS_READ: ("Follow orders", "See the status of orders and download their results."),
    Scope.CREDITS_READ: ("See the balance", "See the account's balance, name and e-mail address."),
    Scope.WEBHOOKS_MANAGE: ("Manage webhooks", "Register, list and delete webhooks."),
}
SOON = timedelta(days=7)
"""A key that ends within this time is shown with a warning."""
_ENDED: dict[KeyState, Word] = {
    KeyState.EXPIRED: Word("Expired", "quiet", "Its end date has passed. It no longer works."),
    KeyState.REVOKED: Word("Revoked", "bad", "It no longer works."),
    KeyState.REPLACED: Word("Replaced", "quiet", "It was replaced by another key. It no longer works."),
}


def describe_state(key: ApiKey, now: datetime) -> Word:
    """The state of the key."""
    found = key_state(key, now)
    if found in _ENDED:
        return _ENDED[found]
    if key.expires_at is None:
        return Word("Active", "good", "It works until you revoke it.")
    left = key.expires_at - now
    tone = "warn" if left < SOON else "good"
    return Word(f"Expires in {write_duration(left)}", tone, "It works until the date below.")


def write_duration(length: timedelta) -> str:
    """`29 days`, `5 hours`, `12 minutes`: rounded down, in the largest unit that fits at least twice."""
    seconds = int(length.total_seconds())
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return "1 minute" if seconds >= 60 else "less than a minute"


def describe_overlap(overlap: timedelta) -> str:
    """When the old key ends, as the label of a choice: `At once`, `In 12 hours`, `In 2 days`."""
    return "At once" if not overlap else f"In {_write_overlap(overlap)}"


def _write_overlap(length: timedelta) -> str:
    hours = round(length.total_seconds() / 3600)
    if hours == 1:
        return "1 hour"
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours"


def describe_spending(key: ApiKey, spent: Decimal) -> str:
    """What the key spent this month, of its budget if it has one: `12.5 of 50 credits`, `3 credits`."""
    return credits_(spent) if key.budget is None else f"{amount(spent)} of {credits_(key.budget)}"


def write_budget(budget: Decimal | None) -> str:
    """The budget as people type it; empty for none."""
    return "" if budget is None else f"{budget.normalize():f}"


def mask_secret(key: ApiKey) -> str:
    """The parts of the secret that may be shown: its first and last characters."""
    return f"{key.visible_prefix}…{key.visible_suffix}"
