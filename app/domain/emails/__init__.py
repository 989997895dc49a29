"""All mails that the service writes: a function for each, in modules by subject."""

from app.domain.emails.credits import low_balance, receipt
from app.domain.emails.engines import stable_engine_announced, stable_engine_removed, stable_engine_withdrawn
from app.domain.emails.orders import (
    AskedPhoto,
    DecidedCounts,
    client_answered,
    client_commented,
    order_cancelled,
    order_cancelled_partly,
    order_failed,
    order_ready,
    order_undeliverable,
    photo_revised,
)
from app.domain.emails.people import (
    account_deleted,
    address_changing,
    choose_password,
    confirm_address,
    has_account,
    invitation,
    member_removed,
    new_address,
    new_address_taken,
    new_sign_in,
    password_changed,
    recovery_code_used,
    two_factor,
)
from app.domain.emails.webhooks import webhook_fails, webhook_off
from app.domain.emails.writing import quote

__all__ = [
    "AskedPhoto",
    "DecidedCounts",
    "account_deleted",
    "address_changing",
    "choose_password",
    "client_answered",
    "client_commented",
    "confirm_address",
    "has_account",
    "invitation",
    "low_balance",
    "member_removed",
    "new_address",
    "new_address_taken",
    "new_sign_in",
    "order_cancelled",
    "order_cancelled_partly",
    "order_failed",
    "order_ready",
    "order_undeliverable",
    "password_changed",
    "photo_revised",
    "quote",
    "receipt",
    "recovery_code_used",
    "stable_engine_announced",
    "stable_engine_removed",
    "stable_engine_withdrawn",
    "two_factor",
    "webhook_fails",
    "webhook_off",
]
