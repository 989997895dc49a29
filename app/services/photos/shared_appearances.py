"""What the photos of an order share: found by the first worker that needs it, then kept with the job."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ports import Engine, Storage, StorageUnavailableError
from app.models import Job, Photo
from engine.types.appearance import LightEstimate, SharedAppearance, find_shared_appearance
from engine.types.enhancements import PhotoType
from engine.types.pictures import UnusablePhotoError

log = logging.getLogger(__name__)

MOST_ESTIMATES = 12
"""Of the photos of one type, spread over the order: more tell no better, and each takes a decoding."""


@dataclass(frozen=True, slots=True)
class SharedAppearances:
    """Where shared appearances are kept, and what finds them."""

    database: Database
    storage: Storage
    engine: Engine

    def kept(self, job_id: str) -> SharedAppearance | None:
        """The job's look if it is settled."""
        with self.database.read_session() as session:
            return _kept(session, job_id)

    def settle(self, job_id: str) -> SharedAppearance:
        """The job's look, found from its uploaded photos unless it is settled; the first to keep one decides.

        No transaction is open while photos are looked at. They are the same for every worker, so those that race
        find the same. A photo from public imagery is left out: it may be fetched after others were worked on.
        Raises StorageUnavailableError, also when none of the files is there: then nothing is settled.
        """
        with self.database.read_session() as session:
            keys = _keys(session, job_id)
        found = find_shared_appearance(list(self._estimates(keys)))
        with self.database.unit_of_work() as session:
            session.execute(
                update(Job).where(Job.id == job_id, Job.shared_appearance.is_(None)).values(shared_appearance=found)
            )
            return _kept(session, job_id) or found

    def _estimates(self, keys: Sequence[str]) -> Iterator[LightEstimate]:
        """What the photos say; one that says nothing is refused or reported when its own turn comes."""
        missing = 0
        for key in keys:
            try:
                with self.storage.open(key) as photo:
                    yield self.engine.estimate_light(photo)
            except StorageUnavailableError:
                raise
            except FileNotFoundError:
                missing += 1
                log.warning("%s is left out of its order's look: it is not there", key)
            except UnusablePhotoError as error:
                log.info("%s is left out of its order's look: %s", key, error)
            except Exception:
                log.exception("%s is left out of its order's look: estimating its light failed", key)
        if missing and missing == len(keys):
            raise StorageUnavailableError("none of the order's files is there")


def _kept(session: Session, job_id: str) -> SharedAppearance | None:
    return session.scalar(select(Job.shared_appearance).where(Job.id == job_id))


def _keys(session: Session, job_id: str) -> list[str]:
    """The files to look at, in the order of the photos."""
    uploaded = select(Photo.type, Photo.storage_key).where(Photo.job_id == job_id, Photo.from_imagery.is_(False))
    rows = session.execute(uploaded.order_by(Photo.type, Photo.index)).all()
    return [key for each in PhotoType for key in _spread([row.storage_key for row in rows if row.type is each])]


def _spread(keys: Sequence[str]) -> list[str]:
    """At most MOST_ESTIMATES of them, evenly spread."""
    count = min(len(keys), MOST_ESTIMATES)
    return [keys[place * len(keys) // count] for place in range(count)]
