"""Public imagery: the outside view of a property, fetched when the work on a photo without a file begins."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.errors import TooLarge, UnsupportedMedia
from app.domain.ports import Imagery, ImageryUnavailableError, Storage
from app.models import Job, Photo
from app.services.photos.pictures import PictureLease
from app.services.uploads import uploads
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason

NO_IMAGERY = "No public imagery was found for this address."
NOT_IN_TEST_MODE = "Test mode: public imagery is not asked for, because each call costs money."
UNUSABLE_IMAGERY = "The public imagery of this address cannot be enhanced."


def fetch(database: Database, storage: Storage, source: Imagery | None, lease: PictureLease) -> None:
    """Fetch the claimed photo's file into the store if it comes from public imagery and is not there yet.

    No transaction is open while the source is asked. Raises UnusablePhotoError when the source has no usable
    picture of the address, and for every test order; ImageryUnavailableError when it cannot be asked now.
    """
    if storage.stat(lease.storage_key) is not None:
        return
    with database.read_session() as session:
        address = _find_address(session, lease)
    if address is None:
        return  # It is an uploaded photo whose file is gone. The worker notices that when it opens the file.
    if lease.sandbox_address is not None:
        raise UnusablePhotoError(Reason.NO_IMAGERY, NOT_IN_TEST_MODE)
    if source is None:
        raise ImageryUnavailableError("no source of public imagery is configured any more")
    content = source.find(address)
    if content is None:
        raise UnusablePhotoError(Reason.NO_IMAGERY, NO_IMAGERY)
    size_bytes = _store(storage, lease.storage_key, content)
    with database.unit_of_work() as session:
        session.execute(update(Photo).where(Photo.id == lease.key).values(size_bytes=size_bytes))


def _find_address(session: Session, lease: PictureLease) -> str | None:
    query = select(Job.address).join(Photo).where(Photo.id == lease.key, Photo.from_imagery)
    return session.scalar(query)


def _store(storage: Storage, key: str, content: bytes) -> int:
    """Store the picture with the same limits as an upload, because the source could send any file; returns its size
    in bytes.
    """
    try:
        with uploads.PhotoUpload(storage, key) as upload:
            upload.take(content)
            return upload.end().size_bytes
    except (TooLarge, UnsupportedMedia) as refusal:
        raise UnusablePhotoError(Reason.NO_IMAGERY, UNUSABLE_IMAGERY) from refusal
