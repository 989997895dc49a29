"""Fetches one file from its customer's URL, and stores it checked as any upload."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.database import UNAVAILABLE, Database
from app.domain.errors import Conflict, NotFound, Suspended, TooLarge, UnsupportedMedia, UploadQuotaExceeded
from app.domain.fetches import FetchError, FetchFault, FileSource
from app.domain.ports import Storage, StorageUnavailableError
from app.services.previews import previews
from app.services.uploads import fetches, uploads
from app.services.uploads.fetches import FetchClaim
from app.services.uploads.quotas import Reservation, UploadQuota

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FetchWorker:
    """Fetches files; threads may share it."""

    database: Database
    storage: Storage
    source: FileSource
    quota: UploadQuota
    clock: Callable[[], datetime]

    def fetch_next(self) -> bool:
        """Make one attempt at the file that has been due for the longest time; returns False if no file is due.
        Faults of the customer's server are recorded, not raised.
        """
        with self.database.unit_of_work() as session:
            held = fetches.claim_next(session, self.clock())
        if held is None:
            return False
        try:
            self._fetch(held)
        except FetchError as error:
            self._fail(held, error.fault, error.status)
        except UnsupportedMedia:
            self._fail(held, FetchFault.UNSUPPORTED_MEDIA)
        except Suspended:
            self._fail(held, FetchFault.ACCOUNT_SUSPENDED)
        except UploadQuotaExceeded:
            self._fail(held, FetchFault.QUOTA_EXCEEDED)
        except TooLarge:
            self._fail(held, FetchFault.TOO_LARGE)
        except (Conflict, NotFound) as gone:
            log.info("%s is not fetched: %s", held.key, gone)
        except (StorageUnavailableError, *UNAVAILABLE) as error:
            log.warning("fetching %s is put off: %s", held.key, error)
            with self.database.unit_of_work() as session:
                fetches.QUEUE.postpone(session, held, self.clock())
        except Exception:
            log.exception("fetching %s broke", held.key)
            self._fail(held, FetchFault.INTERRUPTED)
        return True

    def _fetch(self, held: FetchClaim) -> None:
        reservation = Reservation(self.database, held.session_id, self.quota)
        with (
            self.source.open(held.url) as pieces,
            uploads.PhotoUpload(self.storage, held.key, reservation) as photo_upload,
        ):
            for piece in pieces:
                photo_upload.take(piece)
            photo_upload.finish()
            with self.database.unit_of_work() as session:
                # While this lock is held, no order, other upload to the same key or other attempt can intervene.
                uploads.lock_open(session, held.session_id)
                if fetches.is_refused(session, held):
                    raise Suspended
                if fetches.finish(session, held):
                    photo_upload.end(session)
                    previews.request(session, held.key, uploads.prefix(held.session_id), self.clock())

    def _fail(self, held: FetchClaim, fault: FetchFault, status: int | None = None) -> None:
        with self.database.unit_of_work() as session:
            fetches.fail(session, held, self.clock(), fault, status)
