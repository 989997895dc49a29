"""The contract of payments, held by Stripe's way and by the demo's: what is begun can be paid, and is told of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest

from app.adapters.payments_demo import DemoPayments
from app.adapters.payments_stripe import StripePayments
from app.domain.ids import Prefix, new_id
from app.domain.payments import CheckoutRequest, InvalidSignatureError, PaymentRefusedError, Payments, PurchaseState
from tests import stripe_server
from tests.stripe_answers import KEY, SECRET, signed

Message = tuple[bytes, str]


@dataclass
class Way:
    """A provider, and what buyers and banks do there: each gives the signed message of it."""

    payments: Payments
    pay: Callable[[str], Message]
    pay_later: Callable[[str], Message]
    arrive: Callable[[str], Message]
    bounce: Callable[[str], Message]


@pytest.fixture(params=["stripe", "demo"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    if request.param == "demo":
        demo = DemoPayments(tmp_path / "books", "s" * 32)
        states = (PurchaseState.PAID, PurchaseState.AWAITED, PurchaseState.PAID, PurchaseState.FAILED)
        yield Way(demo, *(lambda session_id, to=to: demo.act(session_id, to) for to in states))
        return
    with stripe_server.running() as server:
        deeds = (server.pay, server.pay_later, server.arrive, server.bounce)
        stripe = StripePayments(KEY, SECRET, server.url, server.origin)
        yield Way(stripe, *(lambda session_id, do=do: signed(do(session_id)) for do in deeds))


@pytest.fixture
def basket() -> CheckoutRequest:
    return CheckoutRequest(
        purchase_id=new_id(Prefix.PURCHASE),
        account_id="acc_1",
        credits=Decimal("7.5"),
        price_cents=900,
        currency="usd",
        email="jo@example.com",
        paid_url="http://localhost/paid",
        back_url="http://localhost/back",
    )


def test_what_is_begun_is_open_and_knows_its_purchase(way: Way, basket: CheckoutRequest) -> None:
    checkout = way.payments.begin(basket)
    told = way.payments.look_up(checkout.session_id)
    assert (told.state, told.purchase_id, told.account_id) == (PurchaseState.OPEN, basket.purchase_id, "acc_1")
    assert (told.amount_cents, told.currency, told.session_id) == (900, "usd", checkout.session_id)
    assert basket.purchase_id in checkout.url or checkout.session_id in checkout.url


def test_begun_again_it_is_the_same(way: Way, basket: CheckoutRequest) -> None:
    assert way.payments.begin(basket) == way.payments.begin(basket)


def test_another_purchase_is_another(way: Way, basket: CheckoutRequest) -> None:
    other = replace(basket, purchase_id=new_id(Prefix.PURCHASE))
    assert way.payments.begin(basket) != way.payments.begin(other)


def test_what_is_paid_is_told_and_can_be_looked_up(way: Way, basket: CheckoutRequest) -> None:
    session_id = way.payments.begin(basket).session_id
    news = way.payments.read(*way.pay(session_id))
    assert news.payment == way.payments.look_up(session_id)
    assert news.payment.state is PurchaseState.PAID
    assert news.payment.payment_id
    assert way.payments.purchase_of(news.payment.payment_id) == basket.purchase_id


@pytest.mark.parametrize(("deed", "state"), [("arrive", PurchaseState.PAID), ("bounce", PurchaseState.FAILED)])
def test_a_bank_may_take_its_time(way: Way, basket: CheckoutRequest, deed: str, state: PurchaseState) -> None:
    session_id = way.payments.begin(basket).session_id
    first = way.payments.read(*way.pay_later(session_id))
    assert first.payment.state is way.payments.look_up(session_id).state is PurchaseState.AWAITED
    then = way.payments.read(*getattr(way, deed)(session_id))
    assert then.payment.state is way.payments.look_up(session_id).state is state
    assert first.id != then.id


def test_a_message_sent_twice_is_the_same_message(way: Way, basket: CheckoutRequest) -> None:
    message = way.pay(way.payments.begin(basket).session_id)
    assert way.payments.read(*message) == way.payments.read(*message)


def test_a_message_that_was_changed_or_not_signed_is_refused(way: Way, basket: CheckoutRequest) -> None:
    body, signature = way.pay(way.payments.begin(basket).session_id)
    for forged in (
        (body.replace(b"900", b"9"), signature),
        (body, signature[:-1] + "x"),
        (body, ""),
        (b"", signature),
    ):
        with pytest.raises(InvalidSignatureError):
            way.payments.read(*forged)


def test_what_is_closed_nobody_can_pay(way: Way, basket: CheckoutRequest) -> None:
    session_id = way.payments.begin(basket).session_id
    way.payments.close(session_id)
    assert way.payments.look_up(session_id).state is PurchaseState.EXPIRED


def test_closing_what_is_paid_changes_nothing(way: Way, basket: CheckoutRequest) -> None:
    session_id = way.payments.begin(basket).session_id
    way.pay(session_id)
    way.payments.close(session_id)
    assert way.payments.look_up(session_id).state is PurchaseState.PAID


@pytest.mark.parametrize("session_id", ["cs_nobodys", "demo_pur_" + "x" * 22])
def test_an_unknown_payment_page_is_refused(way: Way, session_id: str) -> None:
    with pytest.raises(PaymentRefusedError):
        way.payments.look_up(session_id)


def test_a_payment_of_somebody_else_is_no_purchase_of_ours(way: Way) -> None:
    assert way.payments.purchase_of("pi_nobodys") is None
