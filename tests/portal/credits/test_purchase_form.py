"""The form that buys credits: packs, any amount, what is wrong, and where it may lead."""

from decimal import Decimal

import pytest

from app.container import Container
from app.domain.payments import PurchaseState
from tests.portal.credits.buying import act, begun, buy_form, draft_of, heading, page_of, purchases_of, sent
from tests.portal.person import Person
from tests.services.purchasing import FakePayments

FAILED = PurchaseState.FAILED


def test_a_pack_is_bought_and_leads_straight_to_the_payment_page(
    person: Person, payments: FakePayments, container: Container
) -> None:
    answer = sent(person, pack="200")
    (purchase,) = purchases_of(container)
    assert answer.location == purchase.checkout_url == f"https://checkout.example/cs_{purchase.id}"
    assert (purchase.credits, purchase.price_cents) == (200, 20000)
    assert payments.baskets[0].paid_url == f"http://localhost/credits/purchases/{purchase.id}?returned=1"


@pytest.mark.parametrize(
    ("typed", "credits"), [("7.5", "7.5"), (" 7.5 ", "7.5"), ("1,000", "1000"), ("5000", "5000"), ("0.50", "0.5")]
)
def test_any_amount_in_halves_is_bought(
    person: Person, payments: FakePayments, container: Container, typed: str, credits: str
) -> None:
    assert begun(person, container, pack="other", credits=typed).credits == Decimal(credits)


def test_the_number_alone_is_enough(person: Person, payments: FakePayments, container: Container) -> None:
    token = buy_form(person)["csrf_token"].value
    answer = person.web.post("/credits/purchases", {"credits": "7.5", "csrf_token": token})
    assert answer.location == purchases_of(container)[0].checkout_url


def test_a_wrong_amount_comes_back_with_what_was_typed(
    person: Person, payments: FakePayments, container: Container, subtests: pytest.Subtests
) -> None:
    draft_id = draft_of(container, person)
    for typed in ("", "0", "-5", "7.3", "7,5", "abc", "5001", "9" * 400, "1e3", "\u0667", "<b>7</b>", "NaN"):
        with subtests.test(typed=typed):
            form = buy_form(person, f"?draft={draft_id}")
            form["pack"], form["credits"] = "other", typed
            page = person.send(form, status=422)
            assert page.html.title.text.startswith("Error: ")
            again = page.forms["buy-form"]
            assert (again["pack"].value, again["credits"].value) == ("other", typed[:20])
            assert (again["draft"].value, again["form_token"].value) == (draft_id, form["form_token"].value)
            assert page.html.select_one("#credits-error").text.endswith("in halves: 7.5 for example.")
            assert page.html.select_one('.summary a[href="#credits"]')
            assert (purchases_of(container), payments.calls) == ([], [])
    again["credits"] = "7.5"
    assert again.submit().location == purchases_of(container)[0].checkout_url


def test_a_pack_that_is_none_is_refused(person: Person, payments: FakePayments) -> None:
    sent(person, status=422, pack="<script>")


def test_a_double_press_is_one_purchase(person: Person, payments: FakePayments, container: Container) -> None:
    form = buy_form(person)
    assert form.submit().location == form.submit().location
    assert len(purchases_of(container)) == 1


def test_a_page_loaded_again_can_buy_the_same_once_more(
    person: Person, payments: FakePayments, container: Container
) -> None:
    assert begun(person, container).id != begun(person, container).id


def test_a_provider_that_is_away_says_so_and_keeps_the_choice(
    person: Person, payments: FakePayments, container: Container
) -> None:
    payments.away = True
    form = buy_form(person)
    form["pack"] = "200"
    page = person.send(form, status=503)
    assert "cannot be opened at the moment" in page.html.select_one(".summary").text
    again = page.forms["buy-form"]
    assert (again["pack"].value, again["form_token"].value) == ("200", form["form_token"].value)
    payments.away = False
    assert again.submit().location == purchases_of(container)[0].checkout_url
    assert len(purchases_of(container)) == 1


def test_what_is_missing_for_an_order_is_chosen_already(person: Person, payments: FakePayments) -> None:
    for asked, pack, credits in (
        ("7.5", "other", "7.5"),
        ("7.3", "other", "7.5"),
        ("50", "50", ""),
        ("9.9", "10", ""),
    ):
        form = buy_form(person, f"?credits={asked}")
        assert (form["pack"].value, form["credits"].value) == (pack, credits)
    text = person.open("/credits?credits=7.5").html.select_one('label[for="pack-other"]').text
    assert "$9.00" in text


@pytest.mark.parametrize("strange", ["abc", "-1", "<script>alert(1)</script>", "9" * 50, "%00", "1e999"])
def test_a_strange_address_of_the_form_breaks_nothing(person: Person, payments: FakePayments, strange: str) -> None:
    form = buy_form(person, f"?credits={strange}&draft={strange}")
    assert form["pack"].value == "other"


def test_without_a_provider_nothing_is_sold(person: Person) -> None:
    page = person.open("/credits")
    assert "buy-form" not in page.forms
    person.post("/credits/purchases", 404, credits="10")


# The policy of the pages: a form is redirected to the payment page's origin, and nowhere else.


def test_only_pages_with_the_form_let_it_lead_to_the_payment_page(
    person: Person, payments: FakePayments, container: Container
) -> None:
    purchase = begun(person, container)
    with_form = person.open("/credits").headers["Content-Security-Policy"]
    assert "form-action 'self' https://checkout.example;" in with_form
    act(container, purchase, FAILED)
    assert "https://checkout.example" in page_of(person, purchase).headers["Content-Security-Policy"]
    for path in ("/orders", "/account", "/readyz"):
        assert "form-action 'self';" in person.web.get(path, expect_errors=True).headers["Content-Security-Policy"]


def test_a_payment_page_elsewhere_is_reached_by_a_link(person: Person, payments: FakePayments) -> None:
    payments.pages = "https://pay.another.example"
    page = person.send(buy_form(person))
    assert heading(page) == "Not paid yet"
    assert page.html.select_one("#to-payment")["href"].startswith("https://pay.another.example/cs_")
