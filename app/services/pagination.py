"""Lists page by page (keyset pagination): a page begins after a row, and costs the same wherever that lies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

Row = TypeVar("Row")
Key = TypeVar("Key", str, int)
Query = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Cursor(Generic[Key]):
    """A place in a list that is read in both directions: what comes after the row `key`, or before it (`newer`)."""

    key: Key
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Row, Key]):
    """Some rows of a list; `next` names the row after which the next page begins, None at the end."""

    rows: Sequence[Row]
    next: Key | None


@dataclass(frozen=True, slots=True)
class CountedPage(Page[Row, Key]):
    """A page of a list that has `total` rows in all."""

    total: int


@dataclass(frozen=True, slots=True)
class TwoWayPage(Generic[Row, Key]):
    """Some rows, newest first; `newer` and `older` lead to the pages beside it, None at the ends."""

    rows: Sequence[Row]
    newer: Cursor[Key] | None
    older: Cursor[Key] | None


@dataclass(frozen=True, slots=True)
class SortOrder:
    """How a list is ordered: by these columns, of which the last is unique; from the largest down, or up."""

    columns: tuple[InstrumentedAttribute[Any], ...]
    descending: bool = True

    def sort(self, query: Query, *, backwards: bool = False) -> Query:
        """The rows in this order, or in the opposite one."""
        down = self.descending is not backwards
        return query.order_by(*(each.desc() if down else each.asc() for each in self.columns))

    def beyond(self, place: Sequence[Any], *, backwards: bool = False) -> ColumnElement[bool]:
        """What comes after the row with these values of the columns, or before it."""
        here, there = tuple_(*self.columns), tuple_(*place)
        return here < there if self.descending is not backwards else here > there


def cut_page(found: Sequence[Row], limit: int, key: Callable[[Row], Key]) -> Page[Row, Key]:
    """A page of what was found with a limit of `limit` + 1: one row too many tells that more follow."""
    return Page(found[:limit], key(found[limit - 1]) if len(found) > limit else None)


def paginate_both_ways(
    read: Callable[[Cursor[Key] | None, int], Sequence[Any]],
    at: Cursor[Key] | None,
    limit: int,
    key: Callable[[Any], Key],
) -> TwoWayPage[Any, Key]:
    """`limit` rows after or before `at`, in two queries at most; the first page where nothing is there any more.

    `read` gives so many rows from a cursor on, in the order in which they are met: the newest first, and backwards,
    for newer ones, the nearest first. A page that would be short at the newest end is the first one, whole.
    """

    def some(cursor: Cursor[Key] | None) -> tuple[Sequence[Any], bool]:
        found = read(cursor, limit + 1)
        return found[:limit], len(found) > limit

    if at is not None:
        rows, more = some(at)
        if at.newer and more:
            return TwoWayPage(rows[::-1], Cursor(key(rows[-1]), newer=True), Cursor(key(rows[0])))
        if not at.newer and rows:
            return TwoWayPage(rows, Cursor(key(rows[0]), newer=True), Cursor(key(rows[-1])) if more else None)
    rows, more = some(None)
    return TwoWayPage(rows, None, Cursor(key(rows[-1])) if more else None)
