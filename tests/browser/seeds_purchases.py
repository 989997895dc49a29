"""Purchases in every state, as the demo provider and the payment service bring them about."""

from dataclasses import replace
from decimal import Decimal

from app.adapters.payments_demo import DemoPayments
from app.domain.payments import Payment, PurchaseState
from app.models import Purchase
from app.services.billing import credits, payment_settlement
from app.services.billing.payment_service import ReturnUrls
from app.services.billing.purchases import PurchaseRequest
from app.services.orders import drafts
from tests.browser.world import Who, World

WAYS = ReturnUrls(paid=lambda purchase_id: f"/paid/{purchase_id}", back=lambda _: "/credits")
STATES = {
    "owed": PurchaseState.PAID,  # the first, so that what the others bought is still on the balance
    "open": None,
    "awaited": PurchaseState.AWAITED,
    "paid": PurchaseState.PAID,
    "failed": PurchaseState.FAILED,
    "expired": PurchaseState.EXPIRED,
    "amiss": None,
    "refunded": PurchaseState.PAID,
}


def seed(world: World) -> None:
    """Everything Cora bought or tried to."""
    account_id, here = world.people[Who.CAREFUL].account_id, world.container
    with here.database.unit_of_work() as session:
        draft_id = drafts.begin(session, account_id, here.upload_quota, world.clock()).id
    for name, state in STATES.items():
        world.clock.pass_(minutes=2)
        purchase = _begun(world, account_id, name, draft_id if name == "paid" else None)
        if state is not None:
            assert isinstance(here.payments, DemoPayments)
            here.payment_service.receive(*here.payments.act(purchase.session_id, state))
        world.links[f"purchase {name}"] = f"/credits/purchases/{purchase.id}"
        _told(world, name, purchase)


def _begun(world: World, account_id: str, name: str, draft_id: str | None) -> Purchase:
    wanted = PurchaseRequest(Decimal("7.5" if name == "failed" else "50"), f"seed {name}", draft_id)
    return world.container.payment_service.begin(account_id, wanted, WAYS)


def _told(world: World, name: str, purchase: Purchase) -> None:
    """What the provider says afterwards, or says wrong."""
    here = world.container
    wrong = replace(here.payments.look_up(purchase.session_id), state=PurchaseState.PAID, amount_cents=1)
    told = {"amiss": wrong, "refunded": Payment(refunded_cents=20_00), "owed": Payment(refunded_cents=55_00)}
    if name not in told:
        return
    with here.database.unit_of_work() as session:
        if name == "owed":
            spent = credits.balance(session, purchase.account_id) - 5
            credits.adjust(session, purchase.account_id, -spent, "Spent", world.clock())
        payment_settlement.settle(session, purchase.id, told[name], "Brightlist", world.clock())
