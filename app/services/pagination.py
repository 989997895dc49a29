"""Keyset pagination: a page starts after a given row, which costs the same everywhere in the list."""

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
    """Where a page of a two-way list starts: after the row `key` or, with `newer`, before it."""

    key: Key
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Row, Key]):
    """Some rows of a list. `next`: the key of the row after which the next page starts; None at the end."""

    rows: Sequence[Row]
    next: Key | None


@dataclass(frozen=True, slots=True)
class CountedPage(Page[Row, Key]):
    """A page of a list that has `total` rows in all."""

    total: int


@dataclass(frozen=True, slots=True)
class TwoWayPage(Generic[Row, Key]):
    """Some rows, newest first. `newer`, `older`: cursors of the previous and the next page; None at the ends."""

    rows: Sequence[Row]
    newer: Cursor[Key] | None
    older: Cursor[Key] | None


@dataclass(frozen=True, slots=True)
class SortOrder:
    """The order of a list: by these columns, of which the last is unique."""

    columns: tuple[InstrumentedAttribute[Any], ...]
    descending: bool = True

    def sort(self, query: Query, *, backwards: bool = False) -> Query:
        """The query sorted in this order or, with `backwards`, in the opposite order."""
        down = self.descending != backwards
        return query.order_by(*(each.desc() if down else each.asc() for each in self.columns))

    def beyond(self, place: Sequence[Any], *, backwards: bool = False) -> ColumnElement[bool]:
        """SQL condition: the row is after the row with these column values or, with `backwards`, before it."""
        row, start = tuple_(*self.columns), tuple_(*place)
        return row < start if self.descending != backwards else row > start


def cut_page(found: Sequence[Row], limit: int, key: Callable[[Row], Key]) -> Page[Row, Key]:
    """A page of at most `limit` rows. The caller has read `limit` + 1 rows: the extra row means that there is a
    next page.
    """
    return Page(found[:limit], key(found[limit - 1]) if len(found) > limit else None)


def paginate_both_ways(
    read: Callable[[Cursor[Key] | None, int], Sequence[Any]],
    at: Cursor[Key] | None,
    limit: int,
    key: Callable[[Any], Key],
) -> TwoWayPage[Any, Key]:
    """The page of `limit` rows after or before `at`, in at most two queries. The first page is returned if no row
    is after `at`, or if at most one page of rows is before it.

    `read(cursor, count)` returns at most `count` rows next to the cursor, the nearest first: older rows from new to
    old, newer rows from old to new. Without a cursor it returns the newest rows.
    """

    def read_rows(cursor: Cursor[Key] | None) -> tuple[Sequence[Any], bool]:
        found = read(cursor, limit + 1)
        return found[:limit], len(found) > limit

    if at is not None:
        rows, more = read_rows(at)
        if at.newer and more:
            return TwoWayPage(rows[::-1], Cursor(key(rows[-1]), newer=True), Cursor(key(rows[0])))
        if not at.newer and rows:
            return TwoWayPage(rows, Cursor(key(rows[0]), newer=True), Cursor(key(rows[-1])) if more else None)
    rows, more = read_rows(None)
    return TwoWayPage(rows, None, Cursor(key(rows[-1])) if more else None)
