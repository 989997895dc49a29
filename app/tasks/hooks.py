"""RQ's entry points for deliveries: an id comes in, a thread sends it; a slow receiver holds up no others."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from app.domain.ports import QueueName
from app.tasks.runtime import container

log = logging.getLogger(__name__)

THREADS = 96
"""Each waits for one receiver: more than the webhooks of one account can hold, and cheap while they wait."""
CROWDED = THREADS // 2
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

    @property
    def is_crowded(self) -> bool:
        """Whether so many threads are busy that the others are kept for accounts that have few of them."""
        return self._busy > CROWDED

    def drain(self, seconds: float) -> bool:
        """Wait until no thread is busy; False when some still are after so long."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._busy, seconds)

    def _deliver(self, delivery_id: str, queue_name: QueueName) -> None:
        try:
            container().dispatch.deliver(delivery_id, queue_name, crowded=self.is_crowded)
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
    """An attempt at a receiver that holds up no sender, as far as is known."""
    senders().deliver(delivery_id, QueueName.HOOKS_FAST)


def deliver_slow(delivery_id: str) -> None:
    """An attempt at a receiver that held a sender up the last time."""
    senders().deliver(delivery_id, QueueName.HOOKS_SLOW)
