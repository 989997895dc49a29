"""Watches over a claim while the engine works: renews its lease, ends the process when it must end."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
RENEW_SECONDS = 8.0
WORK_SECONDS = 300.0
"""The longest a photo may take; 100 megapixels take a small part of it."""


@contextmanager
def watch(renew: Callable[[], bool], give_up: Callable[[], None]) -> Iterator[None]:
    """Renew the claim until the block is left.

    A thread, not a signal: RQ uses SIGALRM itself, and a library in C may not return for a signal's handler.
    Ends the process at once when its worker died (a second one may start soon), when the claim was lost, and
    after `give_up` when the time is over.
    """
    done = threading.Event()
    thread = threading.Thread(target=_watch, args=(done, renew, give_up), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(done: threading.Event, renew: Callable[[], bool], give_up: Callable[[], None]) -> None:
    parent, started = os.getppid(), time.monotonic()
    renewed = started
    while not done.wait(TICK_SECONDS):
        now = time.monotonic()
        if os.getppid() != parent:
            _end("the worker died")
        if now - started > WORK_SECONDS:
            give_up()
            _end("the time for this photo is over")
        if now - renewed > RENEW_SECONDS:
            renewed = now
            if not _renewed(renew):
                _end("the claim was lost")


def _renewed(renew: Callable[[], bool]) -> bool:
    try:
        return renew()
    except Exception:
        # The database is away for a moment; the lease still holds a while.
        log.exception("the lease could not be renewed")
        return True


def _end(why: str) -> None:
    log.warning("work-horse ends: %s", why)
    os._exit(1)
