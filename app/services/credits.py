"""Credits: one guarded debit, refunds unique per cause, every movement a line in the ledger."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.domain.errors import InsufficientCredits
from app.domain.ledger import LedgerKind
from app.models import Account, LedgerLine


@dataclass(frozen=True, slots=True)
class Movement:
    """Why credits move: the cause happens once, the reason is for people."""

    kind: LedgerKind
    cause: str
    reason: str
    job_id: str | None = None


def debit(session: Session, account_id: str, amount: Decimal, movement: Movement, now: datetime) -> None:
    """Take the amount. Raises InsufficientCredits, with nothing changed, when the balance is below it."""
    if not _move(session, account_id, -amount, movement, now):
        raise InsufficientCredits(required=amount, current=balance(session, account_id))


def credit(session: Session, account_id: str, amount: Decimal, movement: Movement, now: datetime) -> None:
    """Add the amount. A second credit for the same cause breaks the unit of work."""
    _move(session, account_id, amount, movement, now)


def grant(session: Session, account_id: str, amount: Decimal, reason: str, now: datetime) -> None:
    """Staff adjust the balance, up or down. Raises InsufficientCredits when it would fall below zero."""
    movement = Movement(LedgerKind.ADJUSTMENT, f"adjustment:{uuid.uuid4()}", reason)
    if amount < 0:
        debit(session, account_id, -amount, movement, now)
    else:
        credit(session, account_id, amount, movement, now)


def balance(session: Session, account_id: str) -> Decimal:
    """The account's credits now."""
    return session.execute(select(Account.credits).where(Account.id == account_id)).scalar_one()


def _move(session: Session, account_id: str, amount: Decimal, movement: Movement, now: datetime) -> bool:
    changed = (
        update(Account)
        .where(Account.id == account_id, Account.credits >= -amount)
        .values(credits=Account.credits + amount)
        .returning(Account.credits)
        .execution_options(synchronize_session=False)
    )
    after = session.execute(changed).scalar_one_or_none()
    if after is None:
        return False
    line = LedgerLine(
        account_id=account_id,
        job_id=movement.job_id,
        cause=movement.cause,
        kind=movement.kind,
        amount=amount,
        balance_after=after,
        reason=movement.reason,
        created_at=now,
    )
    session.add(line)
    session.flush()
    return True
