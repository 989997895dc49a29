"""Search by prefix. Its cost does not grow with the number of rows: it reads at most a page, from ranges of an
index that is sorted byte by byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.errors import NotFound
from app.services.orders.order_list import plain

PAGE = 25
_LAST = "\U0010ffff"
"""The last character of Unicode: a prefix followed by it sorts after every text that has the prefix."""


@dataclass(frozen=True, slots=True)
class Range:
    """The rows whose `column` starts with `prefix`. `key` is the primary key, the second column of the index."""

    column: InstrumentedAttribute[str]
    key: InstrumentedAttribute[str]
    prefix: str


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a row, after which a page starts: the index of its range, its column's text, its key."""

    range: int
    text: str
    key: str


def list_spellings(search: str) -> list[str]:
    """The spellings in which a typed name or address may be stored: as typed, and with other capitals. Empty when
    nothing was typed.
    """
    text = plain(search)
    spellings = (text, text.lower(), text.title(), text.capitalize(), text.upper())
    return list(dict.fromkeys(spellings)) if text else []


def find_place(ranges: Sequence[Range], row: object, key: str) -> Place:
    """The position of the row in the ranges. Raises NotFound when it is in none of them."""
    for number, each in enumerate(ranges):
        text: str = getattr(row, each.column.key)
        if text.startswith(each.prefix):
            return Place(number, text, key)
    raise NotFound


def fetch_first(
    session: Session, rows: Select[*tuple[Any, ...]], ranges: Sequence[Range], after: Place | None, limit: int
) -> list[Any]:
    """The first `limit` rows after the position `after`, range by range, in at most one query for each range."""
    found: list[Any] = []
    for number, each in enumerate(ranges):
        if after is not None and number < after.range:
            continue
        text = _bytewise(session, each.column)
        conditions = [text >= each.prefix, text < each.prefix + _LAST]
        if after is not None and number == after.range:
            conditions.append(tuple_(text, each.key) > tuple_(after.text, after.key))
        query = rows.where(*conditions).order_by(text, each.key).limit(limit - len(found))
        found += session.execute(query).all()
        if len(found) >= limit:
            break
    return found


def _bytewise(session: Session, column: InstrumentedAttribute[str]) -> ColumnElement[str]:
    """The column compared byte by byte: PostgreSQL needs a collation for that, SQLite does so by default."""
    return column.collate("C") if session.get_bind().dialect.name == "postgresql" else column.expression
