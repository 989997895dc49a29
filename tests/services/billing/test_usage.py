"""What an account used, month by month."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

from app.container import Container
from app.domain.ledger import LedgerKind
from app.services.billing import credits, usage
from app.services.billing.credits import Movement
from app.services.billing.usage import Month
from tests.conftest import Api

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def move(container: Container, account_id: str, at: datetime, kind: LedgerKind, amount: str) -> None:
    """A movement of the amount, which goes out where it is below zero."""
    given = Decimal(amount)
    movement = Movement(abs(given), kind, f"{kind} at {at}", kind.value)
    with container.database.unit_of_work() as session:
        if given < 0:
            credits.debit(session, account_id, movement, at)
        else:
            credits.credit(session, account_id, [movement], at)


def months(container: Container, account_id: str, now: datetime = NOW) -> list[Month]:
    with container.database.read_session() as session:
        return usage.sum_by_month(session, account_id, now)


def test_the_last_twelve_months_are_there_with_or_without_lines(container: Container, api: Api) -> None:
    found = months(container, api.account_id)
    assert [month.first for month in found] == [date(2025, 12, 1), *(date(2026, each, 1) for each in range(1, 12))]
    assert [month.has_movements for month in found] == [False] * 11 + [True]
    assert found[-1].adjusted == 100
    assert {month.used for month in found} == {0}


def test_years_end_between_months(container: Container, api: Api) -> None:
    firsts = [month.first for month in months(container, api.account_id, datetime(2027, 2, 28, tzinfo=UTC))]
    assert firsts[0] == date(2026, 3, 1)
    assert firsts[-3:] == [date(2026, 12, 1), date(2027, 1, 1), date(2027, 2, 1)]


def test_months_are_those_of_utc(container: Container, api: Api) -> None:
    early = datetime(2027, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert months(container, api.account_id, early)[-1].first == date(2026, 12, 1)


def test_kinds_are_told_apart_and_what_came_back_is_not_used(container: Container, api: Api) -> None:
    march = datetime(2026, 3, 31, 23, 59, tzinfo=UTC)
    for kind, amount in (
        (LedgerKind.PURCHASE, "50"),
        (LedgerKind.ORDER, "-12.5"),
        (LedgerKind.REFUND, "2"),
        (LedgerKind.REVERSAL, "-5"),
        (LedgerKind.ADJUSTMENT, "1.5"),
    ):
        move(container, api.account_id, march, kind, amount)
    (found,) = [month for month in months(container, api.account_id) if month.first == date(2026, 3, 1)]
    assert found == Month(date(2026, 3, 1), Decimal("12.5"), Decimal(2), Decimal(50), Decimal("-3.5"))
    assert found.used == Decimal("10.5")


def test_what_is_older_than_a_year_is_not_told(container: Container, api: Api) -> None:
    move(container, api.account_id, datetime(2025, 11, 30, 23, 59, 59, tzinfo=UTC), LedgerKind.ORDER, "-3")
    assert not any(month.used for month in months(container, api.account_id))


def test_nobody_sees_the_months_of_another_account(container: Container, api: Api, other_api: Api) -> None:
    move(container, other_api.account_id, NOW, LedgerKind.ORDER, "-3")
    assert not any(month.used for month in months(container, api.account_id))
