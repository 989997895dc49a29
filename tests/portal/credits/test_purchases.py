"""The page of a purchase: coming back from the payment page, and whatever becomes of it."""

import re

import pytest

from app.container import Container
from app.domain.payments import Payment, PurchaseState
from app.models import Draft
from app.services.billing import credits
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.credits.buying import act, begun, draft_of, heading, page_of, purchases_of
from tests.portal.person import Person
from tests.services.purchasing import FakePayments

PAID, AWAITED, FAILED, EXPIRED = (PurchaseState(each) for each in ("paid", "awaited", "failed", "expired"))
PRICE = 5500


def test_coming_back_before_the_provider_said_anything_it_waits_and_asks_again(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    page = page_of(person, purchase)
    assert heading(page) == "Waiting for your payment to be confirmed"
    assert payments.calls == ["begin", "look_up"]
    card = page.html.select_one("#purchase")
    assert card["data-hx-trigger"] == "every 3s"
    assert page.html.select_one("#refresh")["href"].endswith("?returned=1")
    assert page.html.select_one("#to-payment")["href"] == purchase.checkout_url
    fragment = person.fragment(card["data-hx-get"])
    for _ in range(20):
        fragment = person.fragment(fragment.html.select_one("#purchase")["data-hx-get"])
    assert fragment.html.select_one("#purchase")["data-hx-trigger"] == "every 15s"


def test_polls_ask_the_provider_only_now_and_then(
    person: Person, payments: FakePayments, container: Container, clock: FakeClock
) -> None:
    purchase = begun(person, container)
    clock.pass_(seconds=1)
    for _ in range(4):
        person.fragment(f"/credits/purchases/{purchase.id}/check?state=open&returned=1")
    assert payments.calls == ["begin", "look_up"]


def test_what_was_paid_is_credited_by_coming_back_alone(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    payments.act(purchase.session_id, PAID)  # its message is lost
    page = page_of(person, purchase)
    assert heading(page) == "50 credits bought"
    assert page.html.select_one("#balance").text.strip().endswith("150 credits")
    assert not page.html.select_one("#purchase").get("data-hx-get")
    assert page.html.select_one("#receipt")["href"] == f"/credits/purchases/{purchase.id}/receipt"


def test_a_poll_that_finds_it_paid_says_so_and_stops(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    act(container, purchase, PAID)
    fragment = person.fragment(f"/credits/purchases/{purchase.id}/check?state=open&returned=1&polls=3")
    assert not fragment.html.select_one("#purchase").get("data-hx-get")
    assert "Paid." in fragment.html.select_one("#status[data-hx-swap-oob]").text
    assert "150" in fragment.html.select_one("#balance[data-hx-swap-oob]").text


def test_a_provider_that_cannot_be_asked_leaves_the_page_as_it_is(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    payments.away = True
    assert heading(page_of(person, purchase)) == "Waiting for your payment to be confirmed"


def test_a_bank_that_takes_its_time_is_told_and_waited_for(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    act(container, purchase, AWAITED)
    page = page_of(person, purchase, returned=False)
    assert heading(page) == "Waiting for your bank"
    assert page.html.select_one("#purchase")["data-hx-trigger"] == "every 15s"


@pytest.mark.parametrize(
    ("state", "said"), [(FAILED, "The payment did not go through"), (EXPIRED, "The payment page has expired")]
)
def test_what_was_not_paid_keeps_the_choice(
    person: Person, payments: FakePayments, container: Container, state: PurchaseState, said: str
) -> None:
    draft_id = draft_of(container, person)
    purchase = begun(person, container, f"?credits=7.5&draft={draft_id}")
    act(container, purchase, state)
    page = page_of(person, purchase)
    assert heading(page) == said
    form = page.forms["buy-form"]
    assert (form["pack"].value, form["credits"].value, form["draft"].value) == ("other", "7.5", draft_id)
    form.submit()
    assert len(purchases_of(container)) == 2


def test_turning_back_keeps_the_choice(person: Person, payments: FakePayments, container: Container) -> None:
    draft_id = draft_of(container, person)
    begun(person, container, f"?credits=7.5&draft={draft_id}")
    form = person.open(payments.baskets[0].back_url.removeprefix("http://localhost")).forms["buy-form"]
    assert (form["pack"].value, form["credits"].value, form["draft"].value) == ("other", "7.5", draft_id)


def test_after_paying_it_goes_on_with_the_order(
    person: Person, payments: FakePayments, container: Container
) -> None:
    draft_id = draft_of(container, person)
    purchase = begun(person, container, f"?credits=7.5&draft={draft_id}")
    act(container, purchase, PAID)
    assert page_of(person, purchase).html.select_one("#go-on")["href"] == f"/properties/{draft_id}#basket"
    with container.database.unit_of_work() as session:
        session.delete(session.get_one(Draft, draft_id))
    assert page_of(person, purchase).html.select_one("#go-on") is None


def test_what_does_not_agree_is_told_plainly_and_asked_about_no_more(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    told = payments.books[purchase.session_id]
    wrong = Payment(**{name: getattr(told, name) for name in told.__slots__} | {"state": PAID, "amount_cents": 1})
    container.payment_service.receive(*payments.message(wrong))
    page = page_of(person, purchase)
    assert heading(page) == "We are checking this payment"
    assert "Being checked" in page.text
    assert not page.html.select_one("#purchase").get("data-hx-get")
    assert not re.search(r"expected: |cs_", page.html.main.text)


def test_a_refund_is_told(person: Person, payments: FakePayments, container: Container) -> None:
    purchase = begun(person, container)
    act(container, purchase, PAID)
    for cents, label in ((1100, "Partly refunded"), (PRICE, "Refunded")):
        refund = Payment(payment_id=f"pi_{purchase.id}", refunded_cents=cents)
        container.payment_service.receive(*payments.message(refund))
        page = page_of(person, purchase)
        assert page.html.select_one("#purchase .tag").text == label
        assert heading(page) == f"Purchase {label.lower()}"


def test_credits_that_were_spent_before_a_refund_are_said_to_be_owed(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    act(container, purchase, PAID)
    with container.database.unit_of_work() as session:
        spent = credits.balance(session, person.account_id) - 5
        credits.adjust(session, person.account_id, -spent, "Spent", container.clock())
    refund = Payment(payment_id=f"pi_{purchase.id}", refunded_cents=PRICE)
    container.payment_service.receive(*payments.message(refund))
    page = page_of(person, purchase)
    assert page.html.select_one("#purchase .lead").text == (
        "The money was refunded. We took back 5 credits. You owe us 45 credits, which you had already "
        "spent. We will check it and write to you."
    )
    assert "You owe us 45 credits" in " ".join(page.html.select_one(".facts").get_text(" ").split())


def test_another_account_sees_nothing_of_it(
    person: Person, payments: FakePayments, container: Container, new_person: NewPerson
) -> None:
    purchase, other = begun(person, container), new_person("kim@example.com")
    payments.calls.clear()
    for path in ("", "/check", "/demo", "/receipt"):
        other.open(f"/credits/purchases/{purchase.id}{path}", 404)
        other.open(f"/credits/purchases/pur_{'x' * 22}{path}", 404)
        other.open(f"/credits/purchases/nonsense{path}", 404)
    for deed in ("pay", "later", "decline", "cancel"):
        other.post(f"/credits/purchases/{purchase.id}/demo/{deed}", 404)
    assert payments.calls == []


def test_a_draft_of_somebody_else_is_not_led_to(
    person: Person, payments: FakePayments, container: Container, new_person: NewPerson
) -> None:
    theirs = draft_of(container, new_person("kim@example.com"))
    purchase = begun(person, container, f"?credits=10&draft={theirs}")
    act(container, purchase, PAID)
    assert page_of(person, purchase).html.select_one("#go-on") is None
