"""The doorbell over RQ: ids only, in JSON, on one queue; nothing here is the truth."""

from collections.abc import Sequence
from functools import cached_property

from redis import Redis, RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from app.domain.ports import QueueUnavailableError

PHOTOS = "photos"
TASK = "app.tasks.photos.process_photo"
WORK_SECONDS = 900
"""RQ's own limit, only a backstop: the watch over a claim ends the work earlier."""
FAILURE_SECONDS = 600
"""How long RQ remembers a ring whose worker died; the database knows better."""


class RqQueue:
    """The queue port over Redis."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def connection(self) -> Redis:
        """A connection that gives up quickly, so that nobody waits for a Redis that is away."""
        return Redis.from_url(self._url, socket_connect_timeout=1, socket_timeout=2)

    def ring(self, photo_ids: Sequence[str]) -> None:
        """Wake workers for these photos. Raises QueueUnavailableError."""
        rings = [
            Queue.prepare_data(TASK, (photo_id,), timeout=WORK_SECONDS, result_ttl=0, failure_ttl=FAILURE_SECONDS)
            for photo_id in photo_ids
        ]
        if rings:
            try:
                self._queue.enqueue_many(rings)
            except RedisError as error:
                raise QueueUnavailableError(str(error)) from error

    def waiting(self) -> int:
        """How many rings nobody has answered yet. Raises QueueUnavailableError."""
        try:
            return int(self._queue.count)
        except RedisError as error:
            raise QueueUnavailableError(str(error)) from error

    def ping(self) -> None:
        """Raises QueueUnavailableError when rings would be lost."""
        try:
            self.connection.ping()
        except RedisError as error:
            raise QueueUnavailableError(str(error)) from error

    @property
    def _queue(self) -> Queue:
        return Queue(PHOTOS, connection=self.connection, serializer=JSONSerializer)
