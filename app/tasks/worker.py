"""A worker process: waits for wake-ups on its queue; pictures are worked in forked work-horses, all else here."""

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
from app.tasks import hooks, runtime

# RQ waits for a wake-up for 15 seconds less than this, and shows a sign before each wait.
_KNOWN_SECONDS = SIGN_SECONDS + 15


class _Seen(BaseWorker):
    """Shows its signs of life in the metrics as it shows them in Redis."""

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Show one."""
        super().heartbeat(timeout, pipeline)
        metrics.PROCESS_SEEN.labels(self.queue_names()[0]).set_to_current_time()


class ForkingWorker(_Seen, Worker):
    """Works each wake-up in a child."""

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """What the child does."""
        metrics.enter_work_horse()
        super().main_work_horse(job, queue)


class PlainWorker(_Seen, SimpleWorker):
    """Works wake-ups in its own process."""


def work(container: Container, queue_name: QueueName) -> None:
    """Work until told to stop. One queue a process: RQ loses wake-ups on two when a worker is killed."""
    runtime.use(container)
    connection = Redis.from_url(container.settings.redis_url)
    queue = Queue(queue_name, connection=connection, serializer=JSONSerializer)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    if queue_name in PICTURE_QUEUES:
        # A file that ends the process which decodes it ends no other's work: each has a child of its own.
        os.nice(max(0, PICTURE_NICENESS - os.nice(0)))
        # Loaded before the fork, so that no work-horse has to.
        _ = container.engine, container.previews, container.storage
        _worker(ForkingWorker, queue).work(logging_level="WARNING")
        return
    _worker(PlainWorker, queue).work(logging_level="WARNING")
    if not hooks.senders().drain(hooks.STOP_SECONDS):
        # Python would wait for its threads; the receivers that hold them may take longer than a stop may.
        os._exit(0)


def _worker(kind: type[Worker] | type[SimpleWorker], queue: Queue) -> Worker | SimpleWorker:
    return kind(
        [queue],
        connection=queue.connection,
        serializer=JSONSerializer,
        worker_ttl=_KNOWN_SECONDS,
        job_monitoring_interval=SIGN_SECONDS,
    )
