"""How pages say why credits moved."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.ledger import LedgerKind


@dataclass(frozen=True, slots=True)
class KindWords:
    """What one line of a kind is called, and all of them together."""

    one: str
    all: str


KINDS: Mapping[LedgerKind, KindWords] = {
    LedgerKind.PURCHASE: KindWords("Purchase", "Purchases"),
    LedgerKind.ORDER: KindWords("Order", "Orders"),
    LedgerKind.REFUND: KindWords("Refund", "Refunds"),
    LedgerKind.ADJUSTMENT: KindWords("Adjustment", "Adjustments"),
    LedgerKind.REVERSAL: KindWords("Returned payment", "Returned payments"),
}
"""In the order in which they are offered."""
