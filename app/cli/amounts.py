"""Amounts of credits as operators type them."""

from decimal import Decimal, InvalidOperation

import click


def exact(text: str) -> Decimal:
    """The amount, to the hundredth. Raises BadParameter when it is none."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount != round(amount, 2):
        raise click.BadParameter(f"{text} is no amount of credits with at most two decimals.")
    return amount
