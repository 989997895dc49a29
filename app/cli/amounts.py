"""Amounts of credits as operators type them."""

from decimal import Decimal

import click

from app.domain import typed_amounts


def parse_amount(text: str) -> Decimal:
    """The amount, to the hundredth. Raises BadParameter for text that is not one."""
    try:
        return typed_amounts.parse_amount(text)
    except ValueError as fault:
        raise click.BadParameter(str(fault)) from None
