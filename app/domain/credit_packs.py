"""What credits cost: the packs on offer, and the price of any amount."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CURRENCY = "usd"
STEP = Decimal("0.5")
"""Credits are sold in halves: what is missing for an order can be bought exactly."""
FEWEST, MOST = STEP, Decimal(5000)


@dataclass(frozen=True, slots=True)
class Offer:
    """So many credits for so many cents."""

    credits: Decimal
    price_cents: int

    @property
    def cents_each(self) -> Decimal:
        """What one credit comes to, to the hundredth of a cent."""
        return (self.price_cents / self.credits).quantize(Decimal("0.01"), ROUND_HALF_UP)


PACKS = (
    Offer(Decimal(10), 12_00),
    Offer(Decimal(50), 55_00),
    Offer(Decimal(200), 200_00),
    Offer(Decimal(1000), 900_00),
)
"""From small to large, each credit cheaper than in the pack before."""


def on_sale(amount: Decimal) -> bool:
    """Whether so many credits can be bought."""
    return amount.is_finite() and FEWEST <= amount <= MOST and amount % STEP == 0


def offer(amount: Decimal) -> Offer:
    """The price of an amount that is on sale: a credit costs what it does in the largest pack that is filled, or in
    the first, and all together never more than a larger pack.
    """
    filled = [pack for pack in PACKS if pack.credits <= amount] or [PACKS[0]]
    rate = filled[-1].price_cents / filled[-1].credits
    price = int((rate * amount).to_integral_value(ROUND_HALF_UP))
    return Offer(amount, min([price, *(pack.price_cents for pack in PACKS if pack.credits >= amount)]))
