"""Amounts of credits as people type them."""

from decimal import Decimal, InvalidOperation

LARGEST = Decimal(10) ** 12
"""No amount of credits is larger: beyond it, somebody leant on a key."""


def parse_amount(text: str) -> Decimal:
    """The amount, to the hundredth. Raises ValueError when it is none, saying so."""
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or abs(amount) > LARGEST or amount != round(amount, 2):
        raise ValueError(f"{text} is no amount of credits with at most two decimals.")
    return amount
