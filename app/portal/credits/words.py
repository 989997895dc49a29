"""Texts for kinds of ledger lines, and for states of purchases."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.amounts import credits_
from app.domain.ledger import LedgerKind
from app.domain.payments import Dispute, PurchaseState
from app.models import Purchase
from app.portal.words import Word


@dataclass(frozen=True, slots=True)
class KindWords:
    """The name of a kind of ledger line: singular, and plural for all lines of the kind."""

    one: str
    all: str


LEDGER_KINDS: Mapping[LedgerKind, KindWords] = {
    LedgerKind.PURCHASE: KindWords("Purchase", "Purchases"),
    LedgerKind.ORDER: KindWords("Order", "Orders"),
    LedgerKind.REFUND: KindWords("Refund", "Refunds"),
    LedgerKind.ADJUSTMENT: KindWords("Adjustment", "Adjustments"),
    LedgerKind.REVERSAL: KindWords("Returned payment", "Returned payments"),
}
"""The kinds in the order in which pages offer them."""


PURCHASE_WORDS: Mapping[PurchaseState, Word] = {
    PurchaseState.OPEN: Word("Not paid yet", "warn", "Pay on the payment provider's page."),
    PurchaseState.AWAITED: Word("Waiting for the bank", "busy", "The bank approved it. The money is on its way."),
    PurchaseState.PAID: Word("Paid", "good", "The credits were added to your balance."),
    PurchaseState.FAILED: Word("Not paid", "bad", "The payment did not go through. Nothing was charged."),
    PurchaseState.EXPIRED: Word("Expired", "quiet", "It was not paid in time. Nothing was charged."),
}
_BEING_CHECKED = Word("Being checked", "warn", "We need to check this payment.")


@dataclass(frozen=True, slots=True)
class ReturnWords:
    """Words for a purchase that was refunded or disputed: its label, and what happened to its money and credits."""

    label: str
    tone: str
    money: str
    credits: str

    def describe(self, purchase: Purchase) -> Word:
        """Describe what happened to the money and the credits, and how many spent credits the account owes."""
        credits = self.credits
        if purchase.credits_owed:
            taken = f"We took back {credits_(purchase.credits_taken)}. " if purchase.credits_taken else ""
            owed = f"You owe us {credits_(purchase.credits_owed)}, which you had already spent."
            credits = f"{taken}{owed} We will check it and write to you."
        return Word(self.label, self.tone, f"{self.money} {credits}")


_DISPUTED = ReturnWords(
    "Disputed", "bad", "The bank was asked for the money back.", "The credits are held until it decides."
)
_CHARGED_BACK = ReturnWords(
    "Charged back", "bad", "The bank took the money back.", "The credits were taken back, too."
)
_REFUNDED = ReturnWords("Refunded", "quiet", "The money was refunded.", "The credits were taken back, too.")
_PARTLY_REFUNDED = ReturnWords(
    "Partly refunded", "quiet", "Part of the money was refunded.", "The same share of the credits was taken back."
)


def describe_purchase(purchase: Purchase) -> Word:
    """Describe the state of a purchase, with what happened after it was paid."""
    if purchase.problem:
        return _BEING_CHECKED
    if purchase.state is not PurchaseState.PAID:
        return PURCHASE_WORDS[purchase.state]
    return_words = find_return(purchase)
    return return_words.describe(purchase) if return_words is not None else PURCHASE_WORDS[purchase.state]


def find_return(purchase: Purchase) -> ReturnWords | None:
    """Find the words for the purchase's dispute or refund; None if there is neither."""
    disputed = (
        {Dispute.OPEN: _DISPUTED, Dispute.LOST: _CHARGED_BACK}.get(purchase.dispute) if purchase.dispute else None
    )
    if disputed is not None:
        return disputed
    return find_refund(purchase)


def find_refund(purchase: Purchase) -> ReturnWords | None:
    """Find the words for a full or partial refund; None if nothing was refunded."""
    if not purchase.refunded_cents:
        return None
    return _REFUNDED if purchase.refunded_cents >= purchase.price_cents else _PARTLY_REFUNDED
