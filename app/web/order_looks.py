"""An order of a program waits a moment until workers looked at its files: a faulty one is refused, not charged."""

from collections.abc import Iterable
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Final

from app.domain.lifecycle import WorkState
from app.services.previews import previews
from app.services.uploads import uploads
from app.web.context import container

MOST_AT_ONCE: Final = 2
"""Of the threads of this process."""
MOST_FILES: Final = 12
"""More are not looked at in so short a time; those that were not are refunded where nothing can be made of them."""
EVERY_SECONDS: Final = 0.1
_turns = BoundedSemaphore(MOST_AT_ONCE)


def wait_for_looks(account_id: str, session_id: str, keys: Iterable[str]) -> None:
    """Have the files of the account's open upload session looked at that nobody was asked to, and wait for all of
    them, `ORDER_LOOK_SECONDS` at most and not at all while as many orders wait as may; no transaction may be open.

    Of any other session nothing is looked at: placing the order says what is wrong with it.
    """
    here, wanted = container(), set(keys)
    with here.database.read_session() as session:
        if not uploads.is_open(session, account_id, session_id):
            return
        unasked = wanted - previews.get_all(session, wanted).keys()
    if unasked:
        with here.database.unit_of_work() as session:
            for key in sorted(unasked):
                previews.request(session, key, uploads.prefix(session_id), here.clock())
    seconds = here.settings.order_look_seconds
    if not seconds or len(wanted) > MOST_FILES or not _turns.acquire(blocking=False):
        return
    try:
        until = monotonic() + seconds
        while _is_any_unseen(wanted) and monotonic() < until:
            sleep(EVERY_SECONDS)
    finally:
        _turns.release()


def _is_any_unseen(keys: Iterable[str]) -> bool:
    with container().database.read_session() as session:
        return any(each.state is not WorkState.DONE for each in previews.get_all(session, keys).values())
