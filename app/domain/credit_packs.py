"""The prices of credits: the packs on offer, and the price of any amount."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CURRENCY = "usd"
STEP = Decimal("0.5")
"""Credits are sold in multiples of a half, so that exactly the missing credits for an order can be bought."""
MIN_CREDITS, MAX_CREDITS = STEP, Decimal(5000)
"""The fewest and the most credits that can be bought at once."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An amount of credits and its price in cents."""

    credits: Decimal
    price_cents: int

    @property
    def cents_each(self) -> Decimal:
        """The price of one credit in cents, to the hundredth of a cent."""
        return (self.price_cents / self.credits).quantize(Decimal("0.01"), ROUND_HALF_UP)


PACKS = (
    Offer(Decimal(10), 12_00),
    Offer(Decimal(50), 55_00),
    Offer(Decimal(200), 200_00),
    Offer(Decimal(1000), 900_00),
)
"""The packs from small to large; each pack has a lower price per credit than the previous one."""


def is_on_sale(amount: Decimal) -> bool:
    """Whether this amount of credits can be bought."""
    return amount.is_finite() and MIN_CREDITS <= amount <= MAX_CREDITS and amount % STEP == 0


def offer(amount: Decimal) -> Offer:
    """The price of an amount that is is_on_sale().

    The price of one credit is that of the largest pack up to the amount, or of the first pack for smaller amounts.
    The total is never more than the price of a larger pack.
    """
    pack = ([pack for pack in PACKS if pack.credits <= amount] or [PACKS[0]])[-1]
    rate = pack.price_cents / pack.credits
    price = int((rate * amount).to_integral_value(ROUND_HALF_UP))
    return Offer(amount, min([price, *(pack.price_cents for pack in PACKS if pack.credits >= amount)]))
