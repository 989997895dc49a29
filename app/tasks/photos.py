"""RQ's entry points for photos, variants of results and results sent back: an id comes in, nothing goes out."""

from app.domain.catalogue import Cost
from app.domain.ids import Prefix, is_id
from app.services.photos.revision_worker import RevisionWorker
from app.services.photos.variant_worker import VariantWorker
from app.services.photos.worker import PhotoWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch


def process_photo(each_id: str) -> None:
    """Work on the photo whose turn it is, or on the variant or round, in this child process, under its limits."""
    _answer(each_id, Cost.LIGHT)


def process_room(each_id: str) -> None:
    """The same for those that take long."""
    _answer(each_id, Cost.HEAVY)


def _answer(each_id: str, cost: Cost) -> None:
    limits.apply()
    here = container()
    here.database.forget_connections()
    if is_id(each_id, Prefix.VARIANT):
        made_by = (here.database, here.storage, here.engine, here.clock, watch)
        VariantWorker(*made_by, here.credentials).make(each_id)
        return
    if is_id(each_id, Prefix.REVISION):
        held_by = (here.database, here.storage, here.engine, here.clock, watch)
        RevisionWorker(*held_by, here.call_limits, here.credentials).make(each_id)
        return
    parts = (here.database, here.storage, here.engine, here.clock, here.settings.qc_mode, watch)
    more = (here.call_limits, here.imagery, here.credentials)
    PhotoWorker(*parts, *more, lower_priority=limits.lower_priority).answer(each_id, cost)
