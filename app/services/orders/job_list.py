"""The list of an account's jobs for programs: filtered, newest first, at the same cost however many jobs there are.

A page reads one range of one index: the index of the filter that probably finds the fewest jobs. The other filters
are applied to the next WINDOW jobs of this range, so a page may have fewer jobs than its limit; the next page
continues after them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, literal, select, true, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.catalog import ServiceType
from app.domain.errors import NotFound, require_found
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import Status, UndeliverableCode, WorkState
from app.domain.metadata import digest_pair
from app.models import Job, JobMetadata, Photo
from app.services.orders.jobs import Progress
from app.services.pagination import Page, SortOrder, cut_page

WINDOW = 1000
"""The number of jobs of the chosen index that one page looks at if there are other filters."""
_EARLIEST, _LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_LAST = "\U0010ffff"
"""The last character of Unicode: a prefix followed by it sorts after every text that has the prefix."""


@dataclass(frozen=True, slots=True)
class JobListFilter:
    """Which jobs are listed: those that meet all conditions. `created_from` is inclusive, `created_before`
    exclusive. `address_slug`: how the slug of the address begins. `pair`: a key and a value of its metadata.
    """

    statuses: frozenset[Status] = frozenset()
    created_from: datetime | None = None
    created_before: datetime | None = None
    address_slug: str = ""
    external_id: str | None = None
    pair: tuple[str, str] | None = None


class ListedJob(NamedTuple):
    """One job in the list. `done`: how many of its photos are processed."""

    id: str
    external_id: str | None
    own_metadata: dict[str, str] | None
    status: Status
    created_at: datetime
    address: str
    service_type: ServiceType
    interior_count: int
    exterior_count: int
    credit_cost: Decimal
    credits_refunded: Decimal
    error: str | None
    undeliverable_reason: str | None
    undeliverable_code: UndeliverableCode | None
    cancelled_at: datetime | None
    expired_at: datetime | None
    done: int

    @property
    def progress(self) -> Progress:
        """How many of its photos are processed; all of them once the photos are removed."""
        total = self.interior_count + self.exterior_count
        return Progress(total, total if self.expired_at else self.done)


class _Place(NamedTuple):
    """The job after which a page starts."""

    address_slug: str
    created_at: datetime
    id: str


@dataclass(frozen=True, slots=True)
class _Index:
    """The columns of an index after the account's; the last two are the job's time and id. `condition`: the
    condition of a partial index.
    """

    account: InstrumentedAttribute[str]
    columns: tuple[InstrumentedAttribute[Any], ...]
    condition: ColumnElement[bool] = field(default_factory=true)

    def read(self, account_id: str, first: Sequence[Any], end: Sequence[Any]) -> Select[*tuple[Any, ...]]:
        """The query for the account's jobs whose leading columns are at least `first` and below `end`, in
        descending order.

        It never has `column = value`: with that, a planner may read by time alone, through all other values.
        """
        within = (self._lead(first) >= self._row(first), self._lead(end) < self._row(end), self.condition)
        created_at, job_id = self.columns[-2:]
        places = select(job_id.label("id"), created_at.label("created_at"))
        return SortOrder(self.columns).sort(places.where(self.account == account_id, *within))

    def _lead(self, values: Sequence[Any]) -> ColumnElement[Any]:
        return tuple_(*self.columns[: len(values)])

    def _row(self, values: Sequence[Any]) -> ColumnElement[Any]:
        return tuple_(*(literal(each, column.type) for each, column in zip(values, self.columns, strict=False)))


_BY_TIME = _Index(Job.account_id, (Job.created_at, Job.id))
_BY_STATUS = _Index(Job.account_id, (Job.status, Job.created_at, Job.id))
_BY_ADDRESS = _Index(Job.account_id, (Job.address_slug, Job.created_at, Job.id))
_BY_EXTERNAL_ID = _Index(Job.account_id, (Job.external_id, Job.created_at, Job.id), Job.external_id.is_not(None))
_BY_PAIR = _Index(JobMetadata.account_id, (JobMetadata.digest, JobMetadata.created_at, JobMetadata.job_id))
_NEWEST = SortOrder((Job.created_at, Job.id))


def read_page(
    session: Session, account_id: str, wanted: JobListFilter, limit: int, after: str | None = None
) -> Page[ListedJob, str]:
    """Read at most `limit` jobs of the account, expired ones too: those after the job `after`, or the first ones.
    The newest job comes first; with an address filter, jobs of one address are together. Any page may have fewer
    rows than `limit`, or none, even if it is not the last. Raises NotFound when `after` is not a job of the
    account.
    """
    place = _read_place(session, account_id, after) if after else None
    if wanted.external_id is None and wanted.pair is None and not wanted.address_slug:
        found = _read_newest(session, account_id, wanted, place, limit + 1)
        ids = cut_page(found, limit, str)
        return Page(_read_rows(session, ids.rows), ids.next)
    places = _choose(account_id, wanted, place)
    if _is_by_one(wanted):
        ids = cut_page(session.scalars(places.limit(limit + 1)).all(), limit, str)
        return Page(_read_rows(session, ids.rows), ids.next)
    window = places.limit(WINDOW).subquery()
    matching = select(Job.id).join(window, window.c.id == Job.id).where(*_list_conditions(wanted))
    order = SortOrder(_BY_ADDRESS.columns) if _is_by_address(wanted) else _NEWEST
    ids = cut_page(session.scalars(order.sort(matching).limit(limit + 1)).all(), limit, str)
    end = ids.next or session.scalar(places.offset(WINDOW - 1).limit(1))
    return Page(_read_rows(session, ids.rows), end)


def _read_place(session: Session, account_id: str, job_id: str) -> _Place:
    if not is_id(job_id, Prefix.JOB):
        raise NotFound
    mine = select(Job.address_slug, Job.created_at, Job.id).where(Job.id == job_id, Job.account_id == account_id)
    return _Place(*require_found(session.execute(mine).one_or_none()))


def _read_newest(
    session: Session, account_id: str, wanted: JobListFilter, place: _Place | None, limit: int
) -> list[str]:
    """The ids of the first `limit` jobs with one of the wanted statuses, or of all jobs; each status has a query of
    its own.
    """
    by_status: list[tuple[_Index, tuple[Status, ...]]] = [(_BY_STATUS, (each,)) for each in sorted(wanted.statuses)]
    indexes = by_status or [(_BY_TIME, ())]
    found = [
        row
        for index, values in indexes
        for row in session.execute(index.read(account_id, *_between(values, wanted, place)).limit(limit))
    ]
    return [row.id for row in sorted(found, key=lambda row: (row.created_at, row.id), reverse=True)[:limit]]


def _choose(account_id: str, wanted: JobListFilter, place: _Place | None) -> Select[*tuple[Any, ...]]:
    if wanted.external_id is not None:
        return _BY_EXTERNAL_ID.read(account_id, *_between((wanted.external_id,), wanted, place))
    if wanted.pair is not None:
        return _BY_PAIR.read(account_id, *_between((digest_pair(*wanted.pair),), wanted, place))
    begin = wanted.address_slug
    end = (place.address_slug, place.created_at, place.id) if place else (begin + _LAST,)
    return _BY_ADDRESS.read(account_id, (begin,), end)


def _is_by_one(wanted: JobListFilter) -> bool:
    """Whether the chosen index alone finds exactly the jobs that meet all conditions."""
    count = sum((bool(wanted.statuses), bool(wanted.address_slug), bool(wanted.external_id), bool(wanted.pair)))
    return count == 1 and not (wanted.address_slug and (wanted.created_from or wanted.created_before))


def _is_by_address(wanted: JobListFilter) -> bool:
    return wanted.external_id is None and wanted.pair is None


def _between(
    values: Sequence[Any], wanted: JobListFilter, place: _Place | None
) -> tuple[Sequence[Any], Sequence[Any]]:
    """The start and the end of the range of an index with these leading values."""
    end = (place.created_at, place.id) if place else (wanted.created_before or _LATEST,)
    return (*values, wanted.created_from or _EARLIEST), (*values, *end)


def _list_conditions(wanted: JobListFilter) -> list[ColumnElement[bool]]:
    """All conditions, for jobs that were found by an index of one of them."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.statuses:
        conditions.append(Job.status.in_(sorted(wanted.statuses)))
    if wanted.created_from:
        conditions.append(Job.created_at >= wanted.created_from)
    if wanted.created_before:
        conditions.append(Job.created_at < wanted.created_before)
    if wanted.address_slug:
        conditions.append(Job.address_slug.between(wanted.address_slug, wanted.address_slug + _LAST))
    if wanted.external_id is not None and wanted.pair is not None:
        mine = (JobMetadata.account_id == Job.account_id, JobMetadata.created_at == Job.created_at)
        pair = and_(JobMetadata.job_id == Job.id, JobMetadata.digest == digest_pair(*wanted.pair), *mine)
        conditions.append(select(JobMetadata.job_id).where(pair).exists())
    return conditions


def _read_rows(session: Session, ids: Sequence[str]) -> list[ListedJob]:
    done = select(func.count()).where(Photo.job_id == Job.id, Photo.state == WorkState.DONE).scalar_subquery()
    columns = [getattr(Job, name) for name in ListedJob._fields if name != "done"]
    rows = session.execute(select(*columns, done.label("done")).where(Job.id.in_(ids)))
    found = {row.id: ListedJob(**row._asdict()) for row in rows}
    return [found[each] for each in ids]
