"""A year of buying and using credits, and purchases in every state."""

from datetime import timedelta
from decimal import Decimal

from app.domain.ledger import LedgerKind
from app.domain.payments import Dispute, Provider, PurchaseState
from app.models import Purchase
from app.services.billing import credits
from app.services.billing.credits import Movement
from tests import ledgers
from tests.browser.world import Who, World

MONTHS = ("14.5", "22", "9.5", "0", "31", "38.5", "27", "42.5", "36", "51.5", "47")
"""What the orders of the months before this one cost."""
EACH = Decimal("9.5")
MONTH = timedelta(days=30.4)


def regular(world: World) -> None:
    """A customer for a year, who has 500 credits today."""
    today = world.clock.now
    world.clock.now = today - MONTH * len(MONTHS)
    world.person(Who.CUSTOMER, "0")
    account_id = world.people[Who.CUSTOMER].account_id
    for number, used in enumerate(MONTHS):
        with world.container.database.unit_of_work() as session:
            if number in (0, 4, 8):
                ledgers.paid(session, account_id, "200", 200_00, world.clock())
            world.clock.pass_(hours=3)
            for place, amount in enumerate(_parts(Decimal(used))):
                address = f"{20 + place} Harbor Road, Portland, ME 04101"
                movement = Movement(amount, LedgerKind.ORDER, f"order {number}.{place}", f"Order: {address}")
                credits.debit(session, account_id, movement, world.clock())
        world.clock.now += MONTH - timedelta(hours=3)
    world.clock.now = today
    with world.container.database.unit_of_work() as session:
        missing = 500 - credits.balance(session, account_id)
        credits.adjust(session, account_id, missing, "For your patience on 18 November", today)


def seed(world: World) -> None:
    """Purchases in every state, with their pages as links."""
    account_id = world.people[Who.CUSTOMER].account_id
    with world.container.database.unit_of_work() as session:
        made: dict[str, Purchase] = {}
        for name, amount, cents in (("refunded", "50", 55_00), ("disputed", "10", 12_00), ("whole", "50", 55_00)):
            world.clock.pass_(minutes=5)
            made[name] = ledgers.paid(session, account_id, amount, cents, world.clock())
        world.clock.pass_(minutes=5)
        made["demo"] = ledgers.paid(session, account_id, "10", 12_00, world.clock(), provider=Provider.DEMO)
        ledgers.taken_back(session, made["refunded"], "25", 27_50, world.clock())
        made["disputed"].dispute = Dispute.OPEN
        for state in (PurchaseState.FAILED, PurchaseState.EXPIRED, PurchaseState.AWAITED):
            world.clock.pass_(minutes=5)
            ledgers.begun(session, account_id, "7.5", 9_00, world.clock(), state=state)
    for name, purchase in made.items():
        world.links[f"receipt {name}"] = f"/credits/purchases/{purchase.id}/receipt"


def _parts(used: Decimal) -> list[Decimal]:
    """So many credits as several orders."""
    whole, rest = divmod(used, EACH)
    return [EACH] * int(whole) + ([rest] if rest else [])
