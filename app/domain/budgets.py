"""The budget of an API key: how many credits it may spend in a calendar month, in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from app.domain.api_types import iso


@dataclass(frozen=True, slots=True)
class KeyBudget:
    """A key's budget for a month, what is `spent` of it, and when it is full again."""

    credits: Decimal
    spent: Decimal
    resets_at: datetime

    @property
    def left(self) -> Decimal:
        """How many credits may still be spent; 0 also where more is spent than a lowered budget allows."""
        return max(self.credits - self.spent, Decimal(0))

    def as_details(self) -> dict[str, Any]:
        """The budget as the details of a refusal."""
        amounts = {"budget": self.credits, "spent": self.spent, "left": self.left}
        return {**amounts, "resetsAt": iso(self.resets_at)}


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for an order: an account, by one of its API keys; `key_id` is None for an order by a page.

    `for_agent`: whether a tool of an agent orders, which needs a budget. `most_credits`: the most that the order
    may cost; None for no limit but the budget.
    """

    account_id: str
    key_id: str | None = None
    for_agent: bool = False
    most_credits: Decimal | None = None


def month_of(moment: datetime) -> str:
    """The month in UTC, as YYYY-MM."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def next_month(moment: datetime) -> datetime:
    """When the next month begins, in UTC."""
    here = moment.astimezone(UTC)
    years, month = divmod(here.month, 12)
    return datetime(here.year + years, month + 1, 1, tzinfo=UTC)
