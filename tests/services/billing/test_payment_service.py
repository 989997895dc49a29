"""Buying: one form is one purchase and one payment page, whatever is pressed, lost or out of order on the way."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain import limits
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.payments import InvalidSignatureError, Payment, PaymentsUnavailableError, Provider, PurchaseState
from app.models import Purchase
from app.services.billing import purchases
from tests import reading
from tests.fakes import FakeClock
from tests.services.drafting import begin as begin_draft
from tests.services.purchasing import Shop, opened

OPEN, PAID, EXPIRED = PurchaseState.OPEN, PurchaseState.PAID, PurchaseState.EXPIRED


def count(shop: Shop) -> int:
    return reading.count(shop.container, Purchase)


def test_a_purchase_has_its_price_and_its_payment_page(shop: Shop) -> None:
    purchase = shop.buy("50")
    assert (purchase.credits, purchase.price_cents, purchase.currency) == (50, 5500, "usd")
    assert (purchase.state, purchase.provider) == (OPEN, Provider.STRIPE)
    assert purchase.checkout_url == f"https://checkout.example/cs_{purchase.id}"
    (basket,) = shop.payments.baskets
    assert (basket.email, basket.paid_url) == ("jo@example.com", f"http://localhost/paid/{purchase.id}")


@pytest.mark.parametrize("amount", ["0", "-5", "0.3", "7.25", "5000.5", "NaN", "Infinity", "1e400"])
def test_an_amount_that_is_not_on_sale_is_refused_and_nothing_is_begun(shop: Shop, amount: str) -> None:
    with pytest.raises(InvalidRequest, match="Correct the fields"):
        shop.buy(amount)
    assert (count(shop), shop.payments.calls) == (0, [])


def test_a_form_sent_twice_is_one_purchase(shop: Shop) -> None:
    first, second = shop.buy(), shop.buy()
    assert (first.id, first.checkout_url) == (second.id, second.checkout_url)
    assert shop.payments.calls == ["begin"]


def test_a_form_sent_many_times_at_once_is_one_purchase_and_one_page(shop: Shop) -> None:
    with ThreadPoolExecutor(6) as pool:
        bought = list(pool.map(lambda _: shop.buy(), range(6)))
    assert len({each.id for each in bought}) == len({each.checkout_url for each in bought}) == count(shop) == 1
    assert len(shop.payments.books) == 1


def test_a_form_that_came_back_with_another_amount_is_another_purchase(shop: Shop) -> None:
    first, second = shop.buy("50"), shop.buy("7.5")
    assert (first.id != second.id, second.credits) == (True, Decimal("7.5"))


def test_the_same_form_of_somebody_else_is_their_own_purchase(shop: Shop) -> None:
    other = opened(shop.container, "kim@example.com")
    assert shop.buy().id != other.buy().id


def test_two_purchases_at_once_are_two_and_both_are_credited(shop: Shop) -> None:
    with ThreadPoolExecutor(2) as pool:
        bought = list(pool.map(lambda form: shop.buy("10", form), ("form-1", "form-2")))
        list(pool.map(lambda each: shop.tell(shop.paid(each)), bought))
    assert shop.balance() == 20
    assert [each.number for each in shop.receipts()] == [1, 2]


def test_a_provider_that_is_away_loses_nothing(shop: Shop) -> None:
    shop.payments.away = True
    with pytest.raises(PaymentsUnavailableError):
        shop.buy()
    shop.payments.away = False
    purchase = shop.buy()
    assert (count(shop), purchase.checkout_url is not None) == (1, True)


def test_a_crash_between_the_row_and_the_page_is_harmless(shop: Shop) -> None:
    def die() -> None:
        raise SystemExit

    shop.payments.before = die
    with pytest.raises(SystemExit):
        shop.buy()
    shop.payments.before = lambda: None
    assert shop.buy().checkout_url
    assert count(shop) == 1


def test_a_crash_before_the_page_was_noted_is_harmless(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purchases, "attach", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            shop.buy()
    (session_id,) = shop.payments.books
    # Whoever crashed had the page already, and it is paid: the message is enough.
    purchase_id = shop.payments.books[session_id].purchase_id
    shop.payment_service.receive(*shop.payments.act(session_id, PAID))
    assert shop.balance() == 50
    assert shop.buy().id == purchase_id


def test_a_report_that_names_no_payment_is_about_no_purchase(shop: Shop, container: Container) -> None:
    assert shop.buy().payment_id is None
    with container.database.read_session() as session:
        assert purchases.find_reported(session, Provider.STRIPE, Payment()) is None


def test_no_transaction_is_open_while_the_provider_is_asked(shop: Shop) -> None:
    pool, held = shop.container.database.engine.pool, []
    shop.payments.before = lambda: held.append(pool.checkedout())
    purchase = shop.buy()
    shop.payment_service.ask(purchase.id)
    shop.tell(Payment(payment_id="pi_nobodys", refunded_cents=1))
    assert shop.payments.calls == ["begin", "look_up", "purchase_of"]
    assert held == [0, 0, 0]


def test_only_the_account_s_own_open_draft_is_come_back_to(shop: Shop, container: Container) -> None:
    other = opened(container, "kim@example.com")
    mine, theirs = (begin_draft(container, each.account_id).id for each in (shop, other))
    assert shop.buy("10", "form-1", draft_id=mine).draft_id == mine
    for number, strange in enumerate((theirs, "dft_" + "x" * 22, "' OR 1=1", "", None)):
        assert shop.buy("10", f"strange-{number}", draft_id=strange).draft_id is None


def test_too_many_unpaid_purchases_are_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_OPEN_PURCHASES", 2)
    first = shop.buy(form="form-1")
    shop.buy(form="form-2")
    with pytest.raises(Conflict):
        shop.buy(form="form-3")
    assert shop.buy(form="form-1").id == first.id


def test_another_account_s_purchase_is_not_there(shop: Shop) -> None:
    other, purchase = opened(shop.container, "kim@example.com"), shop.buy()
    with shop.container.database.read_session() as session:
        assert purchases.get(session, shop.account_id, purchase.id).id == purchase.id
        for account_id, purchase_id in ((other.account_id, purchase.id), (shop.account_id, "pur_" + "x" * 22)):
            with pytest.raises(NotFound):
                purchases.get(session, account_id, purchase_id)


def test_a_forged_message_changes_nothing(shop: Shop) -> None:
    purchase = shop.buy()
    body, _ = shop.payments.message(shop.paid(purchase))
    for forged in ((body, "forged"), (b"{}", "sound")):
        with pytest.raises(InvalidSignatureError):
            shop.payment_service.receive(*forged)
    assert (shop.balance(), shop.events(), shop.now(purchase).state) == (0, [], OPEN)


def test_what_does_not_concern_us_is_passed_over(shop: Shop) -> None:
    shop.tell(None)
    assert shop.events() == []


# Asking the provider, where its message is lost.


def test_a_paid_purchase_whose_message_is_lost_is_found_by_the_sweep(shop: Shop, clock: FakeClock) -> None:
    purchase = shop.buy()
    shop.paid(purchase)
    shop.container.payment_service = shop.payment_service
    clock.pass_(minutes=4)
    shop.container.sweep.ask_about_payments()
    assert shop.now(purchase).state is OPEN
    clock.pass_(minutes=1)
    shop.container.sweep.ask_about_payments()
    assert (shop.now(purchase).state, shop.balance()) == (PAID, 50)
    shop.payments.calls.clear()
    clock.pass_(days=1)
    shop.container.sweep.ask_about_payments()
    assert shop.payments.calls == []


def test_what_the_bank_takes_its_time_for_is_asked_about_less_often(shop: Shop, clock: FakeClock) -> None:
    purchase = shop.buy()
    shop.payment_service.receive(*shop.payments.act(f"cs_{purchase.id}", PurchaseState.AWAITED))
    clock.pass_(minutes=59)
    assert shop.payment_service.list_unreported() == []
    clock.pass_(minutes=1)
    assert shop.payment_service.list_unreported() == [purchase.id]


def test_a_sweep_asks_about_a_few_at_a_time_and_the_oldest_first(
    shop: Shop, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.billing.payment_service.MAX_POLLED", 2)
    bought = []
    for number in range(3):
        bought.append(shop.buy("10", f"form-{number}"))
        clock.pass_(seconds=1)
    clock.pass_(minutes=5)
    assert shop.payment_service.list_unreported() == [bought[0].id, bought[1].id]
    for each in shop.payment_service.list_unreported():
        shop.payment_service.ask(each)
    assert shop.payment_service.list_unreported() == [bought[2].id]


def test_a_provider_that_cannot_be_asked_is_asked_again_later(shop: Shop, clock: FakeClock) -> None:
    purchase = shop.buy()
    shop.paid(purchase)
    shop.payments.away = True
    clock.pass_(minutes=5)
    shop.payment_service.ask(purchase.id)
    assert (shop.now(purchase).state, shop.payment_service.list_unreported()) == (OPEN, [])
    shop.payments.away = False
    clock.pass_(minutes=5)
    shop.payment_service.ask(purchase.id)
    assert shop.balance() == 50


def test_whoever_looks_at_a_page_asks_only_now_and_then(shop: Shop, clock: FakeClock) -> None:
    purchase, gap = shop.buy(), timedelta(seconds=10)
    clock.pass_(seconds=1)
    for _ in range(5):
        shop.payment_service.ask(purchase.id, gap)
    assert shop.payments.calls == ["begin", "look_up"]
    clock.pass_(seconds=10)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: shop.payment_service.ask(purchase.id, gap), range(4)))
    assert shop.payments.calls == ["begin", "look_up", "look_up"]


def test_a_purchase_that_never_had_a_page_is_given_up(shop: Shop, clock: FakeClock) -> None:
    shop.payments.away = True
    with pytest.raises(PaymentsUnavailableError):
        shop.buy()
    purchase = reading.only(shop.container, select(Purchase))
    clock.pass_(minutes=59)
    shop.payment_service.ask(purchase.id)
    assert shop.now(purchase).state is OPEN
    clock.pass_(minutes=1)
    shop.payment_service.ask(purchase.id)
    assert shop.now(purchase).state is EXPIRED


def test_a_page_that_its_provider_does_not_know_is_over(shop: Shop) -> None:
    purchase = shop.buy()
    shop.payments.books.clear()
    shop.payment_service.ask(purchase.id)
    assert shop.now(purchase).state is EXPIRED


def test_a_purchase_of_another_provider_is_not_asked_about(shop: Shop, clock: FakeClock) -> None:
    purchase = shop.buy()
    shop.payments.provider = Provider.DEMO
    clock.pass_(minutes=5)
    assert shop.payment_service.list_unreported() == []
    shop.payment_service.ask(purchase.id)
    assert shop.payments.calls == ["begin"]
