"""Reads the ledger of an account: filtered, one page at a time, or all lines in batches for a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, false, select
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ids import Prefix, is_id
from app.domain.ledger import LedgerKind
from app.models import Job, LedgerLine, Receipt
from app.services.pagination import Cursor, Page, Query, SortOrder, TwoWayPage, cut_page, paginate_both_ways

PAGE = 50
BATCH = 1000
MAX_SKEW = timedelta(hours=1)
"""A line with a later id may have a `created_at` earlier by at most this time: a line gets its id when it is
written, but `created_at` is the time at which its request began.
"""
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
"""The first and the last day that a filter may name."""
_MAX_ID = 2**63 - 1
"""The largest id of a line: ids are signed integers of 64 bits."""
_ORDER = SortOrder((LedgerLine.id,))


@dataclass(frozen=True, slots=True)
class LedgerFilter:
    """The conditions that ledger lines must all meet to be read. `since` and `until` are the first and the last
    day, in UTC.
    """

    kind: LedgerKind | None = None
    since: date | None = None
    until: date | None = None
    job_id: str = ""

    def __bool__(self) -> bool:
        return bool(self.kind or self.since or self.until or self.job_id)

    @property
    def start(self) -> datetime:
        """The start of the first day."""
        return datetime.combine(self.since or FIRST_DAY, time.min, UTC)

    @property
    def end(self) -> datetime:
        """The end of the last day, which is the start of the next day."""
        return datetime.combine((self.until or LAST_DAY) + timedelta(days=1), time.min, UTC)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One ledger line, with the order or the receipt that it belongs to."""

    line_id: int
    created_at: datetime
    kind: LedgerKind
    reason: str
    amount: Decimal
    balance_after: Decimal
    job_id: str | None
    address: str | None
    job_expired_at: datetime | None
    purchase_id: str | None
    receipt_number: int | None
    cause: str


_COLUMNS = (
    LedgerLine.id,
    LedgerLine.created_at,
    LedgerLine.kind,
    LedgerLine.reason,
    LedgerLine.amount,
    LedgerLine.balance_after,
    LedgerLine.job_id,
    Job.address,
    Job.expired_at,
    LedgerLine.purchase_id,
    Receipt.number,
    LedgerLine.cause,
)


@dataclass(frozen=True, slots=True)
class _Span:
    """The lines whose id is greater than `above` and less than `below`."""

    above: int = 0
    below: int = _MAX_ID

    def older(self, line_id: int) -> "_Span":
        """The part of the span that is older than this line."""
        return _Span(self.above, min(max(line_id, 0), self.below))

    def newer(self, line_id: int) -> "_Span":
        """The part of the span that is newer than this line."""
        return _Span(max(self.above, min(line_id, _MAX_ID)), self.below)

    def filter(self, query: Query) -> Query:
        return query.where(LedgerLine.id > self.above, LedgerLine.id < self.below)


def paginate(
    session: Session, account_id: str, wanted: LedgerFilter, at: Cursor[int] | None = None
) -> TwoWayPage[LedgerRow, int]:
    """PAGE lines of the account before or after `at`, or the first page, in at most three queries."""
    query, span = _build_query(account_id, wanted), _find_span(session, account_id, wanted)

    def read(cursor: Cursor[int] | None, limit: int) -> Sequence[Any]:
        newer, within = False, span
        if cursor is not None:
            newer, within = cursor.newer, span.newer(cursor.key) if cursor.newer else span.older(cursor.key)
        return session.execute(_ORDER.sort(within.filter(query), backwards=newer).limit(limit)).all()

    page = paginate_both_ways(read, at, PAGE, lambda row: row.id)
    return replace(page, rows=[LedgerRow(*each) for each in page.rows])


def read_page(
    session: Session, account_id: str, wanted: LedgerFilter, limit: int, after: int | None = None
) -> Page[LedgerRow, int]:
    """At most `limit` lines of the account, newest first, beginning after the line with the id `after`, or with the
    newest line.
    """
    span = _find_span(session, account_id, wanted)
    within = span if after is None else span.older(after)
    query = _ORDER.sort(within.filter(_build_query(account_id, wanted))).limit(limit + 1)
    return cut_page([LedgerRow(*each) for each in session.execute(query)], limit, lambda row: row.line_id)


def read_batches(database: Database, account_id: str, wanted: LedgerFilter) -> Iterator[Sequence[LedgerRow]]:
    """All lines that the filter selects, newest first, BATCH at a time. Between two batches no session is open."""
    with database.read_session() as session:
        span = _find_span(session, account_id, wanted)
    while True:
        query = span.filter(_build_query(account_id, wanted)).order_by(LedgerLine.id.desc()).limit(BATCH)
        with database.read_session() as session:
            rows = [LedgerRow(*each) for each in session.execute(query)]
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        span = span.older(rows[-1].line_id)


def _build_query(account_id: str, wanted: LedgerFilter) -> Query:
    joined = select(*_COLUMNS).outerjoin(Job, Job.id == LedgerLine.job_id)
    whole = joined.outerjoin(Receipt, Receipt.purchase_id == LedgerLine.purchase_id)
    return whole.where(LedgerLine.account_id == account_id, *_conditions(wanted))


def _conditions(wanted: LedgerFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.kind is not None:
        yield LedgerLine.kind == wanted.kind
    if wanted.job_id:
        # An order has few lines. With the subquery, the database finds them first, by their index.
        of_job = select(LedgerLine.id).where(LedgerLine.job_id == wanted.job_id)
        yield LedgerLine.id.in_(of_job) if is_id(wanted.job_id, Prefix.JOB) else false()
    if wanted.since is not None:
        yield LedgerLine.created_at >= wanted.start
    if wanted.until is not None:
        yield LedgerLine.created_at < wanted.end


def _find_span(session: Session, account_id: str, wanted: LedgerFilter) -> _Span:
    """The days of the filter as a span of line ids, so that a page of any month is read by the index of ids."""
    if wanted.since is None and wanted.until is None:
        return _Span()
    mine = select(LedgerLine.id).where(LedgerLine.account_id == account_id)
    before = mine.where(LedgerLine.created_at < wanted.start - MAX_SKEW)
    after = mine.where(LedgerLine.created_at >= wanted.end + MAX_SKEW)
    last = before.order_by(LedgerLine.created_at.desc(), LedgerLine.id.desc()).limit(1).scalar_subquery()
    first = after.order_by(LedgerLine.created_at, LedgerLine.id).limit(1).scalar_subquery()
    above, below = session.execute(select(last, first)).one()
    return _Span(above or 0, below or _MAX_ID)
