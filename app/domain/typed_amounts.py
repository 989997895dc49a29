"""Reads amounts of credits that people typed."""

from decimal import Decimal, InvalidOperation

MAX_AMOUNT = Decimal(10) ** 12
"""The largest amount that is accepted; a larger amount is a typing error."""


def parse_amount(text: str) -> Decimal:
    """The amount, to the hundredth. Raises ValueError, with a message for people, for any other text."""
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or abs(amount) > MAX_AMOUNT or amount != round(amount, 2):
        raise ValueError(f"{text} is no amount of credits with at most two decimals.")
    return amount
