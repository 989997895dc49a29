"""Work that waits in table rows: claimed by one worker under a lease, renewed, finished, retried, released.

The id of a claim is a fencing token: a worker that has lost its claim can change nothing.
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
class ClaimCallbacks:
    """The actions of a watch on a claim.

    `renew` its lease; False when the claim was lost. `give_up` when the work takes too long. `release` it for
    another worker when this one has to stop.
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
    """The rows of one table as work, see models.leased.

    `key` is the column that identifies a row, `attempts` the column that counts its attempts; `waiting` and
    `working` are the names of its states.
    """

    key: InstrumentedAttribute[Any]
    attempts: InstrumentedAttribute[int]
    rules: AttemptRules
    waiting: StrEnum = WorkState.WAITING
    working: StrEnum = WorkState.WORKING

    @property
    def model(self) -> Any:
        """The model class of the table."""
        return self.key.class_

    def is_due(self, now: datetime) -> ColumnElement[bool]:
        """SQL condition: the row waits and its time has come, or its claim's lease has expired."""
        undone = is_one_of(self.model.state, (self.waiting, self.working))
        free = or_(self.model.state == self.waiting, self.model.lease_until < now)
        # A claimed row was due before it was claimed, so this holds for it too, and one index range has all rows.
        return and_(undone, self.model.next_attempt_at <= now, free)

    def is_held(self, held: Lease) -> ColumnElement[bool]:
        """SQL condition: the row is still held by this claim."""
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
        """Claim the row if it is due and no other worker has it; the attempt counts from now on in any case.

        `lease`: in place of the queue's usual lease. None when there is nothing to claim.
        """
        return self._take(session, and_(self.key == key, self.is_due(now), *conditions), now, lease)

    def claim_next(self, session: Session, now: datetime) -> Lease | None:
        """Claim the row longest due, except rows that another worker is just claiming; None when there is none."""
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
        """Extend the lease; False when the claim was lost to another worker, or the row was deleted."""
        return self.change(session, self.is_held(held), lease_until=now + self.rules.lease)

    def finish(self, session: Session, held: Lease, **values: Any) -> bool:
        """Mark the work as done and set `values`; False, with nothing changed, when the claim was lost."""
        return self._end_claim(session, held, state=WorkState.DONE, **values)

    def retry(self, session: Session, held: Lease, now: datetime, **values: Any) -> bool:
        """Queue another attempt, after a delay that grows each time; one must be left. False like finish()."""
        again_at = now + self.rules.delays[held.attempt - 1]
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def release(self, session: Session, held: Lease, now: datetime) -> bool:
        """Release work whose worker has to stop: it is due again at once, and this attempt does not count."""
        uncounted = {self.attempts.key: self.attempts - 1}
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=now, **uncounted)

    def postpone(self, session: Session, held: Lease, now: datetime) -> bool:
        """Queue another attempt because the store or the database was unreachable, after a pause that grows each
        time; this attempt does not count. False like finish().
        """
        count = session.scalar(select(self.model.postponements).where(self.is_held(held)).with_for_update())
        if count is None:
            return False
        again_at = now + self.rules.pauses[min(count, len(self.rules.pauses) - 1)]
        values = {self.attempts.key: self.attempts - 1, "postponements": count + 1}
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def give_back_attempt(self, session: Session, held: Lease) -> None:
        """Do not count the attempt of a claim that was lost because its worker could not reach the database."""
        open_ = and_(self.key == held.key, self.model.state != WorkState.DONE, self.attempts > 0)
        self.change(session, open_, **{self.attempts.key: self.attempts - 1})

    def due(self, session: Session, now: datetime, limit: int) -> list[str]:
        """The keys of up to `limit` due rows, the longest due first."""
        rows = select(self.key).where(self.is_due(now)).order_by(self.model.next_attempt_at)
        return list(session.scalars(rows.limit(limit)))

    def change(self, session: Session, which: ColumnElement[bool], **values: Any) -> bool:
        """Change the row that meets the condition; False when no row does."""
        changed = update(self.model).where(which).values(values).returning(self.key)
        return session.execute(changed.execution_options(synchronize_session=False)).first() is not None

    def _end_claim(self, session: Session, held: Lease, **values: Any) -> bool:
        return self.change(session, self.is_held(held), claim_id=None, lease_until=None, **values)


@dataclass(frozen=True, slots=True)
class LeasedWorker:
    """Base class of workers of one queue; `watch` keeps a claim alive during the work, see ClaimCallbacks."""

    queue: ClassVar[WorkQueue]

    database: Database
    clock: Callable[[], datetime]
    watch: Callable[[ClaimCallbacks], AbstractContextManager[None]]

    def _watched(self, held: Lease, too_late: Callable[[], object]) -> AbstractContextManager[None]:
        """Keep the claim alive during the work; `too_late` is called when the work takes too long."""
        renew, release = (partial(self._write, act, held) for act in (self.queue.renew, self.queue.release))
        return self.watch(ClaimCallbacks(renew, too_late, release))

    def _put_off(self, held: Lease) -> None:
        self._write(self.queue.postpone, held)

    def _write(self, act: Callable[[Session, Any, datetime], bool], held: Lease) -> bool:
        """Call `act` with the claim, in a unit of work of its own; False when the claim was lost."""
        with self.database.unit_of_work() as session:
            return act(session, held, self.clock())
