"""Notifies workers through RQ: one queue for each kind of work, with ids in JSON. The database, not the queue, is
authoritative: an entry is only a hint to look there.
"""

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
"""The function that RQ calls, for each queue."""
WORK_SECONDS = 1500
"""RQ's time limit for a job. Normally the watch over the worker's claim ends the work earlier."""
FAILURE_SECONDS = 600
"""How long RQ keeps a job whose worker died. It is not needed, because the work is still due in the database."""
Answer = TypeVar("Answer")


class RqQueue:
    """Implements app.domain.ports.Queue with RQ, behind a circuit breaker, so that nobody waits long for a Redis
    that is unreachable.
    """

    def __init__(self, url: str, breaker: CircuitBreaker | None = None) -> None:
        self._url = url
        self._breaker = breaker or CircuitBreaker(lambda: datetime.now(UTC))

    @cached_property
    def connection(self) -> Redis:
        """The Redis client of this process, with its connection pool."""
        return connect(self._url)

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        """Notify workers of the queue of these ids. Raises QueueUnavailableError."""
        jobs = [
            Queue.prepare_data(
                TASKS[queue_name], (each,), timeout=WORK_SECONDS, result_ttl=0, failure_ttl=FAILURE_SECONDS
            )
            for each in ids
        ]
        if jobs:
            self._call(lambda: self._queue(queue_name).enqueue_many(jobs))

    def count_waiting(self, queue_name: QueueName) -> int:
        """How many notifications in the queue no worker has taken yet. Raises QueueUnavailableError."""
        return self._call(lambda: int(self._queue(queue_name).count))

    def workers(self) -> Sequence[WorkerSign]:
        """The worker processes with a recent sign of life, sorted by queue and name. Raises
        QueueUnavailableError.
        """
        found = self._call(lambda: Worker.all(connection=self.connection, serializer=JSONSerializer))
        return sorted(filter(None, map(_read_sign, found)), key=lambda each: each.sort_key)

    def ping(self) -> None:
        """Raises QueueUnavailableError when Redis does not answer, so that notifications would be lost."""
        self._call(self.connection.ping)

    def _call(self, act: Callable[[], Answer]) -> Answer:
        try:
            return self._breaker.call(act)
        except RedisError as error:
            raise QueueUnavailableError(str(error)) from error

    def _queue(self, queue_name: QueueName) -> Queue:
        return Queue(queue_name, connection=self.connection, serializer=JSONSerializer)


def _read_sign(worker: BaseWorker) -> WorkerSign | None:
    """What RQ knows of a worker; None for a worker that is just starting or ending, or serves no queue of ours."""
    queues = tuple(QueueName(name) for name in worker.queue_names() if name in list(QueueName))
    if not queues or worker.last_heartbeat is None:
        return None
    name = f"{worker.hostname}, process {worker.pid}"
    return WorkerSign(name, queues, worker.last_heartbeat, worker.get_state() == WorkerStatus.BUSY)
