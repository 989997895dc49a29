"""The list of an account's orders: searched by address, filtered by state, page by page in both directions."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import TIMED, Status
from app.models import Job
from app.services.pagination import Cursor, Query, SortOrder, TwoWayPage, paginate_both_ways

PAGE = 25
MAX_SEARCH, MAX_WORDS, MAX_WORD = 300, 10, 60
"""More of a search than this says nothing more about an address."""
_ORDER = SortOrder((Job.created_at, Job.id))


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """What of the list is wanted: orders whose address has all words of `search`, in any case; None means any.

    What is ready and expired can no longer be looked at, so it does not count as ready.
    """

    search: str = ""
    status: Status | None = None
    expired: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.status or self.expired)

    @property
    def words(self) -> list[str]:
        """The words that are looked for."""
        stripped = (word.strip(",.;:") for word in plain(self.search).split())
        return [word[:MAX_WORD] for word in stripped if word][:MAX_WORDS]


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One order in the list."""

    job_id: str
    address: str
    status: Status
    photo_count: int
    credit_cost: Decimal
    credits_refunded: Decimal
    created_at: datetime
    expired: bool

    @property
    def unfinished(self) -> bool:
        """Whether it still moves by itself."""
        return self.status in TIMED

    @property
    def lapsed(self) -> bool:
        """Whether it was ready, and expired before anybody downloaded anything."""
        return self.status is Status.APPROVED and self.expired


_COLUMNS = (
    Job.id,
    Job.address,
    Job.status,
    Job.interior_count,
    Job.exterior_count,
    Job.credit_cost,
    Job.credits_refunded,
    Job.created_at,
    Job.expired_at,
)


def plain(search: str) -> str:
    """What was typed, as one short line without anything that cannot be shown."""
    return " ".join("".join(each if each.isprintable() else " " for each in search).split())[:MAX_SEARCH]


def paginate(
    session: Session, account_id: str, wanted: OrderFilter | None = None, at: Cursor[str] | None = None
) -> TwoWayPage[OrderRow, str]:
    """PAGE orders of the account, in three queries at most however many there are.

    Raises NotFound when the order that `at` names is none of the account's.
    """
    query = select(*_COLUMNS).where(Job.account_id == account_id, *_conditions(wanted or OrderFilter()))
    place = (_place(session, account_id, at.key), at.key) if at else ()

    def read(cursor: Cursor[str] | None) -> Query:
        if cursor is None:
            return _ORDER.sort(query)
        beyond = query.where(_ORDER.beyond(place, backwards=cursor.newer))
        return _ORDER.sort(beyond, backwards=cursor.newer)

    return paginate_both_ways(session, read, at, PAGE, _row, lambda row: row.job_id)


def get_last_price(session: Session, account_id: str) -> Decimal | None:
    """What the account's last order cost; None when it never ordered."""
    mine = select(Job.credit_cost).where(Job.account_id == account_id)
    return session.scalar(mine.order_by(Job.created_at.desc(), Job.id.desc()).limit(1))


def _conditions(wanted: OrderFilter) -> list[ColumnElement[bool]]:
    conditions = [or_(*(_has(spelling) for spelling in _spellings(word))) for word in wanted.words]
    if wanted.status is not None:
        conditions.append(Job.status == wanted.status)
    if wanted.status is Status.APPROVED:
        conditions.append(Job.expired_at.is_(None))
    if wanted.expired:
        conditions.append(Job.expired_at.is_not(None))
    return conditions


def _has(text: str) -> ColumnElement[bool]:
    return Job.address.icontains(text, autoescape=True)


def _spellings(word: str) -> set[str]:
    # SQLite folds the case of ASCII only; of other letters the usual spellings are tried.
    return {word} if word.isascii() else {word, word.lower(), word.upper(), word.capitalize()}


def _place(session: Session, account_id: str, job_id: str) -> datetime:
    mine = select(Job.created_at).where(Job.id == job_id, Job.account_id == account_id)
    created_at = session.scalar(mine) if is_id(job_id, Prefix.JOB) else None
    if created_at is None:
        raise NotFound
    return created_at


def _row(found: Any) -> OrderRow:
    return OrderRow(
        job_id=found.id,
        address=found.address,
        status=found.status,
        photo_count=found.interior_count + found.exterior_count,
        credit_cost=found.credit_cost,
        credits_refunded=found.credits_refunded,
        created_at=found.created_at,
        expired=found.expired_at is not None,
    )
