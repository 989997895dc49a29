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

NOTHING_FOUND = "No public imagery was found for this address."
NO_PICTURE = "The public imagery of this address cannot be enhanced."


def fetch(database: Database, storage: Storage, source: Imagery | None, held: PictureLease) -> None:
    """Fetch the claimed photo's file into the store if it comes from public imagery and is not there yet.

    No transaction is open while the source is asked. Raises UnusablePhotoError when the source has no usable
    picture of the address, ImageryUnavailableError when it cannot be asked now.
    """
    if storage.stat(held.storage_key) is not None:
        return
    with database.read_session() as session:
        address = _address(session, held)
    if address is None:
        return  # an uploaded photo whose file is gone: the worker finds out when it opens the file
    if source is None:
        raise ImageryUnavailableError("no source of public imagery is configured any more")
    content = source.find(address)
    if content is None:
        raise UnusablePhotoError(Reason.NO_IMAGERY, NOTHING_FOUND)
    size_bytes = _store(storage, held.storage_key, content)
    with database.unit_of_work() as session:
        session.execute(update(Photo).where(Photo.id == held.key).values(size_bytes=size_bytes))


def _address(session: Session, held: PictureLease) -> str | None:
    query = select(Job.address).join(Photo).where(Photo.id == held.key, Photo.from_imagery)
    return session.scalar(query)


def _store(storage: Storage, key: str, content: bytes) -> int:
    """Store the picture within the limits of an upload, because the source is trusted no more than a customer; its
    size in bytes.
    """
    try:
        with uploads.PhotoUpload(storage, key) as reception:
            reception.take(content)
            return reception.end().size_bytes
    except (TooLarge, UnsupportedMedia) as refusal:
        raise UnusablePhotoError(Reason.NO_IMAGERY, NO_PICTURE) from refusal
