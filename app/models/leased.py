"""The columns of work that waits in a table, see services.leases."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.domain.lifecycle import UNDONE, WorkState


def partial_index(name: str, condition: str, *columns: str, unique: bool = False) -> Index:
    """An index of the rows that fulfill the condition alone: it stays as small as they are few.

    A query finds it only where the condition stands in it with its values written out, see database.is_one_of().
    """
    where = text(condition)
    return Index(name, *columns, unique=unique, postgresql_where=where, sqlite_where=where)


def one_of(column: str, states: Iterable[StrEnum]) -> str:
    """The condition of an index: that the column is one of these."""
    return f"{column} IN ({', '.join(repr(each.value) for each in sorted(states))})"


class Leased:
    """What one worker at a time holds: `claim_id` says which, until `lease_until`."""

    claim_id: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


def due_index(table: str, states: Iterable[StrEnum] = UNDONE) -> Index:
    """The index of what waits or is worked on, by when it is due: services.leases looks for work by it."""
    return partial_index(f"ix_{table}_undone", one_of("state", states), "next_attempt_at")


class Work(Leased):
    """What a worker has to do, tried `attempts` times so far and next at `next_attempt_at`."""

    state: Mapped[WorkState] = mapped_column(default=WorkState.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    next_attempt_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PostponableWork(Work):
    """Work whose attempts waited `postponements` times for the store or the database, uncounted."""

    postponements: Mapped[int] = mapped_column(default=0)
