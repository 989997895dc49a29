"""Mails about credits: a low balance, and a receipt."""

from decimal import Decimal

from app.domain.amounts import credits_, money
from app.domain.emails.writing import link, write_notice
from app.domain.sending import Email


def low_balance(to: str, balance: Decimal, limit: Decimal) -> Email:
    """The mail sent when the balance has fallen below the limit that its owner chose."""
    return write_notice(
        to,
        f"Your balance is low: {credits_(balance)}",
        f"Your balance is {credits_(balance)}, which is below {credits_(limit)}. An order that costs more than the "
        "balance cannot be placed. Buy credits here:",
        link("/credits"),
        "You get this e-mail once each time the balance falls below that amount.",
    )


def receipt(to: str, purchase_id: str, number: int, bought: Decimal, price_cents: int) -> Email:
    """The mail sent when a purchase was paid."""
    return write_notice(
        to,
        f"Receipt {number}: {credits_(bought)}",
        f"Thank you. {credits_(bought)} for {money(price_cents)} were added to your balance. Your receipt:",
        link(f"/credits/purchases/{purchase_id}/receipt"),
    )
