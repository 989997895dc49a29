"""Threads that fetch customers' files. They work while any is due, and end when none is."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from app.tasks.runtime import container

log = logging.getLogger(__name__)

THREADS = 16
"""How many files a process fetches at once, each waiting for one server: more than some accounts can occupy."""


class Fetchers:
    """Threads that each fetch one file after the other. When the process dies, no file is lost: its lease runs out,
    and it is fetched again.
    """

    def __init__(self, threads: int = THREADS) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="fetcher")
        self._free = threading.Semaphore(threads)
        self._changed = threading.Condition()
        self._busy = 0
        self._stops = False

    def wake(self) -> None:
        """Let one more thread look for due files; when all are busy, these find the files themselves. Never
        waits."""
        if self._free.acquire(blocking=False):
            with self._changed:
                self._busy += 1
            self._pool.submit(self._work)

    def drain(self, seconds: float) -> bool:
        """Begin no other file, and wait until no thread is busy; False when some still are after `seconds`."""
        self._stops = True
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy, seconds)

    def _work(self) -> None:
        try:
            while not self._stops and container().fetch_worker.fetch_next():
                pass
        except Exception:
            log.exception("files are not fetched now; the sweep wakes a thread again")
        finally:
            self._free.release()
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()


@cache
def fetchers() -> Fetchers:
    """The threads of this process, made on first use."""
    return Fetchers()
