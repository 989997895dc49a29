"""The list of an account's orders: searched by address, filtered by state, page by page in both directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select, tuple_
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import TIMED, Status
from app.models import Job

PAGE = 25
MAX_SEARCH, MAX_WORDS, MAX_WORD = 300, 10, 60
"""More of a search than this says nothing more about an address."""
_Query = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Filter:
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
class Cursor:
    """A place in the list: what is older than the order `job_id`, or newer."""

    job_id: str
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Row:
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


@dataclass(frozen=True, slots=True)
class Page:
    """Some orders, newest first; `newer` and `older` lead to the pages beside it, None at the ends."""

    rows: Sequence[Row]
    newer: Cursor | None
    older: Cursor | None

    @property
    def unfinished(self) -> bool:
        """Whether something on it still moves by itself."""
        return any(row.unfinished for row in self.rows)


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


def page(session: Session, account_id: str, wanted: Filter | None = None, at: Cursor | None = None) -> Page:
    """PAGE orders of the account, in three queries at most however many there are.

    Raises NotFound when the order that `at` names is none of the account's.
    """
    query = select(*_COLUMNS).where(Job.account_id == account_id, *_conditions(wanted or Filter()))
    newest_first = query.order_by(Job.created_at.desc(), Job.id.desc())
    if at is None:
        return _first(session, newest_first)
    here, there = tuple_(Job.created_at, Job.id), tuple_(_place(session, account_id, at.job_id), at.job_id)
    if not at.newer:
        rows, more = _some(session, newest_first.where(here < there))
        return Page(rows, _newer(rows), _older(rows, more)) if rows else _first(session, newest_first)
    # Read backwards, from the end of the page.
    rows, more = _some(session, query.where(here > there).order_by(Job.created_at, Job.id))
    if not more:
        return _first(session, newest_first)  # whole, where this one might be short
    return Page(rows[::-1], _newer(rows[::-1]), _older(rows[::-1], more))


def _first(session: Session, newest_first: _Query) -> Page:
    rows, more = _some(session, newest_first)
    return Page(rows, None, _older(rows, more))


def _newer(rows: Sequence[Row]) -> Cursor | None:
    return Cursor(rows[0].job_id, newer=True) if rows else None


def _older(rows: Sequence[Row], more: bool) -> Cursor | None:
    return Cursor(rows[-1].job_id) if more else None


def _some(session: Session, query: _Query) -> tuple[list[Row], bool]:
    """As many as fit, and whether there are more: one row too many tells."""
    found = [_row(each) for each in session.execute(query.limit(PAGE + 1))]
    return found[:PAGE], len(found) > PAGE


def last_price(session: Session, account_id: str) -> Decimal | None:
    """What the account's last order cost; None when it never ordered."""
    mine = select(Job.credit_cost).where(Job.account_id == account_id)
    return session.scalar(mine.order_by(Job.created_at.desc(), Job.id.desc()).limit(1))


def _conditions(wanted: Filter) -> list[ColumnElement[bool]]:
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


def _row(found: Any) -> Row:
    return Row(
        job_id=found.id,
        address=found.address,
        status=found.status,
        photo_count=found.interior_count + found.exterior_count,
        credit_cost=found.credit_cost,
        credits_refunded=found.credits_refunded,
        created_at=found.created_at,
        expired=found.expired_at is not None,
    )
