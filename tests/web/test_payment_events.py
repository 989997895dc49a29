"""The entry point that payment events come through: public, and open to nothing but what the provider signed."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.adapters.payments_demo import DemoPayments
from app.adapters.payments_stripe import StripePayments
from app.container import Container
from app.domain.payments import PurchaseState
from app.web.payment_events import MAX_BYTES
from tests import stripe_server
from tests.services.purchasing import Shop, opened
from tests.stripe_answers import KEY, SECRET, fails, signature_of, signed
from tests.stripe_server import StripeServer

PATH = "/payments/stripe"


@pytest.fixture
def server() -> Iterator[StripeServer]:
    with stripe_server.running() as server:
        yield server


@pytest.fixture
def shop(container: Container, server: StripeServer, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0.01)
    shop = opened(container)
    container.payments = shop.payments = StripePayments(KEY, SECRET, server.url, server.origin)
    return shop


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def post(client: FlaskClient, body: bytes, signature: str | None) -> TestResponse:
    headers = {} if signature is None else {"Stripe-Signature": signature}
    answer = client.post(PATH, data=body, headers=headers, content_type="application/json")
    assert answer.mimetype == "application/json"
    return answer


def test_a_paid_session_is_credited_and_acknowledged(shop: Shop, client: FlaskClient, server: StripeServer) -> None:
    purchase = shop.buy("50")
    for _ in range(2):
        answer = post(client, *signed(server.pay(purchase.session_id)))
        assert (answer.status_code, answer.json) == (200, {"received": True})
    assert (shop.now(purchase).state, shop.balance()) == (PurchaseState.PAID, 50)


def test_the_whole_life_of_a_payment(shop: Shop, client: FlaskClient, server: StripeServer) -> None:
    purchase = shop.buy("50")
    session_id = purchase.session_id
    steps = [
        (lambda: server.pay_later(session_id), PurchaseState.AWAITED, 0),
        (lambda: server.arrive(session_id), PurchaseState.PAID, 50),
        (lambda: server.dispute(session_id, "warning_needs_response", "created"), PurchaseState.PAID, 50),
        (lambda: server.dispute(session_id, "needs_response", "created"), PurchaseState.PAID, 0),
        (lambda: server.dispute(session_id, "won", "closed"), PurchaseState.PAID, 50),
        (lambda: server.refund(session_id, 1100), PurchaseState.PAID, 40),
        (lambda: server.refund(session_id, 4400), PurchaseState.PAID, 0),
    ]
    for deed, state, balance in steps:
        assert post(client, *signed(deed())).status_code == 200
        assert (shop.now(purchase).state, shop.balance()) == (state, balance)


def test_a_dispute_that_comes_first_is_found_by_asking(
    shop: Shop, client: FlaskClient, server: StripeServer
) -> None:
    purchase = shop.buy("50")
    paid = server.pay(purchase.session_id)
    dispute = server.dispute(purchase.session_id, "needs_response", "created")
    server.troubles = [fails(500), fails(500)]
    # It cannot be told yet what it is about: the provider sends it again.
    assert post(client, *signed(dispute)).status_code == 500
    for event in (dispute, paid, dispute):
        assert post(client, *signed(event)).status_code == 200
    assert (shop.balance(), shop.now(purchase).credits_taken) == (0, 50)


def test_forged_messages_are_refused(shop: Shop, client: FlaskClient, server: StripeServer) -> None:
    purchase = shop.buy("50")
    body, signature = signed(server.pay(purchase.session_id))
    old, other = signed(server.events[-1], age_seconds=400), signed(server.events[-1], secret="whsec_x")
    for forged in ((body, None), (body, ""), (body, "t=1,v1=x"), (body + b" ", signature), old, other):
        answer = post(client, *forged)
        assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
    assert (shop.balance(), shop.events()) == (0, [])


def test_unknown_events_are_acknowledged_and_leave_no_trace(shop: Shop, client: FlaskClient) -> None:
    event = {"id": "evt_1", "object": "event", "type": "customer.created", "data": {"object": {"id": "cus_1"}}}
    assert post(client, *signed(event)).status_code == 200
    assert shop.events() == []


def test_what_is_too_large_is_refused_before_it_is_read(shop: Shop, client: FlaskClient) -> None:
    body = b" " * (MAX_BYTES + 1)
    assert post(client, body, signature_of(body)).status_code == 413
    assert post(client, body[:-1], signature_of(body[:-1])).status_code == 400
    announced = client.post(PATH, data=b"{}", environ_overrides={"CONTENT_LENGTH": str(MAX_BYTES + 1)})
    assert announced.status_code == 413


def test_a_fault_of_ours_is_a_500_so_that_it_is_sent_again(
    shop: Shop, client: FlaskClient, server: StripeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    purchase = shop.buy("50")
    message = signed(server.pay(purchase.session_id))
    with monkeypatch.context() as patch:
        patch.setattr("app.services.billing.payment_settlement.credits.credit", lambda *_: 1 / 0)
        answer = post(client, *message)
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert post(client, *message).status_code == 200
    assert shop.balance() == 50


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_nothing_but_a_post_comes_in(client: FlaskClient, shop: Shop, method: str) -> None:
    answer = getattr(client, method)(PATH)
    assert (answer.status_code, answer.mimetype) == (405, "application/json")


def test_the_door_is_not_there_without_stripe(client: FlaskClient, container: Container) -> None:
    assert post(client, b"{}", signature_of(b"{}")).status_code == 404
    demo = DemoPayments(container.settings.data_dir / "books", "s" * 32)
    container.__dict__.pop("payment_service", None)
    container.payments = demo
    shop = opened(container)
    container.payments = shop.payments = demo
    purchase = shop.buy("50")
    message = demo.act(purchase.session_id, PurchaseState.PAID)
    assert post(client, *message).status_code == 404
    assert shop.balance() == 0
