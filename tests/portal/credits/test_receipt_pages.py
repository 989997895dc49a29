"""The list of purchases, and the receipt as a page to print."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.domain.ids import Prefix, new_id
from app.domain.payments import Dispute, Provider, PurchaseState
from app.models import Purchase, Receipt
from app.services.billing.receipts import PAGE
from tests import ledgers, reading
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.statements import counted

EVIL = '"><script>alert(1)</script>'


def paid(container: Container, person: Person, amount: str = "50", cents: int = 5500, **fields: object) -> Purchase:
    with container.database.unit_of_work() as session:
        return ledgers.paid(session, person.account_id, amount, cents, container.clock(), **fields)


def receipt(person: Person, purchase: Purchase) -> TestResponse:
    return person.open(f"/credits/purchases/{purchase.id}/receipt")


def words(page: TestResponse) -> str:
    return " ".join(page.html.select_one(".receipt").get_text(" ").split())


def test_a_receipt_says_all_that_belongs_on_one(person: Person, container: Container) -> None:
    purchase = paid(container, person)
    number = reading.only(container, select(Receipt.number).where(Receipt.purchase_id == purchase.id))
    page = receipt(person, purchase)
    assert page.html.h1.text == f"Receipt {number}"
    facts = {each.dt.text: " ".join(each.dd.get_text(" ").split()) for each in page.html.select(".parties > div")}
    assert facts == {
        "Sold by": "Brightlist Inc. 1 Example Square Springfield, IL 62704",
        "Sold to": "Jo Agent pat@example.com",
        "Paid": "Nov 20, 2026, 12:00 UTC",
        "Issued": "Nov 20, 2026, 12:00 UTC",
        "Paid through": "Stripe",
        "Purchase": purchase.id,
    }
    for said in ("50 \u00d7 $1.10 $55.00", "No tax was added $0.00", "Paid, USD $55.00"):
        assert said in words(page)
    assert "Refunded" not in words(page)
    assert "Demo" not in words(page)


def test_a_receipt_names_the_buyer_as_they_were_called_then(person: Person, container: Container) -> None:
    purchase = paid(container, person)
    form = person.open("/account/name").forms
    rename = next(each for each in form.values() if "name" in each.fields)
    rename["name"] = "Somebody Else"
    person.send(rename)
    assert "Jo Agent" in words(receipt(person, purchase))


def test_what_was_refunded_since_is_told(person: Person, container: Container) -> None:
    purchase = paid(container, person)
    with container.database.unit_of_work() as session:
        ledgers.taken_back(session, session.get_one(Purchase, purchase.id), "25", 2750, container.clock())
    said = words(receipt(person, purchase))
    assert "Refunded 25 credits taken back \u2212$27.50" in said
    assert "Total after refund, USD $27.50" in said


@pytest.mark.parametrize(("dispute", "told"), [(Dispute.OPEN, False), (Dispute.WON, False), (Dispute.LOST, True)])
def test_what_the_bank_took_back_for_good_is_told(
    person: Person, container: Container, dispute: Dispute, told: bool
) -> None:
    purchase = paid(container, person)
    with container.database.unit_of_work() as session:
        its = session.get_one(Purchase, purchase.id)
        its.dispute, its.disputed_cents = dispute, 5500
    said = words(receipt(person, purchase))
    assert ("Charged back \u2212$55.00" in said) is told
    assert ("Total after chargeback, USD $0.00" in said) is told


def test_a_demo_is_no_receipt_of_money(person: Person, container: Container) -> None:
    assert "Demo: no real money." in words(receipt(person, paid(container, person, provider=Provider.DEMO)))


def test_whatever_the_names_are_they_are_text(new_person: NewPerson, container: Container) -> None:
    person = new_person("eve@example.com")
    purchase = paid(container, person)
    with container.database.unit_of_work() as session:
        its = session.scalars(select(Receipt).where(Receipt.purchase_id == purchase.id)).one()
        its.buyer_name = its.seller = EVIL
    page = receipt(person, purchase)
    assert "<script>alert" not in page.text
    assert words(page).count(EVIL) == 2


def test_nobody_sees_the_receipt_of_another_account_or_of_what_is_not_paid(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    kim = new_person("kim@example.com")
    theirs = paid(container, kim)
    with container.database.unit_of_work() as session:
        mine = ledgers.begun(session, person.account_id, "10", 1200, container.clock())
    for purchase_id in (theirs.id, mine.id, new_id(Prefix.PURCHASE), "x", "pur_%00", EVIL.replace("/", "")):
        assert "Not found" in person.open(f"/credits/purchases/{purchase_id}/receipt", 404).text
    assert theirs.id not in person.open("/credits/purchases").text
    assert "Not found" in person.open(f"/credits/purchases?before={theirs.id}", 404).text


def test_who_bought_nothing_is_led_to_buying(person: Person) -> None:
    page = person.open("/credits/purchases")
    assert "No purchases yet" in page.text
    assert page.html.select_one(".empty a")["href"] == "/credits#buy"


@pytest.mark.parametrize("state", [each for each in PurchaseState if each is not PurchaseState.PAID])
def test_a_purchase_without_money_has_no_receipt(
    person: Person, container: Container, state: PurchaseState
) -> None:
    with container.database.unit_of_work() as session:
        ledgers.begun(session, person.account_id, "10", 1200, container.clock(), state=state)
    (row,) = person.open("/credits/purchases").html.select("tbody tr")
    assert row.select_one('[data-label="Receipt"]').text == "None"
    assert row.select_one(".tag").text


def test_purchases_are_listed_page_by_page_in_few_queries(person: Person, container: Container) -> None:
    ids = [paid(container, person).id]
    few = counted(lambda: person.open("/credits/purchases"))
    with container.database.unit_of_work() as session:
        for number in range(PAGE):
            when = container.clock() + timedelta(minutes=number + 1)
            ids.append(ledgers.paid(session, person.account_id, "10", 1200, when).id)
    assert counted(lambda: person.open("/credits/purchases")) == few
    first = person.open("/credits/purchases")
    rest = person.open(first.html.select_one('a[rel="next"]')["href"])
    listed = [link["href"].rpartition("/")[2] for page in (first, rest) for link in page.html.select("tbody th a")]
    assert listed == ids[::-1]
    receipts = [link["href"] for link in first.html.select('[data-label="Receipt"] a')]
    assert receipts[0] == f"/credits/purchases/{ids[-1]}/receipt"
    assert len(receipts) == PAGE
    assert rest.html.select_one("#latest")["href"] == "/credits/purchases"
