"""One photo from claim to result: the work that a doorbell ring starts."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime

from app.database import Database
from app.domain.look import Look
from app.domain.ports import Aid, Engine, Imagery, Storage, UnusablePhotoError
from app.domain.quality import QualityReport
from app.domain.reviews import QcMode
from app.services import imagery, photos, quality
from app.services.looks import Looks
from app.services.photos import Claim, Outcome

log = logging.getLogger(__name__)

MAX_RESULT_BYTES = 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Hold:
    """What a watch does about a claim: `renew` its lease (False: it was lost), `give_up` when the photo takes too
    long, `release` it for another worker when this one has to stop.
    """

    renew: Callable[[], bool]
    give_up: Callable[[], None]
    release: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the work needs. `mode`: who passes results on. `watch` guards a hold while the engine works, see Hold.

    `calls_per_job`: how many calls to a generative server one job may cost. `imagery`: the source of outside views.
    """

    database: Database
    storage: Storage
    engine: Engine
    clock: Callable[[], datetime]
    mode: QcMode
    watch: Callable[[Hold], AbstractContextManager[None]]
    calls_per_job: int = 0
    imagery: Imagery | None = None

    def process(self, photo_id: str) -> None:
        """Work on the photo if it is due and nobody else's; harmless otherwise, however often it is rung."""
        with self.database.unit_of_work() as session:
            held = photos.claim(session, photo_id, self.clock())
            if held is None:
                quality.complete_job_of(session, photo_id, self.clock(), self.mode)
                return
        try:
            look = self._look(held)
            with self.watch(self._hold(held)):
                outcome = self._work(held, look)
                self._finish(held, outcome)
        except Exception:
            log.exception("photo %s: processing broke", photo_id)
            self._broke(held)

    def _look(self, held: Claim) -> Look:
        """What the job's photos share. The first worker finds it, in a time of its own; the others read it."""
        looks = Looks(self.database, self.storage, self.engine)
        kept = looks.kept(held.job_id)
        if kept is not None:
            return kept
        if held.is_last_try:
            # Looking at the job's photos, of which one may be hostile, ended the tries before: this one goes alone.
            return Look()
        with self.watch(self._hold(held)):
            return looks.settle(held.job_id)

    def _work(self, held: Claim, look: Look) -> Outcome:
        """No transaction is open while public imagery is fetched and the engine works."""
        try:
            imagery.fetch(self.database, self.storage, self.imagery, held)
            with self.storage.open(held.storage_key) as source:
                made = self.engine.enhance(source, replace(held.wish, look=look), self._aid(held))
        except UnusablePhotoError as unusable:
            return Outcome(QualityReport(reason=unusable.reason, message=unusable.message))
        if made.picture is None:
            return Outcome(made.report)
        key = held.result_key(made.picture)
        writing = self.storage.create(key, MAX_RESULT_BYTES)
        try:
            writing.write(made.picture.content)
            writing.publish()
        finally:
            writing.discard()
        return Outcome(made.report, made.picture, key)

    def _aid(self, held: Claim) -> Aid:
        def spend() -> bool:
            with self.database.unit_of_work() as session:
                return photos.spend(session, held, self.calls_per_job)

        return Aid(spend, self.storage.open)

    def _finish(self, held: Claim, outcome: Outcome) -> None:
        with self.database.unit_of_work() as session:
            kept = photos.finish(session, held, outcome, self.clock())
            if kept:
                quality.complete(session, held.job_id, self.clock(), self.mode)
        if not kept:
            log.warning("photo %s: the claim was lost or its job ended; the result is dropped", held.photo_id)
            if outcome.key is not None:
                self.storage.delete(outcome.key)

    def _hold(self, held: Claim) -> Hold:
        return Hold(lambda: self._renew(held), lambda: self._broke(held), lambda: self._release(held))

    def _renew(self, held: Claim) -> bool:
        with self.database.unit_of_work() as session:
            return photos.renew(session, held, self.clock())

    def _release(self, held: Claim) -> None:
        with self.database.unit_of_work() as session:
            photos.release(session, held, self.clock())

    def _broke(self, held: Claim) -> None:
        with self.database.unit_of_work() as session:
            photos.retry(session, held, self.clock())
            quality.complete(session, held.job_id, self.clock(), self.mode)
