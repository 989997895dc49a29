"""The list of an account's orders: searched, filtered, sorted, in pages, with small pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, bindparam, func, or_, select

from app.database import Reader
from app.domain.errors import NotFound, require_found
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import DOWNLOADABLE, UNSETTLED, Status, UndeliverableCode
from app.models import Job
from app.services.orders import order_thumbs
from app.services.orders.order_thumbs import NO_THUMBS, OrderThumbs
from app.services.pagination import Cursor, Query, SortOrder, TwoWayPage, paginate_both_ways

PAGE = 25
MAX_SEARCH, MAX_WORDS, MAX_WORD = 300, 10, 60
"""The maximum length of a search in characters, of its number of words, and of each word: enough to find any
address.
"""


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
    """Which orders are listed, and their order `sort`. Each word of `search` must be in the order's address, in its
    external id or in a name of its files, in upper or lower case. A `status` of None means any. `expired`: list
    only expired orders.

    With the status APPROVED, expired orders are not listed, because they can no longer be viewed.
    """

    search: str = ""
    status: Status | None = None
    expired: bool = False
    sort: ListSort = ListSort.NEWEST

    def __bool__(self) -> bool:
        return bool(self.words or self.status or self.expired)

    @property
    def words(self) -> list[str]:
        """The words of `search`, without punctuation around them."""
        stripped = (word.strip(",.;:") for word in plain(self.search).split())
        return [word[:MAX_WORD] for word in stripped if word][:MAX_WORDS]


class OrderRow(NamedTuple):
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
    undeliverable_code: UndeliverableCode | None = None

    @property
    def downloadable(self) -> bool:
        """Whether its pictures can be downloaded."""
        return self.status in DOWNLOADABLE and not self.expired

    @property
    def unfinished(self) -> bool:
        """Whether the order is still being processed or reviewed."""
        return self.status in UNSETTLED

    @property
    def lapsed(self) -> bool:
        """Whether the results were ready, and expired before anyone downloaded them."""
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
    Job.undeliverable_code,
)
_OF_ACCOUNT = Job.account_id == bindparam("account_id")
_LAST_PRICE = select(Job.credit_cost).where(_OF_ACCOUNT).order_by(Job.created_at.desc(), Job.id.desc()).limit(1)


def plain(search: str) -> str:
    """The search as one line of at most MAX_SEARCH printable characters."""
    return " ".join("".join(each if each.isprintable() else " " for each in search).split())[:MAX_SEARCH]


def paginate(
    reader: Reader, account_id: str, wanted: OrderFilter | None = None, at: Cursor[str] | None = None
) -> TwoWayPage[OrderRow, str]:
    """PAGE orders of the account with their first pictures, in at most five queries however many orders there are.

    `at`: the order before or after which the page is; None for the first page. Raises NotFound when that order is
    not the account's.
    """
    wanted = OrderFilter() if wanted is None else wanted
    searched = [or_(*(_contains(spelling) for spelling in _list_spellings(word))) for word in wanted.words]
    place = _read_place(reader, account_id, at.key, wanted.sort) if at else {}

    def read(cursor: Cursor[str] | None, limit: int) -> Sequence[Any]:
        query = _build_query(wanted.status, wanted.expired, wanted.sort, cursor and cursor.newer)
        query = query.where(*searched) if searched else query
        return reader.execute(query, {"account_id": account_id, "limit": limit, **place}).all()

    page = paginate_both_ways(read, at, PAGE, lambda row: row.id)
    thumbs = order_thumbs.read(reader, {each.id: each.status for each in page.rows if not each.expired})
    return replace(page, rows=[OrderRow(thumbs.get(each.id, NO_THUMBS), *each) for each in page.rows])


def get_last_price(reader: Reader, account_id: str) -> Decimal | None:
    """The cost of the account's last order, in credits; None when it never ordered."""
    return reader.scalar(_LAST_PRICE, {"account_id": account_id})


# Built once for each filter and direction: building a query takes longer than running it.
@cache
def _build_query(status: Status | None, expired: bool, sort: ListSort, newer: bool | None) -> Query:
    """The query for one page. `newer`: None for the first page, True for the page before an order, False for the
    page after it. Bound parameters give the place of that order, see _read_place().
    """
    query, order = _ROWS.where(_OF_ACCOUNT, *_conditions(status, expired)), _SORT_ORDERS[sort]
    if newer is not None:
        place = [bindparam(column.key, type_=column.type) for column in order.columns]
        query = query.where(order.beyond(place, backwards=newer))
    return order.sort(query, backwards=bool(newer)).limit(bindparam("limit", type_=Integer))


def _conditions(status: Status | None, expired: bool) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if status is not None:
        conditions.append(Job.status == status)
    if status is Status.APPROVED:
        conditions.append(Job.expired_at.is_(None))
    if expired:
        conditions.append(Job.expired_at.is_not(None))
    return conditions


def _contains(text: str) -> ColumnElement[bool]:
    searched = (Job.address, Job.external_id, Job.file_names)
    return or_(*(column.icontains(text, autoescape=True) for column in searched))


def _list_spellings(word: str) -> set[str]:
    # SQLite ignores the case of ASCII letters only; of other words, the usual spellings are searched.
    return {word} if word.isascii() else {word, word.lower(), word.upper(), word.capitalize()}


def _read_place(reader: Reader, account_id: str, job_id: str, sort: ListSort) -> Mapping[str, Any]:
    """The order's values of the columns by which the list is sorted, by name. Raises NotFound."""
    if not is_id(job_id, Prefix.JOB):
        raise NotFound
    found = reader.execute(_select_place(sort), {"account_id": account_id, "job_id": job_id})
    return require_found(found.one_or_none())._asdict()


@cache
def _select_place(sort: ListSort) -> Query:
    return select(*_SORT_ORDERS[sort].columns).where(_OF_ACCOUNT, Job.id == bindparam("job_id"))
