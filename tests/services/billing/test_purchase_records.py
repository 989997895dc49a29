"""What else knows of purchases: the check of the books, the account's own data, its deletion, and staff's list."""

import json
from decimal import Decimal

import pytest
from sqlalchemy import delete, select, update

from app.container import Container
from app.domain.errors import Conflict, NotFound
from app.domain.ledger import LedgerKind
from app.domain.payments import Payment, Provider, PurchaseState
from app.models import Purchase, Receipt
from app.services import audit
from app.services.billing import credits, purchase_list, purchases
from app.services.billing.credits import Movement
from app.services.billing.purchase_list import PurchaseFilter
from app.services.exports import personal_data
from app.services.pagination import Page
from app.services.retention import account_deletion
from tests import databases
from tests.acts import delete_account
from tests.fakes import FakeClock
from tests.plans import SORTS, plan
from tests.services.purchasing import Shop, opened
from tests.statements import counted


@pytest.fixture
def paid(shop: Shop) -> Purchase:
    purchase = shop.buy("50")
    shop.tell(shop.paid(purchase))
    return purchase


def mismatches(container: Container) -> str:
    with container.database.read_session() as session:
        return "\n".join(audit.find_mismatches(session, container.storage))


def change(shop: Shop, purchase: Purchase, **values: object) -> None:
    with shop.container.database.unit_of_work() as session:
        session.execute(update(Purchase).where(Purchase.id == purchase.id).values(values))


