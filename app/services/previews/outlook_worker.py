"""Reads the outlook of one photo after a worker was notified: claims it, reads it, and stores it."""

import logging
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from app.domain.ports import OutlookReader, Storage, StorageUnavailableError
from app.services.leases import LeasedWorker
from app.services.previews import outlooks
from app.services.previews.outlooks import OutlookClaim
from engine.types.context import EngineContext
from engine.types.pictures import UnusablePhotoError

log = logging.getLogger(__name__)

TOO_SLOW = "This photo takes too long to be looked at."
GONE = "The file of this photo no longer exists."


@dataclass(frozen=True, slots=True)
class OutlookWorker(LeasedWorker):
    """Reads outlooks. Previews of furnished rooms are stored as soon as they are made: people wait for them."""

    queue = outlooks.QUEUE

    storage: Storage
    reader: OutlookReader

    def make(self, outlook_id: str) -> None:
        """Read the outlook, unless it is not due, another worker has claimed it, or it was deleted."""
        with self.database.unit_of_work() as session:
            held = outlooks.claim(session, outlook_id, self.clock())
        if held is None:
            return
        try:
            with self._watched(held, partial(self._put_off, held)):
                source = self._read_file(held)
            with self._watched(held, partial(self._give_up, held, TOO_SLOW)):
                context = EngineContext(open_reference=self.storage.open)
                keep_preview = partial(self._keep_preview, held)
                content = self.reader.read(source, held.edit_request, context, keep_preview).as_json()
            with self.database.unit_of_work() as session:
                outlooks.finish(session, held, content)
        except UnusablePhotoError as unusable:
            self._give_up(held, unusable.message)
        except FileNotFoundError:
            self._give_up(held, GONE)
        except StorageUnavailableError as error:
            log.warning("outlook %s is put off: %s", outlook_id, error)
            self._put_off(held)
        except Exception:
            log.exception("outlook %s: reading it broke", outlook_id)
            self._write(outlooks.retry, held)

    def _keep_preview(self, held: OutlookClaim, picture: bytes) -> None:
        with self.database.unit_of_work() as session:
            outlooks.keep_layout_preview(session, held, picture)

    def _read_file(self, held: OutlookClaim) -> BytesIO:
        with self.storage.open(held.source_key) as source:
            return BytesIO(source.read())

    def _give_up(self, held: OutlookClaim, error: str) -> None:
        with self.database.unit_of_work() as session:
            outlooks.give_up(session, held, error)
