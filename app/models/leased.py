"""The columns of work that waits in a table, see services.leases."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.domain.lifecycle import WorkState


class Leased:
    """What one worker at a time holds: `claim_id` says which, until `lease_until`."""

    claim_id: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Work(Leased):
    """What a worker has to do, tried `attempts` times so far and next at `next_attempt_at`."""

    state: Mapped[WorkState] = mapped_column(default=WorkState.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    next_attempt_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PostponableWork(Work):
    """Work whose attempts waited `postponements` times for the store or the database, uncounted."""

    postponements: Mapped[int] = mapped_column(default=0)
