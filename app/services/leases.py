"""Work that waits in a table: claimed by one worker under a lease, renewed, finished, retried, released.

The id of the claim is the fencing token: a worker that has lost its claim changes nothing.
"""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.database import Database, is_one_of
from app.domain.attempts import AttemptRules
from app.domain.lifecycle import WorkState


@dataclass(frozen=True, slots=True)
class WorkHold:
    """What a watch does about a claim: `renew` its lease (False: it was lost), `give_up` when the work takes too
    long, `release` it for another worker when this one has to stop.
    """

    renew: Callable[[], bool]
    give_up: Callable[[], object]
    release: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Lease:
    """One worker's hold on the row `key`, for its `attempt`, counted from 1."""

    claim_id: str
    key: Any
    attempt: int


@dataclass(frozen=True, slots=True)
class WorkQueue:
    """The rows of one table as work, see models.leased. `key` names a row, `attempts` counts its attempts."""

    key: InstrumentedAttribute[Any]
    attempts: InstrumentedAttribute[int]
    rules: AttemptRules
    waiting: StrEnum = WorkState.WAITING
    working: StrEnum = WorkState.WORKING

    @property
    def model(self) -> Any:
        """The table."""
        return self.key.class_

    def is_due(self, now: datetime) -> ColumnElement[bool]:
        """Waiting work whose time has come, and claims whose lease ran out."""
        undone = is_one_of(self.model.state, (self.waiting, self.working))
        free = or_(self.model.state == self.waiting, self.model.lease_until < now)
        # What is worked on was due before its lease began: by this all of it is found in one stretch of the index.
        return and_(undone, self.model.next_attempt_at <= now, free)

    def is_held(self, held: Lease) -> ColumnElement[bool]:
        """The row, while it is this worker's."""
        fence = self.model.claim_id == held.claim_id
        return and_(self.key == held.key, fence, self.model.state == self.working)

    def claim(
        self,
        session: Session,
        key: Any,
        now: datetime,
        *conditions: ColumnElement[bool],
        lease: timedelta | None = None,
    ) -> Lease | None:
        """Take the row if it is due and nobody else's; the attempt counts from now on, whatever becomes of it.

        `lease`: instead of the usual one. None when there is nothing to take.
        """
        return self._take(session, and_(self.key == key, self.is_due(now), *conditions), now, lease)

    def claim_next(self, session: Session, now: datetime) -> Lease | None:
        """Take the row longest due of those that nobody else is just taking; None when there is none."""
        longest = select(self.key).where(self.is_due(now)).order_by(self.model.next_attempt_at).limit(1)
        which = self.key == longest.with_for_update(skip_locked=True).scalar_subquery()
        return self._take(session, which, now)

    def _take(
        self, session: Session, which: ColumnElement[bool], now: datetime, lease: timedelta | None = None
    ) -> Lease | None:
        claim_id = uuid.uuid4().hex
        values = {
            "state": self.working,
            "claim_id": claim_id,
            "lease_until": now + (lease or self.rules.lease),
            self.attempts.key: self.attempts + 1,
        }
        taken = update(self.model).where(which).values(values).returning(self.key, self.attempts)
        row = session.execute(taken.execution_options(synchronize_session=False)).first()
        return None if row is None else Lease(claim_id, *row)

    def renew(self, session: Session, held: Lease, now: datetime) -> bool:
        """Show a sign of life; False when the claim was lost to another worker, or the row is gone."""
        return self.change(session, self.is_held(held), lease_until=now + self.rules.lease)

    def finish(self, session: Session, held: Lease, **values: Any) -> bool:
        """The work is done; False, with nothing changed, when the claim was lost meanwhile."""
        return self._let_go(session, held, state=WorkState.DONE, **values)

    def retry(self, session: Session, held: Lease, now: datetime, **values: Any) -> bool:
        """Let another attempt follow, later each time: there must be one left. False like finish()."""
        again_at = now + self.rules.delays[held.attempt - 1]
        return self._let_go(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def release(self, session: Session, held: Lease, now: datetime) -> bool:
        """Let go of what must stop through no fault of the work: another attempt follows at once, uncounted."""
        uncounted = {self.attempts.key: self.attempts - 1}
        return self._let_go(session, held, state=self.waiting, next_attempt_at=now, **uncounted)

    def postpone(self, session: Session, held: Lease, now: datetime) -> bool:
        """What it needs was away: another attempt follows, later each time, uncounted. False like finish()."""
        count = session.scalar(select(self.model.postponements).where(self.is_held(held)).with_for_update())
        if count is None:
            return False
        again_at = now + self.rules.pauses[min(count, len(self.rules.pauses) - 1)]
        values = {self.attempts.key: self.attempts - 1, "postponements": count + 1}
        return self._let_go(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def give_back_attempt(self, session: Session, held: Lease) -> None:
        """Take back the try of a claim that was lost because its holder could not reach the database."""
        open_ = and_(self.key == held.key, self.model.state != WorkState.DONE, self.attempts > 0)
        self.change(session, open_, **{self.attempts.key: self.attempts - 1})

    def due(self, session: Session, now: datetime, limit: int) -> list[str]:
        """The rows longest due."""
        rows = select(self.key).where(self.is_due(now)).order_by(self.model.next_attempt_at)
        return list(session.scalars(rows.limit(limit)))

    def change(self, session: Session, which: ColumnElement[bool], **values: Any) -> bool:
        """Change the one row; False when it is not there."""
        changed = update(self.model).where(which).values(values).returning(self.key)
        return session.execute(changed.execution_options(synchronize_session=False)).first() is not None

    def _let_go(self, session: Session, held: Lease, **values: Any) -> bool:
        return self.change(session, self.is_held(held), claim_id=None, lease_until=None, **values)


@dataclass(frozen=True, slots=True)
class LeasedWorker:
    """A worker of one queue; `watch` guards a hold while the work takes its time."""

    queue: ClassVar[WorkQueue]

    database: Database
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]

    def _watched(self, held: Lease, too_late: Callable[[], object]) -> AbstractContextManager[None]:
        """Hold the claim while its work goes on; `too_late` is done about it when that takes too long."""
        renew, release = (partial(self._write, act, held) for act in (self.queue.renew, self.queue.release))
        return self.watch(WorkHold(renew, too_late, release))

    def _put_off(self, held: Lease) -> None:
        self._write(self.queue.postpone, held)

    def _write(self, act: Callable[[Session, Any, datetime], bool], held: Lease) -> bool:
        """Do this to the claim, in a unit of work of its own; False when the claim was lost."""
        with self.database.unit_of_work() as session:
            return act(session, held, self.clock())
