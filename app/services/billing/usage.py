"""What an account used, month by month: read from the ledger's sums, so that no line is added up for a page."""

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
    """One month in UTC, named by its `first` day. What orders cost and what was taken back are positive here."""

    first: date
    ordered: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)
    bought: Decimal = Decimal(0)
    adjusted: Decimal = Decimal(0)

    @property
    def used(self) -> Decimal:
        """What orders cost in the end; below zero where more was refunded for older orders than was ordered."""
        return self.ordered - self.refunded

    @property
    def moved(self) -> bool:
        """Whether anything moved."""
        return any((self.ordered, self.refunded, self.bought, self.adjusted))


def sum_by_month(session: Session, account_id: str, now: datetime) -> list[Month]:
    """The last MONTHS months, the oldest first, that of `now` the last; those without lines are zero."""
    firsts = _firsts(now.astimezone(UTC).date())
    columns = (LedgerMonth.month, LedgerMonth.kind, LedgerMonth.total)
    since = (LedgerMonth.account_id == account_id, LedgerMonth.month >= f"{firsts[0]:%Y-%m}")
    totals = {(month, kind): total for month, kind, total in session.execute(select(*columns).where(*since))}
    return [
        _month(first, {kind: totals.get((f"{first:%Y-%m}", kind), Decimal(0)) for kind in LedgerKind})
        for first in firsts
    ]


def _firsts(today: date) -> list[date]:
    this = today.year * 12 + today.month - 1
    return [date(number // 12, number % 12 + 1, 1) for number in range(this - MONTHS + 1, this + 1)]


def _month(first: date, of: dict[LedgerKind, Decimal]) -> Month:
    return Month(
        first=first,
        ordered=-of[LedgerKind.ORDER],
        refunded=of[LedgerKind.REFUND],
        bought=of[LedgerKind.PURCHASE],
        adjusted=of[LedgerKind.ADJUSTMENT] + of[LedgerKind.REVERSAL],
    )
