"""The list of an account's orders: searched, filtered, sorted, page by page both ways, with small pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import DOWNLOADABLE, TIMED, Status
from app.models import Job
from app.services.orders import order_thumbs
from app.services.orders.order_thumbs import NO_THUMBS, OrderThumbs
from app.services.pagination import Cursor, Query, SortOrder, TwoWayPage, paginate_both_ways

PAGE = 25
MAX_SEARCH, MAX_WORDS, MAX_WORD = 300, 10, 60
"""More of a search than this says nothing more about an address."""


class ListSort(StrEnum):
    """How the list is sorted."""

    NEWEST = "newest"
    OLDEST = "oldest"
    ADDRESS = "address"


_SORT_ORDERS: Mapping[ListSort, SortOrder] = {
    ListSort.NEWEST: SortOrder((Job.created_at, Job.id)),
    ListSort.OLDEST: SortOrder((Job.created_at, Job.id), descending=False),
    ListSort.ADDRESS: SortOrder((Job.address, Job.id), descending=False),
}


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """What of the list is wanted: orders that have each word of `search` in their address or in the name of a file,
    in any case; None means any. `sort` filters nothing.

    What is ready and expired can no longer be looked at, so it does not count as ready.
    """

    search: str = ""
    status: Status | None = None
    expired: bool = False
    sort: ListSort = ListSort.NEWEST

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

    thumbs: OrderThumbs
    job_id: str
    address: str
    status: Status
    photo_count: int
    credit_cost: Decimal
    credits_refunded: Decimal
    created_at: datetime
    expired: bool
    property_id: str

    @property
    def downloadable(self) -> bool:
        """Whether its pictures can be downloaded."""
        return self.status in DOWNLOADABLE and not self.expired

    @property
    def unfinished(self) -> bool:
        """Whether it still moves by itself."""
        return self.status in TIMED

    @property
    def lapsed(self) -> bool:
        """Whether it was ready, and expired before anybody downloaded anything."""
        return self.status is Status.APPROVED and self.expired


_ROWS = select(
    Job.id,
    Job.address,
    Job.status,
    Job.interior_count + Job.exterior_count,
    Job.credit_cost,
    Job.credits_refunded,
    Job.created_at,
    Job.expired_at.is_not(None).label("expired"),
    func.coalesce(Job.draft_id, Job.id),
)
_LAST_PRICE = (
    select(Job.credit_cost)
    .where(Job.account_id == bindparam("account_id"))
    .order_by(Job.created_at.desc(), Job.id.desc())
    .limit(1)
)


def plain(search: str) -> str:
    """What was typed, as one short line without anything that cannot be shown."""
    return " ".join("".join(each if each.isprintable() else " " for each in search).split())[:MAX_SEARCH]


def paginate(
    session: Session, account_id: str, wanted: OrderFilter | None = None, at: Cursor[str] | None = None
) -> TwoWayPage[OrderRow, str]:
    """PAGE orders of the account with their first pictures, in five queries at most however many there are.

    Raises NotFound when the order that `at` names is none of the account's.
    """
    wanted = OrderFilter() if wanted is None else wanted
    order = _SORT_ORDERS[wanted.sort]
    query = _ROWS.where(Job.account_id == account_id, *_conditions(wanted))
    place = _place(session, account_id, at.key, order.columns) if at else ()

    def read(cursor: Cursor[str] | None) -> Query:
        if cursor is None:
            return order.sort(query)
        beyond = query.where(order.beyond(place, backwards=cursor.newer))
        return order.sort(beyond, backwards=cursor.newer)

    page = paginate_both_ways(session, read, at, PAGE, lambda row: row.id)
    thumbs = order_thumbs.read(session, {each.id: each.status for each in page.rows if not each.expired})
    return replace(page, rows=[OrderRow(thumbs.get(each.id, NO_THUMBS), *each) for each in page.rows])


def get_last_price(session: Session, account_id: str) -> Decimal | None:
    """What the account's last order cost; None when it never ordered."""
    return session.scalar(_LAST_PRICE, {"account_id": account_id})


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
    return or_(Job.address.icontains(text, autoescape=True), Job.file_names.icontains(text, autoescape=True))


def _spellings(word: str) -> set[str]:
    # SQLite folds the case of ASCII only; of other letters the usual spellings are tried.
    return {word} if word.isascii() else {word, word.lower(), word.upper(), word.capitalize()}


def _place(
    session: Session, account_id: str, job_id: str, columns: Sequence[InstrumentedAttribute[Any]]
) -> Sequence[Any]:
    """The values by which the account's order is sorted."""
    mine = select(*columns).where(Job.id == job_id, Job.account_id == account_id)
    return tuple(require_found(session.execute(mine).one_or_none() if is_id(job_id, Prefix.JOB) else None))
