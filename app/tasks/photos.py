"""RQ's entry points for photos: an id comes in as a wake-up, nothing goes out."""

from app.domain.catalogue import Cost
from app.services.photos.worker import PhotoWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch


def process_photo(photo_id: str) -> None:
    """Work on the photo whose turn it is in this child process, under its limits."""
    _answer(photo_id, Cost.LIGHT)


def process_room(photo_id: str) -> None:
    """The same for photos that take long."""
    _answer(photo_id, Cost.HEAVY)


def _answer(photo_id: str, cost: Cost) -> None:
    limits.apply()
    here = container()
    here.database.forget_connections()
    parts = (here.database, here.storage, here.engine, here.clock, here.settings.qc_mode, watch)
    more = (here.call_limits, here.imagery, here.credentials)
    PhotoWorker(*parts, *more, lower_priority=limits.lower_priority).answer(photo_id, cost)
