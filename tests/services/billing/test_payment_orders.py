"""Messages in any order, any number of times and at once come to the same end."""

import itertools
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.payments import Dispute, Payment, PurchaseState, credits_to_deduct
from app.models import Purchase
from app.services.billing import credits
from tests.services.purchasing import Shop, opened

PRICE = 5500


@dataclass(frozen=True)
class End:
    """What everything came to."""

    state: PurchaseState
    balance: Decimal
    taken: Decimal
    owed: Decimal
    refunded_cents: int
    dispute: Dispute | None
    receipts: int
    problem: str | None


def end(shop: Shop, purchase: Purchase) -> End:
    """The end of this purchase alone."""
    now = shop.now(purchase)
    mine = [each for each in shop.receipts() if each.purchase_id == purchase.id]
    facts = (now.credits_taken, now.credits_owed, now.refunded_cents, now.dispute)
    return End(now.state, shop.balance(), *facts, len(mine), now.problem)


Told = Callable[[Shop, Purchase], Payment]


def paid(shop: Shop, purchase: Purchase) -> Payment:
    return shop.paid(purchase)


def stands(state: PurchaseState) -> Told:
    return lambda shop, purchase: shop.paid(purchase, state=state)


def refund(cents: int) -> Told:
    return lambda _, purchase: Payment(payment_id=f"pi_{purchase.id}", refunded_cents=cents)


def dispute(outcome: Dispute, cents: int = PRICE) -> Told:
    return lambda _, purchase: Payment(payment_id=f"pi_{purchase.id}", dispute=outcome, disputed_cents=cents)


OPENED = dispute(Dispute.OPEN)
AWAITED, EXPIRED = stands(PurchaseState.AWAITED), stands(PurchaseState.EXPIRED)
STORIES = {
    "refunded": [paid, refund(1000), refund(2750), paid],
    "refunded in full": [AWAITED, paid, refund(PRICE), refund(100)],
    "dispute lost": [paid, dispute(Dispute.OPEN), dispute(Dispute.LOST), paid],
    "dispute won": [paid, OPENED, dispute(Dispute.WON), OPENED],
    "won on appeal": [paid, dispute(Dispute.OPEN), dispute(Dispute.LOST), dispute(Dispute.WON)],
    "refunded in part, disputed, won": [paid, refund(1100), dispute(Dispute.OPEN), dispute(Dispute.WON)],
    "refunded in part, disputed, lost": [EXPIRED, paid, refund(1100), dispute(Dispute.LOST, 1100)],
    "late": [EXPIRED, AWAITED, stands(PurchaseState.FAILED), paid],
}


@pytest.mark.long
@pytest.mark.parametrize("story", STORIES)
def test_every_order_of_the_messages_comes_to_the_same_end(story: str, container: Container) -> None:
    ends = {}
    for number, order in enumerate(dict.fromkeys(itertools.permutations(STORIES[story]))):
        shop = opened(container, f"buyer{number}@example.com")
        purchase = shop.buy("50")
        shop.paid(purchase)  # the provider knows, whatever it tells first
        for place, told in enumerate(order):
            payment = told(shop, purchase)
            for _ in range(2 if place == number % len(order) else 1):  # one of them is told twice
                shop.tell(payment, f"evt_{number}_{place}")
        ends[end(shop, purchase)] = order
    assert len(ends) == 1, ends


def test_webhook_return_page_and_sweep_at_the_same_time_credit_once(container: Container) -> None:
    shop = opened(container)
    bought = [shop.buy("10", f"form-{number}") for number in range(4)]
    deeds: list[Callable[[], None]] = []
    for purchase in bought:
        payment = shop.paid(purchase)
        deeds += [lambda payment=payment: shop.tell(payment, f"evt_{payment.purchase_id}") for _ in range(2)]
        deeds += [lambda payment=payment: shop.tell(payment)]
        deeds += [lambda purchase=purchase: shop.payment_service.ask(purchase.id) for _ in range(2)]
    random.Random(7).shuffle(deeds)
    with ThreadPoolExecutor(8) as pool:
        outcomes = [pool.submit(deed) for deed in deeds]
    assert [each.exception() for each in outcomes] == [None] * len(deeds)
    assert shop.balance() == 40
    assert sorted(each.number for each in shop.receipts()) == [1, 2, 3, 4]
    assert len(shop.lines()) == 4


def test_refunds_and_spending_at_the_same_time_never_go_below_zero(container: Container) -> None:
    shop = opened(container)
    purchase = shop.buy("50")
    shop.tell(shop.paid(purchase))

    def spend(_: int) -> None:
        try:
            shop.spend("7.5")
        except Exception as error:
            assert type(error).__name__ == "InsufficientCredits"

    with ThreadPoolExecutor(8) as pool:
        spent = [pool.submit(spend, number) for number in range(6)]
        told = [pool.submit(shop.tell, refund(cents)(shop, purchase)) for cents in (500, 2000, PRICE)]
    assert [each.exception() for each in (*spent, *told)] == [None] * 9
    now = shop.now(purchase)
    assert (shop.balance(), now.credits_taken + now.credits_owed) == (0, 50)


POINTS = ["credits.credit", "purchases.issue_receipt", "notices.report_purchase_paid"]


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_at_any_point_of_the_settlement_leaves_all_or_nothing(
    container: Container, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opened(container)
    purchase = shop.buy("50")
    message = shop.payments.message(shop.paid(purchase))

    def die(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(f"app.services.billing.payment_settlement.{point}", die)
        with pytest.raises(SystemExit):
            shop.payment_service.receive(*message)
    assert (shop.balance(), shop.events(), shop.receipts(), shop.lines()) == (0, [], [], [])
    shop.payment_service.receive(*message)
    assert (shop.balance(), len(shop.receipts())) == (50, 1)


def test_a_crash_while_credits_are_taken_back_leaves_all_or_nothing(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opened(container)
    purchase = shop.buy("50")
    shop.tell(shop.paid(purchase))
    message = shop.payments.message(refund(PRICE)(shop, purchase))
    debit = credits.debit

    def debit_and_die(session: Session, *rest: object) -> None:
        debit(session, *rest)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(credits, "debit", debit_and_die)
        with pytest.raises(SystemExit):
            shop.payment_service.receive(*message)
    assert (shop.balance(), shop.now(purchase).refunded_cents) == (50, 0)
    shop.payment_service.receive(*message)
    assert (shop.balance(), shop.now(purchase).credits_taken) == (0, 50)


halves = st.integers(1, 10_000).map(lambda number: Decimal(number) / 2)


@given(credits=halves, price=st.integers(1, 10_000_00), cents=st.lists(st.integers(0, 12_000_00), max_size=6))
def test_a_share_never_takes_more_than_its_money_and_all_of_it_takes_all(
    credits: Decimal, price: int, cents: list[int]
) -> None:
    for each in cents:
        back = credits_to_deduct(credits, each, price)
        exact = credits * min(each, price) / price
        assert 0 <= exact - back < Decimal("0.01")
        assert back == round(back, 2)
    assert credits_to_deduct(credits, price, price) == credits
    assert credits_to_deduct(credits, 0, price) == 0
