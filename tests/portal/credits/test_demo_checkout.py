"""The payment page of the demo: plainly marked, there only where it is in force, and through the same services."""

import pytest
from pydantic import ValidationError
from sqlalchemy import select
from webtest import TestResponse

from app.adapters.payments_demo import DemoPayments
from app.container import Container
from app.domain.payments import Provider, PurchaseState
from app.models import Purchase
from app.settings import Settings
from tests.portal.person import Person
from tests.services.purchasing import FakePayments


@pytest.fixture
def demo(container: Container) -> DemoPayments:
    container.payments = DemoPayments(container.settings.data_dir / "demo-payments", "s" * 32)
    return container.payments


def checkout(person: Person, pack: str = "50") -> TestResponse:
    form = person.open("/credits").forms["buy-form"]
    form["pack"] = pack
    return person.send(form)


def press(person: Person, page: TestResponse, label: str) -> TestResponse:
    (form,) = (each for each in page.forms.values() if page.html.main and label == _label(each))
    return person.send(form)


def _label(form: object) -> str:
    return next((each.text.strip() for each in form.html.select("button")), "")


def purchase_of(container: Container) -> Purchase:
    with container.database.read_session() as session:
        return session.scalars(select(Purchase)).one()


def balance(page: TestResponse) -> str:
    return page.html.select_one("#balance").text.split()[-2]


def test_it_says_that_no_money_moves_before_and_on_the_page(person: Person, demo: DemoPayments) -> None:
    assert "Demo: no real money." in person.open("/credits").html.select_one("#buy-form").text
    page = checkout(person)
    assert page.html.main.select_one(".notice.warn strong").text == "Demo: no real money."
    assert page.html.h1.text == "Pay $55.00"


def test_paying_credits_at_once(person: Person, demo: DemoPayments, container: Container) -> None:
    page = press(person, checkout(person), "Pay")
    assert page.html.h1.text == "50 credits bought"
    assert balance(page) == "150"
    assert purchase_of(container).provider is Provider.DEMO


@pytest.mark.parametrize(
    ("label", "said", "credits"),
    [
        ("The money arrives", "50 credits bought", "150"),
        ("The money never arrives", "The payment did not go through", "100"),
    ],
)
def test_a_bank_that_takes_its_time(
    person: Person, demo: DemoPayments, label: str, said: str, credits: str
) -> None:
    page = press(person, checkout(person), "Pay later by bank")
    assert (page.html.h1.text, balance(page)) == ("Waiting for your bank", "100")
    page = person.open(page.html.select_one("#to-demo")["href"])
    assert page.html.h1.text == "Payment of $55.00"
    page = press(person, page, label)
    assert not page.html.select("#to-demo")
    assert (page.html.h1.text, balance(page)) == (said, credits)


def test_declining_and_canceling_keep_the_choice(person: Person, demo: DemoPayments) -> None:
    for label in ("Decline", "Cancel"):
        page = press(person, checkout(person, "200"), label)
        assert page.forms["buy-form"]["pack"].value == "200"
        assert balance(page) == "100"


def test_pressed_twice_it_credits_once(person: Person, demo: DemoPayments) -> None:
    page = checkout(person)
    for _ in range(2):
        paid = press(person, page, "Pay")
        assert balance(paid) == "150"
    declined = press(person, page, "Decline")
    assert (declined.html.h1.text, balance(declined)) == ("50 credits bought", "150")


def test_what_is_decided_has_no_payment_page_any_more(
    person: Person, demo: DemoPayments, container: Container
) -> None:
    press(person, checkout(person), "Pay")
    assert person.open(f"/credits/purchases/{purchase_of(container).id}/demo").html.h1.text == "50 credits bought"


def test_where_another_provider_takes_the_money_it_is_not_there(
    person: Person, demo: DemoPayments, container: Container
) -> None:
    checkout(person)
    purchase = purchase_of(container)
    for payments in (FakePayments(), None):
        container.payments = payments
        container.__dict__.pop("payment_service", None)
        person.open(f"/credits/purchases/{purchase.id}/demo", 404)
        for deed in ("pay", "later", "decline", "cancel"):
            person.post(f"/credits/purchases/{purchase.id}/demo/{deed}", 404)
    assert purchase_of(container).state is PurchaseState.OPEN


def test_a_purchase_of_another_provider_has_no_demo_page(person: Person, container: Container) -> None:
    container.payments = FakePayments()
    form = person.open("/credits").forms["buy-form"]
    form.submit()
    container.payments = DemoPayments(container.settings.data_dir / "demo-payments", "s" * 32)
    container.__dict__.pop("payment_service", None)
    person.open(f"/credits/purchases/{purchase_of(container).id}/demo", 404)


KEYS = {"stripe_secret_key": "sk_test_1", "stripe_webhook_secret": "whsec_1"}


def test_demo_payments_cannot_be_switched_on_beside_a_key() -> None:
    with pytest.raises(ValidationError, match="beside STRIPE_SECRET_KEY"):
        Settings(**KEYS, demo_payments=True)


@pytest.mark.parametrize(
    ("given", "provider"),
    [
        ({}, Provider.DEMO),
        ({"demo_payments": False}, None),
        (KEYS, Provider.STRIPE),
        ({**KEYS, "demo_payments": False}, Provider.STRIPE),
        ({"redis_url": "redis://localhost/0"}, None),
        ({"redis_url": "redis://localhost/0", "demo_payments": True}, Provider.DEMO),
    ],
)
def test_the_settings_say_who_takes_the_money(tmp_path, given: dict, provider: Provider | None) -> None:
    here = Container(Settings(data_dir=tmp_path, **given))
    assert (here.payments.provider if here.payments else None) is provider
    assert (here.payment_service is None) == (provider is None)