WRONG = {
    "paid without a line": {"state": PurchaseState.OPEN},
    "more than was paid for": {"credits": Decimal(40)},
    "taken without a line": {"credits_taken": Decimal(5)},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_the_check_sees_a_purchase_that_the_ledger_does_not_bear_out(
    shop: Shop, paid: Purchase, wrong: str
) -> None:
    assert mismatches(shop.container) == ""
    before = {name: getattr(shop.now(paid), name) for name in WRONG[wrong]}
    change(shop, paid, **WRONG[wrong])
    assert f"purchase {paid.id}" in mismatches(shop.container)
    change(shop, paid, **before)


def test_the_check_sees_a_purchase_that_was_credited_and_never_paid(shop: Shop) -> None:
    purchase = shop.buy("50")
    movement = Movement(Decimal(50), LedgerKind.PURCHASE, "by hand", "Bought", purchase_id=purchase.id)
    with shop.container.database.unit_of_work() as session:
        credits.credit(session, shop.account_id, [movement], shop.container.clock())
    assert "open, ledger gives 50 in 1 lines, should give 0" in mismatches(shop.container)
    shop.tell(Payment(payment_id="pi_1"))
    change(shop, purchase, state=PurchaseState.PAID)
    with shop.container.database.unit_of_work() as session:
        assert "0 receipts" in "\n".join(audit.find_mismatches(session, shop.container.storage))
        names = {"seller": "", "buyer_name": "", "buyer_email": ""}
        session.add(Receipt(number=1, purchase_id=purchase.id, issued_at=shop.container.clock(), **names))


def test_a_paid_purchase_without_its_receipt_is_seen(shop: Shop, paid: Purchase) -> None:
    with shop.container.database.unit_of_work() as session:
        receipt = session.scalars(select(Receipt)).one()
        kept = {column.key: getattr(receipt, column.key) for column in Receipt.__table__.columns}
        session.execute(delete(Receipt))
    assert f"purchase {paid.id}: paid, 0 receipts" in mismatches(shop.container)
    with shop.container.database.unit_of_work() as session:
        session.add(Receipt(**kept))


def test_the_account_s_own_data_has_its_purchases_and_receipts(shop: Shop, paid: Purchase) -> None:
    shop.container.clock.pass_(minutes=1)
    shop.buy("10", "form-2")
    opened(shop.container, "kim@example.com").buy("200")
    with shop.container.database.read_session() as session:
        document = personal_data.collect(session, shop.account_id, shop.account_id, shop.container.clock())
    first, second = json.loads(json.dumps(document))["purchases"]
    assert (first["id"], first["credits"], first["priceCents"], first["state"]) == (paid.id, 50, 5500, "paid")
    assert (first["receipt"]["number"], first["receipt"]["buyerName"]) == (1, "Jo Agent")
    assert (second["credits"], second["receipt"]) == (10, None)
    assert "checkout" not in json.dumps(document)


def test_an_account_is_not_deleted_while_a_bank_takes_its_time(shop: Shop) -> None:
    purchase = shop.buy("50")
    shop.payment_service.receive(*shop.payments.act(f"cs_{purchase.id}", PurchaseState.AWAITED))
    with shop.container.database.unit_of_work() as session:
        assert account_deletion.measure_impact(session, shop.account_id).blockers == 1
        with pytest.raises(Conflict, match="payment"):
            account_deletion.delete_account(session, shop.account_id, shop.container.clock())
    shop.tell(shop.paid(purchase, state=PurchaseState.FAILED))
    delete_account(shop.container, shop.account_id)


def test_a_deleted_account_s_receipts_stay(shop: Shop, paid: Purchase) -> None:
    delete_account(shop.container, shop.account_id)
    assert [each.buyer_email for each in shop.receipts()] == ["jo@example.com"]


def test_receipts_are_numbered_in_a_row_whatever_was_undone(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    bought = [shop.buy("10", f"form-{number}") for number in range(3)]
    shop.tell(shop.paid(bought[0]))
    with monkeypatch.context() as patch:
        patch.setattr("app.services.mail.notices.report_purchase_paid", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            shop.tell(shop.paid(bought[1]))
    shop.tell(shop.paid(bought[2]))
    shop.tell(shop.paid(bought[1]))
    assert [(each.number, each.purchase_id) for each in shop.receipts()] == [
        (1, bought[0].id),
        (2, bought[2].id),
        (3, bought[1].id),
    ]


# Staff's list.


def listed(
    container: Container, wanted: PurchaseFilter = PurchaseFilter.ALL, before: str | None = None
) -> Page[purchase_list.StaffPurchase, str]:
    with container.database.read_session() as session:
        return purchase_list.paginate(session, wanted, before)


def test_staff_see_everybody_s_purchases_newest_first_page_by_page(
    shop: Shop, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purchase_list, "PAGE", 2)
    buyers = [shop, opened(shop.container, "kim@example.com")]
    bought = []
    for number in range(5):
        bought.insert(0, buyers[number % 2].buy("10", f"form-{number}").id)
        if number % 2:
            clock.pass_(minutes=1)  # some are of the same moment
    seen, page = [], listed(shop.container)
    while True:
        seen += page.rows
        if page.next is None:
            break
        page = listed(shop.container, before=page.next)
    assert sorted(row.purchase.id for row in seen) == sorted(bought)
    times = [row.purchase.created_at for row in seen]
    assert times == sorted(times, reverse=True)
    assert {row.email for row in seen} == {"jo@example.com", "kim@example.com"}


def test_staff_see_those_that_need_somebody(shop: Shop, paid: Purchase) -> None:
    shop.spend("50")
    shop.tell(Payment(payment_id=f"pi_{paid.id}", refunded_cents=5500))
    wrong = shop.buy("10", "form-2")
    shop.tell(shop.paid(wrong, amount_cents=1))
    shop.buy("10", "form-3")
    assert {row.purchase.id for row in listed(shop.container, PurchaseFilter.ATTENTION).rows} == {paid.id, wrong.id}
    with shop.container.database.unit_of_work() as session:
        for purchase in (paid, wrong):
            purchase_list.resolve(session, purchase.id)
        for nobody in ("pur_" + "x" * 22, "x"):
            with pytest.raises(NotFound):
                purchase_list.resolve(session, nobody)


def test_the_list_costs_as_many_statements_for_one_as_for_many(shop: Shop) -> None:
    shop.buy("10", "form-0")
    few = counted(lambda: listed(shop.container))
    for number in range(20):
        opened(shop.container, f"buyer{number}@example.com").buy("10")
    assert counted(lambda: listed(shop.container)) == few
    assert len(listed(shop.container).rows) == 21


@pytest.mark.skipif(bool(databases.GIVEN), reason="a server reads so few rows at once")
def test_every_list_reads_an_index_in_its_order(shop: Shop, clock: FakeClock) -> None:
    place = shop.buy("10")
    with shop.container.database.read_session() as session:
        acts = (
            lambda: purchase_list.paginate(session, PurchaseFilter.ALL, place.id),
            lambda: purchase_list.paginate(session, PurchaseFilter.ATTENTION, place.id),
            lambda: purchases.list_undecided(session, Provider.STRIPE, clock(), 20),
        )
        plans = [plan(session, act) for act in acts]
    assert [each for each in plans if SORTS.search(each)] == []
    assert "ix_purchase_attention" in plans[1]


def test_an_unknown_place_in_the_list_begins_at_the_newest(shop: Shop, paid: Purchase) -> None:
    for strange in ("", "nonsense", "pur_" + "x" * 22, "' OR 1=1"):
        assert [row.purchase.id for row in listed(shop.container, before=strange).rows] == [paid.id]
