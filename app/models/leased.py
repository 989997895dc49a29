"""Columns and indexes of tables whose rows are work for workers, see services.leases."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.domain.lifecycle import UNFINISHED, WorkState


def partial_index(name: str, condition: str, *columns: str, unique: bool = False) -> Index:
    """A partial index: it holds only the rows that fulfill the condition, so it stays small where they are few.

    The database uses it only for queries that contain the condition with its values written out, see
    database.is_one_of().
    """
    where = text(condition)
    return Index(name, *columns, unique=unique, postgresql_where=where, sqlite_where=where)


def one_of(column: str, states: Iterable[StrEnum]) -> str:
    """The condition, for a partial index, that the column has one of these values."""
    return f"{column} IN ({', '.join(repr(each.value) for each in sorted(states))})"


class Leased:
    """A row that one worker at a time holds: the one whose claim is `claim_id`, until `lease_until`."""

    claim_id: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


def due_index(table: str, states: Iterable[StrEnum] = UNFINISHED) -> Index:
    """An index on the due time of rows in these states, by default of rows that wait or are worked on.
    services.leases finds work by it.
    """
    return partial_index(f"ix_{table}_undone", one_of("state", states), "next_attempt_at")


class Work(Leased):
    """A row that is work for a worker: begun `attempts` times so far, due at `next_attempt_at`."""

    state: Mapped[WorkState] = mapped_column(default=WorkState.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    next_attempt_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PostponableWork(Work):
    """Work that was put off `postponements` times while the store or the database was unreachable; these attempts
    do not count in `attempts`.
    """

    postponements: Mapped[int] = mapped_column(default=0)
