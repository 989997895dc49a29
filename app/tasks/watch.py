"""Watches over a claim during the work on pictures: renews its lease, and ends the process when the work must
end.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.services.leases import ClaimCallbacks

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
RENEW_SECONDS = 8.0
WORK_SECONDS = 300.0
"""How long the work on a photo may take; 100 megapixels take a small part of it."""


@contextmanager
def watch(callbacks: ClaimCallbacks, seconds: float | None = None) -> Iterator[None]:
    """Renew the claim until the block is left, which may take `seconds`, by default WORK_SECONDS.

    Ends the process, with exit status 1, in three cases: the claim was lost; the time is over (after
    callbacks.give_up()); the parent process, the worker, has ended, for example because the service stops (after
    callbacks.release()).

    A thread does this, not a signal, because RQ uses SIGALRM itself, and because Python runs a signal's handler
    only after a C function has returned.
    """
    done = threading.Event()
    thread = threading.Thread(target=_watch, args=(done, callbacks, seconds or WORK_SECONDS), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(done: threading.Event, callbacks: ClaimCallbacks, seconds: float) -> None:
    parent, started = os.getppid(), time.monotonic()
    renewed = started
    while not done.wait(TICK_SECONDS):
        now = time.monotonic()
        if os.getppid() != parent:
            _end("the worker died", first=callbacks.release)
        if now - started > seconds:
            _end("the time for this photo is over", first=callbacks.give_up)
        if now - renewed > RENEW_SECONDS:
            renewed = now
            if not _try_to_renew(callbacks.renew):
                _end("the claim was lost")


def _try_to_renew(renew: Callable[[], bool]) -> bool:
    try:
        return renew()
    except Exception:
        # Probably the database is unreachable for a moment; the lease is still valid for a while.
        log.exception("the lease could not be renewed")
        return True


def _end(why: str, first: Callable[[], object] = lambda: None) -> None:
    log.warning("work-horse ends: %s", why)
    try:
        first()
    finally:
        # Not sys.exit(), which would end only this thread; the engine would go on in its own.
        os._exit(1)
