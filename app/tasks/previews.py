"""The function that RQ calls for previews, outlooks, packs and logos."""

from functools import partial

from app.domain.ids import Prefix, is_id
from app.services.accounts.logo_worker import LogoWorker
from app.services.photos.pack_worker import PackWorker
from app.services.previews import turns
from app.services.previews.outlook_worker import OutlookWorker
from app.services.previews.worker import PreviewWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch

WORK_SECONDS = 60.0
"""How long the work on one file, outlook, pack or logo may take; the largest photo takes a small part of it."""


def make_previews(source_key: str) -> None:
    """In a work-horse, under its limits: make the pack, outlook or logo where `source_key` is the id of a pack, an
    outlook or an account, else the previews of the file under that storage key. For test mode it is only a hint:
    live work comes first.
    """
    limits.apply()
    here = container()
    here.database.forget_connections()
    with here.database.read_session() as session:
        source_key = turns.choose(session, source_key, here.clock())
    parts = (here.database, here.clock, partial(watch, seconds=WORK_SECONDS))
    if is_id(source_key, Prefix.MLS_PACK):
        PackWorker(*parts, here.storage, here.listing_pictures, here.settings.base_url).make(source_key)
    elif is_id(source_key, Prefix.OUTLOOK):
        OutlookWorker(*parts, here.storage, here.outlooks).make(source_key)
    elif is_id(source_key, Prefix.ACCOUNT):
        LogoWorker(*parts, here.encode_logo).make(source_key)
    else:
        PreviewWorker(*parts, here.storage, here.previews, here.listing_pictures, here.credentials).make(source_key)
