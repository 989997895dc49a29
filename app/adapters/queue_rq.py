"""Wakes workers over RQ: ids only, in JSON, a queue for each kind of work; nothing here is the truth."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TypeVar

from redis import Redis, RedisError
from rq import Queue, Worker
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker, WorkerStatus

from app.adapters.redis_connection import CircuitBreaker, connect
from app.domain.ports import QueueName, QueueUnavailableError, WorkerSign

TASKS = {
    QueueName.PHOTOS: "app.tasks.photos.process_photo",
    QueueName.ROOMS: "app.tasks.photos.process_room",
    QueueName.HOOKS_FAST: "app.tasks.hooks.deliver_fast",
    QueueName.HOOKS_SLOW: "app.tasks.hooks.deliver_slow",
    QueueName.MAIL: "app.tasks.mail.send_mail",
    QueueName.PREVIEWS: "app.tasks.previews.make_previews",
}
"""RQ's entry point for each queue."""
WORK_SECONDS = 1500
"""RQ's own limit, only a backstop: the watch over a claim ends the work earlier."""
FAILURE_SECONDS = 600
"""How long RQ remembers a wake-up whose worker died; the database knows better."""
Answer = TypeVar("Answer")


class RqQueue:
    """The queue port over Redis, behind a breaker: nobody waits long for a Redis that is away."""

    def __init__(self, url: str, breaker: CircuitBreaker | None = None) -> None:
        self._url = url
        self._breaker = breaker or CircuitBreaker(lambda: datetime.now(UTC))

    @cached_property
    def connection(self) -> Redis:
        """The connections of this process."""
        return connect(self._url)

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        """Wake workers of the queue for these. Raises QueueUnavailableError."""
        jobs = [
            Queue.prepare_data(
                TASKS[queue_name], (each,), timeout=WORK_SECONDS, result_ttl=0, failure_ttl=FAILURE_SECONDS
            )
            for each in ids
        ]
        if jobs:
            self._call(lambda: self._queue(queue_name).enqueue_many(jobs))

    def waiting(self, queue_name: QueueName) -> int:
        """How many wake-ups of the queue nobody has answered yet. Raises QueueUnavailableError."""
        return self._call(lambda: int(self._queue(queue_name).count))

    def workers(self) -> Sequence[WorkerSign]:
        """The worker processes that gave a sign of life lately, by queue and name. Raises QueueUnavailableError."""
        found = self._call(lambda: Worker.all(connection=self.connection, serializer=JSONSerializer))
        return sorted(filter(None, map(_sign, found)), key=lambda each: each.place)

    def ping(self) -> None:
        """Raises QueueUnavailableError when wake-ups would be lost."""
        self._call(self.connection.ping)

    def _call(self, act: Callable[[], Answer]) -> Answer:
        try:
            return self._breaker.call(act)
        except RedisError as error:
            raise QueueUnavailableError(str(error)) from error

    def _queue(self, queue_name: QueueName) -> Queue:
        return Queue(queue_name, connection=self.connection, serializer=JSONSerializer)


def _sign(worker: BaseWorker) -> WorkerSign | None:
    """What RQ keeps of a worker; None of one that is just coming or going, or works for somebody else."""
    queues = tuple(QueueName(name) for name in worker.queue_names() if name in list(QueueName))
    if not queues or worker.last_heartbeat is None:
        return None
    name = f"{worker.hostname}, process {worker.pid}"
    return WorkerSign(name, queues, worker.last_heartbeat, worker.get_state() == WorkerStatus.BUSY)
