"""What staff forgave of spent credits stays forgiven, whatever is told of the payment afterwards."""

from decimal import Decimal

import pytest

from app.domain.payments import Dispute, Payment
from app.models import Purchase
from app.services.billing import credits, purchase_list
from tests.services.purchasing import Shop, refunded


@pytest.fixture
def forgiven(shop: Shop) -> Purchase:
    """50 credits, of which 45 were spent before half of the money went back; what was owed is forgiven."""
    purchase = shop.buy("50")
    shop.tell(shop.paid(purchase))
    shop.spend("45")
    shop.tell(refunded(purchase, 2750))
    assert (shop.now(purchase).credits_taken, shop.now(purchase).credits_owed) == (5, 20)
    with shop.container.database.unit_of_work() as session:
        purchase_list.resolve(session, purchase.id)
        credits.adjust(session, shop.account_id, Decimal(100), "Later", shop.container.clock())
    return purchase


def test_the_same_refund_told_again_takes_nothing(shop: Shop, forgiven: Purchase) -> None:
    shop.tell(refunded(forgiven, 2750))
    assert (shop.balance(), shop.now(forgiven).credits_owed) == (100, 0)


def test_a_further_refund_takes_its_own_share_alone(shop: Shop, forgiven: Purchase) -> None:
    shop.tell(refunded(forgiven, 5500))
    assert (shop.balance(), shop.now(forgiven).credits_owed) == (75, 0)


def test_a_dispute_that_is_won_gives_back_what_was_taken_and_no_more(shop: Shop) -> None:
    purchase = shop.buy("50")
    shop.tell(shop.paid(purchase))
    shop.spend("45")
    about = {"purchase_id": purchase.id, "payment_id": f"pi_{purchase.id}", "disputed_cents": 5500}
    shop.tell(Payment(**about, dispute=Dispute.OPEN))
    with shop.container.database.unit_of_work() as session:
        purchase_list.resolve(session, purchase.id)
    shop.tell(Payment(**about, dispute=Dispute.WON))
    assert (shop.balance(), shop.now(purchase).credits_taken) == (5, 0)
