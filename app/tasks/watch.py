"""Watches over a claim while pictures are worked on: renews its lease, ends the process when it must end."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.services.leases import WorkHold

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
RENEW_SECONDS = 8.0
WORK_SECONDS = 300.0
"""The longest a photo may take; 100 megapixels take a small part of it."""


@contextmanager
def watch(hold: WorkHold, seconds: float | None = None) -> Iterator[None]:
    """Renew the claim until the block is left, which may take `seconds`; as long as a photo may where not given.

    A thread, not a signal: RQ uses SIGALRM itself, and a library in C may not return for a signal's handler.
    Ends the process when the claim was lost, after giving up when the time is over, and after releasing the
    claim when the worker died: at a stop of the service, say.
    """
    done = threading.Event()
    thread = threading.Thread(target=_watch, args=(done, hold, seconds or WORK_SECONDS), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(done: threading.Event, hold: WorkHold, seconds: float) -> None:
    parent, started = os.getppid(), time.monotonic()
    renewed = started
    while not done.wait(TICK_SECONDS):
        now = time.monotonic()
        if os.getppid() != parent:
            _end("the worker died", first=hold.release)
        if now - started > seconds:
            _end("the time for this photo is over", first=hold.give_up)
        if now - renewed > RENEW_SECONDS:
            renewed = now
            if not _renewed(hold.renew):
                _end("the claim was lost")


def _renewed(renew: Callable[[], bool]) -> bool:
    try:
        return renew()
    except Exception:
        # The database is away for a moment; the lease still holds a while.
        log.exception("the lease could not be renewed")
        return True


def _end(why: str, first: Callable[[], object] = lambda: None) -> None:
    log.warning("work-horse ends: %s", why)
    try:
        first()
    finally:
        # Not sys.exit: the engine's thread would go on.
        os._exit(1)
