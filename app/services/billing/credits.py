"""Credits: the balance is never negative, and each movement is a line in the ledger with a unique cause."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Row, insert, select, update
from sqlalchemy.orm import Session

from app.domain.errors import InsufficientCredits
from app.domain.events import BalanceFacts, EventName, balance_payload, encode
from app.domain.ledger import LedgerKind
from app.models import Event, LedgerLine, LedgerMonth, Organization
from app.services.mail import notices
from app.services.webhooks import events

LIVEMODE = "livemode"
"""The execution option of the statement that inserts ledger lines: whether they are of a live account."""


@dataclass(frozen=True, slots=True)
class Movement:
    """An amount of credits that is added to a balance, or is taken from it if negative.

    `cause` is unique in the ledger, so that nothing is charged or refunded twice. `reason` is a text for people.
    """

    amount: Decimal
    kind: LedgerKind
    cause: str
    reason: str
    job_id: str | None = None
    purchase_id: str | None = None


def debit(session: Session, account_id: str, movement: Movement, now: datetime) -> None:
    """Take the amount of the movement, a positive number, from the balance. Members are mailed, and webhooks
    notified, when the balance falls below the limit that the account has set.

    Raises InsufficientCredits, with nothing changed, when the balance is less than the amount.
    """
    negative = replace(movement, amount=-movement.amount)
    changed = _move(session, account_id, [negative], now)
    if changed is None:
        raise InsufficientCredits(required=movement.amount, current=balance(session, account_id))
    before, limit = changed.credits + movement.amount, changed.low_balance
    # The fall is reported once, until the balance has risen again.
    if limit is not None and changed.credits < limit <= before:
        _report_fall(session, BalanceFacts(account_id, changed.credits, limit, changed.sandbox_of is None), now)


def _report_fall(session: Session, facts: BalanceFacts, now: datetime) -> None:
    """Report that the balance fell below its limit."""
    notices.report_low_balance(session, facts.account_id, facts.balance, facts.limit, now)
    body = encode(balance_payload(facts, now))
    event = Event(account_id=facts.account_id, name=EventName.CREDITS_LOW, body=body, created_at=now)
    events.record(session, event, now)


def credit(session: Session, account_id: str, movements: Sequence[Movement], now: datetime) -> None:
    """Add the amounts to the balance. A second credit for the same cause raises IntegrityError."""
    _move(session, account_id, movements, now)


def adjust(
    session: Session, account_id: str, amount: Decimal, reason: str, now: datetime, cause: str | None = None
) -> None:
    """Add the amount to the balance, or take it if negative. A second call with the same `cause` raises
    IntegrityError; calls without a cause may be repeated.

    Raises InsufficientCredits when the balance would become negative.
    """
    movement = Movement(abs(amount), LedgerKind.ADJUSTMENT, cause or f"adjustment:{uuid.uuid4()}", reason)
    if amount < 0:
        debit(session, account_id, movement, now)
    else:
        credit(session, account_id, [movement], now)


def balance(session: Session, account_id: str) -> Decimal:
    """The account's credits now."""
    return session.execute(select(Organization.credits).where(Organization.id == account_id)).scalar_one()


def _move(
    session: Session, account_id: str, movements: Sequence[Movement], now: datetime
) -> Row[Decimal, Decimal | None, str | None] | None:
    """Add all amounts to the balance in one statement, and write a ledger line for each.

    Returns a row with the new balance, the limit below which members are mailed, and the account's `sandbox_of`;
    None, with nothing changed, when the balance would become negative.
    """
    total = sum((movement.amount for movement in movements), Decimal(0))
    statement = (
        update(Organization)
        .where(Organization.id == account_id, Organization.credits >= -total)
        .values(credits=Organization.credits + total)
        .returning(Organization.credits, Organization.low_balance, Organization.sandbox_of)
        .execution_options(synchronize_session=False)
    )
    changed = session.execute(statement).one_or_none()
    if changed is None:
        return None
    balance_after = changed.credits - total
    lines = []
    for movement in movements:
        balance_after += movement.amount
        line = asdict(movement) | {"account_id": account_id, "balance_after": balance_after, "created_at": now}
        lines.append(line)
    session.execute(insert(LedgerLine).execution_options(**{LIVEMODE: changed.sandbox_of is None}), lines)
    for kind in {movement.kind for movement in movements}:
        of_kind = [movement.amount for movement in movements if movement.kind is kind]
        _add_to_month(session, (account_id, f"{now:%Y-%m}", kind), sum(of_kind, Decimal(0)), len(of_kind))
    return changed


def _add_to_month(session: Session, key: tuple[str, str, LedgerKind], total: Decimal, lines: int) -> None:
    # The caller's update has locked the account's row, so no other transaction inserts the same month's row.
    account_id, month, kind = key
    which = (LedgerMonth.account_id == account_id, LedgerMonth.month == month, LedgerMonth.kind == kind)
    sums = {"total": LedgerMonth.total + total, "lines": LedgerMonth.lines + lines}
    added = update(LedgerMonth).where(*which).values(sums).returning(LedgerMonth.month)
    if session.execute(added.execution_options(synchronize_session=False)).first() is None:
        values = {"account_id": account_id, "month": month, "kind": kind, "total": total, "lines": lines}
        session.execute(insert(LedgerMonth).values(values))
