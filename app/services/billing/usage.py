"""An account's credits by month, read from monthly sums, because adding up all ledger lines would be slow."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.ledger import LedgerKind
from app.models import LedgerMonth

MONTHS = 12


@dataclass(frozen=True, slots=True)
class Month:
    """One month in UTC, named by its `first` day.

    `ordered`: the cost of orders, as a positive amount. `adjusted`: the sum of adjustments and reversals.
    """

    first: date
    ordered: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)
    bought: Decimal = Decimal(0)
    adjusted: Decimal = Decimal(0)

    @property
    def used(self) -> Decimal:
        """The cost of orders minus refunds; negative if refunds for older orders exceed the cost of new ones."""
        return self.ordered - self.refunded

    @property
    def has_movements(self) -> bool:
        """Whether the balance changed in this month."""
        return any((self.ordered, self.refunded, self.bought, self.adjusted))


def sum_by_month(session: Session, account_id: str, now: datetime) -> list[Month]:
    """The last MONTHS months, from the oldest to the month of `now`; a month without lines is all zero."""
    first_days = _list_first_days(now.astimezone(UTC).date())
    columns = (LedgerMonth.month, LedgerMonth.kind, LedgerMonth.total)
    since = (LedgerMonth.account_id == account_id, LedgerMonth.month >= f"{first_days[0]:%Y-%m}")
    totals = {(month, kind): total for month, kind, total in session.execute(select(*columns).where(*since))}
    return [
        _make_month(first, {kind: totals.get((f"{first:%Y-%m}", kind), Decimal(0)) for kind in LedgerKind})
        for first in first_days
    ]


def _list_first_days(today: date) -> list[date]:
    # Months are numbered from January of the year 0.
    current = today.year * 12 + today.month - 1
    return [date(number // 12, number % 12 + 1, 1) for number in range(current - MONTHS + 1, current + 1)]


def _make_month(first: date, totals: dict[LedgerKind, Decimal]) -> Month:
    return Month(
        first=first,
        ordered=-totals[LedgerKind.ORDER],
        refunded=totals[LedgerKind.REFUND],
        bought=totals[LedgerKind.PURCHASE],
        adjusted=totals[LedgerKind.ADJUSTMENT] + totals[LedgerKind.REVERSAL],
    )
