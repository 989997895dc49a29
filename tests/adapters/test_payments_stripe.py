"""Stripe: what is sent to it, what comes of its errors, and what its events mean."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from threading import Thread

import pytest

from app.adapters import payments_stripe
from app.adapters.payments_stripe import StripePayments
from app.domain.ids import Prefix, new_id
from app.domain.payments import (
    CheckoutRequest,
    Dispute,
    InvalidSignatureError,
    Payment,
    PaymentRefusedError,
    PaymentsUnavailableError,
    PurchaseState,
)
from tests import stripe_server
from tests.stripe_answers import KEY, SECRET, fails, hangs, raw, signature_of, signed
from tests.stripe_server import StripeServer

PURCHASE = new_id(Prefix.PURCHASE)
BASKET = CheckoutRequest(
    purchase_id=PURCHASE,
    account_id="acc_1",
    credits=Decimal(50),
    price_cents=5500,
    currency="usd",
    email="jo@example.com",
    paid_url="http://localhost/paid?returned=1",
    back_url="http://localhost/back",
)


@pytest.fixture
def server() -> Iterator[StripeServer]:
    with stripe_server.running() as server:
        yield server


@pytest.fixture
def stripe(server: StripeServer, monkeypatch: pytest.MonkeyPatch) -> StripePayments:
    monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0.01)  # between two tries
    return StripePayments(KEY, SECRET, server.url, f"{server.origin}/c/pay")


def test_a_session_is_asked_for_with_all_that_belongs_to_it(server: StripeServer, stripe: StripePayments) -> None:
    checkout = stripe.begin(BASKET)
    (seen,) = server.seen
    assert (seen.method, seen.path, seen.idempotency_key) == ("POST", "/v1/checkout/sessions", PURCHASE)
    assert seen.fields == {
        "mode": "payment",
        "client_reference_id": PURCHASE,
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": "5500",
        "line_items[0][price_data][product_data][name]": "50 Brightlist credits",
        "metadata[purchase_id]": PURCHASE,
        "metadata[account_id]": "acc_1",
        "payment_intent_data[metadata][purchase_id]": PURCHASE,
        "payment_intent_data[metadata][account_id]": "acc_1",
        "customer_email": "jo@example.com",
        "success_url": BASKET.paid_url,
        "cancel_url": BASKET.back_url,
        "adaptive_pricing[enabled]": "false",
    }
    assert checkout.url == f"{stripe.origin}/c/pay/{checkout.session_id}"


@pytest.mark.parametrize("trouble", [fails(500), fails(429), fails(503), raw(b"<html>"), raw(b'{"id": ')])
def test_a_provider_out_of_order_is_asked_twice_and_then_it_is_unavailable(
    server: StripeServer, stripe: StripePayments, trouble: stripe_server.Trouble
) -> None:
    server.troubles = [trouble, trouble]
    with pytest.raises(PaymentsUnavailableError):
        stripe.begin(BASKET)
    assert len(server.seen) <= 2
    server.troubles.clear()
    assert stripe.begin(BASKET).session_id in server.sessions


def test_one_failure_is_not_noticed(server: StripeServer, stripe: StripePayments) -> None:
    server.troubles = [fails(500)]
    assert stripe.begin(BASKET).session_id in server.sessions
    assert {each.idempotency_key for each in server.seen} == {PURCHASE}


def test_a_provider_that_does_not_answer_is_given_up(server: StripeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payments_stripe, "READ_SECONDS", 0.05)
    monkeypatch.setattr(payments_stripe, "DEADLINE_SECONDS", 0.3)
    stripe = StripePayments(KEY, SECRET, server.url, server.origin)
    server.troubles = [hangs(), hangs()]
    with pytest.raises(PaymentsUnavailableError):
        stripe.look_up("cs_test_1")


def test_nobody_there_is_unavailable() -> None:
    stripe = StripePayments(KEY, SECRET, "http://127.0.0.1:9", "http://127.0.0.1:9")
    with pytest.raises(PaymentsUnavailableError):
        stripe.purchase_of("pi_1")


def test_a_wrong_key_is_no_fault_of_the_buyer(server: StripeServer) -> None:
    stripe = StripePayments("sk_test_wrong", SECRET, server.url, server.origin)
    with pytest.raises(PaymentsUnavailableError):
        stripe.begin(BASKET)


def test_an_amount_that_stripe_does_not_take_is_refused(stripe: StripePayments) -> None:
    with pytest.raises(PaymentRefusedError, match="at least"):
        stripe.begin(replace(BASKET, price_cents=10))


def test_another_purchase_under_the_same_number_is_refused(stripe: StripePayments) -> None:
    stripe.begin(BASKET)
    with pytest.raises(PaymentRefusedError):
        stripe.begin(replace(BASKET, price_cents=100))


def test_two_that_begin_at_once_get_the_same_page(server: StripeServer, stripe: StripePayments) -> None:
    made: list[str] = []
    threads = [Thread(target=lambda: made.append(stripe.begin(BASKET).session_id)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    assert len({*made}) == len(server.sessions) == 1


def test_a_refund_is_told_with_all_that_went_back_so_far(server: StripeServer, stripe: StripePayments) -> None:
    session_id = stripe.begin(BASKET).session_id
    payment_id = stripe.read(*signed(server.pay(session_id))).payment.payment_id
    told = [stripe.read(*signed(server.refund(session_id, cents))).payment for cents in (1000, 500)]
    assert told == [
        Payment(purchase_id=PURCHASE, payment_id=payment_id, refunded_cents=cents) for cents in (1000, 1500)
    ]
    assert stripe.look_up(session_id).refunded_cents == 1500


DISPUTES = {
    ("needs_response", "created"): Dispute.OPEN,
    ("under_review", "updated"): Dispute.OPEN,
    ("needs_response", "funds_withdrawn"): Dispute.OPEN,
    ("appeal_under_review", "updated"): Dispute.OPEN,
    ("won", "closed"): Dispute.WON,
    ("won", "funds_reinstated"): Dispute.WON,
    ("lost", "closed"): Dispute.LOST,
}


@pytest.mark.parametrize(("status", "kind"), DISPUTES)
def test_a_dispute_is_told_by_its_payment(
    server: StripeServer, stripe: StripePayments, status: str, kind: str
) -> None:
    session_id = stripe.begin(BASKET).session_id
    payment_id = stripe.read(*signed(server.pay(session_id))).payment.payment_id
    told = stripe.read(*signed(server.dispute(session_id, status, kind, 2000))).payment
    assert told == Payment(payment_id=payment_id, dispute=DISPUTES[status, kind], disputed_cents=2000)
    assert stripe.purchase_of(payment_id) == PURCHASE


def test_a_refund_that_fails_is_for_people(stripe: StripePayments) -> None:
    refund = {"id": "re_1", "object": "refund", "payment_intent": "pi_1", "amount": 700, "status": "failed"}
    told = stripe.read(*signed(event("refund.failed", refund))).payment
    assert told.payment_id == "pi_1"
    assert "re_1 of 700 cents" in told.trouble


IGNORED = {
    "customer.created": {"id": "cus_1", "object": "customer"},
    "charge.succeeded": {"id": "ch_1", "object": "charge", "payment_intent": "pi_1"},
    "charge.refunded": {"id": "ch_1", "object": "charge", "payment_intent": None, "amount_refunded": 5},
    "refund.updated": {"id": "re_1", "object": "refund", "payment_intent": "pi_1", "status": "succeeded"},
    "charge.dispute.created": {"id": "dp_1", "payment_intent": "pi_1", "status": "warning_needs_response"},
    "charge.dispute.closed": {"id": "dp_1", "payment_intent": "pi_1", "status": "warning_closed", "amount": 1},
    "checkout.session.completed": {
        "id": "cs_1",
        "object": "checkout.session",
        "client_reference_id": "order 7 of another shop",
        "metadata": {},
        "payment_status": "paid",
    },
}


def event(kind: str, thing: stripe_server.Thing) -> stripe_server.Thing:
    return {"id": "evt_1", "object": "event", "type": kind, "data": {"object": thing}}


@pytest.mark.parametrize("kind", IGNORED)
def test_what_does_not_concern_us_is_taken_in_and_left_alone(stripe: StripePayments, kind: str) -> None:
    news = stripe.read(*signed(event(kind, IGNORED[kind])))
    assert (news.id, news.kind, news.payment) == ("evt_1", kind, None)


def test_a_session_that_expires_is_told(server: StripeServer, stripe: StripePayments) -> None:
    session_id = stripe.begin(BASKET).session_id
    told = stripe.read(*signed(server.expire(session_id))).payment
    assert (told.purchase_id, told.state) == (PURCHASE, PurchaseState.EXPIRED)


def test_a_bank_that_says_no_later_is_seen_by_looking_up(server: StripeServer, stripe: StripePayments) -> None:
    session_id = stripe.begin(BASKET).session_id
    server.pay_later(session_id)
    server.bounce(session_id)
    assert stripe.look_up(session_id).state is PurchaseState.FAILED


def test_an_old_signature_is_refused(stripe: StripePayments) -> None:
    sound = event("customer.created", IGNORED["customer.created"])
    assert stripe.read(*signed(sound, age_seconds=250)).id == "evt_1"
    with pytest.raises(InvalidSignatureError, match="tolerance"):
        stripe.read(*signed(sound, age_seconds=310))


def test_a_signature_by_another_secret_is_refused(stripe: StripePayments) -> None:
    with pytest.raises(InvalidSignatureError):
        stripe.read(*signed(event("customer.created", {}), secret="whsec_other"))


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b"null", b'"x"', b"{", b"\xff\xfe", b'{"id": "evt_1", "type": "x"}']
)
def test_a_signed_body_that_is_no_event_is_refused(stripe: StripePayments, body: bytes) -> None:
    with pytest.raises(InvalidSignatureError):
        stripe.read(body, signature_of(body))


@pytest.mark.parametrize(
    "signature", ["t=1", "v1=", "t=x,v1=y", "t=,v1=", "=,=", "t=99999999999,v1=\xe9", "\x00", ","]
)
def test_a_signature_that_is_none_is_refused(stripe: StripePayments, signature: str) -> None:
    with pytest.raises(InvalidSignatureError):
        stripe.read(b"{}", signature)


def test_nothing_of_a_secret_is_in_what_is_raised(server: StripeServer, stripe: StripePayments) -> None:
    server.troubles = [fails(401)]
    with pytest.raises(PaymentsUnavailableError) as raised:
        stripe.begin(BASKET)
    assert KEY not in json.dumps([str(raised.value), repr(raised.value.__cause__)])
