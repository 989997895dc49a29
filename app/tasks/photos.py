"""RQ's entry point for photos: an id comes in as a wake-up, nothing goes out."""

from app.services.photos.worker import PhotoWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch


def process_photo(photo_id: str) -> None:
    """Work on the photo whose turn it is in this child process, under its limits."""
    limits.apply()
    here = container()
    here.database.forget_connections()
    parts = (here.database, here.storage, here.engine, here.clock, here.settings.qc_mode, watch)
    worker = PhotoWorker(*parts, here.call_limits, here.imagery, lower_priority=limits.lower_priority)
    worker.answer(photo_id)
