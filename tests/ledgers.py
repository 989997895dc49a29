"""Long ledgers and paid purchases, written down at once."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.ledger import LedgerKind
from app.domain.payments import Provider, PurchaseState
from app.models import LedgerLine, LedgerMonth, Organization, Purchase
from app.services.accounts import organizations
from app.services.billing import credits, purchases
from app.services.billing.credits import Movement

SELLER = "Brightlist Inc.\n1 Example Square\nSpringfield, IL 62704"
ROUND = (LedgerKind.PURCHASE, LedgerKind.ORDER, LedgerKind.REFUND, LedgerKind.ORDER)
"""The kinds of lines in turn: together they leave the balance as it was."""
ONE = Decimal(1)


def fill(session: Session, account_id: str, count: int, first: datetime, step: timedelta) -> None:
    """`count` lines more in the account's ledger, one `step` after the other, with balance and months."""
    account = session.scalars(select(Organization).where(Organization.id == account_id).with_for_update()).one()
    months: dict[tuple[str, LedgerKind], Counter[str]] = {}
    lines = list(_lines(account, count, first, step))
    for line in lines:
        sums = months.setdefault((f"{line['created_at']:%Y-%m}", line["kind"]), Counter())
        sums.update({"total": line["amount"], "lines": 1})
    for some in [lines[start : start + 10_000] for start in range(0, count, 10_000)]:
        session.execute(insert(LedgerLine), some)
    for (month, kind), sums in months.items():
        session.add(LedgerMonth(account_id=account_id, month=month, kind=kind, **sums))
    account.credits = lines[-1]["balance_after"]
    session.flush()


def _lines(account: Organization, count: int, first: datetime, step: timedelta) -> Iterator[dict[str, Any]]:
    balance = account.credits
    for number, kind in zip(range(count), cycle(ROUND), strict=False):
        amount = -ONE if kind is LedgerKind.ORDER else ONE
        balance += amount
        yield {
            "account_id": account.id,
            "cause": f"{account.id}:{number}",
            "kind": kind,
            "amount": amount,
            "balance_after": balance,
            "reason": f"Line {number}",
            "created_at": first + number * step,
        }


def begun(session: Session, account_id: str, amount: str, cents: int, now: datetime, **fields: Any) -> Purchase:
    """A purchase that was begun."""
    token = f"{amount} at {now.isoformat()} {fields.get('state')}"
    given: dict[str, Any] = {"provider": Provider.STRIPE, "state": PurchaseState.OPEN, **fields}
    times = {"created_at": now, "checked_at": now}
    made = Purchase(
        account_id=account_id,
        form_token=token,
        credits=Decimal(amount),
        price_cents=cents,
        currency="usd",
        **times,
        **given,
    )
    session.add(made)
    session.flush()
    return made


def paid(session: Session, account_id: str, amount: str, cents: int, now: datetime, **fields: Any) -> Purchase:
    """A purchase that was paid at once: its credits are there, and its receipt."""
    state = {"state": PurchaseState.PAID, "paid_at": now, "ended_at": now}
    made = begun(session, account_id, amount, cents, now, **state, **fields)
    purchases.issue_receipt(session, made, SELLER, organizations.get_owner(session, account_id), now)
    cause = ledger.purchase_cause(made.id)
    movement = Movement(
        made.credits, LedgerKind.PURCHASE, cause, f"Purchase of {amount} credits", purchase_id=made.id
    )
    credits.credit(session, account_id, [movement], now)
    return made


def taken_back(session: Session, purchase: Purchase, amount: str, cents: int, now: datetime) -> None:
    """The seller returns so much of the payment, and takes so many credits back."""
    cause = ledger.reversal_cause(purchase.id, purchase.credits_taken)
    words = f"{amount} credits taken back: your payment was returned"
    movement = Movement(Decimal(amount), LedgerKind.REVERSAL, cause, words, purchase_id=purchase.id)
    credits.debit(session, purchase.account_id, movement, now)
    purchase.credits_taken += Decimal(amount)
    purchase.refunded_cents += cents
