"""Lets an API order wait briefly until workers have checked its files: a bad file is then refused, not charged."""

from collections.abc import Iterable
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Final

from app.domain.lifecycle import WorkState
from app.services.previews import previews
from app.services.uploads import uploads
from app.web.context import container

MAX_WAITING: Final = 2
"""The most threads of this process that wait at once."""
MAX_FILES: Final = 12
"""An order with more files is not waited for, because they cannot be checked in so short a time. Photos that later
turn out unusable are refunded.
"""
POLL_SECONDS: Final = 0.1
_waiting = BoundedSemaphore(MAX_WAITING)


def wait_until_checked(account_id: str, session_id: str, keys: Iterable[str]) -> None:
    """Request a check of each file that has none yet, and wait until all files are checked, at most
    `ORDER_LOOK_SECONDS`. Does not wait while MAX_WAITING other orders do. No transaction may be open.

    Does nothing unless this is an open upload session of the account: placing the order reports what is wrong.
    """
    here, keys_to_check = container(), set(keys)
    with here.database.read_session() as session:
        if not uploads.is_open(session, account_id, session_id):
            return
        unrequested = keys_to_check - previews.get_all(session, keys_to_check).keys()
    if unrequested:
        with here.database.unit_of_work() as session:
            for key in sorted(unrequested):
                previews.request(session, key, uploads.prefix(session_id), here.clock())
    seconds = here.settings.order_look_seconds
    if not seconds or len(keys_to_check) > MAX_FILES or not _waiting.acquire(blocking=False):
        return
    try:
        until = monotonic() + seconds
        while _is_any_unchecked(keys_to_check) and monotonic() < until:
            sleep(POLL_SECONDS)
    finally:
        _waiting.release()


def _is_any_unchecked(keys: Iterable[str]) -> bool:
    with container().database.read_session() as session:
        return any(each.state is not WorkState.DONE for each in previews.get_all(session, keys).values())
