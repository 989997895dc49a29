"""What tests of workers share: RQ's workers take over the signals of the process they run in, for good."""

import signal
from collections.abc import Callable, Iterator

import pytest
from redis import Redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from app.adapters.queue_rq import RqQueue
from app.container import Container
from app.domain.ports import QueueName
from app.tasks import runtime

Run = Callable[[], None]


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """SIGINT and SIGTERM mean afterwards what they meant before: a run that is asked to end, ends."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def run(container: Container, redis_url: str) -> Iterator[Run]:
    """Answers all wake-ups as the own worker of the queue of previews does."""
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    runtime.use(container)

    def answer() -> None:
        queue = Queue(QueueName.PREVIEWS, connection=connection, serializer=JSONSerializer)
        Worker([queue], connection=connection, serializer=JSONSerializer).work(burst=True, logging_level="ERROR")

    yield answer
    connection.flushdb()
