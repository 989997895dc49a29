"""A worker process, which waits for notifications in its queues. Work on pictures is done in work-horses, processes
that RQ forks for one job each; all other work is done in the worker itself.
"""

import logging
import os

from redis import Redis
from redis.client import Pipeline
from rq import Queue, SimpleWorker, Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from app import metrics
from app.container import Container
from app.domain.ports import PICTURE_NICENESS, PICTURE_QUEUES, SIGN_SECONDS, QueueName
from app.tasks import fetches, hooks, runtime

# RQ sends a heartbeat before each wait for a notification, and waits 15 seconds less than this.
_WORKER_TTL_SECONDS = SIGN_SECONDS + 15
LAST_QUEUE_INTERVAL = 16
"""The worker looks into its last queue first once in this many notifications, so that this queue is served even
while the others are full.
"""


class _MeteredWorker(BaseWorker):
    """A worker whose heartbeats are recorded in the metrics, too."""

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send a heartbeat to Redis, as RQ does, and record it."""
        super().heartbeat(timeout, pipeline)
        metrics.PROCESS_SEEN.labels(self.queue_names()[0]).set_to_current_time()


class ForkingWorker(_MeteredWorker, Worker):
    """Does the work for each notification in a work-horse."""

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """The main function of a work-horse."""
        metrics.enter_work_horse()
        super().main_work_horse(job, queue)


class ManyQueuesWorker(ForkingWorker):
    """Looks into its queues in their order, but once in LAST_QUEUE_INTERVAL notifications in the reverse order."""

    notification_count = 0

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Set the order in which the queues are looked into next; RQ calls this after each notification."""
        self.notification_count += 1
        is_last_first = self.notification_count % LAST_QUEUE_INTERVAL == 0
        self._ordered_queues = self.queues[::-1] if is_last_first else self.queues[:]


class PlainWorker(_MeteredWorker, SimpleWorker):
    """Does the work for notifications in its own process."""


def work(container: Container, *queue_names: QueueName) -> None:
    """Work until a signal asks this process to stop.

    Several queues must all be of PICTURE_QUEUES. Use several only if there are fewer processes than queues: with
    more than one queue, RQ loses the current notification when the worker is killed, and the work then waits for
    the sweep.
    """
    runtime.use(container)
    connection = Redis.from_url(container.settings.redis_url)
    queues = [Queue(each, connection=connection, serializer=JSONSerializer) for each in queue_names]
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    if PICTURE_QUEUES.issuperset(queue_names):
        # In work-horses: a file that crashes the process that decodes it does not affect other work.
        os.nice(max(0, PICTURE_NICENESS - os.nice(0)))
        # Loaded before the fork, so that not every work-horse has to load them.
        _ = container.engine, container.previews, container.listing_pictures
        _ = container.storage, container.credentials
        _worker(ManyQueuesWorker if len(queues) > 1 else ForkingWorker, queues).work(logging_level="WARNING")
        return
    _worker(PlainWorker, queues).work(logging_level="WARNING")
    if not (hooks.senders().drain(hooks.STOP_SECONDS) and fetches.fetchers().drain(0)):
        # A normal exit would wait for all threads, and receivers may take longer than a stop is allowed to.
        os._exit(0)


def _worker(kind: type[Worker] | type[SimpleWorker], queues: list[Queue]) -> Worker | SimpleWorker:
    return kind(
        queues,
        connection=queues[0].connection,
        serializer=JSONSerializer,
        worker_ttl=_WORKER_TTL_SECONDS,
        job_monitoring_interval=SIGN_SECONDS,
    )
