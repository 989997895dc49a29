"""Formats amounts of credits and money, the same for pages and mails."""

from decimal import Decimal
from functools import lru_cache


@lru_cache(maxsize=1024)
def amount(value: Decimal) -> str:
    """The amount of credits with one decimal, as `6.0`, or with two where one is not exact."""
    exact = Decimal(value)
    return f"{exact:.1f}" if exact == round(exact, 1) else f"{exact:.2f}"


def credits_(value: Decimal) -> str:
    """The amount with its unit: `1.0 credit`, `6.0 credits`."""
    return f"{amount(value)} {'credit' if value == 1 else 'credits'}"


def money(cents: Decimal | int) -> str:
    """The amount in dollars: `$12.00`, `-$12.00`."""
    return f"{'-' if cents < 0 else ''}${abs(Decimal(cents)) / 100:,.2f}"
