"""Delays an API order shortly until workers have checked its files, so that a bad file is refused, not charged."""

from collections.abc import Iterable
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Final

from app.domain.lifecycle import WorkState
from app.services.previews import previews
from app.services.uploads import uploads
from app.web.context import container

MOST_AT_ONCE: Final = 2
"""Most threads of this process that wait at once."""
MOST_FILES: Final = 12
"""Most files of an order that is waited for, because more cannot be checked in so short a time. Unchecked files
that turn out unusable are refunded.
"""
EVERY_SECONDS: Final = 0.1
_turns = BoundedSemaphore(MOST_AT_ONCE)


def wait_for_looks(account_id: str, session_id: str, keys: Iterable[str]) -> None:
    """Request a check of each file that has none yet, and wait until all files are checked, at most
    `ORDER_LOOK_SECONDS`. Does not wait while MOST_AT_ONCE orders do. No transaction may be open.

    Does nothing unless this is an open upload session of the account: placing the order reports what is wrong.
    """
    here, wanted = container(), set(keys)
    with here.database.read_session() as session:
        if not uploads.is_open(session, account_id, session_id):
            return
        unrequested = wanted - previews.get_all(session, wanted).keys()
    if unrequested:
        with here.database.unit_of_work() as session:
            for key in sorted(unrequested):
                previews.request(session, key, uploads.prefix(session_id), here.clock())
    seconds = here.settings.order_look_seconds
    if not seconds or len(wanted) > MOST_FILES or not _turns.acquire(blocking=False):
        return
    try:
        until = monotonic() + seconds
        while _is_any_unchecked(wanted) and monotonic() < until:
            sleep(EVERY_SECONDS)
    finally:
        _turns.release()


def _is_any_unchecked(keys: Iterable[str]) -> bool:
    with container().database.read_session() as session:
        return any(each.state is not WorkState.DONE for each in previews.get_all(session, keys).values())
