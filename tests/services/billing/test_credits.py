"""Money: exact, never below zero, moved once per cause, written down for good."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError

from app.container import Container
from app.domain.errors import InsufficientCredits
from app.domain.ledger import LedgerKind
from app.models import LedgerLine, LedgerMonth
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.billing.credits import Movement
from tests import reading
from tests.fakes import FakeClock


@pytest.fixture
def account_id(container: Container) -> str:
    with container.database.unit_of_work() as session:
        member = accounts.create(session, "a@example.com", container.clock())
        credits.adjust(session, member.organization_id, Decimal(10), "Opening", container.clock())
        return member.organization_id


def debit(container: Container, account_id: str, amount: str, cause: str) -> None:
    movement = Movement(Decimal(amount), LedgerKind.ORDER, cause, "An order")
    with container.database.unit_of_work() as session:
        credits.debit(session, account_id, movement, container.clock())


def balance(container: Container, account_id: str) -> Decimal:
    with container.database.read_session() as session:
        return credits.balance(session, account_id)


def test_debits_from_many_threads_never_take_more_than_there_is(container: Container, account_id: str) -> None:
    def attempt(number: int) -> bool:
        try:
            debit(container, account_id, "1.5", f"cause {number}")
        except InsufficientCredits:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        succeeded = sum(pool.map(attempt, range(24)))
    assert succeeded == 6
    assert balance(container, account_id) == 1


def test_a_refused_debit_says_what_is_missing_and_changes_nothing(container: Container, account_id: str) -> None:
    with pytest.raises(InsufficientCredits) as refusal:
        debit(container, account_id, "12.5", "too much")
    assert refusal.value.details == {
        "required": Decimal("12.5"),
        "current": Decimal(10),
        "shortfall": Decimal("2.5"),
    }
    assert balance(container, account_id) == 10


def test_the_same_cause_moves_credits_once(container: Container, account_id: str) -> None:
    debit(container, account_id, "1", "the one cause")
    with pytest.raises(IntegrityError):
        debit(container, account_id, "1", "the one cause")
    assert balance(container, account_id) == 9


@pytest.mark.parametrize("change", ["UPDATE ledger_line SET amount = 0", "DELETE FROM ledger_line"])
def test_a_ledger_line_can_be_neither_changed_nor_removed(
    container: Container, account_id: str, change: str
) -> None:
    with pytest.raises(DBAPIError, match="append-only"), container.database.unit_of_work() as session:
        session.execute(text(change))
    assert reading.found(container, select(LedgerLine.amount)) == [Decimal(10)]


def test_the_balance_cannot_be_set_below_zero(container: Container, account_id: str) -> None:
    with pytest.raises(IntegrityError), container.database.unit_of_work() as session:
        session.execute(text("UPDATE account SET credits = -1"))


def test_halves_and_hundredths_are_kept_exactly_and_nothing_finer(container: Container, account_id: str) -> None:
    for number in range(10):
        debit(container, account_id, "0.1", f"tenth {number}")
    assert balance(container, account_id) == 9
    with pytest.raises(StatementError, match="finer than a hundredth"):
        debit(container, account_id, "0.001", "too fine")


def test_every_line_tells_the_balance_after_it(container: Container, account_id: str) -> None:
    debit(container, account_id, "2.5", "one")
    debit(container, account_id, "0.5", "two")
    after = reading.found(container, select(LedgerLine.balance_after).order_by(LedgerLine.id))
    assert after == [Decimal(10), Decimal("7.5"), Decimal(7)]


def test_staff_cannot_take_more_than_there_is(container: Container, account_id: str) -> None:
    with pytest.raises(InsufficientCredits), container.database.unit_of_work() as session:
        credits.adjust(session, account_id, Decimal(-11), "Correction", container.clock())
    assert balance(container, account_id) == 10


def months(container: Container) -> list[tuple[str, LedgerKind, Decimal, int]]:
    columns = (LedgerMonth.month, LedgerMonth.kind, LedgerMonth.total, LedgerMonth.lines)
    with container.database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(*columns[:2]))]


def test_every_movement_is_added_to_its_month_by_kind(
    container: Container, clock: FakeClock, account_id: str
) -> None:
    clock.now = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    debit(container, account_id, "1.5", "first")
    debit(container, account_id, "0.5", "second")
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    debit(container, account_id, "1", "third")
    with pytest.raises(InsufficientCredits):
        debit(container, account_id, "100", "too much")
    spent = [row for row in months(container) if row[1] is LedgerKind.ORDER]
    assert spent == [
        ("2026-11", LedgerKind.ORDER, Decimal(-2), 2),
        ("2026-12", LedgerKind.ORDER, Decimal(-1), 1),
    ]


def test_many_at_once_in_a_new_month_lose_nothing(container: Container, account_id: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: debit(container, account_id, "0.5", f"cause {number}"), range(16)))
    assert [row[2:] for row in months(container) if row[1] is LedgerKind.ORDER] == [(Decimal(-8), 16)]
