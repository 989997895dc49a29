"""A worker process: waits for wake-ups on its queues; pictures are worked in forked work-horses, all else here."""

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
LAST_FIRST = 16
"""Of so many wake-ups in a row one is looked for in the last queue first, which so is served however much comes."""


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


class ManyQueuesWorker(ForkingWorker):
    """Answers the first of its queues before the others, but one of LAST_FIRST times the last one."""

    taken = 0

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Say in which order the queues are looked into next; RQ asks after each wake-up."""
        self.taken += 1
        turned = self.taken % LAST_FIRST == 0
        self._ordered_queues = self.queues[::-1] if turned else self.queues[:]


class PlainWorker(_Seen, SimpleWorker):
    """Works wake-ups in its own process."""


def work(container: Container, *queue_names: QueueName) -> None:
    """Work until told to stop. Several queues are all of FORKING, and only where too few processes would stand idle
    for one each: on two, RQ loses the wake-up at hand when a worker is killed, which the sweep then repeats.
    """
    runtime.use(container)
    connection = Redis.from_url(container.settings.redis_url)
    queues = [Queue(each, connection=connection, serializer=JSONSerializer) for each in queue_names]
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    if PICTURE_QUEUES.issuperset(queue_names):
        # A file that ends the process which decodes it ends no other's work: each has a child of its own.
        os.nice(max(0, PICTURE_NICENESS - os.nice(0)))
        # Loaded before the fork, so that no work-horse has to.
        _ = container.engine, container.previews, container.listing_pictures
        _ = container.storage, container.credentials
        _worker(ManyQueuesWorker if len(queues) > 1 else ForkingWorker, queues).work(logging_level="WARNING")
        return
    _worker(PlainWorker, queues).work(logging_level="WARNING")
    if not hooks.senders().drain(hooks.STOP_SECONDS):
        # Python would wait for its threads; the receivers that hold them may take longer than a stop may.
        os._exit(0)


def _worker(kind: type[Worker] | type[SimpleWorker], queues: list[Queue]) -> Worker | SimpleWorker:
    return kind(
        queues,
        connection=queues[0].connection,
        serializer=JSONSerializer,
        worker_ttl=_KNOWN_SECONDS,
        job_monitoring_interval=SIGN_SECONDS,
    )
