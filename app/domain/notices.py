"""The mails that people can switch off, and how each is called."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

MAX_LOW_BALANCE = Decimal(1_000_000)
"""Credits: the highest balance that an account may want to hear of."""


class Notice(StrEnum):
    """A kind of mail that tells of something. What keeps the account safe, such as a changed password, is none."""

    ORDER_READY = "order_ready"
    ORDER_UNDELIVERABLE = "order_undeliverable"
    ORDER_FAILED = "order_failed"
    PHOTO_REVISED = "photo_revised"
    CLIENT_ANSWERED = "client_answered"
    PURCHASE_PAID = "purchase_paid"
    LOW_BALANCE = "low_balance"
    WEBHOOK_FAILS = "webhook_fails"
    NEW_SIGN_IN = "new_sign_in"


@dataclass(frozen=True, slots=True)
class Words:
    """What a notice is called, and when it comes."""

    label: str
    when: str


WORDS: dict[Notice, Words] = {
    Notice.ORDER_READY: Words("Order ready", "When the results of an order can be downloaded."),
    Notice.ORDER_UNDELIVERABLE: Words("Order not deliverable", "When no result is usable, with the reason."),
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
