"""Promises to customers about prices, refunds and sending back. Pages, mail and the API's documents share these
sentences, so that all of them say the same.
"""

from decimal import Decimal

from app.domain.amounts import counted, credits_
from app.domain.retention import KEPT_MONTHS
from app.domain.revisions import MAX_ROUNDS, REVISABLE_FOR

EXTERIOR_PRICE = "Exterior, one price for all photos of the property"
"""The name of the price per property, in bills and quotes."""
EXTERIOR_REFUND = (
    "Exterior enhancements have one price for the property: you pay for those delivered on at least one photo; the "
    "rest is refunded at once."
)
PAID_FOR = (
    "Other photos of the property got what this one lacks, so it is paid for. Show us what we did not see, and we "
    "try again for free."
)
"""The sentences about an exterior photo that lacks an enhancement whose price was not refunded."""
INCLUDED = "Included in the property's price."
"""The sentence about an exterior photo, or a step of it, that was not delivered and had no separate price."""
KEEPING = f"You can keep the photos and results of a property for {KEPT_MONTHS} months."
ASK_PERSON = (
    "A reviewer looks at the photo, and has it redone if that can help. It is free: what was refunded stays "
    "refunded, and a new picture is added to your results."
)
"""The sentence about a photo without a usable result, in an order with other photos."""
SEND_BACK_WINDOW = (
    f"A result can be sent back as long as it is kept, at most {REVISABLE_FOR.days} days, and up to {MAX_ROUNDS} "
    "times."
)


def describe_outcome(finished: int, total: int, refunded: Decimal, cancelled: int = 0) -> str:
    """Describe the outcome of a decided order, such as `1 of 6 photos finished, 3 cancelled, 2 could not be done, 5
    credits refunded`.
    """
    parts = [f"{counted(total, 'photo')} finished"]
    if finished < total:
        failed = total - finished - cancelled
        parts = [f"{finished} of {counted(total, 'photo')} finished"]
        parts += [f"{cancelled} cancelled"] if cancelled else []
        parts += [f"{failed} could not be done"] if failed else []
    return ", ".join([*parts, *([f"{credits_(refunded)} refunded"] if refunded else [])])
