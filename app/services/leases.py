"""Work in rows of tables: a worker claims a row for the time of a lease, which it renews, and ends the claim.

The id of a claim is a fencing token: it is compared at each write, so a worker that lost its claim changes nothing.
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
    """The functions that a watch over a claim calls.

    `renew` extends the lease; False when the claim was lost. `give_up` is called when the work takes too long,
    `release` when this worker must stop and another one may take the work.
    """

    renew: Callable[[], bool]
    give_up: Callable[[], object]
    release: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Lease:
    """One worker's claim on the row `key`. `attempt`: the number of this attempt at the work, counted from 1."""

    claim_id: str
    key: Any
    attempt: int


@dataclass(frozen=True, slots=True)
class WorkQueue:
    """The rows of one table as a queue of work; models.leased has the columns.

    `key` is the column that identifies a row, `attempts` the column that counts its attempts. `waiting` and
    `working` are the values of its state.
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
        """SQL condition: the row waits and is due, or the lease of its claim has expired."""
        unfinished = is_one_of(self.model.state, (self.waiting, self.working))
        free = or_(self.model.state == self.waiting, self.model.lease_until < now)
        # A claimed row was due before, so next_attempt_at is in the past for it too: one index finds all rows.
        return and_(unfinished, self.model.next_attempt_at <= now, free)

    def is_held(self, held: Lease) -> ColumnElement[bool]:
        """SQL condition: this is the row of the claim, and the claim is still valid."""
        is_same_claim = self.model.claim_id == held.claim_id
        return and_(self.key == held.key, is_same_claim, self.model.state == self.working)

    def claim(
        self,
        session: Session,
        key: Any,
        now: datetime,
        *conditions: ColumnElement[bool],
        lease: timedelta | None = None,
    ) -> Lease | None:
        """Claim the row if it is due and no other worker has claimed it; this counts as an attempt. None when there
        is nothing to claim. `lease`: the duration of the lease, if it is not the usual one of the queue.
        """
        return self._claim_where(session, and_(self.key == key, self.is_due(now), *conditions), now, lease)

    def claim_next(self, session: Session, now: datetime) -> Lease | None:
        """Claim the row that is due for the longest time, without waiting for rows that other workers are claiming.
        None when there is none.
        """
        longest = select(self.key).where(self.is_due(now)).order_by(self.model.next_attempt_at).limit(1)
        is_longest_due = self.key == longest.with_for_update(skip_locked=True).scalar_subquery()
        return self._claim_where(session, is_longest_due, now)

    def _claim_where(
        self, session: Session, condition: ColumnElement[bool], now: datetime, lease: timedelta | None = None
    ) -> Lease | None:
        claim_id = uuid.uuid4().hex
        values = {
            "state": self.working,
            "claim_id": claim_id,
            "lease_until": now + (lease or self.rules.lease),
            self.attempts.key: self.attempts + 1,
        }
        claimed = update(self.model).where(condition).values(values).returning(self.key, self.attempts)
        row = session.execute(claimed.execution_options(synchronize_session=False)).first()
        return None if row is None else Lease(claim_id, *row)

    def renew(self, session: Session, held: Lease, now: datetime) -> bool:
        """Extend the lease; False when the claim was lost to another worker, or the row was deleted."""
        return self.change(session, self.is_held(held), lease_until=now + self.rules.lease)

    def finish(self, session: Session, held: Lease, **values: Any) -> bool:
        """Mark the work as done and set `values`. Returns False, with nothing changed, when the claim was lost."""
        return self._end_claim(session, held, state=WorkState.DONE, **values)

    def retry(self, session: Session, held: Lease, now: datetime, **values: Any) -> bool:
        """Queue another attempt after a delay that grows each time. The caller has checked that attempts remain.
        Returns False like finish().
        """
        again_at = now + self.rules.delays[held.attempt - 1]
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def release(self, session: Session, held: Lease, now: datetime) -> bool:
        """Release the work because its worker must stop: it is due at once, and this attempt does not count.
        Returns False like finish().
        """
        uncounted = {self.attempts.key: self.attempts - 1}
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=now, **uncounted)

    def postpone(self, session: Session, held: Lease, now: datetime) -> bool:
        """Queue another attempt because the store or the database was unreachable, after a pause that grows each
        time. This attempt does not count. Returns False like finish().
        """
        count = session.scalar(select(self.model.postponements).where(self.is_held(held)).with_for_update())
        if count is None:
            return False
        again_at = now + self.rules.pauses[min(count, len(self.rules.pauses) - 1)]
        values = {self.attempts.key: self.attempts - 1, "postponements": count + 1}
        return self._end_claim(session, held, state=self.waiting, next_attempt_at=again_at, **values)

    def give_back_attempt(self, session: Session, held: Lease) -> None:
        """Undo the counting of an attempt whose claim was lost because its worker could not reach the database."""
        is_unfinished = and_(self.key == held.key, self.model.state != WorkState.DONE, self.attempts > 0)
        self.change(session, is_unfinished, **{self.attempts.key: self.attempts - 1})

    def due(self, session: Session, now: datetime, limit: int) -> list[str]:
        """The keys of at most `limit` due rows, first those that are due for the longest time."""
        rows = select(self.key).where(self.is_due(now)).order_by(self.model.next_attempt_at)
        return list(session.scalars(rows.limit(limit)))

    def change(self, session: Session, condition: ColumnElement[bool], **values: Any) -> bool:
        """Set these values in the row that meets the condition; False when no row does."""
        changed = update(self.model).where(condition).values(values).returning(self.key)
        return session.execute(changed.execution_options(synchronize_session=False)).first() is not None

    def _end_claim(self, session: Session, held: Lease, **values: Any) -> bool:
        return self.change(session, self.is_held(held), claim_id=None, lease_until=None, **values)


@dataclass(frozen=True, slots=True)
class LeasedWorker:
    """Base class of the workers of one queue. `watch` renews a claim during the work, see ClaimCallbacks."""

    queue: ClassVar[WorkQueue]

    database: Database
    clock: Callable[[], datetime]
    watch: Callable[[ClaimCallbacks], AbstractContextManager[None]]

    def _watched(self, held: Lease, too_late: Callable[[], object]) -> AbstractContextManager[None]:
        """Renew the claim during the work; `too_late` is called when the work takes too long."""
        renew, release = (partial(self._write, act, held) for act in (self.queue.renew, self.queue.release))
        return self.watch(ClaimCallbacks(renew, too_late, release))

    def _put_off(self, held: Lease) -> None:
        self._write(self.queue.postpone, held)

    def _write(self, act: Callable[[Session, Any, datetime], bool], held: Lease) -> bool:
        """Call `act` with the claim, in a unit of work of its own; False when the claim was lost."""
        with self.database.unit_of_work() as session:
            return act(session, held, self.clock())
