"""RQ's entry point for previews, packs and logos: a storage key or the id of a pack or an account comes in."""

from functools import partial

from app.domain.ids import Prefix, is_id
from app.services.accounts.logo_worker import LogoWorker
from app.services.photos.pack_worker import PackWorker
from app.services.previews.worker import PreviewWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch

WORK_SECONDS = 60.0
"""The longest one picture may hold its queue; the largest photo takes a small part of it."""


def make_previews(source_key: str) -> None:
    """Make the file's previews, the pack or the account's logo in this child process, under its limits."""
    limits.apply()
    here = container()
    here.database.forget_connections()
    parts = (here.database, here.clock, partial(watch, seconds=WORK_SECONDS))
    if is_id(source_key, Prefix.MLS_PACK):
        PackWorker(*parts, here.storage, here.listing_pictures, here.settings.base_url).make(source_key)
    elif is_id(source_key, Prefix.ACCOUNT):
        LogoWorker(*parts, here.encode_logo).make(source_key)
    else:
        PreviewWorker(*parts, here.storage, here.previews, here.credentials).make(source_key)
