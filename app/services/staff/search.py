"""Finding by how something begins, at the same cost however many rows there are: ranges of indexes kept in the
order of bytes, read in that order, never more than a page of them.
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
"""No text goes on with a later character."""


@dataclass(frozen=True, slots=True)
class Range:
    """The rows whose column begins so. `key` is the primary key, the other part of the index."""

    column: InstrumentedAttribute[str]
    key: InstrumentedAttribute[str]
    begins: str


@dataclass(frozen=True, slots=True)
class Place:
    """A row in one of the ranges: what comes after it is wanted."""

    range: int
    text: str
    key: str


def list_spellings(search: str) -> list[str]:
    """How a name or an address may be written that somebody typed in a hurry; empty for nothing typed."""
    text = plain(search)
    ways = (text, text.lower(), text.title(), text.capitalize(), text.upper())
    return list(dict.fromkeys(ways)) if text else []


def place(ranges: Sequence[Range], row: object, key: str) -> Place:
    """Where the row stands in the ranges. Raises NotFound when it is in none."""
    for number, each in enumerate(ranges):
        text: str = getattr(row, each.column.key)
        if text.startswith(each.begins):
            return Place(number, text, key)
    raise NotFound


def fetch_first(
    session: Session, rows: Select[*tuple[Any, ...]], ranges: Sequence[Range], after: Place | None, limit: int
) -> list[Any]:
    """As many rows as `limit` from one range after the other, in one statement a range at most."""
    found: list[Any] = []
    for number, each in enumerate(ranges):
        if after is not None and number < after.range:
            continue
        text = _bytewise(session, each.column)
        conditions = [text >= each.begins, text < each.begins + _LAST]
        if after is not None and number == after.range:
            conditions.append(tuple_(text, each.key) > tuple_(after.text, after.key))
        query = rows.where(*conditions).order_by(text, each.key).limit(limit - len(found))
        found += session.execute(query).all()
        if len(found) >= limit:
            break
    return found


def _bytewise(session: Session, column: InstrumentedAttribute[str]) -> ColumnElement[str]:
    """The column compared byte by byte, as SQLite does of itself."""
    return column.collate("C") if session.get_bind().dialect.name == "postgresql" else column.expression
