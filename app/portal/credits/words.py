"""How pages say why credits moved, and the state of a purchase."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.ledger import LedgerKind
from app.domain.payments import Dispute, PurchaseState
from app.models import Purchase
from app.portal.words import Word


@dataclass(frozen=True, slots=True)
class KindWords:
    """What one line of a kind is called, and all of them together."""

    one: str
    all: str


LEDGER_KINDS: Mapping[LedgerKind, KindWords] = {
    LedgerKind.PURCHASE: KindWords("Purchase", "Purchases"),
    LedgerKind.ORDER: KindWords("Order", "Orders"),
    LedgerKind.REFUND: KindWords("Refund", "Refunds"),
    LedgerKind.ADJUSTMENT: KindWords("Adjustment", "Adjustments"),
    LedgerKind.REVERSAL: KindWords("Returned payment", "Returned payments"),
}
"""In the order in which they are offered."""


PURCHASE_WORDS: Mapping[PurchaseState, Word] = {
    PurchaseState.OPEN: Word("Not paid yet", "warn", "It is paid on the page of the payment provider."),
    PurchaseState.AWAITED: Word("Waiting for the bank", "busy", "The bank has said yes, and takes its time."),
    PurchaseState.PAID: Word("Paid", "good", "The credits are on the balance."),
    PurchaseState.FAILED: Word("Not paid", "bad", "The payment did not go through. Nothing was charged."),
    PurchaseState.EXPIRED: Word("Expired", "quiet", "It was not paid in time. Nothing was charged."),
}
_LOOKED_INTO = Word("Being looked into", "warn", "Something about the payment needs one of us.")
_DISPUTED = Word(
    "Disputed", "bad", "The bank was asked for the money back. Until it decides, the credits are held."
)
_LOST = Word("Charged back", "bad", "The bank took the money back, and the credits went with it.")
_REFUNDED = Word("Refunded", "quiet", "The money went back, and the credits with it.")
_PARTLY = Word("Partly refunded", "quiet", "Part of the money went back, and as many of the credits.")


def describe_purchase(purchase: Purchase) -> Word:
    """Say its outcome, with what happened after it was paid."""
    if purchase.problem:
        return _LOOKED_INTO
    if purchase.state is not PurchaseState.PAID:
        return PURCHASE_WORDS[purchase.state]
    disputed = {Dispute.OPEN: _DISPUTED, Dispute.LOST: _LOST}.get(purchase.dispute) if purchase.dispute else None
    if disputed is not None:
        return disputed
    if purchase.refunded_cents >= purchase.price_cents:
        return _REFUNDED
    return _PARTLY if purchase.refunded_cents else PURCHASE_WORDS[purchase.state]
