"""How amounts are said: credits and money, the same on pages and in mails."""

from decimal import Decimal
from functools import lru_cache


@lru_cache(maxsize=1024)
def amount(value: Decimal) -> str:
    """`6.0`: one decimal, two where the half does not say it all."""
    exact = Decimal(value)
    return f"{exact:.1f}" if exact == round(exact, 1) else f"{exact:.2f}"


def credits_(value: Decimal) -> str:
    """`1.0 credit`, `6.0 credits`."""
    return f"{amount(value)} {'credit' if value == 1 else 'credits'}"


def money(cents: Decimal | int) -> str:
    """`$12.00`; a minus stands before the sign."""
    return f"{'-' if cents < 0 else ''}${abs(Decimal(cents)) / 100:,.2f}"
