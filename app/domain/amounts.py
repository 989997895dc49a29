"""Formats amounts of credits and money, the same for pages and mails."""

from decimal import Decimal
from functools import lru_cache


@lru_cache(maxsize=1024)
def amount(value: Decimal) -> str:
    """The amount of credits without unneeded decimals: `6`, `0.5`, `12.25`, `1,000`."""
    exact = round(Decimal(value), 2)
    return f"{exact:,.0f}" if exact == exact.to_integral_value() else f"{exact:,.2f}".rstrip("0")


def credits_(value: Decimal) -> str:
    """The amount with its unit: `1 credit`, `6 credits`, `0.5 credits`."""
    return f"{amount(value)} {'credit' if value == 1 else 'credits'}"


def counted(number: int, noun: str) -> str:
    """The number with its noun: `1 photo`, `5 photos`; for nouns whose plural ends in s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def money(cents: Decimal | int) -> str:
    """The amount in dollars: `$12.00`, `-$12.00`."""
    return f"{'-' if cents < 0 else ''}${abs(Decimal(cents)) / 100:,.2f}"
