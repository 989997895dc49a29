"""Renews the lease of a claim during the work on pictures, and ends the process when the work must stop."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.services.leases import ClaimCallbacks

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
"""How often the parent process and the time limit are checked."""
RENEW_SECONDS = 8.0
"""How often the lease, which lasts 30 seconds, is renewed."""
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
        # Not sys.exit(), which would end only this thread, while the engine continued in the main thread.
        os._exit(1)
