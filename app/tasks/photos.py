"""The functions that RQ calls for pictures of photos, with the id of a photo or of a picture."""

from app.domain.ids import Prefix, is_id
from app.services.photos.make_pictures import PictureWorker
from app.services.revisions import settlement
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch
from engine.types.enhancements import WorkSize


def process_photo(photo_or_picture_id: str) -> None:
    """Make the picture with this id or, if it is the id of a photo, the next light photo that is due. Runs in a
    work-horse, under its limits.

    The id of a photo is only a hint that photos are due: another account's photo may come first.
    """
    _work_on(photo_or_picture_id, WorkSize.LIGHT)


def process_room(photo_or_picture_id: str) -> None:
    """Like process_photo(), for heavy photos, which take most of a minute."""
    _work_on(photo_or_picture_id, WorkSize.HEAVY)


def _work_on(photo_or_picture_id: str, work_size: WorkSize) -> None:
    limits.apply()
    here = container()
    here.database.forget_connections()
    parts = (here.database, here.storage, here.engine, here.open_release, here.listing_pictures, here.clock, watch)
    more = (here.settings.qc_mode, settlement.settle, here.call_limits, here.imagery, here.credentials)
    worker = PictureWorker(*parts, *more, lower_priority=limits.lower_priority)
    if is_id(photo_or_picture_id, Prefix.PICTURE):
        worker.make(photo_or_picture_id)
    else:
        worker.answer(photo_or_picture_id, work_size)
