"""RQ's entry points for deliveries: an id comes in, a thread sends it; a slow receiver holds up few others."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from app.domain.ports import QueueName
from app.tasks.runtime import container

log = logging.getLogger(__name__)

THREADS = 16
STOP_SECONDS = 2.0
"""How long attempts in flight may go on when the process is asked to stop; what is cut off counts as an attempt."""


class Senders:
    """Threads that each make one attempt at a time. Losing one in mid-attempt loses nothing: its lease runs out."""

    def __init__(self, threads: int = THREADS) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="sender")
        self._free = threading.Semaphore(threads)
        self._busy = 0
        self._idle = threading.Condition()

    def deliver(self, delivery_id: str, queue_name: QueueName) -> None:
        """Hand the delivery to a thread; waits while all are busy, so that wake-ups wait in Redis and not here."""
        self._free.acquire()
        with self._idle:
            self._busy += 1
        self._pool.submit(self._deliver, delivery_id, queue_name)

    def drain(self, seconds: float) -> bool:
        """Wait until no thread is busy; False when some still are after so long."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._busy, seconds)

    def _deliver(self, delivery_id: str, queue_name: QueueName) -> None:
        try:
            container().dispatch.deliver(delivery_id, queue_name)
        except Exception:
            log.exception("delivery %s broke; its lease or the sweep brings it back", delivery_id)
        finally:
            self._free.release()
            with self._idle:
                self._busy -= 1
                self._idle.notify_all()


@cache
def senders() -> Senders:
    """The threads of this process, made on first use."""
    return Senders()


def deliver_fast(delivery_id: str) -> None:
    """A first attempt at a receiver that is well."""
    senders().deliver(delivery_id, QueueName.HOOKS_FAST)


def deliver_slow(delivery_id: str) -> None:
    """A retry, or an attempt at a receiver that held a sender up lately."""
    senders().deliver(delivery_id, QueueName.HOOKS_SLOW)
