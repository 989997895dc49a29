"""RQ's entry points for the pictures of photos: an id comes in, nothing goes out."""

from app.domain.ids import Prefix, is_id
from app.services.photos.make_pictures import PictureWorker
from app.services.revisions import settlement
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch
from engine.types.enhancements import WorkSize


def process_photo(each_id: str) -> None:
    """Work on the photo whose turn it is, or on the other picture, in this child process, under its limits."""
    _answer(each_id, WorkSize.LIGHT)


def process_room(each_id: str) -> None:
    """The same for those that take long."""
    _answer(each_id, WorkSize.HEAVY)


def _answer(each_id: str, work_size: WorkSize) -> None:
    limits.apply()
    here = container()
    here.database.forget_connections()
    parts = (here.database, here.storage, here.engine, here.clock, watch, here.settings.qc_mode, settlement.settle)
    more = (here.call_limits, here.imagery, here.credentials)
    worker = PictureWorker(*parts, *more, lower_priority=limits.lower_priority)
    if is_id(each_id, Prefix.PICTURE):
        worker.make(each_id)
    else:
        worker.answer(each_id, work_size)
