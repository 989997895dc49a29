"""Ledgers of many thousand lines: every page of them costs what a page of a short one does."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.ledger import LedgerKind
from app.services.billing import ledger_pages, usage
from app.services.billing.ledger_pages import PAGE, LedgerFilter
from app.services.pagination import Cursor
from tests import ledgers, plans
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.statements import counted

MANY = 26_000
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=20)
"""So MANY lines last almost a year."""
DAY, MONTH = date(2025, 7, 1), timedelta(days=30)
MOST_EFFORT = 20_000
"""Steps or rows: a page costs some thousands, all lines some hundred thousand steps or MANY rows."""
NEWEST, KIND, MOMENT = "account_newest", "account_kind", "account_moment"
FILTERS = {
    "all": (LedgerFilter(), {NEWEST}),
    "a kind": (LedgerFilter(LedgerKind.REFUND), {KIND}),
    "a kind without lines": (LedgerFilter(LedgerKind.REVERSAL), {KIND}),
    "a month": (LedgerFilter(since=DAY, until=DAY + MONTH), {NEWEST, MOMENT}),
    "the first day": (LedgerFilter(until=BEGIN.date()), {NEWEST, MOMENT}),
    "half a year": (LedgerFilter(since=DAY), {NEWEST, MOMENT}),
    "a kind in a month": (LedgerFilter(LedgerKind.ORDER, DAY, DAY + MONTH), {KIND, MOMENT}),
    "a kind without lines on a day": (LedgerFilter(LedgerKind.REVERSAL, DAY, DAY), {KIND, MOMENT}),
    "days to come": (LedgerFilter(since=date(2030, 1, 1)), {NEWEST, MOMENT}),
    "days long gone": (LedgerFilter(until=date(2001, 1, 1)), {NEWEST, MOMENT}),
}


@pytest.fixture
def clock() -> FakeClock:
    """The time at which the ledgers begin."""
    clock = FakeClock()
    clock.now = BEGIN - timedelta(days=1)
    return clock


@pytest.fixture
def job_id(container: Container, api: Api, other_api: Api) -> str:
    """An order at the beginning of a ledger of MANY lines, with another's as long."""
    placed = api.order([PHOTO])["jobId"]
    with container.database.unit_of_work() as session:
        ledgers.fill(session, other_api.account_id, MANY // 4, BEGIN, STEP * 4)
        ledgers.fill(session, api.account_id, MANY, BEGIN, STEP)
        if session.get_bind().dialect.name == "postgresql":
            session.connection().exec_driver_sql("ANALYZE")
    return placed


def fits(session: Session, plan: str, indexes: set[str]) -> bool:
    """Whether the plan goes along these indexes; PostgreSQL, which counts rows before, along any it likes."""
    if session.get_bind().dialect.name == "sqlite":
        return all(f"ix_ledger_line_{index}" in plan for index in indexes) and not plans.SORTS.search(plan)
    return "Seq Scan on ledger_line" not in plan


def test_every_page_of_a_long_ledger_is_read_along_its_indexes_and_has_what_it_should(
    container: Container, api: Api, other_api: Api, job_id: str, subtests: pytest.Subtests
) -> None:
    with subtests.test("read along its indexes"):
        assert_read_along_indexes(container, (api.account_id, other_api.account_id), job_id)
    with subtests.test("what it should have"):
        assert_pages_have_what_they_should(container, api.account_id, job_id)


def assert_read_along_indexes(container: Container, account_ids: tuple[str, str], job_id: str) -> None:
    filters = {**FILTERS, "an order": (LedgerFilter(job_id=job_id), {"job_id"})}
    with container.database.read_session() as session:
        for account_id in account_ids:
            july = ledger_pages.paginate(session, account_id, LedgerFilter(until=DAY + MONTH / 2))
            place = july.rows[0].line_id
            for name, (wanted, indexes) in filters.items():
                for at in (None, Cursor(place), Cursor(place, newer=True)):
                    act = partial(ledger_pages.paginate, session, account_id, wanted, at)
                    plan = plans.plan(session, act)
                    assert fits(session, plan, indexes), f"{name} at {at}\n{plan}"
                    assert plans.effort(session, act) < MOST_EFFORT, f"{name} at {at}\n{plan}"
                    assert counted(act) <= 3, name


def assert_pages_have_what_they_should(container: Container, account_id: str, job_id: str) -> None:
    with container.database.read_session() as session:
        found = {name: ledger_pages.paginate(session, account_id, wanted) for name, (wanted, _) in FILTERS.items()}
        of_job = ledger_pages.paginate(session, account_id, LedgerFilter(job_id=job_id))
    empty = {name for name, page in found.items() if not page.rows}
    assert empty == {"a kind without lines", "a kind without lines on a day", "days to come", "days long gone"}
    assert {len(page.rows) for name, page in found.items() if name not in empty} == {PAGE}
    assert [row.job_id for row in of_job.rows] == [job_id]
    assert {row.created_at.date() for row in found["a month"].rows} == {DAY + MONTH}
    assert {row.created_at.date() for row in found["the first day"].rows} == {BEGIN.date()}
    assert {row.kind for row in found["a kind in a month"].rows} == {LedgerKind.ORDER}
    july = LedgerFilter(since=DAY, until=DAY + MONTH)
    assert sum(map(len, ledger_pages.read_batches(container.database, account_id, july))) == 31 * 24 * 3


def test_usage_is_read_from_the_months_alone(container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session:
        ledgers.fill(session, api.account_id, MANY // 20, BEGIN, STEP * 20)
    with container.database.read_session() as session:
        act = partial(usage.sum_by_month, session, api.account_id, BEGIN + STEP * MANY)
        plan = plans.plan(session, act)
        assert "ledger_line" not in plan
        assert counted(act) == 1
        assert all(month.used for month in act())
