"""The functions that RQ calls for webhook deliveries, with an id, and for files to fetch. Threads make the
attempts, so that a slow receiver or server does not delay others.
"""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from app.domain.ports import QueueName
from app.services.uploads import uploads
from app.tasks.fetches import fetchers
from app.tasks.runtime import container

log = logging.getLogger(__name__)

THREADS = 96
"""How many attempts a process makes at once, each waiting for one receiver: more than the webhooks of one account
can occupy. A thread that waits costs little.
"""
CROWDED_THREADS = THREADS // 2
"""With more busy threads than this, the others are reserved for accounts that use few threads."""
STOP_SECONDS = 2.0
"""How long attempts may continue after the signal to stop; then they are interrupted, but still count."""


class Senders:
    """Threads that each make one attempt at a time. When the process dies during an attempt, no delivery is lost:
    its lease runs out, and it is tried again.
    """

    def __init__(self, threads: int = THREADS) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="sender")
        self._free = threading.Semaphore(threads)
        self._busy = 0
        self._idle = threading.Condition()

    def deliver(self, delivery_id: str, queue_name: QueueName) -> None:
        """Hand the delivery to a thread. Waits while all are busy, so that notifications wait in Redis and not
        here.
        """
        self._free.acquire()
        with self._idle:
            self._busy += 1
        self._pool.submit(self._deliver, delivery_id, queue_name)

    @property
    def is_crowded(self) -> bool:
        """Whether more than CROWDED_THREADS threads are busy."""
        return self._busy > CROWDED_THREADS

    def drain(self, seconds: float) -> bool:
        """Wait until no thread is busy; False when some still are after `seconds`."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._busy, seconds)

    def _deliver(self, delivery_id: str, queue_name: QueueName) -> None:
        try:
            container().dispatch.deliver(delivery_id, queue_name, crowded=self.is_crowded)
        except Exception:
            log.exception("delivery %s failed; it is tried again after its lease, or by the sweep", delivery_id)
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
    """Make an attempt at a delivery to a receiver that is not known to block senders."""
    senders().deliver(delivery_id, QueueName.HOOKS_FAST)


def deliver_slow(delivery_id_or_key: str) -> None:
    """Make an attempt at a delivery to a receiver that has blocked a sender, and has not been prompt since; or,
    with the key of an uploaded file, wake a thread that fetches files from customers' servers.
    """
    if delivery_id_or_key.startswith(uploads.FOLDER):
        fetchers().wake()
    else:
        senders().deliver(delivery_id_or_key, QueueName.HOOKS_SLOW)
