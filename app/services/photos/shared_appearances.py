"""The appearance that an order's photos share: found by the first worker that needs it, then stored with
the job.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.engines import EngineMissingError
from app.domain.ports import Engine, Storage, StorageUnavailableError
from app.models import Job, Photo
from engine.types.appearance import LightEstimate, SharedAppearance, find_shared_appearance
from engine.types.enhancements import PhotoType
from engine.types.pictures import UnusablePhotoError

log = logging.getLogger(__name__)

MAX_ESTIMATES = 12
"""At most this many photos of one type are decoded to estimate their light; more would not improve the result."""


@dataclass(frozen=True, slots=True)
class SharedAppearances:
    """Determines shared appearances, and stores them."""

    database: Database
    storage: Storage
    engine: Engine

    def find(self, job_id: str) -> SharedAppearance | None:
        """The job's shared appearance; None if it is not stored yet."""
        with self.database.read_session() as session:
            return _find(session, job_id)

    def determine(self, job_id: str) -> SharedAppearance:
        """Determine the job's shared appearance from its uploaded photos, and store it; if another worker stored
        one first, return that one.

        No transaction is open while photos are read. All workers read the same photos, so they find the same
        appearance. Photos from public imagery are left out, because they may be fetched after other photos are
        done. Raises StorageUnavailableError, also when none of the files is there, and EngineMissingError; then
        nothing is stored.
        """
        with self.database.read_session() as session:
            keys = _list_keys(session, job_id)
        found = find_shared_appearance(list(self._estimates(keys)))
        with self.database.unit_of_work() as session:
            session.execute(
                update(Job).where(Job.id == job_id, Job.shared_appearance.is_(None)).values(shared_appearance=found)
            )
            return _find(session, job_id) or found

    def _estimates(self, keys: Sequence[str]) -> Iterator[LightEstimate]:
        """The light of each photo. A photo that cannot be read is skipped here: the work on that photo itself
        reports the fault.
        """
        missing = 0
        for key in keys:
            try:
                with self.storage.open(key) as photo:
                    yield self.engine.estimate_light(photo)
            except (StorageUnavailableError, EngineMissingError):
                raise
            except FileNotFoundError:
                missing += 1
                log.warning("%s is left out of its order's appearance: it is not there", key)
            except UnusablePhotoError as error:
                log.info("%s is left out of its order's appearance: %s", key, error)
            except Exception:
                log.exception("%s is left out of its order's appearance: estimating its light failed", key)
        if missing and missing == len(keys):
            raise StorageUnavailableError("none of the order's files is there")


def _find(session: Session, job_id: str) -> SharedAppearance | None:
    return session.scalar(select(Job.shared_appearance).where(Job.id == job_id))


def _list_keys(session: Session, job_id: str) -> list[str]:
    """The storage keys of the photos to read, in the order of the photos."""
    uploaded = select(Photo.type, Photo.storage_key).where(Photo.job_id == job_id, Photo.from_imagery.is_(False))
    rows = session.execute(uploaded.order_by(Photo.type, Photo.index)).all()
    return [key for each in PhotoType for key in _spread([row.storage_key for row in rows if row.type is each])]


def _spread(keys: Sequence[str]) -> list[str]:
    """At most MAX_ESTIMATES of the keys, evenly spread."""
    count = min(len(keys), MAX_ESTIMATES)
    return [keys[place * len(keys) // count] for place in range(count)]
