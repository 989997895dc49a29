"""Credits: one guarded debit, refunds unique per cause, every movement a line in the ledger."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.domain.errors import InsufficientCredits
from app.domain.ledger import LedgerKind
from app.models import Account, LedgerLine


@dataclass(frozen=True, slots=True)
class Movement:
    """So many credits that move, and why: the cause happens once, the reason is for people."""

    amount: Decimal
    kind: LedgerKind
    cause: str
    reason: str
    job_id: str | None = None


def debit(session: Session, account_id: str, movement: Movement, now: datetime) -> None:
    """Take the amount. Raises InsufficientCredits, with nothing changed, when the balance is below it."""
    taken = replace(movement, amount=-movement.amount)
    if not _move(session, account_id, [taken], now):
        raise InsufficientCredits(required=movement.amount, current=balance(session, account_id))


def credit(session: Session, account_id: str, movements: Sequence[Movement], now: datetime) -> None:
    """Add the amounts. A second credit for the same cause breaks the unit of work."""
    _move(session, account_id, movements, now)


def grant(session: Session, account_id: str, amount: Decimal, reason: str, now: datetime) -> None:
    """Staff adjust the balance, up or down. Raises InsufficientCredits when it would fall below zero."""
    movement = Movement(abs(amount), LedgerKind.ADJUSTMENT, f"adjustment:{uuid.uuid4()}", reason)
    if amount < 0:
        debit(session, account_id, movement, now)
    else:
        credit(session, account_id, [movement], now)


def balance(session: Session, account_id: str) -> Decimal:
    """The account's credits now."""
    return session.execute(select(Account.credits).where(Account.id == account_id)).scalar_one()


def _move(session: Session, account_id: str, movements: Sequence[Movement], now: datetime) -> bool:
    """Move all amounts in one guarded step, with a ledger line for each; False when the balance is too low."""
    total = sum((movement.amount for movement in movements), Decimal(0))
    changed = (
        update(Account)
        .where(Account.id == account_id, Account.credits >= -total)
        .values(credits=Account.credits + total)
        .returning(Account.credits)
        .execution_options(synchronize_session=False)
    )
    after = session.execute(changed).scalar_one_or_none()
    if after is None:
        return False
    running = after - total
    lines = []
    for movement in movements:
        running += movement.amount
        line = asdict(movement) | {"account_id": account_id, "balance_after": running, "created_at": now}
        lines.append(line)
    session.execute(insert(LedgerLine), lines)
    return True
