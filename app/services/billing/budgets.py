"""Budgets of API keys: what orders cost is counted for their keys and limited; refunds are counted, too.

Every charge is counted, also of keys without a budget, so that a budget set later knows what was spent before. A
refund counts for the month of its order.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from app.domain.budget_errors import BudgetExceeded, BudgetRequired, PriceTooHigh
from app.domain.budgets import KeyBudget, Payer, month_of, next_month
from app.models import ApiKey, KeyMonth

_COUNTS_AS = func.coalesce(ApiKey.first_id, ApiKey.id)
"""The id of the key under which a key's spending is counted: keys that replaced each other share one count."""


def spend(session: Session, payer: Payer, amount: Decimal, now: datetime) -> None:
    """Count a charge, a positive number of credits, for the key of the payer, if there is one. The same transaction
    has already debited it, which locks the account, so simultaneous charges are counted one after the other.

    Raises BudgetExceeded, BudgetRequired and PriceTooHigh; the caller must roll back then.
    """
    if payer.key_id is None:
        return
    columns = select(ApiKey.budget, _COUNTS_AS).where(ApiKey.id == payer.key_id)
    budget, counts_as = session.execute(columns).one()
    if payer.for_agent and budget is None:
        raise BudgetRequired
    if payer.most_credits is not None and amount > payer.most_credits:
        raise PriceTooHigh(amount, payer.most_credits)
    spent = _count(session, counts_as, month_of(now), amount)
    if budget is not None and spent > budget:
        raise BudgetExceeded(amount, KeyBudget(budget, spent - amount, next_month(now)))


def give_back(session: Session, key_id: str, charged_at: datetime, amount: Decimal) -> None:
    """Count a refund of an order that was charged to the key, in the transaction that credits the refund."""
    counts_as = session.execute(select(_COUNTS_AS).where(ApiKey.id == key_id)).scalar_one()
    _count(session, counts_as, month_of(charged_at), -amount)


def read(session: Session, key: ApiKey, now: datetime) -> KeyBudget | None:
    """The key's budget with the amount that was spent this month; None if the key has no budget."""
    if key.budget is None:
        return None
    return KeyBudget(key.budget, list_spent(session, [key], now)[key.id], next_month(now))


def list_spent(session: Session, keys: Iterable[ApiKey], now: datetime) -> dict[str, Decimal]:
    """The amount that each of the keys has spent this month, by the key's id."""
    counted = {key.id: key.first_id or key.id for key in keys}
    months = KeyMonth.key_id.in_(set(counted.values())), KeyMonth.month == month_of(now)
    rows = session.execute(select(KeyMonth.key_id, KeyMonth.spent).where(*months))
    spent = {row.key_id: row.spent for row in rows}
    return {key_id: spent.get(counts_as, Decimal(0)) for key_id, counts_as in counted.items()}


def _count(session: Session, key_id: str, month: str, amount: Decimal) -> Decimal:
    """Add the amount to what the key spent in the month; returns the sum."""
    which = (KeyMonth.key_id == key_id, KeyMonth.month == month)
    added = update(KeyMonth).where(*which).values(spent=KeyMonth.spent + amount).returning(KeyMonth.spent)
    spent = session.execute(added.execution_options(synchronize_session=False)).scalar_one_or_none()
    if spent is None:
        # The account's row is locked, so no other transaction inserts the same month's row.
        session.execute(insert(KeyMonth).values(key_id=key_id, month=month, spent=amount))
        return amount
    return spent
