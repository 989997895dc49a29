"""Purchases as their buyer sees them afterwards, and their receipts."""

from collections.abc import Callable

import pytest

from app.container import Container
from app.domain.errors import NotFound
from app.domain.ids import Prefix, new_id
from app.domain.payments import MAX_TIME_UNDER_WAY, PurchaseState
from app.models import Purchase
from app.services.billing import receipts
from app.services.billing.receipts import MAX_UNDECIDED, PAGE, PaidPurchase
from tests import ledgers
from tests.conftest import Api
from tests.fakes import FakeClock
from tests.statements import counted

Buy = Callable[..., Purchase]


@pytest.fixture
def buy(container: Container, api: Api, clock: FakeClock) -> Buy:
    """buy(credits, cents, **fields) -> a paid purchase; begun(…) with state=… -> one that is not."""

    def make(amount: str = "10", cents: int = 1200, **fields: object) -> Purchase:
        clock.pass_(minutes=1)
        kind = ledgers.begun if "state" in fields else ledgers.paid
        with container.database.unit_of_work() as session:
            return kind(session, api.account_id, amount, cents, clock(), **fields)

    return make


def read(container: Container, account_id: str, purchase_id: str) -> PaidPurchase:
    with container.database.read_session() as session:
        return receipts.get(session, account_id, purchase_id)


def test_a_paid_purchase_has_its_receipt(container: Container, api: Api, buy: Buy) -> None:
    found = read(container, api.account_id, buy("50", 5500).id)
    assert found.receipt.buyer_name == "Jo Agent"
    assert (found.kept_cents, found.paid_at) == (5500, found.receipt.issued_at)


def test_what_was_returned_is_not_kept(container: Container, api: Api, buy: Buy, clock: FakeClock) -> None:
    purchase = buy("10", 1200)
    with container.database.unit_of_work() as session:
        ledgers.taken_back(session, session.get_one(Purchase, purchase.id), "5", 600, clock())
    assert read(container, api.account_id, purchase.id).kept_cents == 600


@pytest.mark.parametrize("state", [each for each in PurchaseState if each is not PurchaseState.PAID])
def test_what_is_not_paid_has_no_receipt(container: Container, api: Api, buy: Buy, state: PurchaseState) -> None:
    purchase = buy(state=state)
    with pytest.raises(NotFound):
        read(container, api.account_id, purchase.id)


def test_nobody_sees_a_receipt_of_another_account(container: Container, other_api: Api, api: Api, buy: Buy) -> None:
    purchase = buy()
    for account_id, purchase_id in ((other_api.account_id, purchase.id), (api.account_id, new_id(Prefix.PURCHASE))):
        with pytest.raises(NotFound):
            read(container, account_id, purchase_id)
    with container.database.read_session() as session:
        assert receipts.paginate(session, other_api.account_id).rows == []
        assert receipts.list_undecided(session, other_api.account_id, container.clock()) == []
        with pytest.raises(NotFound):
            receipts.paginate(session, other_api.account_id, purchase.id)


@pytest.mark.parametrize("purchase_id", ["", "x", "\x00", "pur_", "pur_'; --"])
def test_what_is_no_id_has_no_receipt(container: Container, api: Api, purchase_id: str) -> None:
    with pytest.raises(NotFound):
        read(container, api.account_id, purchase_id)


def test_purchases_are_listed_newest_first_page_by_page(container: Container, api: Api, buy: Buy) -> None:
    made = [buy().id for _ in range(PAGE - 2)] + [buy(state=PurchaseState.EXPIRED).id for _ in range(4)]
    with container.database.read_session() as session:
        first = receipts.paginate(session, api.account_id)
        assert first.next is not None
        rest = receipts.paginate(session, api.account_id, first.next)
        assert counted(lambda: receipts.paginate(session, api.account_id, first.next)) == 2
    rows = [*first.rows, *rest.rows]
    assert [row.purchase.id for row in rows] == made[::-1]
    assert (len(first.rows), rest.next) == (PAGE, None)
    assert [row.number is None for row in rows] == [True] * 4 + [False] * (PAGE - 2)


def test_purchases_under_way_are_named_for_some_time(
    container: Container, api: Api, buy: Buy, clock: FakeClock
) -> None:
    awaited, opened = buy(state=PurchaseState.AWAITED), buy(state=PurchaseState.OPEN)
    for state in (PurchaseState.FAILED, PurchaseState.EXPIRED):
        buy(state=state)
    buy()

    def named() -> list[str]:
        with container.database.read_session() as session:
            return [each.id for each in receipts.list_undecided(session, api.account_id, clock())]

    assert named() == [opened.id, awaited.id]
    clock.pass_(days=MAX_TIME_UNDER_WAY.days)
    assert named() == []
    newest = [buy(state=PurchaseState.AWAITED).id for _ in range(MAX_UNDECIDED + 1)]
    assert named() == newest[:0:-1]
