"""RQ's entry point for the previews of one file: its storage key comes in, nothing goes out."""

from functools import partial

from app.services.previews.worker import PreviewWorker
from app.tasks import limits
from app.tasks.runtime import container
from app.tasks.watch import watch

WORK_SECONDS = 60.0
"""The longest one file may hold its queue; the largest photo takes a small part of it."""


def make_previews(source_key: str) -> None:
    """Make the file's previews in this child process, under its limits."""
    limits.apply()
    here = container()
    here.database.forget_connections()
    watched = partial(watch, seconds=WORK_SECONDS)
    parts = (here.database, here.storage, here.previews, here.clock, watched)
    PreviewWorker(*parts, here.credentials).make(source_key)
