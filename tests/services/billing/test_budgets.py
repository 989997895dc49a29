"""Budgets of keys: exact for orders at once, by month, with refunds, one for keys that replace each other."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import update

from app.container import Container
from app.domain.budget_errors import BudgetRequired, PriceTooHigh
from app.domain.budgets import Payer, next_month
from app.domain.errors import InvalidRequest
from app.domain.keys import parse_budget
from app.models import KeyMonth, LedgerLine
from app.services import audit
from app.services.billing import budgets
from app.services.security import api_keys
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock


@pytest.fixture
def key_id(api: Api, container: Container) -> str:
    with container.database.read_session() as session:
        return api_keys.paginate(session, api.account_id).rows[0].id


def limit(container: Container, api: Api, key_id: str, budget: str | None) -> None:
    with container.database.unit_of_work() as session:
        amount = None if budget is None else Decimal(budget)
        api_keys.set_budget(session, api.account_id, key_id, amount, container.clock())


def create_other(container: Container, api: Api) -> str:
    """The secret of another key of the account."""
    with container.database.unit_of_work() as session:
        return api_keys.create(session, api.account_id, container.clock())[1]


def told(api: Api) -> Any:
    return api.get("/user/credits").json.get("budget")


def ordered(api: Api) -> dict[str, Any]:
    """An order of 0.5 credits, uploaded and not placed yet."""
    return {**order_body(), **api.upload(interior=[PHOTO])}


def mismatches(container: Container) -> list[str]:
    with container.database.read_session() as session:
        return list(audit.ledger_mismatches(session))


def test_an_order_over_the_budget_is_refused_and_costs_nothing(api: Api, container: Container, key_id: str) -> None:
    assert told(api) is None
    api.order(interior=[PHOTO])
    # What was spent before the budget was set counts.
    limit(container, api, key_id, "0.75")
    body = ordered(api)
    refused = api.post("/orders/from-uploads", body)
    assert (refused.status_code, refused.json["code"]) == (403, "budget_exceeded")
    resets = "2026-12-01T00:00:00.000Z"
    amounts = {"required": 0.5, "budget": 0.75, "spent": 0.5, "left": 0.25, "resetsAt": resets}
    assert refused.json["details"] == amounts
    assert told(api) == {"credits": 0.75, "spent": 0.5, "left": 0.25, "resetsAt": resets}
    assert api.credits() == 99.5
    limit(container, api, key_id, "1")
    assert api.post("/orders/from-uploads", body).status_code == 200
    # Placed already: the same job again, without a charge.
    assert api.post("/orders/from-uploads", body).status_code == 200
    assert told(api)["left"] == 0
    assert mismatches(container) == []


def test_orders_at_once_never_exceed_a_budget_together(api: Api, container: Container, key_id: str) -> None:
    limit(container, api, key_id, "1.5")
    bodies = [ordered(api) for _ in range(8)]

    def place(body: dict[str, Any]) -> int:
        own = Api(api.client.application.test_client(), api.account_id, api.secret)
        return own.post("/orders/from-uploads", body).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(place, bodies))
    assert statuses == [200] * 3 + [403] * 5
    assert told(api)["spent"] == 1.5
    assert api.credits() == 98.5
    assert mismatches(container) == []


def test_what_is_refunded_may_be_spent_again_and_counts_for_the_month_of_its_order(
    api: Api, container: Container, key_id: str, clock: FakeClock
) -> None:
    limit(container, api, key_id, "0.5")
    job_id = api.order(interior=[PHOTO])["jobId"]
    assert told(api)["left"] == 0
    api.post(f"/jobs/{job_id}/cancel")
    assert told(api)["spent"] == 0
    later = api.order(interior=[PHOTO])["jobId"]
    clock.now = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)
    assert told(api) == {"credits": 0.5, "spent": 0, "left": 0.5, "resetsAt": "2027-01-01T00:00:00.000Z"}
    api.post(f"/jobs/{later}/cancel")
    assert told(api)["spent"] == 0
    api.order(interior=[PHOTO])
    assert told(api)["left"] == 0
    assert mismatches(container) == []


def test_a_key_and_the_one_that_replaces_it_spend_one_budget(api: Api, container: Container, key_id: str) -> None:
    limit(container, api, key_id, "1")
    api.order(interior=[PHOTO])
    with container.database.unit_of_work() as session:
        day = timedelta(days=1)
        made, second = api_keys.rotate(session, api.account_id, key_id, day, "form 1", container.clock())
        _, third = api_keys.rotate(session, api.account_id, made.id, day, "form 2", container.clock())
    again = Api(api.client, api.account_id, third)
    assert told(again)["left"] == 0.5
    again.order(interior=[PHOTO])
    for secret in (api.secret, second, third):
        refused = Api(api.client, api.account_id, secret).post("/orders/from-uploads", ordered(again))
        assert refused.json["code"] == "budget_exceeded"
    # They also have one: neither goes on with the budget of before.
    limit(container, api, key_id, "1.5")
    limit(container, api, made.id, "1")
    assert [told(Api(api.client, api.account_id, each))["credits"] for each in (api.secret, second, third)] == [
        1
    ] * 3
    other = Api(api.client, api.account_id, create_other(container, api))
    assert told(other) is None
    assert mismatches(container) == []


def test_a_page_is_not_limited_by_a_key_and_an_agent_needs_its_budget(
    api: Api, container: Container, key_id: str
) -> None:
    now = container.clock()
    with container.database.unit_of_work() as session:
        budgets.spend(session, Payer(api.account_id), Decimal(50), now)
        with pytest.raises(BudgetRequired):
            budgets.spend(session, Payer(api.account_id, key_id, for_agent=True), Decimal(1), now)
        limit_of_one = Payer(api.account_id, key_id, for_agent=True, most_credits=Decimal(1))
        api_keys.set_budget(session, api.account_id, key_id, Decimal(9), now)
        with pytest.raises(PriceTooHigh):
            budgets.spend(session, limit_of_one, Decimal("1.01"), now)
        budgets.spend(session, limit_of_one, Decimal(1), now)
        session.rollback()


def test_the_check_finds_spending_that_no_job_explains(api: Api, container: Container, key_id: str) -> None:
    api.order(interior=[PHOTO])
    work(container)
    assert mismatches(container) == []
    with container.database.unit_of_work() as session:
        session.execute(update(KeyMonth).values(spent=Decimal(3)))
    assert mismatches(container) == [f"key {key_id}: 3 spent in 2026-11, its jobs say 0.5"]
    with container.database.unit_of_work() as session:
        session.execute(update(KeyMonth).values(spent=Decimal("0.5")))
        assert session.query(LedgerLine).filter_by(job_id=None).count() == 1


@pytest.mark.parametrize(
    "typed", ["", "-1", "1e9", "0.001", "abc", "NaN", "Infinity", "1000000.01", "1,000", "1.000"]
)
def test_what_is_no_budget_is_refused(typed: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_budget(typed)


def test_months_end_in_utc() -> None:
    assert next_month(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)
    assert parse_budget(" 12,5 ") == Decimal("12.5")
