"""All purchases as staff see them, and those that need somebody."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ColumnElement, TextClause, func, select, text, true, tuple_
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.models import Account, Purchase
from app.services.billing import purchases

PAGE = 25
_AMISS = text("(problem IS NOT NULL OR credits_owed > 0)")
_DISPUTED = text("dispute IS NOT NULL")
"""As their indexes say it, word for word, so that those are used."""


class Filter(StrEnum):
    """Which purchases: those where something did not agree or spent credits are owed, disputed ones, or all."""

    ATTENTION = "attention"
    DISPUTED = "disputed"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """A purchase and whose it is; of a deleted account no name is left."""

    purchase: Purchase
    email: str
    name: str
    account_deleted: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Some purchases, newest first; `older` is where the next page begins, None at the end."""

    rows: list[Row]
    older: str | None


def for_staff(session: Session, wanted: Filter = Filter.ALL, before: str | None = None) -> Page:
    """The newest purchases older than the one named, or the newest of all where none such is known."""
    newest = select(Purchase, Account).join(Account, Account.id == Purchase.account_id)
    newest = (
        newest.where(_are(wanted), _older_than(session, before))
        .order_by(Purchase.created_at.desc(), Purchase.id.desc())
        .limit(PAGE + 1)
    )
    found = [
        Row(purchase, account.email, account.name, account.deleted_at is not None)
        for purchase, account in session.execute(newest)
    ]
    rows = found[:PAGE]
    return Page(rows, rows[-1].purchase.id if len(found) > PAGE else None)


def needing_attention(session: Session) -> int:
    """How many purchases need somebody."""
    return session.scalar(select(func.count()).select_from(Purchase).where(_AMISS)) or 0


def put_right(session: Session, purchase_id: str) -> Purchase:
    """A member of staff saw to it: no problem is left, and what is owed is forgiven. Raises NotFound."""
    if not is_id(purchase_id, Prefix.PURCHASE) or session.get(Purchase, purchase_id) is None:
        raise NotFound
    purchase = purchases.held(session, purchase_id)
    purchase.credits_forgiven += purchase.credits_owed
    purchase.problem, purchase.credits_owed = None, Decimal(0)
    return purchase


def _are(wanted: Filter) -> TextClause | ColumnElement[bool]:
    return {Filter.ATTENTION: _AMISS, Filter.DISPUTED: _DISPUTED}.get(wanted, true())


def _older_than(session: Session, purchase_id: str | None) -> ColumnElement[bool]:
    known = session.get(Purchase, purchase_id) if purchase_id and is_id(purchase_id, Prefix.PURCHASE) else None
    if known is None:
        return true()
    return tuple_(Purchase.created_at, Purchase.id) < tuple_(known.created_at, known.id)
