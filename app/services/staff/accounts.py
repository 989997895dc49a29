"""Accounts as staff look at them: found, listed, and one with all that tells how it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.models import Account, ApiKey, Job, LedgerLine, Purchase, SignIn, Webhook
from app.services.orders.order_list import plain
from app.services.pagination import Page, SortOrder, cut_page
from app.services.security import staff_acts
from app.services.staff import search as staff_search
from app.services.staff.search import PAGE, Place, Range
from app.services.webhooks import webhooks

SHOWN = 10
"""So many of the newest of each thing stand on an account's page."""
KEYS = 25


class AccountField(StrEnum):
    """Where what was typed is looked for; an id is known wherever it was typed."""

    EMAIL = "email"
    NAME = "name"


class AccountGroup(StrEnum):
    """Which accounts are listed where nothing is searched for."""

    ALL = "all"
    FLAGGED = "flagged"
    SUSPENDED = "suspended"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class AccountFilter:
    """What of the list is wanted: accounts whose e-mail or name begins so, or with this id; else of a kind."""

    search: str = ""
    field: AccountField = AccountField.EMAIL
    show: AccountGroup = AccountGroup.ALL


@dataclass(frozen=True, slots=True)
class AccountDetails:
    """One account: its newest ledger lines, jobs, keys and purchases, its webhooks, and what staff did to it.

    `owed`: credits it should have given back and had spent; `sign_ins`: browsers that act for it now.
    """

    account: Account
    lines: Sequence[LedgerLine]
    jobs: Sequence[Job]
    keys: Sequence[ApiKey]
    webhooks: Sequence[Webhook]
    purchases: Sequence[Purchase]
    owed: Decimal
    sign_ins: int
    acts: Sequence[staff_acts.ActRow]


def find(session: Session, account_id: str) -> Account:
    """The account, a deleted one too. Raises NotFound."""
    account = session.get(Account, account_id) if is_id(account_id, Prefix.ACCOUNT) else None
    if account is None:
        raise NotFound
    return account


def page(
    session: Session, wanted: AccountFilter, after: str | None = None, limit: int = PAGE
) -> Page[Account, str]:
    """The accounts that fit after the account `after`; the newest first where nothing is searched for.

    Raises NotFound for an `after` that is none.
    """
    place = find(session, after) if after else None
    text = plain(wanted.search)
    if is_id(text, Prefix.ACCOUNT):
        found = list(session.scalars(select(Account).where(Account.id == text)))
    elif text:
        ranges = _ranges(text, wanted.field)
        rows = staff_search.beginning(session, select(Account), ranges, _in(ranges, place), limit + 1)
        found = [row[0] for row in rows]
    else:
        found = _newest(session, wanted.show, place, limit + 1)
    return cut_page(found, limit, lambda account: account.id)


def look(session: Session, account_id: str, now: datetime) -> AccountDetails:
    """One account, in the same few statements however much it did. Raises NotFound."""
    account = find(session, account_id)
    held = select(func.count()).where(SignIn.account_id == account.id, SignIn.expires_at > now)
    owed = select(func.sum(Purchase.credits_owed)).where(Purchase.account_id == account.id)
    lines = select(LedgerLine).where(LedgerLine.account_id == account.id).order_by(LedgerLine.id.desc())
    return AccountDetails(
        account=account,
        lines=session.scalars(lines.limit(SHOWN)).all(),
        jobs=_last(session, Job, account, SHOWN),
        keys=_last(session, ApiKey, account, KEYS),
        webhooks=webhooks.of_account(session, account.id),
        purchases=_last(session, Purchase, account, SHOWN),
        owed=session.scalar(owed) or Decimal(0),
        sign_ins=session.scalar(held) or 0,
        acts=staff_acts.page(session, staff_acts.ActFilter(account_id=account.id), limit=SHOWN).rows,
    )


def _last(session: Session, kind: Any, account: Account, limit: int) -> Sequence[Any]:
    mine = select(kind).where(kind.account_id == account.id)
    return session.scalars(mine.order_by(kind.created_at.desc(), kind.id.desc()).limit(limit)).all()


def _ranges(text: str, field: AccountField) -> list[Range]:
    if field is AccountField.NAME:
        return [Range(Account.name, Account.id, each) for each in staff_search.spellings(text)]
    return [Range(Account.email, Account.id, text.lower())]


def _in(ranges: Sequence[Range], place: Account | None) -> Place | None:
    return staff_search.place(ranges, place, place.id) if place else None


_MOMENTS: Mapping[AccountGroup, InstrumentedAttribute[Any]] = {
    AccountGroup.FLAGGED: Account.flagged_at,
    AccountGroup.SUSPENDED: Account.suspended_at,
}


def _newest(session: Session, show: AccountGroup, place: Account | None, limit: int) -> list[Account]:
    moment: InstrumentedAttribute[Any] = _MOMENTS.get(show, Account.created_at)
    which = Account.is_staff.is_(True) if show is AccountGroup.STAFF else moment.is_not(None)
    rows = select(Account).where(*([] if show is AccountGroup.ALL else [which]))
    # A flag may have been cleared since the page was made: then the list begins anew.
    at = getattr(place, moment.key) if place else None
    order = SortOrder((moment, Account.id))
    if place is not None and at is not None:
        rows = rows.where(order.beyond((at, place.id)))
    return list(session.scalars(order.sort(rows).limit(limit)))
