"""The previews of one file from claim to stored pictures: the work that a wake-up starts."""

import io
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import BinaryIO

from app.database import Database
from app.domain.ports import PreviewMaker, Previews, Storage, StorageUnavailableError, UnusablePhotoError
from app.services.leases import WorkHold
from app.services.previews import previews
from app.services.previews.previews import PreviewClaim

log = logging.getLogger(__name__)

MAX_PREVIEW_BYTES = 500 * 1024 * 1024
TOO_SLOW = "The photo takes too long to open for a preview."
GONE = "The file of this photo is not there any more."


@dataclass(frozen=True, slots=True)
class PreviewWorker:
    """What the work needs. `watch` guards a hold while pictures are made, see Hold."""

    database: Database
    storage: Storage
    maker: PreviewMaker
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]

    def make(self, source_key: str) -> None:
        """Make the file's previews if they are due and nobody else's; harmless otherwise, also when repeated."""
        with self.database.unit_of_work() as session:
            held = previews.claim(session, source_key, self.clock())
        if held is None:
            return
        try:
            with self.watch(self._hold(held, self._put_off)):
                source = self._read(held)
            if source is not None:
                with self.watch(self._hold(held, partial(self._give_up, error=TOO_SLOW))):
                    made = self.maker.make(source, held.label)
                with self.watch(self._hold(held, self._put_off)):
                    self._keep(held, made)
        except UnusablePhotoError as unusable:
            self._give_up(held, unusable.message)
        except StorageUnavailableError as away:
            log.warning("previews of %s are put off: %s", source_key, away)
            self._put_off(held)
        except Exception:
            log.exception("previews of %s: making them broke", source_key)
            with self.database.unit_of_work() as session:
                previews.retry(session, held, self.clock())

    def _read(self, held: PreviewClaim) -> BinaryIO | None:
        """The picture, whole; None when it was not there for so long that there can be no preview."""
        try:
            with self.storage.open(held.key) as source:
                return io.BytesIO(source.read())
        except FileNotFoundError:
            if self.clock() < held.missing_until:
                raise StorageUnavailableError(f"{held.key} is not there (yet)") from None
            self._give_up(held, GONE)
            return None

    def _keep(self, held: PreviewClaim, made: Previews) -> None:
        """No transaction is open while the pictures are stored."""
        for size, content in made.pictures.items():
            self._store(previews.key_of(held.key, size), content)
        self._finish(held, made)

    def _store(self, key: str, content: bytes) -> None:
        writing = self.storage.create(key, MAX_PREVIEW_BYTES)
        try:
            writing.write(content)
            writing.publish()
        finally:
            writing.discard()

    def _finish(self, held: PreviewClaim, made: Previews) -> None:
        with self.database.unit_of_work() as session:
            kept = previews.finish(session, held, made.width, made.height)
            wanted = kept or previews.is_wanted(session, held.key)
        if not wanted:
            # Forgotten meanwhile, and its folder perhaps removed already. Another claimant's pictures are the same.
            log.info("previews of %s: nobody wants them any more", held.key)
            for key in previews.list_keys(held.key):
                self.storage.delete(key)

    def _hold(self, held: PreviewClaim, too_late: Callable[[PreviewClaim], None]) -> WorkHold:
        return WorkHold(lambda: self._renew(held), lambda: too_late(held), lambda: self._release(held))

    def _renew(self, held: PreviewClaim) -> bool:
        with self.database.unit_of_work() as session:
            return previews.QUEUE.renew(session, held, self.clock())

    def _release(self, held: PreviewClaim) -> None:
        with self.database.unit_of_work() as session:
            previews.QUEUE.release(session, held, self.clock())

    def _put_off(self, held: PreviewClaim) -> None:
        with self.database.unit_of_work() as session:
            previews.QUEUE.postpone(session, held, self.clock())

    def _give_up(self, held: PreviewClaim, error: str) -> None:
        with self.database.unit_of_work() as session:
            previews.give_up(session, held, error)
