"""The kinds of mail that users can switch off, with their names."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.domain.roles import Ability

MAX_LOW_BALANCE = Decimal(1_000_000)
"""The highest balance, in credits, below which an account can choose to get a mail."""


class Notice(StrEnum):
    """A kind of mail that users can switch off. Mails about security, such as of a changed password, are not
    here.
    """

    ORDER_READY = "order_ready"
    ORDER_UNDELIVERABLE = "order_undeliverable"
    ORDER_FAILED = "order_failed"
    PHOTO_REVISED = "photo_revised"
    CLIENT_ANSWERED = "client_answered"
    PURCHASE_PAID = "purchase_paid"
    LOW_BALANCE = "low_balance"
    WEBHOOK_FAILS = "webhook_fails"
    NEW_SIGN_IN = "new_sign_in"


CONCERNS: dict[Notice, Ability] = {
    Notice.ORDER_READY: Ability.ORDER,
    Notice.ORDER_UNDELIVERABLE: Ability.ORDER,
    Notice.ORDER_FAILED: Ability.ORDER,
    Notice.PHOTO_REVISED: Ability.ORDER,
    Notice.CLIENT_ANSWERED: Ability.ORDER,
    Notice.PURCHASE_PAID: Ability.BUY,
    Notice.LOW_BALANCE: Ability.BUY,
    Notice.WEBHOOK_FAILS: Ability.DEVELOP,
    Notice.NEW_SIGN_IN: Ability.SELF,
}
"""The members who get the notice: those whose role grants this. A notice about an order goes to the member who
placed it and to the owners; the other members with the role get it only if the member who placed it has left.
"""


@dataclass(frozen=True, slots=True)
class Words:
    """The name of a notice, and a sentence that says when it is sent."""

    label: str
    when: str


WORDS: dict[Notice, Words] = {
    Notice.ORDER_READY: Words("Order ready", "When the results of an order can be downloaded."),
    Notice.ORDER_UNDELIVERABLE: Words(
        "Order not deliverable", "When no result is usable, with the reason, and when an order is cancelled."
    ),
    Notice.ORDER_FAILED: Words("Order failed", "When processing failed, with the reason."),
    Notice.PHOTO_REVISED: Words("Sent back", "When a result you sent back is answered."),
    Notice.CLIENT_ANSWERED: Words(
        "Client answer",
        "When a client begins to comment on pictures that you shared, approves them, or asks for changes.",
    ),
    Notice.PURCHASE_PAID: Words("Receipt", "When a purchase of credits is paid, with its receipt."),
    Notice.LOW_BALANCE: Words("Low balance", "When the balance falls below the amount you enter."),
    Notice.WEBHOOK_FAILS: Words("Failing webhook", "When deliveries fail for good, or a webhook is turned off."),
    Notice.NEW_SIGN_IN: Words("New sign-in", "When a new browser signs in, or one from a new place."),
}
